/** One conversation over a socket of its own: what is written in which pieces, and all that comes back. */
import { connect, type Socket } from "node:net";
import type { Part } from "./requests";

export interface Pace {
  /** Between two pieces. */
  pauseMs: number;
  /** For what may never be answered. */
  waitMs: number;
}

export interface Heard {
  text: string;
  /** Whether the server ended the connection. */
  isClosed: boolean;
  isReset: boolean;
}

export interface Side {
  port: number;
  /** What stands in for the words of a request that differ. */
  fill(text: string): string;
}

/** What is sure to be answered is waited for so long. */
const ANSWER_MS_MAX = 20_000;
const GRACE_MS = 1;

/**
 * Writes each group of parts at once, the next one when it is answered: each sound part once, another one at least once, or
 * not within `waitMs`. Several parts in one group are pipelined.
 */
export async function exchange(side: Side, groups: readonly (readonly Part[])[], pace: Pace): Promise<Heard> {
  const visitor = new Visitor(side.port);
  try {
    const asked: Part[] = [];
    for (const group of groups) {
      if (visitor.isClosed) break;
      asked.push(...group);
      const before = visitor.answers(asked);
      const isSound = group.every((part) => part.isSound);
      const pauseMs = Math.max(pace.pauseMs, ...group.map((part) => part.pauseMs ?? 0));
      for (const piece of pieces(side, group)) {
        if (visitor.isClosed) break;
        visitor.write(piece);
        await Bun.sleep(pauseMs);
      }
      const wanted = before + (isSound ? group.length : 1);
      await visitor.until(() => visitor.answers(asked) >= wanted, isSound ? ANSWER_MS_MAX : pace.waitMs);
      if (!isSound) await Bun.sleep(GRACE_MS * pace.pauseMs);
    }
    await visitor.until(() => false, visitor.isClosed ? 0 : pace.waitMs);
    return visitor.heard();
  } finally {
    visitor.leave();
  }
}

/** Groups are cut where their parts say, wherever these end. */
function pieces(side: Side, group: readonly Part[]): string[] {
  const text = side.fill(group.map((part) => part.text).join(""));
  const cuts = group.flatMap((part) => part.cuts).map((share) => Math.floor(share * text.length));
  const places = [...new Set([0, ...cuts, text.length])].toSorted((a, b) => a - b);
  return places.slice(1).map((end, index) => text.slice(places[index], end));
}

class Visitor {
  readonly #socket: Socket;
  #chunks: string[] = [];
  #text = "";
  #wake: (() => void) | undefined;
  isClosed = false;
  #isReset = false;

  constructor(port: number) {
    this.#socket = connect(port, "127.0.0.1").setNoDelay(true);
    this.#socket.on("data", (bytes: Buffer) => {
      this.#chunks.push(bytes.toString("latin1"));
      this.#wake?.();
    });
    this.#socket.on("error", () => {
      this.#isReset = true;
      this.#close();
    });
    this.#socket.on("end", () => this.#close());
    this.#socket.on("close", () => this.#close());
  }

  write(text: string): void {
    this.#socket.write(text, "latin1");
  }

  /** How many whole answers there are to these requests. */
  answers(asked: readonly Part[]): number {
    return countAnswers(this.#all(), asked);
  }

  /** At once where the server ends the connection. */
  async until(isDone: () => boolean, waitMs: number): Promise<void> {
    const giveUpAt = performance.now() + waitMs;
    for (let left = waitMs; left > 0 && !this.isClosed && !isDone(); left = giveUpAt - performance.now()) {
      const woken = Promise.withResolvers<void>();
      this.#wake = woken.resolve;
      const timer = setTimeout(woken.resolve, left);
      await woken.promise;
      clearTimeout(timer);
    }
  }

  heard(): Heard {
    return { text: this.#all(), isClosed: this.isClosed, isReset: this.#isReset };
  }

  leave(): void {
    this.#socket.destroy();
  }

  #all(): string {
    if (this.#chunks.length > 0) this.#text += this.#chunks.splice(0).join("");
    return this.#text;
  }

  #close(): void {
    this.isClosed = true;
    this.#wake?.();
  }
}

const countAnswers = (text: string, asked: readonly Part[]): number => splitAnswers(text, asked).whole.length;

/** The answers one by one, as the requests say which of them have no body, and the rest. */
export function splitAnswers(text: string, asked: readonly Part[]): { whole: string[]; rest: string } {
  const whole: string[] = [];
  let at = 0;
  for (let end = endOfAnswer(text, at, asked[0]); end !== undefined; end = endOfAnswer(text, at, asked[whole.length])) {
    whole.push(text.slice(at, end));
    at = end;
  }
  return { whole, rest: text.slice(at) };
}

/** Interim answers belong to the one they come before. */
function endOfAnswer(text: string, start: number, part: Part | undefined): number | undefined {
  const headEnd = text.indexOf("\r\n\r\n", start);
  if (headEnd < 0) return undefined;
  const head = text.slice(start, headEnd);
  const bodyStart = headEnd + 4;
  const status = Number(head.slice("HTTP/1.1 ".length).slice(0, 3));
  if (status === 100) return endOfAnswer(text, bodyStart, part);
  if (part?.isHead || status === 204 || status === 304 || status === 101) return bodyStart;
  if (/^transfer-encoding: chunked/im.test(head)) {
    const end = text.indexOf("\r\n0\r\n\r\n", headEnd + 2);
    return end < 0 ? undefined : end + 7;
  }
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  return text.length >= bodyStart + length ? bodyStart + length : undefined;
}
