/**
 * Keeps a number of workers serving one port: starts them, replaces those that die, and replaces all of them in turn.
 *
 * A worker's place is empty, held by a process, or held by one whose successor is starting. A worker that dies is
 * restarted, with growing delays (up to `RESTART_MS_MAX`) while it keeps dying young; before any worker has ever been
 * ready, `FIRST_DEATHS_MAX` deaths end the attempt. In a roll each place gets its successor first, which then
 * attracts all new connections while the predecessor hands over, so that at most one process more than usual runs. A
 * successor that does not start ends the roll, and its predecessor continues. Any number of rolls requested during a
 * roll run as one after it. If the supervisor dies, its workers notice and leave.
 */
import type { Log } from "@/platform/telemetry/log";
import type { WorkerMetrics } from "@/platform/telemetry/metrics";
import type { ConnectionOrder } from "./messages";

const RESTART_MS = 100;
const RESTART_MS_MAX = 10_000;
/** A worker that was ready for this long did not die of its start. */
const STEADY_MS = 500;
/** Milliseconds within which a stop signal sent to all processes has also reached this one. */
const HEARD_MS = 200;
const FIRST_DEATHS_MAX = 3;

/** How a worker ends that was told to stop. */
const END_OF_STOPPED = ["exited with 0", "killed by SIGTERM"];

/** No worker could start. The last one has already logged what it died of. */
export class NoWorkerError extends Error {
  override name = "NoWorkerError";
}

/** A worker that serves, wherever it runs. */
export interface SupervisedWorker {
  readonly number: number;
  readonly pid: number;
  /** Resolves with how the worker ended, in words. */
  readonly ended: Promise<string>;
  /** Whether the kernel may give it new connections. */
  readonly isListening: boolean;
  /** Whether it was told to leave, so that its end is no accident. */
  readonly isLeaving: boolean;
  /** Milliseconds since it became ready; 0 or less if it never did. */
  readyForMs(): number;
  /** Resolves to true once it listens, to false if it ended before. */
  ready(): Promise<boolean>;
  /**
   * Resolves when the order is carried out, the worker has ended or it takes too long. If the order has no effect,
   * some clients wait a second longer.
   */
  steer(order: ConnectionOrder): Promise<void>;
  /** Resolves once it no longer listens. Calling it again changes nothing. */
  leave(hasSuccessor: boolean): Promise<void>;
  kill(): void;
  /** Returns its metrics; undefined if they do not arrive in time. */
  measure(): Promise<WorkerMetrics | undefined>;
}

export interface SupervisorOptions {
  workers: number;
  start(number: number): SupervisedWorker;
  log: Log;
}

