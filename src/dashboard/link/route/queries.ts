/** The API requests of the route tab: previews, values seen in clicks, and the clicks themselves. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { DAY_MS } from "@/core/time/time-range";
import { useChange } from "@/dashboard/api/changes";
import { api, type Schemas, unwrap } from "@/dashboard/api/client";
import type { Link } from "@/dashboard/links/queries";
import { useDebounced } from "@/dashboard/shell/debounced";
import { useOrg } from "@/dashboard/shell/session";
import type { SeenBy } from "./conditions";
import { bodyOf, isWhole, type RouteDraft } from "./draft";
import { contextOf, type Visitor } from "./visitor";

const TYPED_MS = 250;
const SEEN_DAYS = 90;
const SEEN_MAX = 30;
const CLICKS_MAX = 20;
/** Figures of a link need not be more recent than this while it is edited. */
export const FIGURES_STALE_MS = 60_000;

type Previewed = Schemas["PreviewOutcome"];
export type TracedRule = Previewed["ruleTrace"][number];

/**
 * A visitor's outcome, with the trace of each rule by the rule's id, because rules may move before the next response.
 */
export interface Outcome extends Previewed {
  traces: ReadonlyMap<string, TracedRule>;
  /** The rule that decided. */
  ruleId: string | undefined;
}

const judgedOf = (outcome: Previewed, ids: readonly string[]): Outcome => ({
  ...outcome,
  traces: new Map(outcome.ruleTrace.map((trace) => [ids[trace.index] ?? "", trace])),
  ruleId: ids[outcome.route.ruleIndex ?? -1],
});

/** Previews the draft's outcome for each visitor, shortly after the last input. */
export function usePreview(link: Link, draft: RouteDraft, visitors: readonly Visitor[]) {
  const { _id: orgId } = useOrg();
  const ids = draft.rules.map(({ id }) => id);
  const described = { ids, link: bodyOf(draft), contexts: visitors.map(contextOf) };
  const body = useDebounced(isWhole(draft) ? JSON.stringify(described) : "", TYPED_MS);
  return useQuery({
    queryKey: ["links", orgId, "preview", link._id, link.updatedAt, body],
    enabled: body !== "",
    placeholderData: keepPreviousData,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const { ids, ...described } = JSON.parse(body);
      const { contexts } = await unwrap(
        api.POST("/api/v1/organizations/{orgId}/links/preview", {
          params: { path: { orgId } },
          body: { shortUrl: link.shortUrl, ...described },
          signal,
        }),
      );
      return contexts?.map((outcome) => judgedOf(outcome, ids)) ?? [];
    },
  });
}

/** Rounded down to the hour, so that repeated requests are equal. */
const daysAgo = (days: number): string =>
  `${new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 13)}:00:00.000Z`;

const NOTHING_KNOWN = ["unknown", "none", "other"];

/** Returns the values seen in clicks, most frequent first. */
export function useSeen(by: SeenBy | undefined, linkId: string): string[] {
  const { _id: orgId } = useOrg();
  const from = daysAgo(SEEN_DAYS);
  const { data } = useQuery({
    queryKey: ["analytics", orgId, "breakdown", by, linkId, from],
    enabled: by !== undefined,
    staleTime: FIGURES_STALE_MS,
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/organizations/{orgId}/analytics/breakdown", {
          params: { path: { orgId }, query: { by: by ?? "rule", linkId, from, limit: SEEN_MAX } },
          signal,
        }),
      ),
  });
  return (data?.rows ?? [])
    .filter((row) => !row.isOther && !NOTHING_KNOWN.includes(row.value))
    .map(({ value }) => value);
}

export function useRecentClicks(linkId: string, isWanted: boolean) {
  const { _id: orgId } = useOrg();
  return useQuery({
    queryKey: ["analytics", orgId, "clicks", linkId],
    enabled: isWanted,
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/organizations/{orgId}/analytics/clicks", {
          params: { path: { orgId }, query: { linkId, limit: CLICKS_MAX } },
          signal,
        }),
      ),
  });
}

export function useReadClick() {
  const { _id: orgId } = useOrg();
  return useChange({
    mutationFn: (clickId: string) =>
      unwrap(
        api.GET("/api/v1/organizations/{orgId}/analytics/clicks/{clickId}", { params: { path: { orgId, clickId } } }),
      ),
  });
}
