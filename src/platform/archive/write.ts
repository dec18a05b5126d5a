/**
 * Writes an archive of an organization in parts. Each part is a complete gzip member with whole tar entries in it, so
 * that all parts in their order are one `.tar.gz`, and a writer that was interrupted goes on with the next part. Rows
 * are read along the table's key, a chunk at a time, and pass through as Postgres wrote them: JavaScript's JSON would
 * round long numbers.
 *
 * Parts are read one after the other, not from one snapshot: what changes meanwhile may be in the archive in its old
 * or its new state. Domains and apps that are added meanwhile precede the links that name them. Rows whose parents came too
 * late for the archive are left out when it is restored.
 */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Sql } from "postgres";
import { TAR_END, tarEntry } from "@/core/archive/tar";
import { WHOLE_ORGANIZATION } from "../db/figure-constants";
import { readExpiredDays } from "./expired-days";
import {
  ARCHIVE_FORMAT,
  ARCHIVE_SHAPE,
  ARCHIVE_VERSION,
  type ArchivedTable,
  archivedTables,
  EXPIRED_DAYS,
} from "./tables";

const FIRST_ROWS = 100;
const ROWS_MAX = 20_000;
const PART_CHARACTERS = 4_000_000;
/** Rows that are fetched at a time: one may hold nearly a megabyte. */
const ROWS_AT_ONCE = 50;

/** Where the next part begins. */
export interface ArchivePlace {
  /** Index in the list of sources; -1 for the manifest. */
  source: number;
  /** What the writer of the first part knows of (`ARCHIVE_SHAPE`); absent in places of earlier releases. */
  shape?: string;
  /** The source's name. Another version may have other sources at the same places. */
  name?: string;
  /** Key of the last row, as text; null at the beginning of a source. */
  after: string[] | null;
  rows: number;
  /** Number of the next file of the source, from 1. */
  file: number;
  /** Where the rows of domains go on, once some have been read; absent in places of earlier releases. */
  domains?: Pick<ArchivePlace, "after" | "file">;
  /** The same for app profiles. */
  apps?: Pick<ArchivePlace, "after" | "file">;
}

export interface ArchivePart {
  bytes: Uint8Array;
  /** The name under which the part's rows are counted. */
  name: string;
  rows: number;
  /** Only in the first part, and only if there are any. */
  expiredClicks?: ExpiredClicks;
  /** Undefined at the end. */
  next: ArchivePlace | undefined;
}

/** Clicks of people that are counted in figures, but no longer kept one by one: see `expired-days`. */
export interface ExpiredClicks {
  count: number;
  /** A midnight in UTC. */
  before: string;
}

/** A source of the archive's files; callers may add some besides the tables. */
export interface ArchiveLines {
  name: string;
  /** Returns up to `rows` lines of JSON after this place. */
  read(after: string[] | null, rows: number): Promise<ReadLines>;
}

interface ReadLines {
  lines: string[];
  /** Undefined at the end. */
  next: string[] | undefined;
  /** The place of the last line, also at the end. */
  last?: string[];
}

export interface ArchiveOptions {
  sql: Sql;
  orgId: string;
  /** Unix milliseconds. */
  startedAt: number;
  also?: readonly ArchiveLines[];
}

export const ARCHIVE_START: ArchivePlace = { source: -1, shape: ARCHIVE_SHAPE, after: null, rows: FIRST_ROWS, file: 1 };

/** The sources whose rows links name, by the field that has their place. */
const NAMED_BY_LINKS = { domains: "tables/domains", apps: "tables/app_profiles" } as const;
const FIELDS = ["domains", "apps"] as const;
const LINKS = "tables/links";

