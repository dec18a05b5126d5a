/**
 * The listener in front: it answers the plainest visits itself, straight from the bytes, and hands every other exchange
 * on to the server behind it. All answers of one event-loop turn go out together, after the one write that all their clicks
 * share.
 *
 * A connection: idle → answering or away → idle, until it ends or was idle for `IDLE_MS`. It is away while a tunnel carries
 * an exchange; one whose end is not known for certain keeps it away for good. What comes while one answer is under way waits
 * for it, so that answers keep their order.
 */
import type { AppAnswer, Leaving, PlainVisit } from "@/core/routing/plain-visit";
import type { StatedAddress } from "@/platform/client-address";
import type { Clock } from "@/platform/clock";
import { answerText } from "./answer";
import { hold, isAway, isServed, type LaneConnection, type LaneVisitor } from "./connection";
import type { ReadPlainRequest } from "./plain-request";
import { Tunnel } from "./tunnel";
import type { Tunnels } from "./tunnels";

const IDLE_MS = 60_000;
/** An idle tunnel is kept for so long: well before the server behind ends it. */
const TUNNEL_IDLE_MS = 30_000;
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
  /** A visitor was cut off, since the server behind could not be connected to. */
  onCutOff(error: Error): void;
  /** How often connections that idle are looked for; for tests. */
  lookEveryMs?: number;
}

export interface LaneCounts {
  /** Visits that were answered here. */
  answered: number;
  /** Tunnels that were opened: at most one at a time for a connection. */
  tunnels: number;
}

export interface Lane {
  port: number;
  /** From now on each answer ends its connection. */
  sayGoodbye(): void;
  /** Listens no more. */
  close(): void;
  /** Ends the connections that idle. */
  endIdle(): void;
  /** Whether anyone still waits for an answer, or takes one. */
  isServing(): boolean;
  /** Ends everyone at once. */
  cut(): void;
}

interface Answer {
  visitor: LaneVisitor;
  data: LaneConnection;
  plain: Leaving | AppAnswer;
}

/** Throws `EADDRINUSE` when the port is taken. */
export function openLane(options: LaneOptions): Lane {
  const visitors = new Visitors(options);
  const listener = Bun.listen<LaneConnection>({
    ...{ hostname: options.hostname, port: options.port, reusePort: options.isShared },
    allowHalfOpen: true,
    socket: {
      open: (visitor) => visitors.open(visitor),
      data(visitor, bytes) {
        const { data } = visitor;
        if (isAway(data)) hold(visitor, data.tunnel.take(bytes));
        else if (data.isLast) return;
        else if (data.isAnswering) hold(visitor, bytes);
        else visitors.take(visitor, data, bytes);
      },
      drain(visitor) {
        const { data } = visitor;
        data.seenAt = options.clock();
        if (data.rest) visitors.answerOn(visitor, data.rest);
        else data.tunnel?.drained();
      },
      end(visitor) {
        const { data } = visitor;
        data.hasEnded = true;
        if (data.held) return;
        if (isAway(data)) data.tunnel.endTaking();
        else if (!data.isAnswering) visitors.end(visitor);
      },
      close: (visitor) => visitors.forget(visitor),
      error: (visitor) => visitor.terminate(),
    },
  });
  const sweep = setInterval(() => visitors.endSilent(), options.lookEveryMs ?? LOOK_EVERY_MS);
  sweep.unref();
  return {
    port: listener.port,
    sayGoodbye: () => visitors.sayGoodbye(),
    close() {
      clearInterval(sweep);
      listener.stop();
      visitors.sayGoodbye();
    },
    endIdle: () => visitors.endIdle(),
    isServing: () => visitors.isServing(),
    cut: () => visitors.cut(),
  };
}

