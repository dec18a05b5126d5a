/** Encrypts the client secret that an organization has at its identity provider, bound to the organization's row. */
import type { Seal, SealedPlace } from "@/platform/seal";

const placeOf = (orgId: string): SealedPlace => `sso_configurations.client_secret:${orgId}`;

export const closeSecret = (seal: Seal, orgId: string, secret: string): Uint8Array =>
  seal.close(secret, placeOf(orgId));

/** Returns undefined if there is no secret. Throws if it cannot be decrypted, as after `APP_SECRET` was replaced. */
export function openSecret(seal: Seal, row: { orgId: string; clientSecret: Uint8Array | null }): string | undefined {
  if (row.clientSecret === null) return undefined;
  const secret = seal.open(row.clientSecret, placeOf(row.orgId));
  if (secret === undefined)
    throw new Error("Cannot decrypt the client secret: it was encrypted with another APP_SECRET");
  return secret;
}
