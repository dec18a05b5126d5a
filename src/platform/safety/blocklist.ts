/**
 * The operator's list of hosts and URLs that no link may lead to: a text file with one entry per line; `#` begins a
 * comment.
 *
 *   evil.example             only this host
 *   *.evil.example           this host and every name beneath it
 *   https://host/path        every URL that begins with this, whether http or https
 *
 * It is read at start, which fails if it cannot be read, and checked every two seconds (`watched-file`). Until a new
 * list has been read, and if that fails, the previous one is used. Each list has a number, `generation`. Bounds:
 * `BYTES_MAX` of file, `ENTRIES_MAX` entries (a larger file is refused, rather than half of it taken),
 * `URL_LENGTH_MAX` characters per entry. Lines that are not valid entries are skipped and counted. Reading yields
 * every `BLOCK_BYTES`, and sorting as `sorted-prefixes` says, so that requests are served meanwhile. A crash loses
 * nothing.
 */
import { checkHostname } from "@/core/names/hostname";
import { subjectHostOf } from "@/core/safety/subject";
import { watchFile } from "../watched-file";
import { sortedPrefixes, Turns } from "./sorted-prefixes";

const LOOK_EVERY_MS = 2_000;
const BYTES_MAX = 64 * 1024 ** 2;
const ENTRIES_MAX = 1_000_000;
const URL_LENGTH_MAX = 2_048;
/** Characters that are kept of an unfinished line, including its comment. */
const LINE_LENGTH_MAX = 2 * URL_LENGTH_MAX;
/** About a millisecond's work. */
const BLOCK_BYTES = 64 * 1024;
/** Matches a host name that is in its stored form, as far as can be told without a URL parser. */
const PLAIN_HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/;

export interface Blocklist {
  /**
   * Returns the entry that matches the URL. Works in memory: one look-up per label of the host, and a binary search
   * for prefixes.
   */
  find(url: URL): string | undefined;
  /** Incremented with every list that is read. */
  readonly generation: number;
  /** When the list was read, in Unix milliseconds. */
  readonly readAt: number;
}

/** The file is not a list that can be taken. */
class BlocklistError extends Error {
  override name = "BlocklistError";
}

export interface BlocklistFacts {
  entries: number;
  /** Lines that are not valid entries. */
  skipped: number;
}

export interface BlocklistOptions {
  /** For tests. */
  lookEveryMs?: number;
  entriesMax?: number;
  onRead?(outcome: BlocklistFacts | Error): void;
}

/** Rejects if the file cannot be read or is too large. */
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
    if (this.#count > this.entriesMax) throw new BlocklistError(`The file has more than ${this.entriesMax} entries`);
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

  /** Must be called once all entries are added. */
  async settle(): Promise<this> {
    const turns = new Turns();
    for (const [host, prefixes] of this.#prefixes) {
      if (prefixes.length > 1) this.#prefixes.set(host, await sortedPrefixes(prefixes, turns));
    }
    return this;
  }

  find(url: URL): string | undefined {
    const host = subjectHostOf(url);
    if (this.#hosts.has(host)) return host;
    for (let name = host; name !== ""; name = parentDomain(name)) if (this.#trees.has(name)) return `*.${name}`;
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
    if (bytes > BYTES_MAX) throw new BlocklistError(`The file is larger than ${BYTES_MAX} bytes`);
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

/** Returns the host in its stored form; undefined if it is not valid. IP addresses are hosts, too. */
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
 * Returns the form in which prefixes are compared: without scheme and fragment, with the port if there is one.
 * Escapes are normalized as in RFC 3986, 6.2.2: servers take `/%62ad` for `/bad`, so that it must not get past the
 * list.
 */
const urlKey = (url: URL): string => {
  const port = url.port && `:${url.port}`;
  return `//${subjectHostOf(url)}${port}${`${url.pathname}${url.search}`.replaceAll(/%[\da-f]{2}/gi, plainEscape)}`;
};

function plainEscape(escaped: string): string {
  const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : escaped.toUpperCase();
}

const parentDomain = (name: string): string => {
  const dot = name.indexOf(".");
  return dot === -1 ? "" : name.slice(dot + 1);
};

/**
 * Returns the last of the sorted texts that does not come after `text`. None is the beginning of another, so that is
 * the only one that `text` can begin with.
 */
function lastUpTo(sorted: readonly string[], text: string): string | undefined {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? "") <= text) low = middle + 1;
    else high = middle;
  }
  return sorted[low - 1];
}
