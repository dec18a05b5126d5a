/**
 * The hot path, in front of the API: host and path → link → gate → visit. A cached link costs one map lookup before the
 * visit; whatever is not a short URL (reserved first segments but for the association files, the root of the service's own
 * origin) is handed on by answering undefined.
 */
import type { Server } from "bun";
import type { CompiledLink } from "@/core/compiled-link";
import { checkGate } from "@/core/gate";
import { RESERVED_SEGMENTS } from "@/core/slug";
import type { ClientAddress } from "@/platform/client-address";
import type { Clock } from "@/platform/clock";
import { addressKey, addressOf, normaliseHost } from "@/platform/link-cache/address";
import type { LinkCache } from "@/platform/link-cache/cache";
import type { Log } from "@/platform/log";
import { TooManyHashes } from "@/platform/passwords";
import { requestIdOf } from "@/platform/request-id";
import { parseUserAgent } from "@/platform/user-agent";
import type { Admission } from "./admission";
import { refuse } from "./answers";
import type { AnswerAssociation } from "./association";
import { type CheckPassword, passwordOf } from "./link-password";
import type { SearchLink } from "./link-search";
import type { Refused } from "./refusals";
import { RESOLVE_PATH, type ResolveLane } from "./resolve-lane";
import { isPrefetch, type Visit } from "./visit";

export interface EdgeOptions {
  links: LinkCache;
  searchLink: SearchLink;
  checkPassword: CheckPassword;
  addressOf: ClientAddress;
  visit: Visit;
  resolveLane: ResolveLane;
  answerAssociation: AnswerAssociation;
  admission: Admission;
  clock: Clock;
  log: Log;
  shortDomain: string;
  /** Host of the service's own origin: its root is the API's, not a short domain's. */
  ownHost: string;
}

export type Edge = (request: Request, server: Server<unknown>) => Response | Promise<Response> | undefined;

export function createEdge({
  links,
  searchLink,
  checkPassword,
  addressOf: clientOf,
  visit,
  resolveLane,
  answerAssociation,
  admission,
  clock,
  log,
  shortDomain,
  ownHost,
}: EdgeOptions): Edge {
  return (request, server) => {
    const { url } = request;
    const hostStart = url.indexOf("//") + 2;
    const pathStart = url.indexOf("/", hostStart);
    if (hostStart === 1 || pathStart < 0) return refuse(request, "malformed");
    const queryStart = url.indexOf("?", pathStart);
    const pathEnd = queryStart < 0 ? url.length : queryStart;
    const query = queryStart < 0 ? "" : url.slice(queryStart + 1);
    const at = clock();
    const link = links.peek(url.slice(hostStart, pathEnd), at);
    if (link) return enter(link, request, server, query, at);
    return find(request, server, url.slice(hostStart, pathStart), url.slice(pathStart, pathEnd), query, at);
  };

  function find(request: Request, server: Server<unknown>, host: string, path: string, query: string, at: number) {
    if (path === RESOLVE_PATH) return resolveLane(request, server, query);
    if (path === "/") return normaliseHost(host, ownHost) === ownHost ? undefined : refuse(request, "unknown");
    const [, first = ""] = path.split("/", 2);
    if (RESERVED_SEGMENTS.has(first.toLowerCase())) return answerAssociation(request, host, path);
    const address = addressOf(host, path, shortDomain);
    if (!address) return refuse(request, "malformed");
    const key = addressKey(address);
    const link = links.peek(key, at);
    return link ? enter(link, request, server, query, at) : search(request, server, key, query, at);
  }

  async function search(
    request: Request,
    server: Server<unknown>,
    key: string,
    query: string,
    at: number,
  ): Promise<Response> {
    try {
      const sought = await searchLink(key, clientOf(request, server), at);
      return sought.link ? await enter(sought.link, request, server, query, at) : refused(request, sought.refused);
    } catch (error) {
      return failed(request, error);
    }
  }

  function enter(link: CompiledLink, request: Request, server: Server<unknown>, query: string, at: number) {
    const { gate } = link.definition;
    if (gate.maxClicks !== null || gate.passwordHash !== null) return enterGuarded(link, request, server, query, at);
    if (!isRead(request)) return refuse(request, "method");
    const refusal = checkGate(gate, { now: at, password: "absent" });
    return refusal ? refuse(request, refusal.reason) : visit(link, request, server, query, at);
  }

  /** Links with a password or a limit of visits: what has to be asked before the gate can tell. */
  async function enterGuarded(
    link: CompiledLink,
    request: Request,
    server: Server<unknown>,
    query: string,
    at: number,
  ) {
    const { gate } = link.definition;
    if (!isRead(request) && !(request.method === "POST" && gate.passwordHash !== null))
      return refuse(request, "method");
    try {
      const refusal = await guardedRefusal(link, request, server, query, at);
      return refusal ? refused(request, refusal) : visit(link, request, server, query, at);
    } catch (error) {
      return failed(request, error);
    }
  }

  /** In the gate's order; a place is taken last, by a human whom nothing else refuses. */
  async function guardedRefusal(
    link: CompiledLink,
    request: Request,
    server: Server<unknown>,
    query: string,
    at: number,
  ): Promise<Refused | null> {
    const address = clientOf(request, server);
    const { id, gate } = link.definition;
    const { maxClicks, passwordHash } = gate;
    const early = checkGate({ ...gate, maxClicks: null, passwordHash: null }, { now: at, password: "absent" });
    if (early) return early;
    const takesPlace = maxClicks !== null && isHuman(request);
    const asksRoomFirst = maxClicks !== null && (!takesPlace || passwordHash !== null);
    if (asksRoomFirst && !(await admission.hasRoom(id, maxClicks))) return USED_UP;
    const password = await checkPassword(link, await passwordOf(request, query), address);
    if (typeof password === "object") return { reason: "attempts", ...password };
    const refusal = checkGate({ ...gate, maxClicks: null }, { now: at, password });
    if (refusal) return refusal;
    return takesPlace && !(await admission.admit(link.definition, maxClicks)) ? USED_UP : null;
  }

  function failed(request: Request, error: unknown): Response {
    if (error instanceof TooManyHashes) return refuse(request, "busy");
    const requestId = requestIdOf(request);
    log.warn("link not reached", { requestId, error });
    const response = refuse(request, "unavailable");
    response.headers.set("x-request-id", requestId);
    return response;
  }
}

const USED_UP: Refused = { reason: "max_clicks_reached" };

const refused = (request: Request, { reason, retryAfterSeconds }: Refused): Response =>
  refuse(request, reason, retryAfterSeconds);

const isRead = (request: Request): boolean => request.method === "GET" || request.method === "HEAD";

const isHuman = (request: Request): boolean =>
  request.method !== "HEAD" &&
  !isPrefetch(request.headers) &&
  parseUserAgent(request.headers.get("user-agent") ?? "").bot === null;
