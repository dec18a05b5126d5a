/**
 * The figures of links and organizations by hour and by day: totals, packed counts of every dimension, sketches of distinct
 * visitors. They are kept in memory between batches (65,536 of them), by spool, since nobody else writes those of a spool
 * but verdicts and mendings: they count themselves on the spool's row (see `sketch-removal`). What is in memory may be ahead of
 * Postgres only while a batch is on its way: when one fails, all are forgotten and read again.
 */
import { CountSums, type Counts, countsOf, NO_COUNTS } from "@/core/counts";
import {
  addHash,
  createSketch,
  decodeSketch,
  mergeInto,
  PRECISION,
  type Sketch,
  SketchFormatError,
} from "@/core/uniques";
import { createBoundedMap } from "@/platform/bounded-map";
import { CLICK_DIMENSIONS, REST_VALUE } from "@/platform/db/dimensions";
import { figureCode, figureKey } from "@/platform/db/figure-keys";
import type { FigureValue } from "@/platform/db/figure-values";
import { ROLLUP_METRICS, type RollupMetric, WHOLE_ORGANIZATION } from "@/platform/db/schema/clicks";
import type { Statements } from "@/platform/db/statements";
import {
  DAYS,
  type FigureKey,
  type Figures,
  HOURS,
  type Level,
  readFigureRows,
  readSums,
  type StoredFigures,
  writeFigureRows,
} from "./figure-rows";
import { FigureValues } from "./figure-values";
import type { VisitGroup, VisitGroups } from "./rollup";
import { addBounded, type FreeKeys, fromListed, isOpenEnded, listedMaxOf, welcomeIn } from "./value-bound";

/** What a batch adds to one row. */
interface Addition extends FigureKey, Figures {
  key: string;
  hashes: readonly bigint[];
}

type Known = Figures & { visitors: Sketch };

const KNOWN_MAX = 65_536;
const PEOPLE = { isBot: false, clicks: "clicks", opens: "opens", visitors: "humans" } as const;
const BOTS = { isBot: true, clicks: "bot_clicks", opens: "bot_opens", visitors: "bots" } as const;

export class FigureStore {
  readonly #known = createBoundedMap<string, Known>(KNOWN_MAX);
  readonly #values = new FigureValues();
  readonly #onDamage: (error: SketchFormatError) => void;
  readonly #resets = new Map<string, number>();
  /** Days of batches whose values have what numbers they are to have. */
  readonly #numbered = new WeakSet<object>();

  /** A stored sketch that cannot be read is reported and begun anew. */
  constructor(onDamage: (error: SketchFormatError) => void) {
    this.#onDamage = onDamage;
  }

  /** Finds out the numbers of the batch's values, outside of its transaction: see `figure-values`. */
  async prepare({ run }: Statements, writer: number, groups: Added): Promise<void> {
    this.#values.makeRoom();
    await this.#number(run, writer, groups);
    this.#numbered.add(groups.days);
  }

