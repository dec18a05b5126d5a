/**
 * Keeps the most clicked links of each day and hour. To rank the links of months anew would take a look at millions of
 * figures, although past days hardly ever change. So of each day or hour its `LEADERS_MAX` first links are kept, under
 * the version of the whole organization's figures there: whatever changes a link's changes those in the same
 * transaction.
 *
 * A ranking sums them up; what links beneath the leaders may have is bounded by the first of them (Fagin, Lotem & Naor
 * 2003, "Optimal aggregation algorithms for middleware": the no-random-access algorithm). Sums of past days are kept as well.
 * Where that leaves two links in doubt, they are looked up in the few parts whose leaders they are not.
 *
 * Bound: 32 MB a process. A crash loses nothing; the first ranking after it looks at all figures of its range once.
 */
import type { OrgId } from "@/core/ids";
import type { Span, WholeSpans } from "@/core/time/time-range";
import { arrayLiteral } from "@/platform/db/array-literals";
import type { Copies } from "@/platform/db/copies";
import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import { Kept, type Versioned } from "../kept";
import { type FiguresScope, PEOPLE_BY_KEY, type Reader, type Source, sourcesOf } from "../scope";
import { ClickList, listIdOf } from "./click-list";
import { LinkRanking, LinkSums, type RankedLink, sumOf } from "./link-ranking";

const KEPT_BYTES_MAX = 32 * 2 ** 20;
const LEADERS_MAX = 1_000;
const SUM_BYTES = 150;
const PART_BYTES = 500;
/** So many single figures, each of a link in a part, are looked up for a ranking. */
const LOOKED_UP_MAX = 20_000;

interface Leaders extends Versioned {
  links: ClickList;
  /** No other link has more. */
  rest: number;
}

interface Sums extends Versioned {
  links: LinkSums;
  rest: number;
}

/** A day or hour in which people clicked. */
export interface LedPart {
  source: Source;
  start: number;
  version: string;
}

export interface LedRange {
  ranking: LinkRanking;
  /** In the order of time. */
  parts: readonly LedPart[];
}

export class LinkLeaders {
  readonly #parts: Kept<Leaders>;
  readonly #sums: Kept<Sums>;

  constructor(copies: Copies) {
    this.#parts = new Kept(KEPT_BYTES_MAX / 2, copies);
    this.#sums = new Kept(KEPT_BYTES_MAX / 2, copies);
  }

  /** Of people, over the whole hours and days of the range: the caller's own. */
  async read(sql: Reader, orgId: OrgId, { whole }: Pick<FiguresScope, "whole">, max = LEADERS_MAX): Promise<LedRange> {
    const parts = await readParts(sql, orgId, whole);
    const past = await this.#past(sql, orgId, parts.slice(0, -1), max);
    const ranking = new LinkRanking(past.links, past.rest);
    for (const { links, rest } of await this.#leaders(sql, orgId, parts.slice(-1), max)) {
      ranking.rest += rest;
      links.forEach((linkId, clicks) => {
        ranking.add(linkId, clicks, rest);
      });
    }
    return { ranking, parts };
  }

  /**
   * Of these links the clicks in the parts whose leaders they are not; absent where there are none. Undefined where too many
   * figures would have to be looked up for it one by one.
   */
  async readBeneath(
    sql: Reader,
    orgId: OrgId,
    parts: readonly LedPart[],
    linkIds: readonly string[],
    max = LEADERS_MAX,
  ): Promise<Map<string, number> | undefined> {
    const leaders = await this.#leaders(sql, orgId, parts, max);
    const asked = linkIds.flatMap((linkId) => {
      const id = listIdOf(linkId);
      return parts.flatMap((part, place) => (isBeneath(leaders[place], id) ? [{ linkId, part }] : []));
    });
    return asked.length > LOOKED_UP_MAX ? undefined : lookUp(sql, orgId, asked);
  }

  /** What is kept of the days in which people clicked, in the order of time; undefined for a day of which nothing is. */
  async keptDays(sql: Reader, orgId: OrgId, days: Span, max = LEADERS_MAX) {
    const parts = await readParts(sql, orgId, { days, hours: [] });
    return parts.map((part) => ({
      start: part.start,
      leaders: this.#parts.get(keyOf(orgId, part, max), part.version),
    }));
  }

  /** All but the newest part, which is the one that changes. */
  async #past(sql: Reader, orgId: OrgId, parts: readonly LedPart[], max: number): Promise<Sums> {
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

