/**
 * The operator's list of hosts and URLs that no link may lead to: a text file, one entry a line, `#` begins a comment.
 *
 *   evil.example             the host alone
 *   *.evil.example           every name beneath it, and it itself
 *   https://host/path        every URL that begins so, by http and https alike
 *
 * It is read at start, which fails without it, and looked at every two seconds (`watched-file`); until a new list is read,
 * and when that fails, the former one answers. Each list has a number, `generation`. Bounds: `BYTES_MAX` of file,
 * `ENTRIES_MAX` entries (a larger file is not taken, rather than half of it), `URL_LENGTH_MAX` a line. Lines that are no
 * entry are left out and counted. Reading yields every
 * `BLOCK_BYTES`, so that requests are answered meanwhile. A crash loses nothing.
 */
import { checkHostname } from "@/core/names/hostname";
import { subjectHostOf } from "@/core/safety/subject";
import { watchFile } from "../watched-file";

const LOOK_EVERY_MS = 2_000;
const BYTES_MAX = 64 * 1024 ** 2;
const ENTRIES_MAX = 1_000_000;
const URL_LENGTH_MAX = 2_048;
/** What is kept of a line, comment included. */
const LINE_LENGTH_MAX = 2 * URL_LENGTH_MAX;
/** About a millisecond's work. */
const BLOCK_BYTES = 64 * 1024;
/** A host name as it is kept, which needs no URL parser to tell. */
const PLAIN_HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/;

export interface Blocklist {
  /** The entry that names the URL. Asks nobody: a look-up a label of the host, and a binary search for prefixes. */
  find(url: URL): string | undefined;
  /** Grows with every list that was read. */
  readonly generation: number;
  /** When the list was read, Unix milliseconds. */
  readonly readAt: number;
}

/** The file is no list that is taken. */
class BlocklistError extends Error {
  override name = "BlocklistError";
}

export interface BlocklistFacts {
  entries: number;
  /** Lines that are no entry. */
  skipped: number;
}

export interface BlocklistOptions {
  /** For tests. */
  lookEveryMs?: number;
  entriesMax?: number;
  onRead?(outcome: BlocklistFacts | Error): void;
}

/** Rejects when the file cannot be read. */
export async function openBlocklist(path: string, options: BlocklistOptions = {}): Promise<Blocklist & Disposable> {
  const { lookEveryMs = LOOK_EVERY_MS, entriesMax = ENTRIES_MAX, onRead } = options;
  let entries = new Entries(0);
  let generation = 0;
  let readAt = 0;
  const watch = await watchFile(path, {
    everyMs: lookEveryMs,
    read: (file) => readEntries(file, entriesMax),
    onContent(content) {
      entries = content;
      generation += 1;
      readAt = Date.now();
      onRead?.(entries.facts());
    },
    onFault: (error) => onRead?.(error),
  });
  return {
    find: (url) => entries.find(url),
    get generation() {
      return generation;
    },
    get readAt() {
      return readAt;
    },
    [Symbol.dispose]: () => watch[Symbol.dispose](),
  };
}

class Entries {
  #hosts = new Set<string>();
  #trees = new Set<string>();
  /** Maps a host to its sorted prefixes; none is a prefix of another. */
  #prefixes = new Map<string, string[]>();
  #count = 0;
  #skipped = 0;

  constructor(readonly entriesMax: number) {}

