/**
 * Reads the series that are searched for anomalies: all links together, the most visited links of the range and of
 * the weeks before it (a dead link has no clicks in the range), and with daily buckets also the countries and
 * referrers with the most clicks. Each series starts some weeks before the range, to establish what is normal.
 */
import type { Sql } from "postgres";
import { NO_REFERRER, UNKNOWN_VALUE } from "@/contract/analytics/analytics";
import type { Series } from "@/core/insights/anomalies";
import type { CountBucket } from "@/core/insights/seasonal";
import { nameOf } from "@/core/insights/words";
import { EARLIEST } from "@/core/time/instant";
import { bucketMs, DAY_MS, type Span } from "@/core/time/time-range";
import { readClickSeries } from "./click-series";
import { readStops } from "./link-stops";
import type { InsightWorkspace, WorkspaceOptions } from "./workspace";

export const ANOMALY_LINKS_MAX = { day: 10, hour: 5 } as const;
const VALUES_MAX = 3;
const HISTORY_MS = { day: 56 * DAY_MS, hour: 28 * DAY_MS } as const;

type Sources = WorkspaceOptions & { sql: Sql };

export async function anomalySeries(sources: Sources, workspace: InsightWorkspace): Promise<Series[]> {
  const { analytics } = sources;
  const { orgId, range, now, includeBots, isOfLink } = workspace;
  const { granularity } = range;
  const length = bucketMs(granularity);
  const down = (at: number) => at - (at % length);
  const span = {
    from: down(Math.max(EARLIEST, range.from - HISTORY_MS[granularity])),
    to: down(Math.min(range.to, now)),
  };
  const links = isOfLink ? workspace.links.map(({ link }) => link) : await busiestLinks(sources, workspace, span.from);
  const of = isOfLink ? links : [null, ...links];
  const linkIds = of.map((link) => link?._id ?? null);
  const [buckets, ofValues, stops] = await Promise.all([
    readClickSeries(sources, orgId, { linkIds, granularity, span, includeBots }),
    granularity === "day" ? valueSeries(analytics, workspace, span) : [],
    readStops(
      sources.sql,
      orgId,
      links.map(({ _id }) => _id),
    ),
  ]);
  const ofLinks = of.map((link, index) => ({
    key: link?._id ?? "all",
    name: link ? nameOf(link) : "All links",
    kind: isOfLink || link === null ? ("whole" as const) : ("link" as const),
    buckets: buckets[index] ?? [],
    stops: link ? stops.get(link._id) : undefined,
  }));
  return [...ofLinks, ...ofValues];
}

/** Ranks links by their average rate of clicks in the range or before it, whichever is higher. */
async function busiestLinks({ analytics, describeLinks }: Sources, workspace: InsightWorkspace, from: number) {
  const { orgId, range, now, includeBots } = workspace;
  const most = ANOMALY_LINKS_MAX[range.granularity];
  const [start, end] = [from, range.from].map((at) => new Date(at).toISOString());
  const ranked = from < range.from ? await analytics.rankLinks(orgId, { from: start, to: end, includeBots }, most) : [];
  const before = await describeLinks(
    orgId,
    ranked.map(({ linkId }) => linkId),
  );
  const daily = new Map(
    workspace.links.map(({ link, clicks }) => [link, clicks / (Math.min(range.to, now) - range.from)]),
  );
  const known = new Map(workspace.links.map(({ link }) => [link._id, link]));
  for (const { linkId, clicks } of ranked) {
    const link = known.get(linkId) ?? before.get(linkId);
    if (link) daily.set(link, Math.max(daily.get(link) ?? 0, clicks / (range.from - from)));
  }
  return [...daily]
    .sort(([a, clicksA], [b, clicksB]) => clicksB - clicksA || (a._id < b._id ? -1 : 1))
    .slice(0, most)
    .map(([link]) => link);
}

async function valueSeries(
  analytics: Sources["analytics"],
  workspace: InsightWorkspace,
  days: Span,
): Promise<Series[]> {
  const { orgId, overview, includeBots, isOfLink, links } = workspace;
  const countries = overview.byCountry.map(({ country }) => country).filter((name) => name !== UNKNOWN_VALUE);
  const referrers = overview.byReferrer
    .filter(({ referrer, isOther }) => referrer !== NO_REFERRER && !isOther)
    .map(({ referrer }) => referrer);
  const values = [
    ...countries.slice(0, VALUES_MAX).map((value) => ({ dimension: "country" as const, value })),
    ...referrers.slice(0, VALUES_MAX).map((value) => ({ dimension: "referrer" as const, value })),
  ];
  if (values.length === 0) return [];
  const linkId = isOfLink ? links[0]?.link._id : undefined;
  const counts = await analytics.valueSeries(orgId, { linkId, includeBots, days, values });
  return values.map(({ dimension, value }, index) => ({
    key: `${dimension}=${value}`,
    name: dimension === "country" ? `Visitors from ${value}` : `Visitors referred by ${value}`,
    kind: dimension,
    buckets: withoutGaps(counts[index] ?? new Map(), days),
  }));
}

function withoutGaps(counts: ReadonlyMap<number, number>, { from, to }: Span): CountBucket[] {
  return Array.from({ length: Math.max(0, Math.round((to - from) / DAY_MS)) }, (_, index) => {
    const at = from + index * DAY_MS;
    return { at, count: counts.get(at) ?? 0 };
  });
}
