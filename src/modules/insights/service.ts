/**
 * Computed analytics. Each response is computed on request by the functions of `core/insights` and depends only on
 * the figures: the same figures give the same response. Responses are not cached; only the clicks needed for the best
 * destination are (`routed/routed-samples.ts`).
 *
 * Bounds: only the most visited links of the range are examined (`…_LINKS_MAX`), and clicks within the bounds of
 * `destination-figures.ts`.
 */
import type { AnalyticsQuery } from "@/contract/analytics/analytics";
import type {
  BestDestination,
  BrokenCampaigns,
  CampaignInsights,
  ConversionPrediction,
  TrafficAnomalies,
} from "@/contract/analytics/insights";
import type { OrgId } from "@/core/ids";
import { findAnomalies } from "@/core/insights/anomalies";
import { bestDestination } from "@/core/insights/best-destination";
import { CAMPAIGNS_MAX } from "@/core/insights/broken/broken";
import { findInsights } from "@/core/insights/campaign-insights";
import { stopInWords } from "@/core/insights/link-stops";
import { predict } from "@/core/insights/prediction";
import { nameOf } from "@/core/insights/words";
import { number, plural } from "@/core/plural";
import { bucketMs, DAY_MS, floorTo } from "@/core/time/time-range";
import type { Clock } from "@/platform/clock";
import { ANOMALY_LINKS_MAX, anomalySeries } from "./anomaly-series";
import { countedConversions } from "./conversions";
import { type DestinationSources, destinationFigures } from "./destination-figures";
import { FAULT_LINKS_MAX, type FaultSources, findFaults } from "./faults";
import { insightFacts } from "./insight-facts";
import { readStops } from "./link-stops";
import type { RoutedSamples } from "./routed/routed-samples";
import { answerOf, type InsightWorkspace, peersOf, readWorkspace, totalsOf } from "./workspace";

const INSIGHT_PEERS_MAX = 20;
const DESTINATION_LINKS_MAX = 10;
const HORIZON_DAYS_MAX = 90;

export interface InsightOptions extends FaultSources {
  clock: Clock;
  /** Shared with all other readers of insights. */
  samples: RoutedSamples;
}

export type InsightService = ReturnType<typeof createInsights>;

/** Every method throws 400 for an invalid range, and 404 for a link that is not the organization's. */
export function createInsights(options: InsightOptions) {
  const { clock } = options;
  const workspaceOf = (orgId: OrgId, query: AnalyticsQuery, linksMax: number) =>
    readWorkspace(options, orgId, query, { linksMax, now: clock() });

  /** Returns the insights with the claims they rest on. Faults and the best destination come first. */
  async function advise(orgId: OrgId, query: AnalyticsQuery) {
    const workspace = await workspaceOf(orgId, query, FAULT_LINKS_MAX);
    const peers = workspace.isOfLink ? await peersOf(options, orgId, query, INSIGHT_PEERS_MAX) : [];
    const [facts, { campaigns: faults }, { recommendation }] = await Promise.all([
      insightFacts(options, workspace, peers),
      findFaults(options, workspace),
      bestOf(options, workspace),
    ]);
    const { best: candidate, reason } = recommendation;
    const best = candidate && candidate.confidence !== "low" ? { candidate, reason } : null;
    return { workspace, overview: workspace.overview, links: facts.links, ...findInsights({ ...facts, faults, best }) };
  }

  return {
    /** Returns what `insights` returns, with the facts behind it. */
    advise,

    async insights(orgId: OrgId, query: AnalyticsQuery): Promise<CampaignInsights> {
      const { workspace, insights, data, text, notes } = await advise(orgId, query);
      return { ...answerOf(workspace, { data, text, notes, found: insights.length }), insights };
    },

    async anomalies(orgId: OrgId, query: AnalyticsQuery): Promise<TrafficAnomalies> {
      const workspace = await workspaceOf(orgId, query, ANOMALY_LINKS_MAX.day);
      const { from, granularity } = workspace.range;
      const series = await anomalySeries(options, workspace);
      const { anomalies, ...found } = findAnomalies({ series, bucketMs: bucketMs(granularity), from });
      return { ...answerOf(workspace, { ...found, found: anomalies.length }), anomalies };
    },

    async prediction(orgId: OrgId, query: AnalyticsQuery): Promise<ConversionPrediction> {
      const workspace = await workspaceOf(orgId, query, 1);
      const [counted, stop] = await Promise.all([countedConversions(options, workspace), stopOf(options, workspace)]);
      return presentPrediction(workspace, counted, stop);
    },

    async bestDestination(orgId: OrgId, query: AnalyticsQuery): Promise<BestDestination> {
      // As many as insights start from, so that both compare the same links however many of them were deleted.
      return bestOf(options, await workspaceOf(orgId, query, FAULT_LINKS_MAX));
    },

    async brokenCampaigns(orgId: OrgId, query: AnalyticsQuery): Promise<BrokenCampaigns> {
      const workspace = await workspaceOf(orgId, query, FAULT_LINKS_MAX);
      const { campaigns: all, linksChecked, isCut } = await findFaults(options, workspace);
      const campaigns = all.slice(0, CAMPAIGNS_MAX);
      const found = all.length === 0 ? "Nothing is broken" : plural(all.length, "fault");
      const isEmpty = linksChecked === 0 && all.length === 0;
      const where = linksChecked === 0 ? "at addresses without a link" : `in ${plural(linksChecked, "link")} checked`;
      const text = isEmpty ? NOT_VISITED : `${found} ${where}`;
      const notes = isCut ? [CUT] : [];
      const data = isEmpty ? "none" : "enough";
      return { ...answerOf(workspace, { text, data, notes, found: campaigns.length }), campaigns };
    },
  };
}

