/** What the tab asks of the API: what a visitor would get, what was seen of the link, and its route as it is saved. */
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, ask, type Schemas } from "@/dashboard/api/client";
import type { Link } from "@/dashboard/links/queries";
import { useOrg } from "@/dashboard/shell/session";
import type { SeenBy } from "./conditions";
import { bodyOf, isWhole, type RouteDraft } from "./draft";
import { contextOf, type Visitor } from "./visitor";

const TYPED_MS = 250;
const DAY_MS = 86_400_000;
const SEEN_DAYS = 90;
const SHARE_DAYS = 7;
const SEEN_MAX = 30;
const CLICKS_MAX = 20;
/** Figures of a link need not be newer while somebody edits it. */
const FIGURES_STALE_MS = 60_000;

type Previewed = Schemas["PreviewOutcome"];
export type TracedRule = Previewed["ruleTrace"][number];

/** What a visitor gets, and what each rule had to do with it by its id: rules may move before the next answer. */
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

/** What each visitor would get of what is typed, a moment after the last letter. */
export function usePreview(link: Link, draft: RouteDraft, visitors: readonly Visitor[]) {
  const { _id: orgId } = useOrg();
  const ids = draft.rules.map(({ id }) => id);
  const described = { ids, link: bodyOf(draft), contexts: visitors.map(contextOf) };
  const body = useLater(isWhole(draft) ? JSON.stringify(described) : "");
  return useQuery({
    queryKey: ["links", orgId, "preview", link._id, link.updatedAt, body],
    enabled: body !== "",
    placeholderData: keepPreviousData,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const { ids, ...described } = JSON.parse(body);
      const { contexts } = await ask(
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

function useLater(value: string): string {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), TYPED_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return later;
}

function useBreakdown(by: SeenBy | undefined, linkId: string, from: string, isWanted: boolean) {
  const { _id: orgId } = useOrg();
  return useQuery({
    queryKey: ["analytics", orgId, "breakdown", by, linkId, from],
    enabled: isWanted && by !== undefined,
    staleTime: FIGURES_STALE_MS,
    queryFn: ({ signal }) =>
      ask(
        api.GET("/api/v1/organizations/{orgId}/analytics/breakdown", {
          params: { path: { orgId }, query: { by: by ?? "rule", linkId, from, limit: SEEN_MAX } },
          signal,
        }),
      ),
  });
}

/** Begins with an hour, so that what is asked again is asked alike. */
const daysAgo = (days: number): string =>
  `${new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 13)}:00:00.000Z`;

const NOTHING_KNOWN = ["unknown", "none", "other"];

/** The most frequent first. */
export function useSeen(by: SeenBy | undefined, linkId: string): string[] {
  const { data } = useBreakdown(by, linkId, daysAgo(SEEN_DAYS), true);
  return (data?.rows ?? [])
    .filter((row) => !row.isOther && !NOTHING_KNOWN.includes(row.value))
    .map(({ value }) => value);
}

interface Shares {
  total: number;
  /** By the position of a rule in the saved link. */
  of: ReadonlyMap<string, number>;
  isSinceChange: boolean;
}

/** Clicks tell the position of their rule, which means the rule that is there now only since the link was changed last. */
export function useShares({ _id, updatedAt, rules }: Link): Shares | undefined {
  const week = daysAgo(SHARE_DAYS);
  const isSinceChange = updatedAt > week;
  const { data } = useBreakdown("rule", _id, isSinceChange ? updatedAt : week, rules.length > 0);
  if (!data || data.totalClicks === 0) return undefined;
  return { total: data.totalClicks, of: new Map(data.rows.map(({ value, count }) => [value, count])), isSinceChange };
}

export function useRecentClicks(linkId: string, isWanted: boolean) {
  const { _id: orgId } = useOrg();
  return useQuery({
    queryKey: ["analytics", orgId, "clicks", linkId],
    enabled: isWanted,
    queryFn: ({ signal }) =>
      ask(
        api.GET("/api/v1/organizations/{orgId}/analytics/clicks", {
          params: { path: { orgId }, query: { linkId, limit: CLICKS_MAX } },
          signal,
        }),
      ),
  });
}

export function useReadClick() {
  const { _id: orgId } = useOrg();
  return useMutation({
    mutationFn: (clickId: string) =>
      ask(
        api.GET("/api/v1/organizations/{orgId}/analytics/clicks/{clickId}", { params: { path: { orgId, clickId } } }),
      ),
  });
}
