/**
 * Overviews as they grow, to everyone who listens.
 *
 * All listeners of a workspace who filter by the same share one ticker, at the shortest interval any of them asked for: a tick reads one overview
 * and asks once whether they may all still see it, however many they are; each is served by the tick that comes nearest to
 * its own interval. Who begins gets the latest overview at once, unless it is older than their interval.
 *
 * States of a ticker: idle (not known here) → ticking, from the first listener to the last. Bounds: `listenersMax` a
 * workspace in this process, and `FILTERED_MAX` tickers under filters, each of which rests for longer than it reads, since
 * filters look at clicks one by one; one whose filters cannot be answered any more ends its streams. Of what a listener has not taken yet see `http/sse`, the overviews it misses are dropped.
 * A tick that fails (Postgres is away) is skipped, heartbeats go on. Nothing is kept that a crash could lose.
 */
import type { OverviewAnswer } from "@/contract/analytics/analytics";
import { FILTER_NAMES, type Filters } from "@/contract/analytics/analytics-filters";
import type { OrgId } from "@/core/ids";
import { HttpError, tooMany, unavailable } from "@/http/errors";
import {
  type EventStream,
  type EventStreamOptions,
  encodeEvent,
  encodeRetry,
  HEARTBEAT,
  openEventStream,
} from "@/http/sse";
import type { Clock } from "@/platform/clock";
import type { Log } from "@/platform/telemetry/log";
import { type Snapshot, Workspace } from "./stream-workspace";

/** Below the 15 s after which some proxies close what is silent. */
const HEARTBEAT_MS = 10_000;
const LISTENERS_MAX = 1_000;
const FILTERED_MAX = 10;
const FILTERED_REST_FACTOR = 4;
const RETRY_MS = 3_000;
const RETRY_WHEN_FULL_S = 30;

export interface OverviewStreamOptions {
  /** Of the default range. Throws 400 and 404 for filters that cannot be answered. */
  overview(orgId: OrgId, filters: Filters): Promise<OverviewAnswer>;
  /** Which of these sessions are in force and their users members. */
  membersAmong(orgId: OrgId, sessionIds: string[]): Promise<Set<string>>;
  clock: Clock;
  log: Log;
  /** Aborted when the service stops, or hands over: every stream ends, and no other begins. */
  ending: AbortSignal;
  heartbeatMs?: number;
  listenersMax?: number;
}

export interface Listening {
  orgId: OrgId;
  sessionId: string;
  intervalMs: number;
  hurry?: EventStreamOptions["hurry"];
}

export type OverviewStream = ReturnType<typeof createOverviewStream>;

export function createOverviewStream(options: OverviewStreamOptions) {
  const { ending, heartbeatMs = HEARTBEAT_MS, listenersMax = LISTENERS_MAX } = options;
  const tickers = new Map<string, Ticker>();
  let heartbeat: ReturnType<typeof setInterval> | undefined;

  ending.addEventListener("abort", () => {
    for (const { workspace } of tickers.values()) workspace.end("shutdown");
  });

  return {
    /** Throws 429 when the workspace has too many, 503 when the service is about to stop. */
    open: (listening: Listening): Response => open(listening, {}),

    /** The same under filters. Throws 400 and 404 for those that cannot be answered. */
    async openUnder(filters: Filters, listening: Listening): Promise<Response> {
      const { orgId } = listening;
      const isKnown = !isFiltered(filters) || tickers.has(keyOf(orgId, filters));
      if (ending.aborted || isKnown) return open(listening, filters);
      return open(listening, filters, await read(orgId, filters));
    },

    /** How many listen. */
    get size(): number {
      return sizeOf([...tickers.values()]);
    },
  };

  function open({ orgId, sessionId, intervalMs, hurry }: Listening, filters: Filters, latest?: Snapshot): Response {
    if (ending.aborted) throw unavailable("This server is about to stop; connect again");
    const ofWorkspace = [...tickers.values()].filter((ticker) => ticker.orgId === orgId);
    if (sizeOf(ofWorkspace) >= listenersMax) {
      throw tooMany(`This workspace has ${listenersMax} open streams, as many as it may`, RETRY_WHEN_FULL_S);
    }
    const key = keyOf(orgId, filters);
    const known = tickers.get(key);
    if (!known && isFiltered(filters) && ofWorkspace.filter((ticker) => ticker.isFiltered).length >= FILTERED_MAX) {
      throw tooMany(`This workspace streams under ${FILTERED_MAX} filters, as many as it may`, RETRY_WHEN_FULL_S);
    }
    const { workspace } = known ?? begin(key, orgId, filters, latest);
    const stream: EventStream = openEventStream({
      first: encodeRetry(RETRY_MS),
      closed: () => workspace.leave(listener),
      hurry,
    });
    const listener = { sessionId, intervalMs, stream, servedAt: Number.NEGATIVE_INFINITY };
    workspace.join(listener);
    return stream.response;
  }

  async function read(orgId: OrgId, filters: Filters): Promise<Snapshot> {
    const readAt = performance.now();
    return { message: eventOf(await options.overview(orgId, filters), options.clock()), readAt };
  }

  function begin(key: string, orgId: OrgId, filters: Filters, latest: Snapshot | undefined): Ticker {
    const workspace = new Workspace({
      read: async () => (await read(orgId, filters)).message,
      membersAmong: (sessionIds) => options.membersAmong(orgId, sessionIds),
      failed(error) {
        if (error instanceof HttpError && [400, 404].includes(error.status)) workspace.end("filters");
        else options.log.warn("a live overview is skipped", { orgId, error });
      },
      latest,
      restFactor: isFiltered(filters) ? FILTERED_REST_FACTOR : 0,
      emptied: () => forget(key),
    });
    const ticker = { orgId, workspace, isFiltered: isFiltered(filters) };
    tickers.set(key, ticker);
    heartbeat ??= setInterval(beat, heartbeatMs);
    return ticker;
  }

  function forget(key: string): void {
    tickers.delete(key);
    if (tickers.size > 0) return;
    clearInterval(heartbeat);
    heartbeat = undefined;
  }

  function beat(): void {
    for (const { workspace } of tickers.values()) workspace.send(HEARTBEAT);
  }
}

interface Ticker {
  orgId: OrgId;
  workspace: Workspace;
  isFiltered: boolean;
}

const sizeOf = (tickers: readonly Ticker[]): number => tickers.reduce((sum, { workspace }) => sum + workspace.size, 0);

const isFiltered = (filters: Filters): boolean => FILTER_NAMES.some((name) => filters[name] !== undefined);

/** The same for the same filters, however they were written. */
const keyOf = (orgId: OrgId, filters: Filters): string =>
  JSON.stringify([orgId, ...FILTER_NAMES.map((name) => filters[name]?.toSorted() ?? null)]);

/** Made once, for all who listen. */
const eventOf = (overview: OverviewAnswer, now: number) =>
  encodeEvent({ event: "snapshot", id: now, data: JSON.stringify(overview) });
