/** Checks, before anything else at start, that Postgres responds and that its schema is up to date. */
import type { Sql } from "postgres";
import { SettingError } from "../setting-error";
import type { Log } from "../telemetry/log";
import type { DatabaseUrls } from "./addresses";
import { answeringClient, waitForPostgres } from "./connection/until-answering";
import { missingPermission } from "./faults";
import { schemaVersion } from "./schema-version";

/** Not a refusal: while servers are upgraded one after another, an old one may have to start again. */
const NEWER_SCHEMA =
  "a newer version of Waymark has changed the database's schema, with which this one was not tested: upgrade it, or " +
  "restore a backup from before";

/** Migrations create tables where sessions do by default, and refer to those in this schema. */
const SCHEMA = "public";
const ENCODING = "UTF8";

interface PrepareOptions {
  /** The setting that the direct address comes from. */
  setting?: string;
  /** Waits until Postgres accepts writes. Commands may only read. */
  isToWrite?: boolean;
  /** Called every few seconds while an update of the schema makes progress. */
  onProgress?(): void;
}

/**
 * Rejects with a `SettingError` if Postgres does not respond at an address or refuses the connection, if this user may
 * not update the schema, or if the two addresses lead to different databases, of which one is empty. (Others are told
 * apart once notifications are heard.)
 */
export async function prepareDatabase(
  { databaseUrl, directUrl }: DatabaseUrls,
  log: Log,
  { setting = directUrl === databaseUrl ? "DATABASE_URL" : "DATABASE_DIRECT_URL", ...options }: PrepareOptions = {},
): Promise<void> {
  const { isToWrite, onProgress } = options;
  const isDirect = directUrl === databaseUrl;
  if (!isDirect) await waitForPostgres({ url: databaseUrl, setting: "DATABASE_URL", log, isToWrite });
  const client = await answeringClient({ url: directUrl, setting, log, isToWrite });
  const { version, unfit } = await stateOf(client.sql)
    .catch((cause: unknown) => Promise.reject(unusable(setting, cause)))
    .finally(() => client.discard());
  if (version === "older" && unfit) throw new SettingError(setting, unfit);
  if (version === "older" || version === "unindexed") await update(directUrl, { log, setting, onProgress });
  if (version === "newer") log.warn(NEWER_SCHEMA);
  if (!isDirect) await requireTables(databaseUrl, log);
}

async function stateOf(sql: Sql) {
  const [row] = await sql<{ encoding: string; schema: string | null }[]>`
    select current_setting('server_encoding') as encoding, current_schema() as schema`;
  return { version: await schemaVersion(sql), unfit: row && unfitness(row.encoding, row.schema) };
}

function unusable(setting: string, cause: unknown): unknown {
  const why = missingPermission(cause);
  return why === undefined ? cause : new SettingError(setting, `this user may not use the tables: ${why}`, { cause });
}

/** Returns why migrations would fail, and what to run; undefined if they would not. */
function unfitness(encoding: string, schema: string | null): string | undefined {
  if (encoding !== ENCODING) {
    return (
      `Waymark needs a database with the encoding ${ENCODING}, but that of this one is ${encoding}; ` +
      `make another with: create database … encoding '${ENCODING}' template template0`
    );
  }
  if (schema === SCHEMA) return undefined;
  return (
    `Waymark needs the schema ${SCHEMA}, but sessions of this user ${schema ? `create tables in ${schema}` : "reach none"}; ` +
    `run: alter role current_user set search_path = ${SCHEMA}`
  );
}

interface UpdateOptions extends Pick<PrepareOptions, "onProgress"> {
  log: Log;
  setting: string;
}

async function update(url: string, { log, setting, onProgress }: UpdateOptions): Promise<void> {
  const { LockedTooLongError, migrate } = await import("./migrate");
  try {
    await migrate(url, log, { onProgress });
  } catch (cause) {
    if (cause instanceof LockedTooLongError) throw new SettingError(setting, cause.message, { cause });
    const why = missingPermission(cause);
    if (why === undefined) throw cause;
    const sentence = `this user cannot update the schema, because it does not own the database and its tables: ${why}`;
    throw new SettingError(setting, sentence, { cause });
  }
}

async function requireTables(url: string, log: Log): Promise<void> {
  const client = await answeringClient({ url, setting: "DATABASE_URL", log });
  const question = client.sql<{ is_there: boolean }[]>`select to_regclass('domains') is not null as is_there`;
  const [tables] = await question.finally(() => client.discard());
  if (tables?.is_there) return;
  throw new SettingError(
    "DATABASE_DIRECT_URL",
    "must point to the same database as DATABASE_URL, bypassing any transaction pooler: tables made here are missing there",
  );
}
