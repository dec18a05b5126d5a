import type { LinkInput, RouteKind } from "@/contract/links/links";
import type { AppTarget, RuleConditions } from "@/contract/routing";
import { DIRECT, referrerOf } from "@/core/referrer";
import { compileLink, type SplitPick } from "@/core/routing/compiled-link";
import { normaliseDestination } from "@/core/routing/destination";
import { localTime, NEEDS, parseAcceptLanguage, UNKNOWN_VISITOR_FACTS, type VisitorFacts } from "@/core/routing/facts";
import type { LinkDefinition } from "@/core/routing/link";
import { isCandidate } from "@/core/routing/split";
import { storeOf } from "@/core/routing/store";
import { networksOf, queryForRules } from "@/core/rules/request-checks";
import { type AgentName, agents } from "./user-agents";

export type EntryPoint = "core" | "preview" | "redirect" | "resolve";

/** Known facts of a visitor, without those of time and request. `languages` are from the Accept-Language header. */
export type CaseFacts = Pick<VisitorFacts, "languages"> &
  Partial<Omit<VisitorFacts, "languages" | "minuteOfDay" | "dayOfWeek" | "at" | "query" | "referrer" | "networks">>;

export interface RoutingCase {
  /** A sentence. */
  name: string;
  link: Partial<LinkInput> & { defaultUrl: string };
  app?: AppTarget;
  visitor: {
    /** The user agent of a real browser. If present, the facts are those parsed from it. */
    userAgent?: string;
    acceptLanguage?: string;
    facts: CaseFacts;
    /** ISO 8601. */
    now: string;
    timeZone?: string;
    /** As `Date.getTimezoneOffset()` returns it. If `timeZone` is given too, both agree at `now`. */
    timezoneOffsetMinutes?: number;
    visitorId?: string;
    /** Without the `?`. */
    query?: string;
    /** As sent in the `Referer` header. */
    referrer?: string;
    address?: string;
  };
  expect: { kind: RouteKind; ruleIndex?: number; splitKey?: string; destinationUrl: string };
  /** Entry points that can run the case. The others do not accept all facts that it needs. */
  doors: readonly EntryPoint[];
}

/** A case as written in the tables. `agent` provides the user agent and its facts. */
export interface CaseDraft {
  name: string;
  link: Partial<LinkInput>;
  app?: AppTarget;
  visitor?: Partial<Omit<RoutingCase["visitor"], "userAgent" | "facts">> &
    Partial<Omit<CaseFacts, "languages">> & {
      agent?: AgentName;
    };
  expect: Partial<RoutingCase["expect"]>;
}

/** A case with a single rule that has these conditions and leads to `MATCHED`; without a match, to `DEFAULT`. */
export interface ConditionDraft {
  name: string;
  when: RuleConditions;
  visitor?: CaseDraft["visitor"];
  matches: boolean;
}

export const DEFAULT = "https://default.example.com/";
export const MATCHED = "https://matched.example.com/";
/** A Wednesday. */
const NOON = "2026-06-10T12:00:00.000Z";

export function conditionCase({ name, when, visitor, matches }: ConditionDraft): CaseDraft {
  const expect = matches ? ({ kind: "rule", ruleIndex: 0, destinationUrl: MATCHED } as const) : {};
  return { name, link: { rules: [{ destinationUrl: MATCHED, conditions: when }] }, visitor, expect };
}

export function finish({ name, link, app, visitor = {}, expect }: CaseDraft): RoutingCase {
  const { agent, acceptLanguage, now = NOON, timeZone, timezoneOffsetMinutes, visitorId, ...others } = visitor;
  const { query, referrer, address, ...facts } = others;
  const known = agent === undefined ? undefined : agents[agent];
  const unfinished = {
    name,
    link: { defaultUrl: DEFAULT, ...link },
    app,
    visitor: {
      userAgent: known?.userAgent,
      acceptLanguage,
      facts: { ...known?.facts, ...facts, languages: parseAcceptLanguage(acceptLanguage ?? "") },
      now,
      timeZone,
      timezoneOffsetMinutes,
      visitorId,
      query,
      referrer,
      address,
    },
    expect: { kind: "default" as const, destinationUrl: DEFAULT, ...expect },
  };
  return { ...unfinished, doors: doorsOf({ ...unfinished, doors: [] }) };
}

