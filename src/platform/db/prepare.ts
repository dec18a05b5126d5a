/** What a start needs of Postgres before anything else: that it answers, and that its schema is up to date. */
import type { Log } from "../telemetry/log";
import type { Addresses } from "./addresses";
import { untilAnswering } from "./connection/until-answering";
import { isMigrated } from "./migrated";

/** Rejects with a `SettingError` when an address leads nowhere. */
export async function prepareDatabase({ databaseUrl, directUrl }: Addresses, log: Log): Promise<void> {
  await untilAnswering({ url: databaseUrl, setting: "DATABASE_URL", log });
  if (directUrl !== databaseUrl) await untilAnswering({ url: directUrl, setting: "DATABASE_DIRECT_URL", log });
  if (await isMigrated(directUrl)) return;
  const { migrate } = await import("./migrate");
  await migrate(directUrl, log);
}
