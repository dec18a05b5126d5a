/**
 * Carries a connection on to the server behind the lane, bytes unchanged, until both ends have ended. Each direction holds
 * on to what the other end does not take yet, and asks for no more meanwhile.
 *
 * Bounds: of each direction one read that was not taken, besides what came with the hand-over.
 */
import type { Socket } from "bun";
import type { Tunnels } from "./tunnels";

export interface TunnelOptions {
  /** Of the server behind. */
  port: number;
  tunnels: Tunnels;
}

export interface Tunnel {
  /** From the visitor. */
  take(bytes: Buffer): void;
  /** The visitor says no more. */
  endTaking(): void;
  /** The visitor takes more. */
  drained(): void;
  /** The visitor is gone. */
  cut(): void;
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

/** Speaks for the visitor of this socket from now on. `said`: what came before. */
export function openTunnel(outer: AnySocket, said: Buffer, { port, tunnels }: TunnelOptions): Tunnel {
  const address = outer.remoteAddress;
  let inner: AnySocket | null = null;
  let nearPort = 0;
  let isCut = false;
  const inwards = new Flow(outer, null, (to) => to.shutdown());
  let outwards: Flow | undefined;
  inwards.push(said);

  const begin = (socket: AnySocket) => {
    if (isCut) {
      socket.terminate();
      return;
    }
    inner = socket;
    nearPort = socket.localPort;
    tunnels.open(nearPort, address);
    outwards = new Flow(socket, outer, (to) => to.end());
    inwards.begin(socket);
  };
  const close = () => {
    if (nearPort !== 0) tunnels.close(nearPort);
    nearPort = 0;
    if (!isCut) outwards?.end();
  };
  Bun.connect({
    hostname: "127.0.0.1",
    port,
    allowHalfOpen: true,
    socket: {
      open: begin,
      data: (_, bytes) => outwards?.push(bytes),
      drain: () => inwards.drain(),
      // The server behind ends connections whole.
      end(socket) {
        outwards?.end();
        socket.end();
      },
      close,
      error: () => outer.terminate(),
      connectError: () => outer.terminate(),
    },
  }).catch(() => outer.terminate());

  return {
    take: (bytes) => inwards.push(bytes),
    endTaking: () => inwards.end(),
    drained: () => outwards?.drain(),
    cut() {
      isCut = true;
      inner?.terminate();
    },
  };
}
