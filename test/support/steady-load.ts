/**
 * Makes visits at a fixed rate from a separate process, so that it disturbs neither the service nor the test. A visit's
 * time is measured from when it was due, so that a server that falls behind does not lower the load on it.
 */
import type { Subprocess } from "bun";

export interface SteadyLoadOptions {
  urls: string[];
  headers: Record<string, string>;
  perSecond: number;
}

/** Results of the visits that were due while the window was open. */
export interface LoadWindow {
  name: string;
  visits: number;
  redirects: number;
  /** Counts of other responses by status, including redirects without a destination; 0 stands for no response. */
  others: Record<string, number>;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** Click ids (`wm_cid`) in the destinations of the redirects. */
  clickIds: string[];
}

type ToLoad = { type: "begin"; options: SteadyLoadOptions } | { type: "window"; name: string } | { type: "end" };
type FromLoad = { type: "visited"; window: number } | { type: "report"; windows: LoadWindow[] };

export class SteadyLoad {
  readonly #child: Subprocess;
  readonly #report = Promise.withResolvers<LoadWindow[]>();
  readonly #visited: PromiseWithResolvers<void>[] = [];

  constructor(options: SteadyLoadOptions) {
    this.#child = Bun.spawn([process.execPath, import.meta.path], {
      stdio: ["ignore", "inherit", "inherit"],
      ipc: (message: FromLoad) => this.#heard(message),
      onExit: () => this.#ended(),
    });
    // Avoids an unhandled rejection: the report is only awaited in `end`.
    this.#report.promise.catch(() => undefined);
    this.#tell({ type: "begin", options });
  }

  /**
   * Opens a window and closes the one before. Resolves once the window's first visit has an outcome, which takes a
   * while because the process has to start, and messages are slow on a busy machine.
   */
  window(name: string): Promise<void> {
    const visited = Promise.withResolvers<void>();
    this.#visited.push(visited);
    this.#tell({ type: "window", name });
    return visited.promise;
  }

  /**
   * Waits for the visits in flight and ends the process. Returns the windows in the order in which they were opened.
   */
  async end(): Promise<LoadWindow[]> {
    this.#tell({ type: "end" });
    const report = await this.#report.promise;
    this.#child.kill();
    await this.#child.exited;
    return report;
  }

  #heard(message: FromLoad): void {
    if (message.type === "report") this.#report.resolve(message.windows);
    else this.#visited[message.window]?.resolve();
  }

  #ended(): void {
    const error = new Error("The load ended by itself");
    for (const visited of this.#visited) visited.reject(error);
    this.#report.reject(error);
  }

  #tell(message: ToLoad): void {
    this.#child.send(message);
  }
}

const TICK_MS = 2;
/** Long enough for a busy machine. */
const ANSWER_MS_MAX = 30_000;

interface OpenWindow {
  name: string;
  times: number[];
  redirects: number;
  others: Map<number, number>;
  clickIds: string[];
}

function serveAsLoad(): void {
  const windows: OpenWindow[] = [];
  const underWay = new Set<Promise<void>>();
  let timer: Timer | undefined;

  const visit = async ({ urls, headers }: SteadyLoadOptions, number: number, dueAt: number, window: OpenWindow) => {
    const url = urls[number % urls.length] ?? "";
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    const response = await fetch(url, { redirect: "manual", headers, signal }).catch(() => undefined);
    window.times.push(performance.now() - dueAt);
    if (window.times.length === 1)
      process.send?.({ type: "visited", window: windows.indexOf(window) } satisfies FromLoad);
    const status = response?.status ?? 0;
    const destination = URL.parse(response?.headers.get("location") ?? "");
    if (status !== 302 || !destination) window.others.set(status, (window.others.get(status) ?? 0) + 1);
    else {
      window.redirects++;
      const clickId = destination.searchParams.get("wm_cid");
      if (clickId) window.clickIds.push(clickId);
    }
  };

  const begin = (options: SteadyLoadOptions) => {
    const startedAt = performance.now();
    let visits = 0;
    timer = setInterval(() => {
      const due = Math.floor(((performance.now() - startedAt) / 1000) * options.perSecond);
      const window = windows.at(-1);
      for (; window && visits < due; visits++) {
        const under = visit(options, visits, startedAt + (visits / options.perSecond) * 1000, window);
        underWay.add(under);
        void under.finally(() => underWay.delete(under));
      }
    }, TICK_MS);
  };

  // Without its parent process there is nothing to do.
  process.on("disconnect", () => process.exit());
  process.on("message", async (message: ToLoad) => {
    if (message.type === "begin") begin(message.options);
    else if (message.type === "window")
      windows.push({ name: message.name, times: [], redirects: 0, others: new Map(), clickIds: [] });
    else {
      clearInterval(timer);
      await Promise.all(underWay);
      process.send?.({ type: "report", windows: windows.map(summary) } satisfies FromLoad);
    }
  });
}

function summary({ name, times, redirects, others, clickIds }: OpenWindow): LoadWindow {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  const rest = Object.fromEntries(others);
  const measured = { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
  return { name, visits: times.length, redirects, others: rest, ...measured, clickIds };
}

const round = (ms: number): number => Math.round(ms * 100) / 100;

if (import.meta.main) serveAsLoad();
