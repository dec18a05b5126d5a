/**
 * Reads the figures that the assistant uses from the services behind overviews and insights. The spans start and end
 * at whole hours, which rollups cover. The reads run one after another, so that a question holds few connections at a
 * time.
 */
import type { AnalyticsQuery } from "@/contract/analytics/analytics";
import type { CampaignInsight } from "@/contract/analytics/insights";
import type { AnalyticsOverview } from "@/contract/analytics/overview";
import type { Link } from "@/contract/links/links";
import type { AssistantFigures } from "@/core/assistant/figures";
import type { OrgId } from "@/core/ids";
import type { RateClaims } from "@/core/insights/link-claims";
import { DAY_MS, HOUR_MS } from "@/core/time/time-range";
import type { AnalyticsService } from "@/modules/analytics/service";

const SPAN_MS = 30 * DAY_MS;
const HOURS_SPAN_MS = 3 * DAY_MS;

/** The insights and what they rest on. */
export interface AssistantAdvice {
  overview: AnalyticsOverview;
  insights: CampaignInsight[];
  leading: number;
  claims: RateClaims;
  /** Most visited first. */
  links: readonly { link: Link; clicks: number }[];
}

export interface AssistantSources {
  analytics: Pick<AnalyticsService, "overview">;
  insights: { advise(orgId: OrgId, query: AnalyticsQuery): Promise<AssistantAdvice> };
}

/** Reads the figures of the link, or of the whole organization without one. `now` is in Unix milliseconds. */
export async function readFigures(
  { analytics, insights }: AssistantSources,
  orgId: OrgId,
  link: Link | null,
  now: number,
): Promise<AssistantFigures> {
  const hour = now - (now % HOUR_MS);
  const from = instant(hour - SPAN_MS);
  const linkId = link?._id;
  const { claims, links, overview: current, ...found } = await insights.advise(orgId, { linkId, from });
  const previous = await analytics.overview(orgId, { linkId, from: instant(hour - 2 * SPAN_MS), to: from });
  const hours = await analytics.overview(orgId, { linkId, from: instant(hour - HOURS_SPAN_MS), to: instant(hour) });
  return {
    ...{ current, previous, hours, found, claims, isOfLink: link !== null },
    links: links.map(({ link: { utm }, clicks }) => ({ utm: utm ?? null, clicks })),
  };
}

const instant = (at: number): string => new Date(at).toISOString();
