/**
 * Follows a request and its answer as their bytes pass, to tell when both are over. It knows messages of a stated length
 * alone, written as plainly as can be: of whatever else passes nobody here knows where it ends, and it stays so.
 */
import { CONNECTION, CONTENT_LENGTH, KEEP_ALIVE, REFRAMING_HEADERS } from "./framing";

const HEAD_LENGTH_MAX = 16_384;
const HEADERS = /(?:[\w-]+:[\t\x20-\x7e\x80-\xff]*\r\n)+\r\n$/.source;
const REQUEST = new RegExp(`^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) /[!-~]* HTTP/1\\.1\\r\\n${HEADERS}`);
const ANSWER = new RegExp(`^HTTP/1\\.1 ([2-5]\\d\\d) [\\t\\x20-\\x7e]*\\r\\n${HEADERS}`);
const FRAMING = [...REFRAMING_HEADERS, CONNECTION, CONTENT_LENGTH].join("|");
const FRAMING_HEADER = new RegExp(`\\n(${FRAMING}):[\\t ]*([^\\r]*?)[\\t ]*\\r`, "gi");
const LENGTH = /^\d{1,15}$/;
/** Of what ends nobody knows where. */
const UNKNOWN = Number.NaN;

export class HttpExchange {
  #method = "";
  readonly #request = new Message((head) => {
    const method = REQUEST.exec(head)?.[1];
    if (method === undefined) return UNKNOWN;
    this.#method = method;
    const length = statedLength(head, 0);
    return length > 0 && (method === "GET" || method === "HEAD") ? UNKNOWN : length;
  });
  readonly #answer = new Message((head) => {
    const status = ANSWER.exec(head)?.[1];
    if (status === undefined) return UNKNOWN;
    const isEmpty = this.#method === "HEAD" || status === "204" || status === "304";
    const length = statedLength(head, isEmpty ? 0 : UNKNOWN);
    return isEmpty && length >= 0 ? 0 : length;
  });

  get isOver(): boolean {
    return this.#request.isWhole && this.#answer.isWhole;
  }

  /** Whether its end is known, or will be. */
  get isFollowed(): boolean {
    return !this.#request.isUnknown && !this.#answer.isUnknown;
  }

  /** Bytes from the visitor. Returns how many of them are this exchange's: all, where its end is not known. */
  ask(bytes: Buffer): number {
    return this.isFollowed ? this.#request.pass(bytes) : bytes.length;
  }

  answer(bytes: Buffer): void {
    if (this.#answer.pass(bytes) < bytes.length) this.#answer.lose();
  }
}

/** Its head, and then as many bytes as that states. */
class Message {
  #head = "";
  /** Undefined until its head is whole. */
  #left: number | undefined;

  constructor(private readonly lengthOf: (head: string) => number) {}

  get isWhole(): boolean {
    return this.#left === 0;
  }

  get isUnknown(): boolean {
    return Number.isNaN(this.#left);
  }

  lose(): void {
    this.#left = UNKNOWN;
  }

  /** Returns how many of these bytes are its own. */
  pass(bytes: Buffer): number {
    const left = this.#left ?? this.#leftByHead(bytes);
    const own = left >= 0 ? Math.min(left, bytes.length) : bytes.length;
    this.#left = left === Number.POSITIVE_INFINITY ? undefined : left - own;
    return own;
  }

  /** As seen before these bytes. Infinite until the head is whole. */
  #leftByHead(bytes: Buffer): number {
    const before = this.#head.length;
    this.#head += bytes.toString("latin1", 0, HEAD_LENGTH_MAX - before);
    const end = this.#head.indexOf("\r\n\r\n") + 4;
    if (end < 4) return this.#head.length < HEAD_LENGTH_MAX ? Number.POSITIVE_INFINITY : UNKNOWN;
    const length = this.lengthOf(this.#head.slice(0, end));
    this.#head = "";
    return end - before + length;
  }
}

/** Of its body; `unstated` without a header that states it. */
function statedLength(head: string, unstated: number): number {
  let length: number | undefined;
  for (const [, written = "", value = ""] of head.matchAll(FRAMING_HEADER)) {
    const name = written.toLowerCase();
    if (name === CONNECTION && value.toLowerCase() === KEEP_ALIVE) continue;
    if (name !== CONTENT_LENGTH || length !== undefined || !LENGTH.test(value)) return UNKNOWN;
    length = Number(value);
  }
  return length ?? unstated;
}
