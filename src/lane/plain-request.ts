/**
 * Reads the plainest request from the bytes as they came. This is an allow-list, not a parser: whatever it does not know
 * is handed on to one that does. It takes one complete `GET` of HTTP/1 with nothing after it, in printable ASCII, with
 * a host in lower case, no body, no word on the connection but that it stays or closes, and no header twice that is
 * read here.
 */
import { type PlainVisitRequest, VISIT_HEADERS } from "@/core/routing/plain-visit";
import { CONNECTION, CONTENT_LENGTH, KEEP_ALIVE, REFRAMING_HEADERS } from "./framing";

export interface PlainRequest extends PlainVisitRequest {
  /** What its header says of the client's address, if there is such a header. */
  readonly stated: string | null;
  /** The visitor wants the connection closed after the answer. */
  readonly isLast: boolean;
}

export type ReadPlainRequest = (bytes: Buffer) => PlainRequest | undefined;

const BYTES_MAX = 8_192;
/**
 * The whole request. A path or a query may hold neither what URLs escape nor what they cut off; nor is a path written in two
 * ways here.
 */
const REQUEST =
  /^GET (?:\/(?!\.{1,2}[/? ])[\w~!+.-]+)+(?:\?[\w~!$&()*+,;=:@/?%.-]*)? HTTP\/1\.[01]\r\n(?:[\w-]+:[\x20-\x7e]*\r\n)+\r\n$/;
const TARGET_START = "GET ".length;
const VERSION_LENGTH = " HTTP/1.1".length;
/** Some of these are written in another way in a URL; no link has such an address, so that none is found. */
const HOST = /^[a-z0-9.-]+(?::(?!80$)[1-9]\d*)?$/;
const SPACE = 0x20;
const ZERO = 0x30;
const CLOSE = "close";

/** They say how long a request is, what becomes of the connection, or ask for an answer of another kind. */
const HANDED_ON = [...REFRAMING_HEADERS, CONTENT_LENGTH, "range", "content-encoding", "content-type"];

export function readsPlainRequests(clientIpHeader: string | null): ReadPlainRequest {
  const names = [
    "host",
    CONNECTION,
    ...VISIT_HEADERS,
    ...(clientIpHeader === null ? [] : [clientIpHeader.toLowerCase()]),
  ];
  const places = new Map(names.map((name, place) => [name, place]));
  const statedPlace = clientIpHeader === null ? -1 : names.length - 1;
  const known = knownNames([...names, ...HANDED_ON]);

  return (bytes) => {
    if (bytes.length > BYTES_MAX) return undefined;
    const text = bytes.toString("latin1");
    if (!REQUEST.test(text)) return undefined;
    const lineEnd = text.indexOf("\r");
    const values = headersOf(text, lineEnd + 2);
    const host = values?.[0];
    if (values === undefined || host === undefined || !HOST.test(host)) return undefined;
    const connection = values[1];
    if (connection !== undefined && connection !== KEEP_ALIVE && connection !== CLOSE) return undefined;
    const targetEnd = lineEnd - VERSION_LENGTH;
    const mark = text.indexOf("?", TARGET_START);
    const pathEnd = mark < 0 || mark > targetEnd ? targetEnd : mark;
    return {
      method: "GET",
      headers: new PlainHeaders(places, values),
      stated: values[statedPlace] ?? null,
      isLast: text.charCodeAt(lineEnd - 1) === ZERO || connection === CLOSE,
      key: host + text.slice(TARGET_START, pathEnd),
      query: text.slice(pathEnd + 1, targetEnd),
    };
  };

  /** By their places. Undefined where one is not known to be harmless. */
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

/** Which of these names stands here, in any letters: its place among them; -1 for none. */
function knownNames(names: readonly string[]): KnownNames {
  const places = new Map(names.map((name, place) => [name, place]));
  const likely = new Uint8Array(LOOKS).fill(NO_NAME);
  names.forEach((name, place) => {
    likely[looks(name, 0, name.length)] = place;
  });
  /** As most write it. */
  const written = names.map((name) => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()));
  return (text, at, end) => {
    const place = likely[looks(text, at, end)] ?? NO_NAME;
    if (place === NO_NAME) return -1;
    const isPlain =
      names[place]?.length === end - at && (stands(written[place], text, at) || stands(names[place], text, at));
    return isPlain ? place : (places.get(text.slice(at, end).toLowerCase()) ?? -1);
  };
}

const stands = (name: string | undefined, text: string, at: number): boolean =>
  name !== undefined && text.startsWith(name, at);

/** Most headers are told from those that matter without being read. */
const looks = (text: string, at: number, end: number): number =>
  ((end - at) * 67 + (text.charCodeAt(at) & 31) * 5 + (text.charCodeAt(end - 1) & 31) * 31) & (LOOKS - 1);
const LOOKS = 2_048;
const NO_NAME = 255;
