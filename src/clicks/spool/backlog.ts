/** Counts the bytes of a spool that Postgres does not have yet: what its segments hold past the applied position. */
export interface Backlog {
  readonly bytes: number;
  add(sequence: number, bytes: number): void;
  /** Marks everything before this position as applied. */
  settle(sequence: number, position: number): void;
}

export function createBacklog(): Backlog {
  const waiting = new Map<number, { bytes: number; applied: number }>();
  let total = 0;

  const add = (sequence: number, bytes: number) => {
    const segment = waiting.get(sequence) ?? { bytes: 0, applied: 0 };
    segment.bytes += bytes;
    total += bytes;
    waiting.set(sequence, segment);
  };
  const settle = (sequence: number, position: number) => {
    for (const [number, segment] of waiting) {
      const applied = number < sequence ? segment.bytes : number === sequence ? position : segment.applied;
      total -= applied - segment.applied;
      segment.applied = applied;
      if (number < sequence) waiting.delete(number);
    }
  };

  return {
    get bytes() {
      return total;
    },
    add,
    settle,
  };
}
