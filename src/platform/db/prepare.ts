/** Checks, before anything else at start, that Postgres responds and that its schema is up to date. */
import type { Log } from "../telemetry/log";
import type { DatabaseUrls } from "./addresses";
import { answeringClient, waitForPostgres } from "./connection/until-answering";
import { isMigrated } from "./migrated";

/** Rejects with a `SettingError` if Postgres does not respond at an address, or refuses the connection. */
export async function prepareDatabase({ databaseUrl, directUrl }: DatabaseUrls, log: Log): Promise<void> {
  const isDirect = directUrl === databaseUrl;
  if (!isDirect) await waitForPostgres({ url: databaseUrl, setting: "DATABASE_URL", log });
  const setting = isDirect ? "DATABASE_URL" : "DATABASE_DIRECT_URL";
  const client = await answeringClient({ url: directUrl, setting, log });
  const isUpToDate = await isMigrated(client.sql).finally(() => client.discard());
  if (isUpToDate) return;
  const { migrate } = await import("./migrate");
  await migrate(directUrl, log);
}
