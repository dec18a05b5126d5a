/**
 * Seals the customer's key to another service's API, for one job only. Responses, audit entries, ledgers and logs
 * never show any of it.
 */
import { isIP } from "node:net";
import type { ApiSource, ImportCredentials } from "@/contract/links/import-api";
import { LINK_APIS } from "@/core/imports/apis";
import type { ApiAccess } from "@/core/imports/apis/api";
import type { AddressClass } from "@/platform/outbound/addresses";
import { OutboundError } from "@/platform/outbound/error";
import { readTarget } from "@/platform/outbound/target";
import type { Seal, SealedPlace } from "@/platform/seal";

const placeOf = (importId: string): SealedPlace => `imports.credentials:${importId}`;

export const sealAccess = (seal: Seal, importId: string, access: ApiAccess): Uint8Array =>
  seal.close(JSON.stringify(access), placeOf(importId));

/** Returns undefined if the secret it was sealed with no longer exists. */
export function openAccess(seal: Seal, importId: string, sealed: Uint8Array): ApiAccess | undefined {
  const text = seal.open(sealed, placeOf(importId));
  return text === undefined ? undefined : JSON.parse(text);
}

/** Refuses a private IP address right away; the addresses of a host name are checked with each request. */
export function accessOf(
  source: ApiSource,
  { apiKey, baseUrl, workspace }: ImportCredentials,
  classOf: (address: string) => AddressClass,
): { access: ApiAccess } | { fault: string } {
  const given = baseUrl ?? LINK_APIS[source].baseUrl;
  if (given === null) return { fault: "credentials.baseUrl: required, the address of your own server" };
  const fault = baseUrlFault(given, classOf);
  if (fault) return { fault: `credentials.baseUrl: ${fault}` };
  return { access: { apiKey, baseUrl: given.replace(/\/+$/, ""), ...(workspace && { workspace }) } };
}

function baseUrlFault(text: string, classOf: (address: string) => AddressClass): string | undefined {
  try {
    const { url, hostname } = readTarget(text);
    if (url.search !== "" || text.includes("#")) return "must not have a query or a fragment";
    return isIP(hostname) !== 0 && classOf(hostname) === "refused"
      ? "must not be a private network address"
      : undefined;
  } catch (error) {
    if (error instanceof OutboundError) return "expected an http or https URL without a user name or password";
    throw error;
  }
}
