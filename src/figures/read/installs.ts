/**
 * Installs by bucket: opens whose source is a claimed match, of which packed counts and partial hours tell. Each claim is one
 * install, of one click.
 */

import { bucketMs, type TimeRange } from "@/core/time/time-range";
import type { Copies } from "@/platform/db/copies";
import { figureDimensionCode, figureKey } from "../keys";
import { KnownValues } from "../values";
import type { FiguresRow } from "./packed";
import type { PartialHourFigures } from "./partial-hours";
import type { Reader } from "./scope";

const CLAIMED = { code: figureDimensionCode("open_source"), value: "deferred" };

export class Installs {
  readonly #values = new KnownValues();

  constructor(copies: Copies) {
    copies.add(this.#values);
  }

  /** By start of the bucket; `rows` are those of whole buckets. Buckets without any are absent. */
  async read(
    sql: Reader,
    rows: Promise<FiguresRow[]>,
    partialHours: Promise<PartialHourFigures>,
    granularity: TimeRange["granularity"],
  ): Promise<Map<number, number>> {
    const [parts, { opens }, idOf] = await Promise.all([
      rows,
      partialHours,
      this.#values.lookUp((text, parameters) => sql.unsafe(text, parameters), [CLAIMED]),
    ]);
    const installs = new Map<number, number>();
    const id = idOf(CLAIMED.code, CLAIMED.value);
    if (id === undefined) return installs;
    const key = figureKey(id, CLAIMED.code);
    const add = (at: number, count: number) => {
      if (count !== 0) installs.set(at, (installs.get(at) ?? 0) + count);
    };
    for (const row of parts) add(row.start - (row.start % bucketMs(granularity)), row.countOf(key));
    for (const [at, sums] of opens) {
      sums.forEach((each, sum) => {
        if (each === key) add(at, sum);
      });
    }
    return installs;
  }
}
