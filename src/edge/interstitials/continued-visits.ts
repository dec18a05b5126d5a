/**
 * Visits that begin within another app and go on in the visitor's own browser (`core/routing/in-app`). The address that opens
 * there carries a visit token: it is the same visit, with its click, its visitor and its time, and is not counted again. It
 * opens nothing: gate and password are asked as ever.
 *
 * Addresses get about, so a token continues one visit alone, a person's, and soon. Whoever else brings it visits on their own
 * account. So for each visit that is not counted there is one that was.
 *
 * State: the clicks of visits that went on, for as long as their tokens live, at most `GONE_ON_MAX`; beyond it visits are
 * counted anew. Each server has its own: on each, a token continues one visit. A crash forgets them all.
 */
import { type Pair, pair, parameterOf, readQuery } from "@/core/query";
import type { Keys } from "@/platform/keys";
import type { Hit } from "../hit";
import { isNavigation } from "../person";
import { createVisitTokens, type VisitToken, type VisitTokenLink } from "./visit-token";

const PARAMETER = "wm_visit";
const LIFE_MS = 10 * 60_000;
const GONE_ON_MAX = 100_000;

export interface ContinuedVisits {
  /** What the address in the other browser carries. */
  parameterOf(link: VisitTokenLink, visit: VisitToken): Pair;
  /** The visit that this one continues; null for a visit of its own. */
  of(link: { definition: VisitTokenLink }, hit: Pick<Hit, "query" | "request" | "at">): VisitToken | null;
}

export function createContinuedVisits(keys: Keys, goneOnMax = GONE_ON_MAX): ContinuedVisits {
  const tokens = createVisitTokens(keys, { purpose: "continued-visit", lifeMs: LIFE_MS });
  /** Two generations: an id stays for as long as the younger one takes to become the older, and again. */
  let young = new Set<string>();
  let old = new Set<string>();
  let turnedAt = 0;

  return {
    parameterOf: (link, visit) => pair(PARAMETER, tokens.make(link, visit)),
    of({ definition }, { query, request, at }) {
      if (!query.includes(PARAMETER) || !isNavigation(request)) return null;
      const visit = tokens.read(parameterOf(readQuery(query), PARAMETER) ?? null, definition, at);
      return visit && goesOn(visit.clickId, at) ? visit : null;
    },
  };

  function goesOn(clickId: string, now: number): boolean {
    if (now - turnedAt > LIFE_MS) {
      [old, young] = [young, new Set()];
      turnedAt = now;
    }
    if (young.has(clickId) || old.has(clickId) || young.size + old.size >= goneOnMax) return false;
    young.add(clickId);
    return true;
  }
}
