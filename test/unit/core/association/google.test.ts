/** `assetlinks.json`, compared with files written by hand from Google's documentation. */
import { describe, expect, test } from "bun:test";
import { assetLinks } from "@/core/association/google";
import type { AssociationSource } from "@/core/association/source";

const print = (byte: string) => Array.from({ length: 32 }, () => byte).join(":");
const profile = (packageName: string | undefined, ...sha256CertFingerprints: string[]) => ({
  pathPrefix: null,
  ios: null,
  android: { packageName, sha256CertFingerprints },
});
const fileOf = (source: Partial<AssociationSource>) =>
  JSON.parse(
    JSON.stringify(assetLinks({ profiles: [], appConfig: {}, excludedPaths: [], isCaseSensitive: false, ...source })),
  );

describe("nothing is listed", () => {
  test("if nothing is configured", () => {
    expect(fileOf({})).toEqual([]);
  });

  test.each([
    ["without fingerprints", profile("com.acme.shop")],
    ["whose fingerprints were never given", { ...profile("com.acme.shop"), android: { packageName: "com.acme.shop" } }],
    ["without a package", profile(undefined, print("A1"))],
    ["for iOS alone", { ...profile("com.acme.shop"), android: null }],
  ])("for an app %s", (_, own) => {
    expect(fileOf({ profiles: [own], appConfig: { android: own.android } })).toEqual([]);
  });
});

test("each package has one statement, with all of its fingerprints once", () => {
  const source = {
    profiles: [
      profile("com.acme.shop", print("A1"), print("B2")),
      profile("com.acme.news", print("A1")),
      profile("com.acme.shop", print("B2"), print("C3")),
    ],
    appConfig: { android: { packageName: "com.acme.shop", sha256CertFingerprints: [print("D4")] } },
  };
  const statement = (name: string, ...prints: string[]) => ({
    relation: ["delegate_permission/common.handle_all_urls"],
    target: { namespace: "android_app", package_name: name, sha256_cert_fingerprints: prints },
  });
  expect(fileOf(source)).toEqual([
    statement("com.acme.shop", print("A1"), print("B2"), print("C3"), print("D4")),
    statement("com.acme.news", print("A1")),
  ]);
});
