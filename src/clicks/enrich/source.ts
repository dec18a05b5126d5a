/** Reads from a visit's headers and query where it came from. */
import type { Utm } from "@/contract/routing";
import { UTM_FIELDS } from "@/contract/utm-fields";
import { parseAcceptLanguage } from "@/core/headers/accept-language";
import { referrerOf } from "@/core/referrer";
import { type BoundedMap, createBoundedMap, ownText } from "@/platform/bounded-map";

const HEADERS_MAX = 8_192;
const LANGUAGE_LENGTH_MAX = 35;
const UTM_LENGTH_MAX = 255;
/** Longer UTM parts belong to a single visit and are not cached. */
const UTM_PARTS_MAX = 512;

const languages = createBoundedMap<string, Languages>(HEADERS_MAX);
const hosts = createBoundedMap<string, string>(HEADERS_MAX);

export interface Languages {
  /** The header as sent. */
  header: string;
  /** The preferred language, like `en-US`; empty if unknown. */
  first: string;
  /** The tags that rules see, as sent, separated by commas, the most preferred first. */
  all: string;
  /** A hash that tells headers apart. */
  hash: number;
}

const NO_LANGUAGES: Languages = Object.freeze({ header: "", first: "", all: "", hash: 0 });

/** Returns the same object for the same header. It must not be changed. */
export function languagesOf(acceptLanguage: string): Languages {
  if (acceptLanguage === "") return NO_LANGUAGES;
  const known = languages.get(acceptLanguage);
  if (known !== undefined) return known;
  const tags = parseAcceptLanguage(acceptLanguage);
  const first = properCase(tags[0] ?? "").slice(0, LANGUAGE_LENGTH_MAX);
  const read = Object.freeze({
    header: acceptLanguage,
    first,
    all: tags.join(","),
    hash: Bun.hash.xxHash32(acceptLanguage),
  });
  languages.set(acceptLanguage, read);
  return read;
}

/** Spells the tag as BCP 47 recommends: `en-GB`, `zh-Hant-TW`. */
function properCase(tag: string): string {
  const [language = "", ...subtags] = tag.toLowerCase().split("-");
  return [language, ...subtags.map(properSubtag)].join("-");
}

function properSubtag(subtag: string): string {
  if (subtag.length === 2) return subtag.toUpperCase();
  return subtag.length === 4 ? `${subtag.charAt(0).toUpperCase()}${subtag.slice(1)}` : subtag;
}

/**
 * Returns the referring page's host in lower case, the app's package for `android-app://`, or an empty string, without
 * private-use characters.
 */
export function referrerHost(referrer: string): string {
  if (referrer === "") return "";
  const known = hosts.get(referrer);
  if (known !== undefined) return known;
  const host = storable(referrerOf(referrer));
  hosts.set(referrer, host);
  return host;
}

/** Caches the UTM of queries by their UTM parts. `merged` caches it combined with a link's own UTM, by both. */
const ofQueries = createBoundedMap<string, Utm>(HEADERS_MAX);
const merged = createBoundedMap<string, Utm>(HEADERS_MAX);
const numbersOfLinks = new WeakMap<Utm, number>();
let linksNumbered = 0;

/**
 * Returns the UTM of the visit's query, completed field by field with the link's, as the destination gets it, too: a
 * parameter without a value takes the place of the link's. Usually returns the same object for equal UTM, so that what
 * is derived from it is shared by all such visits. It must not be changed.
 */
export function utmOf(query: string, ofLink: Utm): Utm {
  if (!query.includes("utm_")) return ofLink;
  const parts = utmPartsOf(query);
  if (parts.length > UTM_PARTS_MAX) return { ...ofLink, ...readUtm(parts) };
  const ofQuery = ofQueries.get(parts) ?? keptIn(ofQueries, ownText(parts), readUtm(parts));
  if (hasAll(ofQuery, ofLink)) return ofQuery;
  const key = `${numberOf(ofLink)}&${parts}`;
  return merged.get(key) ?? keptIn(merged, key, Object.freeze({ ...ofLink, ...ofQuery }));
}

function hasAll(ofQuery: Utm, ofLink: Utm): boolean {
  for (const field in ofLink) if (!(field in ofQuery)) return false;
  return true;
}

function keptIn(known: BoundedMap<string, Utm>, key: string, utm: Utm): Utm {
  known.set(key, utm);
  return utm;
}

function numberOf(ofLink: Utm): number {
  const known = numbersOfLinks.get(ofLink);
  if (known !== undefined) return known;
  numbersOfLinks.set(ofLink, ++linksNumbered);
  return linksNumbered;
}

/**
 * Keeps only the UTM parameters of a query, without click ids, which differ in every visit. The result parses like
 * the query itself: parameters with escapes are kept, since an escaped name may spell one of the fields, and a
 * leading question mark is ignored only if the query begins with it.
 */
function utmPartsOf(query: string): string {
  if (query.startsWith("?") || !query.includes("&")) return query;
  const hasEscapes = query.includes("%");
  let parts = "";
  let from = 0;
  for (let start = 0; start < query.length; ) {
    const next = query.indexOf("&", start) + 1 || query.length + 1;
    const isKept = query.startsWith("utm_", start) || (hasEscapes && query.slice(start, next).includes("%"));
    if (!isKept) {
      parts += query.slice(from, start);
      from = next;
    }
    start = next;
  }
  const all = parts + query.slice(from);
  const told = all.endsWith("&") ? all.slice(0, -1) : all;
  return told.startsWith("?") ? `&${told}` : told;
}

function readUtm(parts: string): Utm {
  const parameters = new URLSearchParams(parts);
  const utm: Utm = {};
  for (const field of UTM_FIELDS) {
    const value = parameters.get(`utm_${field}`);
    if (value !== null) utm[field] = storable(value.slice(0, UTM_LENGTH_MAX)) || undefined;
  }
  return Object.freeze(utm);
}

/** Returns the link's own UTM as it is counted. */
export function countedUtm(ofLink: Utm): Utm {
  const utm: Utm = {};
  for (const field of UTM_FIELDS) {
    const value = ofLink[field];
    if (value) utm[field] = storable(value);
  }
  return utm;
}

const PRIVATE_USE = /\p{Co}/gu;

/**
 * Returns a value from outside as tables and figures hold it, so that webhooks, where nothing else would change it, say
 * the same. Postgres's text has no NUL, and JSON readers refuse a lone surrogate, which a cut can leave. Private-use
 * characters set figures' own values apart (`REST_VALUE` in `figures/dimensions`): nobody may spell one of those.
 */
const storable = (text: string): string => text.replaceAll("\0", "").toWellFormed().replace(PRIVATE_USE, "\ufffd");
