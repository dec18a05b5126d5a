/**
 * Which of an organization's links a list shows, newest first. Everything is found in `listed_links` and `link_tags`, ids
 * first, and only the links of one page are read whole.
 *
 * A search for a text that is common among the newest links goes through them from the newest on, which soon fills a page.
 * Any other takes what the trigram index finds, in no order, up to the bound of what is counted: that is all of it, or the
 * text is not so rare after all. Postgres alone would choose by what texts of all organizations together are like.
 *
 * Trigrams know nothing shorter than three letters but the beginnings of words, so a search of one or two letters asks for
 * those.
 */
import { and, desc, eq, exists, type SQL, sql } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import type { Drizzle } from "@/platform/db/client";
import { COUNTED_MAX, type PageOf, type Paging, readPage } from "@/platform/db/read-page";
import { linkTags, listedLinks } from "@/platform/db/schema";
import { findLinks, type LinkRecord } from "./store";

export interface LinkFilter {
  /** Matches the tag exactly. */
  tag?: string;
  /** Searches title, slug and destination, ignoring case. One or two letters or digits match only the start of a word. */
  search?: string;
}

export async function listLinks(
  db: Drizzle,
  orgId: OrgId,
  filter: LinkFilter,
  paging: Paging,
): Promise<PageOf<LinkRecord>> {
  const { rows, ...total } = await findIds(db, orgId, filter, paging);
  return { rows: await findLinks(db, orgId, rows), ...total };
}

function findIds(db: Drizzle, orgId: OrgId, { tag, search }: LinkFilter, paging: Paging): Promise<PageOf<string>> {
  const hasTag = tag === undefined ? undefined : tagged(orgId, tag.trim().normalize("NFC"));
  if (search) return findBySearch(db, orgId, { hasText: matching(search), hasTag: within(db, hasTag) }, paging);
  return hasTag
    ? readIds(db, linkTags, hasTag, paging)
    : readIds(db, listedLinks, eq(listedLinks.orgId, orgId), paging);
}

/** Newest links that are looked at for how common a text is, and the share of them that makes it so. */
const SAMPLE_ROWS = 1_000;
const COMMON_SHARE = 0.3;

const tagged = (orgId: OrgId, tag: string) => and(eq(linkTags.orgId, orgId), eq(linkTags.tag, tag));

const within = (db: Drizzle, hasTag: SQL | undefined) =>
  hasTag &&
  exists(
    db
      .select({ one: sql`1` })
      .from(linkTags)
      .where(and(hasTag, eq(linkTags.linkId, listedLinks.linkId))),
  );

const FEW_LETTERS = /^[a-z0-9]{1,2}$/i;

const matching = (text: string) => (FEW_LETTERS.test(text) ? beginningAWord(text) : containing(text));

const containing = (text: string) =>
  sql`${listedLinks.searched} like lower(${`%${text.replace(/[\\%_]/g, "\\$&")}%`}::text)`;

/** From a class of few characters, unlike from that of all but letters, Postgres tells the trigrams to look for. */
const beginningAWord = (letters: string) =>
  sql`${listedLinks.searched} ~ ${`(^|[ \n!-/:-@[-\`{-~])${letters.toLowerCase()}`}::text`;

/** The ids are in the order of the table's key. */
const readIds = (
  db: Drizzle,
  table: typeof listedLinks | typeof linkTags,
  where: SQL | undefined,
  paging: Paging,
  least?: number,
): Promise<PageOf<string>> =>
  readPage(db, paging, {
    rows: async (limit, offset) => {
      const { linkId } = table;
      const ids = db.select({ linkId }).from(table).where(where).orderBy(desc(linkId));
      return (await ids.limit(limit).offset(offset)).map((row) => row.linkId);
    },
    among: sql`from ${table} where ${where}`,
    least,
  });

interface SearchConditions {
  hasText: SQL;
  hasTag: SQL | undefined;
}

async function findBySearch(db: Drizzle, orgId: OrgId, { hasText, hasTag }: SearchConditions, paging: Paging) {
  const where = and(eq(listedLinks.orgId, orgId), hasText, hasTag);
  if (await isCommon(db, orgId, hasText)) return readIds(db, listedLinks, where, paging);
  const { ids, total } = await findByIndex(db, where, paging);
  if (total <= COUNTED_MAX) return { rows: ids, total, isEstimate: false };
  return readIds(db, listedLinks, where, paging, total);
}

async function isCommon(db: Drizzle, orgId: OrgId, hasText: SQL): Promise<boolean> {
  const [sample] = await db.execute<{ rows: number; found: number }>(sql`
    select count(*)::int as rows, (count(*) filter (where ${hasText}))::int as found from (
      select searched from ${listedLinks} where ${eq(listedLinks.orgId, orgId)}
      order by ${listedLinks.linkId} desc limit ${SAMPLE_ROWS}::int) as ${listedLinks}`);
  return sample !== undefined && sample.found > COMMON_SHARE * sample.rows;
}

interface Found extends Record<string, unknown> {
  ids: string[];
  total: number;
}

/** The ids are of the page if all were found, which is unless there are more than the bound. */
async function findByIndex(db: Drizzle, where: SQL | undefined, { page, limit }: Paging): Promise<Found> {
  const found = await db.transaction(async (tx) => {
    // Nothing but indexes that give their rows in no order, and no more than one core.
    await tx.execute(sql`
      select set_config(name, setting, true)
      from (values ('enable_seqscan', 'off'), ('enable_indexscan', 'off'), ('jit', 'off'),
        ('max_parallel_workers_per_gather', '0')) as settings (name, setting)`);
    return tx.execute<Found>(sql`
      with found as materialized (
        select link_id from ${listedLinks} where ${where} limit ${COUNTED_MAX + 1}::int
      ), page as (
        select link_id from found order by link_id desc limit ${limit}::int offset ${(page - 1) * limit}::int
      )
      select (select count(*)::int from found) as total,
        array(select link_id::text from page order by link_id desc) as ids`);
  });
  return found[0] ?? { ids: [], total: 0 };
}
