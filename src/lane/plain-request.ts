/**
 * Reads the plainest requests directly from their bytes. This is an allow-list, not a parser: any request it does not
 * recognize is handed on to the HTTP server. It accepts one complete HTTP/1 `GET` with nothing after it, in printable
 * ASCII, with a lower-case host, without a body, with no `Connection` value but `close` or, in any case, `keep-alive`,
 * and with no repetition of a header that is read here.
 */
import { type PlainVisitRequest, VISIT_HEADERS } from "@/core/routing/plain-visit";
import { CONNECTION, CONTENT_LENGTH, KEEP_ALIVE, REFRAMING_HEADERS } from "./framing";

export interface PlainRequest extends PlainVisitRequest {
  /** The value of the header that states the client's address; null if there is none. */
  readonly stated: string | null;
  /** True if the visitor wants the connection closed after the response. */
  readonly isLast: boolean;
}

export type ReadPlainRequest = (bytes: Buffer) => PlainRequest | undefined;

const BYTES_MAX = 8_192;
/**
 * Matches a whole request. It excludes characters that a URL parser would escape or cut off, and every path that can
 * be spelled in two ways.
 */
const REQUEST =
  /^GET (?:\/(?!\.{1,2}[/? ])[\w~!+.-]+)+(?:\?[\w~!$&()*+,;=:@/?%.-]*)? HTTP\/1\.[01]\r\n(?:[\w-]+:[\x20-\x7e]*\r\n)+\r\n$/;
const TARGET_START = "GET ".length;
const VERSION_LENGTH = " HTTP/1.1".length;
/** Matches some hosts that a URL parser would rewrite. No link has such an address, so none is found for them. */
const HOST = /^[a-z0-9.-]+(?::(?!80$)[1-9]\d*)?$/;
const SPACE = 0x20;
const ZERO = 0x30;
const CLOSE = "close";
const isKeepAlive = (value: string): boolean => value === KEEP_ALIVE || value.toLowerCase() === KEEP_ALIVE;

/**
 * Headers that determine how long a request is or what happens to its connection, or that ask for another kind of
 * response. A request with any of them is handed on.
 */
const FORWARDED_HEADERS = [...REFRAMING_HEADERS, CONTENT_LENGTH, "range", "content-encoding", "content-type"];

export function readsPlainRequests(clientIpHeader: string | null): ReadPlainRequest {
  const names = [
    "host",
    CONNECTION,
    ...VISIT_HEADERS,
    ...(clientIpHeader === null ? [] : [clientIpHeader.toLowerCase()]),
  ];
  const places = new Map(names.map((name, place) => [name, place]));
  const statedPlace = clientIpHeader === null ? -1 : names.length - 1;
  const known = knownNames([...names, ...FORWARDED_HEADERS]);

  return (bytes) => {
    if (bytes.length > BYTES_MAX) return undefined;
    const text = bytes.toString("latin1");
    if (!REQUEST.test(text)) return undefined;
    const lineEnd = text.indexOf("\r");
    const values = headersOf(text, lineEnd + 2);
    const host = values?.[0];
    if (values === undefined || host === undefined || !HOST.test(host)) return undefined;
    const connection = values[1];
    if (connection !== undefined && connection !== CLOSE && !isKeepAlive(connection)) return undefined;
    const targetEnd = lineEnd - VERSION_LENGTH;
    const mark = text.indexOf("?", TARGET_START);
    const pathEnd = mark < 0 || mark > targetEnd ? targetEnd : mark;
    return {
      method: "GET",
      headers: new PlainHeaders(places, values),
      stated: values[statedPlace] ?? null,
      isLast: text.charCodeAt(lineEnd - 1) === ZERO || connection === CLOSE,
      host,
      path: text.slice(TARGET_START, pathEnd),
      query: text.slice(pathEnd + 1, targetEnd),
    };
  };

  /**
   * Returns the values of the headers in `names`, by position. Returns undefined if the request has a header of
   * `FORWARDED_HEADERS`, or one of `names` twice or with surplus spaces.
   */
  function headersOf(text: string, start: number): Values | undefined {
    const values: Values = new Array(names.length);
    const last = text.length - 2;
    for (let at = start; at < last; ) {
      const end = text.indexOf("\r", at);
      const colon = text.indexOf(":", at);
      const place = known(text, at, colon);
      if (place >= names.length) return undefined;
      if (place >= 0) {
        const from = text.charCodeAt(colon + 1) === SPACE ? colon + 2 : colon + 1;
        const isTrimmed = text.charCodeAt(from) !== SPACE && text.charCodeAt(end - 1) !== SPACE;
        if (values[place] !== undefined || !isTrimmed) return undefined;
        values[place] = text.slice(from, end);
      }
      at = end + 2;
    }
    return values;
  }
}

type Values = (string | undefined)[];

class PlainHeaders {
  constructor(
    private readonly places: ReadonlyMap<string, number>,
    private readonly values: Values,
  ) {}

  get(name: string): string | null {
    return this.values[this.places.get(name) ?? -1] ?? null;
  }
}

type KnownNames = (text: string, at: number, end: number) => number;

/**
 * Returns a function that tells which of these names stands at a place in the text, in any case: its index, or -1 for
 * none.
 */
function knownNames(names: readonly string[]): KnownNames {
  const places = new Map(names.map((name, place) => [name, place]));
  const likely = new Uint8Array(LOOKS).fill(NO_NAME);
  names.forEach((name, place) => {
    likely[nameHash(name, 0, name.length)] = place;
  });
  /** The most common spelling, in which each word is capitalized. */
  const written = names.map((name) => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()));
  return (text, at, end) => {
    const place = likely[nameHash(text, at, end)] ?? NO_NAME;
    if (place === NO_NAME) return -1;
    const isPlain =
      names[place]?.length === end - at && (isAt(written[place], text, at) || isAt(names[place], text, at));
    return isPlain ? place : (places.get(text.slice(at, end).toLowerCase()) ?? -1);
  };
}

const isAt = (name: string | undefined, text: string, at: number): boolean =>
  name !== undefined && text.startsWith(name, at);

/** A hash of a name's length and of its first and last letter. It rules out most headers without reading them. */
const nameHash = (text: string, at: number, end: number): number =>
  ((end - at) * 67 + (text.charCodeAt(at) & 31) * 5 + (text.charCodeAt(end - 1) & 31) * 31) & (LOOKS - 1);
const LOOKS = 2_048;
const NO_NAME = 255;
