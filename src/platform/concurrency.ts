/**
 * Work of which only so much may be under way at once. What comes while all places are taken waits, first come first
 * served; past `waitingMax` it is refused. A place goes from who leaves it straight to who waited longest, so that nobody
 * who comes later slips in between.
 */
export interface ConcurrencyOptions {
  runningMax: number;
  waitingMax: number;
  /** What is thrown at those there is no room for. */
  refusal(): Error;
}

export type Limited = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function limitConcurrency({ runningMax, waitingMax, refusal }: ConcurrencyOptions): Limited {
  let running = 0;
  const waiting: (() => void)[] = [];

  return async (work) => {
    if (running >= runningMax) {
      if (waiting.length >= waitingMax) throw refusal();
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

/** Turns of which one of many askers has at most `ofOneMax`, running and waiting; past them it is refused. */
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
