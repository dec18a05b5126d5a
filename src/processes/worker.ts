/**
 * Runs one of several processes that serve one port under a supervisor. It follows the supervisor's orders, and
 * leaves when the supervisor is gone. It ignores Ctrl-C and SIGHUP, which a terminal sends to all processes: the
 * supervisor handles them.
 */
import type { Config } from "@/config";
import type { Log } from "@/platform/telemetry/log";
import { type Service, startService } from "@/service";
import { createExchange } from "./exchange";
import { type ConnectionOrder, isOrder, type Note, type WorkerReport } from "./messages";
import { handleSignals } from "./signals";
import { steerConnections } from "./steering";

/** Resolves once the service is ready; rejects if it cannot start. */
export async function serveAsWorker(config: Config, log: Log): Promise<void> {
  const exchange = createExchange((id) => send({ note: "asked", id }));
  let service: Service | undefined;
  let isLeaving = false;
  const leave = (hasSuccessor: boolean) => {
    if (!isLeaving) void end(service, hasSuccessor, log);
    isLeaving = true;
  };
  process.on("message", (message) => {
    if (!isOrder(message)) return;
    if (message.do === "leave") leave(message.hasSuccessor);
    else if (message.do === "hear") exchange.heard(message.id, message.metrics);
    else if (message.do === "measure") void measure(service, message.id);
    else void steer(service, message, log);
  });
  process.on("disconnect", () => leave(false));
  handleSignals({ SIGTERM: () => leave(false), SIGINT() {}, SIGHUP() {} });
  const supervision = { gather: exchange.gather, onProgress: () => report("migrating") };
  service = await startService(config, log, undefined, supervision);
  report("ready");
}

async function end(service: Service | undefined, hasSuccessor: boolean, log: Log): Promise<never> {
  // Nothing is served yet, and what is half started is what a crash would leave.
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

async function steer(service: Service | undefined, order: ConnectionOrder, log: Log): Promise<void> {
  if (service) await steerConnections(service.port, order, log);
  report("steered");
}

async function measure(service: Service | undefined, id: number): Promise<void> {
  if (service) send({ note: "measured", id, metrics: await service.metrics() });
}

const report = (what: WorkerReport): void => send(what);

function send(message: WorkerReport | Note): void {
  if (process.connected) process.send?.(message);
}