  /** In the order of the parts. */
  async #leaders(sql: Reader, orgId: OrgId, parts: readonly LedPart[], max: number): Promise<Leaders[]> {
    const found = new Map(parts.map((part) => [part, this.#parts.get(keyOf(orgId, part, max), part.version)]));
    const missing = parts.filter((part) => !found.get(part));
    for (const [part, leaders] of await readLeaders(sql, orgId, missing, max)) {
      this.#parts.set(keyOf(orgId, part, max), leaders);
      found.set(part, leaders);
    }
    return parts.flatMap((part) => found.get(part) ?? []);
  }
}

const keyOf = (orgId: OrgId, { source, start }: LedPart, max: number) => `${orgId} ${source.start} ${start} ${max}`;

/** Whether the link may have clicks that are not told. */
export const isBeneath = (leaders: Pick<Leaders, "links" | "rest"> | undefined, id: Buffer): boolean =>
  leaders === undefined || (leaders.rest > 0 && leaders.links.find(id) === undefined);

function sumUp(leaders: readonly Leaders[]): Map<string, RankedLink> {
  const sums = new Map<string, RankedLink>();
  for (const { links, rest } of leaders) {
    links.forEach((linkId, clicks) => {
      sums.set(linkId, sumOf(sums.get(linkId), { linkId, clicks, covered: rest }));
    });
  }
  return sums;
}

/** In the order of time. */
async function readParts(sql: Reader, orgId: OrgId, spans: WholeSpans): Promise<LedPart[]> {
  const parts = await Promise.all(
    sourcesOf(spans).map(async (source) => {
      const { figures, start, span } = source;
      const rows = await sql<{ start: number; version: string }[]>`
        select extract(epoch from ${sql(start)})::float8 * 1000 as start,
          string_agg(writer || ' ' || xmin::text || ' ' || ctid::text, ',' order by writer) as version
        from ${sql(figures)}
        where org_id = ${orgId} and link_id = ${WHOLE_ORGANIZATION} and ${sql.unsafe(PEOPLE_BY_KEY)}
          and ${sql(start)} >= ${new Date(span.from)} and ${sql(start)} < ${new Date(span.to)}
        group by 1`;
      return rows.map((row): LedPart => ({ source, ...row }));
    }),
  );
  return parts.flat().sort((a, b) => a.start - b.start);
}

interface LeadersRow {
  start: number;
  ids: Buffer;
  clicks: Buffer;
  rest: number;
}

async function readLeaders(
  sql: Reader,
  orgId: OrgId,
  parts: readonly LedPart[],
  max: number,
): Promise<Map<LedPart, Leaders>> {
  const found = new Map<LedPart, Leaders>();
  for (const [level, own] of Map.groupBy(parts, ({ source }) => source.start)) {
    const [figures] = own.map(({ source }) => source.figures);
    if (!figures) continue;
    const starts = arrayLiteral(own.map(({ start }) => new Date(start).toISOString()));
    const rows = await sql<LeadersRow[]>`
      select extract(epoch from asked.start)::float8 * 1000 as start,
        coalesce(string_agg(uuid_send(link_id), '' order by link_id) filter (where place <= ${max}), '') as ids,
        coalesce(string_agg(int4send(clicks::int), '' order by link_id) filter (where place <= ${max}), '') as clicks,
        coalesce(max(clicks) filter (where place > ${max}), 0)::float8 as rest
      from unnest(${starts}::text::timestamptz[]) as asked (start) left join lateral (
        select *, row_number() over (order by clicks desc, link_id) as place from (
          select link_id, sum(clicks) as clicks from ${sql(figures)}
          where org_id = ${orgId} and ${sql(level)} = asked.start and not is_bot and link_id <> ${WHOLE_ORGANIZATION}
          group by link_id having sum(clicks) > 0 order by 2 desc, 1 limit ${max + 1}
        ) as first
      ) as leaders on true group by 1`;
    const byStart = new Map(rows.map((row) => [row.start, row]));
    for (const part of own) {
      const row = byStart.get(part.start);
      if (row) found.set(part, leadersOf(part, row));
    }
  }
  return found;
}

function leadersOf({ version }: LedPart, { ids, clicks, rest }: LeadersRow): Leaders {
  const links = new ClickList(ids, clicks);
  return { version, bytes: PART_BYTES + links.bytes, links, rest };
}

/** Sums up single figures by link. */
async function lookUp(
  sql: Reader,
  orgId: OrgId,
  asked: readonly { linkId: string; part: LedPart }[],
): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  for (const [level, own] of Map.groupBy(asked, ({ part }) => part.source.start)) {
    const [figures] = own.map(({ part }) => part.source.figures);
    if (!figures) continue;
    const ids = arrayLiteral(own.map(({ linkId }) => linkId));
    const starts = arrayLiteral(own.map(({ part }) => new Date(part.start).toISOString()));
    const rows = await sql<{ linkId: string; clicks: number }[]>`
      select asked.id as "linkId", sum(figures.clicks)::float8 as clicks
      from unnest(${ids}::text::uuid[], ${starts}::text::timestamptz[]) as asked (id, start) cross join lateral (
        select clicks from ${sql(figures)}
        where org_id = ${orgId} and link_id = asked.id and ${sql(level)} = asked.start and ${sql.unsafe(PEOPLE_BY_KEY)}
      ) as figures group by 1`;
    for (const { linkId, clicks } of rows) sums.set(linkId, (sums.get(linkId) ?? 0) + clicks);
  }
  return sums;
}
