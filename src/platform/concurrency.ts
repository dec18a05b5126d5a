/**
 * Limits how much work runs at a time. Work that finds all places taken waits, first come first served; beyond
 * `waitingMax` it is refused. A place passes from work that ends directly to the work that has waited longest, so
 * that no later arrival can slip in between. Whoever gives up while waiting leaves the queue at once; what becomes of
 * work that has begun is up to the work.
 */
export interface ConcurrencyOptions {
  runningMax: number;
  waitingMax: number;
  /** Returns the error for work that finds no room. */
  refusal(): Error;
}

/** Rejects with the signal's reason if the signal aborts before the work begins. */
export type Limited = <Result>(work: () => Promise<Result>, signal?: AbortSignal) => Promise<Result>;

export function limitConcurrency({ runningMax, waitingMax, refusal }: ConcurrencyOptions): Limited {
  let running = 0;
  /** In the order of arrival. */
  const waiting = new Set<() => void>();

  return async (work, signal) => {
    signal?.throwIfAborted();
    if (running >= runningMax) {
      if (waiting.size >= waitingMax) throw refusal();
      await turn(waiting, signal);
    } else running++;
    try {
      return await work();
    } finally {
      const [next] = waiting;
      if (next) next();
      else running--;
    }
  };
}

/** Waits until the entry that this adds to `waiting` is called. Removes the entry then, or when the signal aborts. */
function turn(waiting: Set<() => void>, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const begin = () => {
    leave();
    resolve();
  };
  const giveUp = () => {
    leave();
    reject(signal?.reason);
  };
  const leave = () => {
    waiting.delete(begin);
    signal?.removeEventListener("abort", giveUp);
  };
  waiting.add(begin);
  signal?.addEventListener("abort", giveUp, { once: true });
  return promise;
}

/** As `limitConcurrency`, but work is also refused if its asker already has `ofOneMax` tasks, running and waiting. */
export function limitFairly({ ofOneMax, ...options }: ConcurrencyOptions & { ofOneMax: number }) {
  const limited = limitConcurrency(options);
  const taken = new Map<string, number>();

  return async <Result>(asker: string, work: () => Promise<Result>): Promise<Result> => {
    const others = taken.get(asker) ?? 0;
    if (others >= ofOneMax) throw options.refusal();
    taken.set(asker, others + 1);
    try {
      return await limited(work);
    } finally {
      const left = (taken.get(asker) ?? 1) - 1;
      if (left > 0) taken.set(asker, left);
      else taken.delete(asker);
    }
  };
}

/** As `limitConcurrency`, for each asker by itself. */
export function limitEach(options: ConcurrencyOptions) {
  const lines = new Map<string, { limited: Limited; tasks: number }>();

  return async <Result>(asker: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> => {
    const line = lines.get(asker) ?? { limited: limitConcurrency(options), tasks: 0 };
    lines.set(asker, line);
    line.tasks++;
    try {
      return await line.limited(work, signal);
    } finally {
      if (--line.tasks === 0) lines.delete(asker);
    }
  };
}
