import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { beginsWithOwnSegment, OWN_SEGMENTS, RESERVED_SEGMENTS } from "@/core/names/reserved";
import { checkPathPrefix, checkSlug, makeSlug, slugKey } from "@/core/names/slug";

const fault = (checked: { ok: boolean; fault?: string }) => (checked.ok ? null : checked.fault);

describe("a slug may be", () => {
  test.each([
    ["spring"],
    ["Spring-Sale_2026.v2"],
    ["a"],
    ["..."],
    ["x".repeat(190)],
    ["frühling"],
    ["весна"],
    ["άνοιξη"],
    ["ΆΝΟΙΞΗ-2026"],
    ["مرحبا"],
    ["שלום"],
    ["नमस्ते"],
    ["สวัสดีน้ำ"],
    ["春の販売セール"],
    ["한국어漢字"],
    ["ㄅㄆㄇ漢"],
    ["٢٠٢٦"],
    ["𐌰𐌱"],
    ["a+b"],
    ["c++"],
    ["~ada"],
    ["sale!"],
    ["+~!"],
    ["ｓａｌｅ"],
  ])("%j", (text) => {
    expect(checkSlug(text)).toMatchObject({ ok: true, slug: text });
  });
});

describe("a slug may not be", () => {
  test.each([
    ["empty", "", "1 to 190"],
    ["of 191 characters", "x".repeat(191), "1 to 190"],
    ["with a slash", "a/b", "letters"],
    ["with a space", "a b", "letters"],
    ["with a question mark", "a?b", "letters"],
    ["with a percent sign", "a%2fb", "letters"],
    ["with an emoji", "🎉", "letters"],
    ["with a NUL", "a\0", "letters"],
    ["with a lone surrogate", "a\ud800", "letters"],
    ["with a zero-width space", "a\u200bb", "letters"],
    ["a dot", ".", "`..`"],
    ["two dots", "..", "`..`"],
    ["with a mark to turn it left", "a\u202eb", "bidirectional"],
    ["with a mark from right to left", "שלום\u200f", "bidirectional"],
    ["with an isolate", "\u2066a", "bidirectional"],
    ["with an Arabic letter mark", "\u061cمرحبا", "bidirectional"],
    ["Latin with a Cyrillic а", "p\u0430ypal", "scripts"],
    ["Latin with a Greek ο", "g\u03bfogle", "scripts"],
    ["Latin with Japanese", "sushi寿司", "scripts"],
    ["Hiragana with Hangul", "ひ한", "scripts"],
    ["Latin with Arabic digits", "sale٢", "scripts"],
    ["a historic script with Latin", "𐌰a", "scripts"],
    ["led by a combining mark", "\u0301a", "start"],
    ["a mathematical p among Cyrillic", "𝐩\u0430\u0443", "scripts"],
    ["fullwidth Latin with Cyrillic", "ｐ\u0430\u0443", "scripts"],
    ["a letter that stands for words", "\ufdfa", "letters"],
    ["led by what stands for a combining mark", "\uff9eハ", "start"],
    ["reserved in fullwidth letters", "ｆａｖｉｃｏｎ.ｉｃｏ", "reserved"],
    ["reserved", "sitemap.xml", "reserved"],
    ["reserved in capitals", "Robots.TXT", "reserved"],
    ["reserved for certificates", ".well-known", "reserved"],
  ])("%s", (_, text, part) => {
    expect(fault(checkSlug(text))).toContain(part);
  });
});

test("reserved words are listed in the form in which they are compared", () => {
  for (const word of [...RESERVED_SEGMENTS, ...OWN_SEGMENTS]) expect(slugKey(word)).toBe(word);
});

test.each([
  ["", "app", true],
  ["", "apps", false],
  ["app", "any", true],
  ["app/more", "any", true],
  ["apps", "app", false],
  ["more/app", "any", false],
  ["", "LogIn", true],
  ["API/x", "any", true],
])("the prefix %j with the slug %j begins with a path of the service: %p", (prefix, slug, expected) => {
  expect(beginsWithOwnSegment({ prefix, slug })).toBe(expected);
});

