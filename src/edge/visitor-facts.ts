/** The facts about a visitor that routing may need. Derives only what the link's conditions require. */
import { DIRECT, referrerOf } from "@/core/referrer";
import type { CompiledLink } from "@/core/routing/compiled-link";
import {
  localTime,
  NEEDS,
  parseAcceptLanguage,
  ROUTED_LENGTH_MAX,
  UNKNOWN_VISITOR_FACTS,
  type VisitorFacts,
} from "@/core/routing/facts";
import type { VisitRequest } from "@/core/routing/plain-visit";
import { languageMarks, NO_MARKS, type VisitorMarks } from "@/core/rules/marks";
import { networksOf, queryForRules } from "@/core/rules/request-checks";
import { createBoundedMap, ownText } from "@/platform/bounded-map";
import type { Geo } from "@/platform/geo/geo";
import { parseUserAgent } from "@/platform/user-agent";

/** `Accept-Language` headers differ by browser and country, not by person: some hundreds cover nearly all visits. */
const languageHeaders = createBoundedMap<string, Languages>(4096);
/** Longer headers are parsed each time, so that the memory of the cache stays bounded. */
const REMEMBERED_LENGTH_MAX = 128;

interface Languages {
  tags: readonly string[];
  marks: number;
}

function languagesOf(header: string): Languages {
  const known = languageHeaders.get(header);
  if (known) return known;
  const own = ownText(header);
  const tags = parseAcceptLanguage(own);
  const languages = { tags, marks: languageMarks(tags) };
  if (header.length <= REMEMBERED_LENGTH_MAX) languageHeaders.set(own, languages);
  return languages;
}

const NO_LANGUAGES: Languages = { tags: UNKNOWN_VISITOR_FACTS.languages, marks: NO_MARKS.languages };

export interface Visitor {
  userAgent: string;
  acceptLanguage: string;
  address: string;
  /** Origin of the referring page; empty for a direct visit. */
  referrer: string;
  /** The short URL's query, without the `?`. */
  query: string;
}

/** Returns the header as far as it is stored; empty if there is none. */
export const routedUserAgent = (headers: VisitRequest["headers"]): string =>
  headers.get("user-agent")?.slice(0, ROUTED_LENGTH_MAX.userAgent) ?? "";

/** As `routedUserAgent`. */
export const routedAcceptLanguage = (headers: VisitRequest["headers"]): string =>
  headers.get("accept-language")?.slice(0, ROUTED_LENGTH_MAX.acceptLanguage) ?? "";

type Asking = Pick<CompiledLink, "needs" | "requestChecks">;

/** What is known of a visitor, and the corresponding marks for picking candidate rules. */
interface KnownVisitor {
  facts: VisitorFacts;
  marks: VisitorMarks;
}

const UNKNOWN: KnownVisitor = { facts: UNKNOWN_VISITOR_FACTS, marks: NO_MARKS };

export const visitorFacts = (link: Asking, visitor: Visitor, geo: Geo, now: number): VisitorFacts =>
  visitorFactsAndMarks(link, visitor, geo, now).facts;

export function visitorFactsAndMarks(
  { needs, requestChecks }: Asking,
  visitor: Visitor,
  geo: Geo,
  now: number,
): KnownVisitor {
  if (needs === 0) return UNKNOWN;
  const agent = (needs & NEEDS.userAgent) !== 0 ? parseUserAgent(visitor.userAgent) : undefined;
  const place = (needs & NEEDS.geography) !== 0 ? geo.lookup(visitor.address) : undefined;
  const languages = (needs & NEEDS.languages) !== 0 ? languagesOf(visitor.acceptLanguage) : NO_LANGUAGES;
  const time = (needs & NEEDS.time) !== 0 ? localTime(now, { timeZone: place?.timeZone }) : UNKNOWN_VISITOR_FACTS;
  const facts: VisitorFacts = {
    platform: agent?.platform,
    deviceType: agent?.deviceType,
    browser: agent?.browser,
    deviceVendor: agent?.deviceVendor,
    deviceModel: agent?.deviceModel,
    osVersion: agent?.osVersion,
    languages: languages.tags,
    country: place?.country,
    region: place?.region,
    city: place?.city,
    minuteOfDay: time.minuteOfDay,
    dayOfWeek: time.dayOfWeek,
    at: now,
    query: requestChecks === null ? "" : queryForRules(requestChecks, visitor.query),
    referrer: (needs & NEEDS.referrer) !== 0 ? referrerOf(visitor.referrer) || DIRECT : undefined,
    networks: requestChecks === null ? undefined : networksOf(requestChecks, visitor.address),
  };
  const marks = {
    agent: agent?.marks ?? NO_MARKS.agent,
    place: place?.marks ?? NO_MARKS.place,
    languages: languages.marks,
  };
  return { facts, marks };
}
