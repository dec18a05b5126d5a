/**
 * Work of which only so much may run at once, shared out so that nobody starves anybody else. Each purpose has a share of
 * its own, and the purposes that have work waiting take turns; within a purpose those who ask (an organization, an address)
 * take turns; what one of them asks for runs in the order it came.
 *
 * States of a piece of work: waiting → running → done, or waiting → refused, or waiting → abandoned by who asked. Bounds:
 * `waitingMax` for each purpose and `ofOneMax` for each asker in it. A purpose that is full still takes an asker who has
 * little waiting: the one with the most loses the last piece it brought. Nothing waits longer than `waitMsMax`. A crash
 * loses what waits, and so its answers.
 */
export interface Share {
  waitingMax: number;
  /** Limits one caller. */
  ofOneMax: number;
}

export interface SharesOptions<Purpose extends string> {
  runningMax: number;
  /** Work that has not begun by then is refused, so that whoever asked hears of it before the connection is given up. */
  waitMsMax: number;
  shares: Record<Purpose, Share>;
  /** What is thrown at those there is no room for. */
  refusal(): Error;
  /** What is thrown at those who left before their work began. */
  abandonment(): Error;
}

/** Whose turn it takes. */
export interface SharePlace<Purpose extends string> {
  purpose: Purpose;
  asker: string;
  /** Aborts when nobody waits for the result any more: work that has not begun by then never does. */
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

  /** Resolves when the place that somebody left is this one's. */
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
      waiting.refuse(refusal());
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
    loser?.refuse(refusal());
    return promise;
  }

  /** To the purpose that has waited longest for its turn. */
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

/** What waits for one purpose. Askers stand in the order of their turns; one without work stands nowhere. */
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

    /** Who finds no room for it: another one's latest, or this very piece. */
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

    /** The next asker's oldest; the asker goes to the end of the line. */
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
