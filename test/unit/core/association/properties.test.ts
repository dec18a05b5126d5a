/**
 * Whatever is configured, the files parse, name each app once, and give each path to the apps with the longest
 * prefix.
 */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { type AppleComponent, appleAssociation } from "@/core/association/apple";
import { assetLinks } from "@/core/association/google";
import type { AssociatedProfile } from "@/core/association/source";

const segment = fc.constantFrom("shop", "Shop", "news", "café", "東京", "a.b", "x_y-z", "שלום");
const path = (segmentsMin: number) => fc.array(segment, { minLength: segmentsMin, maxLength: 3 });
const ios = fc.option(
  fc.record(
    { teamId: fc.constantFrom("A1B2C3D4E5", "Z9Y8X7W6V5"), bundleId: fc.constantFrom("com.a", "com.b", "com.c-d") },
    { requiredKeys: [] },
  ),
);
const fingerprint = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0").toUpperCase()).join(":"));
const android = fc.option(
  fc.record(
    {
      packageName: fc.constantFrom("com.a", "com.b", "com.c_d"),
      sha256CertFingerprints: fc.array(fingerprint, { maxLength: 3 }),
    },
    { requiredKeys: [] },
  ),
);
const pathPrefix = fc.option(path(0).map((segments) => segments.join("/")));
const profile: fc.Arbitrary<AssociatedProfile> = fc.record({ pathPrefix, ios, android });
const source = fc.record({
  profiles: fc.array(profile, { maxLength: 8 }),
  appConfig: fc.record({ ios, android }),
  excludedPaths: fc.array(
    path(1).map((segments) => `/${segments.join("/")}`),
    { maxLength: 2 },
  ),
  isCaseSensitive: fc.boolean(),
});

const appIdOf = ({ ios }: Pick<AssociatedProfile, "ios">) =>
  ios?.teamId && ios.bundleId ? `${ios.teamId}.${ios.bundleId}` : undefined;
const isDefined = <Value>(value: Value | undefined): value is Value => value !== undefined;
const once = <Value>(values: Value[]) => [...new Set(values)].toSorted();

test("each app is named exactly once for links and once for passwords", () => {
  fc.assert(
    fc.property(source, (given) => {
      const { applinks, webcredentials } = JSON.parse(JSON.stringify(appleAssociation(given)));
      const named = applinks.details.flatMap(({ appIDs }: { appIDs: string[] }) => appIDs);
      const all = once([...given.profiles, { ios: given.appConfig.ios }].map(appIdOf).filter(isDefined));
      expect(named.toSorted()).toEqual(all);
      expect(webcredentials.apps.toSorted()).toEqual(all);
    }),
  );
});

test("each package is named exactly once, each of its fingerprints once", () => {
  fc.assert(
    fc.property(source, (given) => {
      const made: ReturnType<typeof assetLinks> = JSON.parse(JSON.stringify(assetLinks(given)));
      const configured = [...given.profiles, given.appConfig].map(({ android }) => android);
      const complete = configured.filter((app) => app?.packageName && app.sha256CertFingerprints?.length);
      expect(made.map(({ target }) => target.package_name).toSorted()).toEqual(
        once(complete.map((app) => String(app?.packageName))),
      );
      for (const { target } of made) {
        const own = complete.filter((app) => app?.packageName === target.package_name);
        expect(target.sha256_cert_fingerprints.toSorted()).toEqual(
          once(own.flatMap((app) => app?.sha256CertFingerprints ?? [])),
        );
      }
    }),
  );
});

test("a link is opened only by the apps with the longest matching prefix", () => {
  fc.assert(
    fc.property(source, path(0), (given, segments) => {
      const profiles = [...given.profiles, { pathPrefix: null, ios: given.appConfig.ios ?? null }];
      const key = (text: string) => (given.isCaseSensitive ? text : text.toLowerCase());
      const link = `/${[...segments, "the-link"].join("/")}`;
      const claims = profiles.flatMap((each) => {
        const id = appIdOf(each);
        const prefix = each.pathPrefix ? `/${key(each.pathPrefix)}/` : "/";
        return id && key(link).startsWith(prefix) ? [{ id, length: prefix.length }] : [];
      });
      const longest = Math.max(...claims.map(({ length }) => length));
      const expected = once(claims.filter(({ length }) => length === longest).map(({ id }) => id));
      const { details, defaults } = appleAssociation({ ...given, excludedPaths: [] }).applinks;
      const opening = details.filter(({ components }) => opens(components, encodeURI(link), defaults));
      expect(opening.flatMap(({ appIDs }) => appIDs).toSorted()).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

/**
 * True if the app opens the link. As Apple documents it, the first matching component decides, and case matters
 * unless the file says otherwise.
 */
function opens(components: AppleComponent[], link: string, { caseSensitive }: { caseSensitive: boolean }): boolean {
  const first = components.find(({ "/": pattern }) => {
    const escaped = pattern.replace(/[.\\+^$()[\]{}|]/g, "\\$&").replaceAll("*", ".*");
    return new RegExp(`^${escaped}$`, caseSensitive ? "" : "i").test(link);
  });
  return first !== undefined && first.exclude !== true;
}
