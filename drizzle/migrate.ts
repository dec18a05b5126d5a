/** `bun run db:migrate`: brings the database of `DATABASE_URL`, or the embedded one, up to date. */
import { commandFailure } from "@/admin/refusal";
import { ConfigError, readConfig } from "@/config";
import { prepareDatabase } from "@/platform/db/prepare";
import { databaseForCommand } from "../src/platform/db/embedded/for-command";
import { createLog } from "../src/platform/telemetry/log";

try {
  await using database = await databaseForCommand(readConfig(), console.log);
  const { url, setting } = database;
  const log = createLog((text) => process.stdout.write(text));
  await prepareDatabase({ databaseUrl: url, directUrl: url }, log, { setting, isToWrite: true });
  console.log("The database is up to date");
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : commandFailure(error));
  process.exitCode = 1;
}
