/**
 * Reads rows of figures with their packed counts and sketches. A long range has megabytes of them, although past days
 * hardly ever change. So unpacked rows are cached: each request reads the versions of the rows it needs (Postgres's
 * `xmin` and `ctid`, which any change renews) and fetches only those that are not cached, in the same snapshot.
 *
 * Bound: 64 MB per process, which includes what `by-rows` caches with the rows.
 */
import type { Fragment } from "postgres";
import type { OrgId } from "@/core/ids";
import type { WholeSpans } from "@/core/time/time-range";
import type { Copies } from "@/platform/db/copies";
import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import { CountIndex } from "../count-index";
import { bytesInMemory, decodeSketch, estimate, type Sketch } from "../uniques";
import { type FiguresScope, PEOPLE_BY_KEY, type Reader, type Source, sourcesOf, unionAll } from "./scope";
import { VersionedCache } from "./versioned-cache";

const KEPT_BYTES_MAX = 64 * 2 ** 20;
/** The size of the objects themselves, without what is packed. */
const ROW_BYTES = 300;
/** Bytes in memory per packed byte: a count takes 2 to 3 bytes packed, and 8 in a sum. */
const BYTES_A_PACKED = 4;

/** A row as it comes from Postgres. */
export interface StoredRow {
  /** The start of its hour or day in Unix milliseconds. */
  start: number;
  version: string;
  clicks: number;
  opens: number;
  counts: Uint8Array;
  visitors: Uint8Array | null;
}

export class FiguresRow {
  readonly start: number;
  readonly version: string;
  readonly clicks: number;
  readonly opens: number;
  readonly counts: Uint8Array;
  readonly sketch: Sketch | null;
  #distinct: number | undefined;
  #index: CountIndex | undefined;

  constructor({ start, version, clicks, opens, counts, visitors }: StoredRow) {
    this.start = start;
    this.version = version;
    this.clicks = clicks;
    this.opens = opens;
    // The driver returns a Buffer, of which `slice` is a view that keeps everything read with it in memory.
    this.counts = new Uint8Array(counts);
    this.sketch = visitors && decodeSketch(visitors);
  }

  get distinct(): number {
    this.#distinct ??= this.sketch ? estimate(this.sketch) : 0;
    return this.#distinct;
  }

  /** Returns the count of one value. */
  countOf(key: number): number {
    return this.#counted.countOf(key);
  }

  /** Returns the sum over all values of the dimension. */
  sumOf(code: number): number {
    return this.#counted.sumOf(code);
  }

  get #counted(): CountIndex {
    this.#index ??= new CountIndex(this.counts);
    return this.#index;
  }

  get bytes(): number {
    return ROW_BYTES + BYTES_A_PACKED * this.counts.length + (this.sketch ? bytesInMemory(this.sketch) : 0);
  }
}

interface Version {
  level: Source["start"];
  start: number;
  isBot: boolean;
  writer: number;
  version: string;
}

type Fetched = Version & StoredRow;

export class PackedFigures {
  readonly #kept: VersionedCache<FiguresRow>;

  constructor(copies: Copies) {
    this.#kept = new VersionedCache(KEPT_BYTES_MAX, copies);
  }

  /** Returns one row for each hour or day, kind of visitor and writer, in no particular order. */
  async read(sql: Reader, orgId: OrgId, scope: FiguresScope, spans: WholeSpans): Promise<FiguresRow[]> {
    const { linkId = WHOLE_ORGANIZATION, includeBots } = scope;
    const keyOf = ({ level, start, isBot, writer }: Version) =>
      `${orgId} ${linkId} ${level} ${start} ${isBot} ${writer}`;
    const query = { sql, orgId, linkId, includeBots, sources: sourcesOf(spans) };
    const versions = await readVersions(query);
    // Referenced here, because cached rows may be evicted while the others are read.
    const rows = new Map(versions.map((row) => [keyOf(row), this.#kept.get(keyOf(row), row.version)]));
    const missing = versions.filter((row) => !rows.get(keyOf(row)));
    for (const row of await fetchRows(query, missing)) {
      const unpacked = new FiguresRow(row);
      rows.set(keyOf(row), unpacked);
      this.#kept.set(keyOf(row), unpacked);
    }
    return versions.flatMap((row) => rows.get(keyOf(row)) ?? []);
  }
}

interface Query {
  sql: Reader;
  orgId: OrgId;
  linkId: string;
  includeBots: boolean;
  sources: Source[];
}

const VERSION_COLUMNS = `is_bot as "isBot", writer, xmin::text || ' ' || ctid::text as version`;
const NO_VERSION = `select '' as level, 0::float8 as start, false as "isBot", 0 as writer, '' as version`;

function readVersions(query: Query) {
  const { sql, sources } = query;
  return sql<Version[]>`
    ${sql.unsafe(NO_VERSION)} where false
    ${unionAll(
      sql,
      sources,
      (source) => sql`
        select ${source.start}, ${epoch(sql, source)}, ${sql.unsafe(VERSION_COLUMNS)}
        from ${sql(source.figures)} where ${within(query, source)}`,
    )}`;
}

async function fetchRows(query: Query, missing: Version[]): Promise<Fetched[]> {
  if (missing.length === 0) return [];
  const { sql, sources } = query;
  const startsOf = (level: string) =>
    `{${[...new Set(missing.filter((row) => row.level === level).map(({ start }) => new Date(start).toISOString()))].join(",")}}`;
  return sql<Fetched[]>`
    ${sql.unsafe(NO_VERSION)}, 0::float8 as clicks, 0::float8 as opens, ''::bytea as counts, null::bytea as visitors
    where false
    ${unionAll(
      sql,
      sources,
      (source) => sql`
        select ${source.start}, ${epoch(sql, source)}, ${sql.unsafe(VERSION_COLUMNS)},
          clicks::float8, opens::float8, counts, visitors
        from ${sql(source.figures)}
        where ${within(query, source)}
          and ${sql(source.start)} = any(${startsOf(source.start)}::text::timestamptz[])`,
    )}`;
}

function within({ sql, orgId, linkId, includeBots }: Query, { start, span }: Source): Fragment {
  return sql`org_id = ${orgId} and link_id = ${linkId}
    and ${sql(start)} >= ${new Date(span.from)} and ${sql(start)} < ${new Date(span.to)}
    ${includeBots ? sql`` : sql`and ${sql.unsafe(PEOPLE_BY_KEY)}`}`;
}

const epoch = (sql: Reader, { start }: Source) => sql`extract(epoch from ${sql(start)})::float8 * 1000`;
