import { expect, test } from "bun:test";
import fc from "fast-check";
import { referrerFromInput, tokenInReferrer } from "@/core/referrer";
import { withPlayIds } from "@/core/routing/store";

const TOKEN = "ARgtXgA3Q4wAn0vJ3m2Qx7b1fWc5Zk";

test.each([
  ["a token alone", TOKEN],
  ["a referrer", `match_token=${TOKEN}&utm_source=news`],
  ["a referrer with more before it", `utm_source=news&match_token=${TOKEN}`],
  ["a referrer as a URL's query", `?utm_source=news&match_token=${TOKEN}`],
  ["a referrer with two of them", `match_token=${TOKEN}&match_token=other`],
  ["an escaped referrer", `utm_source%3Dnews%26match_token%3D${TOKEN}`],
  ["an escaped escaped referrer", `utm_source%253Dnews%2526match_token%253D${TOKEN}`],
  ["a referrer with a malformed escape", `utm_source=100%&match_token=${TOKEN}`],
])("the token is found in %s", (_, text) => {
  expect(tokenInReferrer(text)).toBe(TOKEN);
});

test.each([[""], ["utm_source=news"], ["utm_source=100%"], ["match_tokens=a"], ["%%%"], ["&&=&"]])(
  "%p without a token is returned unchanged",
  (text) => {
    expect(tokenInReferrer(text)).toBe(text);
  },
);

test("the token is found in the referrer of every Play URL that carries one", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.string()), (parameters) => {
      const referrer = new URLSearchParams(parameters);
      const url = `https://play.google.com/store/apps/details?id=a.b&${new URLSearchParams({ referrer: `${referrer}` })}`;
      const handedOn = new URL(withPlayIds(url, TOKEN)).searchParams.get("referrer") ?? "";
      expect(tokenInReferrer(handedOn)).toBe(TOKEN);
      expect(tokenInReferrer(encodeURIComponent(handedOn))).toBe(TOKEN);
    }),
  );
});

test.each([
  ["https://news.example.com/a?b#c", "https://news.example.com"],
  ["news.example.com", "https://news.example.com"],
  ["news.example.com:8080/a", "https://news.example.com:8080"],
  ["localhost:3000", "https://localhost:3000"],
  ["android-app://com.google.android.gm/", "android-app://com.google.android.gm"],
  ...["", "direct", "Direct", "about:blank", "about:srcdoc", "data:text/html,hello", "blob:https://a.example/1"].map(
    (stated) => [stated, ""] as const,
  ),
])("a stated referrer %p counts as %p", (stated, origin) => {
  expect(referrerFromInput(stated)).toBe(origin);
});

test("any text gives a string", () => {
  fc.assert(fc.property(fc.string(), (text) => expect(typeof tokenInReferrer(text)).toBe("string")));
});
