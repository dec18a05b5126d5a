/**
 * Gives numbers to values that have none yet: see `figures/values`.
 *
 * They are to be found out before a batch's transaction (`prepare`): servers that meet a new value at once would otherwise
 * wait for each other's commits. Where a transaction has to, its failure must make them forgotten: see `FigureStore`.
 */

import type { Statements } from "@/platform/db/statements";
import { columnsOf, type FigureValue, KnownValues } from "../values";

export class FigureValues extends KnownValues {
  /** Afterwards all of these are known. */
  async load(run: Statements["run"], wanted: Iterable<FigureValue>): Promise<void> {
    this.makeRoom();
    await this.give(run, wanted);
  }

  /** As `load`, in the midst of a piece of work. */
  async give(run: Statements["run"], wanted: Iterable<FigureValue>): Promise<void> {
    const unknown = await this.find(run, wanted);
    if (unknown.length === 0) return;
    await run(
      `insert into figure_values (dimension, value)
       select code, value from unnest($1::text::smallint[], $2::text::text[]) as wanted (code, value)
       order by code, value on conflict do nothing`,
      columnsOf(unknown),
    );
    const lost = await this.find(run, unknown);
    if (lost.length > 0) throw new Error(`${lost.length} values of figures have no number.`);
  }
}
