/** Reads what all computed insights start from: the overview of the range and the links to examine. */
import type { AnalyticsQuery } from "@/contract/analytics/analytics";
import type { ComputedSummary } from "@/contract/analytics/insights";
import type { AnalyticsOverview } from "@/contract/analytics/overview";
import type { OrgId } from "@/core/ids";
import type { DescribedLink } from "@/core/insights/described-link";
import { DAY_MS, type Span, type TimeRange } from "@/core/time/time-range";
import type { AnalyticsService } from "@/modules/analytics/service";

export interface WorkspaceOptions {
  analytics: Pick<
    AnalyticsService,
    "overview" | "rankLinks" | "valueSeries" | "botClicks" | "dailyClicks" | "dailyInstalls"
  >;
  /** Returns the records of these links and bio pages by id, deleted ones included. */
  describeLinks(orgId: OrgId, ids: string[]): Promise<Map<string, DescribedLink>>;
}

export interface InsightWorkspace {
  orgId: OrgId;
  now: number;
  overview: AnalyticsOverview;
  range: TimeRange;
  includeBots: boolean;
  /** The requested link, or else the most visited links, most visited first. */
  links: { link: DescribedLink; clicks: number }[];
  /** More links than these were visited. */
  isCut: boolean;
  isOfLink: boolean;
}

/** Throws 400 for an invalid range, 404 for a link that is not the organization's. */
export async function readWorkspace(
  { analytics, describeLinks }: WorkspaceOptions,
  orgId: OrgId,
  query: AnalyticsQuery,
  { linksMax, now }: { linksMax: number; now: number },
): Promise<InsightWorkspace> {
  const { linkId, includeBots = false } = query;
  const [overview, ranked] = await Promise.all([
    analytics.overview(orgId, query),
    linkId === undefined ? analytics.rankLinks(orgId, query, linksMax + 1) : [],
  ]);
  const asked = linkId === undefined ? ranked.slice(0, linksMax) : [{ linkId, clicks: overview.totalClicks }];
  const links = await withRecords(describeLinks, orgId, asked);
  const { from, to, granularity } = overview.range;
  const range = { from: Date.parse(from), to: Date.parse(to), granularity };
  const isCut = ranked.length > linksMax;
  return { orgId, now, overview, range, includeBots, links, isCut, isOfLink: linkId !== undefined };
}

/** Returns the most visited links of the range, with which a single link is compared. */
export async function peersOf(
  { analytics, describeLinks }: WorkspaceOptions,
  orgId: OrgId,
  { from, to, includeBots }: AnalyticsQuery,
  linksMax: number,
): Promise<InsightWorkspace["links"]> {
  const ranked = await analytics.rankLinks(orgId, { from, to, includeBots }, linksMax);
  return withRecords(describeLinks, orgId, ranked);
}

/** Returns the links that exist, in the given order. */
export async function withRecords(
  describeLinks: WorkspaceOptions["describeLinks"],
  orgId: OrgId,
  ranked: readonly { linkId: string; clicks: number }[],
): Promise<InsightWorkspace["links"]> {
  const records = await describeLinks(
    orgId,
    ranked.map(({ linkId }) => linkId),
  );
  return ranked.flatMap(({ linkId, clicks }) => {
    const link = records.get(linkId.toLowerCase());
    return link ? [{ link, clicks }] : [];
  });
}

export function totalsOf({ totalClicks, installs, conversionFunnel }: AnalyticsOverview) {
  const countOf = (stage: string) => conversionFunnel.find((each) => each.stage === stage)?.count ?? 0;
  return { clicks: totalClicks, installs, leads: countOf("leads"), events: countOf("events") };
}

/** Returns the whole days of the range that are over. */
export function wholeDays({ overview, range, now }: Pick<InsightWorkspace, "overview" | "range" | "now">) {
  const end = Math.min(range.to, now);
  const days = Map.groupBy(overview.timeseries, ({ at }) => dayOf(Date.parse(at)));
  return [...days]
    .filter(([at]) => at >= range.from && at + DAY_MS <= end)
    .map(([at, buckets]) => {
      const sum = (metric: "clicks" | "installs" | "leads" | "events") =>
        buckets.reduce((total, bucket) => total + bucket[metric], 0);
      const [installs, leads, events] = [sum("installs"), sum("leads"), sum("events")];
      return { at, clicks: sum("clicks"), installs, leads, events, conversions: installs + leads + events };
    });
}

const dayOf = (at: number): number => at - (at % DAY_MS);

/**
 * Returns the UTC days whose figures belong entirely to the range. The day in progress counts if the range extends to
 * now.
 */
export function daysWithin({ from, to }: Span, now: number): Span {
  const start = Math.ceil(from / DAY_MS) * DAY_MS;
  const end = (to >= now ? Math.ceil(to / DAY_MS) : Math.floor(to / DAY_MS)) * DAY_MS;
  return { from: start, to: Math.max(start, end) };
}

export const answerOf = (
  { now, overview }: InsightWorkspace,
  { text, data, notes, found }: Pick<ComputedSummary, "text" | "data" | "notes" | "found">,
) => {
  const { clicks, installs, leads, events } = totalsOf(overview);
  const summary: ComputedSummary = { text, data, clicks, conversions: installs + leads + events, found, notes };
  return { generatedAt: new Date(now).toISOString(), range: overview.range, summary };
};
