/** `bun run db:migrate`: brings the database of `DATABASE_URL`, or the embedded one, up to date. */
import { readConfig } from "@/config";
import { prepareDatabase } from "@/platform/db/prepare";
import { SettingError } from "@/platform/setting-error";
import { startForCommand } from "../src/platform/db/embedded/for-command";
import { createLog } from "../src/platform/telemetry/log";

const { databaseUrl, databaseDirectUrl, dataDir } = readConfig();
const embedded = databaseUrl ? undefined : await startForCommand(dataDir, console.log);
try {
  const url = databaseDirectUrl ?? databaseUrl ?? embedded?.url ?? "";
  await prepareDatabase(
    { databaseUrl: url, directUrl: url },
    createLog((text) => process.stdout.write(text)),
  );
  console.log("The database is up to date");
} catch (error) {
  console.error(error instanceof SettingError ? error.message : error);
  process.exitCode = 1;
} finally {
  await embedded?.stop();
}
