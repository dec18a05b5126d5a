/** Where a visit came from, as far as its headers and query tell. */
import type { Utm } from "@/contract/routing";
import { parseAcceptLanguage } from "@/core/languages";
import { referrerOf } from "@/core/referrer";
import { createBoundedMap } from "@/platform/bounded-map";

const HEADERS_MAX = 8_192;
const LANGUAGE_LENGTH_MAX = 35;
const UTM_LENGTH_MAX = 255;

const languages = createBoundedMap<string, Languages>(HEADERS_MAX);
const hosts = createBoundedMap<string, string>(HEADERS_MAX);

export interface Languages {
  /** As it was sent. */
  header: string;
  /** The preferred language, like `en-US`; empty if unknown. */
  first: string;
  /** All that rules see, as they were sent, the most preferred first, separated by commas. */
  all: string;
  /** Tells headers apart. */
  hash: number;
}

const NO_LANGUAGES: Languages = Object.freeze({ header: "", first: "", all: "", hash: 0 });

/** The same object for the same header, not to be changed. */
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

/** Host of the referring page, lower-cased; an app's package for `android-app://`; empty when there is none. */
export function referrerHost(referrer: string): string {
  if (referrer === "") return "";
  const known = hosts.get(referrer);
  if (known !== undefined) return known;
  const host = referrerOf(referrer);
  hosts.set(referrer, host);
  return host;
}

const UTM_FIELDS = ["source", "medium", "campaign", "term", "content"] as const;

/** Of the visit's own query, else of the link; field by field, since that is what the destination gets, too. */
export function utmOf(query: string, ofLink: Utm): Utm {
  if (!query.includes("utm_")) return ofLink;
  const parameters = new URLSearchParams(query);
  const utm: Utm = { ...ofLink };
  for (const field of UTM_FIELDS) {
    const value = parameters.get(`utm_${field}`)?.slice(0, UTM_LENGTH_MAX);
    if (value) utm[field] = value;
  }
  return utm;
}
