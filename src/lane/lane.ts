/**
 * The listener in front: it answers the plainest visits itself, straight from the bytes, and hands every other connection
 * on to the server behind it, for good. All answers of one event-loop turn go out together, after the one write that all
 * their clicks share.
 *
 * A connection here: idle → answering → idle, until it ends, is handed on, or was idle for `IDLE_MS`. What comes while one
 * answer is under way waits for it, so that answers keep their order.
 */
import type { Socket } from "bun";
import type { Leaving, PlainVisit } from "@/core/routing/plain-visit";
import type { StatedAddress } from "@/platform/client-address";
import type { Clock } from "@/platform/clock";
import { redirectText } from "./answer";
import type { ReadPlainRequest } from "./plain-request";
import { openTunnel, type Tunnel } from "./tunnel";
import type { Tunnels } from "./tunnels";

const IDLE_MS = 60_000;
const LOOK_EVERY_MS = 5_000;

export interface LaneOptions {
  port: number;
  hostname: string;
  /** Tells whether other processes listen on the same port. */
  isShared: boolean;
  /** Of the server behind, on this machine alone. */
  portBehind: number;
  read: ReadPlainRequest;
  visit: PlainVisit;
  addressOf: StatedAddress;
  tunnels: Tunnels;
  clock: Clock;
  counts: LaneCounts;
}

export interface LaneCounts {
  /** Visits that were answered here. */
  answered: number;
  /** Connections that were handed on. */
  handedOn: number;
}

export interface Lane {
  port: number;
  /** From now on each answer ends its connection. */
  sayGoodbye(): void;
  /** Listens no more and closes what is idle. */
  close(): void;
}

interface Connection {
  readonly peer: string;
  seenAt: number;
  isAnswering: boolean;
  /** What came while it was answering. */
  readonly held: Buffer[];
  hasEnded: boolean;
  /** Of an answer that the visitor has not taken whole. */
  rest: Buffer | null;
  tunnel: Tunnel | null;
}

type Visitor = Socket<Connection>;

interface Answer {
  visitor: Visitor;
  leaving: Leaving;
}

/** Throws `EADDRINUSE` when the port is taken. */
export function openLane(options: LaneOptions): Lane {
  const visitors = new Visitors(options);
  const listener = Bun.listen<Connection>({
    ...{ hostname: options.hostname, port: options.port, reusePort: options.isShared },
    allowHalfOpen: true,
    socket: {
      open: (visitor) => visitors.open(visitor),
      data(visitor, bytes) {
        const { data } = visitor;
        if (data.tunnel) data.tunnel.take(bytes);
        else if (data.isAnswering) data.held.push(bytes);
        else visitors.take(visitor, bytes);
      },
      drain(visitor) {
        const { data } = visitor;
        if (data.tunnel) data.tunnel.drained();
        else if (data.rest) visitors.answerOn(visitor, data.rest);
      },
      end(visitor) {
        const { data } = visitor;
        data.hasEnded = true;
        if (data.tunnel) data.tunnel.endTaking();
        else if (!data.isAnswering) visitor.end();
      },
      close: (visitor) => visitors.forget(visitor),
      error: (visitor) => visitor.terminate(),
    },
  });
  const sweep = setInterval(() => visitors.endSilent(), LOOK_EVERY_MS);
  sweep.unref();
  return {
    port: listener.port,
    sayGoodbye: () => visitors.sayGoodbye(),
    close() {
      clearInterval(sweep);
      listener.stop();
      visitors.endIdle();
    },
  };
}

/** Those whose connections are here, and those that were handed on. */
class Visitors {
  readonly #options: LaneOptions;
  readonly #here = new Set<Visitor>();
  #isLeaving = false;
  /** What the clicks of this turn wait for, and who waits with them. */
  #turn: Promise<boolean> | undefined;
  #answers: Answer[] = [];

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  open(visitor: Visitor): void {
    visitor.data = {
      ...{ peer: visitor.remoteAddress, seenAt: this.#options.clock(), held: [] },
      ...{ isAnswering: false, hasEnded: false, rest: null, tunnel: null },
    };
    this.#here.add(visitor);
  }

  take(visitor: Visitor, bytes: Buffer): void {
    const leaving = this.#visit(visitor.data.peer, bytes);
    if (!leaving) {
      this.#handOn(visitor, bytes);
      return;
    }
    this.#options.counts.answered += 1;
    visitor.data.isAnswering = true;
    if (this.#turn !== leaving.written) this.#beginTurn(leaving.written);
    this.#answers.push({ visitor, leaving });
  }

  /** Undefined where it is not a plain visit, or fails: it fails again behind, where it is told and answered. */
  #visit(peer: string, bytes: Buffer): Leaving | undefined {
    const { read, visit, addressOf } = this.#options;
    try {
      const asked = read(bytes);
      return asked && visit(asked, () => addressOf(asked.stated, peer));
    } catch {
      return undefined;
    }
  }

  /** The rest of an answer that the visitor did not take at once. */
  answerOn(visitor: Visitor, rest: Buffer): void {
    const taken = Math.max(visitor.write(rest), 0);
    visitor.data.rest = taken < rest.length ? rest.subarray(taken) : null;
    if (visitor.data.rest !== null) return;
    visitor.resume();
    this.#goOn(visitor);
  }

  forget(visitor: Visitor): void {
    this.#here.delete(visitor);
    visitor.data.tunnel?.cut();
  }

  sayGoodbye(): void {
    this.#isLeaving = true;
  }

  /** Those who are being answered end after it. */
  endIdle(): void {
    this.#isLeaving = true;
    for (const visitor of this.#here) if (!visitor.data.isAnswering) visitor.end();
  }

  /** Whoever said nothing, or took nothing, for so long. */
  endSilent(): void {
    const before = this.#options.clock() - IDLE_MS;
    for (const visitor of this.#here) if (visitor.data.seenAt <= before) visitor.terminate();
  }

  #beginTurn(written: Promise<boolean>): void {
    const answers: Answer[] = [];
    this.#turn = written;
    this.#answers = answers;
    void written.then(() => this.#answerAll(answers));
  }

  #answerAll(answers: readonly Answer[]): void {
    this.#turn = undefined;
    const now = this.#options.clock();
    for (const { visitor, leaving } of answers) {
      const text = redirectText(leaving.route, leaving.location, now, this.#isLeaving);
      const taken = Math.max(visitor.write(text), 0);
      visitor.data.seenAt = now;
      if (taken === text.length) this.#goOn(visitor);
      else this.#wait(visitor, Buffer.from(text.slice(taken), "latin1"));
    }
  }

  /** Until the visitor takes the rest of its answer, nothing is heard of it. */
  #wait(visitor: Visitor, rest: Buffer): void {
    visitor.data.rest = rest;
    visitor.pause();
  }

  /** After an answer that was taken whole. */
  #goOn(visitor: Visitor): void {
    const { data } = visitor;
    data.isAnswering = false;
    if (this.#isLeaving) visitor.end();
    else if (data.held.length > 0) this.take(visitor, Buffer.concat(data.held.splice(0)));
    else if (data.hasEnded) visitor.end();
  }

  #handOn(visitor: Visitor, said: Buffer): void {
    const { counts, portBehind: port, tunnels } = this.#options;
    counts.handedOn += 1;
    this.#here.delete(visitor);
    const tunnel = openTunnel(visitor, said, { port, tunnels });
    visitor.data.tunnel = tunnel;
    if (visitor.data.hasEnded) tunnel.endTaking();
  }
}
