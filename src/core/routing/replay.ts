/**
 * Routes a click once more, with the link as it was and what is stored of the visitor. It uses the evaluator of
 * redirects, so the two cannot disagree. Checks that admitted the visitor (password, form, places) are not repeated.
 */
import type { NameFact } from "@/contract/facts";
import type { Platform } from "@/contract/platforms";
import type { RoutingRule, SplitTarget } from "@/contract/routing";
import { DIRECT } from "../referrer";
import { decodeRequestFacts, type RequestChecks, requestFactBounds } from "../rules/request-checks";
import { type TracedRule, traceRules } from "../rules/trace";
import { localTime } from "../time/local-time";
import { CompiledLink, type Route } from "./compiled-link";
import { NEEDS, overrideFacts, UNKNOWN_VISITOR_FACTS, type VisitorFacts } from "./facts";
import { appOf } from "./store";

/** The parts of a link's revision that decide the route. */
export interface ServedLink {
  id: string;
  defaultUrl: string;
  rules: RoutingRule[];
  splitTargets: SplitTarget[];
  /** A bio page leads by the chosen item and not by rules. */
  isBioPage: boolean;
}

/** A stored click. */
export interface ServedClick extends Record<NameFact, string | null> {
  /** Unix milliseconds. */
  at: number;
  /** 16 hexadecimal digits. */
  visitorKey: string;
  platform: Platform;
  osVersion: string | null;
  /** Most preferred first. */
  languages: readonly string[];
  /** Minutes east of UTC. */
  utcOffset: number;
  /** The format is that of `offeredApps` in `core/routing/store`. */
  offeredApps: string | null;
  splitKey: string | null;
  /** Whether an erasure replaced the visitor's key, by which a split assigns its targets. */
  isErased?: boolean;
  /** Host of the referring page; null for a direct visit. */
  referrer: string | null;
  /** What the rules checked in the request, in the format of `encodeRequestFacts` in `rules/request-checks`. */
  asked: string | null;
}

export interface Replay {
  route: Route;
  ruleTrace: TracedRule[];
}

/** Compiles a revision for replay. The apps come from the click, because no version of the link contains them. */
export function compileServed({ isBioPage, ...link }: ServedLink, offeredApps: string | null): CompiledLink {
  return new CompiledLink({
    ...link,
    ...{ number: 0, version: 0, orgId: "", orgVersion: 0, title: null, shortUrl: "", deepLinkPayload: null },
    ...{ expiredUrl: null, social: null, utm: null, marketing: null, appendClickId: false },
    app: appOf(offeredApps ?? undefined),
    page: isBioPage ? { kind: "bio", bio: null, theme: {}, items: [] } : null,
    gate: {
      ...{ isActive: true, isDomainVerified: true, isUnsafe: false },
      ...{ startsAt: null, expiresAt: null, maxClicks: null, passwordHash: null },
    },
  });
}

/** Returns undefined for an item that the bio page did not have. */
export function replayRoute(link: CompiledLink, click: ServedClick): Route | undefined {
  if (link.definition.page?.kind === "bio") return link.targetRoute(click.splitKey ?? "");
  const route = link.route(servedFacts(link, click), { visitorKey: () => click.visitorKey });
  return click.isErased && route.kind === "split" ? (link.targetRoute(click.splitKey ?? "") ?? route) : route;
}

export function replay(link: CompiledLink, click: ServedClick): Replay | undefined {
  const route = replayRoute(link, click);
  return route && { route, ruleTrace: traceRules(link, servedFacts(link, click)) };
}

/** What the rules that served a click stored of its request, and whether the click is in an old format. */
export interface KeptBy {
  /** As for `requestFactBounds`. */
  keptFor: RequestChecks | null | undefined;
  /** An old click has neither all languages nor its local time. */
  isOld: boolean;
}

/**
 * Returns where the click would lead under rules that did not serve it; undefined if too little of it is stored to
 * tell.
 */
export function routeUnderOtherRules(
  link: CompiledLink,
  click: ServedClick,
  { keptFor, isOld }: KeptBy,
): Route | undefined {
  if (isOld && (link.needs & (NEEDS.languages | NEEDS.time)) !== 0) return undefined;
  const pick = { visitorKey: () => click.visitorKey };
  const facts = factsWithoutRequest(click);
  if (link.requestChecks === null) return link.route(facts, pick);
  const { least, most } = requestFactBounds(link.requestChecks, keptFor, click.asked);
  const route = link.route({ ...facts, ...least }, pick);
  return link.route({ ...facts, ...most }, pick) === route ? route : undefined;
}

const servedFacts = ({ requestChecks }: CompiledLink, click: ServedClick): VisitorFacts => ({
  ...factsWithoutRequest(click),
  ...(requestChecks && decodeRequestFacts(requestChecks, click.asked)),
});

/** Returns all facts except those that rules check in the request itself. */
function factsWithoutRequest(click: ServedClick): VisitorFacts {
  const { at, languages, referrer } = click;
  const local = localTime(at, { offsetMinutes: -click.utcOffset });
  return overrideFacts({ ...UNKNOWN_VISITOR_FACTS, languages, ...local, at, referrer: referrer ?? DIRECT }, click);
}
