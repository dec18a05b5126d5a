/**
 * Holds the listeners and the ticker of one workspace and filter; see `stream.ts`. Times are milliseconds of the
 * monotonic clock (`performance.now`).
 */
import { type EventStream, encodeEvent } from "@/http/sse";

export interface StreamListener {
  credentialId: string;
  intervalMs: number;
  stream: EventStream;
  /** Time of the last snapshot sent to it. */
  servedAt: number;
}

export interface StreamWorkspaceOptions {
  /** Reads a snapshot, encoded as it is sent. */
  read(): Promise<Uint8Array>;
  membersAmong(credentialIds: string[]): Promise<Set<string>>;
  /** Called once when reads begin to fail, and again only after one has succeeded. */
  failed(error: unknown): void;
  /** Snapshot to start with. */
  latest?: Snapshot;
  /** Minimum rest after a read, as a multiple of the read's duration; defaults to 0. */
  restFactor?: number;
  /** Called when the last listener has left; this workspace is not used again. */
  emptied(): void;
}

export type EndReason = "access" | "shutdown" | "filters";

export interface Snapshot {
  message: Uint8Array;
  readAt: number;
}

export class Workspace {
  readonly #options: StreamWorkspaceOptions;
  readonly #listeners = new Set<StreamListener>();
  #latest: Snapshot | undefined;
  #reading: Promise<Snapshot> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #nextTickAt = Number.POSITIVE_INFINITY;
  /** Until when nothing is read, whoever joins meanwhile. */
  #restsUntil = Number.NEGATIVE_INFINITY;
  #isTicking = false;
  #isFailing = false;

  constructor(options: StreamWorkspaceOptions) {
    this.#options = options;
    this.#latest = options.latest;
    if (options.latest) this.#rest(options.latest.readAt);
  }

  get size(): number {
    return this.#listeners.size;
  }

  join(listener: StreamListener): void {
    this.#listeners.add(listener);
    this.#schedule(Math.min(this.#nextTickAt, performance.now() + listener.intervalMs));
    void this.#welcome(listener);
  }

  leave(listener: StreamListener): void {
    if (!this.#listeners.delete(listener) || this.size > 0) return;
    clearTimeout(this.#timer);
    this.#options.emptied();
  }

  /** Sends the message to all listeners that have room for it. */
  send(message: Uint8Array): void {
    for (const { stream } of this.#listeners) stream.send(message);
  }

  /** Ends every stream. */
  end(reason: EndReason): void {
    for (const listener of [...this.#listeners]) this.#end(listener, reason);
  }

  #end(listener: StreamListener, reason: EndReason): void {
    listener.stream.end(encodeEvent({ event: "end", data: JSON.stringify({ reason }) }));
    this.leave(listener);
  }

  /**
   * Sends a first snapshot, during a rest the latest one, however old. Access needs no check, because the request has
   * just passed one.
   */
  async #welcome(listener: StreamListener): Promise<void> {
    const [known, now] = [this.#latest, performance.now()];
    const isRecent = known && known.readAt >= now - listener.intervalMs;
    const snapshot = isRecent || now < this.#restsUntil ? known : await this.#attempt(() => this.#read());
    if (snapshot) this.#serve([listener], snapshot);
  }

  async #tick(): Promise<void> {
    const startedAt = performance.now();
    if (startedAt < this.#restsUntil) return this.#schedule(this.#restsUntil);
    this.#isTicking = true;
    const interval = this.#interval();
    const due = [...this.#listeners].filter(
      ({ servedAt, intervalMs }) => servedAt + intervalMs <= startedAt + interval / 2,
    );
    if (due.length > 0) await this.#attempt(() => this.#update(due));
    this.#isTicking = false;
    if (this.size > 0) this.#schedule(Math.max(startedAt + this.#interval(), this.#restsUntil));
  }

  /**
   * Ends the streams of listeners that lost access, and sends the others a new snapshot. Does neither if one of the
   * two reads fails.
   */
  async #update(due: StreamListener[]): Promise<void> {
    const credentials = [...new Set(due.map(({ credentialId }) => credentialId))];
    const [members, snapshot] = await Promise.all([this.#options.membersAmong(credentials), this.#read()]);
    for (const listener of due) if (!members.has(listener.credentialId)) this.#end(listener, "access");
    this.#serve(due, snapshot);
  }

  /** Reads a snapshot in single flight. */
  #read(): Promise<Snapshot> {
    this.#reading ??= this.#readAnew().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readAnew(): Promise<Snapshot> {
    const readAt = performance.now();
    try {
      this.#latest = { message: await this.#options.read(), readAt };
      return this.#latest;
    } finally {
      this.#rest(readAt);
    }
  }

  /** Begins the rest after a read that ends now. */
  #rest(readAt: number): void {
    const now = performance.now();
    this.#restsUntil = now + (this.#options.restFactor ?? 0) * (now - readAt);
  }

  /** Sends the snapshot. A listener that is behind is tried again at the next tick. */
  #serve(listeners: StreamListener[], { message }: Snapshot): void {
    const now = performance.now();
    for (const listener of listeners) {
      if (this.#listeners.has(listener) && listener.stream.send(message)) listener.servedAt = now;
    }
  }

  /** Returns the shortest requested interval. */
  #interval(): number {
    return Math.min(...[...this.#listeners].map(({ intervalMs }) => intervalMs));
  }

  #schedule(at: number): void {
    this.#nextTickAt = at;
    clearTimeout(this.#timer);
    if (!this.#isTicking) this.#timer = setTimeout(() => void this.#tick(), Math.max(0, at - performance.now()));
  }

  async #attempt<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      const result = await work();
      this.#isFailing = false;
      return result;
    } catch (error) {
      if (!this.#isFailing) this.#options.failed(error);
      this.#isFailing = true;
      return undefined;
    }
  }
}
