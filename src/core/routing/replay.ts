/**
 * A click routed once more, by the link as it was and by what is kept of the visitor: the evaluator of redirects itself, so
 * that the two cannot disagree. What let the visitor in (password, form, places) is not asked again.
 */
import type { NameFact } from "@/contract/facts";
import type { Platform } from "@/contract/platforms";
import type { RoutingRule, SplitTarget } from "@/contract/routing";
import { DIRECT } from "../referrer";
import { factsOfKept } from "../rules/asks";
import { type TracedRule, traceRules } from "../rules/trace";
import { localTime } from "../time/local-time";
import { CompiledLink, type Route } from "./compiled-link";
import { NOTHING_KNOWN, type VisitorFacts, withStated } from "./facts";
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

function servedFacts({ asks }: CompiledLink, click: ServedClick): VisitorFacts {
  const { at, languages, referrer, asked } = click;
  const local = localTime(at, { offsetMinutes: -click.utcOffset });
  const request = { at, referrer: referrer ?? DIRECT, ...(asks && factsOfKept(asks, asked)) };
  return withStated({ ...NOTHING_KNOWN, languages, ...local, ...request }, click);
}