/** Throws if another version, with other sources, has written the parts before. */
export async function writeArchivePart(options: ArchiveOptions, place: ArchivePlace): Promise<ArchivePart> {
  const tables = archivedTables.map((table) => tableLines(options, table));
  const sources = [...tables, expiredDays(options), ...(options.also ?? [])];
  const startOf = (index: number) => ({ ...ARCHIVE_START, source: index, name: sources[index]?.name });
  if (place.source < 0) return { ...(await manifestPart(options)), next: startOf(0) };
  const source = sources[place.source];
  if (source?.name !== place.name) throw new Error("The archive was begun by another version");
  if (!source) return { bytes: await zipped(TAR_END), name: "", rows: 0, next: undefined };
  const { lines, next, last = place.after } = await source.read(place.after, place.rows);
  const added = source.name === LINKS ? await addedMeanwhile(options, place) : undefined;
  if (added) return added;
  const { part, characters } = await partOf(options, { name: source.name, file: place.file, lines });
  const file = place.file + Math.sign(lines.length);
  const field = FIELDS.find((each) => NAMED_BY_LINKS[each] === source.name);
  const named = { domains: place.domains, apps: place.apps, ...(field && { [field]: { after: last, file } }) };
  return {
    ...part,
    next: next
      ? { ...place, ...named, after: next, rows: fitting(lines.length, characters), file }
      : { ...startOf(place.source + 1), ...named },
  };
}

/**
 * Returns a part with the domains or the apps that were added since the last of them was read; undefined if there are
 * none. It comes before the links that have just been read, which are then read again.
 */
async function addedMeanwhile(options: ArchiveOptions, place: ArchivePlace): Promise<ArchivePart | undefined> {
  for (const field of FIELDS) {
    const name = NAMED_BY_LINKS[field];
    const table = archivedTables.find((each) => `tables/${each.name}` === name);
    const known = place[field];
    if (!table || !known) continue;
    const { lines, last = known.after } = await tableLines(options, table).read(known.after, ROWS_MAX);
    if (lines.length === 0) continue;
    const { part } = await partOf(options, { name, file: known.file, lines });
    return { ...part, next: { ...place, [field]: { after: last, file: known.file + 1 } } };
  }
  return undefined;
}

async function partOf(options: ArchiveOptions, { name, file, lines }: { name: string; file: number; lines: string[] }) {
  const text = lines.map((line) => `${line}\n`).join("");
  const fileName = `${name}/${String(file).padStart(6, "0")}.jsonl`;
  const bytes = lines.length > 0 ? await zippedFile(options, fileName, text) : new Uint8Array();
  return { part: { bytes, name, rows: lines.length }, characters: text.length };
}

/** Yields all parts, one after the other. */
export async function* writeArchive(options: ArchiveOptions): AsyncGenerator<ArchivePart> {
  for (let place: ArchivePlace | undefined = ARCHIVE_START; place; ) {
    const part: ArchivePart = await writeArchivePart(options, place);
    yield part;
    place = part.next;
  }
}

const fitting = (rows: number, characters: number): number =>
  Math.max(1, Math.min(ROWS_MAX, Math.floor((PART_CHARACTERS * rows) / Math.max(1, characters))));

async function manifestPart(options: ArchiveOptions): Promise<Omit<ArchivePart, "next">> {
  const { sql, orgId, startedAt } = options;
  const expiredClicks = await expiredClicksOf(options);
  const shared = await sql<{ id: string }[]>`select id from domains where org_id is null`;
  const manifest = {
    ...{ format: ARCHIVE_FORMAT, version: ARCHIVE_VERSION, organizationId: orgId },
    ...{ startedAt: new Date(startedAt).toISOString(), sharedDomainId: shared[0]?.id ?? null },
    expiredClicks,
  };
  const bytes = await zippedFile(options, "manifest.json", JSON.stringify(manifest));
  return { bytes, name: "", rows: 0, expiredClicks };
}

async function expiredClicksOf({ sql, orgId }: ArchiveOptions): Promise<ExpiredClicks | undefined> {
  const [found] = await sql<{ count: number; before: number }[]>`
    select sum(clicks)::float8 as count, extract(epoch from kept_from)::float8 * 1000 as before
    from raw_retention kept join figures_daily figures on figures.org_id = kept.org_id
    where kept.org_id = ${orgId} and link_id = ${WHOLE_ORGANIZATION} and not is_bot and day < kept_from
    group by kept_from having sum(clicks) > 0`;
  return found && { count: found.count, before: new Date(found.before).toISOString() };
}

