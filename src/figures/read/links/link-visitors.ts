/**
 * Distinct visitors of several links over whole hours and days. The daily sketches of busy links take 50 KB in memory
 * each, and those of ten links over months would take more than all cached figures may. So only what past hours and
 * days add up to is cached: one sketch for each link and range, under the versions (Postgres's `xmin` and `ctid`) of
 * all rows it was made from. The newest hour or day of the range, which changes with every click, is read each time.
 *
 * Bound: 16 MB per process. A link and range take 16 KB, or up to 74 KB while visitors are counted exactly. A crash
 * loses nothing.
 */
import type { Fragment } from "postgres";
import type { OrgId } from "@/core/ids";
import { DAY_MS, HOUR_MS } from "@/core/time/time-range";
import { bytesInMemory, decodeSketch, type Sketch } from "@/figures/uniques";
import type { Copies } from "@/platform/db/copies";
import { type FiguresScope, PEOPLE_BY_KEY, type Reader, type Source, sourcesOf, unionAll } from "../scope";
import { mergedSketch } from "../uniques";
import { type Versioned, VersionedCache } from "../versioned-cache";

const KEPT_BYTES_MAX = 16 * 2 ** 20;
const ENTRY_BYTES = 300;

interface Standing extends Versioned {
  sketch: Sketch;
}

export class LinkVisitors {
  readonly #kept: VersionedCache<Standing>;

  constructor(copies: Copies) {
    this.#kept = new VersionedCache(KEPT_BYTES_MAX, copies);
  }

  /**
   * Returns the sketches of each link, none if it has no visitors. They are shared with other requests and must not
   * be merged into.
   */
  async read(
    sql: Reader,
    orgId: OrgId,
    { includeBots, whole }: Pick<FiguresScope, "includeBots" | "whole">,
    linkIds: readonly string[],
  ): Promise<Map<string, Sketch[]>> {
    const { standing, newest } = dividedByAge(sourcesOf(whole));
    const query = { sql, orgId, includeBots };
    const [versions, fresh] = await Promise.all([
      readVersions(query, standing, linkIds),
      readSketches(query, newest, linkIds),
    ]);
    const range = `${standing[0]?.span.from} ${standing.at(-1)?.span.to} ${includeBots}`;
    const keyOf = (linkId: string) => `${orgId} ${linkId} ${range}`;
    // Referenced here, because cached sketches may be evicted while the others are read.
    const known = new Map(
      versions.map(({ linkId, version }) => [linkId, this.#kept.get(keyOf(linkId), version)?.sketch]),
    );
    const missing = versions.filter(({ linkId }) => !known.get(linkId));
    const ids = missing.map(({ linkId }) => linkId);
    const read = await readSketches(query, standing, ids);
    for (const { linkId, version } of missing) {
      const sketch = mergedSketch(read.get(linkId) ?? []);
      known.set(linkId, sketch);
      this.#kept.set(keyOf(linkId), {
        version,
        bytes: ENTRY_BYTES + 2 * version.length + bytesInMemory(sketch),
        sketch,
      });
    }
    return new Map(
      linkIds.map((linkId) => {
        const past = known.get(linkId);
        return [linkId, [...(past ? [past] : []), ...(fresh.get(linkId) ?? [])]];
      }),
    );
  }
}

const unitMs = ({ start }: Source): number => (start === "day" ? DAY_MS : HOUR_MS);

/** Separates the last hour or day from everything before it, in time order. */
function dividedByAge(sources: readonly Source[]): { standing: Source[]; newest: Source[] } {
  const inOrder = sources.toSorted((a, b) => a.span.from - b.span.from);
  const last = inOrder.at(-1);
  if (!last) return { standing: [], newest: [] };
  const from = last.span.to - unitMs(last);
  const before = { ...last, span: { from: last.span.from, to: from } };
  return {
    standing: [...inOrder.slice(0, -1), ...(before.span.from < from ? [before] : [])],
    newest: [{ ...last, span: { from, to: last.span.to } }],
  };
}

interface Query {
  sql: Reader;
  orgId: OrgId;
  includeBots: boolean;
}

/** Returns one row for each link, with the versions of all its rows in order. */
function readVersions(query: Query, sources: readonly Source[], linkIds: readonly string[]) {
  const { sql } = query;
  return sql<{ linkId: string; version: string }[]>`
    select link_id as "linkId", string_agg(version, ',' order by level, start, is_bot, writer) as version from (
      select null::uuid as link_id, '' as level, now() as start, false as is_bot, 0 as writer, '' as version where false
      ${unionAll(
        sql,
        sources,
        (source) => sql`
          select link_id, ${source.start}, ${sql(source.start)}, is_bot, writer,
            extract(epoch from ${sql(source.start)}) || ' ' || is_bot || ' ' || writer || ' ' || xmin::text || ctid::text
          from ${sql(source.figures)} where ${within(query, source, linkIds)}`,
      )}
    ) as rows group by link_id`;
}

/** Returns sketches by link; links without any are absent. */
async function readSketches(query: Query, sources: readonly Source[], linkIds: readonly string[]) {
  const { sql } = query;
  if (linkIds.length === 0) return new Map<string, Sketch[]>();
  const rows = await sql<{ linkId: string; visitors: Uint8Array }[]>`
    select null::uuid as "linkId", null::bytea as visitors where false
    ${unionAll(
      sql,
      sources,
      (source) => sql`
        select link_id, visitors from ${sql(source.figures)}
        where ${within(query, source, linkIds)} and visitors is not null`,
    )}`;
  const byLink = Map.groupBy(rows, ({ linkId }) => linkId);
  return new Map(
    Array.from(byLink, ([linkId, own]) => [linkId, own.map(({ visitors }) => decodeSketch(visitors))] as const),
  );
}

/** Lists links one by one: Postgres does not know the length of an array when it plans, and would read far too much. */
function within({ sql, orgId, includeBots }: Query, { start, span }: Source, linkIds: readonly string[]): Fragment {
  return sql`org_id = ${orgId} and link_id in ${sql(linkIds)}
    and ${sql(start)} >= ${new Date(span.from)} and ${sql(start)} < ${new Date(span.to)}
    ${includeBots ? sql`` : sql`and ${sql.unsafe(PEOPLE_BY_KEY)}`}`;
}
