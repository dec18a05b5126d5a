import { describe, expect, test } from "bun:test";
import { type DescribedApp, judgeApps } from "@/modules/domains/checks/judge-apps";
import { judgeVisitors } from "@/modules/domains/checks/judge-visitors";

const ios = { teamId: "A1B2C3D4E5", bundleId: "com.acme.shop", appStoreId: "284882215", scheme: "acmeshop" };
const android = { packageName: "com.acme.shop", sha256CertFingerprints: ["14:6D"], scheme: "acmeshop" };

describe("apps are described", () => {
  test.each<[string, DescribedApp[], string, string]>([
    ["not at all", [{}], "warning", "No app is described"],
    ["in full", [{}, { name: "Shop", ios, android }], "ok", "Complete: Shop"],
    ["for one platform", [{ ios }], "ok", "Complete: The domain's app"],
    ["without a scheme", [{ name: "Shop", ios: { ...ios, scheme: undefined } }], "warning", "Shop lacks ios.scheme"],
    [
      "with a store id alone",
      [{ name: "Shop", ios: { appStoreId: "1" }, android: { packageName: "a.b" } }],
      "warning",
      "Shop lacks ios.teamId and ios.bundleId, ios.scheme, android.sha256CertFingerprints",
    ],
    [
      "for the web",
      [{ name: "Shop", fallback: "web", ios: { ...ios, appStoreId: undefined } }],
      "ok",
      "Complete: Shop",
    ],
  ])("%s", (_, apps, status, found) => {
    const judged = judgeApps(apps);
    expect([judged.status, judged.found]).toEqual([status as typeof judged.status, found]);
    expect(judged.advice === undefined).toBe(status === "ok");
  });
});

describe("visitors' addresses", () => {
  const unset = { trustedProxies: [], clientIpHeader: null };
  const direct = { headers: new Headers(), ip: "203.0.113.7" };
  const behind = { headers: new Headers({ "x-forwarded-for": "198.51.100.9" }), ip: "10.0.0.3" };
  const usual = { clicks: 200, visitors: 90, networks: 60, located: 190 };
  test.each([
    ["of people", usual, direct, "ok"],
    ["of few", { ...usual, clicks: 19 }, direct, "unknown"],
    ["of one person", { ...usual, networks: 1, visitors: 2 }, direct, "unknown"],
    ["that are all the same", { ...usual, networks: 1 }, direct, "failed"],
    ["that are all of a few private ones", { ...usual, networks: 3, located: 0 }, direct, "warning"],
    ["of a request whose header is ignored", usual, behind, "failed"],
    ["of a request behind a proxy that is trusted", usual, { ...behind, ip: "9.9.9.9" }, "ok"],
    ["of a request within a private network", usual, { ...direct, ip: "10.0.0.3" }, "ok"],
  ] as const)("%s", (_, recent, asking, status) => {
    expect(judgeVisitors(recent, asking, unset).status).toBe(status);
  });

  test("that are ignored are reported with the settings to change, and never shown", () => {
    const { found, advice } = judgeVisitors(usual, behind, unset);
    expect(found).not.toContain("10.0.0.3");
    expect(advice).toContain("set TRUSTED_PROXIES to its address and CLIENT_IP_HEADER to the header");
    const settings = { trustedProxies: ["192.0.2.1"], clientIpHeader: "x-real-ip" };
    expect(judgeVisitors(usual, behind, settings).advice).toContain("the proxy sets the header x-real-ip");
  });
});
