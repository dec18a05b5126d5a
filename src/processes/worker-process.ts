/**
 * A worker as its supervisor sees it: a process, the orders it receives and the reports it sends.
 *
 * States: starting → ready → leaving → deaf → ended; the process may die in any of them. Every wait here ends with
 * the process, and the process ends within named bounds, by `kill -9` if nothing else helps. That loses what a crash
 * loses: the requests in progress, but no acknowledged click.
 */
import type { Subprocess } from "bun";
import type { WorkerMetrics } from "@/platform/telemetry/metrics";
import { type ConnectionOrder, isNote, isReport, type Note, type Order, type WorkerReport } from "./messages";
import type { SupervisedWorker } from "./supervisor";

/** From the process's start, or from the last report that it makes progress with an update of the schema. */
const START_MS_MAX = 120_000;
/** Longer than the bounds of hand-over, requests in progress and the drain of clicks taken together. */
const LEAVE_MS_MAX = 40_000;
const STEER_MS_MAX = 2_000;
/** Longer than a worker waits for Postgres, and less than a scrape may take. */
const MEASURE_MS_MAX = 6_000;

/** Returns the metrics of all workers, for a worker that was asked for them. */
export type MetricsOfAll = () => Promise<WorkerMetrics[]>;

export class WorkerProcess implements SupervisedWorker {
  readonly number: number;
  readonly ended: Promise<string>;
  readonly #child: Subprocess;
  readonly #reported = new Map<WorkerReport, PromiseWithResolvers<boolean>>();
  #readyAt = Infinity;
  #isListening = false;
  #isLeaving = false;
  #isConnected = true;
  #hasEnded = false;
  #timer: Timer;
  readonly #measuring = new Map<number, (metrics: WorkerMetrics) => void>();
  #measures = 0;

  constructor(
    number: number,
    command: string[],
    env: Record<string, string | undefined>,
    private readonly metricsOfAll: MetricsOfAll,
    private readonly startMsMax = START_MS_MAX,
  ) {
    this.number = number;
    this.#child = Bun.spawn(command, {
      env,
      stdin: "ignore",
      stdout: "inherit",
      stderr: "inherit",
      ipc: (message) => {
        if (isReport(message)) this.#heard(message);
        else if (isNote(message)) this.#noted(message);
      },
      onDisconnect: () => {
        this.#isConnected = false;
      },
    });
    this.#timer = this.#killAfter(startMsMax);
    this.ended = this.#child.exited.then(() => this.#gone());
  }

  get pid(): number {
    return this.#child.pid;
  }

  get isListening(): boolean {
    return this.#isListening;
  }

  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  readyForMs(): number {
    return performance.now() - this.#readyAt;
  }

  ready(): Promise<boolean> {
    return this.#wait("ready").promise;
  }

  async steer(order: ConnectionOrder): Promise<void> {
    if (this.#hasEnded) return;
    const steered = Promise.withResolvers<boolean>();
    this.#reported.set("steered", steered);
    this.#send(order);
    await Promise.race([steered.promise, Bun.sleep(STEER_MS_MAX)]);
  }

  async leave(hasSuccessor: boolean): Promise<void> {
    if (!this.#isLeaving) {
      this.#isLeaving = true;
      clearTimeout(this.#timer);
      this.#timer = this.#killAfter(LEAVE_MS_MAX);
      this.#send({ do: "leave", hasSuccessor });
    }
    await this.#wait("deaf").promise;
  }

  async measure(): Promise<WorkerMetrics | undefined> {
    if (!this.#isListening) return undefined;
    const id = ++this.#measures;
    const measured = Promise.withResolvers<WorkerMetrics | undefined>();
    this.#measuring.set(id, measured.resolve);
    this.#send({ do: "measure", id });
    const timer = setTimeout(measured.resolve, MEASURE_MS_MAX, undefined);
    const metrics = await measured.promise;
    clearTimeout(timer);
    this.#measuring.delete(id);
    return metrics;
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  #killAfter = (ms: number): Timer => setTimeout(() => this.kill(), ms);

  #send(order: Order): void {
    // A process about to end takes no more orders; its end is awaited all the same.
    if (!this.#isConnected) return;
    try {
      this.#child.send(order);
    } catch (error) {
      if (!isChannelClosed(error)) throw error;
      this.#isConnected = false;
    }
  }

  #noted(note: Note): void {
    if (note.note === "measured") this.#measuring.get(note.id)?.(note.metrics);
    else void this.metricsOfAll().then((metrics) => this.#send({ do: "hear", id: note.id, metrics }));
  }

  #heard(report: WorkerReport): void {
    if (report === "migrating" && !this.#isLeaving && !this.#hasEnded) {
      clearTimeout(this.#timer);
      this.#timer = this.#killAfter(this.startMsMax);
    }
    if (report === "ready") {
      this.#isListening = true;
      this.#readyAt = performance.now();
      if (!this.#isLeaving) clearTimeout(this.#timer);
    }
    if (report === "deaf") this.#isListening = false;
    this.#wait(report).resolve(true);
  }

  #gone(): string {
    clearTimeout(this.#timer);
    this.#isListening = false;
    this.#hasEnded = true;
    for (const report of ["ready", "steered", "deaf"] as const) this.#wait(report).resolve(false);
    const { signalCode, exitCode } = this.#child;
    return signalCode ? `killed by ${signalCode}` : `exited with ${exitCode}`;
  }

  #wait(report: WorkerReport): PromiseWithResolvers<boolean> {
    const waiting = this.#reported.get(report) ?? Promise.withResolvers<boolean>();
    this.#reported.set(report, waiting);
    return waiting;
  }
}

/** True if the channel is closed: an ended process may take no orders a moment before we learn that it has ended. */
const isChannelClosed = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_IPC_CHANNEL_CLOSED";
