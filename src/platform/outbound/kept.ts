/**
 * Connections that are kept for the next request to the same origin, for callers that ask for it. What was judged when a
 * name was looked up holds for `JUDGED_MS`: until then every connection goes to one of those addresses and the name is not
 * asked for again; after that it is looked up and judged anew, and connections to an address that it has no more, or that
 * is refused by now, are let go. So a kept connection never leads where a new one may not.
 *
 * Bounds: `ORIGINS_MAX` origins, the least recently used going first; `IDLE_MAX` idle connections to an address; an origin
 * that is not asked for `UNUSED_MS` is forgotten. A crash loses connections, nothing else.
 */
import http from "node:http";
import https from "node:https";
import type { ResolvedAddress, Target } from "./target";

export interface KeptConnections {
  /** The addresses of the target, judged not long ago; `resolve` looks them up and judges them. */
  addressesOf(target: Target, resolve: () => Promise<ResolvedAddress[]>): Promise<ResolvedAddress[]>;
  /** Where connections to this address are kept. Of addresses that were just given. */
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

export function createKeptConnections({ judgedMs = JUDGED_MS, unusedMs = UNUSED_MS } = {}): KeptConnections {
  const origins = new Map<string, Origin>();
  let sweeping: Timer | undefined;

  /** The last one used is the last of the map. */
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
      // Forgotten meanwhile: the connection serves this once.
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

/** Idle connections end now, those in use when their answer is there. */
function retire(agents: Iterable<http.Agent>): void {
  for (const agent of agents) {
    agent.maxFreeSockets = 0;
    for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }
}
