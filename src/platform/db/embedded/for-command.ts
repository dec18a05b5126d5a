/**
 * The embedded Postgres for as long as a command runs. Told to stop in the middle of it, the process ends its Postgres first, and
 * with it whatever the command has not committed; told again, it ends at once.
 */
import { constants } from "node:os";
import { type EmbeddedLog, type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded";

/** Rejects when it does not start; never settles once the process was told to stop. */
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
