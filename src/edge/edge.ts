/**
 * This is the hot path, in front of the API: host and path → link → gate → visit. A cached link costs one map lookup
 * before the visit; whatever is not a short URL (on every host what is asked for unbidden, but for the association
 * files; on hosts of our own our paths and the root) is handed on by answering undefined.
 */
import type { Server } from "bun";
import { OWN_SEGMENTS, RESERVED_SEGMENTS } from "@/core/names/reserved";
import type { CompiledLink } from "@/core/routing/compiled-link";
import { checkGate } from "@/core/routing/gate";
import type { ClientAddress } from "@/platform/client-address";
import type { Clock } from "@/platform/clock";
import type { OwnHosts } from "@/platform/hosts/own-hosts";
import { addressKey, addressOf, formerAddressOf, splitAddress } from "@/platform/link-cache/address";
import type { LinkCache } from "@/platform/link-cache/cache";
import { TooManyHashes } from "@/platform/passwords/passwords";
import { requestIdOf } from "@/platform/request-id";
import type { Log } from "@/platform/telemetry/log";
import { type Enter, isRead } from "./admission";
import { refuse } from "./answers";
import type { AnswerAssociation } from "./association/association";
import type { BrandedRefusals } from "./branded-refusals";
import type { SearchLink } from "./link-search";
import type { RefusalReason, Refused } from "./refusals";
import { RESOLVE_PATH, type ResolveLane } from "./resolve/resolve-lane";
import type { Visit } from "./visit";
import type { VisitCounts } from "./visit-counts";

export interface EdgeOptions {
  links: LinkCache;
  searchLink: SearchLink;
  addressOf: ClientAddress;
  visit: Visit;
  /** For links that ask for something first, or show something. */
  enterAsked: Enter;
  refusals: BrandedRefusals;
  counts: VisitCounts;
  resolveLane: ResolveLane;
  answerAssociation: AnswerAssociation;
  clock: Clock;
  log: Log;
  shortDomain: string;
  ownHosts: OwnHosts;
}

export type Edge = (request: Request, server: Server<unknown>) => Response | Promise<Response> | undefined;

export function createEdge({
  links,
  searchLink,
  addressOf: clientOf,
  visit,
  enterAsked,
  refusals,
  counts,
  resolveLane,
  answerAssociation,
  clock,
  log,
  shortDomain,
  ownHosts,
}: EdgeOptions): Edge {
  return (request, server) => {
    const { url } = request;
    const hostStart = url.indexOf("//") + 2;
    const pathStart = url.indexOf("/", hostStart);
    if (hostStart === 1 || pathStart < 0) return no(request, "malformed");
    const queryStart = url.indexOf("?", pathStart);
    const pathEnd = queryStart < 0 ? url.length : queryStart;
    const query = queryStart < 0 ? "" : url.slice(queryStart + 1);
    const at = clock();
    const link = links.peek(url.slice(hostStart, pathEnd), at);
    if (link) return enter(link, request, server, query, at);
    return find(request, server, url.slice(hostStart, pathStart), url.slice(pathStart, pathEnd), query, at);
  };

  function find(request: Request, server: Server<unknown>, host: string, path: string, query: string, at: number) {
    if (path === "/") return ownHosts.isOwn(host) ? undefined : refusals.atAddress(host, path, request, NO_LINK);
    const segment = path.split("/", 2).join("").toLowerCase();
    if (RESERVED_SEGMENTS.has(segment)) return answerAssociation(request, host, path);
    if (OWN_SEGMENTS.has(segment) && ownHosts.isOwn(host)) {
      return path === RESOLVE_PATH ? resolveLane(request, server, query) : undefined;
    }
    const shortHost = ownHosts.shortHost(host);
    const address = addressOf(shortHost, path, shortDomain);
    if (!address) return no(request, "malformed");
    const key = addressKey(address);
    const former = formerAddressOf(shortHost, path, shortDomain);
    const link = former ? null : links.peek(key, at);
    if (link) return enter(link, request, server, query, at);
    return search(request, server, { key, formerKey: former && addressKey(former) }, query, at);
  }

  function no(request: Request, reason: RefusalReason): Response {
    counts.refusals[reason] += 1;
    return refuse(request, reason);
  }

  async function search(
    request: Request,
    server: Server<unknown>,
    { key, formerKey }: { key: string; formerKey: string | null },
    query: string,
    at: number,
  ): Promise<Response> {
    try {
      const sought = await searchLink(key, clientOf(request, server), at, formerKey);
      if (sought.link) return await enter(sought.link, request, server, query, at);
      const { host } = splitAddress(key);
      return await refusals.atAddress(host, key.slice(host.length), request, sought.refused);
    } catch (error) {
      return failed(request, error);
    }
  }

  function enter(link: CompiledLink, request: Request, server: Server<unknown>, query: string, at: number) {
    const { gate, page } = link.definition;
    if (page !== null || gate.maxClicks !== null || gate.passwordHash !== null) {
      return enterAsked(link, request, server, query, at).catch((error: unknown) => failed(request, error, link));
    }
    const refusal = checkGate(gate, { now: at, password: "absent" });
    if (refusal) return refusals.ofLink(link, request, refusal);
    return isRead(request) ? visit(link, request, server, query, at) : no(request, "method");
  }

  function failed(request: Request, error: unknown, link?: CompiledLink): Response | Promise<Response> {
    if (error instanceof TooManyHashes) return link ? refusals.ofLink(link, request, BUSY) : no(request, "busy");
    // Who hangs up in the middle of a form reads no answer, and says nothing about the link.
    const requestId = requestIdOf(request);
    if (request.signal.aborted) {
      log.debug("could not load a link; the visitor has left", { requestId, error });
      return no(request, "unavailable");
    }
    log.warn("could not load a link", { requestId, error });
    const response = no(request, "unavailable");
    response.headers.set("x-request-id", requestId);
    return response;
  }
}

const NO_LINK: Refused = { reason: "unknown" };
const BUSY: Refused = { reason: "busy" };
