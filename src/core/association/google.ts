/**
 * `assetlinks.json`: which Android apps may open a domain's links
 * (https://developers.google.com/digital-asset-links/v1/statements). One statement for each package, with the
 * fingerprints of all who configured it; which paths it opens, the app itself says.
 */
import type { AssociationSource } from "./source";

export interface AssetLink {
  relation: ["delegate_permission/common.handle_all_urls"];
  target: { namespace: "android_app"; package_name: string; sha256_cert_fingerprints: string[] };
}

/** A package without fingerprints is left out: nothing could prove that an app is it. */
export function assetLinks({ profiles, appConfig }: AssociationSource): AssetLink[] {
  const fingerprints = new Map<string, Set<string>>();
  for (const { android } of [...profiles, appConfig]) {
    const { packageName, sha256CertFingerprints = [] } = android ?? {};
    if (!packageName || sha256CertFingerprints.length === 0) continue;
    fingerprints.set(packageName, new Set([...(fingerprints.get(packageName) ?? []), ...sha256CertFingerprints]));
  }
  return [...fingerprints].map(([packageName, own]) => ({
    relation: ["delegate_permission/common.handle_all_urls"],
    target: { namespace: "android_app", package_name: packageName, sha256_cert_fingerprints: [...own] },
  }));
}
