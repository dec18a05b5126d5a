/**
 * Sums up a batch before it goes to Postgres, where each row touched costs ten times what it costs here. The visits
 * are summed once, by link and hour; days and whole organizations are derived from these sums. Clicks count in all
 * dimensions, opens by platform and source. This has no side effects, so recounting a day from its raw rows uses it
 * as well.
 */
import { DAY_MS } from "@/core/time/time-range";
import { type RollupMetric, WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import type { NumberedKey } from "@/platform/visitor";
import { dimensionOf, metricOf, type RollupDimension, rollupDimensionOf } from "../keys";
import { BatchValues, type Known, ValueReader } from "./batch-values";
import { NO_TALLY, type Tally, ValueSums, VisitorKeys } from "./tally";

/** The source of all opens that come through the spool, which are resolves. Deferred opens are written by the claim. */
export const SPOOLED_OPEN_SOURCE = "direct";

/** What is counted of a click or an open. */
export interface CountedVisit {
  record: { kind: "click" | "open"; at: number; orgId: string; linkId: string };
  /** The start of its hour in Unix milliseconds. */
  hour: number;
  visitor: NumberedKey;
  isBot: boolean;
  platform: string;
  /** Set for clicks. */
  known?: Known;
  /** Set for opens, except those that came through the spool. */
  openSource?: "direct" | "deferred";
}

/** Counts the visits of one link, or of `WHOLE_ORGANIZATION`, in one hour or day. */
export interface VisitGroup {
  orgId: string;
  linkId: string;
  /** The start of the hour or day in Unix milliseconds. */
  start: number;
  people: Tally;
  bots: Tally;
  /** The time of the last human click in Unix milliseconds; 0 if there is none. */
  lastClickAt: number;
}

/** All groups are sorted by organization, link and start, so that all writers touch rows in the same order. */
export interface VisitGroups {
  values: BatchValues;
  linkHours: readonly VisitGroup[];
  /** The hours of links and of whole organizations. */
  hours: readonly VisitGroup[];
  days: readonly VisitGroup[];
}

export function rollUp(visits: readonly CountedVisit[]): VisitGroups {
  const values = new BatchValues();
  const sums = new ValueSums();
  const linkHours = byLinkAndHour(visits, values, sums).sort(inOrder);
  const hours = [...linkHours, ...ofOrganizations(linkHours, sums)].sort(inOrder);
  return { values, linkHours, hours, days: daysOf(hours, sums) };
}

function inOrder(one: VisitGroup, other: VisitGroup): number {
  if (one.orgId !== other.orgId) return one.orgId < other.orgId ? -1 : 1;
  if (one.linkId !== other.linkId) return one.linkId < other.linkId ? -1 : 1;
  return one.start - other.start;
}

function ofOrganizations(linkHours: readonly VisitGroup[], sums: ValueSums): VisitGroup[] {
  const hours = Map.groupBy(linkHours, ({ orgId, start }) => `${orgId} ${start}`);
  return [...hours.values()].flatMap((alike) => merged(alike, { linkId: WHOLE_ORGANIZATION }, sums) ?? []);
}

/** Sums hours to days. The hours of a day are adjacent, so the days are sorted as well. */
function daysOf(hours: readonly VisitGroup[], sums: ValueSums): VisitGroup[] {
  const days: VisitGroup[] = [];
  for (let first = 0; first < hours.length; ) {
    const { orgId, linkId, start = 0 } = hours[first] ?? {};
    const day = start - (start % DAY_MS);
    let end = first + 1;
    for (; end < hours.length; end++) {
      const hour = hours[end];
      if (!hour || hour.linkId !== linkId || hour.orgId !== orgId || hour.start >= day + DAY_MS) break;
    }
    const sum = merged(hours.slice(first, end), { start: day }, sums);
    if (sum) days.push(sum);
    first = end;
  }
  return days;
}

/** Merges groups into one. A single group keeps its tallies. */
function merged(groups: readonly VisitGroup[], as: Partial<VisitGroup>, sums: ValueSums): VisitGroup | undefined {
  const [first] = groups;
  if (!first || groups.length === 1) return first && { ...first, ...as };
  return {
    ...first,
    ...as,
    people: sums.merge(groups.map(({ people }) => people)),
    bots: sums.merge(groups.map(({ bots }) => bots)),
    lastClickAt: groups.reduce((last, { lastClickAt }) => Math.max(last, lastClickAt), 0),
  };
}

interface Draft {
  orgId: string;
  linkId: string;
  start: number;
  /** Indexes of the visits. */
  people: number[];
  bots: number[];
}

function byLinkAndHour(visits: readonly CountedVisit[], values: BatchValues, sums: ValueSums): VisitGroup[] {
  const reader = new ValueReader(values);
  const visitors = new VisitorKeys(visits.length);
  return draftsOf(visits).map(({ orgId, linkId, start, people, bots }) => ({
    orgId,
    linkId,
    start,
    people: tallyOf(people, visits, { reader, sums, visitors }),
    bots: tallyOf(bots, visits, { reader, sums, visitors }),
    lastClickAt: people.reduce((last, place) => Math.max(last, clickAt(visits[place])), 0),
  }));
}

const clickAt = (visit?: CountedVisit) => (visit?.record.kind === "click" ? visit.record.at : 0);

function draftsOf(visits: readonly CountedVisit[]): Draft[] {
  const drafts: Draft[] = [];
  const byLink = new Map<string, Draft[]>();
  visits.forEach(({ record: { orgId, linkId }, hour, isBot }, place) => {
    let ofLink = byLink.get(linkId);
    if (!ofLink) {
      ofLink = [];
      byLink.set(linkId, ofLink);
    }
    let draft = ofLink.find((each) => each.start === hour && each.orgId === orgId);
    if (!draft) {
      draft = { orgId, linkId, start: hour, people: [], bots: [] };
      ofLink.push(draft);
      drafts.push(draft);
    }
    (isBot ? draft.bots : draft.people).push(place);
  });
  return drafts;
}

interface Counting {
  reader: ValueReader;
  sums: ValueSums;
  visitors: VisitorKeys;
}

function tallyOf(
  places: readonly number[],
  visits: readonly CountedVisit[],
  { reader, sums, visitors }: Counting,
): Tally {
  if (places.length === 0) return NO_TALLY;
  let opens = 0;
  for (const place of places) {
    const visit = visits[place];
    if (visit?.record.kind === "click") {
      visitors.put(visit.visitor);
      reader.ofClick(visit.known, sums.addOne);
    } else if (visit) {
      opens++;
      reader.ofOpen(visit.platform, visit.openSource ?? SPOOLED_OPEN_SOURCE, sums.addOne);
    }
  }
  return { clicks: places.length - opens, opens, ...sums.take(), visitors: visitors.take() };
}

/** The count of each value by metric and dimension; totals are under a blank value. */
export type NamedCounts = Partial<Record<RollupMetric, Partial<Record<RollupDimension, Map<string, number>>>>>;

export function namedCounts({ people, bots }: VisitGroup, { all }: BatchValues): NamedCounts {
  const named: NamedCounts = {};
  const put = (metric: RollupMetric, dimension: RollupDimension, value: string, count: number) => {
    const ofMetric = named[metric] ?? {};
    named[metric] = ofMetric;
    ofMetric[dimension] = (ofMetric[dimension] ?? new Map<string, number>()).set(value, count);
  };
  for (const [isBot, { clicks, opens, values, counts }] of [
    [false, people],
    [true, bots],
  ] as const) {
    if (clicks !== 0) put(isBot ? "bot_clicks" : "clicks", "total", "", clicks);
    if (opens !== 0) put(isBot ? "bot_opens" : "opens", "total", "", opens);
    values.forEach((number, index) => {
      const { code = 0, value = "" } = all[number] ?? {};
      const dimension = dimensionOf(code);
      put(metricOf(dimension, isBot), rollupDimensionOf(dimension), value, counts[index] ?? 0);
    });
  }
  return named;
}
