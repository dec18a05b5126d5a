/**
 * Groups the clicks of a link by route and by the day of the visitor's first click there. A visitor who is moved to
 * another split target, because one was added or its destination changed, counts only for the first: the others'
 * visitors of those days are all new to the split, and people who come again convert differently.
 */
import type { RoutedClicks } from "@/core/insights/destination-figures";
import { DAY_MS } from "@/core/time/time-range";
import { ID_BYTES, type Sample, type SampleRoute, VISITOR_WORDS } from "./sample";

export interface RoutedRow extends RoutedClicks {
  linkId: string;
  /** Time of the earliest first click, in Unix milliseconds. */
  since: number;
}

/** Number of conversions that refer to each click, by click id as returned by `idAt`. */
export type ByClick = ReadonlyMap<string, number>;

export interface Conversions {
  leads: ByClick;
  events: ByClick;
}

/** The newest `rows` clicks of a sample. */
export interface SampleHead {
  sample: Sample;
  rows: number;
}

/** Returns the id at a place as a string with one character per byte. */
export const idAt = (ids: Buffer, place: number): string =>
  ids.toString("latin1", place * ID_BYTES, (place + 1) * ID_BYTES);

export function rowsOfFirstDays(
  linkId: string,
  heads: readonly SampleHead[],
  { leads, events }: Conversions,
): RoutedRow[] {
  const routes = new Routes();
  const all = heads.reduce((sum, { rows }) => sum + rows, 0);
  const visitors = new VisitorsByRoute(all);
  const ofSplit = new VisitorsOfSplit(all);
  const isNamed = leads.size + events.size > 0;
  for (const { sample, rows } of heads) {
    const numbers = Uint32Array.from(sample.table, (route) => routes.numberOf(route));
    const ids = Buffer.from(sample.ids.buffer, sample.ids.byteOffset, sample.ids.byteLength);
    for (let row = 0; row < rows; row++) {
      const at = sample.at[row] ?? 0;
      const route = numbers[sample.routes[row] ?? 0] ?? 0;
      const visitor = visitors.add(route, sample.visitors, row * VISITOR_WORDS, at);
      if (routes.isSplit(route)) ofSplit.add(visitor, sample.visitors, row * VISITOR_WORDS, at);
      if (!isNamed) continue;
      const id = idAt(ids, row);
      visitors.convert(visitor, leads.get(id) ?? 0, events.get(id) ?? 0);
    }
  }
  return summedUp(linkId, routes, visitors, ofSplit);
}

function summedUp(linkId: string, routes: Routes, visitors: VisitorsByRoute, ofSplit: VisitorsOfSplit): RoutedRow[] {
  const byDay = routes.all.map((route) => new DayRows(linkId, route));
  for (let visitor = 0; visitor < visitors.count; visitor++) {
    const since = visitors.first[visitor] ?? 0;
    const row = byDay[visitors.routes[visitor] ?? 0]?.at(since);
    if (!row) continue;
    const converted = visitors.converted[visitor] ?? 0;
    if (!routes.isSplit(visitors.routes[visitor] ?? 0) || ofSplit.firstOf(visitor) === since) {
      row.visitors++;
      row.visitorsConverted += converted > 0 ? 1 : 0;
    }
    row.clicks += visitors.clicks[visitor] ?? 0;
    row.converted += converted;
    row.leads += visitors.leads[visitor] ?? 0;
    row.events += visitors.events[visitor] ?? 0;
  }
  return byDay.flatMap(({ all }) => all);
}

/** The rows of one route. */
class DayRows {
  readonly all: RoutedRow[] = [];
  readonly #linkId: string;
  readonly #route: SampleRoute;
  readonly #byDay = new Map<number, RoutedRow>();
  #last: RoutedRow | undefined;

  constructor(linkId: string, route: SampleRoute) {
    this.#linkId = linkId;
    this.#route = route;
  }

  /** Returns the row of the day, which is usually the same as for the previous call. */
  at(instant: number): RoutedRow {
    const day = instant - (instant % DAY_MS);
    const row = this.#last?.day === day ? this.#last : (this.#byDay.get(day) ?? this.#begin(day, instant));
    row.since = Math.min(row.since, instant);
    this.#last = row;
    return row;
  }

