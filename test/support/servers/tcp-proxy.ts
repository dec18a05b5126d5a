/**
 * A way between a client and a server that can be cut and made silent, as networks are.
 *
 * - open: bytes go both ways.
 * - cut: open connections end, new ones are refused.
 * - silent: connections are taken and nothing comes back; what is sent on old ones is lost. The server notices nothing.
 *
 * What went through a silence stays silent when the way opens again, as behind a router that has lost its memory: only
 * new connections get through.
 */
import { connect, createServer, type Server, type Socket } from "node:net";

interface Pair {
  client: Socket;
  server?: Socket;
  isLost: boolean;
}

export class TcpProxy {
  readonly port: number;
  #target: number;
  #listener: Server | undefined;
  #isSilent = false;
  readonly #pairs = new Set<Pair>();

  private constructor(port: number, target: number) {
    this.port = port;
    this.#target = target;
  }

  static async start(targetPort: number): Promise<TcpProxy> {
    const listener = await listen(0);
    const address = listener.address();
    if (address === null || typeof address === "string") throw new Error("The proxy has no port");
    const proxy = new TcpProxy(address.port, targetPort);
    proxy.#take(listener);
    return proxy;
  }

  /** Where connections lead that are made from now on. */
  leadTo(targetPort: number): void {
    this.#target = targetPort;
  }

  silence(): void {
    this.#isSilent = true;
    for (const pair of this.#pairs) pair.isLost = true;
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
    const pair: Pair = { client, isLost: this.#isSilent };
    this.#pairs.add(pair);
    const { server } = this.#isSilent ? {} : { server: connect(this.#target, "127.0.0.1") };
    pair.server = server;
    forward(pair, client, server);
    if (server) forward(pair, server, client);
  }
}

/** Bytes and the end of one direction; nothing once the pair is lost. */
function forward(pair: Pair, from: Socket, to: Socket | undefined): void {
  from.setNoDelay(true);
  from.on("data", (bytes) => {
    if (!pair.isLost) to?.write(bytes);
  });
  // Either side may end it at any time; that is no fault of the proxy.
  from.on("error", () => from.destroy());
  from.on("close", () => {
    if (!pair.isLost) to?.destroy();
  });
}

function listen(port: number): Promise<Server> {
  const server = createServer();
  return new Promise((resolve, reject) =>
    server.once("error", reject).listen(port, "127.0.0.1", () => resolve(server)),
  );
}
