/**
 * The client's address. A header states it only when the connection comes from a trusted proxy; of a list like
 * `X-Forwarded-For` the last address that is no trusted proxy counts, since everything before it is the client's word.
 */
import { isIP } from "node:net";
import type { Server } from "bun";
import ipaddr from "ipaddr.js";
import type { Config } from "@/config";
import { createBoundedMap } from "./bounded-map";

export type ClientAddress = (request: Request, server: Server<unknown>) => string;

/** Peers whose trust is remembered: proxies are few, and each is met on every request. */
const REMEMBERED_MAX = 4096;

export function clientAddress(config: Pick<Config, "trustedProxies" | "clientIpHeader">): ClientAddress {
  const header = config.clientIpHeader;
  if (!header || config.trustedProxies.length === 0) return peerAddress;
  const isTrusted = trust(config.trustedProxies.map(parseNetwork));
  return (request, server) => {
    const peer = peerAddress(request, server);
    const stated = request.headers.get(header);
    if (!stated || !isTrusted(peer)) return peer;
    return (stated.includes(",") ? lastUntrusted(stated, isTrusted) : validAddress(stated)) ?? peer;
  };
}

const validAddress = (text: string): string | undefined => (isIP(text) === 0 ? undefined : text);

const lastUntrusted = (list: string, isTrusted: (address: string) => boolean): string | undefined =>
  list
    .split(",")
    .map((address) => address.trim())
    .findLast((address) => isIP(address) !== 0 && !isTrusted(address));

function trust(networks: Network[]): (address: string) => boolean {
  const remembered = createBoundedMap<string, boolean>(REMEMBERED_MAX);
  return (address) => {
    const known = remembered.get(address);
    if (known !== undefined) return known;
    const isTrusted = networks.some((network) => contains(network, address));
    remembered.set(address, isTrusted);
    return isTrusted;
  };
}

function peerAddress(request: Request, server: Server<unknown>): string {
  const address = server.requestIP(request)?.address ?? "";
  return address.startsWith("::ffff:") ? address.slice(7) : address;
}

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

const parseNetwork = (text: string): Network => {
  if (text.includes("/")) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
};

function contains(network: Network, text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return address.kind() === network[0].kind() && address.match(network);
}
