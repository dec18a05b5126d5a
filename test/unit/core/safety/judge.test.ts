/** What findings result in: lists block a link, signs never do, and `safe` requires that a source was asked. */
import { describe, expect, test } from "bun:test";
import { destinationsOf, urlsOf } from "@/core/safety/destinations";
import { type JudgedDestination, judge, storedWebRisk, webRiskId } from "@/core/safety/judge";

const sign = { id: "url_shortener", sentence: "bit.ly is a URL shortener" };
const hit = { id: "blocklist", sentence: "evil.example is on the blocklist" };
const found = (fields: Partial<JudgedDestination>): JudgedDestination => ({
  url: "https://a.example/",
  listed: [],
  signs: [],
  isListChecked: true,
  ...fields,
});

describe("a link is", () => {
  test.each([
    ["unknown when nobody was asked", [found({ isListChecked: false })], "unknown"],
    ["safe when all were asked and nothing was found", [found({}), found({})], "safe"],
    ["unknown when one of two was not asked", [found({}), found({ isListChecked: false })], "unknown"],
    ["suspicious with a sign, though a list was asked", [found({ signs: [sign] })], "suspicious"],
    [
      "suspicious with many signs, never more",
      [found({ signs: [sign, sign, sign], isListChecked: false })],
      "suspicious",
    ],
    [
      "unsafe with one listed destination among others",
      [found({}), found({ signs: [sign] }), found({ listed: [hit] })],
      "unsafe",
    ],
    ["suspicious rather than unknown", [found({ isListChecked: false }), found({ signs: [sign] })], "suspicious"],
  ])("%s", (_, given, status) => {
    expect(judge(given, 0).status).toBe(status as "safe");
  });
});

test("reasons are listed once for the link, and for each destination", () => {
  const given = ["https://a.example/", "https://b.example/", "https://c.example/"].map((url, index) =>
    found({ url, signs: index < 2 ? [sign] : [] }),
  );
  expect(judge(given, Date.UTC(2026, 0, 31))).toEqual({
    status: "suspicious",
    reasons: ["url_shortener: bit.ly is a URL shortener"],
    checkedAt: "2026-01-31T00:00:00.000Z",
    destinations: given
      .slice(0, 2)
      .map(({ url }) => ({ url, status: "suspicious", reasons: ["url_shortener: bit.ly is a URL shortener"] })),
  });
});

test("only Web Risk's findings on a URL are read from the stored safety", () => {
  const said = { id: webRiskId("SOCIAL_ENGINEERING"), sentence: "Google says: phishing" };
  const safety = judge([found({ listed: [hit, said], signs: [sign] })], 0);
  expect(storedWebRisk(safety, "https://a.example/")).toEqual([said]);
  expect(storedWebRisk(safety, "https://b.example/")).toEqual([]);
  expect(storedWebRisk(null, "https://a.example/")).toEqual([]);
});

test("every destination of a link is checked, with the name of its field", () => {
  const link = {
    defaultUrl: "https://a.example/",
    rules: [{ priority: 1, destinationUrl: "https://b.example/", conditions: {} }],
    splitTargets: [{ key: "c", weight: 1, destinationUrl: "https://c.example/", isActive: false }],
    ctaOverlay: { enabled: false, buttonUrl: "https://a.example/" },
  };
  expect(destinationsOf(link).map(({ field }) => field)).toEqual([
    "defaultUrl",
    "ctaOverlay.buttonUrl",
    "rules[0].destinationUrl",
    "splitTargets[0].destinationUrl",
  ]);
  expect(urlsOf(link)).toEqual(["https://a.example/", "https://b.example/", "https://c.example/"]);
  expect(urlsOf({ defaultUrl: "https://a.example/" })).toEqual(["https://a.example/"]);
});
