/**
 * Visits that begin in another app's browser and continue in the visitor's own (`core/routing/in-app`). The URL
 * opened there carries a visit token: it is the same visit, with its click, its visitor and its time, and is not
 * counted again. The token opens nothing: the gate and the password are checked as usual.
 *
 * Visits to links with `maxClicks` continue in the customer's app instead. The app's URL carries the token, which
 * shows that the visit has a place: the app resolves the link even if that was the last one.
 *
 * URLs get shared, so a token continues only one visit, only a person's, and only for a short time. Anyone else who
 * opens the URL makes a visit of their own. So for each visit that is not counted, there is one that was.
 *
 * State: the clicks of visits that continued, for the life of their tokens, at most `GONE_ON_MAX`; beyond that,
 * visits are counted again. Each server keeps its own, so a token continues one visit on each server. A crash loses
 * them all.
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
  /** Returns the query parameter for the URL in the other browser. */
  parameterOf(link: VisitTokenLink, visit: VisitToken): Pair;
  /** Returns the visit that this one continues; null if it is a visit of its own. */
  of(link: { definition: VisitTokenLink }, hit: Pick<Hit, "query" | "request" | "at">): VisitToken | null;
  /** Returns whether the query of the short URL is that of a visit to the link; `at` is in Unix milliseconds. */
  isOfVisit(link: VisitTokenLink, query: string, at: number): boolean;
}

export function createContinuedVisits(keys: Keys, goneOnMax = GONE_ON_MAX): ContinuedVisits {
  const tokens = createVisitTokens(keys, { purpose: "continued-visit", lifeMs: LIFE_MS });
  /** Two generations of click ids, so that an id is kept for at least the life of its token. */
  let young = new Set<string>();
  let old = new Set<string>();
  let turnedAt = 0;

  return {
    parameterOf: (link, visit) => pair(PARAMETER, tokens.make(link, visit)),
    of({ definition }, { query, request, at }) {
      if (!isNavigation(request)) return null;
      const visit = tokenIn(query, definition, at);
      return visit && isFirstContinuation(visit.clickId, at) ? visit : null;
    },
    isOfVisit: (link, query, at) => tokenIn(query, link, at) !== null,
  };

  function tokenIn(query: string, link: VisitTokenLink, at: number): VisitToken | null {
    if (!query.includes(PARAMETER)) return null;
    return tokens.read(parameterOf(readQuery(query), PARAMETER) ?? null, link, at);
  }

  function isFirstContinuation(clickId: string, now: number): boolean {
    if (now - turnedAt > LIFE_MS) {
      [old, young] = [young, new Set()];
      turnedAt = now;
    }
    if (young.has(clickId) || old.has(clickId) || young.size + old.size >= goneOnMax) return false;
    young.add(clickId);
    return true;
  }
}
