/** Holds back requests of a page, so that a test can act while they are in flight. */
export interface Held {
  /** Resolves once the page has sent it. */
  sent: Promise<void>;
  /** Lets the request continue to the service. */
  releaseRequest(): void;
}

interface Awaited {
  method: string;
  part: string;
  /** Resolves when the request may continue. */
  hold(): Promise<void>;
}

export class HeldRequests {
  readonly #awaited: Awaited[] = [];

  /** Holds back the next request with this method whose URL contains `part`. */
  next(method: string, part: string): Held {
    const sent = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    const hold = () => {
      sent.resolve();
      return gone.promise;
    };
    this.#awaited.push({ method, part, hold });
    return { sent: sent.promise, releaseRequest: gone.resolve };
  }

  /** Resolves when the request may continue: immediately, unless a test holds it back. */
  async until(method: string, url: string): Promise<void> {
    const at = this.#awaited.findIndex((one) => one.method === method && url.includes(one.part));
    if (at >= 0) await this.#awaited.splice(at, 1)[0]?.hold();
  }
}