export function definitionOf({ link, app }: RoutingCase): LinkDefinition {
  return {
    id: "0198f2b0-6b5e-7c3a-9d4e-5f6a7b8c9d0e",
    number: 1,
    version: 1,
    orgVersion: 1,
    orgId: "0198f2b0-6b5e-7c3a-9d4e-000000000001",
    title: link.title ?? null,
    shortUrl: "https://go.example.com/case",
    defaultUrl: written(link.defaultUrl),
    rules: (link.rules ?? []).map((rule) => ({ ...rule, destinationUrl: written(rule.destinationUrl) })),
    splitTargets: (link.splitTargets ?? []).map((target) => ({
      ...target,
      destinationUrl: written(target.destinationUrl),
    })),
    deepLinkPayload: null,
    utm: link.utm ?? null,
    marketing: link.marketing ?? null,
    app: app ?? null,
    expiredUrl: null,
    appendClickId: false,
    page: null,
    social: null,
    gate: {
      isActive: true,
      isDomainVerified: true,
      isUnsafe: false,
      startsAt: null,
      expiresAt: null,
      maxClicks: null,
      passwordHash: null,
    },
  };
}

export function factsOf(routing: RoutingCase): VisitorFacts {
  const { now, timeZone, timezoneOffsetMinutes: offsetMinutes, query = "", referrer = "", address } = routing.visitor;
  const { requestChecks } = compileLink(definitionOf(routing));
  const request = {
    at: Date.parse(now),
    query: requestChecks ? queryForRules(requestChecks, query) : "",
    referrer: referrerOf(referrer) || DIRECT,
    networks: requestChecks && address ? networksOf(requestChecks, address) : undefined,
  };
  const zone = timeZone === undefined && offsetMinutes !== undefined ? { offsetMinutes } : { timeZone };
  return { ...UNKNOWN_VISITOR_FACTS, ...routing.visitor.facts, ...localTime(Date.parse(now), zone), ...request };
}

export function pickOf({ visitor }: RoutingCase): SplitPick {
  return { visitorKey: () => visitor.visitorId ?? "0123456789abcdef" };
}

function written(destination: string): string {
  const normalised = normaliseDestination(destination);
  if (!normalised.ok) throw new Error(`${destination}: ${normalised.fault}`);
  return normalised.url;
}

function doorsOf(routing: RoutingCase): EntryPoint[] {
  const { needs } = compileLink(definitionOf(routing));
  // Which target a visitor gets depends on the link's id, which the other doors cannot choose.
  const isDrawn = routing.expect.kind === "split" && (routing.link.splitTargets ?? []).filter(isCandidate).length > 1;
  if (isDrawn || routing.app !== undefined) return ["core"];
  const doors: EntryPoint[] = ["core"];
  if (canPreview(routing.visitor)) doors.push("preview");
  // A redirect to a store carries a token, which is new each time.
  const hasToken = storeOf(routing.expect.destinationUrl) !== null;
  if (!hasToken && canRedirect(routing.visitor, needs)) doors.push("redirect");
  if (canResolve(routing.visitor, needs)) doors.push("resolve");
  return doors;
}

type Visitor = RoutingCase["visitor"];

/** The preview accepts every fact, but at most one language, and an offset instead of a time zone. */
function canPreview({ facts, timeZone, timezoneOffsetMinutes }: Visitor): boolean {
  const hasClock = timeZone === undefined || timezoneOffsetMinutes !== undefined;
  return facts.languages.length <= 1 && hasClock;
}

/** The redirect sees only headers and the query as clients encode it. Its test visitors have no known location. */
function canRedirect(visitor: Visitor, needs: number): boolean {
  const { userAgent, facts, query = "" } = visitor;
  if (new URL(`${DEFAULT}?${query}`).href !== `${DEFAULT}?${query}`) return false;
  const isLocated = Boolean(facts.country ?? facts.region ?? facts.city);
  const hasAgent = (needs & NEEDS.userAgent) === 0 || userAgent !== undefined;
  return hasAgent && !isLocated && isUtc(visitor, needs);
}

/**
 * Resolve accepts facts and adds those from the headers, so facts that should be unknown must not follow from those.
 */
function canResolve(visitor: Visitor, needs: number): boolean {
  const { userAgent, facts } = visitor;
  const hasAgent = (needs & NEEDS.userAgent) === 0 || userAgent !== undefined || facts.platform !== undefined;
  return hasAgent && isUtc(visitor, needs);
}

function isUtc({ timeZone, timezoneOffsetMinutes }: Visitor, needs: number): boolean {
  return (needs & NEEDS.time) === 0 || (timeZone === undefined && !timezoneOffsetMinutes);
}
