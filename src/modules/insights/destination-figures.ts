/**
 * Computes the results of the newest clicks of some links by destination. Examines at most `CLICKS_MAX` raw clicks in
 * total. Most of that goes to links that split visitors among several targets, since only those are compared.
 */
import type { Sql } from "postgres";
import type { DescribedLink } from "@/core/insights/described-link";
import { destinationsOfLink } from "@/core/insights/destination-figures";
import { number, plural } from "@/core/plural";
import { isCandidate } from "@/core/routing/split";
import { linksWithEarlierVisitors } from "./earlier-visitors";
import type { RoutedSamples } from "./routed/routed-samples";
import { readInsightTotals } from "./store";
import type { InsightWorkspace, WorkspaceOptions } from "./workspace";

const CLICKS_MAX = 30_000;
/** Total if no link is compared and destinations are only listed. */
const UNCOMPARED_CLICKS_MAX = 5_000;
/** Clicks of a link that is only listed, next to links that are compared. */
const LISTED_CLICKS_MAX = 500;
const CONVERSIONS_A_CLICK_MAX = 5;

export interface DestinationSources extends Pick<WorkspaceOptions, "analytics"> {
  sql: Sql;
  samples: RoutedSamples;
}

/** Expects links that are not deleted: others have no destinations to choose from. */
export async function destinationFigures(sources: DestinationSources, workspace: InsightWorkspace) {
  const { sql, samples } = sources;
  const { orgId, range, now, includeBots } = workspace;
  const links = boundedLinks(workspace.links.map(({ link }) => link));
  if (links.length === 0) return { figures: [], notes: [] };
  const rows = await samples.read(sql, orgId, {
    links,
    span: range,
    now,
    includeBots,
    conversionsAClick: CONVERSIONS_A_CLICK_MAX,
  });
  const read = links.map((each) => {
    const own = rows.filter(({ linkId }) => linkId === each.linkId);
    const isCut = own.reduce((sum, { clicks }) => sum + clicks, 0) >= each.clicksMax;
    const since = isCut ? Math.min(...own.map(({ since }) => since)) : range.from;
    return { ...each, rows: own, isCut, since };
  });
  const [totals, withEarlier] = await Promise.all([
    readInsightTotals(sql, orgId, { links: read, to: range.to, includeBots, most: CLICKS_MAX }),
    linksWithEarlierVisitors(
      sources,
      workspace,
      read.flatMap(({ link, isCut }) => (isDrawing(link) && !isCut ? [link] : [])),
    ),
  ]);
  const found = read.map(({ link, rows, linkId, isCut }) => {
    const { figures, former } = destinationsOfLink(link, rows, totals.get(linkId) ?? { installs: 0, events: 0 });
    const hasEarlier = isCut || withEarlier.has(linkId);
    return { former, figures: figures.map((each) => ({ ...each, hasEarlier })) };
  });
  const former = found.reduce((sum, each) => sum + each.former, 0);
  const notes = [
    ...read.flatMap(({ link, isCut, clicksMax }) =>
      isCut ? [`Only the newest ${number(clicksMax)} clicks of \`${link.title || link.slug}\` were examined`] : [],
    ),
    ...(former > 0 ? [`${plural(former, "click")} led to former destinations of their link and are excluded`] : []),
  ];
  return { figures: found.flatMap(({ figures }) => figures), notes };
}

function boundedLinks(links: readonly DescribedLink[]) {
  const drawing = links.filter(isDrawing).length;
  const listed = drawing === 0 ? Math.floor(UNCOMPARED_CLICKS_MAX / links.length) : LISTED_CLICKS_MAX;
  const rest = CLICKS_MAX - (links.length - drawing) * listed;
  return links.map((link) => {
    const clicksMax = isDrawing(link) ? Math.floor(rest / drawing) : listed;
    return { link, linkId: link._id, clicksMax };
  });
}

const isDrawing = ({ splitTargets }: DescribedLink): boolean => splitTargets.filter(isCandidate).length > 1;
