/**
 * Links that have a text in them.
 *
 * A search for a text that is common among the newest links goes through them in the order of the list, which soon fills a
 * page. Any other takes what the trigram index finds, in no order, up to the bound of what is counted: that is all of it, or
 * the text is not so rare after all. Postgres alone would choose by what texts of all organizations together are like.
 *
 * Trigrams know nothing shorter than three letters but the beginnings of words, so a search of one or two letters asks for
 * those. They may know no letters beyond ASCII either, so a text with such letters is looked for by their codes.
 */
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import type { Drizzle } from "@/platform/db/client";
import { COUNTED_MAX, type PageOf } from "@/platform/db/read-page";
import { listedLinks } from "@/platform/db/schema";
import { isAfter, keyOf, type ListPlace, orderInSql, withCounts } from "./list-order";
import { type Among, type Listing, readPlaces } from "./list-places";

/** So many of the newest links, and of the oldest, are looked at for how common a text is; the share of them that makes it so. */
const SAMPLE_ROWS = 500;
const COMMON_SHARE = 0.3;

export interface Search extends Listing {
  search: string;
  /** What the other filters let through. */
  among: Among;
}

export async function findBySearch(db: Drizzle, orgId: OrgId, search: Search): Promise<PageOf<ListPlace>> {
  const hasText = matching(search.search);
  const among = { ...search.among, where: and(search.among.where, hasText) };
  if (await isCommon(db, orgId, hasText)) return readPlaces(db, among, search);
  const { places, total } = await findByIndex(db, orgId, and(among.where, byLetters(search.search)), search);
  if (total > COUNTED_MAX) return readPlaces(db, among, search, total);
  const rows = places.slice(0, search.limit);
  return { rows, hasMore: places.length > rows.length, total, isEstimate: false };
}

const BEYOND_ASCII = /[^\0-\x7f]/;
const FEW_LETTERS = /^[a-z0-9]{1,2}$/i;

export const matching = (text: string): SQL => (FEW_LETTERS.test(text) ? beginningAWord(text) : containing(text));

const containing = (text: string) => sql`${listedLinks.searched} like ${patternOf(text)}`;

const patternOf = (text: string) => sql`lower(${`%${text.replace(/[\\%_]/g, "\\$&")}%`}::text)`;

/** What lets through all texts that `containing` does, and a few more, by an index that knows every letter. */
const byLetters = (text: string): SQL | undefined =>
  BEYOND_ASCII.test(text) ? sql`${listedLinks.letters} like waymark_letters(${patternOf(text)})` : undefined;

/** From a class of few characters, unlike from that of all but letters, Postgres tells the trigrams to look for. */
const beginningAWord = (letters: string) =>
  sql`${listedLinks.searched} ~ ${`(^|[ \n!-/:-@[-\`{-~])${letters.toLowerCase()}`}::text`;

/** Among the newest and the oldest: a year's campaign is common among the first alone, and to count it would take all links. */
async function isCommon(db: Drizzle, orgId: OrgId, hasText: SQL): Promise<boolean> {
  const sample = (order: SQL) => sql`
    select count(*)::int as rows, (count(*) filter (where ${hasText}))::int as found from (
      select searched from ${listedLinks} where ${eq(listedLinks.orgId, orgId)}
      order by ${listedLinks.linkId} ${order} limit ${SAMPLE_ROWS}::int) as ${listedLinks}`;
  const samples = await db.execute<{ rows: number; found: number }>(
    sql`${sample(sql`desc`)} union all ${sample(sql`asc`)}`,
  );
  return samples.every(({ rows, found }) => found > COMMON_SHARE * rows);
}

interface Found extends Record<string, unknown> {
  places: ListPlace[];
  total: number;
}

/** The places are of the page, and of one link more; none where there are more than the bound, since not all were found then. */
async function findByIndex(db: Drizzle, orgId: OrgId, where: SQL | undefined, search: Search): Promise<Found> {
  const { order, after, page, limit } = search;
  const linkId = sql`${listedLinks.linkId}`;
  const found = await db.transaction(async (tx) => {
    // Nothing but indexes that give their rows in no order, and no more than one core.
    await tx.execute(sql`
      select set_config(name, setting, true)
      from (values ('enable_seqscan', 'off'), ('enable_indexscan', 'off'), ('jit', 'off'),
        ('max_parallel_workers_per_gather', '0')) as settings (name, setting)`);
    return tx.execute<Found>(sql`
      with found as materialized (
        select link_id, title_key from ${listedLinks} where ${where} limit ${COUNTED_MAX + 1}::int
      ), page as (
        select *, row_number() over () as place from (
          select ${keyOf(order)}::text as key, ${linkId} as link_id
          from found as ${listedLinks} ${withCounts(order, orgId)}
          where (select count(*) from found) <= ${COUNTED_MAX}::int ${after ? sql`and ${isAfter(order, linkId, after)}` : sql``}
          order by ${orderInSql(order, linkId)} limit ${limit + 1}::int offset ${after ? 0 : (page - 1) * limit}::int
        ) as first
      )
      select (select count(*)::int from found) as total,
        (select coalesce(json_agg(json_build_object('key', key, 'linkId', link_id) order by place), '[]') from page) as places`);
  });
  return found[0] ?? { places: [], total: 0 };
}
