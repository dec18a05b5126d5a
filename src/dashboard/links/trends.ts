/** Loads the last week's clicks of the links in a list. Each loaded page makes one request. */
import { type UseQueryResult, useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, type Schemas, unwrap } from "../api/client";
import { useOrg } from "../shell/session";
import { useIsWide } from "../ui/wide";
import { useChunks } from "./chunks";
import type { Link } from "./queries";

const FRESH_MS = 60_000;

export type Trends = ReadonlyMap<string, readonly number[]>;

/**
 * Loads trends only on wide screens. A link whose trend cannot be loaded, for example because of a rate limit, is
 * absent.
 */
export function useTrends(links: readonly Link[]): Trends {
  const { _id: orgId } = useOrg();
  const isWide = useIsWide();
  const chunks = useChunks(useMemo(() => links.map(({ _id }) => _id), [links]));
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
