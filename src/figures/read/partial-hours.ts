/**
 * Figures of the partial hours at the ends of a range, which rollups do not cover. They are counted from the raw
 * visits of those hours.
 *
 * Reading an hour of a busy organization takes longer than reading months of its rollups, and a dashboard requests
 * the same hours again and again. So hours are cached in columns, under the version of the hour's rollups: whatever
 * changes the visits of an hour changes its rollups in the same transaction. An hour without rollups has no visits.
 * Only retention deletes visits and keeps rollups, so hours before its cutoff are left out even if they are cached.
 *
 * The sums over both ends of a range are cached as well, for requests with the same range.
 *
 * Bounds: 32 MB of hours and 8 MB of sums per process. An hour that takes more than an eighth of the 32 MB is counted
 * while it is read and not cached, so that an hour of a million clicks is never in memory as a whole.
 */
import { HOURS_OF_WEEK } from "@/contract/analytics/dimensions";
import type { OrgId } from "@/core/ids";
import { bucketMs, HOUR_MS, type Span } from "@/core/time/time-range";
import type { Copies } from "@/platform/db/copies";
import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import { CountSums } from "../count-sums";
import { addHashes, bytesInMemory, createSketch, PRECISION, type Sketch } from "../uniques";
import { KnownValues } from "../values";
import { CLICKS, NO_KEY, OPENS, readVisits, type VisitColumns } from "./hour-visits";
import { hourOfWeek } from "./hours-of-week";
import type { FiguresScope, Reader } from "./scope";
import type { BucketFigures } from "./series";
import { type Versioned, VersionedCache } from "./versioned-cache";

const KEPT_BYTES_MAX = 32 * 2 ** 20;
const SUMS_BYTES_MAX = 8 * 2 ** 20;
const HOUR_BYTES_MAX = KEPT_BYTES_MAX / 8;
const VISIT_BYTES = 13;
const VISITOR_BYTES = 8;
const KEY_BYTES = 4;
const HOUR_BYTES = 1_000;

export interface PartialHourFigures {
  /** The buckets that contain the partial hours. */
  series: BucketFigures[];
  /** Counts by value of each dimension, with the keys of packed counts. */
  counts: CountSums;
  /** The visitors of clicks, by start of the bucket. */
  visitors: Map<number, Sketch>;
  /** The counts of opens only, by start of the bucket. */
  opens: Map<number, CountSums>;
  /** Clicks by hour of the week. */
  hoursOfWeek: Float64Array;
}

interface Part {
  kind: "clicks" | "opens";
  visits: VisitColumns;
}

interface Hour extends Versioned {
  parts: Part[];
}

export class PartialHours {
  readonly #kept: VersionedCache<Hour>;
  readonly #sums: VersionedCache<PartialHourSums>;
  readonly #values = new KnownValues();

  constructor(copies: Copies) {
    this.#kept = new VersionedCache(KEPT_BYTES_MAX, copies);
    this.#sums = new VersionedCache(SUMS_BYTES_MAX, copies);
    copies.add(this.#values);
  }

  /** Returns an object that is shared with other requests. */
  async read(sql: Reader, orgId: OrgId, scope: FiguresScope): Promise<PartialHourFigures> {
    const spans = scope.partialHours.flatMap((partialHour) => [...byHour(partialHour)]);
    if (spans.length === 0) return NOTHING;
    const versions = await readVersions(sql, orgId, scope, spans.map(hourOf));
    const { linkId, includeBots, granularity } = scope;
    const key = JSON.stringify([orgId, linkId, includeBots, granularity, spans]);
    const version = spans.map((span) => versions.get(hourOf(span))).join();
    return this.#sums.get(key, version) ?? (await this.#sum(sql, orgId, scope, { spans, versions, key, version }));
  }

  async #sum(sql: Reader, orgId: OrgId, scope: FiguresScope, { spans, versions, key, version }: Summed) {
    const sums = new PartialHourSums(scope, version);
    this.#values.makeRoom();
    for (const span of spans) {
      const ofHour = versions.get(hourOf(span));
      if (ofHour === undefined) continue;
      const parts = this.#parts(sql, orgId, scope, hourOf(span), ofHour);
      for await (const { kind, visits } of parts) sums.add(kind, visits, span);
    }
    this.#sums.set(key, sums);
    return sums;
  }

  async *#parts(sql: Reader, orgId: OrgId, { linkId }: FiguresScope, hour: number, version: string) {
    const key = `${orgId} ${linkId ?? ""} ${hour}`;
    const known = this.#kept.get(key, version);
    if (known) return yield* known.parts;
    const ofLink = linkId === undefined ? sql`` : sql`and link_id = ${linkId}`;
    const rows = sql`org_id = ${orgId} ${ofLink}
      and occurred_at >= ${new Date(hour)} and occurred_at < ${new Date(hour + HOUR_MS)}`;
    let [parts, bytes]: [Part[], number] = [[], HOUR_BYTES];
    for (const kind of [CLICKS, OPENS]) {
      for await (const visits of readVisits(sql, kind, this.#values, rows)) {
        const part = { kind: kind.table, visits };
        bytes += bytesOf(visits);
        parts = bytes <= HOUR_BYTES_MAX ? [...parts, part] : [];
        yield part;
      }
    }
    if (bytes <= HOUR_BYTES_MAX) this.#kept.set(key, { version, parts, bytes });
  }
}

