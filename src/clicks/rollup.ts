/**
 * A batch summed up before it goes to Postgres, where every row touched costs ten times what it costs here: the visits
 * once, by link and hour, and from these the days and the whole organizations. Clicks count in all dimensions, opens by
 * platform and source. It is pure: a day recomputed from its rows is summed up by the same function.
 */
import {
  CLICK_DIMENSION_NAMES,
  CLICK_DIMENSIONS,
  type ClickDimension,
  type StoredValues,
  type VisitFacts,
} from "@/platform/db/dimensions";
import type { RollupDimension } from "@/platform/db/figure-keys";
import { ROLLUP_METRICS, type RollupMetric, WHOLE_ORGANIZATION } from "@/platform/db/schema/clicks";
import { SPOOLED_OPEN_SOURCE } from "./click-rows";
import type { ClickRecord } from "./record";

/** What is counted of a click or an open. */
export interface CountedVisit {
  record: Pick<ClickRecord, "kind" | "at" | "orgId" | "linkId">;
  /** Start of its hour, Unix milliseconds. */
  hour: number;
  visitor: bigint;
  isBot: boolean;
  platform: string;
  /** What is known of a click: as facts where it is new, else as it is stored. An open needs none. */
  known?: { facts: VisitFacts } | { values: StoredValues };
  /** Of an open; absent when it came through the spool. */
  openSource?: "direct" | "deferred";
}

/** The visits of one link, or of `WHOLE_ORGANIZATION`, in one hour or day. */
export interface VisitGroup {
  orgId: string;
  linkId: string;
  /** Of the hour or day, Unix milliseconds. */
  start: number;
  counts: Readonly<Partial<Record<RollupMetric, Tally>>>;
  /** Visitors of clicks, by their keys. */
  humans: readonly bigint[];
  bots: readonly bigint[];
  /** Of the last human click, Unix milliseconds; 0 when there is none. */
  lastClickAt: number;
}

/** How often each value of each dimension came. */
export type Tally = Partial<Record<RollupDimension, Map<string, number>>>;

/** All sorted by organization, link and start, so that all writers touch rows in one order. */
export interface VisitGroups {
  linkHours: readonly VisitGroup[];
  /** Of links and of whole organizations. */
  hours: readonly VisitGroup[];
  days: readonly VisitGroup[];
}

const DAY_MS = 86_400_000;

export function rollUp(visits: readonly CountedVisit[]): VisitGroups {
  const linkHours = sorted(byLinkAndHour(visits));
  const hours = sorted([...linkHours, ...mergeGroups(linkHours.map(ofOrganization))]);
  return { linkHours, hours, days: sorted(mergeGroups(hours.map(ofDay))) };
}

const ofOrganization = (group: VisitGroup): VisitGroup => ({ ...group, linkId: WHOLE_ORGANIZATION });
const ofDay = (group: VisitGroup): VisitGroup => ({ ...group, start: group.start - (group.start % DAY_MS) });

const keyOf = ({ orgId, linkId, start }: VisitGroup): string => `${orgId}${linkId}${start}`;

function sorted(groups: VisitGroup[]): VisitGroup[] {
  const keyed = groups.map((group) => ({ group, key: keyOf(group) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ group }) => group);
}

/** Those of the same link and start become one. A group that is alone is taken as it is. */
function mergeGroups(groups: readonly VisitGroup[]): VisitGroup[] {
  return [...Map.groupBy(groups, keyOf).values()].flatMap((alike) => {
    const [first] = alike;
    return first && alike.length > 1 ? [mergeAlike(first, alike)] : alike;
  });
}

function mergeAlike({ orgId, linkId, start }: VisitGroup, groups: readonly VisitGroup[]): VisitGroup {
  return {
    orgId,
    linkId,
    start,
    counts: sumCounts(groups),
    humans: groups.flatMap(({ humans }) => humans),
    bots: groups.flatMap(({ bots }) => bots),
    lastClickAt: groups.reduce((last, { lastClickAt }) => Math.max(last, lastClickAt), 0),
  };
}

function sumCounts(groups: readonly VisitGroup[]): Counts {
  const sums: Counts = {};
  for (const { counts } of groups) {
    for (const metric of ROLLUP_METRICS) {
      const tally = counts[metric];
      if (tally) addTally(tallyOf(sums, metric), tally);
    }
  }
  return sums;
}

function addTally(sum: Tally, tally: Tally): void {
  for (const dimension of DIMENSIONS) {
    const values = tally[dimension];
    if (!values) continue;
    for (const [value, times] of values) count(sum, dimension, value, times);
  }
}

type Counts = Partial<Record<RollupMetric, Tally>>;

interface GrowingGroup extends VisitGroup {
  counts: Counts;
  humans: bigint[];
  bots: bigint[];
}

function byLinkAndHour(visits: readonly CountedVisit[]): GrowingGroup[] {
  const groups = new Map<string, GrowingGroup>();
  for (const visit of visits) addTo(groupOf(groups, visit), visit);
  return [...groups.values()];
}

function groupOf(groups: Map<string, GrowingGroup>, { record, hour }: CountedVisit): GrowingGroup {
  const { orgId, linkId } = record;
  const key = `${orgId}${linkId}${hour}`;
  const known = groups.get(key);
  if (known) return known;
  const group: GrowingGroup = { orgId, linkId, start: hour, counts: {}, humans: [], bots: [], lastClickAt: 0 };
  groups.set(key, group);
  return group;
}

function addTo(group: GrowingGroup, visit: CountedVisit): void {
  if (visit.record.kind === "open") {
    addOpen(group, visit);
    return;
  }
  if (visit.isBot) {
    group.bots.push(visit.visitor);
  } else {
    group.humans.push(visit.visitor);
    group.lastClickAt = Math.max(group.lastClickAt, visit.record.at);
  }
  addClick(group, visit);
}

const DIMENSIONS: readonly RollupDimension[] = ["total", "source", ...CLICK_DIMENSION_NAMES];
const COUNTED = CLICK_DIMENSION_NAMES.map((name) => ({ name, ...CLICK_DIMENSIONS[name] }));

function addClick({ counts }: GrowingGroup, { isBot, known }: CountedVisit): void {
  const tally = tallyOf(counts, isBot ? "bot_clicks" : "clicks");
  count(tally, "total", "");
  for (const { name, of, countsBlank } of COUNTED) {
    const value = textOf(known, name, of);
    if (value !== "" || countsBlank) count(tally, name, value);
  }
}

function textOf(known: CountedVisit["known"], name: ClickDimension, of: (visit: VisitFacts) => unknown): string {
  if (!known) return "";
  if ("values" in known) return known.values[name];
  const value = of(known.facts);
  return typeof value === "string" ? value : String(value ?? "");
}

function addOpen({ counts }: GrowingGroup, { isBot, platform, openSource = SPOOLED_OPEN_SOURCE }: CountedVisit): void {
  const tally = tallyOf(counts, isBot ? "bot_opens" : "opens");
  count(tally, "total", "");
  count(tally, "platform", platform);
  count(tally, "source", openSource);
}

function tallyOf(counts: Counts, metric: RollupMetric): Tally {
  const tally = counts[metric] ?? {};
  counts[metric] = tally;
  return tally;
}

function count(tally: Tally, dimension: RollupDimension, value = "", times = 1): void {
  const values = tally[dimension] ?? new Map<string, number>();
  tally[dimension] = values;
  values.set(value, (values.get(value) ?? 0) + times);
}
