/**
 * Limits how much work runs at a time. Work that finds all places taken waits, first come first served; beyond
 * `waitingMax` it is refused. A place passes from work that ends directly to the work that has waited longest, so
 * that no later arrival can slip in between.
 */
export interface ConcurrencyOptions {
  runningMax: number;
  waitingMax: number;
  /** Returns the error for work that finds no room. */
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