interface Summed {
  spans: readonly Span[];
  /** By start of the hour. */
  versions: ReadonlyMap<number, string>;
  /** The cache key of the sums. */
  key: string;
  version: string;
}

const hourOf = ({ from }: Span): number => from - (from % HOUR_MS);

const bytesOf = ({ at, keys, visitors }: VisitColumns): number =>
  at.length * VISIT_BYTES +
  visitors.distinct.length * VISITOR_BYTES +
  (keys.places.length + keys.distinct.length) * KEY_BYTES;

function* byHour({ from, to }: Span): Generator<Span> {
  for (let start = from; start < to; ) {
    const end = Math.min(to, hourOf({ from: start, to }) + HOUR_MS);
    yield { from: start, to: end };
    start = end;
  }
}

async function readVersions(sql: Reader, orgId: OrgId, { linkId }: FiguresScope, hours: number[]) {
  const wanted = `{${hours.map((hour) => new Date(hour).toISOString()).join(",")}}`;
  const rows = await sql<{ hour: number; version: string }[]>`
    select extract(epoch from hour)::float8 * 1000 as hour,
      string_agg(is_bot || ' ' || writer || ' ' || xmin::text || ' ' || ctid::text, ',' order by is_bot, writer) as version
    from figures_hourly
    where org_id = ${orgId} and link_id = ${linkId ?? WHOLE_ORGANIZATION}
      and hour = any(${wanted}::text::timestamptz[])
      and not exists (select 1 from raw_retention kept where kept.org_id = ${orgId} and kept.kept_from > hour)
    group by 1`;
  return new Map(rows.map(({ hour, version }) => [hour, version]));
}

class PartialHourSums implements PartialHourFigures, Versioned {
  readonly counts = new CountSums();
  readonly visitors = new Map<number, Sketch>();
  readonly opens = new Map<number, CountSums>();
  readonly hoursOfWeek = new Float64Array(HOURS_OF_WEEK);
  readonly #includeBots: boolean;
  readonly #bucketMs: number;
  readonly #buckets = new Map<number, BucketFigures>();

  constructor(
    { includeBots, granularity }: Pick<FiguresScope, "includeBots" | "granularity">,
    readonly version: string,
  ) {
    this.#includeBots = includeBots;
    this.#bucketMs = bucketMs(granularity);
  }

  get bytes(): number {
    const counts = [this.counts, ...this.opens.values()].map(({ bytes }) => bytes);
    const visitors = Array.from(this.visitors.values(), bytesInMemory);
    return [...counts, ...visitors].reduce((sum, bytes) => sum + bytes, HOUR_BYTES);
  }

  get series(): BucketFigures[] {
    return [...this.#buckets.values()];
  }

  /** Adds the visits within the span, which must lie within one hour. */
  add(kind: "clicks" | "opens", visits: VisitColumns, { from, to }: Span): void {
    const { at, isBot, visitors, keys, width } = visits;
    const counts = new Uint32Array(keys.distinct.length);
    const isSeen = new Uint8Array(visitors.distinct.length);
    let sum = 0;
    for (let index = 0; index < at.length; index++) {
      const instant = at[index] ?? 0;
      if (instant < from || instant >= to || (isBot[index] === 1 && !this.#includeBots)) continue;
      sum++;
      isSeen[visitors.places[index] ?? 0] = 1;
      for (let place = index * width; place < (index + 1) * width; place++) {
        const key = keys.places[place] ?? 0;
        counts[key] = (counts[key] ?? 0) + 1;
      }
    }
    if (sum === 0) return;
    const bucket = this.#bucket(from - (from % this.#bucketMs));
    bucket[kind] += sum;
    this.#addCounts(kind, bucket.at, keys.distinct, counts);
    if (kind === "opens") return;
    addHashes(this.#visitorsAt(bucket.at), visitors.distinct, isSeen);
    const hour = hourOfWeek(from);
    this.hoursOfWeek[hour] = (this.hoursOfWeek[hour] ?? 0) + sum;
  }

  #addCounts(kind: "clicks" | "opens", at: number, keys: Uint32Array, counts: Uint32Array): void {
    const opens = kind === "opens" ? this.#opensAt(at) : undefined;
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] ?? NO_KEY;
      const count = counts[index] ?? 0;
      if (key === NO_KEY || count === 0) continue;
      this.counts.add(key, count);
      opens?.add(key, count);
    }
  }

  #visitorsAt(at: number): Sketch {
    const known = this.visitors.get(at) ?? createSketch(PRECISION);
    this.visitors.set(at, known);
    return known;
  }

  #opensAt(at: number): CountSums {
    const known = this.opens.get(at) ?? new CountSums();
    this.opens.set(at, known);
    return known;
  }

  #bucket(at: number): BucketFigures {
    const known = this.#buckets.get(at) ?? { at, clicks: 0, opens: 0 };
    this.#buckets.set(at, known);
    return known;
  }
}

/** For ranges that begin and end on the hour. */
const NOTHING: PartialHourFigures = new PartialHourSums({ includeBots: false, granularity: "day" }, "");
