/** Runs a command on the configured database, migrating it first. Resolves to the exit status. */
import type { Config } from "@/config";
import { openDatabase } from "@/platform/db/client";
import { waitForPostgres } from "@/platform/db/connection/until-answering";
import { databaseForCommand } from "@/platform/db/embedded/for-command";
import { prepareDatabase } from "@/platform/db/prepare";
import type { Log } from "@/platform/telemetry/log";
import type { Command } from "./commands";
import { tellResult } from "./standard-output";

export async function run(command: Command, values: string[], config: Config, log: Log): Promise<number> {
  await using asked = await databaseForCommand(config, console.error);
  const { url, setting } = asked;
  const databaseUrls = { databaseUrl: url, directUrl: url };
  await (command.migratesItself
    ? waitForPostgres({ url, setting, log })
    : prepareDatabase(databaseUrls, log, { setting }));
  await using database = openDatabase(url, { pool: "tool", name: "waymark admin" });
  const outcome = await command.run(database.db, values, database, { config, databaseUrls, log });
  if (!outcome.ok) console.error(outcome.message);
  else if (outcome.message) await tellResult(outcome.message);
  return outcome.ok ? 0 : 1;
}
