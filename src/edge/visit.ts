/**
 * One visit to a link that lets visitors in: find out what routing needs, route, record the click, redirect, or show what
 * stands before the destination. The answer goes out once the click is written; no redirect awaits a network.
 */

import type { ClickRecord } from "@/clicks/record";
import { withoutOwn } from "@/core/query";
import { type CompiledLink, finalDestination, type Route } from "@/core/routing/compiled-link";
import { NOTHING_KNOWN, type VisitorFacts } from "@/core/routing/facts";
import type { VisitRequest } from "@/core/routing/plain-visit";
import { offeredApps } from "@/core/routing/store";
import { keptOf } from "@/core/rules/asks";
import type { Geo } from "@/platform/geo/geo";
import { type VisitorSecret, visitorKey } from "@/platform/visitor";
import { afterForm, redirect } from "./answers";
import type { Hit } from "./hit";
import type { ContinuedVisits } from "./interstitials/continued-visits";
import type { Interstitials } from "./interstitials/interstitials";
import type { TokenOf } from "./match-token";
import { hintsOf, isPrefetch } from "./person";
import { socialAnswer } from "./social";
import type { VisitCounts } from "./visit-counts";
import { knownVisitor, type Visitor } from "./visitor-facts";

export interface VisitOptions {
  geo: Geo;
  visitorSecret: VisitorSecret;
  tokenOf: TokenOf;
  continuedVisits: Pick<ContinuedVisits, "of">;
  interstitials: Pick<Interstitials, "arrive">;
  /** A bio page has this. */
  visitBio: Visit;
  counts: VisitCounts;
  /** The edge's one way to hand a click on; resolves once it survives the process. */
  record(click: ClickRecord): Promise<boolean>;
}

/** `typed`: what stood in a form that came without a visit token of ours. */
export type Visit = (link: CompiledLink, hit: Hit, typed?: URLSearchParams) => Promise<Response>;

export function createVisit(options: VisitOptions): Visit {
  const { geo, visitorSecret, tokenOf, continuedVisits, interstitials, visitBio, counts } = options;
  return (link, hit, typed) => {
    if (link.mayShowPage && link.definition.page?.kind === "bio") {
      counts.pages += 1;
      return visitBio(link, hit);
    }
    const { request, query, visitor } = hit;
    const continued = link.mayShowPage ? continuedVisits.of(link, hit) : null;
    const at = continued?.at ?? hit.at;
    const { facts, marks } = knownVisitor(link, visitor, geo, at);
    const key = () => continued?.visitorKey ?? keyOf(link, visitor, at);
    const route = link.route(facts, { visitorKey: key }, marks);
    const id = continued?.clickId ?? visitId(at);
    const record = continued ? async () => true : options.record;
    if (link.mayShowPage) {
      const arrival = { link, route, request, query, userAgent: visitor.userAgent, clickId: id, at, visitorKey: key };
      const page = socialAnswer(arrival) ?? interstitials.arrive(arrival, typed);
      if (page) {
        counts.pages += 1;
        return shown(record(clickOf(link, route, hit, id, facts)), page);
      }
    }
    counts.redirects[route.kind] += 1;
    const location = finalDestination(link, route, {
      query,
      clickId: id,
      matchToken: tokenOf({ link, route, request, clickId: id, at }),
    });
    const written = record(clickOf(link, route, hit, id, facts));
    return request.method === "POST"
      ? written.then(() => afterForm(302, location))
      : answered(written, route, location);
  };

  function keyOf(link: CompiledLink, { address, userAgent }: Visitor, at: number): string {
    return visitorKey(visitorSecret, { orgId: link.definition.orgId, address, userAgent, at });
  }
}

/** It tells when the visit was, so that whoever has the id finds the click by its key. */
export const visitId = (at: number): string => Bun.randomUUIDv7("hex", at);

type Visited = Pick<Hit, "visitor" | "query" | "at"> & { request: VisitRequest };

export const clickOf = (
  { definition, asks }: CompiledLink,
  route: Route,
  { request: { method, headers }, visitor, query, at }: Visited,
  id: string,
  facts: VisitorFacts = NOTHING_KNOWN,
): ClickRecord => ({
  kind: "click",
  id,
  at,
  linkId: definition.id,
  linkVersion: definition.version,
  orgId: definition.orgId,
  route: route.kind,
  ruleIndex: route.ruleIndex,
  splitKey: route.splitKey,
  isHead: method === "HEAD",
  isPrefetch: isPrefetch(headers),
  address: visitor.address,
  userAgent: visitor.userAgent,
  acceptLanguage: visitor.acceptLanguage,
  referrer: visitor.referrer,
  query: withoutOwn(query),
  offeredApps: offeredApps(definition.app),
  hints: hintsOf(headers),
  asked: asks === null ? undefined : keptOf(asks, facts),
});

/**
 * Apart, so that what waits for the write holds on to no more than it needs. All answers of a turn go out together then,
 * which wakes whoever reads them once instead of each time.
 */
const answered = (written: Promise<boolean>, route: Route, location: string): Promise<Response> =>
  written.then(() => redirect(route, location));

/** Both awaited at once, so that neither can fail unheard. */
const shown = async (written: Promise<boolean>, page: Response | Promise<Response>): Promise<Response> => {
  const [answer] = await Promise.all([page, written]);
  return answer;
};
