/**
 * Keeps connections for further requests to the same origin, for callers that ask for it. What a look-up of a name
 * has found and judged is valid for `JUDGED_MS`: until then, every connection goes to one of those addresses and the
 * name is not looked up again. After that it is looked up and judged anew, and connections to an address that it no
 * longer has, or that is now refused, are dropped. So a kept connection never leads where a new one may not.
 *
 * Bounds: `ORIGINS_MAX` origins, of which the least recently used goes first; `IDLE_MAX` idle connections to an
 * address; an origin that is not used for `UNUSED_MS` is dropped. A crash loses only connections.
 */
import http from "node:http";
import https from "node:https";
import type { ResolvedAddress, Target } from "./target";

export interface ConnectionPool {
  /** Returns the target's addresses, which were judged recently; `resolve` looks them up and judges them. */
  addressesOf(target: Target, resolve: () => Promise<ResolvedAddress[]>): Promise<ResolvedAddress[]>;
  /** Returns the agent that keeps connections to this address, which `addressesOf` must have just returned. */
  agentFor(target: Target, at: ResolvedAddress): http.Agent;
}

interface Origin {
  addresses: Promise<ResolvedAddress[]>;
  /** By `performance.now()`. */
  judgedAt: number;
  usedAt: number;
  agents: Map<string, http.Agent>;
}

const JUDGED_MS = 30_000;
const UNUSED_MS = 15_000;
const ORIGINS_MAX = 1_000;
const IDLE_MAX = 64;

export function createConnectionPool({ judgedMs = JUDGED_MS, unusedMs = UNUSED_MS } = {}): ConnectionPool {
  const origins = new Map<string, Origin>();
  let sweeping: Timer | undefined;

  /** Moves the origin to the end of the map, so that the least recently used one is the first. */
  function touch(key: string, origin: Origin): void {
    origins.delete(key);
    origins.set(key, origin);
    origin.usedAt = performance.now();
    for (const [oldest, { agents }] of origins) {
      if (origins.size <= ORIGINS_MAX) break;
      origins.delete(oldest);
      retire(agents.values());
    }
    sweeping ??= setInterval(sweep, unusedMs).unref();
  }

  function sweep(): void {
    const usedBefore = performance.now() - unusedMs;
    for (const [key, { usedAt, agents }] of origins) {
      if (usedAt > usedBefore) break;
      origins.delete(key);
      retire(agents.values());
    }
    if (origins.size > 0) return;
    clearInterval(sweeping);
    sweeping = undefined;
  }

  async function judge(
    key: string,
    origin: Origin,
    resolve: () => Promise<ResolvedAddress[]>,
  ): Promise<ResolvedAddress[]> {
    try {
      const addresses = await resolve();
      keepOnly(origin, addresses);
      return addresses;
    } catch (error) {
      if (origins.get(key) === origin) origins.delete(key);
      keepOnly(origin, []);
      throw error;
    }
  }

  return {
    addressesOf({ url }, resolve) {
      const key = url.origin;
      const now = performance.now();
      const known = origins.get(key);
      const isFresh = known !== undefined && now - known.judgedAt < judgedMs;
      const origin = known ?? { addresses: Promise.resolve([]), judgedAt: now, usedAt: now, agents: new Map() };
      touch(key, origin);
      if (!isFresh) {
        origin.judgedAt = now;
        origin.addresses = judge(key, origin, resolve);
      }
      return origin.addresses;
    },

    agentFor({ url }, { address }) {
      const { agents } = origins.get(url.origin) ?? {};
      const agent = agents?.get(address) ?? makeAgent(url.protocol);
      agents?.set(address, agent);
      // The origin was dropped meanwhile: the connection serves only this request.
      if (!agents) agent.maxFreeSockets = 0;
      return agent;
    },
  };
}

function makeAgent(protocol: string): http.Agent {
  const { Agent } = protocol === "https:" ? https : http;
  return new Agent({ keepAlive: true, maxFreeSockets: IDLE_MAX });
}

function keepOnly({ agents }: Origin, addresses: ResolvedAddress[]): void {
  for (const [address, agent] of agents) {
    if (addresses.some((kept) => kept.address === address)) continue;
    agents.delete(address);
    retire([agent]);
  }
}

/** Ends idle connections now, and those in use once their response is complete. */
function retire(agents: Iterable<http.Agent>): void {
  for (const agent of agents) {
    agent.maxFreeSockets = 0;
    for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }
}
