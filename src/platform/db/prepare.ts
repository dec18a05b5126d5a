/** Checks, before anything else at start, that Postgres responds and that its schema is up to date. */
import { SettingError } from "../setting-error";
import type { Log } from "../telemetry/log";
import type { DatabaseUrls } from "./addresses";
import { answeringClient, waitForPostgres } from "./connection/until-answering";
import { schemaVersion } from "./migrated";

/** Not a refusal: while servers are upgraded one after another, an old one may have to start again. */
const NEWER_SCHEMA =
  "a newer version of Waymark has changed the database's schema, with which this one was not tested: upgrade it, or " +
  "restore a backup from before";

/**
 * `setting` is the one that the direct address comes from. Rejects with a `SettingError` if Postgres does not respond
 * at an address or refuses the connection, or if the two addresses lead to different databases, of which one is empty.
 * (Others are told apart once notifications are heard.)
 */
export async function prepareDatabase(
  { databaseUrl, directUrl }: DatabaseUrls,
  log: Log,
  setting = directUrl === databaseUrl ? "DATABASE_URL" : "DATABASE_DIRECT_URL",
): Promise<void> {
  const isDirect = directUrl === databaseUrl;
  if (!isDirect) await waitForPostgres({ url: databaseUrl, setting: "DATABASE_URL", log });
  const client = await answeringClient({ url: directUrl, setting, log });
  const version = await schemaVersion(client.sql).finally(() => client.discard());
  if (version === "older") {
    const { migrate } = await import("./migrate");
    await migrate(directUrl, log);
  }
  if (version === "newer") log.warn(NEWER_SCHEMA);
  if (!isDirect) await requireTables(databaseUrl, log);
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
