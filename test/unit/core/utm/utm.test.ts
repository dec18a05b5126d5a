import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Utm } from "@/contract/routing";
import { proposeUtm, type UtmProposal } from "@/core/utm/utm";
import { utmSlug } from "@/core/utm/utm-slug";
import type { UtmWords } from "@/core/utm/utm-values";

const FIELDS = ["title", "source", "channel", "platform", "medium", "campaignName", "campaign", "audience"] as const;
const OTHERS = ["keyword", "term", "creative", "variant", "content"] as const;

describe("a slug", () => {
  test.each([
    ["Spring Sale", "spring-sale"],
    ["  20 % off!  ", "20-off"],
    ["Größe & Café Œuvre", "grosse-cafe-oeuvre"],
    ["İstanbul ırmak", "istanbul-irmak"],
    ["Łódź Đà Nẵng", "lodz-da-nang"],
    ["Весна Йод", "весна-йод"],
    ["が 한국어 ไทย हिन्दी", "が-한국어-ไทย-हिन्दी"],
    ["ＡＢＣ ﬁn ①", "abc-fin-1"],
    ["don't — stop", "dont-stop"],
    ["summer_2026.v2", "summer_2026.v2"],
    ["a\u200bb", "ab"],
    ["--a--", "a"],
    ["a\u0301\u0323", "a"],
    ["🦊", ""],
    ["?&=#/\\", ""],
  ])("of %j is %j", (text, slug) => {
    expect(utmSlug(text)).toBe(slug);
  });

  test("has at most 100 characters, and no hyphen at the cut", () => {
    expect(utmSlug("a".repeat(300))).toBe("a".repeat(100));
    expect(utmSlug(`${"a".repeat(99)} b`)).toBe("a".repeat(99));
    expect([...utmSlug("𐐷".repeat(300))]).toHaveLength(100);
  });

  test("is its own slug, for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 150 }), (text) => {
        const slug = utmSlug(text);
        expect(utmSlug(slug)).toBe(slug);
        expect([...slug].length).toBeLessThanOrEqual(100);
        expect(slug).not.toMatch(/\s|^-|-$|--/);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("the values of", () => {
  test.each<[string, UtmWords, Utm]>([
    [
      "what is given, before every alias",
      {
        ...{ title: "T", source: "S", channel: "C", platform: "P", medium: "M", campaignName: "CN", campaign: "C2" },
        ...{ audience: "A", keyword: "K", term: "T2", creative: "CR", variant: "V", content: "C3" },
      },
      { source: "s", medium: "m", campaign: "c2", term: "t2", content: "c3" },
    ],
    [
      "aliases, before the title",
      { title: "T", channel: "C", platform: "P", campaignName: "CN", keyword: "K", creative: "CR" },
      { source: "p", medium: "c", campaign: "cn", term: "k", content: "cr" },
    ],
    ["a title alone", { title: "Spring sale" }, { campaign: "spring-sale" }],
    ["a variant alone", { variant: "B" }, { content: "b" }],
    ["a creative with its variant", { creative: "Reel", variant: "B" }, { content: "reel-b" }],
    ["an audience", { audience: "Runners" }, { term: "runners" }],
    ["an audience beside a keyword", { audience: "Runners", keyword: "shoes" }, { term: "shoes", content: "runners" }],
    ["an audience there is no room for", { audience: "a", term: "t", content: "c" }, { term: "t", content: "c" }],
    ["blanks and what leaves nothing", { source: "  ", title: "🎉", medium: "" }, {}],
    ["what is given but leaves nothing, before an alias", { source: "🎉", platform: "Bing" }, { source: "bing" }],
  ])("%s", (_, words, utm) => {
    expect(proposeUtm(words, null).utm).toEqual(utm);
  });
});

describe("a known platform or channel implies a medium", () => {
  test.each([
    ["newsletter", "newsletter", "email"],
    ["E-Mail", "email", "email"],
    ["Mailchimp", "mailchimp", "email"],
    ["Facebook", "facebook", "social"],
    ["IG", "instagram", "social"],
    ["tiktok", "tiktok", "social"],
    ["www.linkedin.com", "linkedin", "social"],
    ["X", "x", "social"],
    ["Facebook Ads", "facebook", "paid-social"],
    ["Paid Instagram", "instagram", "paid-social"],
    ["Google Ads", "google", "cpc"],
    ["AdWords", "google", "cpc"],
    ["Microsoft Ads", "bing", "cpc"],
    ["YouTube", "youtube", "video"],
    ["QR code", "qr", "qr"],
    ["Flyer", "flyer", "qr"],
    ["SMS", "sms", "sms"],
    ["push notification", "push", "push"],
    ["Affiliates", "affiliate", "affiliate"],
    ["Google", "google", undefined],
    ["Somewhere", "somewhere", undefined],
  ])("platform %s: %s by %s", (platform, source, medium) => {
    expect(proposeUtm({ platform }, null).utm).toEqual({ source, ...(medium && { medium }) });
  });

  test.each<[UtmWords, Utm]>([
    [
      { source: "instagram", channel: "paid" },
      { source: "instagram", medium: "paid-social" },
    ],
    [
      { source: "instagram", channel: "organic" },
      { source: "instagram", medium: "social" },
    ],
    [
      { source: "google", channel: "Ads" },
      { source: "google", medium: "cpc" },
    ],
    [
      { source: "google", channel: "organic" },
      { source: "google", medium: "organic" },
    ],
    [
      { source: "somewhere", channel: "sponsored" },
      { source: "somewhere", medium: "paid" },
    ],
    [
      { source: "facebook", channel: "Paid Social" },
      { source: "facebook", medium: "paid-social" },
    ],
    [{ channel: "Instagram" }, { source: "instagram", medium: "social" }],
    [{ channel: "Newsletter" }, { source: "newsletter", medium: "email" }],
    [
      { channel: "Newsletter", platform: "Brevo" },
      { source: "brevo", medium: "email" },
    ],
    [{ channel: "E-Mail" }, { medium: "email" }],
    [{ channel: "Display" }, { medium: "display" }],
    [{ source: "Google Ads" }, { source: "google-ads", medium: "cpc" }],
    [
      { source: "facebook", medium: "story" },
      { source: "facebook", medium: "story" },
    ],
  ])("%j", (words, utm) => {
    expect(proposeUtm(words, null).utm).toEqual(utm);
  });
});

describe("a warning", () => {
  const warnings = (words: UtmWords, destination: string | null = null) => proposeUtm(words, destination).warnings;
  const whole = { source: "newsletter", medium: "email", campaign: "spring" };

  test("is not given if nothing is wrong", () => {
    expect(warnings(whole, "https://shop.example.com/")).toEqual([]);
    expect(warnings({ title: "Spring Sale", platform: "Instagram" })).toEqual([]);
  });

  test.each<[string, UtmWords, string | null, string]>([
    ["a source that is missing", { medium: "email", title: "a" }, null, "source: missing"],
    ["a medium that is missing", { source: "somewhere", title: "a" }, null, "medium: missing"],
    ["a campaign that is missing", { source: "newsletter" }, null, "campaign: missing"],
    ["a value that was changed", { ...whole, campaign: "Spring Sale" }, null, 'campaign: "Spring Sale" was changed'],
    ["a value that was cut", { ...whole, term: "a".repeat(101) }, null, "term: "],
    ["a medium of no default channel", { ...whole, medium: "story" }, null, 'medium: "story" is not in'],
    ["what leaves nothing", { ...whole, creative: "🎉" }, null, "creative: contains nothing"],
    ["an email address", { ...whole, content: "ada@example.com" }, null, "content: looks like an email address"],
    ["an audience without a place", { ...whole, term: "t", content: "c", audience: "a" }, null, "audience: not used"],
    ["a parameter of the destination", whole, "https://a.example/?utm_source=x", "source: the destination already has"],
    ["an empty one of it", whole, "https://a.example/?utm_medium=", "medium: the destination already has"],
  ])("is given about %s", (_, words, destination, start) => {
    expect(warnings(words, destination).filter((warning) => warning.startsWith(start))).toHaveLength(1);
  });

  test("is not given about a value that only the destination has, or that is the same in both", () => {
    expect(warnings({ medium: "email", title: "a" }, "https://a.example/?utm_source=x")).toEqual([]);
    expect(warnings(whole, "https://a.example/?utm_source=newsletter")).toEqual([]);
    const play = "https://play.google.com/store/apps/details?id=com.example&referrer=utm_source%3Dx";
    expect(warnings({ medium: "email", title: "a" }, play)).toEqual([]);
  });
});

describe("the preview", () => {
  const preview = (words: UtmWords, destination: string | null) => proposeUtm(words, destination).previewUrl;

  test.each<[string, UtmWords, string | null, string | null]>([
    ["is null without a destination", { source: "a" }, null, null],
    ["is the destination where there is nothing to add", {}, "https://a.example/?b#c", "https://a.example/?b#c"],
    [
      "keeps query and fragment",
      { source: "a", content: "b c" },
      "https://a.example/p?sig=%2f+#top",
      "https://a.example/p?sig=%2f+&utm_source=a&utm_content=b-c#top",
    ],
    [
      "never overwrites",
      { source: "a", medium: "b" },
      "https://a.example/?utm_source=mine",
      "https://a.example/?utm_source=mine&utm_medium=b",
    ],
    [
      "has them in the referrer of a Play URL, where they do not overwrite either",
      { source: "a", medium: "b" },
      "https://play.google.com/store/apps/details?id=com.example&referrer=utm_source%3Dmine",
      "https://play.google.com/store/apps/details?id=com.example&referrer=utm_source%3Dmine%26utm_medium%3Db",
    ],
    [
      "escapes other scripts",
      { campaign: "весна" },
      "https://a.example/",
      `https://a.example/?utm_campaign=${encodeURIComponent("весна")}`,
    ],
  ])("%s", (_, words, destination, url) => {
    expect(preview(words, destination)).toBe(url);
  });
});

describe("the confidence", () => {
  test.each<[number, UtmWords, string | null]>([
    [0, {}, null],
    [10, {}, "https://a.example/"],
    [80, { source: "newsletter", medium: "email", campaign: "a" }, null],
    [100, { source: "newsletter", medium: "email", campaign: "a", term: "b", content: "c" }, "https://a.example/"],
    [65, { platform: "Brevo", channel: "email", campaignName: "a" }, null],
    [55, { platform: "Brevo", title: "a" }, null],
    [40, { channel: "Instagram" }, null],
    [75, { source: "newsletter", medium: "story", campaign: "a" }, null],
    [35, { source: "somewhere", term: "a" }, "https://a.example/?utm_source=x&utm_term=y"],
  ])("is %i for %j on %s", (confidence, words, destination) => {
    const proposal = proposeUtm(words, destination);
    expect([proposal.confidence, pointsIn(proposal)]).toEqual([confidence, confidence]);
  });

  test("is the sum of its reasons within 0 to 100, and always the same, for any words", () => {
    const word = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 20 }),
      fc.constantFrom("Facebook Ads", "paid", "email"),
    );
    const words = fc.record(Object.fromEntries([...FIELDS, ...OTHERS].map((field) => [field, word])), {
      requiredKeys: [],
    });
    const destination = fc.constantFrom(
      null,
      "https://a.example/",
      "https://a.example/?utm_source=x&utm_medium=y&utm_term=",
    );
    fc.assert(
      fc.property(words, destination, (given, url) => {
        const proposal = proposeUtm(given, url);
        expect(proposal).toEqual(proposeUtm(given, url));
        expect(proposal.confidence).toBe(Math.max(0, pointsIn(proposal)));
        expect(proposal.confidence).toBeLessThanOrEqual(100);
      }),
    );
  });
});

const pointsIn = ({ rationale }: UtmProposal): number =>
  rationale.reduce((sum, text) => sum + Number(/: ([+-]\d+)$/.exec(text)?.[1]), 0);
