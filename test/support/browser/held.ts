/** Requests of a page that a test holds back, to see what a person does while they are under way. */
export interface Held {
  /** Resolves once the page has sent it. */
  sent: Promise<void>;
  /** Lets it reach the service. */
  letGo(): void;
}

interface Awaited {
  method: string;
  part: string;
  /** Resolves when it is let go. */
  hold(): Promise<void>;
}

export class HeldRequests {
  readonly #awaited: Awaited[] = [];

  /** The next request of this method to an address that contains this. */
  next(method: string, part: string): Held {
    const sent = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    const hold = () => {
      sent.resolve();
      return gone.promise;
    };
    this.#awaited.push({ method, part, hold });
    return { sent: sent.promise, letGo: gone.resolve };
  }

  /** Resolves at once for a request that nobody holds. */
  async until(method: string, url: string): Promise<void> {
    const at = this.#awaited.findIndex((one) => one.method === method && url.includes(one.part));
    if (at >= 0) await this.#awaited.splice(at, 1)[0]?.hold();
  }
}
