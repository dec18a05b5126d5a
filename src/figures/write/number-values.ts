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
    await this.number(run, await this.find(run, wanted));
  }

  /** Those that have no number, as `find` says. What others number in this moment has to be asked for. */
  async number(run: Statements["run"], unknown: readonly FigureValue[]): Promise<void> {
    if (unknown.length === 0) return;
    const rows = await run<{ dimension: number; value: string; id: number }>(
      `insert into figure_values (dimension, value)
       select code, value from unnest($1::text::smallint[], $2::text::text[]) as wanted (code, value)
       order by code, value on conflict do nothing returning dimension, value, id`,
      columnsOf(unknown),
    );
    for (const { dimension, value, id } of rows) this.keep({ code: dimension, value }, id);
    const lost = await this.find(run, unknown);
    if (lost.length > 0) throw new Error(`${lost.length} values of figures have no number.`);
  }
}
