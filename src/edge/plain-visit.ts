/**
 * The fastest visit, without a `Request`. It does what `visit.ts` does for a cached link that shows no page and asks
 * for nothing.
 */
import type { ClickRecord } from "@/clicks/record";
import { finalDestination } from "@/core/routing/compiled-link";
import type { PlainVisit } from "@/core/routing/plain-visit";
import type { Clock } from "@/platform/clock";
import type { Geo } from "@/platform/geo/geo";
import type { LinkCache } from "@/platform/link-cache/cache";
import { type VisitorSecret, visitorKey } from "@/platform/visitor";
import { visitorOf } from "./hit";
import { clickOf, visitId } from "./visit";
import type { VisitCounts } from "./visit-counts";
import { visitorFactsAndMarks } from "./visitor-facts";

export interface PlainVisitOptions {
  links: Pick<LinkCache, "peek">;
  geo: Geo;
  visitorSecret: VisitorSecret;
  counts: VisitCounts;
  clock: Clock;
  record(click: ClickRecord): Promise<boolean>;
}

export function createPlainVisit(options: PlainVisitOptions): PlainVisit {
  const { links, geo, visitorSecret, counts, clock, record } = options;
  return (asked, addressOf) => {
    const at = clock();
    const link = links.peek(asked.host + asked.path, at);
    if (!link || link.mayShowPage || !link.admitsAnyone(at)) return undefined;
    const { query } = asked;
    const visitor = visitorOf(asked, addressOf(), query);
    const { facts, marks } = visitorFactsAndMarks(link, visitor, geo, at);
    const { orgId } = link.definition;
    const { address, userAgent } = visitor;
    const key = () => visitorKey(visitorSecret, { orgId, address, userAgent, at });
    const route = link.route(facts, { visitorKey: key }, marks);
    const id = visitId(at);
    counts.redirects[route.kind] += 1;
    const location = finalDestination(link, route, { query, clickId: id });
    const written = record(clickOf(link, route, { request: asked, visitor, query, at }, id, facts));
    return { route, location, written };
  };
}
