/** Finds values of a batch that have no number yet, and defines which values always have one. */
import { CLICK_DIMENSIONS, REST_VALUE } from "../dimensions";
import type { FigureValue } from "../values";
import type { Tally } from "./tally";
import { isOpenEnded } from "./value-bound";

interface Stranger extends FigureValue {
  count: number;
}

export function unnumberedOf(
  { values, counts }: Tally,
  all: readonly FigureValue[],
  isUnknown: readonly boolean[],
): Stranger[] {
  const strangers: Stranger[] = [];
  values.forEach((number, index) => {
    const value = isUnknown[number] ? all[number] : undefined;
    if (value) strangers.push({ ...value, count: counts[index] ?? 0 });
  });
  return strangers;
}

/**
 * Values that always have room, and so always have a number. A blank value has none in dimensions that do not count
 * it.
 */
export const FREE_VALUES = Object.values(CLICK_DIMENSIONS)
  .filter(({ isOpenEnded }) => isOpenEnded)
  .flatMap(({ code, countsBlank }) =>
    (countsBlank ? ["", REST_VALUE] : [REST_VALUE]).map((value) => ({ code, value })),
  );

export const isAlwaysNumbered = ({ code, value }: FigureValue) =>
  !isOpenEnded(code) || value === "" || value === REST_VALUE;
