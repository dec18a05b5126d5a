/**
 * Sums the packed counts of many rows. The sums of past days are cached, and so are those of each ten days: a request
 * for 90 days sums only the newest day, and after a change to one of the others, about nine sums of ten days.
 */
import { DAY_MS } from "@/core/time/time-range";
import { CountSums } from "../count-sums";
import type { Counts } from "../counts";
import { CODES_END, codeOf } from "../keys";
import { RankedSums } from "../ranked-sums";
import { ByRows, splitByAge } from "./by-rows";
import type { FiguresRow } from "./packed";

const TEN_DAYS_MS = 10 * DAY_MS;
/** Bytes of a packed count, which may take slightly more. */
const BYTES_A_COUNT = 2;
const GROUPS = { count: CODES_END, of: codeOf };

export interface RowSums {
  /** Shared with other requests. */
  standing: RankedSums;
  /** Belongs to the caller. */
  more: CountSums;
}

const standingSums = new ByRows<RankedSums>();
const sumsOfTen = new ByRows<Counts>();

/** Sums all rows. The result is `standing` and `more` together. */
export function sumsOf(rows: readonly FiguresRow[]): RowSums {
  const { standing, fresh } = splitByAge(rows);
  return { standing: standingSums.of(standing, sumByTens), more: sum(fresh) };
}

function sumByTens(rows: readonly FiguresRow[]): RankedSums {
  const sums = new CountSums();
  for (const ten of Map.groupBy(rows, ({ start }) => Math.floor(start / TEN_DAYS_MS)).values()) {
    sums.addCounts(sumsOfTen.of(ten, (same) => sum(same).toCounts()));
  }
  return new RankedSums(sums, GROUPS);
}

function sum(rows: readonly FiguresRow[]): CountSums {
  const bytes = Math.max(0, ...rows.map(({ counts }) => counts.length));
  const sums = new CountSums(bytes / BYTES_A_COUNT);
  for (const { counts } of rows) sums.addAll(counts);
  return sums;
}
