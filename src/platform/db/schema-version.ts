/**
 * Compares a database's schema with that of this version, which it has on every start but a version's first. Needs
 * no lock and no Drizzle; the code that migrates is loaded only if there is something to do.
 */
import type { Sql } from "postgres";
import { ownFile } from "../own-files";

export const MIGRATIONS_FOLDER = "drizzle/migrations";
export const SEARCH_INDEX = "links_searched";
/** Covers only texts with non-ASCII letters. */
export const LETTERS_INDEX = "links_searched_letters";

/**
 * Returns which version the schema is of, compared with this one; "unindexed" if it is this one without its search
 * indexes, which need extensions. A migration that is recorded has been committed and is never undone.
 */
export async function schemaVersion(sql: Sql): Promise<"older" | "unindexed" | "same" | "newer"> {
  const [made] = await sql<{ is_recorded: boolean; is_indexed: boolean }[]>`
    select to_regclass('drizzle.__drizzle_migrations') is not null as is_recorded,
      to_regclass(${SEARCH_INDEX}::text) is not null and to_regclass(${LETTERS_INDEX}::text) is not null as is_indexed`;
  if (!made?.is_recorded) return "older";
  const [last] = await sql<{ at: string | null }[]>`select max(created_at) as at from drizzle.__drizzle_migrations`;
  const beyond = Number(last?.at ?? 0) - (await newestMigration());
  if (beyond !== 0) return beyond > 0 ? "newer" : "older";
  return made.is_indexed ? "same" : "unindexed";
}

/** Returns when it was created, in Unix milliseconds, which is what Drizzle records. */
async function newestMigration(): Promise<number> {
  const journal: { entries: { when: number }[] } = await Bun.file(
    ownFile(`${MIGRATIONS_FOLDER}/meta/_journal.json`),
  ).json();
  return Math.max(...journal.entries.map(({ when }) => when));
}
