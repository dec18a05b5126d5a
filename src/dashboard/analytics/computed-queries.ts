/** Queries for computed analytics; each card makes its own request. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../api/client";
import { useOrg } from "../shell/session";
import { computedLink } from "./computed-links";
import type { FigureQuery } from "./figure-query";

/** Expensive to compute, and based on whole hours and days. */
const FRESH_MS = 300_000;

type Asking = {
  params: { path: { orgId: string }; query: { from: string; to?: string; linkId?: string; includeBots?: boolean } };
  signal: AbortSignal;
};

function useComputed<Data>(name: string, asked: FigureQuery, read: (asking: Asking) => Promise<Data>) {
  const { _id: orgId } = useOrg();
  const linkId = computedLink(asked);
  const query = { ...asked.range, ...(linkId && { linkId }), ...(asked.includeBots && { includeBots: true }) };
  return useQuery({
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
    queryKey: ["analytics", orgId, name, query],
    queryFn: ({ signal }) => read({ params: { path: { orgId }, query }, signal }),
  });
}

export const useInsights = (asked: FigureQuery) =>
  useComputed("insights", asked, (init) => unwrap(api.GET("/api/v1/organizations/{orgId}/analytics/insights", init)));

export const useAnomalies = (asked: FigureQuery) =>
  useComputed("anomalies", asked, (init) => unwrap(api.GET("/api/v1/organizations/{orgId}/analytics/anomalies", init)));

export const useBrokenCampaigns = (asked: FigureQuery) =>
  useComputed("broken-campaigns", asked, (init) =>
    unwrap(api.GET("/api/v1/organizations/{orgId}/analytics/broken-campaigns", init)),
  );

export const useBestDestination = (asked: FigureQuery) =>
  useComputed("best-destination", asked, (init) =>
    unwrap(api.GET("/api/v1/organizations/{orgId}/analytics/best-destination", init)),
  );

export const usePrediction = (asked: FigureQuery) =>
  useComputed("conversion-prediction", asked, (init) =>
    unwrap(api.GET("/api/v1/organizations/{orgId}/analytics/conversion-prediction", init)),
  );

export const useUnserved = (asked: FigureQuery) =>
  useComputed("unserved", asked, (init) => unwrap(api.GET("/api/v1/organizations/{orgId}/analytics/unserved", init)));
