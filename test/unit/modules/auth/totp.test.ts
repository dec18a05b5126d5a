import { expect, test } from "bun:test";
import { codeAt } from "@test/support/accounts/authenticator";
import { makeSeed, otpauthUrl, stepOf } from "@/modules/auth/two-factor/totp";

/** "12345678901234567890" in base32, the secret of RFC 6238, appendix B. */
const SEED = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("at %i s the code is %s, as RFC 6238 has it", async (seconds, code) => {
  expect(await stepOf(SEED, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
  expect(codeAt(SEED, seconds * 1000)).toBe(code);
});

test.each([
  [-60_001, false],
  [-60_000, false],
  [-30_001, false],
  [-30_000, true],
  [-1, true],
  [0, true],
  [29_999, true],
  [30_000, true],
  [59_999, true],
  [60_000, false],
])("at the beginning of a step the code of %i ms away is accepted: %p", async (away, isAccepted) => {
  const start = 1_700_000_010_000;
  const step = await stepOf(SEED, codeAt(SEED, start + away), start);
  expect(step).toBe(isAccepted ? Math.floor((start + away) / 30_000) : undefined);
});

test.each(["", "12345", "1234567", "28708a", "２８７０８２", "-87082", " 28708", "287082\n"])(
  "%p is no code",
  async (code) => {
    expect(await stepOf(SEED, code, 59_000)).toBeUndefined();
  },
);

test("a seed has 160 bits and is unique", async () => {
  const seeds = await Promise.all(Array.from({ length: 100 }, makeSeed));
  expect(new Set(seeds).size).toBe(100);
  for (const seed of seeds) expect(seed).toMatch(/^[A-Z2-7]{32}$/);
});

test("the URL for authenticator apps names the service and the account", async () => {
  const url = new URL(await otpauthUrl(SEED, "ada+work@example.com"));
  expect([url.protocol, url.host, decodeURIComponent(url.pathname)]).toEqual([
    "otpauth:",
    "totp",
    "/Waymark:ada+work@example.com",
  ]);
  expect(url.searchParams.get("secret")).toBe(SEED);
  expect(url.searchParams.get("issuer")).toBe("Waymark");
});
