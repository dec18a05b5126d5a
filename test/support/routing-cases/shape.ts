import type { LinkInput, RouteKind } from "@/contract/links/links";
import type { AppTarget, RuleConditions } from "@/contract/routing";
import { DIRECT, referrerOf } from "@/core/referrer";
import { compileLink, type SplitPick } from "@/core/routing/compiled-link";
import { normaliseDestination } from "@/core/routing/destination";
import { localTime, NEEDS, NOTHING_KNOWN, parseAcceptLanguage, type VisitorFacts } from "@/core/routing/facts";
import type { LinkDefinition } from "@/core/routing/link";
import { isCandidate } from "@/core/routing/split";
import { askedQuery, networksOf } from "@/core/rules/asks";
import { type AgentName, agents } from "./user-agents";

export type Door = "core" | "preview" | "redirect" | "resolve";

/** What is known of a visitor but for the clock. `languages` are those of the Accept-Language header. */
export type CaseFacts = Pick<VisitorFacts, "languages"> &
  Partial<Omit<VisitorFacts, "languages" | "minuteOfDay" | "dayOfWeek" | "at" | "query" | "referrer" | "networks">>;

export interface RoutingCase {
  /** A sentence. */
  name: string;
  link: Partial<LinkInput> & { defaultUrl: string };
  app?: AppTarget;
  visitor: {
    /** As sent by a real browser; the facts are then what it is parsed to. */
    userAgent?: string;
    acceptLanguage?: string;
    facts: CaseFacts;
    /** ISO 8601. */
    now: string;
    timeZone?: string;
    /** As `Date.getTimezoneOffset()`. Where both are given they are the same at `now`. */
    timezoneOffsetMinutes?: number;
    visitorId?: string;
    /** Without the `?`. */
    query?: string;
    /** As sent. */
    referrer?: string;
    address?: string;
  };
  expect: { kind: RouteKind; ruleIndex?: number; splitKey?: string; destinationUrl: string };
  /** Who can run it: the others cannot be told all that it needs. */
  doors: readonly Door[];
}

/** A case as it is written. `agent` brings the user agent and its facts. */
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

/** A rule of its own: it leads to `MATCHED`, everything else to `DEFAULT`. */
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
  const { asks } = compileLink(definitionOf(routing));
  const request = {
    at: Date.parse(now),
    query: asks ? askedQuery(asks, query) : "",
    referrer: referrerOf(referrer) || DIRECT,
    networks: asks && address ? networksOf(asks, address) : undefined,
  };
  const zone = timeZone === undefined && offsetMinutes !== undefined ? { offsetMinutes } : { timeZone };
  return { ...NOTHING_KNOWN, ...routing.visitor.facts, ...localTime(Date.parse(now), zone), ...request };
}

export function pickOf({ visitor }: RoutingCase): SplitPick {
  return { visitorKey: () => visitor.visitorId ?? "0123456789abcdef" };
}

function written(destination: string): string {
  const normalised = normaliseDestination(destination);
  if (!normalised.ok) throw new Error(`${destination}: ${normalised.fault}`);
  return normalised.url;
}

function doorsOf(routing: RoutingCase): Door[] {
  const { needs } = compileLink(definitionOf(routing));
  // Who gets which target depends on the link's id, which other doors do not choose.
  const isDrawn = routing.expect.kind === "split" && (routing.link.splitTargets ?? []).filter(isCandidate).length > 1;
  if (isDrawn || routing.app !== undefined) return ["core"];
  const doors: Door[] = ["core"];
  if (canPreview(routing.visitor)) doors.push("preview");
  if (canRedirect(routing.visitor, needs)) doors.push("redirect");
  if (canResolve(routing.visitor, needs)) doors.push("resolve");
  return doors;
}

type Visitor = RoutingCase["visitor"];

/** Takes every fact, but one language, and an offset instead of a zone. */
function canPreview({ facts, timeZone, timezoneOffsetMinutes }: Visitor): boolean {
  const hasClock = timeZone === undefined || timezoneOffsetMinutes !== undefined;
  return facts.languages.length <= 1 && hasClock;
}

/** Knows the headers and what a client makes of a query; its visitors come from nowhere in particular. */
function canRedirect(visitor: Visitor, needs: number): boolean {
  const { userAgent, facts, query = "" } = visitor;
  if (new URL(`${DEFAULT}?${query}`).href !== `${DEFAULT}?${query}`) return false;
  const isLocated = Boolean(facts.country ?? facts.region ?? facts.city);
  const hasAgent = (needs & NEEDS.userAgent) === 0 || userAgent !== undefined;
  return hasAgent && !isLocated && isUtc(visitor, needs);
}

/** Takes facts, and completes them from the headers: unknown ones must be unknown there too. */
function canResolve(visitor: Visitor, needs: number): boolean {
  const { userAgent, facts } = visitor;
  const hasAgent = (needs & NEEDS.userAgent) === 0 || userAgent !== undefined || facts.platform !== undefined;
  return hasAgent && isUtc(visitor, needs);
}

function isUtc({ timeZone, timezoneOffsetMinutes }: Visitor, needs: number): boolean {
  return (needs & NEEDS.time) === 0 || (timeZone === undefined && !timezoneOffsetMinutes);
}
