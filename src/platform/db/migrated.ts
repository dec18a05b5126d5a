/**
 * Whether a database has the schema of this version, as every start but the first of a version finds it. Asked without a
 * lock, and without Drizzle: what migrates is loaded where something is to be done.
 */
import type { Sql } from "postgres";
import { ownFile } from "../own-files";

export const MIGRATIONS_FOLDER = "drizzle/migrations";
export const SEARCH_INDEX = "links_searched";
/** Of texts with letters beyond ASCII alone. */
export const LETTERS_INDEX = "links_searched_letters";

/** What is recorded has been committed, and nobody takes it back. */
export async function isMigrated(sql: Sql): Promise<boolean> {
  const [made] = await sql<{ is_made: boolean }[]>`
    select to_regclass('drizzle.__drizzle_migrations') is not null
      and to_regclass(${SEARCH_INDEX}::text) is not null and to_regclass(${LETTERS_INDEX}::text) is not null as is_made`;
  if (!made?.is_made) return false;
  const [last] = await sql<{ at: string | null }[]>`select max(created_at) as at from drizzle.__drizzle_migrations`;
  return Number(last?.at ?? 0) >= (await newestMigration());
}

/** When it was made, in Unix milliseconds, which is what Drizzle records. */
async function newestMigration(): Promise<number> {
  const journal: { entries: { when: number }[] } = await Bun.file(
    ownFile(`${MIGRATIONS_FOLDER}/meta/_journal.json`),
  ).json();
  return Math.max(...journal.entries.map(({ when }) => when));
}
