/**
 * What each key has taken lately, as this process knows it. A key's window begins with its first take and ends by the
 * clock; another one begins with the next take.
 *
 * Windows are kept in two generations. The younger one takes what begins; once it is as old as a window lasts, all of the
 * older one has ended and is dropped whole, which costs nothing per key. When the younger one is full first (half of
 * `keysMax`), the older one goes as well, and who is in it begins anew: so memory stays bounded whoever comes. A crash
 * forgets the counts of a window.
 */
export interface Window {
  /** Counts what this process has taken. */
  own: number;
  /** Of these, what the shared count is known to include. */
  confirmed: number;
  /** Counts what other processes had taken when last heard of. */
  others: number;
  /** Unix milliseconds. */
  endsAt: number;
}

export interface Windows {
  /** The window a key is in; undefined before its first take. */
  find(key: string, now: number): Window | undefined;
  /** The same, begun when there is none. */
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
    return window !== undefined && window.endsAt > now ? window : undefined;
  };

  const open = (key: string, now: number): Window => {
    const found = find(key, now);
    if (found) return found;
    if (young.size >= generationMax || now - youngSince >= windowMs) {
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
