/**
 * Notices that the pages of a list go round in a circle, however long, with Brent's algorithm: it remembers one place at
 * a time, the next one after twice as many steps.
 */
export interface PassedPlace {
  place: string;
  /** Steps since then. */
  steps: number;
  /** Steps after which another place is remembered. */
  stepsMax: number;
}

/** Returns what to remember at this place, or undefined if the list has come back to the one that it remembered. */
export function passing(passed: PassedPlace | undefined, place: string): PassedPlace | undefined {
  if (passed === undefined) return { place, steps: 0, stepsMax: 2 };
  if (passed.place === place) return undefined;
  const steps = passed.steps + 1;
  return steps < passed.stepsMax ? { ...passed, steps } : { place, steps: 0, stepsMax: passed.stepsMax * 2 };
}
