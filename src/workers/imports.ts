/**
 * Runs imports: looks for one every `POLL_MS`, or immediately when woken, and has it done in a separate process, one
 * at a time. Nothing is queued here: a crash loses nothing, because another server finds the same jobs.
 *
 * States: looking → working → looking; stopped. Disposing ends the work and waits until it has ended.
 */
import type { Log } from "@/platform/telemetry/log";
import { throttleReports } from "@/platform/telemetry/throttle-reports";

const POLL_MS = 3_000;
const SAY_EVERY_MS = 60_000;

export interface ImportWorkOptions {
  /** Whether there is a job that no server is working on. */
  hasDue(): Promise<boolean>;
  /** Does what is due. Resolves once nothing is left, or after the signal has aborted it. */
  work(signal: AbortSignal): Promise<void>;
  log: Log;
}

export interface ImportWork extends AsyncDisposable {
  wake(): void;
}

export function startImports({ hasDue, work, log }: ImportWorkOptions): ImportWork {
  const stopping = new AbortController();
  const failed = throttleReports(SAY_EVERY_MS, (error: unknown) => log.warn("could not import", { error }));
  let nap = Promise.withResolvers<void>();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      nap = Promise.withResolvers<void>();
      try {
        if (await hasDue()) await work(stopping.signal);
      } catch (error) {
        if (!stopping.signal.aborted) failed(error);
      }
      const timer = setTimeout(nap.resolve, POLL_MS);
      if (!stopping.signal.aborted) await nap.promise;
      clearTimeout(timer);
    }
  }
  const running = run();
  return {
    wake: () => nap.resolve(),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      nap.resolve();
      await running;
    },
  };
}
