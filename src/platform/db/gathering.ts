/**
 * Does small pieces of work of the same kind together. The first piece begins at once; what arrives in the meantime
 * waits, and is then done in one call. So a client that asks for one thing at a time waits no longer than without this,
 * and many that ask at once share the costs of a call.
 *
 * A call that takes long, such as one that waits for a lock, holds up only what is part of it: after `patienceMs` the
 * next call begins. If a call fails because of one of its pieces, each is tried by itself.
 *
 * A crash loses what waits.
 */
export interface GatheringOptions<Piece, Outcome> {
  /**
   * Returns the outcome of each piece, in order, or the promise of one for a piece that takes more than the call. All
   * pieces have the same key.
   */
  doAll(pieces: readonly Piece[]): Promise<readonly (Outcome | Promise<Outcome>)[]>;
  /** Whether what failed left no trace, and may have failed because of a single piece. */
  mayTryAlone(error: unknown): boolean;
  /** Most pieces in one call. */
  piecesMax: number;
  patienceMs: number;
}

interface Waiting<Piece, Outcome> extends Omit<PromiseWithResolvers<Outcome>, "promise"> {
  piece: Piece;
}

/** What it returns does a piece of work, together with others of the same key. */
export function gatherPieces<Piece, Outcome>(options: GatheringOptions<Piece, Outcome>) {
  const { doAll, mayTryAlone, piecesMax, patienceMs } = options;
  /** By key, while pieces of that key are being done. */
  const waiting = new Map<string, Waiting<Piece, Outcome>[]>();

  return (key: string, piece: Piece): Promise<Outcome> => {
    const { promise, ...settling } = Promise.withResolvers<Outcome>();
    const one = { piece, ...settling };
    const others = waiting.get(key);
    if (others) others.push(one);
    else {
      const queue = [one];
      waiting.set(key, queue);
      void serve(key, queue);
    }
    return promise;
  };

  async function serve(key: string, queue: Waiting<Piece, Outcome>[]): Promise<void> {
    while (queue.length > 0) await orImpatient(settle(queue.splice(0, piecesMax)));
    waiting.delete(key);
  }

  /** Never rejects. */
  async function settle(pieces: readonly Waiting<Piece, Outcome>[]): Promise<void> {
    try {
      const outcomes = await doAll(pieces.map(({ piece }) => piece));
      for (const [place, { resolve }] of pieces.entries()) resolve(outcomes[place] as Outcome | Promise<Outcome>);
    } catch (error) {
      if (pieces.length > 1 && mayTryAlone(error)) await Promise.all(pieces.map((one) => settle([one])));
      else for (const { reject } of pieces) reject(error);
    }
  }

  async function orImpatient(work: Promise<void>): Promise<void> {
    const impatient = Promise.withResolvers<void>();
    const timer = setTimeout(impatient.resolve, patienceMs);
    await Promise.race([work, impatient.promise]);
    clearTimeout(timer);
  }
}
