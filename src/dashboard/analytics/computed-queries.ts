/** Queries for computed analytics; each card makes its own request. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, ask } from "../api/client";
import { useOrg } from "../shell/session";
import type { Asked } from "./asked";
import { computedLink } from "./computed-links";

/** Expensive to compute, and based on whole hours and days. */
const FRESH_MS = 300_000;

type Asking = {
  params: { path: { orgId: string }; query: { from: string; to?: string; linkId?: string; includeBots?: boolean } };
  signal: AbortSignal;
};

function useComputed<Data>(name: string, asked: Asked, read: (asking: Asking) => Promise<Data>) {
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

export const useInsights = (asked: Asked) =>
  useComputed("insights", asked, (init) => ask(api.GET("/api/v1/organizations/{orgId}/analytics/insights", init)));

export const useAnomalies = (asked: Asked) =>
  useComputed("anomalies", asked, (init) => ask(api.GET("/api/v1/organizations/{orgId}/analytics/anomalies", init)));

export const useBrokenCampaigns = (asked: Asked) =>
  useComputed("broken-campaigns", asked, (init) =>
    ask(api.GET("/api/v1/organizations/{orgId}/analytics/broken-campaigns", init)),
  );

export const useBestDestination = (asked: Asked) =>
  useComputed("best-destination", asked, (init) =>
    ask(api.GET("/api/v1/organizations/{orgId}/analytics/best-destination", init)),
  );

export const usePrediction = (asked: Asked) =>
  useComputed("conversion-prediction", asked, (init) =>
    ask(api.GET("/api/v1/organizations/{orgId}/analytics/conversion-prediction", init)),
  );

export const useUnserved = (asked: Asked) =>
  useComputed("unserved", asked, (init) => ask(api.GET("/api/v1/organizations/{orgId}/analytics/unserved", init)));
