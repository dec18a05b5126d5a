import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { mailName } from "@/core/names/mail-name";

describe("a name in a mail", () => {
  test.each([
    ["stays as it is", "Müller & Söhne GmbH", "Müller & Söhne GmbH"],
    ["keeps other scripts", "株式会社アクメ", "株式会社アクメ"],
    ["keeps a full stop at its end", "Acme Inc.", "Acme Inc."],
    ["keeps a slash with space around it", "Acme / Berlin", "Acme / Berlin"],
    ["has no bare domain", "win at evil.com now", "win at evil com now"],
    ["has no URL", "https://evil.com/free?x=1", "https evil com free?x=1"],
    ["has no scheme of another kind", "javascript:alert(1)", "javascript alert(1)"],
    ["has no domain in fullwidth letters", "ｅｖｉｌ．ｃｏｍ", "evil com"],
    ["has no domain by an ideographic stop", "evil。com", "evil com"],
    ["has no domain by a one-dot leader", "evil․com", "evil com"],
    ["has no domain around a zero-width space", "evil\u200b.\u200bcom", "evil . com"],
    ["has no mailbox", "pay@evil.com", "pay evil com"],
    ["has no telephone number", "call +1 (800) 555-0100 now", "call +… now"],
    ["keeps a year", "Studio 1984", "Studio 1984"],
    ["has no line breaks", "Acme\r\nBcc: everyone@example.com", "Acme Bcc: everyone example com"],
    ["has no bidi marks", "a\u202emoc.live\u202c", "a moc live"],
    ["has no tags, nor quotes to end its own", 'Acme" <b>', "Acme b"],
    ["may come to nothing", "\u200b\u200e ", ""],
  ])("%s", (_, name, expected) => {
    expect(mailName(name)).toBe(expected);
  });

  test("has at most 60 characters, none of them cut in half", () => {
    const long = mailName("𝒜𝔹".repeat(80));
    expect([...long]).toHaveLength(60);
    expect(long.endsWith("…")).toBe(true);
    expect([...mailName("🙂".repeat(80))]).toHaveLength(60);
  });

  test("never contains what a mail program would turn into a link, for any input", () => {
    const piece = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom(
        "evil",
        ".",
        "com",
        "://",
        "http",
        "@",
        "www",
        "\u200b",
        "．",
        "。",
        "/",
        ":",
        "\u202e",
        "5550100",
        " ",
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const name = mailName(pieces.join(""));
        expect(name).not.toMatch(/[\p{L}\p{N}][.@:/\\。․][\p{L}\p{N}]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\p{Nd}{7}/u);
        expect([...name].length).toBeLessThanOrEqual(60);
      }),
    );
  });
});
