/**
 * Runs the embedded Postgres for as long as a command runs. If the process is told to stop in the middle of it, it
 * first ends its Postgres, and with it whatever the command has not committed. The same signal again ends the process
 * immediately.
 */
import { constants } from "node:os";
import { type EmbeddedLog, type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded";

/** Rejects if Postgres does not start. Never settles once the process was told to stop. */
export async function startForCommand(dataDir: string, log: EmbeddedLog): Promise<EmbeddedPostgres> {
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
