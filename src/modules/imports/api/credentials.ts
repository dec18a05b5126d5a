/**
 * The key by which another service's API is asked, in the customer's name. Kept sealed, for one job alone; nothing of it is in
 * answers, audit entries, ledgers or logs.
 */
import { isIP } from "node:net";
import type { ApiSource, ImportCredentials } from "@/contract/links/import-api";
import { LINK_APIS } from "@/core/imports/apis";
import type { ApiAccess } from "@/core/imports/apis/api";
import type { AddressClass } from "@/platform/outbound/addresses";
import { OutboundError } from "@/platform/outbound/error";
import { readTarget } from "@/platform/outbound/target";
import type { Seal } from "@/platform/seal";

const placeOf = (importId: string) => `imports.credentials:${importId}`;

export const sealAccess = (seal: Seal, importId: string, access: ApiAccess): Uint8Array =>
  seal.close(JSON.stringify(access), placeOf(importId));

/** Undefined where it was sealed under a secret that is gone. */
export function openAccess(seal: Seal, importId: string, sealed: Uint8Array): ApiAccess | undefined {
  const text = seal.open(sealed, placeOf(importId));
  return text === undefined ? undefined : JSON.parse(text);
}

/** What a host's name leads to is judged at each request; an address in its place can be refused at once. */
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