  add(line: string): void {
    const text = (/^[^#]*/.exec(line)?.[0] ?? "").trim();
    if (text === "") return;
    if (!this.#take(text)) {
      this.#skipped += 1;
      return;
    }
    this.#count += 1;
    if (this.#count > this.entriesMax) throw new BlocklistError(`It has more than ${this.entriesMax} entries`);
  }

  #take(text: string): boolean {
    if (text.length > URL_LENGTH_MAX) return false;
    if (/^https?:\/\//i.test(text)) return this.#takePrefix(text);
    const isTree = text.startsWith("*.");
    const host = keptHost(isTree ? text.slice(2) : text);
    if (host !== undefined) (isTree ? this.#trees : this.#hosts).add(host);
    return host !== undefined;
  }

  #takePrefix(text: string): boolean {
    const url = URL.parse(text);
    if (!url) return false;
    const host = subjectHostOf(url);
    const prefixes = this.#prefixes.get(host);
    if (prefixes) prefixes.push(urlKey(url));
    else this.#prefixes.set(host, [urlKey(url)]);
    return true;
  }

  /** To be called once all are added. */
  async settle(): Promise<this> {
    for (const [host, prefixes] of this.#prefixes) {
      if (prefixes.length > 1) this.#prefixes.set(host, withoutCovered(prefixes));
      if (prefixes.length > 1_000) await Bun.sleep(0);
    }
    return this;
  }

  find(url: URL): string | undefined {
    const host = subjectHostOf(url);
    if (this.#hosts.has(host)) return host;
    for (let name = host; name !== ""; name = beneathNext(name)) if (this.#trees.has(name)) return `*.${name}`;
    const prefix = lastUpTo(this.#prefixes.get(host) ?? [], urlKey(url));
    return prefix !== undefined && urlKey(url).startsWith(prefix) ? `https:${prefix}` : undefined;
  }

  facts = (): BlocklistFacts => ({ entries: this.#count, skipped: this.#skipped });
}

async function readEntries(path: string, entriesMax: number): Promise<Entries> {
  const entries = new Entries(entriesMax);
  const decoder = new TextDecoder();
  let bytes = 0;
  let rest = "";
  for await (const part of Bun.file(path).stream()) {
    bytes += part.length;
    if (bytes > BYTES_MAX) throw new BlocklistError(`It is larger than ${BYTES_MAX} bytes`);
    for (let at = 0; at < part.length; at += BLOCK_BYTES) {
      const block = part.subarray(at, at + BLOCK_BYTES);
      const lines = (rest + decoder.decode(block, { stream: true })).split("\n");
      rest = (lines.pop() ?? "").slice(0, LINE_LENGTH_MAX);
      for (const line of lines) entries.add(line);
      await Bun.sleep(0);
    }
  }
  entries.add(rest + decoder.decode());
  return entries.settle();
}

/** Addresses are hosts, too. */
function keptHost(text: string): string | undefined {
  const host = text.toLowerCase().replace(/\.+$/, "");
  if (PLAIN_HOST.test(host)) return host;
  const checked = checkHostname(host);
  if (checked.ok) return checked.hostname;
  const isAddress = /^\d+\.\d+\.\d+\.\d+$/.test(host) || (host.includes(":") && /^[\da-f:.]+$/.test(host));
  const url = isAddress ? URL.parse(`http://${host.includes(":") ? `[${host}]` : host}`) : null;
  return url ? subjectHostOf(url) : undefined;
}

/**
 * What prefixes are compared by: without scheme and fragment, with the port where there is one. Escapes are as RFC 3986,
 * 6.2.2, has them: servers take `/%62ad` for `/bad`, so that it must not get past the list.
 */
const urlKey = (url: URL): string => {
  const port = url.port && `:${url.port}`;
  return `//${subjectHostOf(url)}${port}${`${url.pathname}${url.search}`.replaceAll(/%[\da-f]{2}/gi, plainEscape)}`;
};

function plainEscape(escaped: string): string {
  const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : escaped.toUpperCase();
}

const beneathNext = (name: string): string => {
  const dot = name.indexOf(".");
  return dot === -1 ? "" : name.slice(dot + 1);
};

function withoutCovered(prefixes: string[]): string[] {
  const kept: string[] = [];
  for (const prefix of prefixes.sort(byCode)) {
    const last = kept.at(-1);
    if (last === undefined || !prefix.startsWith(last)) kept.push(prefix);
  }
  return kept;
}

/** The last of the sorted that does not come after `text`: as none is the beginning of another, the only one it can begin with. */
function lastUpTo(sorted: readonly string[], text: string): string | undefined {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? "") <= text) low = middle + 1;
    else high = middle;
  }
  return sorted[low - 1];
}

const byCode = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
