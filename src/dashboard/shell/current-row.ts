import { useState } from "react";

interface Chosen {
  place: number;
  key?: string | undefined;
  /** Key of the row that was selected before it went. */
  gone?: string | undefined;
}

/**
 * The row selected by keyboard: its place, -1 for none, and how to move on. It stays selected when rows appear before
 * it. When it goes, the next one takes its place, until it comes back.
 */
export function useCurrentRow<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): [current: number, step: (by: number) => void] {
  const [before, setChosen] = useState<Chosen>({ place: -1 });
  const keys = rows.map(keyOf);
  const chosen = followed(before, keys);
  if (chosen !== before) setChosen(chosen);
  const step = (by: number) => {
    const place = Math.max(0, Math.min(keys.length - 1, chosen.place + by));
    setChosen({ place, key: keys[place] });
  };
  return [keys.length === 0 ? -1 : chosen.place, step];
}

function followed(chosen: Chosen, keys: readonly string[]): Chosen {
  const { place, key, gone } = chosen;
  if (place < 0 || keys.length === 0) return chosen;
  if (gone !== undefined && keys.includes(gone)) return { place: keys.indexOf(gone), key: gone };
  const found = key === undefined ? -1 : keys.indexOf(key);
  if (found >= 0) return found === place ? chosen : { ...chosen, place: found };
  const next = Math.min(place, keys.length - 1);
  return { place: next, key: keys[next], gone: key };
}
