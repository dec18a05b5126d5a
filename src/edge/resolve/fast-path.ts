/**
 * The fast paths of `GET /api/v1/resolve`, bypassing the API's machinery: for valid requests for a link that is
 * cached and open to anyone. Returns undefined for everything else, and the API reports what is wrong.
 */
import { ResolveQuery } from "@/contract/links/links";
import { PLATFORMS, type Platform } from "@/contract/platforms";
import type { CompiledLink, Route } from "@/core/routing/compiled-link";
import type { AppJson, PlainVisit } from "@/core/routing/plain-visit";
import type { Clock } from "@/platform/clock";
import type { OwnHosts } from "@/platform/hosts/own-hosts";
import type { Hit } from "../hit";
import { type ResolveAnswer, type Resolver, resolvedTo } from "./resolve";

export const RESOLVE_PATH = "/api/v1/resolve";

/** The constants for texts cut out of a query, which take longer to compare. */
const KNOWN_PLATFORMS: ReadonlyMap<string, Platform> = new Map(PLATFORMS.map((platform) => [platform, platform]));

/** Which platforms exist is checked separately. */
const PLATFORM_LENGTH_MAX = 255;

/** The query's fields and their maximum lengths; unknown fields are ignored. */
const FIELDS = Object.entries(ResolveQuery.properties).map(([name, { maxLength }]) => ({
  name,
  lengthMax: Number(maxLength ?? PLATFORM_LENGTH_MAX),
}));

/** The headers that the API would send. */
const RESOLVED_HEADERS = {
  "content-type": "application/json;charset=utf-8",
  "access-control-allow-origin": "*",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

export type ResolveFastPath = (hit: Hit) => Promise<Response> | undefined;

export const createResolveFastPath =
  (resolver: Resolver): ResolveFastPath =>
  (hit) => {
    if (hit.request.method !== "GET") return undefined;
    const query = readQuery(hit.query);
    const link = query && resolver.open(query, hit.at);
    if (!link) return undefined;
    const answer = resolver.answer(link, query, hit);
    const { text } = jsonOf(link, answer);
    return answer.written.then(() => new Response(text, { headers: RESOLVED_HEADERS }));
  };

/** Creates the same without a `Request`. */
export const createPlainResolve =
  (resolver: Resolver, ownHosts: Pick<OwnHosts, "isOwn">, clock: Clock): PlainVisit =>
  (request, addressOf) => {
    if (request.path !== RESOLVE_PATH || !ownHosts.isOwn(request.host)) return undefined;
    const at = clock();
    const query = readQuery(request.query);
    const link = query && resolver.open(query, at);
    if (!link) return undefined;
    const answer = resolver.answer(link, query, { request, address: addressOf(), at });
    return { json: jsonOf(link, answer), written: answer.written };
  };

/**
 * Caches the JSON of routes that lead every visitor to the same URL. A route belongs to one link, so the rest of the
 * response is the same, too.
 */
const prepared = new WeakMap<Route, AppJson>();

function jsonOf(link: CompiledLink, { route, destinationUrl }: ResolveAnswer): AppJson {
  const isForAll = destinationUrl === route.url;
  const known = isForAll ? prepared.get(route) : undefined;
  if (known) return known;
  const json = { text: JSON.stringify(resolvedTo(link, destinationUrl)), isForAll };
  if (isForAll) prepared.set(route, json);
  return json;
}

/** Returns undefined if the query has any error. */
function readQuery(text: string): ResolveQuery | undefined {
  if (text.includes("%00")) return undefined;
  const isPlain = !text.includes("%") && !text.includes("+");
  const fields: Record<string, string> = {};
  for (let start = 0; start <= text.length; ) {
    const mark = text.indexOf("&", start);
    const end = mark < 0 ? text.length : mark;
    const equals = text.indexOf("=", start);
    const nameEnd = equals >= 0 && equals < end ? equals : end;
    const name = isPlain ? "" : decoded(text.slice(start, nameEnd));
    const written = text.slice(nameEnd + 1, end);
    const value = isPlain ? written : decoded(written);
    if (name === undefined || value === undefined) return undefined;
    const field = isPlain ? fieldAt(text, start, nameEnd) : fieldAt(name, 0, name.length);
    start = end + 1;
    if (!field) continue;
    if (value.length > field.lengthMax || fields[field.name] !== undefined) return undefined;
    fields[field.name] = value;
  }
  if (fields.platform !== undefined) fields.platform = KNOWN_PLATFORMS.get(fields.platform) ?? NO_PLATFORM;
  return isWhole(fields) ? fields : undefined;
}

/** Returns the field whose name stands there. Does not cut the name out, which takes longer. */
function fieldAt(text: string, start: number, end: number) {
  for (const field of FIELDS) {
    if (field.name.length === end - start && text.startsWith(field.name, start)) return field;
  }
  return undefined;
}

/** Returns undefined if the escapes are not valid UTF-8. */
function decoded(text: string): string | undefined {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

const NO_PLATFORM = "";

const isWhole = (fields: Record<string, string | undefined>): fields is ResolveQuery =>
  Boolean(fields.domain && fields.slug) && fields.platform !== NO_PLATFORM;
