/** Holds back requests of a page, so that a test can act while they are in flight. */
export interface Held {
  /** Resolves once the page has sent it. */
  sent: Promise<void>;
  /** Lets the request continue to the service. */
  releaseRequest(): void;
  /** Lets the request fail as if the service could not be reached. */
  failRequest(): void;
}

type Fate = "released" | "failed";

interface Awaited {
  method: string;
  part: string;
  /** Resolves once the test has decided. */
  hold(): Promise<Fate>;
}

export class HeldRequests {
  readonly #awaited: Awaited[] = [];

  /** Holds back the next request with this method whose URL contains `part`. */
  next(method: string, part: string): Held {
    const sent = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<Fate>();
    const hold = () => {
      sent.resolve();
      return gone.promise;
    };
    this.#awaited.push({ method, part, hold });
    return {
      sent: sent.promise,
      releaseRequest: () => gone.resolve("released"),
      failRequest: () => gone.resolve("failed"),
    };
  }

  /** Resolves once it is decided: immediately, unless a test holds the request back. */
  async fateOf(method: string, url: string): Promise<Fate> {
    const at = this.#awaited.findIndex((one) => one.method === method && url.includes(one.part));
    return (await this.#awaited.splice(at, at < 0 ? 0 : 1)[0]?.hold()) ?? "released";
  }
}
