/**
 * A cache of at most `entriesMax` entries in two generations. A hit costs one map look-up, or two and a move if the
 * entry is in the older generation. When the younger generation is full, the older one is dropped whole. So every key
 * that was used within the last half of the bound stays, without the bookkeeping of an exact order. A crash loses
 * nothing: it is a cache.
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

/** Copies a key that was cut out of a longer text: a substring keeps the whole text in memory, a copy does not. */
export const ownText = (text: string): string => Buffer.from(text, "utf16le").toString("utf16le");
