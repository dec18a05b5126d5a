/**
 * `GET /api/v1/resolve`: the redirect's evaluator and gate for apps that caught a Universal Link or App Link
 * themselves. Facts come from the query, and from the request where it has none; so does the password, which the short
 * URL may carry. Records an open, not a click, and never takes a place of `maxClicks`. An app that a visit continues in
 * has that visit's place.
 */
import type { Server } from "bun";
import type { ClickRecord } from "@/clicks/record";
import type { ResolveQuery } from "@/contract/links/links";
import { referrerFromInput } from "@/core/referrer";
import { type CompiledLink, finalDestination, type Route } from "@/core/routing/compiled-link";
import { overrideFacts, statesFacts } from "@/core/routing/facts";
import type { VisitRequest } from "@/core/routing/plain-visit";
import { statedMarks } from "@/core/rules/marks";
import type { ClientAddress } from "@/platform/client-address";
import type { Clock } from "@/platform/clock";
import type { Geo } from "@/platform/geo/geo";
import type { OwnHosts } from "@/platform/hosts/own-hosts";
import { type Addressing, formerPathKeyOn, isItsOwnKey, normaliseHost, pathKeyOn } from "@/platform/link-cache/address";
import type { LinkCache } from "@/platform/link-cache/cache";
import { type VisitorSecret, visitorKey } from "@/platform/visitor";
import type { Admit } from "../admit";
import { Hit } from "../hit";
import type { ContinuedVisits } from "../interstitials/continued-visits";
import { passwordOf } from "../link-password";
import type { SearchLink } from "../link-search";
import type { VisitRefusal } from "../refusals";
import type { UnservedCounter } from "../unserved";
import { routedAcceptLanguage, routedUserAgent, type Visitor, visitorFactsAndMarks } from "../visitor-facts";

export interface Resolved {
  title?: string;
  destinationUrl: string;
  deepLinkPayload: Record<string, unknown>;
}

export type Resolution = { ok: true; value: Resolved } | { ok: false; refused: VisitRefusal };

export interface ResolverOptions {
  links: LinkCache;
  searchLink: SearchLink;
  admit: Admit;
  continuedVisits: Pick<ContinuedVisits, "isOfVisit">;
  geo: Geo;
  clock: Clock;
  addressOf: ClientAddress;
  visitorSecret: VisitorSecret;
  addressing: Addressing;
  ownHosts: Pick<OwnHosts, "shortHost">;
  record(open: ClickRecord): Promise<boolean>;
  unserved: UnservedCounter;
}

export interface Resolver {
  /** Rejects if the link is not cached and cannot be loaded. */
  resolve(query: ResolveQuery, request: Request, server: Server<unknown> | null): Promise<Resolution>;
  /** Returns the link if it is cached and admits anyone immediately. */
  open(query: ResolveQuery, at: number): CompiledLink | undefined;
  /** Resolves a link that admits this visitor. The response may be sent once the open is written. */
  answer(link: CompiledLink, query: ResolveQuery, asked: AskedBy): ResolveAnswer;
}

export interface ResolveAnswer {
  /** The route that was chosen. */
  route: Route;
  destinationUrl: string;
  written: Promise<boolean>;
}

/** The request to resolve for, its sender, and when it arrived. */
export interface AskedBy {
  request: VisitRequest;
  address: string;
  /** Unix milliseconds. */
  at: number;
}

