/** Gathers the facts behind insights, for an organization or for one link among the others. */
import type { Sql } from "postgres";
import { NO_REFERRER, UNKNOWN_VALUE } from "@/contract/analytics/analytics";
import type { InsightFacts } from "@/core/insights/campaign-insights";
import { stopInWords } from "@/core/insights/link-stops";
import { daysSinceFirstClick } from "@/core/insights/traffic-insights";
import { nameOf } from "@/core/insights/words";
import { DAY_MS } from "@/core/time/time-range";
import { VALUES_MAX } from "@/figures/read/breakdowns";
import type { Db } from "@/platform/db/tx";
import { readLinkDays } from "./link-days";
import { readStops } from "./link-stops";
import { countLinks } from "./store";
import { daysWithin, type InsightWorkspace, totalsOf, type WorkspaceOptions, wholeDays } from "./workspace";

const LINKS_MAX = 20;
const LINKS_COUNTED_MAX = 1_000;
/** History before the range, which shows what was already measured by then. */
const HISTORY_MS = 28 * DAY_MS;

type Sources = Pick<WorkspaceOptions, "analytics"> & { sql: Sql; db: Db };

/** `peers` are the links that a single link is compared with. */
export async function insightFacts(
  sources: Sources,
  workspace: InsightWorkspace,
  peers: InsightWorkspace["links"],
): Promise<Omit<InsightFacts, "faults" | "best">> {
  const { orgId, overview, range, now, includeBots, isOfLink } = workspace;
  const links = workspace.links.filter(({ link }) => !link.isDeleted).slice(0, LINKS_MAX);
  const others = peers.filter(({ link }) => !links.some((each) => each.link._id === link._id));
  const span = daysWithin(range, now);
  const hasInstalls = isOfLink || overview.installs > 0;
  const days = { from: span.from - HISTORY_MS, to: span.to };
  const linkId = isOfLink ? workspace.links[0]?.link._id : undefined;
  const [compared, stop, linksTotal, botClicks] = await Promise.all([
    readLinkDays(sources, orgId, { links: [...links, ...others], span: days, includeBots, hasInstalls }),
    isOfLink ? stopOf(sources.sql, workspace) : undefined,
    isOfLink ? 1 : countLinks(sources.db, orgId, LINKS_COUNTED_MAX),
    includeBots ? 0 : sources.analytics.botClicks(orgId, { range, linkId }, now),
  ]);
  return {
    ...{ totals: totalsOf(overview), botClicks, days: wholeDays(workspace), linksTotal, isOfLink },
    isAhead: range.from >= now,
    isDeleted: isOfLink && links.length === 0,
    ...(stop === undefined ? {} : { stop }),
    ...(isOfLink && workspace.links[0]?.link.isBioPage ? { isBioPage: true as const } : {}),
    ...{ compared, links: compared.slice(0, links.length), from: span.from },
    countries: overview.byCountry
      .filter(({ country }) => country !== UNKNOWN_VALUE)
      .map(({ country, count }) => ({ name: country, count })),
    direct: directOf(overview),
  };
}

/** Says how the link in question was taken out of use since its first click in the range, if it was. */
async function stopOf(sql: Sql, workspace: InsightWorkspace): Promise<string | undefined> {
  const [link] = workspace.links.map((each) => each.link);
  const days = daysSinceFirstClick(wholeDays(workspace));
  const [first, last] = [days.at(0), days.at(-1)];
  if (!link || !first || !last) return undefined;
  const stops = (await readStops(sql, workspace.orgId, [link._id])).get(link._id) ?? [];
  const stop = stops.findLast(({ kind, from, to }) => kind !== "archived" && from < last.at + DAY_MS && to > first.at);
  return stop && `${nameOf(link)} ${stopInWords(stop)}`;
}

/** Returns null if others leave no place for the clicks without a referrer in the overview's list. */
function directOf({ byReferrer }: InsightWorkspace["overview"]): number | null {
  const listed = byReferrer.find(({ referrer }) => referrer === NO_REFERRER)?.count;
  return listed ?? (byReferrer.length < VALUES_MAX ? 0 : null);
}
