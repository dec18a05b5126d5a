/** What the assistant goes by: a workspace's or a link's own figures, and what they come to for one goal. */
import { type AnalyticsOverview, NO_REFERRER, UNKNOWN_VALUE } from "@/contract/analytics";
import type { Utm } from "@/contract/routing";
import { interval, number, percent, plural } from "../insights/words";
import { channelOfHost, channelOfUtm } from "./channels";
import { conversionRate } from "./conversion";
import { type Intent, measured } from "./intents";
import type { Share } from "./intervals";

export interface LinkFigures {
  utm: Utm | null;
  overview: AnalyticsOverview;
}

export interface AssistantFigures {
  /** The last 30 days, and the 30 before. */
  current: AnalyticsOverview;
  previous: AnalyticsOverview;
  /** The last 72 whole hours, by hour. */
  hours: AnalyticsOverview;
  /** The most clicked links of the last 30 days; of one link's figures that link alone. */
  links: LinkFigures[];
  /** Where `current` is a link's: the whole workspace's. */
  workspace: AnalyticsOverview | null;
}

export interface ChannelFigures {
  name: string;
  clicks: number;
  conversions: number;
  /** Undefined where clicks are what is counted. */
  rate: Share | undefined;
}

/** Of the links tagged with it; the best by the lower end of its rate first. Untagged links and unknown channels are left out. */
export function channelsOfLinks({ links }: AssistantFigures, intent: Intent): ChannelFigures[] {
  const tagged = links.flatMap(({ utm, overview }) => {
    const channel = utm && channelOfUtm(utm);
    return channel ? [{ name: channel.name, overview }] : [];
  });
  return [...Map.groupBy(tagged, ({ name }) => name)].map(([name, rows]) => summed(name, rows, intent)).sort(byRate);
}

function summed(name: string, rows: { overview: AnalyticsOverview }[], intent: Intent): ChannelFigures {
  const sum = (of: (overview: AnalyticsOverview) => number) => rows.reduce((total, row) => total + of(row.overview), 0);
  const clicks = sum(({ totalClicks }) => totalClicks);
  const conversions = sum((overview) => measured(intent, overview));
  return { name, clicks, conversions, rate: conversionRate(intent, conversions, clicks) };
}

const byRate = (a: ChannelFigures, b: ChannelFigures): number =>
  (b.rate?.low ?? 0) - (a.rate?.low ?? 0) || b.clicks - a.clicks || (a.name < b.name ? -1 : 1);

export interface NamedCount {
  name: string;
  count: number;
}

/** Clicks by the channel their referring page belongs to; the most first. */
export function channelsOfReferrers({ current }: AssistantFigures): NamedCount[] {
  const known = current.byReferrer.flatMap((row) => {
    const channel = row.referrer === NO_REFERRER ? undefined : channelOfHost(row.referrer);
    return channel ? [{ name: channel.name, count: row.count }] : [];
  });
  return [...Map.groupBy(known, ({ name }) => name)]
    .map(([name, rows]) => ({ name, count: rows.reduce((total, row) => total + row.count, 0) }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}

export type Breakdown = "device" | "country" | "language";

/** Values that are known, the most clicked first, as people know them; languages without their regions. */
export function valuesOf(overview: AnalyticsOverview, breakdown: Breakdown): NamedCount[] {
  const rows = rowsOf(overview, breakdown).filter(({ name }) => name !== UNKNOWN_VALUE);
  return [...Map.groupBy(rows, ({ name }) => name)]
    .map(([name, same]) => ({ name, count: same.reduce((total, row) => total + row.count, 0) }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}

function rowsOf(overview: AnalyticsOverview, breakdown: Breakdown): NamedCount[] {
  switch (breakdown) {
    case "device":
      return overview.byDevice.map(({ device, count }) => ({ name: device, count }));
    case "country":
      return overview.byCountry.map(({ country, count }) => ({ name: placeName(country), count }));
    case "language":
      return overview.byLanguage.map(({ language, count }) => ({ name: languageName(language), count }));
    default:
      return breakdown satisfies never;
  }
}

const places = new Intl.DisplayNames("en", { type: "region" });
const languages = new Intl.DisplayNames("en", { type: "language" });

/** `Germany (DE)`; rules take the code. Anything that is no code stays as it is. */
function placeName(code: string): string {
  const name = /^[A-Z]{2}$/.test(code) ? places.of(code) : undefined;
  return name && name !== code ? `${name} (${code})` : code;
}

function languageName(tag: string): string {
  const [code = ""] = tag.toLowerCase().split("-", 1);
  const name = /^[a-z]{2,3}$/.test(code) ? languages.of(code) : undefined;
  return name && name !== code ? `${name} (${code})` : code;
}

/** `mobile: 812 of 1,000 clicks, 81.2 % (95 % interval 78.7 % to 83.5 %)`. */
export function shareSentence(name: string, share: Share): string {
  return `${name}: ${number(share.count)} of ${plural(share.total, "click")}, ${percent(share.value)} (${interval(share)})`;
}
