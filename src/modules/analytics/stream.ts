/**
 * Streams live overviews to listeners.
 *
 * All listeners of a workspace with the same filters share one ticker, which runs at the shortest interval that any
 * of them requested. A tick reads one overview and checks access for all of them with one query, however many they
 * are. Each listener is served by the tick nearest to its own interval. A new listener immediately gets the latest
 * overview, unless that is older than the listener's interval and the ticker does not rest.
 *
 * States of a ticker: idle (absent from the map) → opening, while the overview under its filters is first read and
 * all who ask for it wait for that read (without filters it ticks at once) → ticking, from the first listener to the
 * last. Bounds: `listenersMax` listeners per workspace in this process, and `FILTERED_MAX` filtered tickers per
 * workspace, opening ones included; whoever is beyond them is refused before anything is read for them. A
 * filtered ticker rests for longer than it reads, since filters examine clicks one by one; it ends its streams once
 * its filters can no longer be answered. A listener that falls behind misses overviews; `http/sse` bounds what waits
 * for it. A tick that fails (because Postgres is unreachable) is skipped, and heartbeats continue. A crash loses
 * nothing, because nothing is stored.
 */
import { FILTER_NAMES, type Filters } from "@/contract/analytics/analytics-filters";
import type { OverviewAnswer } from "@/contract/analytics/overview";
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
import { asRequest, readsFiguresOf } from "@/platform/db/connection/request-queue";
import type { Log } from "@/platform/telemetry/log";
import { type Snapshot, Workspace } from "./stream-workspace";

/** Stays below the 15 s after which some proxies close silent connections. */
const HEARTBEAT_MS = 10_000;
const LISTENERS_MAX = 1_000;
const FILTERED_MAX = 10;
const FILTERED_REST_FACTOR = 4;
const RETRY_MS = 3_000;
const RETRY_WHEN_FULL_S = 30;

export interface OverviewStreamOptions {
  /** Returns the overview of the default range. Throws 400 or 404 for filters that cannot be answered. */
  overview(orgId: OrgId, filters: Filters): Promise<OverviewAnswer>;
  /** Returns those of these sessions and access tokens that are valid and belong to members of the organization. */
  membersAmong(orgId: OrgId, credentialIds: string[]): Promise<Set<string>>;
  clock: Clock;
  log: Log;
  /** Aborted when the service stops or hands over: every stream ends, and no new one starts. */
  ending: AbortSignal;
  heartbeatMs?: number;
  listenersMax?: number;
}

export interface StreamListening {
  orgId: OrgId;
  credentialId: string;
  intervalMs: number;
  hurry?: EventStreamOptions["hurry"];
}

export class OverviewStream {
  readonly #options: OverviewStreamOptions;
  readonly #tickers = new Map<string, Ticker>();
  readonly #opening = new Map<string, Opening>();
  #heartbeat: Timer | undefined;

