/**
 * Carries a connection's exchanges to the server behind the lane and back, with the bytes unchanged. Each direction
 * keeps what the other end has not accepted yet, and stops reading meanwhile. Once an exchange is certainly over, the
 * tunnel is idle, and the connection may be answered elsewhere until the next exchange. An exchange whose end is
 * unknown lasts until both ends have closed.
 *
 * Bounds: for each direction, one read that was not accepted, besides the bytes that came with the hand-over.
 */
import type { Socket } from "bun";
import { HttpExchange } from "./http-exchange";
import type { Tunnels } from "./tunnels";

export interface TunnelOptions {
  /** Port of the server behind. */
  port: number;
  tunnels: Tunnels;
  /** Called when an exchange is over and both sides have received all of it. */
  onIdle(): void;
  /** Called when the end of this exchange can no longer be determined: it takes whatever the visitor sends. */
  onUnknown(): void;
  /** Called when the tunnel has closed while idle. The visitor's connection may stay open. */
  onGone(): void;
  /** Called once, when the tunnel's sockets no longer exist. */
  onReleased(): void;
  /** Called when nothing listens behind, or no further connection can be made. The visitor is disconnected. */
  onFailure(error: Error): void;
}

type AnySocket = Socket<unknown>;

/** One direction of a tunnel, with the bytes that one end has sent and the other has not accepted yet. */
class Flow {
  #rest: Buffer[] = [];
  #isEnded = false;
  #isPaused = false;

  constructor(
    private readonly from: AnySocket,
    private to: AnySocket | null,
    /** Called after `end`, once everything has been accepted. */
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
  #isReleased = false;

  /** Connects to the server behind on behalf of this socket's visitor. */
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

  /** True while no exchange is in progress. */
  get isIdle(): boolean {
    return this.#exchange === null;
  }

  /** True while the visitor has not accepted all of the response received so far. */
  get isBlocked(): boolean {
    return this.#outwards?.isTaken === false;
  }

  /**
   * Takes bytes from the visitor, beginning an exchange if none is in progress. Returns the bytes that belong to the
   * next exchange, if any.
   */
  take(bytes: Buffer): Buffer | undefined {
    this.#exchange ??= new HttpExchange();
    const own = this.#exchange.ask(bytes);
    if (own > 0) this.#inwards.push(bytes.subarray(0, own));
    // The response may have arrived before the request was complete. The caller has kept the returned bytes by then.
    queueMicrotask(() => this.#endExchange());
    return own < bytes.length ? bytes.subarray(own) : undefined;
  }

  /** Called when the visitor has closed its sending side. Passes that on once everything is sent. */
  endTaking(): void {
    this.#inwards.end();
  }

  /** Called when the visitor can accept more of the response. */
  drained(): void {
    this.#outwards?.drain();
    this.#endExchange();
  }

  /** Closes the tunnel: the visitor is gone or no longer needs it. */
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
      // There was no request: these bytes belong to no known exchange, so nobody may receive them.
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

  /** The server behind never closes just one direction: if it stops sending, the connection is over. */
  #endAnswering(socket: AnySocket): void {
    this.#leave();
    socket.end();
  }

  #close(): void {
    if (this.#nearPort !== 0) this.#options.tunnels.close(this.#nearPort);
    this.#nearPort = 0;
    this.#release();
    this.#leave();
  }

  #release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#options.onReleased();
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
    this.#release();
    if (this.#isCut) return;
    this.#isCut = true;
    this.#options.onFailure(error);
    this.#outer.terminate();
  }
}
