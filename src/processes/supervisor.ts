/**
 * Keeps a number of workers serving one port: starts them, replaces those that die, replaces all of them in turn.
 *
 * A worker's place is empty, held by a process, or held by one whose successor starts. One that dies is started again,
 * ever later (up to `RESTART_MS_MAX`) while it keeps dying young; before any worker was ever ready, `FIRST_DEATHS_MAX`
 * deaths end the attempt. In a roll each place gets its successor first, which then attracts all new connections while
 * the predecessor hands over, so that at most one process more than usual runs. A successor that does not start ends the
 * roll, and its predecessor goes on. A roll wanted during a roll follows it, once. If the supervisor dies, its workers
 * notice and leave by themselves.
 */
import type { Log } from "@/platform/telemetry/log";
import type { WorkerMetrics } from "@/platform/telemetry/metrics";
import type { Steering } from "./messages";

const RESTART_MS = 100;
const RESTART_MS_MAX = 10_000;
/** Who was ready for so long did not die of its start. */
const STEADY_MS = 500;
/** Within which a stop that was told to every process at once has reached this one, too. */
const HEARD_MS = 200;
const FIRST_DEATHS_MAX = 3;

/** How somebody ends who was told to stop. */
const END_OF_STOPPED = ["exited with 0", "killed by SIGTERM"];

/** What the last one died of, it has said itself. */
export class NoWorkerError extends Error {
  override name = "NoWorkerError";
}

/** One that serves, wherever it runs. */
export interface SupervisedWorker {
  readonly number: number;
  readonly pid: number;
  /** Resolves with how it ended, in words. */
  readonly ended: Promise<string>;
  /** Whether the kernel may give it new connections. */
  readonly isListening: boolean;
  /** Whether it was told to go: its end is no accident then. */
  readonly isLeaving: boolean;
  /** How long ago it got ready; not above 0 when it never did. */
  readyForMs(): number;
  /** True once it listens, false when it ended before that. */
  ready(): Promise<boolean>;
  /** Resolves when it is done, has ended or takes too long; where it did nothing, some clients wait a second longer. */
  steer(order: Steering): Promise<void>;
  /** Resolves once it listens no more. Telling it again changes nothing. */
  leave(hasSuccessor: boolean): Promise<void>;
  kill(): void;
  /** What it has counted; undefined when it does not say so in time. */
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

  /** Resolves when the first worker is ready; rejects when they die before any of them is. */
  start(): Promise<void> {
    for (const place of this.#places) this.#fill(place);
    return this.#firstReady.promise;
  }

  /** Replaces every worker, one after another. Resolves when that, and what was asked for meanwhile, is done. */
  roll(): Promise<void> {
    this.#isRollWanted = true;
    this.#rolling ??= this.#rollWhileWanted().finally(() => {
      this.#rolling = undefined;
    });
    return this.#rolling;
  }

  /** Every worker hands over, drains and ends. Twice is fine. */
  stop(): Promise<void> {
    this.#stopping ??= this.#leaveAll();
    return this.#stopping;
  }

  /** What the workers have counted, each in its place. */
  async metrics(): Promise<WorkerMetrics[]> {
    const measured = await Promise.all(this.#places.map(({ holder }) => holder?.measure()));
    return measured.filter((metrics) => metrics !== undefined);
  }

  /** Ends every worker at once, as a crash would. */
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

  /** Undefined when the system gives no process now. */
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
    // A control group tells all at once, and a worker may have ended before its supervisor hears of it.
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
    this.#firstReady.reject(new NoWorkerError(`No worker starts: the last one ${how}`));
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

  /** False when the successor does not start, or everything stops. */
  async #replace(place: Place): Promise<boolean> {
    // An empty place is filled anew anyway; one that is just starting may have read the program before it changed.
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
    // The filter belongs to the port, not to whom it favours: should that one be dead, any other lifts it.
    const [anyone] = this.#listening();
    await (successor.isListening ? successor : anyone)?.steer({ do: "share" });
    const how = await predecessor.ended;
    this.#options.log.info("worker replaced", { number: predecessor.number, pid: predecessor.pid, how });
  }

  #listening = () => [...this.#living].filter(({ isListening }) => isListening);
}
