/**
 * Reads where a request goes, as the URL standard does, so that every spelling of a host is judged by what it means.
 */
import { isIP } from "node:net";
import type { AddressClass } from "./addresses";
import { OutboundError } from "./error";

export interface Target {
  url: URL;
  /** The host is in lower case and punycode, without brackets and without a trailing dot. */
  hostname: string;
}

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** Returns all addresses of a name, best first. Rejects if there are none. */
export type Lookup = (hostname: string) => Promise<ResolvedAddress[]>;

const URL_LENGTH_MAX = 8192;
/**
 * Names that never refer to a host on the internet. Those without a dot belong to containers and machines beside this
 * one.
 */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|localdomain|home\.arpa)$|^[^.:]+$/;

/** Accepts any port. Throws `bad_url`. */
export function readTarget(text: string, base?: URL): Target {
  const url = text.length <= URL_LENGTH_MAX ? URL.parse(text, base?.href) : null;
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new OutboundError("bad_url", "Only absolute http and https URLs can be requested");
  }
  if (url.username !== "" || url.password !== "") {
    throw new OutboundError("bad_url", "URLs must not contain a user name or password");
  }
  const hostname = url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  if (hostname === "") throw new OutboundError("bad_url", "The URL has no host");
  url.hash = "";
  return { url, hostname };
}

export interface AddressResolver {
  lookup: Lookup;
  classOf(address: string): AddressClass;
  /** True if any addresses are allowed that are not public. */
  allowsPrivate: boolean;
}

/**
 * Looks up the addresses to connect to, once. If one of them is refused, all are, because a name that is partly
 * private is not a public service. A local name that cannot lead anywhere is not looked up, so that nobody learns
 * which of them exist. Throws `unresolved` and `not_public`.
 */
export async function resolve(
  { hostname }: Target,
  { lookup, classOf, allowsPrivate }: AddressResolver,
): Promise<ResolvedAddress[]> {
  const isLocal = LOCAL_NAME.test(hostname);
  if (isLocal && !allowsPrivate) throw notPublic();
  const resolved = await addressesOf(hostname, lookup);
  const needed: AddressClass[] = isLocal ? ["allowed"] : ["allowed", "public"];
  if (!resolved.every(({ address }) => needed.includes(classOf(address)))) throw notPublic();
  return resolved;
}

const notPublic = () => new OutboundError("not_public", "The host is not on the public internet");

async function addressesOf(hostname: string, lookup: Lookup): Promise<ResolvedAddress[]> {
  const family = isIP(hostname);
  if (family !== 0) return [{ address: hostname, family }];
  const resolved = await lookup(hostname).catch((error) => {
    throw new OutboundError("unresolved", "The host name has no address", error);
  });
  if (resolved.length === 0) throw new OutboundError("unresolved", "The host name has no address");
  return resolved;
}
