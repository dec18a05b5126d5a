/** Finds splits that had visitors shortly before a range. A range that moves along leaves such visitors out. */
import type { DescribedLink } from "@/core/insights/described-link";
import { isCandidate } from "@/core/routing/split";
import { EARLIEST } from "@/core/time/instant";
import { DAY_MS } from "@/core/time/time-range";
import type { InsightWorkspace, WorkspaceOptions } from "./workspace";

/** Visitors before that are long gone from every range that is looked at daily. */
const DAYS = 30;

/** Returns the ids of those of the links whose split targets had visitors in the month before the range. */
export async function linksWithEarlierVisitors(
  { analytics }: Pick<WorkspaceOptions, "analytics">,
  { orgId, range, includeBots }: InsightWorkspace,
  links: readonly DescribedLink[],
): Promise<Set<string>> {
  const to = range.from - (range.from % DAY_MS);
  const days = { from: Math.max(EARLIEST, to - DAYS * DAY_MS), to };
  if (days.from >= days.to) return new Set();
  const found = await Promise.all(links.map((link) => hadVisitors(link)));
  return new Set(links.filter((_, index) => found[index]).map(({ _id }) => _id));

  async function hadVisitors({ _id, splitTargets }: DescribedLink): Promise<boolean> {
    const values = splitTargets.filter(isCandidate).map(({ key }) => ({ dimension: "split" as const, value: key }));
    const series = await analytics.valueSeries(orgId, { linkId: _id, includeBots, days, values });
    return series.some(({ size }) => size > 0);
  }
}
