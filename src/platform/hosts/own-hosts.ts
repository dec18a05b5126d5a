/**
 * Determines on which hosts the API, the reference and the dashboard are served: the service's own hosts, those of
 * dashboards, and always the names and addresses that no customer can own, which platforms and proxies use for their
 * checks. On every other host, the same paths are short URLs like any other. The host is the client's claim, but
 * forging it deceives only the forger, because a browser states the host that it connected to.
 */
import { comparedHostname, hostnameOf, isLocalName } from "@/core/names/hostname";
import { beginsWithOwnSegment } from "@/core/names/reserved";
import { createBoundedMap, ownText } from "../bounded-map";
import type { Address } from "../link-cache/address";
import type { HostDirectory } from "./hosts";

export interface OwnHosts {
  /** True if our own paths are served on this host; in any case, with or without a port. Reads only memory. */
  isOwn(host: string): boolean;
  /** True if a link at this address cannot be reached, because its path is our own on that host. */
  hides(address: Address): boolean;
  /**
   * Returns the host whose links are served: in development, the machine's own names and addresses serve those of the
   * shared domain.
   */
  shortHost(host: string): string;
}

export interface OwnHostsOptions {
  config: { baseUrl: string; dashboardUrl: string; shortDomain: string; isProduction: boolean };
  hosts: HostDirectory;
}

const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])$/;

export function createOwnHosts({ config, hosts }: OwnHostsOptions): OwnHosts {
  const { baseUrl, dashboardUrl, shortDomain, isProduction } = config;
  const names = new Set([hostnameOf(baseUrl), hostnameOf(dashboardUrl)]);

  const hostNamed = remembersHosts();

  const isOwn = (host: string): boolean => {
    const { name, isOfMachine } = hostNamed(host);
    return isOfMachine || names.has(name) || hosts.of(name)?.isDashboard === true;
  };
  return {
    isOwn,
    hides: (address) => beginsWithOwnSegment(address) && isOwn(address.host),
    shortHost: isProduction ? (host) => host : (host) => (hostNamed(host).isOfMachine ? shortDomain : host),
  };
}

interface Named {
  name: string;
  /** True for a name or an address that no customer can own. */
  isOfMachine: boolean;
}

/**
 * Number of hosts remembered: a service is called by few names. Someone who makes up many evicts the others, which
 * costs only a comparison.
 */
const REMEMBERED_MAX = 1_024;
const REMEMBERED_LENGTH_MAX = 255;

function remembersHosts(): (host: string) => Named {
  const remembered = createBoundedMap<string, Named>(REMEMBERED_MAX);
  return (host) => {
    const known = remembered.get(host);
    if (known) return known;
    const name = comparedHostname(host);
    const named = { name: ownText(name), isOfMachine: ADDRESS.test(name) || isLocalName(name) };
    if (host.length <= REMEMBERED_LENGTH_MAX) remembered.set(ownText(host), named);
    return named;
  };
}
