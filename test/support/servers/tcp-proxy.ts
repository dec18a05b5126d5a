/**
 * A way between a client and a server that can be long, and be cut and made silent, as networks are.
 *
 * - open: bytes go both ways, each `delayMs` later; as many as come may be under way, in their order.
 * - cut: open connections end, new ones are refused.
 * - silent: connections are taken and nothing comes back; what is sent on old ones is lost. The server notices nothing.
 * - held: nothing arrives, and all of it does once it is released.
 *
 * What went through a silence stays silent when the way opens again, as behind a router that has lost its memory: only
 * new connections get through.
 */
import { connect, createServer, type Server, type Socket } from "node:net";

interface Pair {
  client: Socket;
  server?: Socket;
  isLost: boolean;
  /** Whether the client is the one to speak, as it is first. */
  isAnswered: boolean;
}

export interface TcpProxyOptions {
  /** Each way, in milliseconds; a round trip takes twice as long. */
  delayMs?: number;
}

export class TcpProxy {
  readonly port: number;
  /** Since the start. */
  connections = 0;
  /** How often a client had something to say when it had heard an answer: round trips, as far as nothing is sent ahead. */
  turns = 0;
  #target: number;
  readonly #delayMs: number;
  #listener: Server | undefined;
  #isSilent = false;
  #held: (() => void)[] | undefined;
  readonly #pairs = new Set<Pair>();

  private constructor(port: number, target: number, { delayMs = 0 }: TcpProxyOptions) {
    this.port = port;
    this.#target = target;
    this.#delayMs = delayMs;
  }

  static async start(targetPort: number, options: TcpProxyOptions = {}): Promise<TcpProxy> {
    const listener = await listen(0);
    const address = listener.address();
    if (address === null || typeof address === "string") throw new Error("The proxy has no port");
    const proxy = new TcpProxy(address.port, targetPort, options);
    proxy.#take(listener);
    return proxy;
  }

  /** The same database by this way. */
  through(url: string): string {
    const led = new URL(url);
    led.hostname = "127.0.0.1";
    led.port = String(this.port);
    return led.href;
  }

  /** Where connections lead that are made from now on. */
  leadTo(targetPort: number): void {
    this.#target = targetPort;
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
    if (!this.#listener) this.#take(await listen(this.port));
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

  /** Bytes and the end of one direction; nothing once the pair is lost. */
  #forward(pair: Pair, from: Socket, to: Socket | undefined): void {
    const delay = delayed(this.#delayMs);
    const later = (work: () => void) => delay(() => (this.#held ? this.#held.push(work) : work()));
    from.setNoDelay(true);
    from.on("data", (bytes) => {
      if (from === pair.client) this.#turn(pair);
      later(() => {
        if (pair.isLost) return;
        if (to === pair.client) pair.isAnswered = true;
        to?.write(bytes);
      });
    });
    // Either side may end it at any time; that is no fault of the proxy.
    from.on("error", () => from.destroy());
    from.on("close", () => later(() => !pair.isLost && to?.destroy()));
  }

  #turn(pair: Pair): void {
    if (pair.isAnswered) this.turns++;
    pair.isAnswered = false;
  }
}

/** Runs each piece of work so much later, in the order in which it came. */
function delayed(ms: number): (work: () => void) => void {
  if (ms === 0) return (work) => work();
  const waiting: { work: () => void; dueAt: number }[] = [];
  const run = () => {
    const now = performance.now();
    while (waiting[0] && waiting[0].dueAt <= now) waiting.shift()?.work();
    const [next] = waiting;
    if (next) setTimeout(run, next.dueAt - now);
  };
  return (work) => {
    waiting.push({ work, dueAt: performance.now() + ms });
    if (waiting.length === 1) setTimeout(run, ms);
  };
}

function listen(port: number): Promise<Server> {
  const server = createServer();
  return new Promise((resolve, reject) =>
    server.once("error", reject).listen(port, "127.0.0.1", () => resolve(server)),
  );
}