  constructor(options: OverviewStreamOptions) {
    this.#options = options;
    options.ending.addEventListener("abort", () => {
      for (const { workspace } of this.#tickers.values()) workspace.end("shutdown");
    });
  }

  /** Throws 429 if the workspace has too many streams, 503 if the service is shutting down. */
  open(listening: StreamListening): Response {
    return this.#open(listening, {});
  }

  /** Opens a stream with filters. Throws as `open` does, and 400 or 404 for filters that cannot be answered. */
  async openUnder(filters: Filters, listening: StreamListening): Promise<Response> {
    const { orgId } = listening;
    const key = keyOf(orgId, filters);
    if (!isFiltered(filters) || this.#tickers.has(key)) return this.#open(listening, filters);
    this.#admit(orgId, key, filters);
    const opening = this.#opening.get(key) ?? { orgId, snapshot: this.#read(orgId, filters) };
    this.#opening.set(key, opening);
    try {
      return this.#open(listening, filters, await opening.snapshot);
    } finally {
      if (this.#opening.get(key) === opening) this.#opening.delete(key);
    }
  }

  /** Number of open streams. */
  get size(): number {
    return sizeOf([...this.#tickers.values()]);
  }

  /** Throws 429 or 503 unless another listener can be served. */
  #admit(orgId: OrgId, key: string, filters: Filters): void {
    const { ending, listenersMax = LISTENERS_MAX } = this.#options;
    if (ending.aborted) throw unavailable("This server is shutting down; connect again");
    const ofWorkspace = [...this.#tickers.values()].filter((ticker) => ticker.orgId === orgId);
    if (sizeOf(ofWorkspace) >= listenersMax) {
      throw tooMany(`This organization has reached its limit of ${listenersMax} open streams`, RETRY_WHEN_FULL_S);
    }
    if (isFiltered(filters) && this.#otherFilters(orgId, key) >= FILTERED_MAX) {
      throw tooMany(
        `This organization has reached its limit of ${FILTERED_MAX} filters for open streams`,
        RETRY_WHEN_FULL_S,
      );
    }
  }

  #otherFilters(orgId: OrgId, key: string): number {
    const filtered = [...this.#tickers].filter(([, ticker]) => ticker.isFiltered);
    const keys = [...filtered, ...this.#opening].filter(([, { orgId: of }]) => of === orgId).map(([known]) => known);
    return new Set(keys).difference(new Set([key])).size;
  }

  #open({ orgId, credentialId, intervalMs, hurry }: StreamListening, filters: Filters, latest?: Snapshot): Response {
    const key = keyOf(orgId, filters);
    this.#admit(orgId, key, filters);
    const { workspace } = this.#tickers.get(key) ?? this.#begin(key, orgId, filters, latest);
    const stream: EventStream = openEventStream({
      first: encodeRetry(RETRY_MS),
      closed: () => workspace.leave(listener),
      hurry,
    });
    const listener = { credentialId, intervalMs, stream, servedAt: Number.NEGATIVE_INFINITY };
    workspace.join(listener);
    return stream.response;
  }

  async #read(orgId: OrgId, filters: Filters): Promise<Snapshot> {
    const readAt = performance.now();
    const { overview, clock } = this.#options;
    const read = await forListeners(orgId, () => overview(orgId, filters));
    return { message: eventOf(read, clock()), readAt };
  }

  #begin(key: string, orgId: OrgId, filters: Filters, latest: Snapshot | undefined): Ticker {
    const { membersAmong, log, heartbeatMs = HEARTBEAT_MS } = this.#options;
    const workspace = new Workspace({
      read: async () => (await this.#read(orgId, filters)).message,
      membersAmong: (credentialIds) => forListeners(orgId, () => membersAmong(orgId, credentialIds)),
      failed(error) {
        if (error instanceof HttpError && [400, 404].includes(error.status)) workspace.end("filters");
        else log.warn("skipped a live overview", { orgId, error });
      },
      latest,
      restFactor: isFiltered(filters) ? FILTERED_REST_FACTOR : 0,
      emptied: () => this.#forget(key),
    });
    const ticker = { orgId, workspace, isFiltered: isFiltered(filters) };
    this.#tickers.set(key, ticker);
    this.#heartbeat ??= setInterval(() => this.#beat(), heartbeatMs);
    return ticker;
  }

  #forget(key: string): void {
    this.#tickers.delete(key);
    if (this.#tickers.size > 0) return;
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
  }

  #beat(): void {
    for (const { workspace } of this.#tickers.values()) workspace.send(HEARTBEAT);
  }
}

/** The first read under new filters. */
interface Opening {
  orgId: OrgId;
  snapshot: Promise<Snapshot>;
}

interface Ticker {
  orgId: OrgId;
  workspace: Workspace;
  isFiltered: boolean;
}

const sizeOf = (tickers: readonly Ticker[]): number => tickers.reduce((sum, { workspace }) => sum + workspace.size, 0);

const isFiltered = (filters: Filters): boolean => FILTER_NAMES.some((name) => filters[name] !== undefined);

/** Returns the same key for the same filters, in whatever order their values are written. */
const keyOf = (orgId: OrgId, filters: Filters): string =>
  JSON.stringify([orgId, ...FILTER_NAMES.map((name) => filters[name]?.toSorted() ?? null)]);

/**
 * Reads for all listeners, as a request of its own: that of a listener, who may leave, would be served before what is
 * new.
 */
const forListeners = <Result>(orgId: OrgId, read: () => Promise<Result>): Promise<Result> =>
  asRequest(new AbortController().signal, () => {
    readsFiguresOf(orgId);
    return read();
  });

/** Encodes the event once for all listeners. */
const eventOf = (overview: OverviewAnswer, now: number) =>
  encodeEvent({ event: "snapshot", id: now, data: JSON.stringify(overview) });
