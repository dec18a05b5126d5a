/** What a host name must be to become a domain: well-formed, nobody's suffix, and not the service's own. */
import { getPublicSuffix } from "tldts";
import { checkHostname, isLocalName } from "@/core/names/hostname";
import { invalid } from "@/http/errors";

/** The name in the form it is kept in. `ownHosts`: names the service itself answers at. Throws 400. */
export function checkedHostname(text: string, ownHosts: readonly string[]): string {
  const checked = checkHostname(text);
  if (!checked.ok) throw invalid([`hostname: ${checked.fault}`]);
  const { hostname } = checked;
  // What name servers of our own network know is not told to customers.
  if (isLocalName(hostname)) throw invalid(["hostname: is a local network name; enter a public one"]);
  if (getPublicSuffix(hostname, { allowPrivateDomains: true }) === hostname) {
    throw invalid(["hostname: is a public suffix; enter a domain you own"]);
  }
  if (ownHosts.includes(hostname)) throw invalid(["hostname: belongs to this service"]);
  return hostname;
}
