/** Checks the host name of a new domain: it must be well-formed, no public suffix, and not the service's own. */
import { getPublicSuffix } from "tldts";
import { checkHostname, isLocalName } from "@/core/names/hostname";
import { invalid } from "@/http/errors";

/**
 * Returns the name in the form in which it is stored. `ownHosts` are the host names of the service itself. Throws 400.
 */
export function checkedHostname(text: string, ownHosts: readonly string[]): string {
  const checked = checkHostname(text);
  if (!checked.ok) throw invalid([`hostname: ${checked.fault}`]);
  const { hostname } = checked;
  // Otherwise customers could learn what the name servers of our own network contain.
  if (isLocalName(hostname)) throw invalid(["hostname: is a local network name; enter a public one"]);
  if (getPublicSuffix(hostname, { allowPrivateDomains: true }) === hostname) {
    throw invalid(["hostname: is a public suffix; enter a domain you own"]);
  }
  if (ownHosts.includes(hostname)) throw invalid(["hostname: belongs to this service"]);
  return hostname;
}
