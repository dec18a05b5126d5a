/**
 * Caches at most `entriesMax` entries in two generations. A hit costs one map lookup, or two and a move when the entry
 * is of the older generation; when the younger one is full, the older is dropped whole. So whatever was asked for within
 * the last half of the bound stays, without the bookkeeping of an exact order. A crash loses nothing: it is a cache.
 */
export interface BoundedMap<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  clear(): void;
  readonly size: number;
}

export function createBoundedMap<Key, Value>(entriesMax: number): BoundedMap<Key, Value> {
  const generationMax = Math.max(1, Math.floor(entriesMax / 2));
  let young = new Map<Key, Value>();
  let old = new Map<Key, Value>();

  const set = (key: Key, value: Value) => {
    if (young.size >= generationMax && !young.has(key)) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
  };
  const promote = (key: Key): Value | undefined => {
    const value = old.get(key);
    if (value !== undefined) set(key, value);
    return value;
  };

  return {
    get: (key) => young.get(key) ?? promote(key),
    set,
    delete: (key) => {
      young.delete(key);
      old.delete(key);
    },
    clear: () => {
      young = new Map();
      old = new Map();
    },
    get size() {
      return young.size + old.size;
    },
  };
}

/** For a key that was cut out of a text: a part of a text keeps the whole in memory, a copy does not. */
export const ownText = (text: string): string => Buffer.from(text, "utf16le").toString("utf16le");
