/** Settings → resources → listen → drain. */
import { type Config, ConfigError, readConfig } from "./config";
import { createLog } from "./platform/log";
import { type Service, startService } from "./service";

const log = createLog((text) => process.stdout.write(text));

function settings(): Config {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

function welcome(config: Config, service: Service): string {
  const data = config.databaseUrl ? "the Postgres of DATABASE_URL" : `an embedded Postgres in ${config.dataDir}`;
  return `
Waymark listens on ${config.baseUrl}
  data   ${data}; clicks are spooled in ${config.dataDir}/spool
  docs   ${config.baseUrl}/docs
  try    curl ${service.url}/health
`;
}

function refuse(config: Config, error: unknown): never {
  const isPortTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
  log.flush();
  console.error(isPortTaken ? `PORT: ${config.port} is in use by another process` : error);
  process.exit(1);
}

async function main(): Promise<void> {
  const config = settings();
  if (config.workers > 1) log.warn("WORKERS has no effect yet: one process serves", { workers: config.workers });
  const service = await startService(config, log).catch((error) => refuse(config, error));
  console.log(welcome(config, service));
  const stop = async (signal: string) => {
    log.info("stopping", { signal });
    await service.stop();
    log.flush();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop(signal));
}

await main();
