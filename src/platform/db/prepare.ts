/** Checks, before anything else at start, that Postgres responds and that its schema is up to date. */
import { SettingError } from "../setting-error";
import type { Log } from "../telemetry/log";
import type { DatabaseUrls } from "./addresses";
import { answeringClient, waitForPostgres } from "./connection/until-answering";
import { isMigrated } from "./migrated";

/**
 * Rejects with a `SettingError` if Postgres does not respond at an address or refuses the connection, or if the two
 * addresses lead to different databases, of which one is empty. (Others are told apart once notifications are heard.)
 */
export async function prepareDatabase({ databaseUrl, directUrl }: DatabaseUrls, log: Log): Promise<void> {
  const isDirect = directUrl === databaseUrl;
  if (!isDirect) await waitForPostgres({ url: databaseUrl, setting: "DATABASE_URL", log });
  const setting = isDirect ? "DATABASE_URL" : "DATABASE_DIRECT_URL";
  const client = await answeringClient({ url: directUrl, setting, log });
  const isUpToDate = await isMigrated(client.sql).finally(() => client.discard());
  if (!isUpToDate) {
    const { migrate } = await import("./migrate");
    await migrate(directUrl, log);
  }
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
