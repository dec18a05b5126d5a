/**
 * Determines the client's address. A header can state it only if the connection comes from a trusted proxy. In a list
 * like `X-Forwarded-For`, which each proxy appends to, the last address that is not a trusted proxy counts, because
 * everything before it is the client's own claim. Anything before a text that is not an address is ignored as well.
 */
import { isIP } from "node:net";
import type { Server } from "bun";
import type { Config } from "@/config";
import { contains, mapAddress, type Network, parseNetwork } from "@/core/networks";
import { createBoundedMap, ownText } from "./bounded-map";

type Settings = Pick<Config, "trustedProxies" | "clientIpHeader">;
type Peers = Pick<Server<unknown>, "requestIP">;

export type ClientAddress = (request: Request, server: Peers) => string;

/** As `ClientAddress`, from the value of the header (null if there is none) and the connection's peer. */
export type StatedAddress = (stated: string | null, peer: string) => string;

/** Number of addresses whose trust is remembered: proxies are few, and each occurs in every request. */
const REMEMBERED_MAX = 4096;
/** No request passes through more trusted proxies. */
const HOPS_MAX = 32;

export function clientAddress(config: Settings): ClientAddress {
  const addressOf = statedAddress(config);
  const { clientIpHeader: header } = config;
  return (request, server) =>
    addressOf(header && request.headers.get(header), server.requestIP(request)?.address ?? "");
}

export function statedAddress(config: Settings): StatedAddress {
  const header = config.clientIpHeader;
  if (!header || config.trustedProxies.length === 0) return (_, peer) => unmapped(peer);
  const isTrusted = trust(config.trustedProxies.map(parseNetwork).filter((network) => network !== undefined));
  return (stated, connected) => {
    const peer = unmapped(connected);
    return stated && isTrusted(peer) ? furthestKnown(stated, peer, isTrusted) : peer;
  };
}

/** Goes back from the last hop for as long as trusted proxies vouch for what comes before them. */
function furthestKnown(list: string, peer: string, isTrusted: (address: string) => boolean): string {
  let known = peer;
  let end = list.length;
  for (let hop = 1; hop <= HOPS_MAX; hop++) {
    const comma = list.lastIndexOf(",", end - 1);
    const address = readHop(list.slice(comma + 1, end));
    if (address === undefined) return known;
    if (comma < 0 || !isTrusted(address)) return address;
    known = address;
    end = comma;
  }
  return known;
}

/** Matches `"[2001:db8::1]:443"` and `192.0.2.1:443`, with or without quotes, brackets and port. */
const DECORATED = /^"?(?:\[([^\]]+)\](?::\d{1,5})?|([\d.]+)(?::\d{1,5})?|([\da-f:.]+))"?$/i;

function readHop(text: string): string | undefined {
  const family = isIP(text);
  if (family === 4) return text;
  if (family === 6 && !text.includes("%")) return unmapped(text.toLowerCase());
  const trimmed = text.trim();
  if (isIP(trimmed) === 4) return trimmed;
  const [, bracketed, v4, v6] = DECORATED.exec(trimmed) ?? [];
  const address = (bracketed ?? v4 ?? v6 ?? trimmed).split("%", 1)[0] ?? "";
  return isIP(address) === 0 ? undefined : unmapped(address.toLowerCase());
}

const MAPPED_PREFIX = "::ffff:";
/** Matches what every notation of an IPv4 address mapped into IPv6 begins with. */
const MAPPED_START = /^[:0]+:ffff:/;
const ZERO = 48;
const COLON = 58;

/** Returns an IPv4 address mapped into IPv6, in whatever notation, in its dotted form. */
function unmapped(address: string): string {
  const first = address.charCodeAt(0);
  if (first !== COLON && first !== ZERO) return address;
  if (address.startsWith(MAPPED_PREFIX) && address.includes(".")) return address.slice(MAPPED_PREFIX.length);
  if (!MAPPED_START.test(address)) return address;
  const bits = mapAddress(address);
  return typeof bits === "number" ? dotted(bits) : address;
}

const dotted = (bits: number): string => [bits >>> 24, (bits >>> 16) & 255, (bits >>> 8) & 255, bits & 255].join(".");

function trust(networks: Network[]): (address: string) => boolean {
  const remembered = createBoundedMap<string, boolean>(REMEMBERED_MAX);
  return (address) => {
    const known = remembered.get(address);
    if (known !== undefined) return known;
    const candidate = mapAddress(address);
    const isTrusted = candidate !== undefined && networks.some((network) => contains(network, candidate));
    remembered.set(ownText(address), isTrusted);
    return isTrusted;
  };
}
