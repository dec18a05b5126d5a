/**
 * Builds `assetlinks.json`, which says which Android apps may open a domain's links
 * (https://developers.google.com/digital-asset-links/v1/statements). There is one statement per package, with the
 * fingerprints from all profiles that name it. Which paths an app opens is declared in the app itself.
 */
import type { AssociationSource } from "./source";

export interface AssetLink {
  relation: ["delegate_permission/common.handle_all_urls"];
  target: { namespace: "android_app"; package_name: string; sha256_cert_fingerprints: string[] };
}

/** Leaves out packages without fingerprints: nothing could prove an app's identity. */
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
