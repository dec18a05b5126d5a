/**
 * Overviews as they grow, to everyone who listens.
 *
 * All listeners of a workspace share one ticker, at the shortest interval any of them asked for: a tick reads one overview
 * and asks once whether they may all still see it, however many they are; each is served by the tick that comes nearest to
 * its own interval. Who begins gets the latest overview at once, unless it is older than their interval.
 *
 * States of a workspace: idle (not known here) → ticking, from the first listener to the last. Bounds: `listenersMax`
 * a workspace in this process; of what a listener has not taken yet see `http/sse`, the overviews it misses are dropped.
 * A tick that fails (Postgres is away) is skipped, heartbeats go on. Nothing is kept that a crash could lose.
 */
import type { AnalyticsOverview } from "@/contract/analytics";
import type { OrgId } from "@/core/ids";
import { tooMany, unavailable } from "@/http/errors";
import {
  type EventStream,
  type EventStreamOptions,
  encodeEvent,
  encodeRetry,
  HEARTBEAT,
  openEventStream,
} from "@/http/sse";
import type { Clock } from "@/platform/clock";
import type { Log } from "@/platform/log";
import { Workspace } from "./stream-workspace";

/** Below the 15 s after which some proxies close what is silent. */
const HEARTBEAT_MS = 10_000;
const LISTENERS_MAX = 1_000;
const RETRY_MS = 3_000;
const RETRY_WHEN_FULL_S = 30;

export interface OverviewStreamOptions {
  /** Of the default range. */
  overview(orgId: OrgId): Promise<AnalyticsOverview>;
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
  const workspaces = new Map<OrgId, Workspace>();
  let heartbeat: ReturnType<typeof setInterval> | undefined;

  ending.addEventListener("abort", () => {
    for (const workspace of workspaces.values()) workspace.end("shutdown");
  });

  return {
    /** Throws 429 when the workspace has too many, 503 when the service is about to stop. */
    open({ orgId, sessionId, intervalMs, hurry }: Listening): Response {
      if (ending.aborted) throw unavailable("This server is about to stop; connect again");
      const workspace = workspaces.get(orgId) ?? begin(orgId);
      if (workspace.size >= listenersMax) {
        throw tooMany(`This workspace has ${listenersMax} open streams, as many as it may`, RETRY_WHEN_FULL_S);
      }
      const stream: EventStream = openEventStream({
        first: encodeRetry(RETRY_MS),
        closed: () => workspace.leave(listener),
        hurry,
      });
      const listener = { sessionId, intervalMs, stream, servedAt: Number.NEGATIVE_INFINITY };
      workspace.join(listener);
      return stream.response;
    },

    /** How many listen. */
    get size(): number {
      return [...workspaces.values()].reduce((sum, { size }) => sum + size, 0);
    },
  };

  function begin(orgId: OrgId): Workspace {
    const workspace = new Workspace({
      read: async () => eventOf(await options.overview(orgId), options.clock()),
      membersAmong: (sessionIds) => options.membersAmong(orgId, sessionIds),
      failed: (error) => options.log.warn("a live overview is skipped", { orgId, error }),
      emptied: () => forget(orgId),
    });
    workspaces.set(orgId, workspace);
    heartbeat ??= setInterval(beat, heartbeatMs);
    return workspace;
  }

  function forget(orgId: OrgId): void {
    workspaces.delete(orgId);
    if (workspaces.size > 0) return;
    clearInterval(heartbeat);
    heartbeat = undefined;
  }

  function beat(): void {
    for (const workspace of workspaces.values()) workspace.send(HEARTBEAT);
  }
}

/** Made once, for all who listen. */
const eventOf = (overview: AnalyticsOverview, now: number) =>
  encodeEvent({ event: "snapshot", id: now, data: JSON.stringify(overview) });