const NOT_VISITED = "No link that still exists was visited in the range, and no link has a set-up that cannot work";
const CUT =
  `Checked: the ${FAULT_LINKS_MAX} most visited links of the range, and the newest links with a fault in their ` +
  "set-up";

async function bestOf(sources: DestinationSources, workspace: InsightWorkspace): Promise<BestDestination> {
  const { figures, notes } = await destinationFigures(sources, {
    ...workspace,
    links: workspace.links.filter(({ link }) => !link.isDeleted).slice(0, DESTINATION_LINKS_MAX),
  });
  const { data, reason, ...recommendation } = bestDestination(figures);
  const found = recommendation.best === null ? 0 : 1;
  return {
    ...answerOf(workspace, { data, text: reason, notes, found }),
    recommendation: { generatedBy: "statistics", ...recommendation, reason },
  };
}

/** Says how the link in question was taken out of use, if it still is. */
async function stopOf({ sql }: InsightOptions, { orgId, now, isOfLink, links }: InsightWorkspace) {
  const link = isOfLink ? links[0]?.link : undefined;
  if (!link) return undefined;
  const stops = (await readStops(sql, orgId, [link._id])).get(link._id) ?? [];
  const stop = stops.findLast(({ kind, from, to }) => kind !== "archived" && from <= now && now < to);
  return stop && `${nameOf(link)} ${stopInWords(stop)}`;
}

function presentPrediction(
  workspace: InsightWorkspace,
  { kinds, totals, days }: Awaited<ReturnType<typeof countedConversions>>,
  stop: string | undefined,
): ConversionPrediction {
  const { overview, range, now } = workspace;
  const lengthDays = Math.round((range.to - range.from) / DAY_MS);
  const horizonDays = Math.min(HORIZON_DAYS_MAX, Math.max(1, lengthDays));
  const { prediction, notes: found } = predict({ days, totals, horizonDays, isAhead: range.from >= now });
  const { clicks } = totalsOf(overview);
  const notes = [
    ...(stop === undefined ? [] : [clicks > 0 ? `${stop}; this is what to expect if it served as before` : stop]),
    `Counted as conversions (an organization setting): ${kinds.join(", ").replaceAll("_", " ")}`,
    ...found,
    ...(clicks > 0 && days.length < 7
      ? [`Only ${plural(days.length, "whole day")}: too short to show a direction`]
      : []),
    ...(prediction.baseline.projection === "mean"
      ? ["Clicks are projected from the daily average, since there are too few for more"]
      : []),
  ];
  const text = clicks === 0 ? noClicks(workspace) : projectionText(workspace, prediction);
  const data = clicks === 0 ? "none" : prediction.confidence === "low" ? "thin" : "enough";
  return { ...answerOf(workspace, { text, data, notes, found: clicks === 0 ? 0 : 1 }), prediction };
}

const noClicks = ({ range, now }: InsightWorkspace): string =>
  range.from >= now
    ? "The range has not begun, so there are no clicks to predict from yet"
    : "The range has no clicks to predict from";

function projectionText({ range, now }: InsightWorkspace, prediction: ConversionPrediction["prediction"]): string {
  const { baseline, intervals, horizonDays } = prediction;
  if (baseline.projection === "none") return "No whole day of the range had clicks, so there is no projection yet";
  // A projection begins after the last whole day that is over, which is yesterday if the range reaches into today.
  const when = range.to > floorTo(now, DAY_MS) ? "from today on" : "after the range";
  return (
    `About ${plural(prediction.projectedConversions, "conversion")} from ` +
    `${plural(prediction.projectedClicks, "click")} in the ${plural(horizonDays, "day")} ${when}; in 80 of ` +
    `100 cases ${inWords(intervals.conversions)} conversions from ${inWords(intervals.clicks)} clicks`
  );
}

const inWords = ({ low, high }: { low: number; high: number }): string => `${number(low)} to ${number(high)}`;
