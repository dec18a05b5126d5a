/**
 * Sketches of distinct visitors of links and of organizations, by hour and by day. They are kept in memory between batches
 * (16,384 of them), since nobody else writes those of this spool. What is in memory may be ahead of Postgres only while a
 * batch is on its way: when one fails, all are forgotten and read again.
 */
import {
  addHash,
  createSketch,
  decodeSketch,
  encodeSketch,
  LINK_PRECISION,
  ORGANIZATION_PRECISION,
  type Sketch,
  SketchFormatError,
} from "@/core/uniques";
import { createBoundedMap } from "@/platform/bounded-map";
import { WHOLE_ORGANIZATION } from "@/platform/db/schema/clicks";
import type { BatchTransaction } from "./click-database";
import { arrayLiteral } from "./postgres-text";
import type { VisitGroup, VisitGroups } from "./rollup";

/** The visitors that a batch adds to one sketch. */
interface Addition {
  key: string;
  orgId: string;
  /** `WHOLE_ORGANIZATION` for all its links together. */
  linkId: string;
  start: number;
  isBot: boolean;
  visitors: readonly bigint[];
}

interface Changed {
  addition: Addition;
  sketch: Sketch;
}

interface SketchTable {
  name: "visitor_sketches" | "visitor_sketches_daily";
  start: "hour" | "day";
}

const HOURS: SketchTable = { name: "visitor_sketches", start: "hour" };
const DAYS: SketchTable = { name: "visitor_sketches_daily", start: "day" };

const SKETCHES_MAX = 16_384;

export class SketchStore {
  readonly #known = createBoundedMap<string, Sketch>(SKETCHES_MAX);
  readonly #onDamage: (error: SketchFormatError) => void;

  /** A stored sketch that cannot be read is reported and begun anew. */
  constructor(onDamage: (error: SketchFormatError) => void) {
    this.#onDamage = onDamage;
  }

  /** Adds a batch's visitors and writes the sketches that this changed. */
  async put(tx: BatchTransaction, writer: number, { hours, days }: Pick<VisitGroups, "hours" | "days">): Promise<void> {
    await this.#putIn(HOURS, tx, writer, hours);
    await this.#putIn(DAYS, tx, writer, days);
  }

  forget(): void {
    this.#known.clear();
  }

  async #putIn(table: SketchTable, tx: BatchTransaction, writer: number, groups: readonly VisitGroup[]): Promise<void> {
    const additions = groups.flatMap((group) => additionsOf(table, group));
    const sketches = await this.#open(table, tx, writer, additions);
    const changed: Changed[] = [];
    for (const [index, addition] of additions.entries()) {
      const sketch = sketches[index];
      if (!sketch) continue;
      this.#known.set(addition.key, sketch);
      if (addVisitors(sketch, addition.visitors)) changed.push({ addition, sketch });
    }
    if (changed.length > 0) await write(table, tx, writer, changed);
  }

  /** The sketch of each addition as it stands, an empty one where there is none yet. */
  async #open(
    table: SketchTable,
    tx: BatchTransaction,
    writer: number,
    additions: readonly Addition[],
  ): Promise<Sketch[]> {
    const missing = additions.filter(({ key }) => !this.#known.get(key));
    const stored = missing.length > 0 ? await read(table, tx, writer, missing) : new Map<string, Buffer>();
    return additions.map(({ key, linkId }) => this.#known.get(key) ?? this.#decode(stored.get(key), linkId));
  }

  #decode(stored: Buffer | undefined, linkId: string): Sketch {
    const empty = createSketch(linkId === WHOLE_ORGANIZATION ? ORGANIZATION_PRECISION : LINK_PRECISION);
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

/** Humans and bots, where there are any. */
function additionsOf({ start: unit }: SketchTable, { orgId, linkId, start, humans, bots }: VisitGroup): Addition[] {
  const kinds = [
    { isBot: false, visitors: humans },
    { isBot: true, visitors: bots },
  ];
  return kinds
    .filter(({ visitors }) => visitors.length > 0)
    .map((kind) => ({ key: `${orgId}${linkId}${unit}${start}${kind.isBot}`, orgId, linkId, start, ...kind }));
}

/** Whether the sketch is another one now. */
function addVisitors(sketch: Sketch, visitors: readonly bigint[]): boolean {
  const before = sketch.visitors instanceof Uint8Array ? sketch.visitors.slice() : sketch.visitors.size;
  for (const visitor of visitors) addHash(sketch, visitor);
  if (typeof before === "number") return sketch.visitors instanceof Uint8Array || sketch.visitors.size > before;
  return sketch.visitors instanceof Set || Buffer.compare(before, sketch.visitors) !== 0;
}

const columnsOf = (additions: readonly Addition[]) => [
  arrayLiteral(additions.map(({ orgId }) => orgId)),
  arrayLiteral(additions.map(({ linkId }) => linkId)),
  arrayLiteral(additions.map(({ start }) => start)),
  arrayLiteral(additions.map(({ isBot }) => (isBot ? "t" : "f"))),
];

const WANTED = "unnest($2::text::uuid[], $3::text::uuid[], $4::text::bigint[], $5::text::boolean[]";

async function read(
  { name, start }: SketchTable,
  tx: BatchTransaction,
  writer: number,
  wanted: readonly Addition[],
): Promise<Map<string, Buffer>> {
  const rows = await tx.run<{ position: string; sketch: Buffer }>(
    `select wanted.position, stored.sketch
     from ${WANTED}) with ordinality as wanted (org_id, link_id, start, is_bot, position)
     join ${name} stored
       on stored.org_id = wanted.org_id and stored.link_id = wanted.link_id and stored.is_bot = wanted.is_bot
       and stored.${start} = to_timestamp(wanted.start / 1000) and stored.writer = $1`,
    [writer, ...columnsOf(wanted)],
  );
  return new Map(rows.map(({ position, sketch }) => [wanted[Number(position) - 1]?.key ?? "", sketch]));
}

async function write(
  { name, start }: SketchTable,
  tx: BatchTransaction,
  writer: number,
  changed: readonly Changed[],
): Promise<void> {
  const sketches = changed.map(({ sketch }) => Buffer.from(encodeSketch(sketch)).toString("hex"));
  await tx.run(
    `insert into ${name} (org_id, link_id, ${start}, is_bot, writer, sketch)
     select org_id, link_id, to_timestamp(start / 1000), is_bot, $1, decode(sketch, 'hex')
     from ${WANTED}, $6::text::text[]) as added (org_id, link_id, start, is_bot, sketch)
     on conflict (org_id, link_id, ${start}, is_bot, writer) do update set sketch = excluded.sketch`,
    [writer, ...columnsOf(changed.map(({ addition }) => addition)), arrayLiteral(sketches)],
  );
}
