/**
 * The figures the assistant goes by, from the service that answers overviews: of spans that begin and end with whole hours,
 * which rollups know. Read one after the other, so that a question holds one connection at a time.
 */
import type { AnalyticsOverview } from "@/contract/analytics";
import type { Link } from "@/contract/links";
import type { TopLinks, TopLinksQuery } from "@/contract/top-links";
import type { AssistantFigures, LinkFigures } from "@/core/assistant/figures";
import type { OrgId } from "@/core/ids";
import { DAY_MS, HOUR_MS } from "@/core/time-range";
import type { AnalyticsService } from "@/modules/analytics/service";

const SPAN_MS = 30 * DAY_MS;
const HOURS_SPAN_MS = 3 * DAY_MS;
/** Each costs a reading of its own. */
const LINKS_MAX = 5;

export interface FigureSources {
  analytics: Pick<AnalyticsService, "overview">;
  topLinks(orgId: OrgId, query: TopLinksQuery): Promise<TopLinks>;
}

/** Of the link, or of the whole workspace where there is none. `now` in Unix milliseconds. */
export async function readFigures(
  { analytics, topLinks }: FigureSources,
  orgId: OrgId,
  link: Link | null,
  now: number,
): Promise<AssistantFigures> {
  const hour = now - (now % HOUR_MS);
  const from = instant(hour - SPAN_MS);
  const linkId = link?._id;
  const current = await analytics.overview(orgId, { linkId, from });
  const previous = await analytics.overview(orgId, { linkId, from: instant(hour - 2 * SPAN_MS), to: from });
  const hours = await analytics.overview(orgId, { linkId, from: instant(hour - HOURS_SPAN_MS), to: instant(hour) });
  if (link) {
    const workspace = await analytics.overview(orgId, { from });
    return { current, previous, hours, links: [{ utm: link.utm ?? null, overview: current }], workspace };
  }
  const top = await topLinks(orgId, { limit: LINKS_MAX, from });
  return { current, previous, hours, links: await ofLinks(top.links), workspace: null };

  async function ofLinks(links: Link[]): Promise<LinkFigures[]> {
    const read: LinkFigures[] = [];
    for (const { _id, utm } of links) {
      const overview: AnalyticsOverview = await analytics.overview(orgId, { linkId: _id, from });
      read.push({ utm: utm ?? null, overview });
    }
    return read;
  }
}

const instant = (at: number): string => new Date(at).toISOString();
