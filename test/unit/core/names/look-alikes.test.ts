import { describe, expect, test } from "bun:test";
import { lookAlikeKey } from "@/core/names/look-alikes";
import { slugKey } from "@/core/names/slug";

const keyOf = (slug: string) => lookAlikeKey(slugKey(slug));

describe("slugs that look alike", () => {
  test.each([
    ["paypal", "PAYPA1"],
    ["paypal", "paypaI"],
    ["paypal", "\u0440\u0430\u0443\u0440\u0430\u04cf"],
    ["modern", "modem"],
    ["10", "IO"],
    ["caf\u00e9", "\u0441\u0430f\u00e9"],
    ["\u0441\u043e\u0441\u0430\u0432", "COCAB"],
  ])("%j and %j", (one, other) => {
    expect(keyOf(one)).toBe(keyOf(other));
  });
});

describe("slugs that do not look alike", () => {
  test.each([
    ["paypal", "paypals"],
    ["caf\u00e9", "cafe"],
    ["sale-1", "sale_1"],
    ["spring", "autumn"],
    ["\u6625", "\u590f"],
    ["2026", "2027"],
    ["a/b", "a-b"],
  ])("%j and %j", (one, other) => {
    expect(keyOf(one)).not.toBe(keyOf(other));
  });
});

test("ASCII characters get the same key as in the migration of stored links", () => {
  const plain = (key: string) => key.replaceAll("0", "o").replaceAll(/[1i]/g, "l").replaceAll("m", "rn");
  const letters = "abcdefghijklmnopqrstuvwxyz0123456789_.-+~!/";
  for (const letter of letters) expect(lookAlikeKey(letter)).toBe(plain(letter));
});
