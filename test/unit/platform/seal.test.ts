import { describe, expect, test } from "bun:test";
import { openKeys } from "@/platform/keys";
import { createSeal } from "@/platform/seal";

const [first, second] = ["a first secret of at least 32 bytes!", "another secret of at least 32 bytes"];
const sealOf = async (appSecret: string, appSecretPrevious: string | null = null) =>
  createSeal(await openKeys({ appSecret, appSecretPrevious, dataDir: "/nowhere" }));

describe("a sealed text", () => {
  test("opens in the context that it was sealed for", async () => {
    const seal = await sealOf(first);
    expect(seal.open(seal.close("Ada's ✓ seed", "users.totp_secret:1"), "users.totp_secret:1")).toBe("Ada's ✓ seed");
  });

  test("does not reveal its content, and differs each time", async () => {
    const seal = await sealOf(first);
    const [one, other] = [
      seal.close("JBSWY3DPEHPK3PXP", "users.totp_secret:1"),
      seal.close("JBSWY3DPEHPK3PXP", "users.totp_secret:1"),
    ];
    expect(Buffer.from(one).toString("latin1")).not.toContain("JBSWY3DP");
    expect(one).not.toEqual(other);
  });

  test("does not open in another context", async () => {
    const seal = await sealOf(first);
    expect(seal.open(seal.close("seed", "users.totp_secret:1"), "users.totp_secret:2")).toBeUndefined();
  });

  test("opens with the previous key, but no longer once that is removed", async () => {
    const sealed = (await sealOf(first)).close("seed", "users.totp_secret:1");
    expect((await sealOf(second, first)).open(sealed, "users.totp_secret:1")).toBe("seed");
    expect((await sealOf(second)).open(sealed, "users.totp_secret:1")).toBeUndefined();
  });

  test("is renewed while the previous key is there, and opens without it from then on", async () => {
    const sealed = (await sealOf(first)).close("seed", "users.totp_secret:1");
    const both = await sealOf(second, first);
    const renewed = both.renew(sealed, "users.totp_secret:1");
    expect(renewed && (await sealOf(second)).open(renewed, "users.totp_secret:1")).toBe("seed");
    expect(renewed && both.renew(renewed, "users.totp_secret:1")).toBeUndefined();
    expect(both.renew(sealed, "users.totp_secret:2")).toBeUndefined();
    expect((await sealOf(second)).renew(sealed, "users.totp_secret:1")).toBeUndefined();
  });

  test("does not open if any byte is changed or the end is missing", async () => {
    const seal = await sealOf(first);
    const sealed = seal.close("seed", "users.totp_secret:1");
    for (let index = 0; index < sealed.length; index++) {
      const changed = Uint8Array.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(seal.open(changed, "users.totp_secret:1")).toBeUndefined();
      expect(seal.open(sealed.slice(0, index), "users.totp_secret:1")).toBeUndefined();
    }
  });
});