  #begin(day: number, since: number): RoutedRow {
    const counts = { visitors: 0, visitorsConverted: 0, clicks: 0, converted: 0, leads: 0, events: 0 };
    const row = { linkId: this.#linkId, ...this.#route, day, since, ...counts };
    this.#byDay.set(day, row);
    this.all.push(row);
    return row;
  }
}

/** Numbers the distinct routes of several samples, each of which has its own table. */
class Routes {
  readonly all: SampleRoute[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(route: SampleRoute): number {
    const key = JSON.stringify([route.routeKind, route.ruleIndex, route.splitKey, route.destinationUrl]);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.all.length);
    return this.all.push(route) - 1;
  }

  isSplit(number: number): boolean {
    return this.all[number]?.routeKind === "split";
  }
}

/**
 * Counts per visitor and route, held in columns: one object per visitor would take ten times as much time on the
 * thread that serves redirects.
 */
class VisitorsByRoute {
  count = 0;
  readonly routes: Uint32Array;
  readonly first: Float64Array;
  readonly clicks: Uint32Array;
  readonly converted: Uint32Array;
  readonly leads: Uint32Array;
  readonly events: Uint32Array;
  readonly #keys: Uint32Array;
  /**
   * Open-addressing hash table: index of the visitor plus one, or 0 for a free slot. At most half of the slots are
   * used.
   */
  readonly #slots: Uint32Array;

  constructor(most: number) {
    const counts = () => new Uint32Array(most);
    this.routes = counts();
    this.first = new Float64Array(most);
    this.clicks = counts();
    this.converted = counts();
    this.leads = counts();
    this.events = counts();
    this.#keys = new Uint32Array(most * VISITOR_WORDS);
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * most + 2)));
  }

  /** Adds a click of the visitor whose key starts at `words[place]`. Returns the visitor's index. */
  add(route: number, words: Uint32Array, place: number, at: number): number {
    const visitor = this.#find(route, words[place] ?? 0, words[place + 1] ?? 0);
    if (this.clicks[visitor] === 0 || at < (this.first[visitor] ?? 0)) this.first[visitor] = at;
    this.clicks[visitor] = (this.clicks[visitor] ?? 0) + 1;
    return visitor;
  }

  /** Adds the conversions of a click. */
  convert(visitor: number, leads: number, events: number): void {
    if (leads + events === 0) return;
    this.converted[visitor] = (this.converted[visitor] ?? 0) + 1;
    this.leads[visitor] = (this.leads[visitor] ?? 0) + leads;
    this.events[visitor] = (this.events[visitor] ?? 0) + events;
  }

  /**
   * Returns the visitor's index, adding the visitor if new. Visitor keys are already random, so they need no further
   * hashing.
   */
  #find(route: number, one: number, other: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = (one ^ Math.imul(route + 1, 0x9e3779b1)) & mask; ; slot = (slot + 1) & mask) {
      const taken = this.#slots[slot] ?? 0;
      if (taken === 0) {
        const visitor = this.count++;
        this.#slots[slot] = visitor + 1;
        this.routes[visitor] = route;
        this.#keys[2 * visitor] = one;
        this.#keys[2 * visitor + 1] = other;
        return visitor;
      }
      const visitor = taken - 1;
      const isSame = this.#keys[2 * visitor] === one && this.#keys[2 * visitor + 1] === other;
      if (isSame && this.routes[visitor] === route) return visitor;
    }
  }
}

/** Keeps the first click of each visitor at any split target of the link. */
class VisitorsOfSplit {
  readonly #visitors: VisitorsByRoute;
  /** Index of the visitor, by index of the visitor at one target. */
  readonly #indexes: Uint32Array;

  constructor(most: number) {
    this.#visitors = new VisitorsByRoute(most);
    this.#indexes = new Uint32Array(most);
  }

  /** `atTarget` is the index of the visitor at one target. */
  add(atTarget: number, words: Uint32Array, place: number, at: number): void {
    this.#indexes[atTarget] = this.#visitors.add(0, words, place, at);
  }

  firstOf(atTarget: number): number | undefined {
    return this.#visitors.first[this.#indexes[atTarget] ?? 0];
  }
}
