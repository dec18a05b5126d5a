/** Checks of a configuration that the schema cannot express. */
import { isIP } from "node:net";
import { getPublicSuffix } from "tldts";
import type { SsoUpdate } from "@/contract/accounts/sso";
import { type CheckedHostname, checkHostname } from "@/core/names/hostname";
import { invalid } from "@/http/errors";

/**
 * Returns the fields of a change in the form in which they are stored: domains normalized, null for cleared fields.
 * Throws 400.
 */
export function checkedUpdate(input: SsoUpdate, isAllowedPlain: (url: URL) => boolean) {
  const { allowedDomains, clientSecret, ...rest } = input;
  const domains = (allowedDomains ?? []).map(checkMailDomain);
  const faults = domains.flatMap((domain, index) => (domain.ok ? [] : [`allowedDomains[${index}]: ${domain.fault}`]));
  const fault = rest.issuer ? issuerFault(rest.issuer, isAllowedPlain) : undefined;
  if (fault) faults.push(`issuer: ${fault}`);
  if (rest.clientId?.trim() === "") faults.push("clientId: must not be blank");
  if (faults.length > 0) throw invalid(faults);
  const hostnames = domains.flatMap((domain) => (domain.ok ? [domain.hostname] : []));
  const given = allowedDomains === undefined ? {} : { allowedDomains: [...new Set(hostnames)] };
  return { fields: { ...rest, ...given }, clientSecret };
}

/** Refuses suffixes such as `co.uk`. Private ones, such as `uk.com`, are domains of somebody who may have mail there. */
function checkMailDomain(text: string): CheckedHostname {
  const checked = checkHostname(text);
  const isSuffix = checked.ok && getPublicSuffix(checked.hostname) === checked.hostname;
  return isSuffix ? { ok: false, fault: "is a public suffix; enter a domain you own" } : checked;
}

export interface WholeConfiguration {
  enabled: boolean;
  issuer: string | null;
  clientId: string | null;
  allowedDomains: string[];
  enforce: boolean;
}

/** Throws 400 for a configuration with which nobody could sign in. */
export function checkWhole({ enabled, issuer, clientId, allowedDomains, enforce }: WholeConfiguration): void {
  const faults = [
    enabled && !issuer && "issuer: required while single sign-on is enabled",
    enabled && !clientId && "clientId: required while single sign-on is enabled",
    enabled &&
      allowedDomains.length === 0 &&
      "allowedDomains: at least one is required while single sign-on is enabled",
    enforce && !enabled && "enforce: enable single sign-on before you enforce it",
  ].filter((fault) => fault !== false);
  if (faults.length > 0) throw invalid(faults);
}

/** Allows URLs without TLS only for IP addresses that the operator lets the service reach inside its own network. */
export const plainAllowed = (classOf: (address: string) => string) => (url: URL) => {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  return isIP(host) !== 0 && classOf(host) === "allowed";
};

function issuerFault(text: string, isAllowedPlain: (url: URL) => boolean): string | undefined {
  const url = /^[\x21-\x7e]+$/.test(text) ? URL.parse(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return "expected an https URL";
  if (url.protocol === "http:" && !isAllowedPlain(url)) return "expected an https URL";
  return url.username || url.password || /[?#\\]/.test(text)
    ? "must not contain credentials, a query or a fragment"
    : undefined;
}
