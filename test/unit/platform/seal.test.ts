import { describe, expect, test } from "bun:test";
import { openKeys } from "@/platform/keys";
import { createSeal } from "@/platform/seal";

const [first, second] = ["a first secret of at least 32 bytes!", "another secret of at least 32 bytes"];
const sealOf = async (appSecret: string, appSecretPrevious: string | null = null) =>
  createSeal(await openKeys({ appSecret, appSecretPrevious, dataDir: "/nowhere" }));

describe("what was sealed", () => {
  test("opens where it was sealed for", async () => {
    const seal = await sealOf(first);
    expect(seal.open(seal.close("Ada's ✓ seed", "users:1"), "users:1")).toBe("Ada's ✓ seed");
  });

  test("does not say what it is, and not twice the same", async () => {
    const seal = await sealOf(first);
    const [one, other] = [seal.close("JBSWY3DPEHPK3PXP", "users:1"), seal.close("JBSWY3DPEHPK3PXP", "users:1")];
    expect(Buffer.from(one).toString("latin1")).not.toContain("JBSWY3DP");
    expect(one).not.toEqual(other);
  });

  test("opens nowhere else", async () => {
    const seal = await sealOf(first);
    expect(seal.open(seal.close("seed", "users:1"), "users:2")).toBeUndefined();
  });

  test("opens under the previous key, and no longer once that is gone", async () => {
    const sealed = (await sealOf(first)).close("seed", "users:1");
    expect((await sealOf(second, first)).open(sealed, "users:1")).toBe("seed");
    expect((await sealOf(second)).open(sealed, "users:1")).toBeUndefined();
  });

  test("is renewed while the previous key is there, and opens without it from then on", async () => {
    const sealed = (await sealOf(first)).close("seed", "users:1");
    const both = await sealOf(second, first);
    const renewed = both.renew(sealed, "users:1");
    expect(renewed && (await sealOf(second)).open(renewed, "users:1")).toBe("seed");
    expect(renewed && both.renew(renewed, "users:1")).toBeUndefined();
    expect(both.renew(sealed, "users:2")).toBeUndefined();
    expect((await sealOf(second)).renew(sealed, "users:1")).toBeUndefined();
  });

  test("does not open when any byte of it was changed, or some are missing", async () => {
    const seal = await sealOf(first);
    const sealed = seal.close("seed", "users:1");
    for (let index = 0; index < sealed.length; index++) {
      const changed = Uint8Array.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(seal.open(changed, "users:1")).toBeUndefined();
      expect(seal.open(sealed.slice(0, index), "users:1")).toBeUndefined();
    }
  });
});
