/**
 * The hot path, in front of the API: host and path → link → gate → visit. A cached link costs one map lookup before
 * the visit. Returns undefined for whatever is not a short URL, which the caller then handles: on every host the
 * paths that clients request on their own, except for the association files; on the service's own hosts its own paths
 * and the root.
 */
import type { Server } from "bun";
import { OWN_SEGMENTS, RESERVED_SEGMENTS } from "@/core/names/reserved";
import type { CompiledLink } from "@/core/routing/compiled-link";
import { checkGate } from "@/core/routing/gate";
import type { ClientAddress } from "@/platform/client-address";
import type { Clock } from "@/platform/clock";
import { isCheckWithoutHost, namesHostTwice } from "@/platform/hosts/hostless";
import type { OwnHosts } from "@/platform/hosts/own-hosts";
import { type Addressing, addressKey, addressOf, formerAddressOf, splitAddress } from "@/platform/link-cache/address";
import type { LinkCache } from "@/platform/link-cache/cache";
import { TooManyHashes } from "@/platform/passwords/passwords";
import { requestIdOf } from "@/platform/request-id";
import { createFailureLog, type LogFailure } from "@/platform/telemetry/failure-log";
import type { Log } from "@/platform/telemetry/log";
import { refuse } from "./answers";
import type { AnswerAssociation } from "./association/association";
import type { BrandedRefusals } from "./branded-refusals";
import { type GatedVisit, isRead, maySendLateForm } from "./gated-visit";
import { Hit } from "./hit";
import type { SearchLink } from "./link-search";
import type { FallbackRedirects } from "./onward";
import type { RefusalReason, VisitRefusal } from "./refusals";
import { RESOLVE_PATH, type ResolveFastPath } from "./resolve/fast-path";
import type { Visit } from "./visit";
import type { VisitCounts } from "./visit-counts";

export interface EdgeOptions {
  links: LinkCache;
  searchLink: SearchLink;
  addressOf: ClientAddress;
  visit: Visit;
  /** For links that first require something of the visitor, or show a page. */
  visitGated: GatedVisit;
  refusals: BrandedRefusals;
  onward: FallbackRedirects;
  counts: VisitCounts;
  resolveFast: ResolveFastPath;
  answerAssociation: AnswerAssociation;
  clock: Clock;
  log: Log;
  addressing: Addressing;
  ownHosts: OwnHosts;
}

export type Edge = (request: Request, server: Server<unknown>) => Response | Promise<Response> | undefined;

export function createEdge(options: EdgeOptions): Edge {
  const { links, searchLink, addressOf: clientOf, visit, visitGated, refusals, onward, counts } = options;
  const { resolveFast, answerAssociation, clock, addressing, ownHosts, log } = options;
  const failing = { counts, log, logFailure: createFailureLog(log, "could not serve a short URL") };

  return (request, server) => {
    const { url } = request;
    const hostStart = url.indexOf("//") + 2;
    const pathStart = url.indexOf("/", hostStart);
    if (hostStart === 1 || pathStart < 0 || namesHostTwice(request)) {
      return isCheckWithoutHost(request) ? undefined : refuseCounted(counts, request, "malformed");
    }
    const queryStart = url.indexOf("?", pathStart);
    const pathEnd = queryStart < 0 ? url.length : queryStart;
    const hit = new Hit(request, server, queryStart < 0 ? "" : url.slice(queryStart + 1), clock(), clientOf);
    const link = links.peek(url.slice(hostStart, pathEnd), hit.at);
    return link ? enter(link, hit) : find(hit, url.slice(hostStart, pathStart), url.slice(pathStart, pathEnd));
  };

  function find(hit: Hit, host: string, path: string) {
    const { request } = hit;
    if (path === "/") return ownHosts.isOwn(host) ? undefined : root(hit, host);
    const segment = path.split("/", 2).join("").toLowerCase();
    if (RESERVED_SEGMENTS.has(segment)) return answerAssociation(request, host, path);
    if (OWN_SEGMENTS.has(segment) && ownHosts.isOwn(host)) {
      return path === RESOLVE_PATH ? resolveFast(hit) : undefined;
    }
    const shortHost = ownHosts.shortHost(host);
    const address = addressOf(shortHost, path, addressing);
    if (!address) return refusals.atHost(shortHost, request, MALFORMED);
    const key = addressKey(address);
    const former = formerAddressOf(shortHost, path, addressing);
    const link = former ? null : links.peek(key, hit.at);
    return link ? enter(link, hit) : search(hit, key, former && addressKey(former));
  }

  function root(hit: Hit, host: string) {
    const key = onward.rootKey(host);
    if (key === undefined)
      return onward.atRoot(host, hit.request) ?? refusals.atAddress(host, "/", hit.request, NO_LINK);
    const page = links.peek(key, hit.at);
    return page ? enter(page, hit) : search(hit, key, null);
  }

  async function search(hit: Hit, key: string, formerKey: string | null): Promise<Response> {
    const { host } = splitAddress(key);
    try {
      const sought = await searchLink(key, hit.address, hit.at, formerKey);
      if (sought.link) return await enter(sought.link, hit);
      return await refusals.atAddress(host, key.slice(host.length), hit.request, sought.refused);
    } catch (error) {
      return failed(failing, hit.request, error, (refused) => refusals.atHost(host, hit.request, refused));
    }
  }

  /** Refuses by the gate first: refusing a method or a form first would reveal that a hidden link exists. */
  function enter(link: CompiledLink, hit: Hit) {
    const { gate, page } = link.definition;
    const answer = checkGate(gate, { now: hit.at });
    if (answer.does === "refuse" && !maySendLateForm(link, hit.request, answer.refusal)) {
      return refusals.ofLink(link, hit.request, answer.refusal);
    }
    if (page !== null || answer.does === "ask" || hit.request.method === "POST") {
      return visitGated(link, hit).catch((error: unknown) =>
        failed(failing, hit.request, error, (refused) => refusals.ofLink(link, hit.request, refused)),
      );
    }
    return isRead(hit.request) ? visit(link, hit) : refusals.ofLink(link, hit.request, METHOD);
  }
}

function refuseCounted(counts: VisitCounts, request: Request, reason: RefusalReason): Response {
  counts.refusals[reason] += 1;
  return refuse(request, reason);
}

interface Failing extends Pick<EdgeOptions, "counts" | "log"> {
  logFailure: LogFailure;
}

async function failed(
  { counts, log, logFailure }: Failing,
  request: Request,
  error: unknown,
  refuseBranded: (refused: VisitRefusal) => Response | Promise<Response>,
): Promise<Response> {
  if (error instanceof TooManyHashes) return refuseBranded(BUSY);
  // A visitor who disconnects while sending a form receives no response, and it indicates no fault of the link.
  const requestId = requestIdOf(request);
  if (request.signal.aborted) {
    log.debug("could not serve a short URL; the visitor has left", { requestId, error });
    return refuseCounted(counts, request, "unavailable");
  }
  logFailure(requestId, error);
  const response = await refuseBranded(UNAVAILABLE);
  response.headers.set("x-request-id", requestId);
  return response;
}

const NO_LINK: VisitRefusal = { reason: "unknown" };
const BUSY: VisitRefusal = { reason: "busy" };
const MALFORMED: VisitRefusal = { reason: "malformed" };
const METHOD: VisitRefusal = { reason: "method" };
const UNAVAILABLE: VisitRefusal = { reason: "unavailable" };