class Visitors {
  readonly #options: LaneOptions;
  readonly #all = new Set<LaneVisitor>();
  #isLeaving = false;
  /** What the clicks of this turn wait for, and who waits with them. */
  #turn: Promise<boolean> | undefined;
  #answers: Answer[] = [];

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  open(visitor: LaneVisitor): void {
    visitor.data = {
      ...{ peer: visitor.remoteAddress, seenAt: this.#options.clock(), held: undefined },
      ...{ isAnswering: false, hasEnded: false, isLast: false, rest: null, tunnel: null, tunnelIdleAt: 0 },
    };
    this.#all.add(visitor);
  }

  /** `data` is the visitor's: the runtime takes a while to hand it out. */
  take(visitor: LaneVisitor, data: LaneConnection, bytes: Buffer): void {
    const plain = this.#visit(data, bytes);
    if (!plain) {
      this.#handOn(visitor, bytes);
      return;
    }
    this.#options.counts.answered += 1;
    data.isAnswering = true;
    if (this.#turn !== plain.written) this.#beginTurn(plain.written);
    this.#answers.push({ visitor, data, plain });
  }

  /** Undefined where it is not a plain visit, or fails: it fails again behind, where it is told and answered. */
  #visit(connection: LaneConnection, bytes: Buffer): Leaving | AppAnswer | undefined {
    const { read, visit, addressOf } = this.#options;
    try {
      const asked = read(bytes);
      const plain = asked && visit(asked, () => addressOf(asked.stated, connection.peer));
      if (plain) connection.isLast = asked.isLast;
      return plain;
    } catch {
      return undefined;
    }
  }

  /** The rest of an answer that the visitor did not take at once. */
  answerOn(visitor: LaneVisitor, rest: Buffer): void {
    const { data } = visitor;
    const taken = Math.max(visitor.write(rest), 0);
    data.rest = taken < rest.length ? rest.subarray(taken) : null;
    if (data.rest !== null) return;
    visitor.resume();
    this.#goOn(visitor, data);
  }

  forget(visitor: LaneVisitor): void {
    this.#all.delete(visitor);
    visitor.data.tunnel?.cut();
  }

  sayGoodbye(): void {
    this.#isLeaving = true;
  }

  /** Those who are being answered end after it. */
  endIdle(): void {
    for (const visitor of this.#all) if (!isServed(visitor.data)) this.end(visitor);
  }

  isServing(): boolean {
    for (const visitor of this.#all) if (isServed(visitor.data)) return true;
    return false;
  }

  cut(): void {
    for (const visitor of this.#all) visitor.terminate();
  }

  end(visitor: LaneVisitor): void {
    visitor.data.isLast = true;
    visitor.end();
  }

  /** Whoever said nothing, or took nothing of an answer, for so long. */
  endSilent(): void {
    const now = this.#options.clock();
    for (const visitor of this.#all) {
      const { data } = visitor;
      if (data.tunnel?.isIdle && data.tunnelIdleAt <= now - TUNNEL_IDLE_MS) {
        data.tunnel.cut();
        data.tunnel = null;
      }
      // The server behind ends those whom it waits for.
      if (isAway(data) && !data.tunnel.isBlocked) data.seenAt = now;
      else if (data.seenAt > now - IDLE_MS) continue;
      else if (isAway(data) || data.isAnswering || data.isLast) visitor.terminate();
      else this.end(visitor);
    }
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
    for (const { visitor, data, plain } of answers) {
      const text = answerText(plain, now, this.#isLeaving);
      const taken = Math.max(visitor.write(text), 0);
      data.seenAt = now;
      if (taken === text.length) this.#goOn(visitor, data);
      else this.#wait(visitor, Buffer.from(text).subarray(taken));
    }
  }

  /** Until the visitor takes the rest of its answer, nothing is heard of it. */
  #wait(visitor: LaneVisitor, rest: Buffer): void {
    visitor.data.rest = rest;
    visitor.pause();
  }

  /** After an answer that was taken whole. */
  #goOn(visitor: LaneVisitor, data: LaneConnection): void {
    const { held } = data;
    data.isAnswering = false;
    data.held = undefined;
    if (this.#isLeaving || data.isLast || (data.hasEnded && !held)) this.end(visitor);
    else if (held) this.take(visitor, data, held);
  }

  #handOn(visitor: LaneVisitor, said: Buffer): void {
    const { data } = visitor;
    data.tunnel ??= this.#openTunnel(visitor);
    hold(visitor, data.tunnel.take(said));
    if (data.hasEnded && !data.held) data.tunnel.endTaking();
  }

  #openTunnel(visitor: LaneVisitor): Tunnel {
    const { data } = visitor;
    const { counts, portBehind: port, tunnels, onCutOff: onFailure } = this.#options;
    counts.tunnels += 1;
    return new Tunnel(visitor, {
      ...{ port, tunnels, onFailure },
      onIdle: () => {
        data.seenAt = this.#options.clock();
        data.tunnelIdleAt = data.seenAt;
        this.#goOn(visitor, data);
      },
      onUnknown: () => {
        if (data.held) data.tunnel?.take(data.held);
        if (data.hasEnded) data.tunnel?.endTaking();
        data.held = undefined;
      },
      onGone: () => {
        data.tunnel = null;
      },
    });
  }
}
