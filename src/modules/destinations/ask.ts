/**
 * Checks with as little traffic as possible whether a destination responds: by HEAD, and by GET only if HEAD was
 * refused or failed. Of the body, only the first kilobytes are read.
 *
 * A host gets one request at a time, however many links lead to it, and a URL that several links share is requested
 * once: results are cached for ten minutes, at most `KNOWN_MAX` of them. A host that timed out is not requested again
 * for ten minutes either, so that one slow host with many links does not take the time of all others; its other URLs
 * have no result meanwhile. A crash loses only the cache.
 */
import { type CheckOutcome, healthOf, isToBeAskedAgain } from "@/core/insights/broken/destination-health";
import { hostnameOf } from "@/core/names/hostname";
import { createBoundedMap } from "@/platform/bounded-map";
import { type Clock, steadyClock } from "@/platform/clock";
import { type Outbound, OutboundError, type OutboundReason } from "@/platform/outbound/outbound";

const CONNECT_MS = 5_000;
const TOTAL_MS = 10_000;
const REDIRECTS_MAX = 10;
const BODY_BYTES_MAX = 4 * 1024;
const KNOWN_MAX = 2_000;
const KNOWN_MS = 10 * 60_000;

/** Failures that say nothing to the link's owner: the URL cannot be reached from here, or we must not follow it. */
const INCONCLUSIVE: readonly OutboundReason[] = ["not_public", "bad_url", "redirects", "too_large"];

export interface AskOptions {
  outbound: Pick<Outbound, "request">;
  clock: Clock;
  /** Shown in the user agent, to say whom to contact about the requests. */
  serviceHost: string;
  /** Time for one URL, redirects included. Tests shorten it. */
  totalMs?: number;
}

/** Resolves to undefined if nothing can be concluded. Rejects if the signal aborts. */
export type AskDestination = (url: string, signal: AbortSignal) => Promise<CheckOutcome | undefined>;

export function createAsk({ outbound, clock, serviceHost, totalMs = TOTAL_MS }: AskOptions): AskDestination {
  const userAgent = `Mozilla/5.0 (compatible; Waymark-DestinationCheck/1.0; +https://${serviceHost})`;
  const steady = steadyClock(clock);
  const known = createBoundedMap<string, { at: number; outcome: CheckOutcome | undefined }>(KNOWN_MAX);
  /** Hosts that timed out, and when. */
  const silent = createBoundedMap<string, number>(KNOWN_MAX);
  const turns = new Map<string, Promise<unknown>>();

  async function answerOf(url: string, method: "HEAD" | "GET", signal: AbortSignal): Promise<number> {
    const { status } = await outbound.request(url, {
      method,
      headers: { "user-agent": userAgent, accept: "*/*" },
      redirectsMax: REDIRECTS_MAX,
      connectMs: CONNECT_MS,
      totalMs,
      bytesMax: BODY_BYTES_MAX,
      beyond: "cut",
      signal,
    });
    return status;
  }

  async function ask(url: string, signal: AbortSignal): Promise<CheckOutcome | undefined> {
    const head = await attempt(() => answerOf(url, "HEAD", signal), signal);
    const isSettled = "status" in head ? !isToBeAskedAgain(head.status) : isFinal(head.error);
    const answer = isSettled ? head : await attempt(() => answerOf(url, "GET", signal), signal);
    if ("error" in answer && answer.error.reason === "timeout") silent.set(hostnameOf(url), steady());
    return outcomeOf(answer);
  }

  async function remembered(url: string, signal: AbortSignal): Promise<CheckOutcome | undefined> {
    const before = known.get(url);
    if (before && steady() - before.at < KNOWN_MS) return before.outcome;
    if (steady() - (silent.get(hostnameOf(url)) ?? Number.NEGATIVE_INFINITY) < KNOWN_MS) return undefined;
    const outcome = await ask(url, signal);
    known.set(url, { at: steady(), outcome });
    return outcome;
  }

  return async (url, signal) => {
    const host = hostnameOf(url);
    const former = turns.get(host) ?? Promise.resolve();
    const turn = former.then(() => {
      signal.throwIfAborted();
      return remembered(url, signal);
    });
    // The next request to this host waits for this one, whatever its outcome.
    const settled = turn.then(
      () => {},
      () => {},
    );
    turns.set(host, settled);
    try {
      return await turn;
    } finally {
      if (turns.get(host) === settled) turns.delete(host);
    }
  };
}

type Attempt = { status: number } | { error: OutboundError };

async function attempt(request: () => Promise<number>, signal: AbortSignal): Promise<Attempt> {
  try {
    return { status: await request() };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof OutboundError) return { error };
    throw error;
  }
}

/** True if another method would fail in the same way. */
const isFinal = ({ reason }: OutboundError): boolean =>
  reason === "unresolved" || reason === "tls" || INCONCLUSIVE.includes(reason);

function outcomeOf(answer: Attempt): CheckOutcome | undefined {
  if ("status" in answer) return { status: healthOf(answer.status), httpStatus: answer.status, error: null };
  if (INCONCLUSIVE.includes(answer.error.reason)) return undefined;
  return { status: "unreachable", httpStatus: null, error: answer.error.message };
}
