/**
 * The indexes that a search in links uses. Each combines the organization with trigrams, so that a search reads
 * nothing of other organizations, however often their links contain the same words. One covers all texts, the other
 * the letter codes of texts that contain non-ASCII letters. They need two extensions that come with Postgres and that
 * the owner of a database may create (both are trusted). If those are refused or not installed, a search reads all
 * texts of its organization instead, and each start logs a warning and tries again.
 */
import { type SQL, sql } from "drizzle-orm";
import postgres from "postgres";
import type { Log } from "../telemetry/log";
import { listedLinks } from "./schema";
import { LETTERS_INDEX, SEARCH_INDEX } from "./schema-version";
import type { Tx } from "./tx";

/**
 * Runs within the migrating transaction, whose lock keeps servers that start at the same time from creating the
 * indexes twice.
 */
export async function ensureSearchIndex(tx: Tx, log?: Pick<Log, "warn">): Promise<void> {
  const [found] = await tx.execute<{ is_there: boolean }>(
    sql`select to_regclass(${SEARCH_INDEX}::text) is not null and to_regclass(${LETTERS_INDEX}::text) is not null as is_there`,
  );
  if (found?.is_there) return;
  try {
    await tx.transaction(makeSearchIndexes);
  } catch (error) {
    const reason = refusalOf(error);
    if (reason === undefined) throw error;
    log?.warn("searching many links is slow: Postgres does not allow creating the search index", {
      reason,
      remedy: "run as a superuser: create extension pg_trgm; create extension btree_gin; then restart",
    });
  }
}

async function makeSearchIndexes(tx: Tx): Promise<void> {
  await tx.execute("create extension if not exists pg_trgm");
  await tx.execute("create extension if not exists btree_gin");
  // Some platforms put extensions into separate schemas, where operator classes are not found by name only.
  const [extension] = await tx.execute<{ schema: string }>(
    "select extnamespace::regnamespace::text as schema from pg_extension where extname = 'pg_trgm'",
  );
  const trigrams = sql.raw(`${extension?.schema}.gin_trgm_ops`);
  await makeIndex(tx, SEARCH_INDEX, sql`${sql.identifier(listedLinks.searched.name)} ${trigrams}`);
  const letters = sql.identifier(listedLinks.letters.name);
  await makeIndex(tx, LETTERS_INDEX, sql`${letters} ${trigrams}`, sql`where ${letters} is not null`);
}

/** Keeps the pending list short, because each search reads all of it. */
async function makeIndex(tx: Tx, name: string, indexed: SQL, where = sql``): Promise<void> {
  await tx.execute(sql`
    create index if not exists ${sql.identifier(name)} on ${listedLinks} using gin
      (${sql.identifier(listedLinks.orgId.name)}, ${indexed}) with (gin_pending_list_limit = 256) ${where}`);
}

/** Returns why Postgres refuses; undefined if it failed otherwise. Drizzle wraps the errors of postgres.js. */
function refusalOf(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    // A Postgres that is shutting down, out of space or cancelling, or a table in use, does not refuse.
    if (cause instanceof postgres.PostgresError)
      return /^(53|55P03|57|08|40)/.test(cause.code) ? undefined : cause.message;
  }
  return undefined;
}
