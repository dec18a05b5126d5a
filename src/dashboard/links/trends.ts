/**
 * Loads the last week's clicks of the links in a list. Each loaded page makes one request. Links that appear later
 * make a request of their own, so that the data already shown stays valid.
 */
import { type UseQueryResult, useQueries } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { api, type Schemas, unwrap } from "../api/client";
import { useOrg } from "../shell/session";
import { useIsWide } from "../ui/wide";
import type { Link } from "./queries";

/** Limit of the API. */
const LINKS_MAX = 100;
const FRESH_MS = 60_000;

export type Trends = ReadonlyMap<string, readonly number[]>;

/**
 * Loads trends only on wide screens. A link whose trend cannot be loaded, for example because of a rate limit, is
 * absent.
 */
export function useTrends(links: readonly Link[]): Trends {
  const { _id: orgId } = useOrg();
  const isWide = useIsWide();
  const chunks = useChunks(links);
  return useQueries({
    queries: chunks.map((linkId) => ({
      queryKey: ["trends", orgId, linkId],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        unwrap(
          api.GET("/api/v1/organizations/{orgId}/analytics/trends", {
            params: { path: { orgId }, query: { linkId } },
            signal,
          }),
        ),
      enabled: isWide,
      retry: false,
      staleTime: FRESH_MS,
      refetchOnWindowFocus: false,
    })),
    combine: byLink,
  });
}

const byLink = (answers: UseQueryResult<Schemas["LinkTrends"]>[]): Trends =>
  new Map(answers.flatMap(({ data }) => data?.links ?? []).map(({ linkId, clicks }) => [linkId, clicks]));

/**
 * Groups links into requests. A group is dropped when new links arrive and none of its own are in the list any more.
 */
function useChunks(links: readonly Link[]): readonly string[][] {
  const [chunks, setChunks] = useState<readonly string[][]>([]);
  const added = useMemo(() => {
    const asked = new Set(chunks.flat());
    return links.map(({ _id }) => _id).filter((id) => !asked.has(id));
  }, [chunks, links]);
  if (added.length === 0) return chunks;
  const shown = new Set(links.map(({ _id }) => _id));
  const next = [...chunks.filter((ids) => ids.some((id) => shown.has(id))), ...chunked(added)];
  setChunks(next);
  return next;
}

const chunked = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / LINKS_MAX) }, (_, index) =>
    ids.slice(index * LINKS_MAX, (index + 1) * LINKS_MAX),
  );
