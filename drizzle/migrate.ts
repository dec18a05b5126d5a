/** `bun run db:migrate`: brings the database of `DATABASE_URL`, or the embedded one, up to date. */
import { readConfig } from "@/config";
import { startEmbeddedPostgres } from "@/platform/db/embedded";
import { migrate } from "@/platform/db/migrate";

const { databaseUrl, dataDir } = readConfig();
const embedded = databaseUrl ? undefined : await startEmbeddedPostgres(dataDir, console.log);
try {
  await migrate(databaseUrl ?? embedded?.url ?? "");
  console.log("The database is up to date");
} finally {
  await embedded?.stop();
}
