import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { clickOfToken, mintToken, nonceOf, readToken, type Sign } from "@/core/tokens";

const signWith =
  (key: string): Sign =>
  (bytes) =>
    new Uint8Array(new Bun.CryptoHasher("sha256", key).update(bytes).digest());
const sign = signWith("the key");

const EPOCH = Date.UTC(2020);
const fields = fc.record({
  linkNumber: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  mintedAt: fc.integer({ min: 0, max: 2 ** 24 - 1 }).map((minute) => EPOCH + minute * 60_000),
  kind: fc.constantFrom("rule", "split", "store", "default"),
  position: fc.integer({ min: 0, max: 63 }),
});
const nonces = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const some = { linkNumber: 7, mintedAt: Date.UTC(2026, 5, 10, 12), kind: "store", position: 0 } as const;

test("a token has 30 base64url characters and reads back as it was minted", () => {
  fc.assert(
    fc.property(fields, nonces, (minted, nonce) => {
      const token = mintToken(minted, nonce, sign);
      expect(token).toMatch(/^[A-Za-z0-9_-]{30}$/);
      expect(readToken(token, sign)).toEqual({ ...minted, nonce });
    }),
  );
});

test("a token keeps the minute it was minted in", () => {
  const token = mintToken({ ...some, mintedAt: some.mintedAt + 59_999 }, 1, sign);
  expect(readToken(token, sign)?.mintedAt).toBe(some.mintedAt);
});

test("tokens of one minute differ by their nonce", () => {
  expect(mintToken(some, 1, sign)).not.toBe(mintToken(some, 2, sign));
});

describe("reading returns null", () => {
  test("for any changed bit", () => {
    const token = mintToken(some, 0xdeadbeef, sign);
    const bytes = Uint8Array.fromBase64(token, { alphabet: "base64url" });
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const forged = bytes.slice();
      forged[bit >>> 3] = (forged[bit >>> 3] ?? 0) ^ (1 << (bit & 7));
      expect(readToken(forged.toBase64({ alphabet: "base64url", omitPadding: true }), sign)).toBeNull();
    }
  });

  test("for another encoding of the same bytes", () => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const token = mintToken(some, 5, sign);
    const last = alphabet.indexOf(token.slice(-1));
    for (let padding = 1; padding < 16; padding++) {
      expect(readToken(token.slice(0, -1) + alphabet.charAt(last + padding), sign)).toBeNull();
    }
  });

  test("for a token signed with another key", () => {
    expect(readToken(mintToken(some, 1, signWith("another key")), sign)).toBeNull();
  });

  test("for a truncated or extended token", () => {
    const token = mintToken(some, 1, sign);
    for (let length = 0; length < token.length; length++) expect(readToken(token.slice(0, length), sign)).toBeNull();
    for (const text of [`${token}A`, token + token, token.slice(1)]) expect(readToken(text, sign)).toBeNull();
  });

  test("for a body with another token's tag", () => {
    const [one, other] = [mintToken(some, 1, sign), mintToken({ ...some, linkNumber: 8 }, 1, sign)];
    expect(readToken(other.slice(0, 16) + one.slice(16), sign)).toBeNull();
  });

  test("for any other text", () => {
    fc.assert(fc.property(fc.string(), (text) => expect(readToken(text, sign)).toBeNull()));
    const base64url = fc.stringMatching(/^[A-Za-z0-9_-]{30}$/);
    fc.assert(fc.property(base64url, (text) => expect(readToken(text, sign)).toBeNull()));
  });

  test.each([
    ["padding", "="],
    ["a line break", "\n"],
    ["a space", " "],
  ])("for a token followed by %s", (_, tail) => {
    expect(readToken(mintToken(some, 1, sign) + tail, sign)).toBeNull();
  });
});

describe("minting throws a RangeError", () => {
  test.each([
    ["a link number beyond 32 bits", { ...some, linkNumber: 2 ** 32 }, 1],
    ["a broken link number", { ...some, linkNumber: 1.5 }, 1],
    ["a time before 2020", { ...some, mintedAt: EPOCH - 1 }, 1],
    ["a time after 2051", { ...some, mintedAt: Date.UTC(2052) }, 1],
    ["a position beyond 63", { ...some, position: 64 }, 1],
    ["a negative nonce", some, -1],
  ])("for %s", (_, minted, nonce) => {
    expect(() => mintToken(minted, nonce, sign)).toThrow(RangeError);
  });
});

describe("a token identifies its click", () => {
  test.each([
    ["at the start of a minute", 0, "0198f2b0-6b5e-7c3a-9d4e-5f6a7b8c0000"],
    ["at its end", 59_999, "0198f2b0-6b5e-7c3a-9d4e-5f6a7b8cffff"],
    ["in between", 31_234, "0198f2b0-6b5e-7c3a-9d4e-5f6a7b8c00a7"],
  ])("%s", (_, ms, id) => {
    const at = Date.UTC(2026, 10, 21, 12, 34) + ms;
    const token = mintToken({ ...some, mintedAt: at }, nonceOf({ at, id }), sign);
    const read = readToken(token, sign);
    expect(read && clickOfToken(read)).toEqual({ at, idEnd: id.slice(-4) });
  });

  test("unless it is from before tokens did so", () => {
    expect(clickOfToken({ mintedAt: 0, nonce: 60_000 * 2 ** 16 })).toBeNull();
    expect(clickOfToken({ mintedAt: 0, nonce: 0xffffffff })).toBeNull();
  });
});