const zip = promisify(gzip);
const zipped = (bytes: Uint8Array): Promise<Uint8Array> => zip(bytes);
const zippedFile = ({ startedAt }: ArchiveOptions, name: string, text: string) =>
  zipped(tarEntry({ name, content: new TextEncoder().encode(text) }, startedAt));

/** Tables whose rows retention deletes, some time after it has moved its cutoff. */
const EXPIRING = ["clicks", "opens", "events"];

/**
 * Returns when the rows of a table begin that are still kept, or undefined if all are. `expiredClicks` counts the others,
 * whether they have been deleted yet or not.
 */
async function keptFrom({ sql, orgId }: ArchiveOptions, { name }: ArchivedTable): Promise<string | undefined> {
  if (!EXPIRING.includes(name)) return undefined;
  const [kept] = await sql<{ instant: string }[]>`
    select kept_from::text as instant from raw_retention where org_id = ${orgId}`;
  return kept?.instant;
}

const expiredDays = ({ sql, orgId }: ArchiveOptions): ArchiveLines => ({
  name: EXPIRED_DAYS,
  read: (after, rows) => readExpiredDays(sql, orgId, after, rows),
});

interface LineRow {
  key: string[];
  line: string;
}

function tableLines(options: ArchiveOptions, table: ArchivedTable): ArchiveLines {
  const { sql, orgId } = options;
  const { name, columns, key } = table;
  const keys = key.map((column) => column.name);
  const source = {
    itself: sql`${sql(name)} where id = ${orgId}`,
    members: sql`(${accountsOf(sql, orgId)}) as account where true`,
    identities: sql`${sql(name)} where org_id = ${orgId} and user_id in (
      select user_id from memberships where org_id = ${orgId})`,
    organization: sql`${sql(name)} where org_id = ${orgId}`,
  }[table.rowsOf];
  return {
    name: `tables/${name}`,
    async read(after, limit) {
      const from = await keptFrom(options, table);
      const read = sql<LineRow[]>`
        select array[${sql.unsafe(keys.map((column) => `"${column}"::text`).join(", "))}] as key,
          (to_jsonb(part) - ${keys.filter((column) => !columns.includes(column))}::text[])::text as line
        from (
          select ${sql([...new Set([...columns, ...keys])])} from ${source}
          ${from === undefined ? sql`` : sql`and occurred_at >= ${from}::text::timestamptz`}
          ${after ? sql`and (${sql(keys)}) > (${valuesOf(sql, table, after)})` : sql``}
          order by ${sql(keys)} limit ${limit}
        ) as part`.cursor(ROWS_AT_ONCE);
      const lines: string[] = [];
      let characters = 0;
      let last: LineRow | undefined;
      for await (const rows of read) {
        for (const row of rows) {
          lines.push(row.line);
          characters += row.line.length;
          last = row;
        }
        // The largest rows may follow the smallest: a part that was meant for many may be full with few.
        if (characters > PART_CHARACTERS) return { lines, next: last?.key, last: last?.key };
      }
      return { lines, next: lines.length < limit ? undefined : last?.key, last: last?.key };
    },
  };
}

/**
 * Selects the members' accounts. Of those that single sign-on made members, the organization knows only the email, by
 * which the account was found, and what its provider stated: the account may be a stranger's.
 */
const accountsOf = (sql: Sql, orgId: string) => sql`
  select users.id, users.email,
    case when stated.id is null then users.name else coalesce(stated.name, split_part(users.email, '@', 1)) end as name,
    coalesce(stated.created_at, users.created_at) as created_at
  from users join memberships on memberships.user_id = users.id
  left join sso_identities as stated on stated.id = memberships.id
  where memberships.org_id = ${orgId}`;

const valuesOf = (sql: Sql, { key }: ArchivedTable, after: readonly string[]) =>
  key.map(({ type }, index) => sql`${index > 0 ? sql`,` : sql``} ${after[index] ?? ""}::text::${sql.unsafe(type)}`);
