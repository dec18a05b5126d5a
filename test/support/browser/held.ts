/** Holds back requests of a page, so that a test can act while they are in flight, or lets them fail. */
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
  readonly #refused = new Set<Pick<Awaited, "method" | "part">>();

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

  /** Lets all such requests fail, as if the service could not be reached, until the returned function is called. */
  refuse(method: string, part: string): () => void {
    const refused = { method, part };
    this.#refused.add(refused);
    return () => this.#refused.delete(refused);
  }

  /** Resolves once it is decided: immediately, unless a test holds the request back. */
  async fateOf(method: string, url: string): Promise<Fate> {
    const isIt = (one: Pick<Awaited, "method" | "part">) => one.method === method && url.includes(one.part);
    if ([...this.#refused].some(isIt)) return "failed";
    const at = this.#awaited.findIndex(isIt);
    return (await this.#awaited.splice(at, at < 0 ? 0 : 1)[0]?.hold()) ?? "released";
  }
}
