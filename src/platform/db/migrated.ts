/**
 * Reports whether a database has the schema of this version, as it does on every start but a version's first. Needs
 * no lock and no Drizzle; the code that migrates is loaded only if there is something to do.
 */
import type { Sql } from "postgres";
import { ownFile } from "../own-files";

export const MIGRATIONS_FOLDER = "drizzle/migrations";
export const SEARCH_INDEX = "links_searched";
/** Covers only texts with non-ASCII letters. */
export const LETTERS_INDEX = "links_searched_letters";

/** A migration that is recorded has been committed and is never undone. */
export async function isMigrated(sql: Sql): Promise<boolean> {
  const [made] = await sql<{ is_made: boolean }[]>`
    select to_regclass('drizzle.__drizzle_migrations') is not null
      and to_regclass(${SEARCH_INDEX}::text) is not null and to_regclass(${LETTERS_INDEX}::text) is not null as is_made`;
  if (!made?.is_made) return false;
  const [last] = await sql<{ at: string | null }[]>`select max(created_at) as at from drizzle.__drizzle_migrations`;
  return Number(last?.at ?? 0) >= (await newestMigration());
}

/** Returns when it was created, in Unix milliseconds, which is what Drizzle records. */
async function newestMigration(): Promise<number> {
  const journal: { entries: { when: number }[] } = await Bun.file(
    ownFile(`${MIGRATIONS_FOLDER}/meta/_journal.json`),
  ).json();
  return Math.max(...journal.entries.map(({ when }) => when));
}
