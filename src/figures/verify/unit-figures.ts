/**
 * All figures of an organization in one hour or day (a unit), those of its links and of the whole, in memory: as they
 * are stored, or as they should be. The two can be compared.
 */
import { REST_VALUE } from "../dimensions";
import {
  addHash,
  createSketch,
  encodeSketch,
  estimate,
  foldToPrecision,
  mergeInto,
  PRECISION,
  type Sketch,
} from "../uniques";
import type { BatchValues } from "../write/batch-values";
import { namedCounts, type VisitGroup } from "../write/rollup";
import { OPEN_ENDED_NAMES } from "../write/value-bound";

export interface UnitFigures {
  /** Counts by `cellKey`. */
  cells: Map<string, number>;
  /** Visitors by `visitorsKey`; null if the stored sketch cannot be read. */
  visitors: Map<string, Sketch | null>;
}

export interface UnitDifference {
  linkId: string;
  metric: string;
  dimension: string;
  value: string;
  /** Null if the stored sketch cannot be read. */
  have: number | null;
  /** For visitors, it may equal `have`, if only the sketches behind the numbers differ. */
  should: number;
}

const VISITORS = "visitors";

export const createUnit = (): UnitFigures => ({ cells: new Map(), visitors: new Map() });

export const cellKey = (linkId: string, metric: string, dimension: string, value: string): string =>
  `${linkId}\t${metric}\t${dimension}\t${value}`;

const visitorsKey = (linkId: string, isBot: boolean): string => `${linkId}\t${isBot ? "bot_clicks" : "clicks"}`;

export function addCell({ cells }: UnitFigures, key: string, count: number): void {
  cells.set(key, (cells.get(key) ?? 0) + count);
}

export function addGroup(unit: UnitFigures, group: VisitGroup, all: BatchValues): void {
  const { linkId, people, bots } = group;
  for (const [metric, tally] of Object.entries(namedCounts(group, all))) {
    for (const [dimension, values] of Object.entries(tally)) {
      for (const [value, count] of values) addCell(unit, cellKey(linkId, metric, dimension, value), count);
    }
  }
  addVisitors(unit, linkId, false, people.visitors);
  addVisitors(unit, linkId, true, bots.visitors);
}

function addVisitors({ visitors }: UnitFigures, linkId: string, isBot: boolean, hashes: BigUint64Array): void {
  if (hashes.length === 0) return;
  const key = visitorsKey(linkId, isBot);
  const sketch = visitors.get(key) ?? createSketch(PRECISION);
  for (const hash of hashes) addHash(sketch, hash);
  visitors.set(key, sketch);
}

/** Adds a stored sketch; null stands for one that cannot be read. */
export function addSketch({ visitors }: UnitFigures, linkId: string, isBot: boolean, stored: Sketch | null): void {
  const key = visitorsKey(linkId, isBot);
  const known = visitors.get(key);
  if (stored === null || known === null) {
    visitors.set(key, null);
    return;
  }
  const sum = known ?? createSketch(PRECISION);
  mergeInto(sum, stored);
  visitors.set(key, sum);
}

/**
 * Returns the differences in the order of their keys. Where the rest is counted, a listed value may count less than
 * it should, and the rest must be exactly what is missing from the listed values: see `value-bound`.
 */
export function differencesOf(have: UnitFigures, should: UnitFigures): UnitDifference[] {
  const rests = restsOf(have, should);
  const cells = keysOf(have.cells, should.cells).flatMap((key) => {
    const [has, ought] = [have.cells.get(key) ?? 0, rests.get(key) ?? should.cells.get(key) ?? 0];
    const isLess = has < ought && !rests.has(key) && rests.has(restKeyOf(key));
    return has === ought || isLess ? [] : [{ ...partsOf(key), have: has, should: ought }];
  });
  const visitors = keysOf(have.visitors, should.visitors).flatMap((key) => {
    const [has, ought] = [have.visitors.get(key), should.visitors.get(key)];
    if (has !== null && areSame(has, ought)) return [];
    return [{ ...partsOf(key), dimension: VISITORS, have: has === null ? null : sizeOf(has), should: sizeOf(ought) }];
  });
  return [...cells, ...visitors];
}

/** Returns what those rests that are counted should be, by their keys. */
function restsOf(have: UnitFigures, should: UnitFigures): Map<string, number> {
  const rests = new Map<string, number>();
  for (const key of have.cells.keys()) if (restKeyOf(key) === key) rests.set(key, should.cells.get(key) ?? 0);
  if (rests.size === 0) return rests;
  for (const key of keysOf(have.cells, should.cells)) {
    const restKey = restKeyOf(key);
    const rest = rests.get(restKey);
    if (rest === undefined || restKey === key) continue;
    rests.set(restKey, rest + Math.max(0, (should.cells.get(key) ?? 0) - (have.cells.get(key) ?? 0)));
  }
  return rests;
}

/**
 * Returns the key of the rest in a value's dimension. Returns an empty string for a blank value and for dimensions
 * that are not open-ended, which have no rest.
 */
function restKeyOf(key: string): string {
  const { linkId, metric, dimension, value } = partsOf(key);
  const isBound = OPEN_ENDED_NAMES.some((name) => name === dimension) && value !== "";
  return isBound ? cellKey(linkId, metric, dimension, REST_VALUE) : "";
}

const sizeOf = (sketch: Sketch | null | undefined) => (sketch ? estimate(sketch) : 0);

const keysOf = (one: Map<string, unknown>, other: Map<string, unknown>) =>
  [...new Set([...one.keys(), ...other.keys()])].sort();

function partsOf(key: string) {
  const [linkId = "", metric = "", dimension = "", ...value] = key.split("\t");
  return { linkId, metric, dimension, value: value.join("\t") };
}

/**
 * Sketches of the same visitors have the same bytes, however they were made. One that a former release stored at a
 * lower precision is compared at that precision.
 */
function areSame(one: Sketch | null | undefined, other: Sketch | null | undefined): boolean {
  const precision = Math.min(one?.precision ?? PRECISION, other?.precision ?? PRECISION);
  const [first, second] = [one, other].map((each) => bytesOf(each && foldToPrecision(each, precision)));
  return Buffer.compare(first ?? EMPTY, second ?? EMPTY) === 0;
}

const EMPTY = new Uint8Array();

const bytesOf = (sketch: Sketch | null | undefined) => (isEmpty(sketch) ? EMPTY : encodeSketch(sketch));

function isEmpty(sketch: Sketch | null | undefined): sketch is null | undefined {
  return !sketch || (sketch.visitors instanceof Set && sketch.visitors.size === 0);
}
