/**
 * The one way out: webhooks, logos and icons, sign-in providers, safety and destination checks. Where a customer names
 * the URL, our own network must stay out of reach, so a name is looked up once, every address it has must be public (or
 * in `OUTBOUND_ALLOW`), and the connection goes to an address that was judged. A redirect is followed only when asked
 * for, and judged like a first request. Time and size are bounded, no answer is decompressed, and nothing here reads a
 * proxy from the environment. Any port may be asked for.
 *
 * It holds no state but the connections that callers ask to keep (see `outbound/kept.ts`). How many requests run at once is
 * for the caller to bound.
 */
import { lookup as systemLookup } from "node:dns/promises";
import { createAddressCheck } from "./addresses";
import { startDeadline } from "./deadline";
import { OutboundError } from "./error";
import { type Answer, ConnectError, type ExchangeAsk, exchange, StaleConnectionError } from "./exchange";
import { type FetchInit, fetchThrough } from "./fetch";
import { firstHop, isRedirect, nextHop } from "./hops";
import { createKeptConnections, type KeptConnections } from "./kept";
import { type AddressResolver, type Lookup, type ResolvedAddress, resolve, type Target } from "./target";

export { OutboundError, type OutboundReason } from "./error";
export type { Lookup } from "./target";
export type { TlsFacts } from "./tls-facts";

export interface OutboundOptions {
  /** Addresses and networks that may be reached although they are not public. */
  allow: string[];
  lookup?: Lookup;
  /** Replaces the system's certificates with these, in PEM. */
  ca?: string;
  /** For tests. */
  kept?: KeptConnections;
}

export interface OutboundInit {
  /** Defaults to `GET`. */
  method?: string;
  headers?: ConstructorParameters<typeof Headers>[0];
  body?: string | Uint8Array;
  /** Redirects to follow; with 0, the default, one is an answer like any. */
  redirectsMax?: number;
  /** To look up, connect and agree on TLS, for each hop; 3,000 unless given. */
  connectMs?: number;
  /** For everything, redirects included; 15,000 unless given. */
  totalMs?: number;
  /** Of the answer's body; 16 KB unless given. */
  bytesMax?: number;
  /** What a larger body comes to: `too_large`, the default, or an answer with as much of it as was asked for. */
  beyond?: "fail" | "cut";
  /**
   * Uses a connection that stands, and keeps it for the next request to the origin. Where the other end has closed it
   * meanwhile, the request is sent a second time: for what may arrive twice.
   */
  isKept?: boolean;
  signal?: AbortSignal;
}

export interface OutboundAnswer extends Answer {
  /** Where the answer came from, after redirects. */
  url: string;
}

export interface Outbound {
  /** Any status is an answer. Throws `OutboundError`, and `TypeError` for headers or a method that HTTP has not. */
  request(url: string | URL, init?: OutboundInit): Promise<OutboundAnswer>;
  /** The same for libraries that take a `fetch`: up to 1 MB, redirects are not followed. */
  fetch(url: string | URL, init?: FetchInit): Promise<Response>;
}

const CONNECT_MS = 3_000;
const TOTAL_MS = 15_000;
const BYTES_MAX = 16 * 1024;
/** Addresses of a host that are tried, one after the other. */
const ADDRESSES_MAX = 3;

export function createOutbound({
  allow,
  lookup = allAddresses,
  ca,
  kept = createKeptConnections(),
}: OutboundOptions): Outbound {
  const resolver: AddressResolver = { lookup, classOf: createAddressCheck(allow), allowsPrivate: allow.length > 0 };

  async function request(url: string | URL, init: OutboundInit = {}): Promise<OutboundAnswer> {
    const { redirectsMax = 0, connectMs = CONNECT_MS, totalMs = TOTAL_MS, bytesMax = BYTES_MAX } = init;
    let hop = firstHop(url, init);
    using deadline = startDeadline(totalMs, init.signal);
    for (let redirects = 0; ; redirects += 1) {
      const ask: ExchangeAsk = { ...hop, bytesMax, beyond: init.beyond ?? "fail", ca };
      const through = init.isKept ? kept : undefined;
      const answer = await deadline.race(attempt(hop.target, ask, connectMs, deadline.signal, through));
      if (redirectsMax === 0 || !isRedirect(answer)) return { ...answer, url: hop.target.url.href };
      if (redirects >= redirectsMax) throw new OutboundError("redirects", `More than ${redirectsMax} redirects`);
      hop = nextHop(hop, answer);
    }
  }

  /** One hop: looked up, judged, and asked at the first of its addresses that a connection stands to. */
  async function attempt(
    target: Target,
    ask: ExchangeAsk,
    connectMs: number,
    signal: AbortSignal,
    through: KeptConnections | undefined,
  ): Promise<Answer> {
    const startedAt = performance.now();
    using connecting = startDeadline(connectMs, signal);
    const look = () => resolve(target, resolver);
    const addresses = await connecting.race(through ? through.addressesOf(target, look) : look());
    const candidates = addresses.slice(0, ADDRESSES_MAX);
    for (const at of candidates) {
      const leftMs = connectMs - (performance.now() - startedAt);
      const isLast = at === candidates.at(-1);
      const agent = through?.agentFor(target, at);
      try {
        return await exchangeOver(target, at, { ...ask, agent }, isLast ? leftMs : leftMs / 2, signal);
      } catch (error) {
        if (isLast || !(error instanceof ConnectError)) throw error;
      }
    }
    throw new OutboundError("unresolved", "The host name has no address");
  }

  return { request, fetch: fetchThrough(request) };
}

/** Over a connection of its own where the kept one had ended. */
async function exchangeOver(
  target: Target,
  at: ResolvedAddress,
  ask: ExchangeAsk,
  connectMs: number,
  signal: AbortSignal,
): Promise<Answer> {
  try {
    return await exchange(target, at, ask, connectMs, signal);
  } catch (error) {
    if (!(error instanceof StaleConnectionError)) throw error;
    return exchange(target, at, { ...ask, agent: undefined }, connectMs, signal);
  }
}

const allAddresses: Lookup = (hostname) => systemLookup(hostname, { all: true });
