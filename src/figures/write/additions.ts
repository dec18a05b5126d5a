/**
 * What a batch adds to rows of figures: for each hour and day of a link or organization, for people and bots
 * separately.
 */
import { HOUR_MS } from "@/core/time/time-range";
import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import type { Counts } from "../counts";
import type { FigureValue } from "../values";
import { type Pack, packerOf } from "./batch-keys";
import { DAYS, type FigureKey, type FigureLevel, HOURS } from "./figure-rows";
import type { VisitGroup, VisitGroups } from "./rollup";
import type { Tally } from "./tally";

export type AddedGroups = Pick<VisitGroups, "values" | "hours" | "days">;

/** Identifies a row of a writer; `key` is the row's key in the cache. */
export interface RowKey extends FigureKey {
  key: string;
}

/** What a batch adds to one row. */
export interface Addition extends RowKey {
  clicks: number;
  opens: number;
  counts: Counts;
  hashes: BigUint64Array;
}

export function additionsTo(
  writer: number,
  { values, hours, days }: AddedGroups,
  keyOf: (value: FigureValue) => number,
) {
  const pack = memoized(packerOf(values, keyOf));
  const additionsOf = (level: FigureLevel) => (group: VisitGroup) => additionsOfGroup(level, writer, group, pack);
  return { hours: hours.flatMap(additionsOf(HOURS)), days: days.flatMap(additionsOf(DAYS)) };
}

/** Returns one addition for people and one for bots, each only if there are any. */
export function additionsOfGroup(level: FigureLevel, writer: number, group: VisitGroup, pack: Pack): Addition[] {
  return rowsOfGroup(level, writer, group).map((row) => {
    const tally = row.isBot ? group.bots : group.people;
    const { clicks, opens, visitors: hashes } = tally;
    return { ...row, clicks, opens, counts: pack(tally), hashes };
  });
}

/** The rows that `additionsOfGroup` adds to. */
export function rowsOfGroup({ unit }: FigureLevel, writer: number, group: VisitGroup): RowKey[] {
  const { orgId, linkId, start } = group;
  const rows: RowKey[] = [];
  for (const isBot of [false, true]) {
    const { values, visitors } = isBot ? group.bots : group.people;
    if (values.length + visitors.length === 0) continue;
    const key = `${writer}${isBot ? "b" : "p"}${unit}${start / HOUR_MS}${linkId === WHOLE_ORGANIZATION ? orgId : linkId}`;
    rows.push({ key, orgId, linkId, start, isBot });
  }
  return rows;
}

/** Caches packed tallies. If a link has visits in only one hour of a day, its hour and its day share one tally. */
function memoized(pack: Pack): Pack {
  const packed = new Map<Tally, Counts>();
  return (tally) => {
    const known = packed.get(tally) ?? pack(tally);
    packed.set(tally, known);
    return known;
  };
}
