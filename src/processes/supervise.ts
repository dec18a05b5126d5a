/**
 * The process that was started: creates what its workers share, starts them and passes signals on. With a single
 * worker, it is that worker itself until a SIGHUP requests a new one; from then on it supervises.
 */
import { isatty } from "node:tty";
import { type Config, workerEnvironment } from "@/config";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@/platform/db/embedded/embedded";
import { connectionsOfServers } from "@/platform/db/pools";
import { prepareDatabase } from "@/platform/db/prepare";
import { openKeys } from "@/platform/keys";
import type { Log } from "@/platform/telemetry/log";
import { writePidFile } from "./pid-file";
import { announceStop } from "./predecessor";
import { handleSignals, stopHandlers } from "./signals";
import { Supervisor } from "./supervisor";
import { type MetricsOfAll, WorkerProcess } from "./worker-process";

const CONNECTIONS_MIN = 100;

/** What has been started so far and must be ended. */
interface Begun {
  stack: AsyncDisposableStack;
  embedded?: EmbeddedPostgres;
  supervisor?: Supervisor;
  /** Whether the first worker serves. */
  isServing?: boolean;
  /** Whether a replacement was requested before: the program may have been read before it changed. */
  isRollWanted?: boolean;
  isEnding?: boolean;
  readonly ending: PromiseWithResolvers<Ending>;
}

/** Why the process ends: a signal, or what it cannot continue without. */
type Ending = { signal: string } | { fault: string; error: unknown };

/** Resolves when the first worker serves; rejects if what the workers share cannot be created, or none starts. */
export async function superviseWorkers(config: Config, log: Log): Promise<void> {
  const begun: Begun = { stack: new AsyncDisposableStack(), ending: Promise.withResolvers() };
  heedSignals(log, begun);
  const ended = endInTime(config, log, begun);
  try {
    return await Promise.race([begin(config, log, begun), ended]);
  } catch (error) {
    // A start that is interrupted by a stop signal fails in some way, which is no fault.
    if (begun.isEnding) return ended;
    await begun.stack.disposeAsync();
    throw error;
  }
}

async function begin(config: Config, log: Log, begun: Begun): Promise<void> {
  const { stack } = begun;
  const databaseUrl = config.databaseUrl ?? (await ownPostgres(config, log, begun));
  // Creates the keys if there are none, so that no two workers create different ones.
  await openKeys(config);
  if (config.workers > 1)
    await prepareDatabase({ databaseUrl, directUrl: config.databaseDirectUrl ?? databaseUrl }, log, {
      isToWrite: true,
    });
  const own = config.workers === 1 ? [await ownWorker({ ...config, databaseUrl }, log)] : [];
  const supervisor: Supervisor = new Supervisor({
    workers: config.workers,
    log,
    start: (number) => own.pop() ?? startProcess(number, config.port, databaseUrl, () => supervisor.metrics()),
  });
  begun.supervisor = supervisor;
  stack.defer(() => supervisor.stop());
  await supervisor.start();
  begun.isServing = true;
  if (begun.isRollWanted) void supervisor.roll();
  stack.use(writePidFile(config.dataDir, log));
}

/** Loaded only when needed: it imports the whole service, which a supervisor does not need. */
async function ownWorker(config: Config, log: Log) {
  const { OwnWorker } = await import("./own-worker");
  return OwnWorker.start(config, log);
}

const startProcess = (number: number, port: number, databaseUrl: string, metricsOfAll: MetricsOfAll) =>
  new WorkerProcess(
    number,
    [process.execPath, Bun.main],
    workerEnvironment(number, { port, databaseUrl }),
    metricsOfAll,
  );

function heedSignals(log: Log, begun: Begun): void {
  const stop = (signal: string) => begun.ending.resolve({ signal });
  handleSignals({
    ...stopHandlers({ stop, force: () => force(log, begun) }),
    SIGHUP() {
      if (hasLostTerminal()) stop("SIGHUP");
      else if (begun.isServing) void begun.supervisor?.roll();
      else begun.isRollWanted = true;
    },
  });
}

/** Ends everything once there is a reason, and exits. Never resolves. */
async function endInTime(config: Config, log: Log, begun: Begun): Promise<never> {
  const ending = await begun.ending.promise;
  begun.isEnding = true;
  const isFault = "fault" in ending;
  if (isFault) log.error(ending.fault, { error: ending.error });
  log.info("stopping", { pid: process.pid, ...(isFault ? {} : ending) });
  if (!config.databaseUrl) announceStop(config.dataDir, log);
  await begun.stack.disposeAsync();
  log.flush();
  process.exit(isFault ? 1 : 0);
}

/** True if the terminal is gone, so that nobody is left to end the process. */
const hasLostTerminal = (): boolean => process.stdout.isTTY && !isatty(1);

function force(log: Log, { supervisor, embedded }: Begun): never {
  log.error("third stop signal: exiting without finishing current requests and clicks");
  supervisor?.kill();
  embedded?.abort();
  log.flush();
  process.exit(1);
}

async function ownPostgres({ dataDir, workers }: Config, log: Log, begun: Begun): Promise<string> {
  const connections = Math.max(CONNECTIONS_MIN, connectionsOfServers(workers));
  const settings = { max_connections: String(connections) };
  const starting = new AbortController();
  const { signal } = starting;
  const fault = "giving up the embedded Postgres, which does not start again; the service ends";
  const upkeep = { log, onGivenUp: (error: unknown) => begun.ending.resolve({ fault, error }) };
  const options = { settings, signal, upkeep };
  const started = startEmbeddedPostgres(dataDir, (line) => log.info("postgres", { line }), options);
  // Registered before the start completes: otherwise a process stopped in the middle of it would leave a Postgres
  // behind.
  begun.stack.defer(async () => {
    starting.abort();
    const embedded = await started.catch(() => undefined);
    await embedded?.stop();
  });
  begun.embedded = await started;
  return begun.embedded.url;
}
