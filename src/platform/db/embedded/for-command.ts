/**
 * Runs the embedded Postgres for as long as a command runs. If the process is told to stop in the middle of it, it
 * first ends its Postgres, and with it whatever the command has not committed. The same signal again ends the process
 * immediately.
 */
import { constants } from "node:os";
import type { Config } from "@/config";
import { type EmbeddedLog, type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded";

/** Disposing of it stops the embedded Postgres, if the command started that. */
export interface CommandDatabase extends AsyncDisposable {
  url: string;
  /** The setting that the address comes from. */
  setting: string;
}

/**
 * Returns the address of the configured database that bypasses a pooler, or that of the embedded one, which it starts.
 * Rejects if that does not start; never settles once the process was told to stop.
 */
export async function databaseForCommand(
  { databaseUrl, databaseDirectUrl, dataDir }: Pick<Config, "databaseUrl" | "databaseDirectUrl" | "dataDir">,
  log: EmbeddedLog,
): Promise<CommandDatabase> {
  const nothing = { [Symbol.asyncDispose]: async () => undefined };
  if (databaseDirectUrl) return { url: databaseDirectUrl, setting: "DATABASE_DIRECT_URL", ...nothing };
  if (databaseUrl) return { url: databaseUrl, setting: "DATABASE_URL", ...nothing };
  const { url, stop } = await startForCommand(dataDir, log);
  return { url, setting: "DATABASE_URL", [Symbol.asyncDispose]: stop };
}

/** Rejects if Postgres does not start. Never settles once the process was told to stop. */
async function startForCommand(dataDir: string, log: EmbeddedLog): Promise<EmbeddedPostgres> {
  const stopping = new AbortController();
  const started = startEmbeddedPostgres(dataDir, log, { signal: stopping.signal });
  const end = async (name: "SIGINT" | "SIGTERM") => {
    stopping.abort();
    const embedded = await started.catch(() => undefined);
    await embedded?.stop();
    process.exit(128 + constants.signals[name]);
  };
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => void end(name));
  const embedded = await started.catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });
  return embedded && !stopping.signal.aborted ? embedded : new Promise(() => undefined);
}
