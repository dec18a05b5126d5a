/**
 * A batch summed up by link and hour before it goes to Postgres, where every row touched costs ten times what it costs
 * here. Clicks count in all dimensions, opens by platform and source.
 */
import type { RollupDimension, RollupMetric } from "@/platform/db/schema/clicks";
import { SPOOLED_OPEN_SOURCE } from "./click-rows";
import type { EnrichedClick } from "./enrich";

export interface LinkHour {
  orgId: string;
  linkId: string;
  /** Start of the hour, Unix milliseconds. */
  hour: number;
  counts: Partial<Record<RollupMetric, Tally>>;
  /** Visitors of clicks, by their keys. */
  humans: bigint[];
  bots: bigint[];
  /** Of the last human click, Unix milliseconds; 0 when there is none. */
  lastClickAt: number;
}

/** How often each value of each dimension came. */
export type Tally = Partial<Record<RollupDimension, Map<string, number>>>;

/** Sorted by organization, link and hour, so that all writers touch rows in one order. */
export function rollUp(clicks: readonly EnrichedClick[]): LinkHour[] {
  const groups = new Map<string, LinkHour>();
  for (const click of clicks) addTo(groupOf(groups, click), click);
  const sorted = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([, group]) => group);
}

function groupOf(groups: Map<string, LinkHour>, { record, hour }: EnrichedClick): LinkHour {
  const { orgId, linkId } = record;
  const key = `${orgId}${linkId}${hour}`;
  const known = groups.get(key);
  if (known) return known;
  const group: LinkHour = { orgId, linkId, hour, counts: {}, humans: [], bots: [], lastClickAt: 0 };
  groups.set(key, group);
  return group;
}

function addTo(group: LinkHour, click: EnrichedClick): void {
  if (click.record.kind === "open") {
    addOpen(group, click);
    return;
  }
  if (click.isBot) {
    group.bots.push(click.visitor);
  } else {
    group.humans.push(click.visitor);
    group.lastClickAt = Math.max(group.lastClickAt, click.record.at);
  }
  addClick(group, click);
}

function addClick(group: LinkHour, { isBot, platform, agent, place, language, referrer }: EnrichedClick): void {
  const tally = tallyOf(group, isBot ? "bot_clicks" : "clicks");
  count(tally, "total", "");
  count(tally, "platform", platform);
  count(tally, "country", place.country);
  count(tally, "city", place.city);
  count(tally, "device", agent.deviceType);
  count(tally, "browser", agent.browser);
  count(tally, "os", agent.os);
  count(tally, "referrer", referrer);
  count(tally, "language", language);
}

function addOpen(group: LinkHour, { isBot, platform }: EnrichedClick): void {
  const tally = tallyOf(group, isBot ? "bot_opens" : "opens");
  count(tally, "total", "");
  count(tally, "platform", platform);
  count(tally, "source", SPOOLED_OPEN_SOURCE);
}

function tallyOf({ counts }: LinkHour, metric: RollupMetric): Tally {
  const tally = counts[metric] ?? {};
  counts[metric] = tally;
  return tally;
}

function count(tally: Tally, dimension: RollupDimension, value = ""): void {
  const values = tally[dimension] ?? new Map<string, number>();
  tally[dimension] = values;
  values.set(value, (values.get(value) ?? 0) + 1);
}
