/**
 * Attributes a link's clicks and conversions to its destinations. Clicks record where they were sent; those sent
 * somewhere the link no longer leads are left out. A lead names its click, and an event may. Conversions without a
 * click belong to the link's only destination if it has just one, and installs to the only destination that leads to
 * an app store. The rest cannot be attributed and results in a warning.
 */
import type { DestinationCandidate } from "@/contract/analytics/insights";
import type { SplitTarget } from "@/contract/routing";
import { plural } from "../plural";
import { isCandidate } from "../routing/split";
import { storeOf } from "../routing/store";
import type { ArmDay } from "./split-test";

/** One destination of one link, and the results of its clicks. */
export interface DestinationFigures
  extends Pick<
    DestinationCandidate,
    "id" | "linkId" | "linkTitle" | "slug" | "shortUrl" | "destinationUrl" | "splitTarget" | "splitLabel" | "sources"
  > {
  clicks: number;
  /** Clicks that led to at least one install, lead or event; at most `clicks`. */
  converted: number;
  installs: number;
  leads: number;
  events: number;
  /** Visitors whom a split assigned to it, by day. Empty for destinations whose visitors are not assigned at random. */
  randomizedDays: ArmDay[];
  /**
   * The split had visitors before those that are counted. The next look may then leave out some that are counted now.
   */
  hasEarlier: boolean;
  warnings: string[];
}

export interface ComparedLink {
  _id: string;
  title?: string;
  slug: string;
  shortUrl: string;
  defaultUrl: string;
  rules: readonly { destinationUrl: string }[];
  splitTargets: readonly SplitTarget[];
}

/** Figures of the visitors whose first click was on this day. */
export interface RoutedClicks {
  /** Start of the day, Unix milliseconds. */
  day: number;
  /** Of a split target, only those whom no other target of the link had before. */
  visitors: number;
  /** Those of them with at least one converted click. */
  visitorsConverted: number;
  routeKind: "rule" | "split" | "store" | "default";
  ruleIndex: number | null;
  splitKey: string | null;
  destinationUrl: string;
  clicks: number;
  /** Clicks that a lead or event names, and how many leads and events there were. */
  converted: number;
  leads: number;
  events: number;
}

/** Returns what people call a destination. Two targets of a link may have the same label. */
export const destinationName = ({ splitTarget, splitLabel, destinationUrl }: Named): string =>
  splitLabel === undefined ? (splitTarget ?? destinationUrl) : `${splitLabel} (${splitTarget})`;

type Named = Pick<DestinationCandidate, "splitTarget" | "splitLabel" | "destinationUrl">;

/** All installs and events of the link in the range of the clicks. */
export interface LinkTotals {
  installs: number;
  events: number;
}

export interface LinkDestinations {
  figures: DestinationFigures[];
  /** Clicks that were sent to destinations the link no longer has. */
  former: number;
}

export function destinationsOfLink(
  link: ComparedLink,
  rows: readonly RoutedClicks[],
  totals: LinkTotals,
): LinkDestinations {
  const current = rows.filter((row) => row.routeKind === "store" || leadsTo(link, row.destinationUrl));
  const former = rows.filter((row) => !current.includes(row)).reduce((sum, { clicks }) => sum + clicks, 0);
  const byUrl = Map.groupBy(current, ({ destinationUrl }) => destinationUrl);
  const figures = withOwnIds([...byUrl].map(([url, ofUrl]) => figuresOf(link, url, ofUrl)));
  const isWhole = former === 0 && figures.length === 1;
  attributeEvents(figures, totals.events, isWhole);
  attributeInstalls(figures, totals.installs, isWhole);
  return { figures, former };
}

/** Makes ids unique: one store has several pages if the link belonged to another app before. */
function withOwnIds(figures: DestinationFigures[]): DestinationFigures[] {
  const byId = Map.groupBy(figures, ({ id }) => id);
  return figures.map((each) => {
    const isShared = (byId.get(each.id) ?? []).length > 1;
    return isShared ? { ...each, id: `${each.id}:${each.destinationUrl}` } : each;
  });
}

