/**
 * Finds links that are not cached, and protects against probing: an address that requested `UNKNOWN_MAX` slugs that
 * do not exist within a minute gets 429 for whatever is not cached here, so that it neither learns more nor puts load
 * on Postgres. Cached links are not affected: they redirect for everyone.
 *
 * A slug counts once a minute for each address: who requests it again learns nothing, and a crowd behind one address
 * may follow the same dead link. What has been counted is remembered by a hash, at most `ASKED_MAX` of them;
 * beyond that, slugs count again.
 *
 * The concurrent lookups of an address are bounded, too, because only their results show whether they were probes.
 * Beyond that it gets 503, because nothing shows yet that it probes. Waiting for a link that is being loaded anyway
 * does not count: a crowd behind one address may request the same new link. The map of lookups has one entry for
 * each address with an open request; the limiter bounds the counts. A crash loses all of this.
 */
import type { CompiledLink } from "@/core/routing/compiled-link";
import { createBoundedMap } from "@/platform/bounded-map";
import { limitedAddress } from "@/platform/limits/address";
import type { Limits, LimitVerdict } from "@/platform/limits/limits";
import type { LinkCache } from "@/platform/link-cache/cache";
import type { VisitRefusal } from "./refusals";

const WINDOW_MS = 60_000;
const UNKNOWN_MAX = 60;
const UNDER_WAY_MAX = 256;
const ASKED_MAX = 50_000;

export type Sought = { link: CompiledLink; refused?: undefined } | { link: null; refused: VisitRefusal };

/**
 * Finds the link at `key`, in the link cache's form; a link at `formerKey` takes precedence. `at` is in Unix
 * milliseconds. Rejects if neither the cache nor the source can provide the link.
 */
export type SearchLink = (key: string, address: string, at: number, formerKey?: string | null) => Promise<Sought>;

export function createLinkSearch(links: Pick<LinkCache, "peek" | "isLoading" | "get">, limits: Limits): SearchLink {
  const unknown = limits.limiter({ name: "unknown-links", windowMs: WINDOW_MS });
  const underWay = new Map<string, number>();
  /** When a slug was counted for an address, by the hash of both. */
  const asked = createBoundedMap<string, number>(ASKED_MAX);

  return async (key, address, at, formerKey = null) => {
    const here = formerKey === null ? links.peek(key, at) : undefined;
    if (here) return { link: here };
    const prober = limitedAddress(address);
    if (here === null) return missing(prober, key, at);
    const verdict = unknown.peek(prober, UNKNOWN_MAX);
    if (!verdict.ok) return probing(verdict);
    const isFull = (underWay.get(prober) ?? 0) >= UNDER_WAY_MAX && !links.isLoading(formerKey ?? key);
    if (isFull) return { link: null, refused: { reason: "unavailable" } };
    const link = (formerKey === null ? null : await lookUp(formerKey, prober)) ?? (await lookUp(key, prober));
    return link ? { link } : missing(prober, key, at);
  };

  async function lookUp(key: string, prober: string): Promise<CompiledLink | null> {
    if (links.isLoading(key)) return links.get(key);
    underWay.set(prober, (underWay.get(prober) ?? 0) + 1);
    try {
      return await links.get(key);
    } finally {
      const left = (underWay.get(prober) ?? 1) - 1;
      if (left > 0) underWay.set(prober, left);
      else underWay.delete(prober);
    }
  }

  function missing(prober: string, key: string, at: number): Sought {
    const both = Bun.hash(`${prober} ${key}`).toString(36);
    const since = asked.get(both);
    const isRepeated = since !== undefined && Math.abs(at - since) < WINDOW_MS;
    const verdict = isRepeated ? unknown.peek(prober, UNKNOWN_MAX) : unknown.takeNow(prober, UNKNOWN_MAX);
    if (!verdict.ok) return probing(verdict);
    if (!isRepeated) asked.set(both, at);
    return { link: null, refused: { reason: "unknown" } };
  }
}

const probing = ({ retryAfterSeconds }: LimitVerdict): Sought => ({
  link: null,
  refused: { reason: "probing", retryAfterSeconds },
});
