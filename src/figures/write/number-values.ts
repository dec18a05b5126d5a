/**
 * Assigns numbers to values that have none yet: see `figures/values`.
 *
 * This should be done before a batch's transaction (`prepare`), because servers that meet a new value at the same
 * time would otherwise wait for each other's commits. If a transaction has to assign numbers and fails, they must be
 * forgotten: see `FigureStore`.
 */
import type { Statements } from "@/platform/db/statements";
import { columnsOf, type FigureValue, KnownValues } from "../values";

export class FigureValues extends KnownValues {
  /** Finds or assigns the numbers of all these values. */
  async load(run: Statements["run"], wanted: Iterable<FigureValue>): Promise<void> {
    this.makeRoom();
    await this.give(run, wanted);
  }

  /** Does the same as `load`, but during a task: never drops the cache. */
  async give(run: Statements["run"], wanted: Iterable<FigureValue>): Promise<void> {
    await this.number(run, await this.find(run, wanted));
  }

  /** Assigns numbers to values for which `find` found none, and queries those that others assign at the same moment. */
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
    if (lost.length > 0)
      throw new Error(`could not assign numbers to ${lost.length} ${lost.length === 1 ? "value" : "values"}`);
  }
}
