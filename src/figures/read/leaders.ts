/**
 * Keeps the most clicked links of each day and hour. To rank the links of months anew would take a look at millions of
 * figures, although past days hardly ever change. So of each day or hour its `LEADERS_MAX` first links are kept, under
 * the version of the whole organization's figures there: whatever changes a link's changes those in the same
 * transaction.
 *
 * A ranking sums them up; what links beneath the leaders may have is bounded by the first of them (Fagin, Lotem & Naor
 * 2003, "Optimal aggregation algorithms for middleware": the no-random-access algorithm). Sums of past days are kept as well.
 *
 * Bound: 32 MB a process. A crash loses nothing; the first ranking after it looks at all figures of its range once.
 */
import type { OrgId } from "@/core/ids";
import type { Copies } from "@/platform/db/copies";
import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import { Kept, type Versioned } from "./kept";
import { LinkRanking, LinkSums, type RankedLink, sumOf } from "./link-ranking";
import { type FiguresScope, PEOPLE_BY_KEY, type Reader, type Source, sourcesOf } from "./scope";

const KEPT_BYTES_MAX = 32 * 2 ** 20;
const LEADERS_MAX = 1_000;
const LEADER_BYTES = 100;
const SUM_BYTES = 150;
const PART_BYTES = 500;

interface Leaders extends Versioned {
  linkIds: readonly string[];
  clicks: readonly number[];
  /** No other link has more. */
  rest: number;
}

interface Sums extends Versioned {
  links: LinkSums;
  rest: number;
}

interface Part {
  source: Source;
  start: number;
  version: string;
}

export class LinkLeaders {
  readonly #parts: Kept<Leaders>;
  readonly #sums: Kept<Sums>;

  constructor(copies: Copies) {
    this.#parts = new Kept(KEPT_BYTES_MAX / 2, copies);
    this.#sums = new Kept(KEPT_BYTES_MAX / 2, copies);
  }

  /** Of people, over the whole hours and days of the range: the caller's own. */
  async read(sql: Reader, orgId: OrgId, { whole }: Pick<FiguresScope, "whole">, max = LEADERS_MAX) {
    const sources = sourcesOf(whole);
    const parts = (await Promise.all(sources.map((source) => readParts(sql, orgId, source)))).flat();
    const sorted = parts.toSorted((a, b) => a.start - b.start);
    const past = await this.#past(sql, orgId, sorted.slice(0, -1), max);
    const ranking = new LinkRanking(past.links, past.rest);
    for (const { linkIds, clicks, rest } of await this.#leaders(sql, orgId, sorted.slice(-1), max)) {
      ranking.rest += rest;
      for (const [index, linkId] of linkIds.entries()) ranking.add(linkId, clicks[index] ?? 0, rest);
    }
    return ranking;
  }

  /** All but the newest part, which is the one that changes. */
  async #past(sql: Reader, orgId: OrgId, parts: readonly Part[], max: number): Promise<Sums> {
    const [first, last] = [parts[0], parts.at(-1)];
    const key = `${orgId} ${first?.start} ${last?.start} ${last?.source.start} ${max}`;
    const version = parts.map(({ source, start, version }) => `${source.start} ${start} ${version}`).join(";");
    const known = this.#sums.get(key, version);
    if (known) return known;
    const leaders = await this.#leaders(sql, orgId, parts, max);
    const links = sumUp(leaders);
    const bytes = PART_BYTES + version.length + SUM_BYTES * links.size;
    const rest = leaders.reduce((sum, each) => sum + each.rest, 0);
    const sums = { version, bytes, links: new LinkSums(links), rest };
    this.#sums.set(key, sums);
    return sums;
  }

  async #leaders(sql: Reader, orgId: OrgId, parts: readonly Part[], max: number): Promise<Leaders[]> {
    const keyOf = ({ source, start }: Part) => `${orgId} ${source.start} ${start} ${max}`;
    const found = parts.map((part) => this.#parts.get(keyOf(part), part.version));
    const missing = parts.filter((_, index) => !found[index]);
    const read = await readLeaders(sql, orgId, missing, max);
    for (const [index, part] of missing.entries()) {
      const leaders = read[index];
      if (leaders) this.#parts.set(keyOf(part), leaders);
    }
    return [...found, ...read].filter((leaders) => leaders !== undefined);
  }
}

function sumUp(leaders: readonly Leaders[]): Map<string, RankedLink> {
  const sums = new Map<string, RankedLink>();
  for (const { linkIds, clicks, rest } of leaders) {
    for (const [index, linkId] of linkIds.entries()) {
      sums.set(linkId, sumOf(sums.get(linkId), { linkId, clicks: clicks[index] ?? 0, covered: rest }));
    }
  }
  return sums;
}

/** Reads the days or hours in which people clicked. */
async function readParts(sql: Reader, orgId: OrgId, source: Source): Promise<Part[]> {
  const { figures, start, span } = source;
  const rows = await sql<{ start: number; version: string }[]>`
    select extract(epoch from ${sql(start)})::float8 * 1000 as start,
      string_agg(writer || ' ' || xmin::text || ' ' || ctid::text, ',' order by writer) as version
    from ${sql(figures)}
    where org_id = ${orgId} and link_id = ${WHOLE_ORGANIZATION} and ${sql.unsafe(PEOPLE_BY_KEY)}
      and ${sql(start)} >= ${new Date(span.from)} and ${sql(start)} < ${new Date(span.to)}
    group by 1`;
  return rows.map((row) => ({ source, ...row }));
}

async function readLeaders(sql: Reader, orgId: OrgId, parts: readonly Part[], max: number): Promise<Leaders[]> {
  const found = new Map<Part, Leaders>();
  for (const [level, own] of Map.groupBy(parts, ({ source }) => source.start)) {
    const [figures] = own.map(({ source }) => source.figures);
    if (!figures) continue;
    const starts = `{${own.map(({ start }) => new Date(start).toISOString()).join(",")}}`;
    const rows = await sql<{ start: number; linkIds: string | null; clicks: string | null }[]>`
      select extract(epoch from asked.start)::float8 * 1000 as start,
        string_agg(link_id::text, ',' order by clicks desc, link_id) as "linkIds",
        string_agg(clicks::text, ',' order by clicks desc, link_id) as clicks
      from unnest(${starts}::text::timestamptz[]) as asked (start) left join lateral (
        select link_id, sum(clicks) as clicks from ${sql(figures)}
        where org_id = ${orgId} and ${sql(level)} = asked.start and not is_bot and link_id <> ${WHOLE_ORGANIZATION}
        group by link_id having sum(clicks) > 0 order by 2 desc, 1 limit ${max + 1}
      ) as leaders on true group by 1`;
    const byStart = new Map(rows.map((row) => [row.start, row]));
    for (const part of own) found.set(part, leadersOf(part, byStart.get(part.start), max));
  }
  return parts.flatMap((part) => found.get(part) ?? []);
}

function leadersOf(
  { version }: Part,
  row: { linkIds: string | null; clicks: string | null } | undefined,
  max: number,
): Leaders {
  const linkIds = row?.linkIds?.split(",") ?? [];
  const clicks = row?.clicks?.split(",").map(Number) ?? [];
  return {
    version,
    bytes: PART_BYTES + LEADER_BYTES * linkIds.length,
    linkIds: linkIds.slice(0, max),
    clicks: clicks.slice(0, max),
    rest: clicks[max] ?? 0,
  };
}
