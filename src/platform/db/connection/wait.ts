/**
 * Waiting for one thing after another, each with a bound, until an interruption ends all of it. (`Promise.race` against a
 * promise that lives long would keep every one of its races in memory.)
 */

/** No answer came in time. */
export class SilentError extends Error {
  override name = "SilentError";
}

/** Whoever is asked answers, but what it has to tell does not arrive. */
export class DeafError extends SilentError {
  override name = "DeafError";
}

const TICKS = 4;

export class Wait {
  #reject: ((error: Error) => void) | undefined;
  #interruption: Error | undefined;

  /** What is waited for now, and later, rejects with this. */
  interrupt(error: Error): void {
    this.#interruption ??= error;
    this.#reject?.(this.#interruption);
  }

  /**
   * Rejects with `SilentError` when the work takes longer. The time is counted in parts: a process that was held up itself
   * gets to see the answers that have come meanwhile.
   */
  until<Result>(work: Promise<Result>, msMax: number): Promise<Result> {
    return this.#settled((resolve, reject) => {
      let ticks = 0;
      const timer = setInterval(() => {
        if (++ticks === TICKS) reject(new SilentError(`No response within ${msMax} ms`));
      }, msMax / TICKS);
      work.then(resolve, reject);
      return timer;
    });
  }

  pause(ms: number): Promise<void> {
    return this.#settled((resolve) => setTimeout(resolve, ms));
  }

  async #settled<Result>(
    begin: (resolve: (result: Result) => void, reject: (error: Error) => void) => Timer,
  ): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#reject = reject;
    const timer = begin(resolve, reject);
    if (this.#interruption) reject(this.#interruption);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }
}
