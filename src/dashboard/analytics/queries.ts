/** The API requests of the analytics screen: one overview covers nearly all of it. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "../api/client";
import { ApiFailure } from "../api/failures";
import { useOrg } from "../shell/session";
import { type FigureQuery, queryOf } from "./figure-query";

export type Overview = Schemas["AnalyticsOverview"];

/** Figures of a range change slowly and are expensive to read. */
const FRESH_MS = 30_000;
const common = { staleTime: FRESH_MS, placeholderData: keepPreviousData };

export function useOverview(asked: FigureQuery) {
  const { _id: orgId } = useOrg();
  const query = { ...queryOf(asked), compare: "previous" as const };
  return useQuery({
    ...common,
    queryKey: ["analytics", orgId, "overview", query],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/organizations/{orgId}/analytics/overview", { params: { path: { orgId }, query }, signal }),
      ),
  });
}

export function useTopLinks(asked: FigureQuery, limit: number) {
  const { _id: orgId } = useOrg();
  const query = { ...asked.range, ...asked.filters, limit };
  return useQuery({
    ...common,
    queryKey: ["analytics", orgId, "top-links", query],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/organizations/{orgId}/analytics/top-links", { params: { path: { orgId }, query }, signal }),
      ),
  });
}

export type BreakdownBy = Schemas["AnalyticsBreakdown"]["by"];
const ROWS_MAX = 1_000;

export function useBreakdown(asked: FigureQuery, by: BreakdownBy, enabled = true) {
  const { _id: orgId } = useOrg();
  const query = { ...queryOf(asked), by, limit: ROWS_MAX };
  return useQuery({
    enabled,
    staleTime: FRESH_MS,
    queryKey: ["analytics", orgId, "breakdown", query],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/organizations/{orgId}/analytics/breakdown", { params: { path: { orgId }, query }, signal }),
      ),
  });
}

export function exportUrl(orgId: string, asked: FigureQuery): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(queryOf(asked)))
    for (const each of [value].flat()) query.append(name, String(each));
  return `/app/api/v1/organizations/${orgId}/analytics/export.csv?${query}`;
}

/** Returns the seconds that the plan's rate limit delays a request, or undefined without a limit. */
export const waitSecondsOf = (reason: unknown): number | undefined =>
  reason instanceof ApiFailure && reason.status === 429 ? reason.retryAfterSeconds : undefined;