describe("slugs are the same", () => {
  test.each([
    ["Spring", "sPRING"],
    ["fr\u00fchling", "FRU\u0308HLING"],
    ["ΟΔΟΣ", "οδος"],
    ["straße", "STRASSE"],
    ["STRAẞE", "straße"],
    ["ВЕСНА", "весна"],
    ["ｓａｌｅ", "SALE"],
    ["𝐬𝐚𝐥𝐞", "sale"],
    ["ﬁsh", "fish"],
    ["２０２６", "2026"],
    ["ｶﾀｶﾅ", "カタカナ"],
    ["𝚨", "α"],
    ["x²", "X2"],
  ])("%j and %j", (one, other) => {
    expect(slugKey(one)).toBe(slugKey(other));
  });

  test("as their own key and in any normalization form", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const key = slugKey(text);
        expect(slugKey(key)).toBe(key);
        expect(slugKey(text.normalize("NFD"))).toBe(key);
      }),
    );
  });
});

describe("on a case-sensitive domain", () => {
  test.each([
    ["aB", "ab"],
    ["Frühling", "FRÜHLING"],
    ["straße", "strasse"],
    ["Shop/DE", "shop/de"],
  ])("%j and %j are different", (one, other) => {
    expect(slugKey(one, true)).not.toBe(slugKey(other, true));
    expect(slugKey(one)).toBe(slugKey(other));
  });

  test.each([
    ["Fru\u0308hling", "Frühling"],
    ["ＳａＬｅ", "SaLe"],
  ])("%j and %j are the same", (one, other) => {
    expect(slugKey(one, true)).toBe(slugKey(other, true));
  });

  test("slugs with the same key have the same key everywhere, and are the same as that key", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const key = slugKey(text, true);
        expect(slugKey(key, true)).toBe(key);
        expect(slugKey(text.normalize("NFD"), true)).toBe(key);
        expect(slugKey(key)).toBe(slugKey(text));
      }),
    );
  });
});

test("a slug is stored in NFC, in its given case", () => {
  expect(checkSlug("Fru\u0308hling")).toEqual({ ok: true, slug: "Fr\u00fchling", key: "fr\u00fchling" });
});

describe("a path prefix", () => {
  test.each([
    ["", "", ""],
    ["/", "", ""],
    ["Promo", "Promo", "promo"],
    ["/Promo/", "Promo", "promo"],
    ["a/b/c/d", "a/b/c/d", "a/b/c/d"],
    ["//a/B//", "a/B", "a/b"],
    ["a/api", "a/api", "a/api"],
    ["fr/весна", "fr/весна", "fr/весна"],
  ])("%j becomes %j", (text, prefix, key) => {
    expect(checkPathPrefix(text)).toEqual({ ok: true, prefix, key });
  });

  test.each([
    ["a/b/c/d/e", "4 segments"],
    ["a//b", "1 to 190 characters in each segment"],
    ["a/../b", "`..`"],
    ["a b", "letters"],
    [".Well-Known/a", "reserved"],
    ["robots.txt", "reserved"],
    ["p\u0430y", "scripts"],
  ])("may not be %j", (text, part) => {
    expect(fault(checkPathPrefix(text))).toContain(part);
  });
});

describe("a generated slug", () => {
  const random = (count: number) => crypto.getRandomValues(new Uint8Array(count));

  test("has seven unambiguous characters and is a valid slug", () => {
    for (let made = 0; made < 1_000; made++) {
      const slug = makeSlug(random);
      expect(slug).toMatch(/^[2-9bcdfghjkmnpqrstvwxyz]{7}$/);
      expect(checkSlug(slug)).toEqual({ ok: true, slug, key: slug });
    }
  });

  test("uses each character equally often, since surplus byte values are drawn again", () => {
    const counts = new Map<string, number>();
    for (let byte = 0; byte < 256; byte++) {
      const draws = [byte, ...Array<number>(11).fill(0)];
      const first = makeSlug(() => Uint8Array.from(draws)).charAt(0);
      if (byte < 252) counts.set(first, (counts.get(first) ?? 0) + 1);
    }
    expect([...counts.values()]).toEqual(Array<number>(28).fill(9));
  });

  test("draws more bytes if too few were usable", () => {
    let asked = 0;
    const slug = makeSlug((count) => new Uint8Array(count).fill(asked++ === 0 ? 255 : 27));
    expect(slug).toBe("zzzzzzz");
    expect(asked).toBe(2);
  });
});
