import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { languagesOf, referrerHost, utmOf } from "@/clicks/enrich/source";
import type { Utm } from "@/contract/routing";

describe("the language", () => {
  test.each([
    ["of a browser", "en-US,en;q=0.9", "en-US"],
    ["is the most preferred one", "de;q=0.5,fr-ca;q=0.9", "fr-CA"],
    ["is spelled one way", "ZH-hant-tw", "zh-Hant-TW"],
    ["is unknown without the header", "", ""],
    ["is unknown when the header makes no sense", "*;q=?;;", ""],
  ])("%s", (_, header, language) => {
    expect(languagesOf(header).first).toBe(language);
    expect(languagesOf(header).first).toBe(language);
  });
});

describe("the referrer", () => {
  test.each([
    ["is a host", "https://news.example.com/today?x=1#y", "news.example.com"],
    ["is lower-cased", "HTTPS://News.Example.COM", "news.example.com"],
    ["goes without its port", "http://localhost:3000/", "localhost"],
    ["goes without credentials", "https://someone:secret@example.com/", "example.com"],
    ["may be an IPv6 address", "http://[2001:db8::1]:80/", "[2001:db8::1]"],
    ["may be an app", "android-app://com.google.android.gm/", "com.google.android.gm"],
    ["is none when the header is empty", "", ""],
    ["is none when the header is no URL", "about:blank", ""],
    ["has no private-use characters", "https://\uF8FFother/", "\uFFFDother"],
    ["is cut", `https://${"a".repeat(1000)}/`, "a".repeat(253)],
  ])("%s", (_, header, host) => {
    expect(referrerHost(header)).toBe(host);
  });
});

describe("UTM", () => {
  const ofLink = { source: "link", medium: "link" };
  test.each([
    ["is the link's", "", ofLink],
    ["is the visit's where it has some", "utm_source=visit&a=b", { source: "visit", medium: "link" }],
    ["is decoded", "utm_campaign=a%20b+c", { ...ofLink, campaign: "a b c" }],
    ["is none where the visit's is empty, as at the destination", "utm_source=", { medium: "link" }],
    ["is none where the visit's has no value", "utm_source&a=1", { medium: "link" }],
    ["is cut", `utm_term=${"x".repeat(1000)}`, { ...ofLink, term: "x".repeat(255) }],
    [
      "is cut to well-formed text",
      `utm_term=${"x".repeat(254)}%F0%9F%98%80`,
      { ...ofLink, term: `${"x".repeat(254)}\uFFFD` },
    ],
    ["has no NUL", "utm_term=a%00b&utm_source=%00", { medium: "link", term: "ab" }],
    ["has no private-use characters", "utm_term=%EF%A3%BFa%F3%B0%80%80", { ...ofLink, term: "\uFFFDa\uFFFD" }],
    ["survives broken escapes", "utm_content=%E0%A4%A", { ...ofLink, content: "\uFFFD%A" }],
  ])("%s", (_, query, utm) => {
    expect(utmOf(query, ofLink)).toEqual(utm);
  });

  const queryText = fc
    .array(
      fc.oneof(
        fc.constantFrom("utm_source=visit", "utm_medium=", "utm_campaign=a%20b", "utm_source=other", "utm%5Fterm=t"),
        fc.constantFrom(
          "?utm_source=asked",
          "fbclid=x%26utm_term=1",
          "a=utm_source=b",
          "utm_source",
          "+utm_term=1",
          "",
        ),
        fc.constantFrom("%75tm_content=c", "utm_content=%E0%A4%A", "x=%", "utm_id=1", `utm_term=${"y".repeat(600)}`),
        fc.string({ maxLength: 8 }),
      ),
      { maxLength: 6 },
    )
    .map((parts) => parts.join("&"));

  test("equals a full parse of the query, for every link and also when repeated", () => {
    const links: Utm[] = [{}, ofLink, { campaign: "spring", term: "a" }, { source: "" }];
    fc.assert(
      fc.property(queryText, fc.constantFrom(...links), (query, link) => {
        const parameters = new URLSearchParams(query.includes("utm_") ? query : "");
        const read = { ...link };
        for (const field of ["source", "medium", "campaign", "term", "content"] as const) {
          const value = parameters.get(`utm_${field}`)?.slice(0, 255);
          if (value !== undefined) read[field] = value || undefined;
        }
        expect(utmOf(query, link)).toEqual(read);
        expect(utmOf(query, link)).toEqual(read);
      }),
      { numRuns: 2_000 },
    );
  });

  test("is one shared object for visits that differ only in click ids", () => {
    const first = utmOf("utm_source=visit&fbclid=1", ofLink);
    expect(utmOf("fbclid=2&utm_source=visit", ofLink)).toBe(first);
    const whole = utmOf("utm_source=visit&utm_medium=visit&fbclid=1", ofLink);
    expect(utmOf("utm_source=visit&utm_medium=visit&gclid=3", { source: "another" })).toBe(whole);
  });

  test("of the link is not modified", () => {
    utmOf("utm_source=visit", ofLink);
    expect(ofLink.source).toBe("link");
  });
});
