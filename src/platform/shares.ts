/**
 * Limits how much work runs at a time, and shares the places out so that nobody starves anybody else. Each purpose
 * has its own share, and the purposes that have work waiting take turns; within a purpose, the askers (an
 * organization, an address) take turns; the work of one asker runs in the order in which it arrived.
 *
 * States of a piece of work: waiting → running → done, or waiting → refused, or waiting → abandoned by its asker.
 * Bounds: `waitingMax` for each purpose and `ofOneMax` for each asker in it. A purpose that is full still accepts an
 * asker who has little waiting: the asker with the most loses its latest piece. Nothing waits longer than
 * `waitMsMax`. A crash loses what waits, and with it the results.
 */
export interface Share {
  waitingMax: number;
  /** Most pieces of work that one asker may have waiting. */
  ofOneMax: number;
}

export interface SharesOptions<Purpose extends string> {
  runningMax: number;
  /** Work that has not begun by then is refused, so that its asker gets a response before the connection times out. */
  waitMsMax: number;
  shares: Record<Purpose, Share>;
  /** Returns the error for work that finds no room, or that has waited too long. */
  refusal(purpose: Purpose): Error;
  /** Returns the error for work whose asker left before it began. */
  abandonment(): Error;
}

/** Whose turn the work takes. */
export interface SharePlace<Purpose extends string> {
  purpose: Purpose;
  asker: string;
  /** Aborts when nobody waits for the result any more: work that has not begun by then never begins. */
  signal?: AbortSignal;
}

export type InShare<Purpose extends string> = <Result>(
  place: SharePlace<Purpose>,
  work: () => Promise<Result>,
) => Promise<Result>;

interface Waiting {
  begin(): void;
  refuse(error: Error): void;
}

export function createShares<Purpose extends string>(options: SharesOptions<Purpose>): InShare<Purpose> {
  const { runningMax, waitMsMax, shares, refusal, abandonment } = options;
  const queues = new Map<Purpose, Queue>();
  let running = 0;

  return async (place, work) => {
    if (place.signal?.aborted) throw abandonment();
    if (running < runningMax) running++;
    else await turnOf(place);
    try {
      return await work();
    } finally {
      passOn();
    }
  };

  /** Resolves once a place that became free has been passed to this work. */
  function turnOf({ purpose, asker, signal }: SharePlace<Purpose>): Promise<void> {
    const queue = queues.get(purpose) ?? createQueue(shares[purpose]);
    queues.set(purpose, queue);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      queue.remove(asker, waiting);
      waiting.refuse(abandonment());
    };
    const giveUp = () => {
      queue.remove(asker, waiting);
      waiting.refuse(refusal(purpose));
    };
    const timer = setTimeout(giveUp, waitMsMax);
    const settle = <Value>(how: (value: Value) => void) => {
      return (value: Value) => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", leave);
        how(value);
      };
    };
    const waiting: Waiting = { begin: settle(resolve), refuse: settle(reject) };
    const loser = queue.add(asker, waiting);
    signal?.addEventListener("abort", leave, { once: true });
    loser?.refuse(refusal(purpose));
    return promise;
  }

  /** Passes a place that became free to the purpose that has waited longest for its turn. */
  function passOn(): void {
    for (const [purpose, queue] of queues) {
      const next = queue.take();
      if (!next) continue;
      queues.delete(purpose);
      queues.set(purpose, queue);
      next.begin();
      return;
    }
    running--;
  }
}

type Queue = ReturnType<typeof createQueue>;

/**
 * The work that waits for one purpose. Askers are in the order of their turns; an asker without waiting work is left
 * out.
 */
function createQueue({ waitingMax, ofOneMax }: Share) {
  const askers = new Map<string, Waiting[]>();
  let size = 0;

  const remove = (asker: string, waiting: Waiting): void => {
    const own = askers.get(asker);
    const at = own?.indexOf(waiting) ?? -1;
    if (!own || at < 0) return;
    own.splice(at, 1);
    size--;
    if (own.length === 0) askers.delete(asker);
  };

  return {
    remove,

    /** Returns the work that finds no room: another asker's latest, or this very piece; undefined if there is room. */
    add(asker: string, waiting: Waiting): Waiting | undefined {
      const count = askers.get(asker)?.length ?? 0;
      if (count >= ofOneMax) return waiting;
      if (size >= waitingMax) {
        const [greediest, most] = longest();
        const loser = most.at(-1);
        if (!loser || most.length <= count + 1) return waiting;
        remove(greediest, loser);
        push(asker, waiting);
        return loser;
      }
      push(asker, waiting);
      return undefined;
    },

    /** Returns the oldest work of the next asker, who then goes to the end of the line. */
    take(): Waiting | undefined {
      const [first] = askers;
      if (!first) return undefined;
      const [asker, own] = first;
      const next = own.shift();
      size--;
      askers.delete(asker);
      if (own.length > 0) askers.set(asker, own);
      return next;
    },
  };

  function push(asker: string, waiting: Waiting): void {
    const own = askers.get(asker);
    if (own) own.push(waiting);
    else askers.set(asker, [waiting]);
    size++;
  }

  function longest(): [string, Waiting[]] {
    let found: [string, Waiting[]] = ["", []];
    for (const each of askers) if (each[1].length > found[1].length) found = each;
    return found;
  }
}
