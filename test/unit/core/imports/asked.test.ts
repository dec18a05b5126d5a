import { describe, expect, test } from "bun:test";
import { desktopTargets, oldAddressDifferences } from "@/core/imports/differences";
import { SourceRecord } from "@/core/imports/record";
import { SOURCES } from "@/core/imports/sources";

const at = Date.UTC(2026, 0, 31);
const desktop = { summary: "desktop", platform: "desktop" as const, deviceType: "desktop" };

function targetsOf(item: Record<string, unknown>): string[] {
  const record = new SourceRecord({ domain: "go.acme.com", key: "a", url: "https://acme.com", ...item });
  const read = SOURCES.dub.read(record, at);
  const old = "links" in read ? read.links[0] : undefined;
  if (!old) throw new Error("There is no link");
  return desktopTargets(SOURCES.dub, record, { old, link: undefined }, at);
}

describe("the destination expected for a desktop", () => {
  test.each([
    ["everybody's destination", {}, ["https://acme.com/"]],
    ["that of any country", { geo: { DE: "https://acme.com/de" } }, ["https://acme.com/", "https://acme.com/de"]],
    ["not that of phones", { ios: "https://acme.com/ios" }, ["https://acme.com/"]],
    ["nowhere after its end", { expiresAt: "2025-01-01" }, ["nowhere: the link has ended or is turned off"]],
    [
      "to any variant of a test that runs",
      {
        testVariants: [{ url: "https://acme.com/a" }, { url: "https://acme.com/b" }],
        testCompletedAt: "2026-02-01",
      },
      ["https://acme.com/a", "https://acme.com/b"],
    ],
    ["unknown behind a password", { password: "secret" }, []],
  ])("%s", (_, item, targets) => {
    expect(targetsOf(item)).toEqual(targets);
  });
});

test("the destination expected for a desktop is unknown if it is unknown for some countries", () => {
  const condition = (type: string, matchValue: string) => ({ type, matchKey: null, matchValue });
  const record = new SourceRecord({
    ...{ shortCode: "a", domain: "go.acme.com", longUrl: "https://acme.com/" },
    redirectRules: [
      { priority: 1, longUrl: "https://acme.com/de", conditions: [condition("geolocation-country-code", "DE")] },
      { priority: 2, longUrl: "https://acme.com/win", conditions: [condition("device", "windows")] },
    ],
  });
  const read = SOURCES.shlink.read(record, at);
  const old = "links" in read ? read.links[0] : undefined;
  if (!old) throw new Error("There is no link");
  expect(desktopTargets(SOURCES.shlink, record, { old, link: undefined }, at)).toEqual([]);
});

describe("an answer of the old URL", () => {
  const url = "https://go.acme.com/a";
  const rules = [{ destinationUrl: "https://acme.com/ios", conditions: { platform: ["ios" as const] } }];
  const fields = { defaultUrl: "https://acme.com/a", rules, utm: { source: "tv" } };
  test.each([
    ["that leads there", ["https://acme.com/"], { status: 302, location: "https://ACME.com" }, undefined],
    [
      "that leads to one of several",
      ["https://a.b/", "https://c.d/"],
      { status: 307, location: "https://c.d/" },
      undefined,
    ],
    [
      "to the same app in the store",
      ["https://play.google.com/store/apps/details?id=a.b"],
      { status: 302, location: "https://play.google.com/store/apps/details?id=a.b&referrer=x" },
      undefined,
    ],
    [
      "to the page of a domain for those who find no link, as it should be",
      targetsOf({ expiresAt: "2025-01-01" }),
      { status: 302, location: "https://acme.com/not-found" },
      undefined,
    ],
    [
      "to its destination after its end",
      targetsOf({ expiresAt: "2025-01-01" }),
      { status: 302, location: "https://acme.com/a?utm_source=tv" },
      "https://acme.com/a?utm_source=tv",
    ],
    [
      "to the destination of one of its rules after its end",
      targetsOf({ expiresAt: "2025-01-01" }),
      { status: 302, location: "https://acme.com/ios" },
      "https://acme.com/ios",
    ],
    ["that it is gone, as it should be", targetsOf({ expiresAt: "2025-01-01" }), { status: 410 }, undefined],
    ["elsewhere", ["https://acme.com/"], { status: 302, location: "https://acme.com/x" }, "https://acme.com/x"],
    ["of a page", ["https://acme.com/"], { status: 200 }, "no redirect (200)"],
    ["that it is gone", ["https://acme.com/"], { status: 404 }, "nowhere: the link has ended or is turned off"],
  ])("%s", (_, targets, answer, actual) => {
    const found = oldAddressDifferences(targets, { url, ...answer }, { fields });
    expect(found).toEqual(
      actual === undefined ? [] : [{ visitor: desktop, kind: "asked", expected: targets[0] ?? "", actual }],
    );
  });
});
