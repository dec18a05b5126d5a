/** The figures of a workspace or link that the assistant uses, and their totals by channel and visitor. */
import { NO_REFERRER, UNKNOWN_VALUE } from "@/contract/analytics/analytics";
import type { AnalyticsOverview } from "@/contract/analytics/overview";
import type { Utm } from "@/contract/routing";
import type { RateClaims } from "../insights/link-claims";
import { interval, percent } from "../insights/words";
import { number, plural } from "../plural";
import { channelOfHost, channelOfUtm } from "./channels";
import type { InsightFindings } from "./findings";
import type { MeasuredShare } from "./intervals";

/** A link's tags and its clicks in the last 30 days. */
export interface LinkClicks {
  utm: Utm | null;
  clicks: number;
}

export interface AssistantFigures {
  /** `current` covers the last 30 days, `previous` the 30 days before. */
  current: AnalyticsOverview;
  previous: AnalyticsOverview;
  /** Covers the last 72 whole hours, by hour. */
  hours: AnalyticsOverview;
  /** The most clicked links, or only the link that the question is about. */
  links: LinkClicks[];
  isOfLink: boolean;
  /** What insights found in the same 30 days. */
  found: InsightFindings;
  claims: RateClaims;
}

/** Sums the clicks of links by the channel of their tags, most first. Omits untagged links and unknown channels. */
export function channelsOfLinks({ links }: AssistantFigures): NamedCount[] {
  const tagged = links.flatMap(({ utm, clicks }) => {
    const channel = utm && channelOfUtm(utm);
    return channel ? [{ name: channel.name, count: clicks }] : [];
  });
  return summedByName(tagged);
}

function summedByName(rows: readonly NamedCount[]): NamedCount[] {
  return [...Map.groupBy(rows, ({ name }) => name)]
    .map(([name, same]) => ({ name, count: same.reduce((total, row) => total + row.count, 0) }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}

export interface NamedCount {
  name: string;
  count: number;
}

/** Sums clicks by the channel of their referring page, most first. */
export function channelsOfReferrers({ current }: AssistantFigures): NamedCount[] {
  const known = current.byReferrer.flatMap((row) => {
    const channel = row.referrer === NO_REFERRER ? undefined : channelOfHost(row.referrer);
    return channel ? [{ name: channel.name, count: row.count }] : [];
  });
  return summedByName(known);
}

export type Breakdown = "device" | "country" | "language";

/** Returns known values, most clicked first, with names that people know; languages without regions. */
export function valuesOf(overview: AnalyticsOverview, breakdown: Breakdown): NamedCount[] {
  const rows = rowsOf(overview, breakdown).filter(({ name }) => name !== UNKNOWN_VALUE);
  return summedByName(rows);
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

/** Returns `Germany (DE)`, because rules use the code. Anything but a code is returned unchanged. */
function placeName(code: string): string {
  const name = /^[A-Z]{2}$/.test(code) ? places.of(code) : undefined;
  return name && name !== code ? `${name} (${code})` : code;
}

function languageName(tag: string): string {
  const [code = ""] = tag.toLowerCase().split("-", 1);
  const name = /^[a-z]{2,3}$/.test(code) ? languages.of(code) : undefined;
  return name && name !== code ? `${name} (${code})` : code;
}

/** Returns `mobile: 812 of 1,000 clicks, 81.2% (95% interval 78.7 to 83.5%)`. */
export function shareSentence(name: string, share: MeasuredShare): string {
  return `${name}: ${number(share.count)} of ${plural(share.total, "click")}, ${percent(share.value)} (${interval(share)})`;
}
