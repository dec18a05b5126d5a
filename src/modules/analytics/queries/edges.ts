/**
 * Figures of the parts of hours at a range's ends, which no rollup tells of: counted from the raw visits of those hours.
 *
 * Reading an hour of a busy organization takes longer than all its rollups of months, and a dashboard asks for the same
 * hours again and again. So they are kept in columns, under the version of the hour's rollups: whatever changes the visits
 * of an hour changes those in the same transaction. An hour without rollups has no visits.
 *
 * Bound: 32 MB a process, an hour that takes an eighth of it is not kept.
 */
import { CountSums } from "@/core/counts";
import type { OrgId } from "@/core/ids";
import { bucketMs, HOUR_MS, type Span } from "@/core/time-range";
import { KnownValues } from "@/platform/db/figure-values";
import { WHOLE_ORGANIZATION } from "@/platform/db/schema/clicks";
import { CLICKS, NO_KEY, OPENS, readVisits, type Visits } from "./hour-visits";
import { Kept, type Versioned } from "./kept";
import type { FiguresScope, Reader } from "./scope";
import type { BucketFigures } from "./series";

const KEPT_BYTES_MAX = 32 * 2 ** 20;
const KEPT_SHARE_MAX = 1 / 8;
const VISIT_BYTES = 24;
const KEY_BYTES = 4;
const HOUR_BYTES = 1_000;

export interface EdgeVisitor {
  /** Start of the bucket, Unix milliseconds. */
  at: number;
  visitor: bigint;
}

export interface EdgeFigures {
  /** Of the buckets the edges lie in. */
  series: BucketFigures[];
  /** By value of each dimension, keyed as packed counts are. */
  counts: CountSums;
  /** Once for each click. */
  visitors: EdgeVisitor[];
}

interface Hour extends Versioned {
  clicks: Visits[];
  opens: Visits[];
}

export class Edges {
  readonly #kept = new Kept<Hour>(KEPT_BYTES_MAX);
  readonly #values = new KnownValues();

  async read(sql: Reader, orgId: OrgId, scope: FiguresScope): Promise<EdgeFigures> {
    const spans = scope.edges.flatMap((edge) => [...byHour(edge)]);
    const sums = new EdgeSums(scope);
    if (spans.length === 0) return sums;
    this.#values.makeRoom();
    const versions = await readVersions(sql, orgId, scope, spans.map(hourOf));
    for (const span of spans) {
      const version = versions.get(hourOf(span));
      if (version === undefined) continue;
      const { clicks, opens } = await this.#hour(sql, orgId, scope, hourOf(span), version);
      for (const visits of clicks) sums.add("clicks", visits, span);
      for (const visits of opens) sums.add("opens", visits, span);
    }
    return sums;
  }

  async #hour(sql: Reader, orgId: OrgId, { linkId }: FiguresScope, hour: number, version: string): Promise<Hour> {
    const key = `${orgId} ${linkId ?? ""} ${hour}`;
    const known = this.#kept.get(key, version);
    if (known) return known;
    const ofLink = linkId === undefined ? sql`` : sql`and link_id = ${linkId}`;
    const rows = sql`org_id = ${orgId} ${ofLink}
      and occurred_at >= ${new Date(hour)} and occurred_at < ${new Date(hour + HOUR_MS)}`;
    const clicks = await readVisits(sql, CLICKS, this.#values, rows);
    const opens = await readVisits(sql, OPENS, this.#values, rows);
    const bytes = [...clicks, ...opens].reduce((sum, visits) => sum + bytesOf(visits), HOUR_BYTES);
    const read = { version, clicks, opens, bytes };
    if (bytes <= KEPT_BYTES_MAX * KEPT_SHARE_MAX) this.#kept.set(key, read);
    return read;
  }
}

const hourOf = ({ from }: Span): number => from - (from % HOUR_MS);
const bytesOf = ({ at, keys }: Visits): number => at.length * VISIT_BYTES + keys.length * KEY_BYTES;

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
    group by 1`;
  return new Map(rows.map(({ hour, version }) => [hour, version]));
}

class EdgeSums implements EdgeFigures {
  readonly counts = new CountSums();
  readonly visitors: EdgeVisitor[] = [];
  readonly #includeBots: boolean;
  readonly #bucketMs: number;
  readonly #buckets = new Map<number, BucketFigures>();

  constructor({ includeBots, granularity }: FiguresScope) {
    this.#includeBots = includeBots;
    this.#bucketMs = bucketMs(granularity);
  }

  get series(): BucketFigures[] {
    return [...this.#buckets.values()];
  }

  /** Those of the visits that lie in the span, which lies in one bucket. */
  add(kind: "clicks" | "opens", { at, isBot, visitors, keys, width }: Visits, { from, to }: Span): void {
    const bucket = this.#bucket(from - (from % this.#bucketMs));
    for (let index = 0; index < at.length; index++) {
      const instant = at[index] ?? 0;
      if (instant < from || instant >= to || (isBot[index] === 1 && !this.#includeBots)) continue;
      bucket[kind]++;
      if (kind === "clicks") this.visitors.push({ at: bucket.at, visitor: visitors[index] ?? 0n });
      for (let place = index * width; place < (index + 1) * width; place++) {
        const key = keys[place] ?? NO_KEY;
        if (key !== NO_KEY) this.counts.add(key, 1);
      }
    }
  }

  #bucket(at: number): BucketFigures {
    const known = this.#buckets.get(at) ?? { at, clicks: 0, opens: 0 };
    this.#buckets.set(at, known);
    return known;
  }
}
