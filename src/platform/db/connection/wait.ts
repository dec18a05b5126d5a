/**
 * Waits for one thing after another, each with a bound, until an interruption ends all of it. (`Promise.race` against
 * a long-lived promise would keep each race in memory.)
 */

/** No response arrived in time. */
export class SilentError extends Error {
  override name = "SilentError";
}

/** Postgres responds, but its notifications do not arrive. */
export class DeafError extends SilentError {
  override name = "DeafError";
}

const TICKS = 4;

export class Wait {
  #reject: ((error: Error) => void) | undefined;
  #interruption: Error | undefined;

  /** Rejects the present wait and all later ones with this error. */
  interrupt(error: Error): void {
    this.#interruption ??= error;
    this.#reject?.(this.#interruption);
  }

  /**
   * Rejects with `SilentError` if the work takes longer. The time is counted in parts, so that a process that was
   * itself held up still reads the responses that have arrived in the meantime.
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
