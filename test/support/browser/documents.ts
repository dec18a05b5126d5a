/** Tracks how far each document of a page has loaded, from the browser's events. */
const EVENTS: Record<string, "loaded" | "read" | undefined> = {
  "Page.loadEventFired": "loaded",
  "Page.domContentEventFired": "read",
};

/** The documents of a page, in order. The previous one may still be loading when the next is requested. */
export class Documents {
  readonly #known: { loaderId: string; seen: Set<string> }[] = [];
  readonly #waiting = new Set<() => void>();

  heard(method: string, params: Record<string, unknown>): void {
    const event = EVENTS[method];
    const frame = method === "Page.frameNavigated" ? Object(params.frame) : undefined;
    if (frame && frame.parentId === undefined) this.#known.push({ loaderId: frame.loaderId, seen: new Set() });
    if (event) for (const { seen } of this.#known) seen.add(event);
    if (event) for (const look of this.#waiting) look();
  }

  /** Resolves once this document, or one it redirected to, has reached the event. Rejects with `end`. */
  async until(loaderId: string, event: "loaded" | "read", end: Promise<never>): Promise<void> {
    const hasCome = () => this.#known.some((document) => document.loaderId === loaderId && document.seen.has(event));
    while (!hasCome()) {
      const { promise: heard, resolve } = Promise.withResolvers<void>();
      this.#waiting.add(resolve);
      await Promise.race([heard, end]).finally(() => this.#waiting.delete(resolve));
    }
  }
}
