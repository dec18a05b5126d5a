/**
 * A click routed once more, by the link as it was and by what is kept of the visitor: the evaluator of redirects itself, so
 * that the two cannot disagree. What let the visitor in (password, form, places) is not asked again.
 */
import type { NameFact } from "@/contract/facts";
import type { Platform } from "@/contract/platforms";
import type { RoutingRule, SplitTarget } from "@/contract/routing";
import { DIRECT } from "../referrer";
import { askedAnew, factsOfKept, type RuleAsks } from "../rules/asks";
import { type TracedRule, traceRules } from "../rules/trace";
import { localTime } from "../time/local-time";
import { CompiledLink, type Route } from "./compiled-link";
import { NEEDS, NOTHING_KNOWN, type VisitorFacts, withStated } from "./facts";
import { appOf } from "./store";

/** What decides the route, as a link's revision has it. */
export interface ServedLink {
  id: string;
  defaultUrl: string;
  rules: RoutingRule[];
  splitTargets: SplitTarget[];
  /** Leads by the item that was chosen, and by no rule. */
  isBioPage: boolean;
}

/** Describes a stored click. */
export interface ServedClick extends Record<NameFact, string | null> {
  /** Unix milliseconds. */
  at: number;
  /** 16 hexadecimal digits. */
  visitorKey: string;
  platform: Platform;
  osVersion: string | null;
  /** The most preferred comes first. */
  languages: readonly string[];
  /** The offset is in minutes east of UTC. */
  utcOffset: number;
  /** The apps have the form that `core/routing/store` writes. */
  offeredApps: string | null;
  splitKey: string | null;
  /** Host of the referring page; null for a direct visit. */
  referrer: string | null;
  /** What the rules asked of the request, as `rules/asks` keeps it. */
  asked: string | null;
}

export interface Replay {
  route: Route;
  ruleTrace: TracedRule[];
}

/** The apps are the click's: they belong to no version of the link. */
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

/** Undefined for an item that the bio page did not have. */
export function replayRoute(link: CompiledLink, click: ServedClick): Route | undefined {
  if (link.definition.page?.kind === "bio") return link.targetRoute(click.splitKey ?? "");
  return link.route(servedFacts(link, click), { visitorKey: () => click.visitorKey });
}

export function replay(link: CompiledLink, click: ServedClick): Replay | undefined {
  const route = replayRoute(link, click);
  return route && { route, ruleTrace: traceRules(link, servedFacts(link, click)) };
}

/** What served a click knew of its request, and whether the click is of today's form. */
export interface KeptBy {
  /** As `askedAnew` has it. */
  keptFor: RuleAsks | null | undefined;
  /** An older click kept neither all languages nor its local time. */
  isOld: boolean;
}

/** Where the click would lead by rules that did not serve it; undefined where too little is kept of it to tell. */
export function routeAnew(link: CompiledLink, click: ServedClick, { keptFor, isOld }: KeptBy): Route | undefined {
  if (isOld && (link.needs & (NEEDS.languages | NEEDS.time)) !== 0) return undefined;
  const pick = { visitorKey: () => click.visitorKey };
  const facts = factsBeside(click);
  if (link.asks === null) return link.route(facts, pick);
  const { least, most } = askedAnew(link.asks, keptFor, click.asked);
  const route = link.route({ ...facts, ...least }, pick);
  return link.route({ ...facts, ...most }, pick) === route ? route : undefined;
}

const servedFacts = ({ asks }: CompiledLink, click: ServedClick): VisitorFacts => ({
  ...factsBeside(click),
  ...(asks && factsOfKept(asks, click.asked)),
});

/** All facts but what rules asked of the request. */
function factsBeside(click: ServedClick): VisitorFacts {
  const { at, languages, referrer } = click;
  const local = localTime(at, { offsetMinutes: -click.utcOffset });
  return withStated({ ...NOTHING_KNOWN, languages, ...local, at, referrer: referrer ?? DIRECT }, click);
}
