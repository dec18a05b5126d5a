/**
 * The hot path, in front of the API: host and path → link → gate → visit. A cached link costs one map lookup before the
 * visit; whatever is not a short URL (reserved first segments, the root of the service's own origin) is handed on by
 * answering undefined.
 */
import type { Server } from "bun";
import type { CompiledLink } from "@/core/compiled-link";
import { checkGate } from "@/core/gate";
import { RESERVED_SEGMENTS } from "@/core/slug";
import type { Clock } from "@/platform/clock";
import { addressKey, addressOf, normaliseHost } from "@/platform/link-cache/address";
import type { LinkCache } from "@/platform/link-cache/cache";
import type { Log } from "@/platform/log";
import { TooManyHashes } from "@/platform/passwords";
import { parseUserAgent } from "@/platform/user-agent";
import type { Admission } from "./admission";
import { refuse } from "./answers";
import { checkLinkPassword, passwordOf } from "./link-password";
import { RESOLVE_PATH, type ResolveLane } from "./resolve-lane";
import { isPrefetch, type Visit } from "./visit";

export interface EdgeOptions {
  links: LinkCache;
  visit: Visit;
  resolveLane: ResolveLane;
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
  visit,
  resolveLane,
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
    if (RESERVED_SEGMENTS.has(first.toLowerCase())) return undefined;
    const address = addressOf(host, path, shortDomain);
    if (!address) return refuse(request, "malformed");
    const key = addressKey(address);
    const link = links.peek(key, at);
    if (link === null) return refuse(request, "unknown");
    return link ? enter(link, request, server, query, at) : load(request, server, key, query, at);
  }

  async function load(
    request: Request,
    server: Server<unknown>,
    key: string,
    query: string,
    at: number,
  ): Promise<Response> {
    try {
      const link = await links.get(key);
      return link ? await enter(link, request, server, query, at) : refuse(request, "unknown");
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
      const reason = await guardedRefusal(link, request, query, at);
      return reason ? refuse(request, reason) : await visit(link, request, server, query, at);
    } catch (error) {
      return failed(request, error);
    }
  }

  /** In the gate's order; a place is taken last, by a human whom nothing else refuses. */
  async function guardedRefusal(link: CompiledLink, request: Request, query: string, at: number) {
    const { id, gate } = link.definition;
    const { maxClicks, passwordHash } = gate;
    const early = checkGate({ ...gate, maxClicks: null, passwordHash: null }, { now: at, password: "absent" });
    if (early) return early.reason;
    const takesPlace = maxClicks !== null && isHuman(request);
    const asksRoomFirst = maxClicks !== null && (!takesPlace || passwordHash !== null);
    if (asksRoomFirst && !(await admission.hasRoom(id, maxClicks))) return "max_clicks_reached";
    const password = await checkLinkPassword(link, await passwordOf(request, query));
    const refusal = checkGate({ ...gate, maxClicks: null }, { now: at, password });
    if (refusal) return refusal.reason;
    return takesPlace && !(await admission.admit(link.definition, maxClicks)) ? "max_clicks_reached" : null;
  }

  function failed(request: Request, error: unknown): Response {
    if (error instanceof TooManyHashes) return refuse(request, "busy");
    log.warn("link not reached", { error });
    return refuse(request, "unavailable");
  }
}

const isRead = (request: Request): boolean => request.method === "GET" || request.method === "HEAD";

const isHuman = (request: Request): boolean =>
  request.method !== "HEAD" &&
  !isPrefetch(request.headers) &&
  parseUserAgent(request.headers.get("user-agent") ?? "").bot === null;
