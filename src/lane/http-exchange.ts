/**
 * Follows the bytes of a request and its response to detect when both are complete. It understands only messages with
 * a stated length in the plainest syntax. As soon as anything else passes, the end of the exchange is unknown, and
 * stays unknown.
 */
import { CONNECTION, CONTENT_LENGTH, KEEP_ALIVE, REFRAMING_HEADERS } from "./framing";

const HEAD_LENGTH_MAX = 16_384;
const HEADERS = /(?:[\w-]+:[\t\x20-\x7e\x80-\xff]*\r\n)+\r\n$/.source;
/** A path, or a whole URL, which the server behind takes for its path. */
const TARGET = /(?:[Hh][Tt][Tt][Pp][Ss]?:\/)?\/[!-~]*/.source;
const REQUEST = new RegExp(`^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) ${TARGET} HTTP/1\\.1\\r\\n${HEADERS}`);
const ANSWER = new RegExp(`^HTTP/1\\.1 ([2-5]\\d\\d) [\\t\\x20-\\x7e]*\\r\\n${HEADERS}`);
const FRAMING = [...REFRAMING_HEADERS, CONNECTION, CONTENT_LENGTH].join("|");
const FRAMING_HEADER = new RegExp(`\\n(${FRAMING}):[\\t ]*([^\\r]*?)[\\t ]*\\r`, "gi");
const LENGTH = /^\d{1,15}$/;
/** The remaining length of a message whose end cannot be determined. */
const UNKNOWN = Number.NaN;

export class HttpExchange {
  #method = "";
  readonly #request = new Message((head) => {
    const method = REQUEST.exec(head)?.[1];
    if (method === undefined) return UNKNOWN;
    this.#method = method;
    return statedLength(head, 0);
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

  /** True while the end of the exchange is known or can still be determined. */
  get isFollowed(): boolean {
    return !this.#request.isUnknown && !this.#answer.isUnknown;
  }

  /**
   * Takes bytes from the visitor. Returns how many of them belong to this exchange: all of them if its end is
   * unknown.
   */
  ask(bytes: Buffer): number {
    return this.isFollowed ? this.#request.pass(bytes) : bytes.length;
  }

  answer(bytes: Buffer): void {
    if (this.#answer.pass(bytes) < bytes.length) this.#answer.giveUpFollowing();
  }
}

/** A request or a response: a head, then as many body bytes as the head states. */
class Message {
  #head = "";
  /** Bytes still to come; undefined until the head is complete. */
  #left: number | undefined;

  constructor(private readonly lengthOf: (head: string) => number) {}

  get isWhole(): boolean {
    return this.#left === 0;
  }

  get isUnknown(): boolean {
    return Number.isNaN(this.#left);
  }

  giveUpFollowing(): void {
    this.#left = UNKNOWN;
  }

  /** Returns how many of these bytes belong to the message. */
  pass(bytes: Buffer): number {
    const left = this.#left ?? this.#leftByHead(bytes);
    const own = left >= 0 ? Math.min(left, bytes.length) : bytes.length;
    this.#left = left === Number.POSITIVE_INFINITY ? undefined : left - own;
    return own;
  }

  /** Returns how many bytes were still to come before these; infinite until the head is complete. */
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

/**
 * Returns the body length that the head states; `unstated` if it states none, `UNKNOWN` if it has a framing header
 * that is not understood.
 */
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
