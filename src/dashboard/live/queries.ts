/** Polls the latest visits. Known visits are kept, so that only new ones are read. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { api, type Schemas, unwrap } from "../api/client";
import { ApiFailure, isForLong } from "../api/failures";
import { useOrg } from "../shell/session";

export type Click = Schemas["Click"];

const VISITS_MAX = 200;
const EVERY_MS = 3_000;
const EVERY_MS_MAX = 30_000;
/** Page sizes: of the first request, and of those for visits since then. */
const FIRST = 100;
const NEXT = 25;
const PAGES_MAX = VISITS_MAX / NEXT;

const isLimit = (error: unknown): error is ApiFailure => error instanceof ApiFailure && error.status === 429;

export function useLatest({ isPaused, includeBots }: { isPaused: boolean; includeBots: boolean }) {
  const { _id: orgId } = useOrg();
  const client = useQueryClient();
  // Poll less often after a rate limit, because the same interval would reach it again.
  const everyMs = useRef(EVERY_MS);
  const queryKey = ["clicks", orgId, "latest", includeBots];
  return useQuery<Click[]>({
    queryKey,
    // With or without bots, what was never read is read once, even while paused.
    enabled: ({ state }) => !isPaused || state.data === undefined,
    retry: false,
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const known = client.getQueryData<Click[]>(queryKey) ?? [];
      try {
        return latestOf(await readSince(known, { orgId, includeBots, signal }), known);
      } catch (error) {
        if (isLimit(error)) everyMs.current = Math.min(EVERY_MS_MAX, everyMs.current * 2);
        throw error;
      }
    },
    refetchInterval({ state: { error } }) {
      if (isForLong(error)) return false;
      return isLimit(error) && error.retryAfterSeconds ? error.retryAfterSeconds * 1_000 : everyMs.current;
    },
  });
}

interface Reading {
  orgId: string;
  includeBots: boolean;
  signal: AbortSignal;
}

async function readSince(known: readonly Click[], { orgId, includeBots, signal }: Reading): Promise<Click[]> {
  const ids = new Set(known.map(({ _id }) => _id));
  const read: Click[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX && read.length < VISITS_MAX; page++) {
    const query = { limit: ids.size > 0 ? NEXT : FIRST, includeBots, cursor };
    const { clicks, nextCursor } = await unwrap(
      api.GET("/api/v1/organizations/{orgId}/analytics/clicks", { params: { path: { orgId }, query }, signal }),
    );
    read.push(...clicks);
    if (nextCursor === null || clicks.some(({ _id }) => ids.has(_id))) break;
    cursor = nextCursor;
  }
  return read;
}

function latestOf(read: readonly Click[], known: readonly Click[]): Click[] {
  const byId = new Map([...known, ...read].map((click) => [click._id, click]));
  return [...byId.values()]
    .sort((a, b) => (a.occurredAt < b.occurredAt ? 1 : a.occurredAt > b.occurredAt ? -1 : 0))
    .slice(0, VISITS_MAX);
}

export function useClick(clickId: string) {
  const { _id: orgId } = useOrg();
  return useQuery({
    queryKey: ["clicks", orgId, "one", clickId],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/organizations/{orgId}/analytics/clicks/{clickId}", {
          params: { path: { orgId, clickId } },
          signal,
        }),
      ),
  });
}

/** Returns the seconds that the plan's rate limit delays the next request; undefined if nothing is requested then. */
export const pauseSecondsOf = (error: unknown): number | undefined =>
  isLimit(error) && !isForLong(error) ? error.retryAfterSeconds : undefined;
