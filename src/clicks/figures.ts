/**
 * The figures of links and organizations by hour and by day: totals, packed counts of every dimension, sketches of distinct
 * visitors. They are kept in memory between batches (65,536 of them), by spool, since nobody else writes those of a spool
 * but verdicts and mendings: they count themselves on the spool's row (see `sketch-removal`). What is in memory may be ahead of
 * Postgres only while a batch is on its way: when one fails, all are forgotten and read again.
 */
import { addCounts, type Counts, countsOf, NO_COUNTS } from "@/core/counts";
import { addHash, createSketch, decodeSketch, type Sketch, SketchFormatError } from "@/core/uniques";
import { createBoundedMap } from "@/platform/bounded-map";
import { figureCode, figureKey } from "@/platform/db/figure-keys";
import type { FigureValue } from "@/platform/db/figure-values";
import { ROLLUP_METRICS, type RollupMetric } from "@/platform/db/schema/clicks";
import type { Statements } from "@/platform/db/statements";
import {
  DAYS,
  type FigureKey,
  type Figures,
  HOURS,
  type Level,
  readFigureRows,
  type StoredFigures,
  writeFigureRows,
} from "./figure-rows";
import { FigureValues } from "./figure-values";
import type { VisitGroup, VisitGroups } from "./rollup";
import { precisionOf } from "./unit-figures";

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

  /** A stored sketch that cannot be read is reported and begun anew. */
  constructor(onDamage: (error: SketchFormatError) => void) {
    this.#onDamage = onDamage;
  }

  /** Finds out the numbers of the batch's values, outside of its transaction: see `figure-values`. */
  async prepare({ run }: Statements, { linkHours }: Pick<VisitGroups, "linkHours">): Promise<void> {
    await this.#values.load(run, this.#missingValues(linkHours));
  }

  /** Adds a batch's visits and writes what this changed. */
  async put(tx: Statements, writer: number, { hours, days }: Pick<VisitGroups, "hours" | "days">): Promise<void> {
    await this.#values.load((...asked) => tx.run(...asked), this.#missingValues(hours));
    const packed = new WeakMap<object, Packed>();
    for (const [level, groups] of [[HOURS, hours] as const, [DAYS, days] as const]) {
      const additions = groups.flatMap((group) => this.#additionsOf(level, writer, group, packed));
      const rows = await this.#open(level, tx, writer, additions);
      await writeFigureRows(level, tx, writer, rows);
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

  *#missingValues(groups: readonly VisitGroup[]): Generator<FigureValue> {
    for (const { counts } of groups) {
      for (const { code, value } of cellsOf(counts, ROLLUP_METRICS)) {
        if (this.#values.idOf(code, value) === undefined) yield { code, value };
      }
    }
  }

  /** Of people and of bots, where there are any. */
  #additionsOf({ unit }: Level, writer: number, group: VisitGroup, packed: WeakMap<object, Packed>): Addition[] {
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
      entries.push([figureKey(this.#values.idOf(code, value) ?? 0, code), count]);
    }
    return entries.length > 0 ? countsOf(entries) : NO_COUNTS;
  }

  /** Each row as it is with what is added. */
  async #open(level: Level, tx: Statements, writer: number, additions: readonly Addition[]) {
    const missing = additions.filter(({ key }) => !this.#known.get(key));
    const stored = await readFigureRows(level, tx, writer, missing);
    const read = new Map(missing.map(({ key }, index) => [key, stored.get(index)]));
    return additions.map((addition) => {
      const { key, orgId, linkId, start, isBot } = addition;
      const known = this.#known.get(key) ?? this.#opened(read.get(key), linkId);
      known.clicks += addition.clicks;
      known.opens += addition.opens;
      known.counts = addCounts(known.counts, addition.counts);
      for (const hash of addition.hashes) addHash(known.visitors, hash);
      this.#known.set(key, known);
      return { orgId, linkId, start, isBot, ...known };
    });
  }

  #opened(stored: StoredFigures | undefined, linkId: string): Known {
    const { clicks = 0, opens = 0, counts = NO_COUNTS, visitors } = stored ?? {};
    return { clicks, opens, counts, visitors: this.#decode(visitors, linkId) };
  }

  #decode(stored: Uint8Array | null | undefined, linkId: string): Sketch {
    const empty = createSketch(precisionOf(linkId));
    if (!stored) return empty;
    try {
      return decodeSketch(stored);
    } catch (error) {
      if (!(error instanceof SketchFormatError)) throw error;
      this.#onDamage(error);
      return empty;
    }
  }
}

/** An hour of one link alone is its day, too: what is packed once serves both. */
interface Packed {
  people: Counts;
  bots: Counts;
}

/** Totals are not among them. */
function* cellsOf(counts: VisitGroup["counts"], metrics: readonly RollupMetric[]) {
  for (const metric of metrics) {
    for (const [dimension, values] of Object.entries(counts[metric] ?? {})) {
      const code = figureCode(metric, dimension);
      if (code === undefined) continue;
      for (const [value, count] of values) yield { code, value, count };
    }
  }
}