const leadsTo = ({ defaultUrl, rules, splitTargets }: ComparedLink, url: string): boolean =>
  url === defaultUrl || [...rules, ...splitTargets].some(({ destinationUrl }) => destinationUrl === url);

function figuresOf(link: ComparedLink, url: string, rows: readonly RoutedClicks[]): DestinationFigures {
  const sum = (metric: "clicks" | "converted" | "leads" | "events") =>
    rows.reduce((total, row) => total + row[metric], 0);
  const sources = sourcesOf(link, url);
  const target = link.splitTargets.find(({ destinationUrl }) => destinationUrl === url);
  return {
    id: `${link._id}:${sources[0] === "store" ? `store:${storeOf(url)}` : sources[0]}`,
    linkId: link._id,
    linkTitle: link.title || link.slug,
    slug: link.slug,
    shortUrl: link.shortUrl,
    destinationUrl: url,
    splitTarget: target?.key ?? null,
    ...(target?.label && { splitLabel: target.label }),
    sources,
    clicks: sum("clicks"),
    converted: sum("converted"),
    installs: 0,
    leads: sum("leads"),
    events: sum("events"),
    randomizedDays: drawnOf(link, rows),
    hasEarlier: false,
    warnings: [],
  };
}

/** Counts only targets that visitors are still assigned to. Those of bio pages have no weight: visitors choose them. */
function drawnOf({ splitTargets }: ComparedLink, rows: readonly RoutedClicks[]): ArmDay[] {
  const keys = new Set(splitTargets.filter(isCandidate).map(({ key }) => key));
  const drawn = rows.filter(
    ({ routeKind, splitKey }) => routeKind === "split" && splitKey !== null && keys.has(splitKey),
  );
  return [...Map.groupBy(drawn, ({ day }) => day)]
    .map(([day, all]) => ({
      day,
      visitors: all.reduce((total, { visitors }) => total + visitors, 0),
      converted: all.reduce((total, { visitorsConverted }) => total + visitorsConverted, 0),
    }))
    .toSorted((a, b) => a.day - b.day);
}

/** Returns every place where the link has this URL, or `store` if only its app has it. */
function sourcesOf({ defaultUrl, rules, splitTargets }: ComparedLink, url: string): string[] {
  const sources = [
    ...splitTargets.filter(({ destinationUrl }) => destinationUrl === url).map(({ key }) => `split:${key}`),
    ...rules.flatMap(({ destinationUrl }, index) => (destinationUrl === url ? [`rule:${index}`] : [])),
    ...(defaultUrl === url ? ["default"] : []),
  ];
  return sources.length > 0 ? sources : ["store"];
}

function attributeEvents(figures: DestinationFigures[], all: number, isWhole: boolean): void {
  const unnamed = all - figures.reduce((sum, { events }) => sum + events, 0);
  if (unnamed <= 0) return;
  const [only] = figures;
  if (only && isWhole) {
    only.events += unnamed;
    // Each is assumed to come from a click of its own, up to the number of clicks.
    only.converted = Math.min(only.clicks, only.converted + unnamed);
    return;
  }
  const warning =
    `${plural(unnamed, "event")} of the link ${unnamed === 1 ? "names" : "name"} none of these clicks, and ` +
    `${unnamed === 1 ? "counts" : "count"} for none of its destinations; send the click id (\`wm_cid\`) as \`visitorId\``;
  for (const each of figures) each.warnings.push(warning);
}

function attributeInstalls(figures: DestinationFigures[], installs: number, isWhole: boolean): void {
  if (installs <= 0) return;
  const stores = figures.filter(({ destinationUrl }) => storeOf(destinationUrl) !== null);
  const [only] = isWhole ? figures : stores.length === 1 ? stores : [];
  if (only) {
    only.installs += installs;
    only.converted = Math.min(only.clicks, only.converted + installs);
    return;
  }
  const warning = `${plural(installs, "install")} of the link cannot be attributed to one of its destinations`;
  for (const each of figures) each.warnings.push(warning);
}
