/** What a batch adds to the rows of figures: for each hour and day of a link, of people and of bots apart. */
import { HOUR_MS } from "@/core/time/time-range";
import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import type { Counts } from "../counts";
import type { FigureValue } from "../values";
import { type Pack, packerOf } from "./batch-keys";
import { DAYS, type FigureKey, type FigureLevel, HOURS } from "./figure-rows";
import type { VisitGroup, VisitGroups } from "./rollup";
import type { Tally } from "./tally";

export type Added = Pick<VisitGroups, "values" | "hours" | "days">;

/** What a batch adds to one row. */
export interface Addition extends FigureKey {
  key: string;
  clicks: number;
  opens: number;
  counts: Counts;
  hashes: BigUint64Array;
}

export function additionsTo(writer: number, { values, hours, days }: Added, keyOf: (value: FigureValue) => number) {
  const pack = remembering(packerOf(values, keyOf));
  return [
    { level: HOURS, groups: hours },
    { level: DAYS, groups: days },
  ].map(({ level, groups }) => ({
    level,
    additions: groups.flatMap((group) => additionsOfGroup(level, writer, group, pack)),
  }));
}

/** Of people and of bots, where there are any. */
export function additionsOfGroup({ unit }: FigureLevel, writer: number, group: VisitGroup, pack: Pack): Addition[] {
  const { orgId, linkId, start } = group;
  const additions: Addition[] = [];
  for (const isBot of [false, true]) {
    const tally = isBot ? group.bots : group.people;
    const { clicks, opens, visitors: hashes } = tally;
    if (tally.values.length + hashes.length === 0) continue;
    const key = `${writer}${isBot ? "b" : "p"}${unit}${start / HOUR_MS}${linkId === WHOLE_ORGANIZATION ? orgId : linkId}`;
    additions.push({ key, orgId, linkId, start, isBot, clicks, opens, counts: pack(tally), hashes });
  }
  return additions;
}

/** An hour of one link alone is its day, too: what is packed once serves both. */
function remembering(pack: Pack): Pack {
  const packed = new Map<Tally, Counts>();
  return (tally) => {
    const known = packed.get(tally) ?? pack(tally);
    packed.set(tally, known);
    return known;
  };
}
