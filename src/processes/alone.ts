/** One process that is the whole service. It cannot replace itself while it serves, so a hang-up changes nothing. */
import type { Config } from "@/config";
import type { Log } from "@/platform/log";
import { startService } from "@/service";
import { announceStop } from "./predecessor";

/** Resolves with the port when it serves. */
export async function serveAlone(config: Config, log: Log): Promise<number> {
  const service = await startService(config, log);
  let isStopping = false;
  const stop = async (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info("stopping", { signal });
    if (!config.databaseUrl) announceStop(config.dataDir, log);
    await service.handOver({ hasSuccessor: false });
    await service.stop();
    log.flush();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop(signal));
  process.on("SIGHUP", () => {
    // The terminal is gone, and nobody is left to end it.
    if (process.stdout.isTTY) void stop("SIGHUP");
    else log.warn("SIGHUP replaces workers in turn; with WORKERS=1 there is none to take over");
  });
  return service.port;
}
