/** What routing may ask of a visitor; only what the link's conditions need is found out. */
import { DIRECT, referrerOf } from "@/core/referrer";
import type { CompiledLink } from "@/core/routing/compiled-link";
import { localTime, NEEDS, NOTHING_KNOWN, parseAcceptLanguage, type VisitorFacts } from "@/core/routing/facts";
import { askedQuery, networksOf } from "@/core/rules/asks";
import { createBoundedMap } from "@/platform/bounded-map";
import type { Geo } from "@/platform/geo/geo";
import { parseUserAgent } from "@/platform/user-agent";

/** `Accept-Language` headers differ by browser and country, not by person: some hundreds cover nearly all visits. */
const languageHeaders = createBoundedMap<string, readonly string[]>(4096);
/** A longer one is parsed each time, so that the memory of those remembered stays bounded. */
const REMEMBERED_LENGTH_MAX = 128;

function languagesOf(header: string): readonly string[] {
  const known = languageHeaders.get(header);
  if (known) return known;
  const languages = parseAcceptLanguage(header);
  if (header.length <= REMEMBERED_LENGTH_MAX) languageHeaders.set(header, languages);
  return languages;
}

export interface Visitor {
  userAgent: string;
  acceptLanguage: string;
  address: string;
  /** Origin of the referring page; empty for a direct visit. */
  referrer: string;
  /** The short URL's query, without the `?`. */
  query: string;
}

type Asking = Pick<CompiledLink, "needs" | "asks">;

export function visitorFacts({ needs, asks }: Asking, visitor: Visitor, geo: Geo, now: number): VisitorFacts {
  if (needs === 0) return NOTHING_KNOWN;
  const agent = (needs & NEEDS.userAgent) !== 0 ? parseUserAgent(visitor.userAgent) : undefined;
  const place = (needs & NEEDS.geography) !== 0 ? geo.lookup(visitor.address) : undefined;
  const time = (needs & NEEDS.time) !== 0 ? localTime(now, { timeZone: place?.timeZone }) : NOTHING_KNOWN;
  return {
    platform: agent?.platform,
    deviceType: agent?.deviceType,
    browser: agent?.browser,
    deviceVendor: agent?.deviceVendor,
    deviceModel: agent?.deviceModel,
    osVersion: agent?.osVersion,
    languages: (needs & NEEDS.languages) !== 0 ? languagesOf(visitor.acceptLanguage) : NOTHING_KNOWN.languages,
    country: place?.country,
    region: place?.region,
    city: place?.city,
    minuteOfDay: time.minuteOfDay,
    dayOfWeek: time.dayOfWeek,
    at: now,
    query: asks === null ? "" : askedQuery(asks, visitor.query),
    referrer: (needs & NEEDS.referrer) !== 0 ? referrerOf(visitor.referrer) || DIRECT : undefined,
    networks: asks === null ? undefined : networksOf(asks, visitor.address),
  };
}
