/** Seals an organization's client secret at its identity provider in its row. */
import type { Seal } from "@/platform/seal";

const placeOf = (orgId: string) => `sso_configurations.client_secret:${orgId}`;

export const closeSecret = (seal: Seal, orgId: string, secret: string): Uint8Array =>
  seal.close(secret, placeOf(orgId));

/** Undefined where there is none. Throws for one that cannot be opened, as after `APP_SECRET` was replaced. */
export function openSecret(seal: Seal, row: { orgId: string; clientSecret: Uint8Array | null }): string | undefined {
  if (row.clientSecret === null) return undefined;
  const secret = seal.open(row.clientSecret, placeOf(row.orgId));
  if (secret === undefined)
    throw new Error("Cannot decrypt the client secret: it was encrypted with another APP_SECRET");
  return secret;
}
