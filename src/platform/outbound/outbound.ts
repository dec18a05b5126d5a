/**
 * The only way out: webhooks, logos and icons, sign-in providers, safety and destination checks. A customer may
 * choose the URL, so our own network must stay out of reach: a name is looked up once, every address it has must be
 * public (or in `OUTBOUND_ALLOW`), and the connection goes to an address that was judged. A redirect is followed only
 * on request, and is judged like a first request. Time and size are bounded, no response is decompressed, and no
 * proxy is read from the environment. Any port is allowed.
 *
 * The only state is the connections that callers ask to keep (see `outbound/connection-pool.ts`). Callers must bound
 * how many requests run at a time.
 */
import { lookup as systemLookup } from "node:dns/promises";
import { createAddressCheck } from "./addresses";
import { type ConnectionPool, createConnectionPool } from "./connection-pool";
import { startDeadline } from "./deadline";
import { OutboundError } from "./error";
import { type Answer, ConnectError, type ExchangeAsk, exchange, StaleConnectionError } from "./exchange";
import { type FetchInit, fetchThrough } from "./fetch";
import { firstHop, isRedirect, nextHop } from "./hops";
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
  kept?: ConnectionPool;
}

export interface OutboundInit {
  /** Defaults to `GET`. */
  method?: string;
  headers?: ConstructorParameters<typeof Headers>[0];
  body?: string | Uint8Array;
  /** Redirects to follow. With 0, the default, a redirect is returned like any other response. */
  redirectsMax?: number;
  /** Milliseconds to look up the name, connect and agree on TLS, for each hop; 3,000 by default. */
  connectMs?: number;
  /** Milliseconds for everything, including redirects; 15,000 by default. */
  totalMs?: number;
  /** Bytes of the response's body; 16 KB by default. */
  bytesMax?: number;
  /** What becomes of a larger body: it fails with `too_large`, the default, or is cut to `bytesMax`. */
  beyond?: "fail" | "cut";
  /**
   * Uses an open connection, and keeps it for the next request to the origin. If the other end has closed it
   * meanwhile, the request is sent a second time: only for requests that may arrive twice.
   */
  isKept?: boolean;
  signal?: AbortSignal;
}

export interface OutboundAnswer extends Answer {
  /** The URL that the response came from, after redirects. */
  url: string;
}

export interface Outbound {
  /**
   * Resolves for any status. Throws `OutboundError`, and `TypeError` for headers or a method that HTTP does not
   * allow.
   */
  request(url: string | URL, init?: OutboundInit): Promise<OutboundAnswer>;
  /** As `request`, for libraries that take a `fetch`: up to 1 MB, and redirects are not followed. */
  fetch(url: string | URL, init?: FetchInit): Promise<Response>;
}

const CONNECT_MS = 3_000;
const TOTAL_MS = 15_000;
const BYTES_MAX = 16 * 1024;
/** How many addresses of a host are tried, one after the other. */
const ADDRESSES_MAX = 3;

export function createOutbound({
  allow,
  lookup = allAddresses,
  ca,
  kept = createConnectionPool(),
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

  /**
   * Makes one hop: looks up and judges the host, and sends the request to the first of its addresses that accepts a
   * connection.
   */
  async function attempt(
    target: Target,
    ask: ExchangeAsk,
    connectMs: number,
    signal: AbortSignal,
    through: ConnectionPool | undefined,
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

/** Tries again over a new connection if the kept one had ended. */
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
