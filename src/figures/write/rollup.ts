/**
 * A batch summed up before it goes to Postgres, where every row touched costs ten times what it costs here: the visits
 * once, by link and hour, and from these the days and the whole organizations. Clicks count in all dimensions, opens by
 * platform and source. It is pure: a day recomputed from its rows is summed up by the same function.
 */

import { type RollupMetric, WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import { dimensionOf, metricOf, type RollupDimension, rollupDimensionOf } from "../keys";
import { BatchValues, type Known, ValueReader } from "./batch-values";

/** An open that comes through the spool is a resolve; deferred ones are written by the match. */
export const SPOOLED_OPEN_SOURCE = "direct";

/** What is counted of a click or an open. */
export interface CountedVisit {
  record: { kind: "click" | "open"; at: number; orgId: string; linkId: string };
  /** The start of its hour in Unix milliseconds. */
  hour: number;
  visitor: bigint;
  isBot: boolean;
  platform: string;
  /** Of a click. */
  known?: Known;
  /** Of an open; absent when it came through the spool. */
  openSource?: "direct" | "deferred";
}

/** Counts the visits of people, or of bots. */
export interface Tally {
  clicks: number;
  opens: number;
  /** Numbers of `BatchValues`, each once, and how often each came; of clicks and opens, whose values are never the same. */
  values: Uint32Array;
  counts: Int32Array;
  /** Of clicks, by their keys. */
  visitors: readonly bigint[];
}

/** Counts the visits of one link, or of `WHOLE_ORGANIZATION`, in one hour or day. */
export interface VisitGroup {
  orgId: string;
  linkId: string;
  /** The start of the hour or day in Unix milliseconds. */
  start: number;
  people: Tally;
  bots: Tally;
  /** Of the last human click, Unix milliseconds; 0 when there is none. */
  lastClickAt: number;
}

/** All are sorted by organization, link and start, so that all writers touch rows in one order. */
export interface VisitGroups {
  values: BatchValues;
  linkHours: readonly VisitGroup[];
  /** Of links and of whole organizations. */
  hours: readonly VisitGroup[];
  days: readonly VisitGroup[];
}

const DAY_MS = 86_400_000;

export function rollUp(visits: readonly CountedVisit[]): VisitGroups {
  const values = new BatchValues();
  const ofLinks = byLinkAndHour(visits, values);
  const ofOrganizations = mergeGroups(ofLinks.map((group) => ({ ...group, linkId: WHOLE_ORGANIZATION })));
  const hours = sorted([...ofLinks, ...ofOrganizations]);
  // The hours of a day stand beside each other, so that days are in their order, too.
  const days = mergeGroups(hours.map((group) => ({ ...group, start: group.start - (group.start % DAY_MS) })));
  return { values, linkHours: hours.filter(({ linkId }) => linkId !== WHOLE_ORGANIZATION), hours, days };
}

const keyOf = ({ orgId, linkId, start }: VisitGroup): string => `${orgId}${linkId}${start}`;

function sorted(groups: VisitGroup[]): VisitGroup[] {
  const keyed = groups.map((group) => ({ group, key: keyOf(group) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ group }) => group);
}

/** Those of the same link and start become one. A group that is alone is taken as it is. */
function mergeGroups(groups: readonly VisitGroup[]): VisitGroup[] {
  const sums = new Sums();
  return [...Map.groupBy(groups, keyOf).values()].flatMap((alike) => {
    const [first] = alike;
    if (!first || alike.length === 1) return alike;
    return [
      {
        ...first,
        people: sums.merge(alike.map(({ people }) => people)),
        bots: sums.merge(alike.map(({ bots }) => bots)),
        lastClickAt: alike.reduce((last, { lastClickAt }) => Math.max(last, lastClickAt), 0),
      },
    ];
  });
}

interface Draft {
  orgId: string;
  linkId: string;
  start: number;
  /** Their places. */
  people: number[];
  bots: number[];
}

function byLinkAndHour(visits: readonly CountedVisit[], values: BatchValues): VisitGroup[] {
  const sums = new Sums();
  const reader = new ValueReader(values);
  return draftsOf(visits).map(({ orgId, linkId, start, people, bots }) => ({
    orgId,
    linkId,
    start,
    people: tallyOf(people, visits, reader, sums),
    bots: tallyOf(bots, visits, reader, sums),
    lastClickAt: people.reduce((last, place) => Math.max(last, clickAt(visits[place])), 0),
  }));
}

const clickAt = (visit?: CountedVisit) => (visit?.record.kind === "click" ? visit.record.at : 0);

function draftsOf(visits: readonly CountedVisit[]): Draft[] {
  const drafts: Draft[] = [];
  const byLink = new Map<string, Draft[]>();
  visits.forEach(({ record: { orgId, linkId }, hour, isBot }, place) => {
    const ofLink = byLink.get(linkId) ?? [];
    const known = ofLink.find((each) => each.start === hour && each.orgId === orgId);
    const draft = known ?? { orgId, linkId, start: hour, people: [], bots: [] };
    (isBot ? draft.bots : draft.people).push(place);
    if (known) return;
    byLink.set(linkId, ofLink);
    ofLink.push(draft);
    drafts.push(draft);
  });
  return drafts;
}

function tallyOf(places: readonly number[], visits: readonly CountedVisit[], reader: ValueReader, sums: Sums): Tally {
  if (places.length === 0) return NO_TALLY;
  let opens = 0;
  const visitors: bigint[] = [];
  for (const place of places) {
    const visit = visits[place];
    if (visit?.record.kind === "click") {
      visitors.push(visit.visitor);
      reader.ofClick(visit.known, sums.addOne);
    } else if (visit) {
      opens++;
      reader.ofOpen(visit.platform, visit.openSource ?? SPOOLED_OPEN_SOURCE, sums.addOne);
    }
  }
  return { clicks: places.length - opens, opens, ...sums.take(), visitors };
}

const NO_TALLY: Tally = Object.freeze({
  clicks: 0,
  opens: 0,
  values: new Uint32Array(),
  counts: new Int32Array(),
  visitors: [],
});

/** A count for each value's number, and which of them are not zero: to be filled and taken, again and again. */
class Sums {
  #counts = new Int32Array(1_024);
  #touched: number[] = [];

  readonly addOne = (value: number): void => this.#add(value, 1);

  merge(tallies: readonly Tally[]): Tally {
    const some = tallies.filter((tally) => tally !== NO_TALLY);
    const [first] = some;
    if (!first) return NO_TALLY;
    if (some.length === 1) return first;
    for (const { values, counts } of some) {
      for (let index = 0; index < values.length; index++) this.#add(values[index] ?? 0, counts[index] ?? 0);
    }
    return {
      clicks: some.reduce((sum, { clicks }) => sum + clicks, 0),
      opens: some.reduce((sum, { opens }) => sum + opens, 0),
      ...this.take(),
      visitors: some.flatMap(({ visitors }) => visitors),
    };
  }

  take(): Pick<Tally, "values" | "counts"> {
    const values = Uint32Array.from(this.#touched);
    const counts = new Int32Array(values.length);
    for (let index = 0; index < values.length; index++) {
      const value = values[index] ?? 0;
      counts[index] = this.#counts[value] ?? 0;
      this.#counts[value] = 0;
    }
    this.#touched = [];
    return { values, counts };
  }

  #add(value: number, count: number): void {
    if (value >= this.#counts.length) this.#grow(value);
    const before = this.#counts[value] ?? 0;
    if (before === 0) this.#touched.push(value);
    this.#counts[value] = before + count;
  }

  #grow(value: number): void {
    const larger = new Int32Array(2 * (value + 1));
    larger.set(this.#counts);
    this.#counts = larger;
  }
}

/** By metric and dimension, how often each value came; totals under a blank value. */
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
