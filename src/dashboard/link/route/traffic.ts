/** Estimates how the draft's rules would have routed the link's real clicks. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "@/dashboard/api/client";
import type { Link } from "@/dashboard/links/queries";
import { useDebounced } from "@/dashboard/shell/debounced";
import { useOrg } from "@/dashboard/shell/session";
import { percentText } from "@/dashboard/ui/format";
import { bodyOf, type RouteDraft } from "./draft";
import { FIGURES_STALE_MS } from "./queries";
import { linkRouteWords as words } from "./words";

/** Longer than for one simulated visitor, because this evaluates thousands. */
const TYPED_MS = 600;

/** Shares of the clicks in words; undefined if there are no clicks or no response yet. */
export interface Traffic {
  ofRule(id: string): string | undefined;
  ofTarget(key: string): string | undefined;
  default: string | undefined;
  store: string | undefined;
  unknown: string | undefined;
}

export function useTraffic(link: Link, draft: RouteDraft, isSound: boolean): Traffic {
  const { _id: orgId } = useOrg();
  const described = { ids: draft.rules.map(({ id }) => id), link: bodyOf(draft) };
  const body = useDebounced(isSound ? JSON.stringify(described) : "", TYPED_MS);
  const { data } = useQuery({
    queryKey: ["analytics", orgId, "traffic", link._id, link.updatedAt, body],
    enabled: body !== "",
    placeholderData: keepPreviousData,
    staleTime: FIGURES_STALE_MS,
    queryFn: async ({ signal }) => {
      const { ids, ...asked } = JSON.parse(body);
      const traffic = await unwrap(
        api.POST("/api/v1/organizations/{orgId}/links/{linkId}/preview/traffic", {
          params: { path: { orgId, linkId: link._id } },
          body: asked,
          signal,
        }),
      );
      return { ids, traffic };
    },
  });
  return trafficOf(data?.traffic, data?.ids ?? []);
}

type Outcome = Schemas["TrafficPreview"]["outcomes"][number];

function trafficOf(answer: Schemas["TrafficPreview"] | undefined, ids: readonly string[]): Traffic {
  const { traffic } = words.route;
  const isEstimate = answer?.method === "sample";
  const textOf = (share: number) =>
    isEstimate ? traffic.about(wholePercent(share)) : traffic.share(percentText(share));
  const told = (isIt: (outcome: Outcome) => boolean) => {
    const outcome = answer && answer.evaluated > 0 ? answer.outcomes.find(isIt) : undefined;
    return outcome && textOf(outcome.share);
  };
  const store = answer?.outcomes.find(({ kind }) => kind === "store");
  return {
    ofRule: (id) => told(({ ruleIndex }) => ruleIndex !== null && ids[ruleIndex] === id),
    ofTarget: (key) => told(({ splitKey }) => splitKey === key),
    default: told(({ kind }) => kind === "default"),
    store: store && store.count > 0 ? traffic.store(wholePercent(store.share)) : undefined,
    unknown: answer && answer.unknown.count > 0 ? traffic.unknown(wholePercent(answer.unknown.share)) : undefined,
  };
}

const wholePercent = (share: number): string => percentText(Math.round(share * 100) / 100);
