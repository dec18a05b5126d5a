/**
 * The figures of links and organizations by hour and by day: totals, packed counts of every dimension, and sketches
 * of distinct visitors. Rows are cached between batches (`row-cache`). That is safe because each spool has its own
 * rows, which nothing else writes except verdicts, erasures and repairs, and these increment `sketch_resets` in the
 * spool's row (see `sketch-removal`). The cache may be ahead of Postgres only while a batch is being written: if a
 * batch fails, everything is forgotten and read again.
 */
import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import type { CopyStatements, Statements } from "@/platform/db/statements";
import { CountSums } from "../count-sums";
import { addToPacked, type Counts, decodeCounts, encodeCounts, NO_COUNTS } from "../counts";
import { REST_VALUE } from "../dimensions";
import { figureKey } from "../keys";
import type { SketchFormatError } from "../uniques";
import type { FigureValue } from "../values";
import { type AddedGroups, type Addition, additionsOfGroup, additionsTo, type RowKey, rowsOfGroup } from "./additions";
import { packerOf } from "./batch-keys";
import {
  DAYS,
  type FigureLevel,
  HOURS,
  readFigureRows,
  readSums,
  type StoredFigures,
  type WrittenFigures,
  writeFigureRows,
} from "./figure-rows";
import type { LinkCounter } from "./link-counters";
import { FigureValues } from "./number-values";
import type { VisitGroup } from "./rollup";
import { type CachedRow, RowCache } from "./row-cache";
import { writeBatchRows } from "./staged-rows";
import type { Tally } from "./tally";
import { FREE_VALUES, isAlwaysNumbered, unnumberedOf } from "./unnumbered-values";
import {
  addBounded,
  type FreeKeys,
  isCrowded,
  isOpenEnded,
  limitToListed,
  listedMaxOf,
  newlyListed,
} from "./value-bound";
import { withVisitors } from "./visitors";

/** By key; undefined for rows that do not exist. */
type ReadRows = ReadonlyMap<string, StoredFigures | undefined>;

const NO_ROWS: ReadRows = new Map();

export class FigureStore {
  readonly #known: RowCache;
  readonly #values = new FigureValues();
  readonly #onDamage: (error: SketchFormatError) => void;
  readonly #resets = new Map<string, number>();
  /** The `days` of batches whose values have all the numbers they are going to get. */
  #numbered = new WeakSet<object>();
  /** Rows that were requested early, by the `days` of their batch; undefined for rows that do not exist. */
  #asked = new WeakMap<object, Promise<ReadRows>>();

  /**
   * A stored sketch that cannot be read is reported to `onDamage` and started anew. Tests pass a cache of their own.
   */
  constructor(onDamage: (error: SketchFormatError) => void, known = new RowCache()) {
    this.#onDamage = onDamage;
    this.#known = known;
  }

