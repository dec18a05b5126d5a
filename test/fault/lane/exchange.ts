/** One conversation over its own socket: what is written, in which pieces, and everything received. */
import { connect, type Socket } from "node:net";
import type { Part } from "./requests";

export interface Pace {
  /** Milliseconds between two pieces. */
  pauseMs: number;
  /** Milliseconds to wait for a response that may never come. */
  waitMs: number;
}

export interface ServerOutput {
  text: string;
  /** Whether the server ended the connection. */
  isClosed: boolean;
  isReset: boolean;
}

export interface Side {
  port: number;
  /** Replaces the placeholders of a request. */
  fill(text: string): string;
}

/** Milliseconds to wait for a response that must come. */
const ANSWER_MS_MAX = 20_000;
const GRACE_MS = 1;

/**
 * Writes each group of parts without waiting between them, so that several parts of one group are pipelined, and
 * waits for the responses before the next group: one for each part if all are sound, otherwise at least one, for up
 * to `waitMs`.
 */
export async function exchange(side: Side, groups: readonly (readonly Part[])[], pace: Pace): Promise<ServerOutput> {
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

/** Cuts the text of a group where its parts say, across the boundaries of parts. */
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

  /** Returns the number of complete responses to these requests. */
  answers(asked: readonly Part[]): number {
    return countAnswers(this.#all(), asked);
  }

  /** Resolves once the condition holds, the server ends the connection, or the time is over. */
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

  heard(): ServerOutput {
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

const countAnswers = (text: string, asked: readonly Part[]): number => splitResponses(text, asked).whole.length;

/** Splits the text into complete responses and the rest. The requests tell which responses have no body. */
export function splitResponses(text: string, asked: readonly Part[]): { whole: string[]; rest: string } {
  const whole: string[] = [];
  let at = 0;
  for (let end = endOfAnswer(text, at, asked[0]); end !== undefined; end = endOfAnswer(text, at, asked[whole.length])) {
    whole.push(text.slice(at, end));
    at = end;
  }
  return { whole, rest: text.slice(at) };
}

/** Counts an interim response (100) as part of the one that follows. */
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
