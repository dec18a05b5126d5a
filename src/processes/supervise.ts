/** The process that was started, when several are to serve: makes what they share, starts them, passes signals on. */
import { type Config, workerEnvironment } from "@/config";
import { POOL_SIZES } from "@/platform/db/client";
import { startEmbeddedPostgres } from "@/platform/db/embedded";
import { findFreePort } from "@/platform/db/embedded/free-port";
import { prepareDatabase } from "@/platform/db/prepare";
import { openKeys } from "@/platform/keys";
import type { Log } from "@/platform/log";
import { announceStop } from "./predecessor";
import { Supervisor } from "./supervisor";
import { WorkerProcess } from "./worker-process";

/** Connections of one worker at most; of all of them and one that is being replaced, a Postgres must allow the sum. */
const CONNECTIONS_OF_WORKER = Object.values(POOL_SIZES).reduce((sum, size) => sum + size, 0);
const CONNECTIONS_MIN = 100;

/** Resolves with the port when the first worker serves; rejects when what they share cannot be made, or none starts. */
export async function superviseWorkers(config: Config, log: Log): Promise<number> {
  const stack = new AsyncDisposableStack();
  try {
    const port = config.port || (await findFreePort());
    const databaseUrl = config.databaseUrl ?? (await ownPostgres(config, log, stack));
    await prepareDatabase({ databaseUrl, directUrl: config.databaseDirectUrl ?? databaseUrl }, log);
    // Made once where there is none, so that no two workers make one each.
    await openKeys(config);
    const supervisor = new Supervisor({
      workers: config.workers,
      log,
      start: (number) =>
        new WorkerProcess(number, [process.execPath, Bun.main], workerEnvironment(number, { port, databaseUrl })),
    });
    stack.defer(() => supervisor.stop());
    process.on("SIGHUP", () => void supervisor.roll());
    await Promise.race([supervisor.start(), endOnSignal(config, log, stack)]);
    return port;
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/** Never resolves: its end is that of the process. */
async function endOnSignal(config: Config, log: Log, stack: AsyncDisposableStack): Promise<never> {
  const signalled = Promise.withResolvers<string>();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => signalled.resolve(signal));
  log.info("stopping", { signal: await signalled.promise });
  if (!config.databaseUrl) announceStop(config.dataDir, log);
  await stack.disposeAsync();
  log.flush();
  process.exit(0);
}

async function ownPostgres({ dataDir, workers }: Config, log: Log, stack: AsyncDisposableStack): Promise<string> {
  const connections = Math.max(CONNECTIONS_MIN, CONNECTIONS_OF_WORKER * (workers + 1));
  const settings = { max_connections: String(connections) };
  const embedded = await startEmbeddedPostgres(dataDir, (line) => log.info("postgres", { line }), { settings });
  stack.defer(() => embedded.stop());
  return embedded.url;
}
