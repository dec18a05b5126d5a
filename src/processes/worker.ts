/**
 * One of several processes on one port, under a supervisor. It does what the supervisor orders, and leaves by itself when
 * the supervisor is gone: Ctrl-C and a hang-up, which a terminal sends to all, are the supervisor's business.
 */
import type { Config } from "@/config";
import type { Log } from "@/platform/log";
import { type Service, startService } from "@/service";
import { isOrder, type Order, type Report } from "./messages";
import { steerConnections } from "./steering";

/** Never resolves while the process lives; rejects when it cannot start. */
export async function serveAsWorker(config: Config, log: Log): Promise<void> {
  let service: Service | undefined;
  let isLeaving = false;
  const leave = (hasSuccessor: boolean) => {
    if (!isLeaving) void end(service, hasSuccessor, log);
    isLeaving = true;
  };
  process.on("message", (message) => {
    if (!isOrder(message)) return;
    if (message.do === "leave") leave(message.hasSuccessor);
    else void steer(service, message, log);
  });
  process.on("disconnect", () => leave(false));
  process.on("SIGTERM", () => leave(false));
  for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => undefined);
  service = await startService(config, log);
  report("ready");
}

async function end(service: Service | undefined, hasSuccessor: boolean, log: Log): Promise<never> {
  // Nobody is served yet, and what is half started is what a crash would leave.
  if (!service) process.exit(0);
  try {
    await service.handOver({ hasSuccessor });
    report("deaf");
    await service.stop();
  } catch (error) {
    log.error("worker did not stop cleanly", { error });
    log.flush();
    process.exit(1);
  }
  log.flush();
  process.exit(0);
}

async function steer(service: Service | undefined, order: Exclude<Order, { do: "leave" }>, log: Log): Promise<void> {
  if (service) await steerConnections(service.port, order, log);
  report("steered");
}

function report(what: Report): void {
  if (process.connected) process.send?.(what);
}
