/**
 * The listener in front of the HTTP server. It answers the plainest visits itself, directly from the bytes, and
 * forwards every other exchange to the server behind it. All responses of one event-loop turn are sent together,
 * after the single write that all their clicks share.
 *
 * States of a connection: idle → answering or away → idle, until it ends or has been idle for `idleMs`. It is away
 * while a tunnel carries an exchange; an exchange whose end cannot be determined keeps it away permanently. Bytes
 * that arrive while a response is in progress wait until it is sent, so responses keep their order.
 */
import type { AppAnswer, RedirectedVisit } from "@/core/routing/plain-visit";
import { answerText } from "./answer";
import { holdBytes, isServed, isTunneled, type LaneConnection, type LaneVisitor, takeHeld } from "./connection";
import type { LaneOptions } from "./options";
import { Tunnel } from "./tunnel";

/** How long a visitor may accept nothing of a response. */
const STALLED_MS = 60_000;
/** How long an idle tunnel is kept: well below the idle timeout of the server behind. */
const TUNNEL_IDLE_MS = 30_000;
const LOOK_EVERY_MS = 5_000;
const DESCRIPTORS_OF_TUNNEL = 2;
/** The part of all connections that is closed at once to make room, so that the next ones find some. */
const MADE_ROOM_SHARE = 16;

export interface Lane {
  port: number;
  /** Makes every response from now on close its connection. */
  closeAfterResponses(): void;
  /** Stops listening, and makes every response from now on close its connection. */
  close(): void;
  /** Closes idle connections. */
  endIdle(): void;
  /** True while any visitor is waiting for a response or receiving one. */
  isServing(): boolean;
  /** Terminates all connections immediately. */
  terminateAll(): void;
}

interface Answer {
  visitor: LaneVisitor;
  data: LaneConnection;
  plain: RedirectedVisit | AppAnswer;
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
        if (isTunneled(data)) holdBytes(visitor, data.tunnel.take(bytes));
        else if (data.isLast) return;
        else if (data.isAnswering) holdBytes(visitor, bytes);
        else visitors.take(visitor, data, bytes);
      },
      drain(visitor) {
        const { data } = visitor;
        data.seenAt = visitors.stopwatch();
        if (data.rest) visitors.answerOn(visitor, data.rest);
        else data.tunnel?.drained();
      },
      end(visitor) {
        const { data } = visitor;
        data.hasEnded = true;
        if (data.held) return;
        if (isTunneled(data)) data.tunnel.endTaking();
        else if (!data.isAnswering) visitors.end(visitor);
      },
      close: (visitor) => visitors.forget(visitor),
      error: (visitor) => visitor.terminate(),
    },
  });
  const sweep = setInterval(() => visitors.sweepIdle(), options.lookEveryMs ?? LOOK_EVERY_MS);
  sweep.unref();
  return {
    port: listener.port,
    closeAfterResponses: () => visitors.startLeaving(),
    close() {
      clearInterval(sweep);
      listener.stop();
      visitors.startLeaving();
    },
    endIdle: () => visitors.endIdle(),
    isServing: () => visitors.isServing(),
    terminateAll: () => visitors.terminateAllVisitors(),
  };
}

class Visitors {
  /** Times how long connections are idle, so that setting the machine's clock closes none. */
  readonly stopwatch: () => number;
  readonly #options: LaneOptions;
  readonly #all = new Set<LaneVisitor>();
  #tunnels = 0;
  #isLeaving = false;
  /** The write that the clicks of this turn wait for. `#answers` holds the responses to be sent after it. */
  #turn: Promise<boolean> | undefined;
  #answers: Answer[] = [];

  constructor(options: LaneOptions) {
    this.#options = options;
    this.stopwatch = options.stopwatch ?? (() => performance.now());
  }

  open(visitor: LaneVisitor): void {
    visitor.data = {
      ...{ peer: visitor.remoteAddress, seenAt: this.stopwatch(), held: undefined },
      ...{ isAnswering: false, hasEnded: false, isLast: false, rest: null, tunnel: null, tunnelIdleAt: 0 },
    };
    this.#all.add(visitor);
    if (this.#isCrowded() && !this.#makeRoom(visitor)) visitor.terminate();
  }

  #isCrowded(): boolean {
    return this.#all.size + DESCRIPTORS_OF_TUNNEL * this.#tunnels > this.#options.descriptorsMax;
  }