  /**
   * Finds or assigns the numbers of the batch's values, outside its transaction: see `number-values`. May run while
   * another batch is being written. Repeated calls for the same batch query nothing.
   */
  async prepare({ run }: Statements, writer: number, groups: AddedGroups): Promise<void> {
    if (this.#numbered.has(groups.days)) return;
    if (this.#values.makeRoom()) this.#numbered = new WeakSet();
    await this.#number(run, writer, groups);
    this.#numbered.add(groups.days);
  }

  /**
   * Requests the rows that `put` will need in this transaction, so that they arrive with a response that is awaited
   * anyway.
   */
  ask(tx: CopyStatements, writer: number, { hours, days }: AddedGroups): void {
    const read = (level: FigureLevel, groups: readonly VisitGroup[]) => {
      const rows = groups.flatMap((group) => rowsOfGroup(level, writer, group));
      const missing = rows.filter(({ key }) => !this.#known.get(key));
      return this.#read(level, { run: tx.send }, writer, missing);
    };
    const reading = [read(HOURS, hours), read(DAYS, days)];
    const asked = Promise.all(reading).then((levels) => new Map(levels.flatMap((level) => [...level])));
    asked.catch(() => undefined);
    this.#asked.set(days, asked);
  }

  /**
   * Adds a batch's visits to the figures and writes the changed rows, together with what the batch adds to counters.
   */
  async put(
    tx: Statements | CopyStatements,
    writer: number,
    groups: AddedGroups,
    counters: readonly LinkCounter[] = [],
  ): Promise<void> {
    const run: Statements["run"] = (...asked) => tx.run(...asked);
    const read = (await this.#asked.get(groups.days)) ?? NO_ROWS;
    this.#asked.delete(groups.days);
    if (!this.#numbered.has(groups.days)) await this.prepare({ run }, writer, groups);
    else await this.#values.give(run, [...this.#missing(groups.values.all), ...FREE_VALUES].filter(isAlwaysNumbered));
    const added = additionsTo(writer, groups, this.#keyOf);
    const hours = await this.#open(HOURS, tx, writer, added.hours, read);
    const days = await this.#open(DAYS, tx, writer, added.days, read);
    await writeBatchRows(tx, writer, { counters, hours, days });
  }

  /**
   * Applies negative counts. Each value loses at most what is listed for it; whatever exceeds that must have been
   * counted under the rest and is taken from there.
   */
  async takeAway(tx: Statements, writer: number, groups: AddedGroups): Promise<void> {
    this.#values.makeRoom();
    const wanted = [...this.#missing(groups.values.all), ...FREE_VALUES];
    const run: Statements["run"] = (...asked) => tx.run(...asked);
    await this.#values.find(run, wanted);
    await this.#values.give(run, wanted.filter(isAlwaysNumbered));
    const { hours, days } = additionsTo(writer, groups, this.#keyOf);
    for (const [level, additions] of [[HOURS, hours] as const, [DAYS, days] as const]) {
      const stored = await readSums(level, tx, additions);
      const taken = additions.map((addition, index) => {
        const sums = stored.get(index) ?? new CountSums();
        return { ...addition, counts: limitToListed(addition.counts, sums, this.#freeKeys) };
      });
      await writeFigureRows(level, tx, writer, await this.#open(level, tx, writer, taken));
    }
  }

  forget(): void {
    this.#known.clear();
    this.#values.forget();
    this.#numbered = new WeakSet();
    this.#asked = new WeakMap();
  }

  /**
   * Drops the cached rows if others have replaced figures meanwhile. `resets` is the number in the spool's row, read
   * in this transaction.
   */
  follow(spoolId: string, resets: number): void {
    if (this.#resets.get(spoolId) !== resets) this.#known.clear();
    this.#resets.set(spoolId, resets);
  }

  /**
   * Numbers the batch's values. Those of an open-ended dimension get a number only if they are going to be counted
   * separately because they find room in their link's day.
   */
  async #number(run: Statements["run"], writer: number, { values, days }: AddedGroups): Promise<void> {
    const unknown = await this.#values.find(run, [...this.#missing(values.all), ...FREE_VALUES]);
    if (unknown.length === 0) return;
    await this.#values.number(run, unknown.filter(isAlwaysNumbered));
    if (unknown.every(isAlwaysNumbered)) return;
    await this.#values.number(run, await this.#welcome({ run }, writer, { values, days: days.filter(isOfLink) }));
  }

  /**
   * Returns the values that find room. The days of links suffice, as the values of whole organizations are the same.
   */
  async #welcome(tx: Statements, writer: number, { values: { all }, days }: Pick<AddedGroups, "values" | "days">) {
    const isUnknown = all.map((value) => this.#isMissing(value));
    const pack = packerOf({ all }, this.#keyOf);
    const hasUnknown = ({ values }: Tally) => values.some((value) => isUnknown[value]);
    const concerned = days.filter(({ people, bots }) => hasUnknown(people) || hasUnknown(bots));
    const parts = concerned.flatMap((group) =>
      additionsOfGroup(DAYS, writer, group, pack).flatMap((addition) => {
        const strangers = unnumberedOf(addition.isBot ? group.bots : group.people, all, isUnknown);
        return strangers.length > 0 ? [{ ...addition, strangers }] : [];
      }),
    );
    const missing = parts.filter(({ key }) => !this.#known.get(key));
    const read = await this.#read(DAYS, tx, writer, missing);
    return parts.flatMap(({ key, linkId, counts, strangers }) => {
      const row = (this.#known.get(key) ?? read.get(key))?.counts;
      return newlyListed(row ? decodeCounts(row) : NO_COUNTS, counts, strangers, listedMaxOf(linkId), this.#freeKeys);
    });
  }

  #isMissing = ({ code, value }: FigureValue): boolean => this.#values.idOf(code, value) === undefined;

  #missing(values: readonly FigureValue[]): FigureValue[] {
    return values.filter(this.#isMissing);
  }

  readonly #freeKeys = (code: number): FreeKeys => {
    const blank = this.#values.idOf(code, "");
    return {
      rest: this.#keyOf({ code, value: REST_VALUE }),
      blank: blank === undefined ? undefined : figureKey(blank, code),
    };
  };

  readonly #keyOf = ({ code, value }: FigureValue): number => {
    const id = this.#values.idOf(code, value);
    if (id !== undefined) return figureKey(id, code);
    if (!isOpenEnded(code) || value === REST_VALUE) throw new Error(`a value of dimension ${code} has no number`);
    return this.#keyOf({ code, value: REST_VALUE });
  };

  /** Returns each row with its addition, and caches it. */
  async #open(
    level: FigureLevel,
    tx: Statements,
    writer: number,
    additions: readonly Addition[],
    asked: ReadRows = NO_ROWS,
  ): Promise<WrittenFigures[]> {
    const kept = additions.map(({ key }) => this.#known.get(key));
    const missing = additions.filter(({ key }, place) => !kept[place] && !asked.has(key));
    const read = await this.#read(level, tx, writer, missing);
    return additions.map((addition, place) => {
      const { key, orgId, linkId, start, isBot } = addition;
      const known = kept[place] ?? opened(asked.get(key) ?? read.get(key));
      known.clicks += addition.clicks;
      known.opens += addition.opens;
      known.counts = this.#sum(known.counts, addition.counts, listedMaxOf(linkId));
      known.visitors = withVisitors(known.visitors, addition.hashes, this.#onDamage);
      this.#known.set(key, known);
      return { orgId, linkId, start, isBot, ...known };
    });
  }

  async #read(level: FigureLevel, tx: Statements, writer: number, rows: readonly RowKey[]): Promise<ReadRows> {
    const stored = await readFigureRows(level, tx, writer, rows);
    return new Map(rows.map(({ key }, index) => [key, stored.get(index)]));
  }

  #sum(row: Uint8Array, added: Counts, max: number): Uint8Array {
    const { bytes, keys } = addToPacked(row, added);
    if (keys <= max || !isCrowded(bytes, max)) return bytes;
    return encodeCounts(addBounded(decodeCounts(row), added, max, this.#freeKeys));
  }
}

const opened = ({
  clicks = 0,
  opens = 0,
  counts = NO_BYTES,
  visitors = null,
}: Partial<StoredFigures> = {}): CachedRow => ({
  clicks,
  opens,
  counts,
  visitors,
});

const NO_BYTES = new Uint8Array();

const isOfLink = ({ linkId }: VisitGroup) => linkId !== WHOLE_ORGANIZATION;