  /** Adds a batch's visits and writes what this changed. */
  async put(tx: Statements, writer: number, groups: Added): Promise<void> {
    const run: Statements["run"] = (...asked) => tx.run(...asked);
    if (!this.#numbered.has(groups.days)) await this.prepare({ run }, writer, groups);
    else await this.#values.give(run, [...this.#missingValues(groups.hours), ...FREE_VALUES].filter(isAlwaysNumbered));
    for (const { level, additions } of this.#additionsTo(writer, groups)) {
      await this.#write(level, tx, writer, additions);
    }
  }

  /** Takes away what is counted: from each value as far as it is listed, else from the rest, where it must be. */
  async takeAway(tx: Statements, writer: number, groups: Added): Promise<void> {
    this.#values.makeRoom();
    const wanted = [...this.#missingValues(groups.hours), ...FREE_VALUES];
    const run: Statements["run"] = (...asked) => tx.run(...asked);
    await this.#values.find(run, wanted);
    await this.#values.give(run, wanted.filter(isAlwaysNumbered));
    for (const { level, additions } of this.#additionsTo(writer, groups)) {
      const stored = await readSums(level, tx, additions);
      const taken = additions.map((addition, index) => {
        const sums = stored.get(index) ?? new CountSums();
        return { ...addition, counts: fromListed(addition.counts, sums, this.#freeKeys) };
      });
      await this.#write(level, tx, writer, taken);
    }
  }

  forget(): void {
    this.#known.clear();
    this.#values.forget();
  }

  /** Forgets when somebody has replaced figures since: `resets` is what the spool's row says, read in this transaction. */
  follow(spoolId: string, resets: number): void {
    if (this.#resets.get(spoolId) !== resets) this.#known.clear();
    this.#resets.set(spoolId, resets);
  }

  /** Of an open-ended dimension only what is going to be counted gets a number: what finds room in its link's day. */
  async #number(run: Statements["run"], writer: number, { hours, days }: Added): Promise<void> {
    const unknown = await this.#values.find(run, [...this.#missingValues(hours), ...FREE_VALUES]);
    if (unknown.length === 0) return;
    await this.#values.give(run, unknown.filter(isAlwaysNumbered));
    if (!unknown.every(isAlwaysNumbered)) await this.#values.give(run, await this.#welcome({ run }, writer, days));
  }

  async #welcome(tx: Statements, writer: number, days: readonly VisitGroup[]): Promise<FigureValue[]> {
    const ofLinks = days.filter(isOfLink);
    const parts = ofLinks.flatMap((group) => {
      const unknown = Map.groupBy(this.#missingValues([group]), ({ isBot }) => isBot);
      return this.#additionsOf(DAYS, writer, group).flatMap((addition) => {
        const strangers = unknown.get(addition.isBot);
        return strangers ? [{ ...addition, strangers }] : [];
      });
    });
    const missing = parts.filter(({ key }) => !this.#known.get(key));
    const stored = await readFigureRows(DAYS, tx, writer, missing);
    const read = new Map(missing.map(({ key }, index) => [key, stored.get(index)?.counts]));
    return parts.flatMap(({ key, linkId, counts, strangers }) => {
      const row = this.#known.get(key)?.counts ?? read.get(key) ?? NO_COUNTS;
      return welcomeIn(row, counts, strangers, listedMaxOf(linkId), this.#freeKeys);
    });
  }

  /** Those of whole organizations are their links'. */
  #missingValues(groups: readonly VisitGroup[]): Stranger[] {
    return groups
      .filter(isOfLink)
      .flatMap(({ counts }) =>
        [...cellsOf(counts, ROLLUP_METRICS)].filter(({ code, value }) => this.#values.idOf(code, value) === undefined),
      );
  }

  readonly #freeKeys = (code: number): FreeKeys => {
    const blank = this.#values.idOf(code, "");
    return { rest: this.#keyOf(code, REST_VALUE), blank: blank === undefined ? undefined : figureKey(blank, code) };
  };

  #keyOf(code: number, value: string): number {
    const id = this.#values.idOf(code, value);
    if (id !== undefined) return figureKey(id, code);
    if (!isOpenEnded(code) || value === REST_VALUE) throw new Error(`a value of dimension ${code} has no number`);
    return this.#keyOf(code, REST_VALUE);
  }

  #additionsTo(writer: number, { hours, days }: Added) {
    const packed = new WeakMap<object, Packed>();
    return [
      { level: HOURS, groups: hours },
      { level: DAYS, groups: days },
    ].map(({ level, groups }) => ({
      level,
      additions: groups.flatMap((group) => this.#additionsOf(level, writer, group, packed)),
    }));
  }

  /** Of people and of bots, where there are any. */
  #additionsOf({ unit }: Level, writer: number, group: VisitGroup, packed = new WeakMap<object, Packed>()): Addition[] {
    const { orgId, linkId, start, counts } = group;
    const known = packed.get(counts) ?? { people: this.#pack(counts, PEOPLE), bots: this.#pack(counts, BOTS) };
    packed.set(counts, known);
    const parts = [
      { kind: PEOPLE, counts: known.people },
      { kind: BOTS, counts: known.bots },
    ];
    return parts.flatMap(({ kind: { isBot, clicks, opens, visitors }, counts: added }) => {
      const total = (metric: RollupMetric) => counts[metric]?.total?.get("") ?? 0;
      const hashes = group[visitors];
      if (added.keys.length + hashes.length === 0) return [];
      const key = `${writer} ${orgId}${linkId}${unit}${start}${isBot}`;
      return [{ key, orgId, linkId, start, isBot, clicks: total(clicks), opens: total(opens), counts: added, hashes }];
    });
  }

  #pack(counts: VisitGroup["counts"], { clicks, opens }: typeof PEOPLE | typeof BOTS): Counts {
    const entries: [number, number][] = [];
    for (const { code, value, count } of cellsOf(counts, [clicks, opens])) {
      entries.push([this.#keyOf(code, value), count]);
    }
    return entries.length > 0 ? countsOf(entries) : NO_COUNTS;
  }

  async #write(level: Level, tx: Statements, writer: number, additions: readonly Addition[]): Promise<void> {
    await writeFigureRows(level, tx, writer, await this.#open(level, tx, writer, additions));
  }

  /** Each row as it is with what is added. */
  async #open(level: Level, tx: Statements, writer: number, additions: readonly Addition[]) {
    const missing = additions.filter(({ key }) => !this.#known.get(key));
    const stored = await readFigureRows(level, tx, writer, missing);
    const read = new Map(missing.map(({ key }, index) => [key, stored.get(index)]));
    return additions.map((addition) => {
      const { key, orgId, linkId, start, isBot } = addition;
      const known = this.#known.get(key) ?? this.#opened(read.get(key));
      known.clicks += addition.clicks;
      known.opens += addition.opens;
      known.counts = addBounded(known.counts, addition.counts, listedMaxOf(linkId), this.#freeKeys);
      for (const hash of addition.hashes) addHash(known.visitors, hash);
      this.#known.set(key, known);
      return { orgId, linkId, start, isBot, ...known };
    });
  }

  #opened(stored: StoredFigures | undefined): Known {
    const { clicks = 0, opens = 0, counts = NO_COUNTS, visitors } = stored ?? {};
    return { clicks, opens, counts, visitors: this.#decode(visitors) };
  }

  /** Keys that a former release stored go on at today's precision; its registers keep theirs until the row's time is over. */
  #decode(stored: Uint8Array | null | undefined): Sketch {
    const sketch = createSketch(PRECISION);
    if (!stored) return sketch;
    try {
      mergeInto(sketch, decodeSketch(stored));
    } catch (error) {
      if (!(error instanceof SketchFormatError)) throw error;
      this.#onDamage(error);
    }
    return sketch;
  }
}

/** An hour of one link alone is its day, too: what is packed once serves both. */
interface Packed {
  people: Counts;
  bots: Counts;
}

type Added = Pick<VisitGroups, "hours" | "days">;

interface Stranger extends FigureValue {
  isBot: boolean;
  count: number;
}

const isOfLink = ({ linkId }: VisitGroup) => linkId !== WHOLE_ORGANIZATION;

/** What always has room is always known, too. Of dimensions that count no blank values, these have no number. */
const FREE_VALUES = Object.values(CLICK_DIMENSIONS)
  .filter(({ isOpenEnded }) => isOpenEnded)
  .flatMap(({ code, countsBlank }) =>
    (countsBlank ? ["", REST_VALUE] : [REST_VALUE]).map((value) => ({ code, value })),
  );

const isAlwaysNumbered = ({ code, value }: FigureValue) => !isOpenEnded(code) || value === "" || value === REST_VALUE;

/** Totals are not among them. */
function* cellsOf(counts: VisitGroup["counts"], metrics: readonly RollupMetric[]) {
  for (const metric of metrics) {
    const isBot = metric === BOTS.clicks || metric === BOTS.opens;
    for (const [dimension, values] of Object.entries(counts[metric] ?? {})) {
      const code = figureCode(metric, dimension);
      if (code === undefined) continue;
      for (const [value, count] of values) yield { code, value, count, isBot };
    }
  }
}
