/**
 * A proxy between a client and a server that simulates a network: it can add latency, be cut, and go silent.
 *
 * - open: bytes go both ways, each `delayMs` later and in order. Any number of bytes can be in transit.
 * - cut: open connections end, and new ones are refused.
 * - silent: connections are accepted, but nothing comes back; bytes sent on existing connections are lost. The server
 *   notices nothing.
 * - held: nothing arrives until `release`, which delivers everything.
 *
 * Connections that existed during a silence stay silent when the proxy opens again, as behind a router that lost its
 * connection table: only new connections get through.
 */
import { connect, createServer, type Server, type Socket } from "node:net";
import { takePort } from "@test/support/servers/test-port";

const LOCAL = "127.0.0.1";

interface Pair {
  client: Socket;
  server?: Socket;
  isLost: boolean;
  /** True until the client first sends something, and again from each response until it sends the next bytes. */
  isAnswered: boolean;
}

export interface TcpProxyOptions {
  /** Milliseconds of latency in each direction; a round trip takes twice as long. */
  delayMs?: number;
  /** Where it listens; `port` is any that is free unless given. */
  host?: string;
  port?: number;
}

export class TcpProxy {
  readonly port: number;
  /** Number of connections accepted since the start. */
  connections = 0;
  /** How often a client sent something after receiving a response: the round trips, if nothing is pipelined. */
  turns = 0;
  #target: number;
  #delayMs: number;
  readonly #host: string;
  #listener: Server | undefined;
  #isSilent = false;
  #held: (() => void)[] | undefined;
  #intercepted: { text: string; work: () => Promise<boolean> } | undefined;
  readonly #pairs = new Set<Pair>();

  private constructor(port: number, target: number, { delayMs = 0, host = LOCAL }: TcpProxyOptions) {
    this.port = port;
    this.#target = target;
    this.#delayMs = delayMs;
    this.#host = host;
  }

  static async start(targetPort: number, options: TcpProxyOptions = {}): Promise<TcpProxy> {
    // One that the system gave would be given to another program while the proxy is cut.
    const listener = await listen(options.port ?? (await takePort()), options.host);
    const address = listener.address();
    if (address === null || typeof address === "string") throw new Error("The proxy has no port");
    const proxy = new TcpProxy(address.port, targetPort, options);
    proxy.#take(listener);
    return proxy;
  }

  /** Returns the URL with the proxy's host and port. */
  urlThrough(url: string): string {
    const led = new URL(url);
    led.hostname = "127.0.0.1";
    led.port = String(this.port);
    return led.href;
  }

  /** Sets the target port of new connections. */
  leadTo(targetPort: number): void {
    this.#target = targetPort;
  }

  /** Sets the latency of what is sent from now on. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  silence(): void {
    this.#isSilent = true;
    for (const pair of this.#pairs) pair.isLost = true;
  }

  hold(): void {
    this.#held ??= [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const work of held) work();
  }

  /**
   * The next answer that contains this text waits for `work`, which says whether it arrives. Otherwise its connection
   * ends.
   */
  intercept(text: string, work: () => Promise<boolean>): void {
    this.#intercepted = { text, work };
  }

  async cut(): Promise<void> {
    const listener = this.#listener;
    this.#listener = undefined;
    for (const { client, server } of this.#pairs) {
      client.destroy();
      server?.destroy();
    }
    this.#pairs.clear();
    await new Promise<void>((resolve) => (listener ? listener.close(() => resolve()) : resolve()));
  }

  async open(): Promise<void> {
    this.#isSilent = false;
    if (!this.#listener) this.#take(await listen(this.port, this.#host));
  }

  #take(listener: Server): void {
    this.#listener = listener;
    listener.on("connection", (client) => this.#pass(client));
  }

  #pass(client: Socket): void {
    const pair: Pair = { client, isLost: this.#isSilent, isAnswered: true };
    this.#pairs.add(pair);
    this.connections++;
    const { server } = this.#isSilent ? {} : { server: connect(this.#target, "127.0.0.1") };
    pair.server = server;
    this.#forward(pair, client, server);
    if (server) this.#forward(pair, server, client);
  }

  /** Forwards bytes, and the end of the connection, in one direction. Forwards nothing once the pair is lost. */
  #forward(pair: Pair, from: Socket, to: Socket | undefined): void {
    const delay = delayed(() => this.#delayMs);
    const later = (work: () => void) => delay(() => (this.#held ? this.#held.push(work) : work()));
    from.setNoDelay(true);
    const send = (bytes: Buffer) =>
      later(() => {
        if (pair.isLost) return;
        if (to === pair.client) pair.isAnswered = true;
        to?.write(bytes);
      });
    from.on("data", (bytes) => {
      if (from === pair.client) this.#turn(pair);
      const { text, work } = this.#intercepted ?? {};
      if (!work || !text || to !== pair.client || !bytes.includes(text)) return send(bytes);
      this.#intercepted = undefined;
      from.pause();
      void work().then((isToArrive) => {
        if (isToArrive) send(bytes);
        else pair.client.destroy();
        from.resume();
      });
    });
    // Either side may end the connection at any time, which is no fault of the proxy.
    from.on("error", () => from.destroy());
    from.on("close", () => later(() => !pair.isLost && to?.destroy()));
  }

  #turn(pair: Pair): void {
    if (pair.isAnswered) this.turns++;
    pair.isAnswered = false;
  }
}

/** Returns a function that runs each piece of work `delayMs` milliseconds later, in the order of the calls. */
function delayed(delayMs: () => number): (work: () => void) => void {
  const waiting: { work: () => void; dueAt: number }[] = [];
  const run = () => {
    const now = performance.now();
    while (waiting[0] && waiting[0].dueAt <= now) waiting.shift()?.work();
    const [next] = waiting;
    if (next) setTimeout(run, next.dueAt - now);
  };
  return (work) => {
    const ms = delayMs();
    if (ms === 0 && waiting.length === 0) return work();
    waiting.push({ work, dueAt: performance.now() + ms });
    if (waiting.length === 1) setTimeout(run, ms);
  };
}

function listen(port: number, host = LOCAL): Promise<Server> {
  const server = createServer();
  return new Promise((resolve, reject) => server.once("error", reject).listen(port, host, () => resolve(server)));
}
