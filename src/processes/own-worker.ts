/**
 * The service in the process that was started, as its supervisor sees it: one of the workers, but without a process
 * of its own. It is the only worker until it is to be replaced; what remains of the process then supervises its
 * successors.
 */
import type { Config } from "@/config";
import type { Log } from "@/platform/telemetry/log";
import type { WorkerMetrics } from "@/platform/telemetry/metrics";
import { type Service, startService } from "@/service";
import type { ConnectionOrder } from "./messages";
import { steerConnections } from "./steering";
import type { SupervisedWorker } from "./supervisor";

export class OwnWorker implements SupervisedWorker {
  readonly number = 1;
  readonly pid = process.pid;
  readonly #service: Service;
  readonly #log: Log;
  readonly #readyAt = performance.now();
  readonly #ended = Promise.withResolvers<string>();
  #deaf: Promise<void> | undefined;
  #isListening = true;

  private constructor(service: Service, log: Log) {
    this.#service = service;
    this.#log = log;
  }

  /** Resolves when the service serves; rejects with the reason why it cannot. */
  static async start(config: Config, log: Log): Promise<OwnWorker> {
    return new OwnWorker(await startService({ ...config, worker: 1 }, log), log);
  }

  get ended(): Promise<string> {
    return this.#ended.promise;
  }

  get isListening(): boolean {
    return this.#isListening;
  }

  get isLeaving(): boolean {
    return this.#deaf !== undefined;
  }

  readyForMs(): number {
    return performance.now() - this.#readyAt;
  }

  async ready(): Promise<boolean> {
    return true;
  }

  steer(order: ConnectionOrder): Promise<void> {
    return steerConnections(this.#service.port, order, this.#log);
  }

  leave(hasSuccessor: boolean): Promise<void> {
    this.#deaf ??= this.#leave(hasSuccessor);
    return this.#deaf;
  }

  measure(): Promise<WorkerMetrics> {
    return this.#service.metrics();
  }

  /** Does nothing: the service ends with this process. */
  kill(): void {}

  async #leave(hasSuccessor: boolean): Promise<void> {
    await this.#service.handOver({ hasSuccessor });
    this.#isListening = false;
    this.#service.stop().then(
      () => this.#ended.resolve("closed"),
      (error: unknown) => {
        this.#log.error("worker did not stop cleanly", { error });
        this.#ended.resolve("did not close cleanly");
      },
    );
  }
}
