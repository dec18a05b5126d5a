/**
 * On which hosts the API, the reference and the dashboard answer: the service's own, those of dashboards, and always
 * names and addresses that no customer can hold, by which platforms and proxies check. Everywhere else the same paths are
 * short URLs like any other. The host is the client's word; whoever forges it fools nobody but themselves, since a
 * browser states the one it connected to.
 */
import { comparedHostname, hostnameOf, isLocalName } from "@/core/names/hostname";
import { beginsWithOwnSegment } from "@/core/names/reserved";
import { createBoundedMap, ownText } from "../bounded-map";
import type { Address } from "../link-cache/address";
import type { HostDirectory } from "./hosts";

export interface OwnHosts {
  /** Whether our own paths are answered there; in any case, with or without port. Asks nobody. */
  isOwn(host: string): boolean;
  /** Whether what stands at the address is out of reach: the path is our own there. */
  hides(address: Address): boolean;
  /** The host whose links are found: in development the machine's own names and addresses show the shared domain's. */
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
  /** A name or an address that no customer can hold. */
  isOfMachine: boolean;
}

/** A service is asked under few names. Whoever makes up many pushes them out, which costs a comparison. */
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
