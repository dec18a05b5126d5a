/**
 * Visitors that notice everything: each writes its requests to its own socket and reads the responses byte by byte,
 * without a client in between that would retry. Half of them keep their connection, half open one for each request.
 *
 * A request has failed if it got a connection but not a complete redirect. If it got no connection because no server
 * was listening, it counts as refused instead, and the visitor comes back a moment later. A keep-alive connection
 * that is closed between two requests is no failure: the visitor opens another.
 */
import { connect, type Socket } from "node:net";

export interface VisitorsOptions {
  port: number;
  slug: string;
  /** Visitors of each kind. */
  visitors: number;
  /** Milliseconds between a response and the visitor's next request; defaults to `PAUSE_MS`. */
  pauseMs?: number;
}

export interface Visits {
  /** Ids of the clicks that responses acknowledged. */
  acknowledged: string[];
  /** Failures, from the attempt to send to the failure, by `performance.now()`. */
  failed: { startedAt: number; at: number; why: string }[];
  refused: number;
  /** The longest from the attempt to connect to the last byte of the response. */
  slowestMs: number;
}

export interface Visitors {
  visits: Visits;
  /** Resolves once that many clicks were acknowledged; rejects if they never are. */
  untilAcknowledged(count: number): Promise<void>;
  /** Resolves once every request in progress has its outcome. */
  stop(): Promise<void>;
}

const PAUSE_MS = 4;
const ANSWER_MS_MAX = 15_000;
const ACKNOWLEDGED_MS_MAX = 60_000;
/** The reason for a failure if the connection stayed open. */
export const NO_ANSWER = "no answer in time";

type Outcome = "redirected" | "refused" | "failed";

export function sendVisitors({ port, slug, visitors, pauseMs = PAUSE_MS }: VisitorsOptions): Visitors {
  const visits: Visits = { acknowledged: [], failed: [], refused: 0, slowestMs: 0 };
  let isStopped = false;
  const visitor = async (index: number) => {
    const isKeeping = index % 2 === 0;
    let kept: Connection | undefined;
    while (!isStopped) {
      const startedAt = performance.now();
      kept = kept?.isOpen ? kept : new Connection(port);
      const outcome = note(await kept.ask(request({ port, slug }, index, isKeeping)), startedAt, visits);
      if (outcome === "redirected") visits.slowestMs = Math.max(visits.slowestMs, performance.now() - startedAt);
      if (!isKeeping || outcome !== "redirected") kept.end();
      await Bun.sleep(pauseMs);
    }
    kept?.end();
  };
  const ended = Promise.all(Array.from({ length: visitors * 2 }, (_, index) => visitor(index)));
  return {
    visits,
    async untilAcknowledged(count) {
      const giveUpAt = performance.now() + ACKNOWLEDGED_MS_MAX;
      while (visits.acknowledged.length < count) {
        if (performance.now() > giveUpAt)
          throw new Error(`Only ${visits.acknowledged.length} of ${count} were redirected`);
        await Bun.sleep(5);
      }
    },
    async stop() {
      isStopped = true;
      await ended;
    },
  };
}

const request = ({ port, slug }: { port: number; slug: string }, visitor: number, isKeeping: boolean) =>
  [
    `GET /${slug} HTTP/1.1`,
    `Host: localhost:${port}`,
    `User-Agent: Mozilla/5.0 (X11; Linux x86_64) Visitor/${visitor}`,
    `Connection: ${isKeeping ? "keep-alive" : "close"}`,
    "\r\n",
  ].join("\r\n");

function note(answer: Answer, startedAt: number, visits: Visits): Outcome {
  if (answer.is === "refused") visits.refused += 1;
  if (answer.is === "cut") visits.failed.push({ startedAt, at: performance.now(), why: answer.why });
  if (answer.is !== "whole") return answer.is === "refused" ? "refused" : "failed";
  const id = /^location: .*[?&]wm_cid=([0-9a-f-]+)/im.exec(answer.head)?.[1];
  if (answer.head.startsWith("HTTP/1.1 302 ") && id) {
    visits.acknowledged.push(id);
    return "redirected";
  }
  visits.failed.push({ startedAt, at: performance.now(), why: answer.head.split("\r\n")[0] ?? "" });
  return "failed";
}

type Answer = { is: "whole"; head: string } | { is: "refused" } | { is: "cut"; why: string };

class Connection {
  readonly #socket: Socket;
  #isConnected = false;
  #received = "";
  #waiting: ((answer: Answer) => void) | undefined;
  isOpen = true;

  constructor(port: number) {
    this.#socket = connect(port, "127.0.0.1", () => {
      this.#isConnected = true;
    });
    this.#socket.setNoDelay(true);
    this.#socket.setTimeout(ANSWER_MS_MAX, () => this.#socket.destroy(new Error(NO_ANSWER)));
    this.#socket.on("data", (chunk: Buffer) => this.#take(chunk.toString("latin1")));
    this.#socket.on("error", (error: NodeJS.ErrnoException) => {
      // The server had accepted the connection and was gone before a busy visitor heard of it.
      if (error.code === "ECONNRESET") this.#isConnected = true;
      this.#closed(error.message);
    });
    this.#socket.on("end", () => this.#closed("closed without an answer"));
    this.#socket.on("close", () => this.#closed("closed without an answer"));
  }

  ask(request: string): Promise<Answer> {
    return new Promise((resolve) => {
      this.#received = "";
      this.#waiting = resolve;
      this.#socket.write(request);
    });
  }

  end(): void {
    this.isOpen = false;
    this.#socket.end();
  }

  #take(text: string): void {
    this.#received += text;
    const [head, body] = this.#received.split("\r\n\r\n");
    if (head === undefined || body === undefined) return;
    const bytes = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
    if (body.length < bytes) return;
    if (/^connection: close/im.test(head)) this.isOpen = false;
    this.#answer({ is: "whole", head });
  }

  #closed(why: string): void {
    this.isOpen = false;
    this.#answer(this.#isConnected ? { is: "cut", why } : { is: "refused" });
  }

  #answer(answer: Answer): void {
    this.#waiting?.(answer);
    this.#waiting = undefined;
  }
}
