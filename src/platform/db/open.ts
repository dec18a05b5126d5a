/**
 * Opens the Postgres that the settings name, or the embedded one if they name none, and brings its schema up to date.
 */
import type { Config } from "@/config";
import type { Log } from "../telemetry/log";
import type { DatabaseUrls } from "./addresses";
import { startEmbeddedPostgres } from "./embedded/embedded";
import { prepareDatabase } from "./prepare";

/**
 * Rejects with a `SettingError` if Postgres does not respond, or refuses the connection. Calls `onProgress` every few
 * seconds while an update of the schema makes progress.
 */
export async function openPostgres(
  { databaseUrl: ownUrl, databaseDirectUrl, dataDir }: Pick<Config, "databaseUrl" | "databaseDirectUrl" | "dataDir">,
  log: Log,
  onProgress?: () => void,
): Promise<DatabaseUrls & AsyncDisposable> {
  await using opening = new AsyncDisposableStack();
  const databaseUrl = ownUrl ?? (await embeddedUrl(dataDir, log, opening));
  const addresses = { databaseUrl, directUrl: databaseDirectUrl ?? databaseUrl };
  await prepareDatabase(addresses, log, { isToWrite: true, onProgress });
  const opened = opening.move();
  return { ...addresses, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

async function embeddedUrl(dataDir: string, log: Log, opening: AsyncDisposableStack): Promise<string> {
  const embedded = await startEmbeddedPostgres(dataDir, (line) => log.info("postgres", { line }));
  opening.defer(() => embedded.stop());
  return embedded.url;
}
