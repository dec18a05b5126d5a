/**
 * Settings → resources → listen → drain, as one process or as several that one supervises. A process's code is loaded
 * only once its settings have determined what it does.
 */
import "./processes/signals";
import { type Config, ConfigError, configWithPort, readConfig } from "./config";
import { findFreePort } from "./platform/db/embedded/free-port";
import { createLog, type Log } from "./platform/telemetry/log";
import { requireDataFolder } from "./processes/data-folder";
import { claimPort, untilStopped } from "./processes/predecessor";
import { refusalOf } from "./processes/refusal";

function settings(): Config {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

function welcome(config: Config): string {
  const data = config.databaseUrl ? "the Postgres of DATABASE_URL" : `an embedded Postgres in ${config.dataDir}`;
  return `
Waymark listens on ${config.baseUrl}
  data   ${data}; clicks are spooled in ${config.dataDir}/spool
  docs   ${config.baseUrl}/docs
  try    curl http://localhost:${config.port}/health
`;
}

function refuse(config: Config, log: Log, error: unknown): never {
  log.flush();
  console.error(refusalOf(error, config));
  process.exit(1);
}

async function serve(config: Config, log: Log): Promise<void> {
  // A supervisor of several workers does not load the service itself; only the workers do.
  if (config.worker !== null) return (await import("./processes/worker")).serveAsWorker(config, log);
  await supervise(config.port === 0 ? configWithPort(await findFreePort()) : config, log);
}

async function supervise(config: Config, log: Log): Promise<void> {
  for (const warning of config.warnings) log.warn("setting", { warning });
  requireDataFolder(config.dataDir);
  using _claim = await claimPort(config.host, config.port);
  if (!config.databaseUrl) await untilStopped(config.dataDir, log);
  const { superviseWorkers } = await import("./processes/supervise");
  await superviseWorkers(config, log);
  const { port, baseUrl, workers } = config;
  log.info("serving", { pid: process.pid, port, baseUrl, workers });
  if (!config.isProduction) console.log(welcome(config));
}

// The reader of the log may go before the service does: a closed terminal, or a pipe whose reader died.
process.stdout.on("error", () => undefined);
const config = settings();
const log = createLog(
  (text) => process.stdout.write(text),
  config.worker === null ? {} : { worker: config.worker },
  config.logLevel,
);
await serve(config, log).catch((error: unknown) => refuse(config, log, error));
