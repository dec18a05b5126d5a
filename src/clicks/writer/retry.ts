/** Retries work until it succeeds, for everything that needs Postgres. */
import { pause } from "@/platform/db/connection/abortable";

const FIRST_WAIT_MS = 50;
const WAIT_MS_MAX = 2_000;

export class GaveUpError extends Error {
  override name = "GaveUpError";
}

export class Retries {
  readonly #stop: AbortSignal;
  readonly #onFailure: (error: unknown) => void;
  #hurry = new AbortController();

  constructor(stop: AbortSignal, onFailure: (error: unknown) => void) {
    this.#stop = stop;
    this.#onFailure = onFailure;
  }

  /**
   * Retries `attempt` with doubling waits of at most 2 s, each shortened by up to half at random. Rejects with
   * `GaveUpError` once `stop` is aborted.
   */
  async run<Result>(attempt: () => Promise<Result>): Promise<Result> {
    let waitMs = FIRST_WAIT_MS;
    for (;;) {
      if (this.#stop.aborted) throw new GaveUpError("Stopped while Postgres was unavailable.");
      const hurry = this.#hurry.signal;
      try {
        return await attempt();
      } catch (error) {
        this.#onFailure(error);
      }
      await pause(waitMs * (0.5 + Math.random() / 2), AbortSignal.any([this.#stop, hurry]));
      waitMs = hurry.aborted ? FIRST_WAIT_MS : Math.min(waitMs * 2, WAIT_MS_MAX);
    }
  }

  /** Postgres is reachable again: retries immediately what waits, and what is about to fail. */
  hurry(): void {
    this.#hurry.abort();
    this.#hurry = new AbortController();
  }
}