export function createResolver(options: ResolverOptions): Resolver {
  const { links, searchLink, admit, continuedVisits, geo, clock, addressOf, visitorSecret, record } = options;
  const { addressing, ownHosts, unserved } = options;
  return { resolve, open, answer };

  async function resolve(query: ResolveQuery, request: Request, server: Server<unknown> | null): Promise<Resolution> {
    const hit = new Hit(request, server, "", clock(), addressOf);
    const { host, key, former } = placeOf(query);
    const { link, refused } = await searchLink(key, hit.address, hit.at, former);
    if (!link) {
      unserved.atAddress(host, key.slice(host.length), refused.reason, false);
      return { ok: false, refused };
    }
    if (isBioPage(link)) return { ok: false, refused: { reason: "unknown" } };
    const hasPlace = continuedVisits.isOfVisit(link.definition, query.query ?? "", hit.at);
    const password = () => query.password || passwordOf(request, query.query ?? "", null);
    const refusal = await admit(link, hit, { takesPlace: false, hasPlace, password });
    if (refusal) {
      unserved.ofLink(link, refusal.reason, false);
      return { ok: false, refused: refusal };
    }
    const { destinationUrl, written } = answer(link, query, hit);
    await written;
    return { ok: true, value: resolvedTo(link, destinationUrl) };
  }

  /** Returns the link's key, and the one where it would be if it had kept its former key. */
  function placeOf(query: ResolveQuery): { host: string; key: string; former: string | null } {
    const host = normaliseHost(ownHosts.shortHost(query.domain), addressing.shortDomain);
    const written = query.pathPrefix ? `${query.pathPrefix}/${query.slug}` : query.slug;
    if (isItsOwnKey(written)) return { host, key: `${host}/${written}`, former: null };
    const path = pathOf(written);
    const former = formerPathKeyOn(host, path, addressing);
    return { host, key: `${host}/${pathKeyOn(host, path, addressing)}`, former: former && `${host}/${former}` };
  }

  function open(query: ResolveQuery, at: number): CompiledLink | undefined {
    const { key, former } = placeOf(query);
    const link = former === null ? links.peek(key, at) : null;
    if (!link || isBioPage(link)) return undefined;
    return link.admitsAnyone(at) ? link : undefined;
  }

  function answer(link: CompiledLink, query: ResolveQuery, asked: AskedBy): ResolveAnswer {
    const { at, request } = asked;
    const visitor = visitorOf(asked, query);
    const { facts, marks } = visitorFactsAndMarks(link, visitor, geo, at);
    const key = () => query.visitorId || visitorKey(visitorSecret, { orgId: link.definition.orgId, at, ...visitor });
    const isConcerned = link.needs !== 0 && statesFacts(query);
    const route = isConcerned
      ? link.route(overrideFacts(facts, query), { visitorKey: key }, statedMarks(marks, query))
      : link.route(facts, { visitorKey: key }, marks);
    const destinationUrl = finalDestination(link, route, { query: visitor.query });
    // A HEAD request is not an open.
    const written = request.method === "HEAD" ? NOTHING_WRITTEN : record(openOf(link, route, visitor, query, at));
    return { route, destinationUrl, written };
  }
}

const NOTHING_WRITTEN = Promise.resolve(true);

/** Combines what the app states with what its request shows. */
const visitorOf = ({ request: { headers }, address }: AskedBy, query: ResolveQuery): Visitor => ({
  userAgent: routedUserAgent(headers),
  acceptLanguage: query.language ?? routedAcceptLanguage(headers),
  address,
  referrer: referrerFromInput(query.referrer),
  query: query.query ?? "",
});

/** A bio page has no destination for an app. */
const isBioPage = ({ definition }: CompiledLink): boolean => definition.page?.kind === "bio";

/**
 * Ignores empty segments, as a redirect does: apps pass a path as it is, with the slash at its beginning. Takes a space
 * for the plus sign that iOS does not escape: no slug contains a space.
 */
function pathOf(written: string): string {
  const path = unescaped(written).replaceAll(" ", "+");
  return path.includes("/") ? path.split("/").filter(Boolean).join("/") : path;
}

/** Apps often pass the segments as their URL has them, escaped. No slug contains `%`. */
function unescaped(path: string): string {
  if (!path.includes("%")) return path;
  try {
    const plain = decodeURIComponent(path);
    return plain.includes("\0") ? path : plain;
  } catch (error) {
    if (error instanceof URIError) return path;
    throw error;
  }
}

export const resolvedTo = ({ definition }: CompiledLink, destinationUrl: string): Resolved => ({
  title: definition.title ?? undefined,
  destinationUrl,
  deepLinkPayload: definition.deepLinkPayload ?? {},
});

const openOf = (link: CompiledLink, route: Route, visitor: Visitor, query: ResolveQuery, at: number): ClickRecord => ({
  kind: "open",
  id: Bun.randomUUIDv7(),
  at,
  linkId: link.definition.id,
  linkVersion: link.definition.version,
  orgId: link.definition.orgId,
  route: route.kind,
  ruleIndex: route.ruleIndex,
  splitKey: route.splitKey,
  isHead: false,
  isPrefetch: false,
  address: visitor.address,
  userAgent: visitor.userAgent,
  acceptLanguage: visitor.acceptLanguage,
  referrer: "",
  query: "",
  visitorId: query.visitorId,
  platform: query.platform,
});
