/** Runs a command on the configured database, migrating it first. Resolves to the exit status. */
import type { Config } from "@/config";
import { openDatabase } from "@/platform/db/client";
import { waitForPostgres } from "@/platform/db/connection/until-answering";
import { startForCommand } from "@/platform/db/embedded/for-command";
import { prepareDatabase } from "@/platform/db/prepare";
import type { Log } from "@/platform/telemetry/log";
import type { Command } from "./commands";

export async function run(command: Command, values: string[], config: Config, log: Log): Promise<number> {
  const { databaseUrl, databaseDirectUrl, dataDir } = config;
  const embedded = databaseUrl ? undefined : await startForCommand(dataDir, console.error);
  const url = databaseDirectUrl ?? databaseUrl ?? embedded?.url ?? "";
  await (command.migratesItself
    ? waitForPostgres({ url, setting: "DATABASE_URL", log })
    : prepareDatabase({ databaseUrl: url, directUrl: url }, log));
  const database = openDatabase(url, { pool: "tool", name: "waymark admin" });
  try {
    const databaseUrls = { databaseUrl: url, directUrl: url };
    const outcome = await command.run(database.db, values, database, { config, databaseUrls, log });
    if (outcome.message) (outcome.ok ? console.log : console.error)(outcome.message);
    return outcome.ok ? 0 : 1;
  } finally {
    await database.close();
    await embedded?.stop();
  }
}
