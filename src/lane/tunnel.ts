/**
 * Carries a connection's exchanges to the server behind the lane and back, bytes unchanged. Each direction holds on to
 * what the other end does not take yet, and asks for no more meanwhile. When an exchange is over for certain, the tunnel is idle and
 * the connection may be answered elsewhere, until the next exchange. An exchange whose end is not known lasts until
 * both ends have ended.
 *
 * Bounds: of each direction one read that was not taken, besides what came with the hand-over.
 */
import type { Socket } from "bun";
import { HttpExchange } from "./http-exchange";
import type { Tunnels } from "./tunnels";

export interface TunnelOptions {
  /** Of the server behind. */
  port: number;
  tunnels: Tunnels;
  /** An exchange is over, and both sides have taken all of it. */
  onIdle(): void;
  /** Where this exchange ends is not known any more: it takes whatever the visitor says. */
  onUnknown(): void;
  /** It has ended while idle: its visitor may stay. */
  onGone(): void;
  /** Nobody listens behind, or nobody more can be connected. The visitor is cut off. */
  onFailure(error: Error): void;
}

type AnySocket = Socket<unknown>;

/** What one end has said and the other has not taken. */
class Flow {
  #rest: Buffer[] = [];
  #isEnded = false;
  #isPaused = false;

  constructor(
    private readonly from: AnySocket,
    private to: AnySocket | null,
    /** Once all that was said is taken. */
    private readonly finish: (to: AnySocket) => void,
  ) {}

  get isTaken(): boolean {
    return this.#rest.length === 0;
  }

  begin(to: AnySocket): void {
    this.to = to;
    this.drain();
  }

  push(bytes: Buffer): void {
    if (this.to !== null && this.#rest.length === 0) {
      const taken = Math.max(this.to.write(bytes), 0);
      if (taken === bytes.length) return;
      this.#rest.push(bytes.subarray(taken));
    } else this.#rest.push(bytes);
    this.#pause(true);
  }

  drain(): void {
    const { to } = this;
    if (to === null) return;
    for (let bytes = this.#rest.shift(); bytes; bytes = this.#rest.shift()) {
      const taken = Math.max(to.write(bytes), 0);
      if (taken < bytes.length) {
        this.#rest.unshift(bytes.subarray(taken));
        return;
      }
    }
    this.#pause(false);
    if (this.#isEnded) this.finish(to);
  }

  end(): void {
    this.#isEnded = true;
    this.drain();
  }

  #pause(isPaused: boolean): void {
    if (isPaused === this.#isPaused) return;
    this.#isPaused = isPaused;
    if (isPaused) this.from.pause();
    else this.from.resume();
  }
}

export class Tunnel {
  readonly #outer: AnySocket;
  readonly #options: TunnelOptions;
  readonly #visitor: string;
  readonly #inwards: Flow;
  #inner: AnySocket | null = null;
  #outwards: Flow | undefined;
  #nearPort = 0;
  #exchange: HttpExchange | null = null;
  #isCut = false;

  /** Speaks for the visitor of this socket from now on. */
  constructor(outer: AnySocket, options: TunnelOptions) {
    this.#outer = outer;
    this.#options = options;
    this.#visitor = outer.remoteAddress;
    this.#inwards = new Flow(outer, null, (to) => to.shutdown());
    const fail = (error: Error) => this.#fail(error);
    Bun.connect({
      hostname: "127.0.0.1",
      port: options.port,
      allowHalfOpen: true,
      socket: {
        open: (socket) => this.#begin(socket),
        data: (_, bytes) => this.#answer(bytes),
        drain: () => this.#drainInwards(),
        end: (socket) => this.#endAnswering(socket),
        close: () => this.#close(),
        error: (socket) => socket.terminate(),
        connectError: (_, error) => fail(error),
      },
    }).catch(fail);
  }

  /** No exchange is under way. */
  get isIdle(): boolean {
    return this.#exchange === null;
  }

  /** The visitor has not taken what was answered. */
  get isBlocked(): boolean {
    return this.#outwards?.isTaken === false;
  }

  /** From the visitor. Begins an exchange where none is under way. Returns what is for the next one, if there is any. */
  take(bytes: Buffer): Buffer | undefined {
    this.#exchange ??= new HttpExchange();
    const own = this.#exchange.ask(bytes);
    if (own > 0) this.#inwards.push(bytes.subarray(0, own));
    // The answer may have come before the request was whole. What is returned is held by then.
    queueMicrotask(() => this.#endExchange());
    return own < bytes.length ? bytes.subarray(own) : undefined;
  }

  /** The visitor says no more. */
  endTaking(): void {
    this.#inwards.end();
  }

  /** The visitor takes more. */
  drained(): void {
    this.#outwards?.drain();
    this.#endExchange();
  }

  /** The visitor is gone, or needs it no more. */
  cut(): void {
    this.#isCut = true;
    this.#inner?.terminate();
  }

  #begin(socket: AnySocket): void {
    if (this.#isCut) {
      socket.terminate();
      return;
    }
    this.#inner = socket;
    this.#nearPort = socket.localPort;
    this.#options.tunnels.open(this.#nearPort, this.#visitor);
    this.#outwards = new Flow(socket, this.#outer, (to) => to.end());
    this.#inwards.begin(socket);
  }

  #answer(bytes: Buffer): void {
    if (this.#exchange === null) {
      // Nobody asked: what it belongs to is not known, so that nobody gets it.
      this.#inner?.terminate();
      return;
    }
    const wasFollowed = this.#exchange.isFollowed;
    this.#exchange.answer(bytes);
    this.#outwards?.push(bytes);
    if (wasFollowed && !this.#exchange.isFollowed) this.#options.onUnknown();
    else this.#endExchange();
  }

  #drainInwards(): void {
    this.#inwards.drain();
    this.#endExchange();
  }

  #endExchange(): void {
    if (!this.#exchange?.isOver || !this.#inwards.isTaken || this.#outwards?.isTaken !== true) return;
    this.#exchange = null;
    this.#options.onIdle();
  }

  /** The server behind ends connections whole. */
  #endAnswering(socket: AnySocket): void {
    this.#leave();
    socket.end();
  }

  #close(): void {
    if (this.#nearPort !== 0) this.#options.tunnels.close(this.#nearPort);
    this.#nearPort = 0;
    this.#leave();
  }

  #leave(): void {
    if (this.#isCut) return;
    if (!this.isIdle) {
      this.#outwards?.end();
      return;
    }
    this.#isCut = true;
    this.#options.onGone();
  }

  #fail(error: Error): void {
    if (this.#isCut) return;
    this.#isCut = true;
    this.#options.onFailure(error);
    this.#outer.terminate();
  }
}
