import { describe, expect, test } from "bun:test";
import { languagesOf, referrerHost, utmOf } from "@/clicks/enrich/source";

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
    ["is the link's where the visit's is empty", "utm_source=", ofLink],
    ["is cut", `utm_term=${"x".repeat(1000)}`, { ...ofLink, term: "x".repeat(255) }],
    ["survives broken escapes", "utm_content=%E0%A4%A", { ...ofLink, content: "\uFFFD%A" }],
  ])("%s", (_, query, utm) => {
    expect(utmOf(query, ofLink)).toEqual(utm);
  });

  test("of the link is left as it is", () => {
    utmOf("utm_source=visit", ofLink);
    expect(ofLink.source).toBe("link");
  });
});
