/**
 * The fast paths of `GET /api/v1/resolve`, past the API's machinery: for a link that is cached and open to anyone, asked for
 * without a fault. Everything else is handed on by answering undefined, and the API says what is wrong.
 */
import { ResolveQuery } from "@/contract/links/links";
import { PLATFORMS } from "@/contract/platforms";
import type { PlainVisit } from "@/core/routing/plain-visit";
import type { Clock } from "@/platform/clock";
import type { OwnHosts } from "@/platform/hosts/own-hosts";
import type { Hit } from "../hit";
import type { Resolver } from "./resolve";

export const RESOLVE_PATH = "/api/v1/resolve";

/** Which platform it is, is asked of what is left. */
const PLATFORM_LENGTH_MAX = 255;

/** The query's fields and how long they may be; unknown ones are ignored. */
const LENGTH_MAX = new Map(
  Object.entries(ResolveQuery.properties).map(([name, { maxLength }]) => [
    name,
    Number(maxLength ?? PLATFORM_LENGTH_MAX),
  ]),
);

/** What the API would send with it. */
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
    const { resolved, written } = resolver.answer(link, query, hit);
    const json = JSON.stringify(resolved);
    return written.then(() => new Response(json, { headers: RESOLVED_HEADERS }));
  };

/** The same without a `Request`. */
export const createPlainResolve =
  (resolver: Resolver, ownHosts: Pick<OwnHosts, "isOwn">, clock: Clock): PlainVisit =>
  (request, addressOf) => {
    if (!request.key.endsWith(RESOLVE_PATH) || !ownHosts.isOwn(request.key.slice(0, -RESOLVE_PATH.length)))
      return undefined;
    const at = clock();
    const query = readQuery(request.query);
    const link = query && resolver.open(query, at);
    if (!link) return undefined;
    const { resolved, written } = resolver.answer(link, query, { request, address: addressOf(), at });
    return { json: JSON.stringify(resolved), written };
  };

/** Returns undefined for a query with any fault. */
function readQuery(text: string): ResolveQuery | undefined {
  if (!isPlainText(text)) return undefined;
  const fields: Record<string, string> = {};
  for (const [name, value] of pairsOf(text)) {
    const lengthMax = LENGTH_MAX.get(name);
    if (lengthMax === undefined) continue;
    if (value.length > lengthMax || name in fields) return undefined;
    fields[name] = value;
  }
  return isWhole(fields) ? fields : undefined;
}

const isWhole = (fields: Record<string, string | undefined>): fields is ResolveQuery =>
  Boolean(fields.domain && fields.slug) && (fields.platform === undefined || isPlatform(fields.platform));

const isPlatform = (text: string): boolean => PLATFORMS.some((platform) => platform === text);

/** Most queries have nothing to be decoded; then `URLSearchParams` takes ten times as long. */
function pairsOf(query: string): Iterable<[name: string, value: string]> {
  if (/[%+]/.test(query)) return new URLSearchParams(query);
  return query.split("&").map((pair) => {
    const end = pair.indexOf("=");
    return end < 0 ? [pair, ""] : [pair.slice(0, end), pair.slice(end + 1)];
  });
}

/** Escapes that are UTF-8, and no NUL among them. */
function isPlainText(query: string): boolean {
  if (!query.includes("%")) return true;
  try {
    return !decodeURIComponent(query).includes("\0");
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}
