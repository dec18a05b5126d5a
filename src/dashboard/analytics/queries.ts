/** The API requests of the analytics screen: one overview covers nearly all of it. */
import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { DAY_MS } from "@/core/time/time-range";
import { api, type Schemas, unwrap } from "../api/client";
import { ApiFailure } from "../api/failures";
import { useOrg } from "../shell/session";
import { type FigureQuery, queryOf } from "./figure-query";

export type Overview = Schemas["AnalyticsOverview"];

/** Figures of a range change slowly and are expensive to read. */
const FRESH_MS = 30_000;
const common = { staleTime: FRESH_MS, placeholderData: keepPreviousData };

/** Asks for the figures with those of the range before, or without them if only those cannot be counted. */
export function useOverview(asked: FigureQuery) {
  const { _id: orgId } = useOrg();
  const query = queryOf(asked);
  const read = (signal: AbortSignal, compare: { compare?: "previous" }) =>
    unwrap(
      api.GET("/api/v1/organizations/{orgId}/analytics/overview", {
        params: { path: { orgId }, query: { ...query, ...compare } },
        signal,
      }),
    );
  return useQuery({
    ...common,
    queryKey: ["analytics", orgId, "overview", query],
    queryFn: ({ signal }) =>
      read(signal, { compare: "previous" }).catch((error: unknown) => {
        if (isOfPrevious(error)) return read(signal, {});
        throw error;
      }),
  });
}

/** With several filters, clicks are examined one by one: those of the range before may be deleted, or too many. */
const isOfPrevious = (error: unknown): boolean =>
  error instanceof ApiFailure &&
  error.status === 400 &&
  error.details.length > 0 &&
  error.details.every((detail) => detail.startsWith("compare: "));

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

const YEAR_MS = 365 * DAY_MS;

/** A deleted link is known by its clicks alone: null if it had none in the last year. */
export function useDeletedLink(linkId: string | undefined) {
  const { _id: orgId } = useOrg();
  return useQuery({
    queryKey: ["analytics", orgId, "deleted-link", linkId],
    staleTime: FRESH_MS,
    queryFn:
      linkId === undefined
        ? skipToken
        : async ({ signal }) => {
            const query = { from: new Date(Date.now() - YEAR_MS).toISOString(), linkId: [linkId], limit: 1 };
            const { links } = await unwrap(
              api.GET("/api/v1/organizations/{orgId}/analytics/top-links", {
                params: { path: { orgId }, query },
                signal,
              }),
            );
            return links[0] ?? null;
          },
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
