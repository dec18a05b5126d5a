/** Reads the daily clicks of many links, for lists that show the trend of each. */
import type { Sql } from "postgres";
import { type LinkTrends, TREND_LINKS_MAX } from "@/contract/analytics/link-trends";
import type { OrgId } from "@/core/ids";
import { isUuid } from "@/core/ids";
import { bucketStarts, DAY_MS } from "@/core/time/time-range";
import { readTrends } from "@/figures/read/links/daily-clicks";
import { invalid, notFoundInField } from "@/http/errors";
import { readRepeatedParameters } from "@/http/repeated";
import type { Clock } from "@/platform/clock";
import { presentRange } from "./present";

const ID_LENGTH_MAX = 64;
const DAYS_DEFAULT = 7;

/** Throws 404 for a link that is not the organization's. */
export type ReadLinkTrends = (orgId: OrgId, linkIds: readonly string[], days?: number) => Promise<LinkTrends>;

/** Reads the link ids from the URL. Throws 400 if there are none or too many. */
export function trendLinksOf({ url }: Request): readonly string[] {
  const { linkId } = readRepeatedParameters(url, ["linkId"], {
    valuesMax: TREND_LINKS_MAX,
    lengthMax: () => ID_LENGTH_MAX,
  });
  if (!linkId) throw invalid(["linkId: expected at least one value"]);
  return linkId;
}

export function createLinkTrends({ sql, clock }: { sql: Sql; clock: Clock }): ReadLinkTrends {
  return async (orgId, linkIds, days = DAYS_DEFAULT) => {
    const now = clock();
    const to = now - (now % DAY_MS) + DAY_MS;
    const range = { from: to - days * DAY_MS, to, granularity: "day" as const };
    const wanted = [...new Set(linkIds.map((id) => id.toLowerCase()))];
    const known = wanted.every(isUuid) ? await readTrends(sql, orgId, wanted, range) : undefined;
    const starts = bucketStarts(range);
    const links = wanted.map((linkId) => {
      const ofLink = known?.get(linkId);
      if (!ofLink) throw notFoundInField("linkId", "link");
      return { linkId, clicks: starts.map((start) => ofLink.get(start) ?? 0) };
    });
    return { range: presentRange(range), links };
  };
}
