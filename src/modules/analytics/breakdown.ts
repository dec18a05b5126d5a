/** Returns one list of an overview in full. */
import type { BreakdownAnswer } from "@/contract/analytics/breakdown";
import type { BreakdownBy } from "@/contract/analytics/dimensions";
import { rangeAdvice } from "@/figures/read/bound";
import { readBreakdowns } from "@/figures/read/breakdowns";
import { singleLinkOrNone } from "@/figures/read/filters";
import { readHoursOfWeek } from "@/figures/read/hours-of-week";
import { countFigures } from "@/figures/read/links/link-figures";
import type { MatchingQuery } from "@/figures/read/matching";
import { type FiguresScope, partsOf, type Reader } from "@/figures/read/scope";
import { clicksOf, seriesOf } from "@/figures/read/series";
import type { FigureSources } from "@/figures/read/sources";
import { readTags, readTagsOfLink } from "@/figures/read/tags";
import { invalid } from "@/http/errors";
import { matchingFigures } from "./filtered";
import { type Lists, presentValues } from "./present";

/** Maximum number of per-link figures summed by tag; summing that many takes a second or two. */
const SUMMED_ROWS_MAX = 1_000_000;

export interface BreakdownAsked {
  by: BreakdownBy;
  limit: number;
}

type Breakdown = Pick<BreakdownAnswer, "totalClicks" | "rows">;

/** Throws 400 if there is too much to examine. */
export async function readBreakdown(
  sources: FigureSources,
  matching: MatchingQuery,
  { by, limit }: BreakdownAsked,
  now: number,
): Promise<Breakdown> {
  const { orgId, range, includeBots } = matching;
  const of = singleLinkOrNone(matching.filters);
  if (!of) {
    const { clicks, ...lists } = await matchingFigures(sources, matching, now, { by: [by], max: limit });
    return { totalClicks: clicks, rows: rowsOf(by, lists, limit) };
  }
  const scope = { linkId: of.linkId, includeBots, ...partsOf(range, now) };
  return sources.sql.begin("isolation level repeatable read read only", async (snapshot) => {
    await snapshot`set local plan_cache_mode = force_custom_plan`;
    const partialHours = sources.partialHours.read(snapshot, orgId, scope);
    const rows = sources.packed.read(snapshot, orgId, scope, scope.whole);
    const totalClicks = clicksOf(seriesOf(...(await Promise.all([rows, partialHours])), scope.granularity));
    const lists: Lists = { breakdowns: [], tags: [], hoursOfWeek: [] };
    if (by === "tag") lists.tags = await tagsOf(snapshot, sources, matching, scope, { totalClicks, limit });
    else if (by === "hourOfWeek") lists.hoursOfWeek = await readHoursOfWeek(snapshot, orgId, scope, rows, partialHours);
    else lists.breakdowns = await readBreakdowns(snapshot, sources.texts, { rows, partialHours }, limit);
    return { totalClicks, rows: rowsOf(by, lists, limit) };
  });
}

async function tagsOf(
  sql: Reader,
  { summedRowsMax: rowsMax = SUMMED_ROWS_MAX }: FigureSources,
  { orgId, range }: MatchingQuery,
  scope: FiguresScope,
  { totalClicks, limit }: { totalClicks: number; limit: number },
) {
  const { linkId } = scope;
  if (linkId !== undefined) return readTagsOfLink(sql, orgId, linkId, totalClicks, limit);
  const tags = await readTags(sql, orgId, scope, { limit, rowsMax });
  if (tags) return tags;
  const figures = await countFigures(sql, orgId, scope);
  const advice = rangeAdvice(range, rowsMax / figures);
  throw invalid([`from: too many links have clicks in this range to sum by tag; ${advice}`]);
}

function rowsOf(by: BreakdownBy, { breakdowns, tags = [], hoursOfWeek }: Lists, limit: number): Breakdown["rows"] {
  if (by === "tag") return tags.map(({ tag, count }) => ({ value: tag, count }));
  if (by === "hourOfWeek") {
    const rows = hoursOfWeek.map(({ hourOfWeek, count }) => ({ value: String(hourOfWeek), count }));
    return rows.sort((a, b) => b.count - a.count).slice(0, limit);
  }
  return presentValues(by, breakdowns, limit).map(({ name, ...rest }) => ({ value: name, ...rest }));
}