  /** Closes those connections that have been idle for longest, but not `newcomer`. Returns whether there were any. */
  #makeRoom(newcomer: LaneVisitor): boolean {
    this.#options.onCrowd();
    const idle = [...this.#all].filter((visitor) => visitor !== newcomer && !isServed(visitor.data));
    idle.sort((one, other) => one.data.seenAt - other.data.seenAt);
    // Ending them would keep their descriptors until their visitors have closed them as well.
    for (const visitor of idle.slice(0, Math.ceil(this.#all.size / MADE_ROOM_SHARE))) visitor.terminate();
    return idle.length > 0;
  }

  /** `data` is `visitor.data`, passed in because that property is slow to read. */
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

  /** Returns undefined if the request is not a plain visit, or if handling it throws: the server behind answers then. */
  #visit(connection: LaneConnection, bytes: Buffer): RedirectedVisit | AppAnswer | undefined {
    const { read, visit, addressOf } = this.#options;
    try {
      const asked = read(bytes);
      const plain = asked && visit(asked, () => addressOf(asked.stated, connection.peer));
      if (plain) connection.isLast = asked.isLast;
      return plain;
    } catch (error) {
      this.#options.onFault(error);
      return undefined;
    }
  }

  /** Sends the rest of a response that the visitor did not accept in one write. */
  answerOn(visitor: LaneVisitor, rest: Buffer): void {
    const { data } = visitor;
    const taken = Math.max(visitor.write(rest), 0);
    data.rest = taken < rest.length ? rest.subarray(taken) : null;
    if (data.rest !== null) return;
    visitor.resume();
    this.#afterResponse(visitor, data);
  }

  forget(visitor: LaneVisitor): void {
    this.#all.delete(visitor);
    visitor.data.tunnel?.cut();
  }

  startLeaving(): void {
    this.#isLeaving = true;
  }

  /** Connections with a response in progress close after it. */
  endIdle(): void {
    for (const visitor of this.#all) if (!isServed(visitor.data)) this.end(visitor);
  }

  isServing(): boolean {
    for (const visitor of this.#all) if (isServed(visitor.data)) return true;
    return false;
  }

  terminateAllVisitors(): void {
    for (const visitor of this.#all) visitor.terminate();
  }

  end(visitor: LaneVisitor): void {
    visitor.data.isLast = true;
    visitor.end();
  }

  /**
   * Ends connections that have been idle for `idleMs`, or have accepted nothing of a response for `STALLED_MS`. Also
   * closes tunnels that have been idle for `TUNNEL_IDLE_MS`.
   */
  sweepIdle(): void {
    const now = this.stopwatch();
    for (const visitor of this.#all) {
      const { data } = visitor;
      if (data.tunnel?.isIdle && data.tunnelIdleAt <= now - TUNNEL_IDLE_MS) {
        data.tunnel.cut();
        data.tunnel = null;
      }
      // A visitor that the server behind is waiting for is subject to that server's timeout.
      if (isTunneled(data) && !data.tunnel.isBlocked) data.seenAt = now;
      // Others wait for the write of their click.
      if (data.isAnswering && data.rest === null) continue;
      const isStalled = isServed(data) || data.isLast;
      if (data.seenAt > now - (isStalled ? STALLED_MS : this.#options.idleMs)) continue;
      if (isStalled) visitor.terminate();
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
    const seenAt = this.stopwatch();
    for (const { visitor, data, plain } of answers) {
      const text = answerText(plain, now, this.#isLeaving);
      const taken = Math.max(visitor.write(text), 0);
      data.seenAt = seenAt;
      if (taken === text.length) this.#afterResponse(visitor, data);
      else this.#wait(visitor, Buffer.from(text).subarray(taken));
    }
  }

  /** Pauses reading until the visitor has received the rest of the response. */
  #wait(visitor: LaneVisitor, rest: Buffer): void {
    visitor.data.rest = rest;
    visitor.pause();
  }

  /** Continues after a response that the visitor has accepted in full. */
  #afterResponse(visitor: LaneVisitor, data: LaneConnection): void {
    const held = takeHeld(visitor);
    data.isAnswering = false;
    if (this.#isLeaving || data.isLast || (data.hasEnded && !held)) this.end(visitor);
    else if (held) this.take(visitor, data, held);
  }

  #handOn(visitor: LaneVisitor, said: Buffer): void {
    const { data } = visitor;
    data.seenAt = this.stopwatch();
    data.tunnel ??= this.#openTunnel(visitor);
    holdBytes(visitor, data.tunnel.take(said));
    if (data.hasEnded && !data.held) data.tunnel.endTaking();
  }

  #openTunnel(visitor: LaneVisitor): Tunnel {
    const { data } = visitor;
    const { counts, portBehind: port, tunnels, onCutOff: onFailure } = this.#options;
    counts.tunnels += 1;
    this.#tunnels += 1;
    if (this.#isCrowded()) this.#makeRoom(visitor);
    return new Tunnel(visitor, {
      ...{ port, tunnels, onFailure },
      onIdle: () => {
        data.seenAt = this.stopwatch();
        data.tunnelIdleAt = data.seenAt;
        this.#afterResponse(visitor, data);
      },
      onUnknown: () => {
        const held = takeHeld(visitor);
        if (held) data.tunnel?.take(held);
        if (data.hasEnded) data.tunnel?.endTaking();
      },
      onGone: () => {
        data.tunnel = null;
      },
      onReleased: () => {
        this.#tunnels -= 1;
      },
    });
  }
}
