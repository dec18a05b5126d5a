/**
 * What each key has taken recently, as far as this process knows. A key's window begins with its first take and ends
 * by the clock; the next take begins another one.
 *
 * Windows are kept in two generations. New windows go into the younger one. Once that is as old as a window is long,
 * all windows of the older generation have ended, and it is dropped whole, at no cost per key. If the younger one
 * fills up first (half of `keysMax`), the older one is dropped as well, and its keys start again from zero: memory
 * stays bounded whatever keys arrive. When the clock is set back, windows that would now end later than any that could
 * begin have ended, too: otherwise a key at its limit would stay locked out. A crash loses the counts of the current
 * windows.
 */
export interface Window {
  /** What this process has taken. */
  own: number;
  /** The part of `own` that the shared count is known to include. */
  confirmed: number;
  /** What other processes had taken when the shared count was last read. */
  others: number;
  /** Unix milliseconds. */
  endsAt: number;
}

export interface Windows {
  /** Returns the key's current window; undefined if it has none. */
  find(key: string, now: number): Window | undefined;
  /** As `find`, but begins a window if there is none. */
  open(key: string, now: number): Window;
  readonly size: number;
}

export function createWindows(windowMs: number, keysMax: number): Windows {
  const generationMax = Math.max(1, Math.floor(keysMax / 2));
  let young = new Map<string, Window>();
  let old = new Map<string, Window>();
  let youngSince = Number.NEGATIVE_INFINITY;

  const find = (key: string, now: number): Window | undefined => {
    const window = young.get(key) ?? old.get(key);
    return window !== undefined && window.endsAt > now && window.endsAt <= now + 2 * windowMs ? window : undefined;
  };

  const open = (key: string, now: number): Window => {
    const found = find(key, now);
    if (found) return found;
    if (young.size >= generationMax || Math.abs(now - youngSince) >= windowMs) {
      old = young;
      young = new Map();
      youngSince = now;
    }
    const window = { own: 0, confirmed: 0, others: 0, endsAt: now + windowMs };
    young.set(key, window);
    return window;
  };

  return {
    find,
    open,
    get size() {
      return young.size + old.size;
    },
  };
}
