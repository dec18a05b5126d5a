/** Visitors that behave like no browser: they send half a request, read nothing, or disconnect at the wrong moment. */
import { connect, type Socket } from "node:net";

export interface Place {
  port: number;
  slug: string;
}

export interface Kind {
  /** Resolves once the visitor is in its intended state. */
  begin(visitor: HardVisitor, place: Place): unknown;
  /** The visitor reads nothing, so it does not notice when the server closes the connection. */
  isDeaf?: true;
  /** The visitor's request is incomplete as long as it stays. */
  isUnderWay?: true;
  /** Checks what the visitor received. Kinds without it stay until the server closes their connection. */
  isRight?(visitor: HardVisitor): Promise<boolean>;
}

const UPLOAD_BYTES = 60_000;
const DRIP_MS = 1_000;
const CONNECT_MS_MAX = 60_000;

const request = ({ port }: Place, target: string, lines: string[] = [], method = "GET"): string =>
  `${[`${method} ${target} HTTP/1.1`, `Host: localhost:${port}`, "User-Agent: Mozilla/5.0 (X11; Linux x86_64) Hard", ...lines].join("\r\n")}\r\n\r\n`;
const visit = (place: Place): string => request(place, `/${place.slug}`);
const large = (place: Place): string => request(place, "/openapi.json", ["Accept-Encoding: identity"]);
const upload = (place: Place, framing: string): string =>
  request(place, "/api/v1/auth/login", ["Content-Type: application/json", framing], "POST");

/** The kinds of visitors, by their behaviour. */
export const KINDS: Record<string, Kind> = {
  silent: { begin: () => undefined },
  "idle after a redirect": {
    begin: (visitor, place) => visitor.say(visit(place)).heard(),
  },
  "idle after an answer from behind": {
    begin: (visitor, place) => visitor.say(request(place, "/none/at/all")).heard(),
  },
  "a head that never ends": { isUnderWay: true, begin: (visitor, place) => visitor.say(visit(place).slice(0, -7)) },
  "a byte a second": {
    isUnderWay: true,
    begin(visitor, place) {
      const drip = setInterval(() => visitor.say("y"), DRIP_MS);
      visitor.say(`${visit(place).slice(0, -2)}X-More: `);
      void visitor.closed.then(() => clearInterval(drip));
    },
  },
  "a body that never ends": {
    isUnderWay: true,
    begin: (visitor, place) => visitor.say(upload(place, "Content-Length: 99")).say('{"e'),
  },
  "chunks that never end": {
    isUnderWay: true,
    begin: (visitor, place) => visitor.say(upload(place, "Transfer-Encoding: chunked")).say('3\r\n{"e\r\n'),
  },
  "takes nothing of large answers": {
    isUnderWay: true,
    isDeaf: true,
    begin: (visitor, place) => visitor.deaf().say(large(place).repeat(40)),
  },
  "takes nothing of many redirects": {
    isDeaf: true,
    begin: (visitor, place) => visitor.deaf().say(visit(place).repeat(200)),
  },
  "half-closed after its request": {
    begin: (visitor, place) => visitor.say(visit(place)).sayNoMore(),
    async isRight(visitor) {
      await visitor.closed;
      return visitor.isRedirected;
    },
  },
  "half-closed in its request": {
    begin: (visitor, place) => visitor.say(visit(place).slice(0, -7)).sayNoMore(),
    async isRight(visitor) {
      await visitor.closed;
      return !visitor.isRedirected;
    },
  },
  "reset before its answer": {
    begin: (visitor, place) => visitor.say(visit(place)).reset(),
    isRight: async () => true,
  },
  "reset before an answer from behind": {
    begin: (visitor, place) => visitor.say(request(place, "/none/at/all")).reset(),
    isRight: async () => true,
  },
  "reset in a large answer": {
    async begin(visitor, place) {
      await visitor.say(large(place)).heard();
      visitor.reset();
    },
    isRight: async () => true,
  },
  "reset in an upload": {
    async begin(visitor, place) {
      visitor.say(upload(place, `Content-Length: ${UPLOAD_BYTES}`)).say(" ".repeat(UPLOAD_BYTES / 2));
      await Bun.sleep(Math.random() * 20);
      visitor.reset();
    },
    isRight: async () => true,
  },
};

export class HardVisitor {
  readonly #socket: Socket;
  readonly #closed = Promise.withResolvers<void>();
  readonly #connected = Promise.withResolvers<void>();
  readonly #heard = Promise.withResolvers<void>();
  #text = "";
  #hasLeft = false;
  isClosed = false;

  constructor(port: number) {
    this.#socket = connect(port, "127.0.0.1");
    this.#socket.on("connect", () => this.#connected.resolve());
    this.#socket.on("data", (bytes: Buffer) => {
      if (this.#text.length < 1_000) this.#text += bytes.toString("latin1");
      this.#heard.resolve();
    });
    this.#socket.on("error", () => this.#close());
    this.#socket.on("close", () => this.#close());
  }

  /** Rejects if no server listens. */
  async connected(): Promise<this> {
    await Promise.race([this.#connected.promise, Bun.sleep(CONNECT_MS_MAX)]);
    if (this.isClosed || this.#socket.connecting) throw new Error("A visitor got no connection");
    return this;
  }

  /** Resolves once the connection is closed by either side. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /** True if the server closed the connection. */
  get wasEnded(): boolean {
    return this.isClosed && !this.#hasLeft;
  }

  get isRedirected(): boolean {
    return this.#text.startsWith("HTTP/1.1 302 ");
  }

  /** The id of the click that the redirect acknowledged. */
  get clickId(): string | undefined {
    return /^location: .*[?&]wm_cid=([0-9a-f-]+)/im.exec(this.#text)?.[1];
  }

  say(text: string): this {
    if (!this.isClosed) this.#socket.write(text, "latin1");
    return this;
  }

  sayNoMore(): this {
    this.#socket.end();
    return this;
  }

  /** Stops reading from the socket. */
  deaf(): this {
    this.#socket.pause();
    return this;
  }

  /** Resolves once something was received or the connection is closed. */
  async heard(): Promise<void> {
    await Promise.race([this.#heard.promise, this.closed]);
  }

  reset(): void {
    this.#hasLeft = true;
    this.#socket.resetAndDestroy();
  }

  leave(): void {
    if (!this.isClosed) this.#hasLeft = true;
    this.#socket.destroy();
  }

  #close(): void {
    this.isClosed = true;
    this.#connected.resolve();
    this.#closed.resolve();
  }
}
