/**
 * Finds the links that contain a text.
 *
 * If the text is common both among the organization's newest links and among its oldest, the list is read in its own
 * order, which soon fills a page. Otherwise, the trigram index finds the matching links in no particular order, up to
 * `COUNTED_MAX`: either these are all of them, or the text is not so rare after all and the list is read in its own
 * order. Left to itself, Postgres would choose between the two by statistics about the texts of all organizations
 * together.
 *
 * Trigrams find nothing shorter than three letters except at the beginnings of words, so a search for one or two
 * letters matches only there. Depending on the database's locale, they may ignore letters beyond ASCII, so a text
 * with such letters is also searched for by their code points. Destinations are stored escaped, so such a text is
 * searched for in that form, too.
 */
import { and, eq, or, type SQL, sql } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import { sentHostname } from "@/core/names/hostname";
import type { Drizzle } from "@/platform/db/client";
import { COUNTED_MAX, type PageOf } from "@/platform/db/read-page";
import { listedLinks } from "@/platform/db/schema";
import { afterPlace, keyOf, orderInSql, type SortPosition, withCounts } from "./list-order";
import { type FilteredSource, type Listing, readPlaces } from "./list-sources";

/**
 * Number of newest links, and of oldest links, that are sampled to see how common a text is. It is common if it
 * occurs in more than `COMMON_SHARE` of each sample.
 */
const SAMPLE_ROWS = 500;
const COMMON_SHARE = 0.3;

export interface Search extends Listing {
  search: string;
  /** The rows that pass the other filters. */
  among: FilteredSource;
}

export async function findBySearch(db: Drizzle, orgId: OrgId, search: Search): Promise<PageOf<SortPosition>> {
  const hasText = matching(search.search);
  const among = { ...search.among, where: and(search.among.where, hasText) };
  if (await isCommon(db, orgId, hasText)) return readPlaces(db, among, search);
  const { places, total } = await findByIndex(db, orgId, and(search.among.where, byIndex(search.search)), search);
  if (total > COUNTED_MAX) return readPlaces(db, among, search, total);
  const rows = places.slice(0, search.limit);
  return { rows, hasMore: places.length > rows.length, total, isEstimate: false };
}

const BEYOND_ASCII = /[^\0-\x7f]/;
const LETTERS_BEYOND_ASCII = /[^\0-\x7f]+/g;
const HOST_IN_FRONT = /^(https?:\/\/)?([^/?#:@\s]+\.[^/?#:@\s]+)/i;

/**
 * Returns how a destination that was written with this text is stored: escaped, and with its host in punycode. Returns
 * nothing for ASCII text, which is stored as it is.
 */
function storedForms(text: string): string[] {
  if (!BEYOND_ASCII.test(text)) return [];
  const composed = text.normalize("NFC");
  const inPunycode = composed.replace(HOST_IN_FRONT, (_, scheme = "", host = "") => scheme + sentHostname(host));
  const forms = new Set([composed, inPunycode].map((form) => form.replace(LETTERS_BEYOND_ASCII, encodeURIComponent)));
  return [...forms];
}

const FEW_LETTERS = /^[a-z0-9]{1,2}$/i;

export const matching = (text: string): SQL | undefined => or(literally(text), ...storedForms(text).map(containing));

/**
 * The same condition, in a form that the indexes answer: beyond ASCII, first one that is true for a few more texts.
 * `is true` keeps Postgres from reading the other index for the second one.
 */
function byIndex(text: string): SQL | undefined {
  if (!BEYOND_ASCII.test(text)) return matching(text);
  const inAscii = hasAsciiForm(text) ? [containing(text)] : [];
  const found = or(byLetters(text), ...inAscii, ...storedForms(text).map(containing));
  return and(found, sql`(${matching(text)}) is true`);
}

/** The Turkish İ and the Kelvin sign: in most locales of a database, `i` and `k` are their lower case. */
const LOWER_IN_ASCII = /[\u0130\u212a]/g;
const TRIGRAM_LENGTH = 3;

/** True for text that may be stored in ASCII alone, which `byLetters` does not cover: `İstanbul` as `istanbul`. */
const hasAsciiForm = (text: string): boolean =>
  text.length >= TRIGRAM_LENGTH && !BEYOND_ASCII.test(text.normalize("NFC").replace(LOWER_IN_ASCII, ""));

const literally = (text: string): SQL => (FEW_LETTERS.test(text) ? beginningAWord(text) : containing(text));

const containing = (text: string) => sql`${listedLinks.searched} like ${patternOf(text)}`;

/** In composed letters, as the texts are stored. */
const patternOf = (text: string) => sql`lower(${`%${text.normalize("NFC").replace(/[\\%_]/g, "\\$&")}%`}::text)`;

/**
 * A condition that is true for every text that `containing` matches, and for a few more. Its index covers letters
 * beyond ASCII.
 */
const byLetters = (text: string): SQL => sql`${listedLinks.letters} like waymark_letters(${patternOf(text)})`;

/**
 * Lists the separators explicitly: Postgres can extract trigrams from a class of few characters, but not from the
 * class of everything that is not a letter.
 */
const beginningAWord = (letters: string) =>
  sql`${listedLinks.searched} ~ ${`(^|[ \n!-/:-@[-\`{-~])${letters.toLowerCase()}`}::text`;

/**
 * Samples the newest and the oldest links. The text of a campaign that ran this year may be common among the newest
 * only, and counting its matches in list order would read all links.
 */
async function isCommon(db: Drizzle, orgId: OrgId, hasText: SQL | undefined): Promise<boolean> {
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
  places: SortPosition[];
  total: number;
}

/**
 * Returns the places of the requested page and of one more link. If more links match than `COUNTED_MAX`, not all of
 * them were found, so it returns no places.
 */
async function findByIndex(db: Drizzle, orgId: OrgId, where: SQL | undefined, search: Search): Promise<Found> {
  const { order, after, page, limit } = search;
  const linkId = sql`${listedLinks.linkId}`;
  const found = await db.transaction(async (tx) => {
    // Allows only bitmap index scans, which return rows in no order, and only one core.
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
          where (select count(*) from found) <= ${COUNTED_MAX}::int ${after ? sql`and ${afterPlace(order, linkId, after)}` : sql``}
          order by ${orderInSql(order, linkId)} limit ${limit + 1}::int offset ${after ? 0 : (page - 1) * limit}::int
        ) as first
      )
      select (select count(*)::int from found) as total,
        (select coalesce(json_agg(json_build_object('key', key, 'linkId', link_id) order by place), '[]') from page) as places`);
  });
  return found[0] ?? { places: [], total: 0 };
}
