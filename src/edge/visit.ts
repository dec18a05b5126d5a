/**
 * One visit to a link that lets visitors in: find out what routing needs, route, record the click, redirect. The answer
 * goes out once the click is written; nothing here awaits a network.
 */

import type { Server } from "bun";
import type { ClickRecord } from "@/clicks/record";
import { type CompiledLink, finalDestination, type Route } from "@/core/compiled-link";
import type { ClientAddress } from "@/platform/client-address";
import type { Geo } from "@/platform/geo";
import { type VisitorSecret, visitorKey } from "@/platform/visitor";
import { redirect } from "./answers";
import { type Visitor, visitorFacts } from "./visitor-facts";

export interface VisitOptions {
  addressOf: ClientAddress;
  geo: Geo;
  visitorSecret: VisitorSecret;
  /** A token that carries this outcome through an app install. */
  mintToken(linkNumber: number, route: Route, at: number): string;
  /** The edge's one way to hand a click on; resolves once it survives the process. */
  record(click: ClickRecord): Promise<boolean>;
}

export type Visit = (
  link: CompiledLink,
  request: Request,
  server: Server<unknown>,
  query: string,
  at: number,
) => Promise<Response>;

export function createVisit({ addressOf, geo, visitorSecret, mintToken, record }: VisitOptions): Visit {
  return (link, request, server, query, at) => {
    const { headers } = request;
    const visitor = {
      userAgent: headers.get("user-agent") ?? "",
      acceptLanguage: headers.get("accept-language") ?? "",
      address: addressOf(request, server),
    };
    const facts = visitorFacts(link.needs, visitor, geo, at);
    const route = link.route(facts, { visitorKey: () => keyOf(link, visitor, at) });
    const id = Bun.randomUUIDv7();
    const location = finalDestination(link, route, {
      query,
      clickId: id,
      matchToken: route.isStore ? mintToken(link.definition.number, route, at) : undefined,
    });
    const click: ClickRecord = {
      kind: "click",
      id,
      at,
      linkId: link.definition.id,
      linkVersion: link.definition.version,
      orgId: link.definition.orgId,
      route: route.kind,
      ruleIndex: route.ruleIndex,
      splitKey: route.splitKey,
      isHead: request.method === "HEAD",
      isPrefetch: isPrefetch(headers),
      address: visitor.address,
      userAgent: visitor.userAgent,
      acceptLanguage: visitor.acceptLanguage,
      referrer: headers.get("referer") ?? "",
      query,
    };
    return answered(record(click), route, location);
  };

  function keyOf(link: CompiledLink, { address, userAgent }: Visitor, at: number): string {
    return visitorKey(visitorSecret, { orgId: link.definition.orgId, address, userAgent, at });
  }
}

/**
 * Apart, so that what waits for the write holds on to no more than it needs. All answers of a turn go out together then,
 * which wakes whoever reads them once instead of each time.
 */
const answered = (written: Promise<boolean>, route: Route, location: string): Promise<Response> =>
  written.then(() => redirect(route, location));

/** Browsers and previewers that fetch ahead of a person say so in one of these. */
export function isPrefetch(headers: Headers): boolean {
  const purpose =
    headers.get("sec-purpose") ?? headers.get("purpose") ?? headers.get("x-purpose") ?? headers.get("x-moz");
  return purpose !== null && /prefetch|prerender|preview/i.test(purpose);
}
