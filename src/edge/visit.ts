/**
 * One visit that a link admits: determines what routing needs, routes, records the click, and redirects or shows the
 * page before the destination. The response is sent once the click is written; no redirect waits for the network.
 */
import type { ClickRecord } from "@/clicks/record";
import { withoutOwnParameters } from "@/core/query";
import { type CompiledLink, finalDestination, type Route } from "@/core/routing/compiled-link";
import { UNKNOWN_VISITOR_FACTS, type VisitorFacts } from "@/core/routing/facts";
import type { VisitRequest } from "@/core/routing/plain-visit";
import { offeredApps } from "@/core/routing/store";
import { encodeRequestFacts } from "@/core/rules/request-checks";
import type { Geo } from "@/platform/geo/geo";
import { type VisitorSecret, visitorKey } from "@/platform/visitor";
import { redirect, redirectAfterForm } from "./answers";
import { continuedVisitor, type Hit } from "./hit";
import type { ContinuedVisits } from "./interstitials/continued-visits";
import type { Interstitials } from "./interstitials/interstitials";
import type { TokenOf } from "./match-token";
import { hintsOf, isPrefetch } from "./person";
import { socialAnswer } from "./social";
import type { VisitCounts } from "./visit-counts";
import { type Visitor, visitorFactsAndMarks } from "./visitor-facts";

export interface VisitOptions {
  geo: Geo;
  visitorSecret: VisitorSecret;
  tokenOf: TokenOf;
  continuedVisits: Pick<ContinuedVisits, "of">;
  interstitials: Pick<Interstitials, "arrive">;
  /** Handles visits to bio pages, and counts them. */
  visitBio: Visit;
  counts: VisitCounts;
  /** The only way in which the edge hands a click on. Resolves once the click survives a crash of the process. */
  record(click: ClickRecord): Promise<boolean>;
}

/** `typed` holds the values of a form that was sent without a valid visit token. */
export type Visit = (link: CompiledLink, hit: Hit, typed?: URLSearchParams) => Promise<Response>;

export function createVisit(options: VisitOptions): Visit {
  const { geo, visitorSecret, tokenOf, continuedVisits, interstitials, visitBio, counts } = options;
  return (link, hit, typed) => {
    if (link.mayShowPage && link.definition.page?.kind === "bio") return visitBio(link, hit);
    const { request, query } = hit;
    const continued = link.mayShowPage ? continuedVisits.of(link, hit) : null;
    const visitor = continued ? continuedVisitor(hit.visitor) : hit.visitor;
    const at = continued?.at ?? hit.at;
    const { facts, marks } = visitorFactsAndMarks(link, visitor, geo, at);
    const key = () => continued?.visitorKey ?? keyOf(link, visitor, at);
    const route = link.route(facts, { visitorKey: key }, marks);
    const id = continued?.clickId ?? visitId(at);
    const record = continued ? async () => true : options.record;
    if (link.mayShowPage) {
      const { userAgent, referrer } = visitor;
      const visited = { clickId: id, at, visitorKey: key, answeredAt: hit.at };
      const arrival = { link, route, request, query, userAgent, referrer, ...visited };
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
      ? written.then(() => redirectAfterForm(302, location))
      : answered(written, route, location);
  };

  function keyOf(link: CompiledLink, { address, userAgent }: Visitor, at: number): string {
    return visitorKey(visitorSecret, { orgId: link.definition.orgId, address, userAgent, at });
  }
}

/**
 * Returns a UUIDv7 that contains the time of the visit, so that the click can be found by its key from the id alone.
 */
export const visitId = (at: number): string => Bun.randomUUIDv7("hex", at);

type Visited = Pick<Hit, "visitor" | "query" | "at"> & { request: VisitRequest };

export const clickOf = (
  { definition, requestChecks }: CompiledLink,
  route: Route,
  { request: { method, headers }, visitor, query, at }: Visited,
  id: string,
  facts: VisitorFacts = UNKNOWN_VISITOR_FACTS,
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
  query: withoutOwnParameters(query),
  offeredApps: offeredApps(definition.app),
  hints: hintsOf(headers),
  asked: requestChecks === null ? undefined : encodeRequestFacts(requestChecks, facts),
});

/**
 * A separate function, so that what waits for the write keeps no more in memory than it needs. All responses of an
 * event-loop turn are then sent together, which wakes their readers once instead of each time.
 */
const answered = (written: Promise<boolean>, route: Route, location: string): Promise<Response> =>
  written.then(() => redirect(route, location));

/** Awaits both together, so that neither can reject unhandled. */
const shown = async (written: Promise<boolean>, page: Response | Promise<Response>): Promise<Response> => {
  const [answer] = await Promise.all([page, written]);
  return answer;
};