interface Place {
  number: number;
  holder: SupervisedWorker | undefined;
  successor: SupervisedWorker | undefined;
  deathsInARow: number;
  restart: Timer | undefined;
}

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #places: Place[];
  readonly #living = new Set<SupervisedWorker>();
  readonly #firstReady = Promise.withResolvers<void>();
  #wasEverReady = false;
  #firstDeaths = 0;
  #rolling: Promise<void> | undefined;
  #isRollWanted = false;
  #stopping: Promise<void> | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#places = Array.from({ length: options.workers }, (_, index) => ({
      number: index + 1,
      holder: undefined,
      successor: undefined,
      deathsInARow: 0,
      restart: undefined,
    }));
  }

  /** Resolves when the first worker is ready; rejects if they keep dying before any of them is. */
  start(): Promise<void> {
    for (const place of this.#places) this.#fill(place);
    return this.#firstReady.promise;
  }

  /** Replaces every worker, one after another. Resolves when that roll, and one requested meanwhile, is done. */
  roll(): Promise<void> {
    this.#isRollWanted = true;
    this.#rolling ??= this.#rollWhileWanted().finally(() => {
      this.#rolling = undefined;
    });
    return this.#rolling;
  }

  /** Makes every worker hand over, drain and end. May be called twice. */
  stop(): Promise<void> {
    this.#stopping ??= this.#leaveAll();
    return this.#stopping;
  }

  /** Returns the metrics of the workers, in the order of their places. */
  async metrics(): Promise<WorkerMetrics[]> {
    const measured = await Promise.all(this.#places.map(({ holder }) => holder?.measure()));
    return measured.filter((metrics) => metrics !== undefined);
  }

  /** Ends every worker immediately, as a crash would. */
  kill(): void {
    this.#stopping ??= Promise.resolve();
    for (const worker of this.#living) worker.kill();
  }

  async #leaveAll(): Promise<void> {
    for (const { restart } of this.#places) clearTimeout(restart);
    await Promise.all(
      [...this.#living].map(async (worker) => {
        await worker.leave(false);
        await worker.ended;
      }),
    );
  }

  #fill(place: Place): void {
    if (this.#stopping) return;
    place.holder = this.#launch(place);
    if (!place.holder) this.#refillLater(place);
  }

  /** Returns undefined if the system cannot start a process now. */
  #launch(place: Place): SupervisedWorker | undefined {
    try {
      const worker = this.#options.start(place.number);
      this.#living.add(worker);
      void this.#watch(place, worker);
      return worker;
    } catch (error) {
      this.#options.log.error("could not start a worker", { number: place.number, error });
      place.deathsInARow += 1;
      this.#diedAtFirst(`could not be started: ${error}`);
      return undefined;
    }
  }

  async #watch(place: Place, worker: SupervisedWorker): Promise<void> {
    const isReady = await worker.ready();
    if (isReady) {
      this.#options.log.info("worker ready", { number: place.number, pid: worker.pid });
      this.#wasEverReady = true;
      this.#firstReady.resolve();
    }
    const how = await worker.ended;
    this.#living.delete(worker);
    if (worker.isLeaving) return;
    // A control group signals all processes together, and a worker may end before its supervisor hears of the signal.
    if (END_OF_STOPPED.includes(how)) await Bun.sleep(HEARD_MS);
    if (!this.#stopping) this.#died(place, worker, how);
  }

  #died(place: Place, worker: SupervisedWorker, how: string): void {
    this.#options.log.error("worker died", { number: place.number, pid: worker.pid, how });
    this.#diedAtFirst(how);
    if (place.holder !== worker) return;
    place.holder = undefined;
    place.deathsInARow = worker.readyForMs() >= STEADY_MS ? 0 : place.deathsInARow + 1;
    if (!place.successor) this.#refillLater(place);
  }

  #diedAtFirst(how: string): void {
    if (this.#wasEverReady || ++this.#firstDeaths < FIRST_DEATHS_MAX) return;
    this.#firstReady.reject(new NoWorkerError(`No worker could start; the last one ${how}`));
  }

  #refillLater(place: Place): void {
    if (this.#stopping) return;
    const delayMs = Math.min(RESTART_MS * 2 ** place.deathsInARow, RESTART_MS_MAX);
    place.restart = setTimeout(() => this.#fill(place), delayMs);
  }

  async #rollWhileWanted(): Promise<void> {
    const { log } = this.#options;
    while (this.#isRollWanted && !this.#stopping) {
      this.#isRollWanted = false;
      log.info("rolling restart started");
      const isDone = await this.#replaceAll();
      if (isDone) log.info("rolling restart finished");
    }
  }

  async #replaceAll(): Promise<boolean> {
    for (const place of this.#places) if (!(await this.#replace(place))) return false;
    return true;
  }

  /** Returns false if the successor does not start, or everything is stopping. */
  async #replace(place: Place): Promise<boolean> {
    // An empty place is refilled anyway. A worker that is just starting may have read the program before it changed.
    await place.holder?.ready();
    if (this.#stopping) return false;
    if (!place.holder) return true;
    const successor = this.#launch(place);
    place.successor = successor;
    const isReady = await successor?.ready();
    place.successor = undefined;
    if (!successor || !isReady) return this.#keepPredecessor(place);
    const predecessor = place.holder;
    place.holder = successor;
    if (predecessor) await this.#handOver(predecessor, successor);
    return !this.#stopping;
  }

  #keepPredecessor(place: Place): false {
    if (!this.#stopping) this.#options.log.error("rolling restart abandoned", { number: place.number });
    if (!place.holder) this.#refillLater(place);
    return false;
  }

  async #handOver(predecessor: SupervisedWorker, successor: SupervisedWorker): Promise<void> {
    await successor.steer({ do: "attract", listeners: this.#listening().length });
    await predecessor.leave(true);
    // The filter belongs to the port, not to the process it favors: if that one is dead, any other can remove it.
    const [anyone] = this.#listening();
    await (successor.isListening ? successor : anyone)?.steer({ do: "share" });
    const how = await predecessor.ended;
    this.#options.log.info("worker replaced", { number: predecessor.number, pid: predecessor.pid, how });
  }

  #listening = () => [...this.#living].filter(({ isListening }) => isListening);
}
