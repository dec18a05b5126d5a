/** One workspace's listeners and their ticker; see `stream.ts`. Times are of a clock that is never set, in milliseconds. */
import { type EventStream, encodeEvent } from "@/http/sse";

export interface StreamListener {
  credentialId: string;
  intervalMs: number;
  stream: EventStream;
  /** The time of its latest snapshot. */
  servedAt: number;
}

export interface StreamWorkspaceOptions {
  /** A snapshot, as it is sent. */
  read(): Promise<Uint8Array>;
  membersAmong(credentialIds: string[]): Promise<Set<string>>;
  /** Told once when ticks begin to fail. */
  failed(error: unknown): void;
  /** A snapshot to begin with. */
  latest?: Snapshot;
  /** It rests for so many times as long as a tick took, at least. */
  restFactor?: number;
  /** Nobody listens any more: this workspace is not used again. */
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
  #isTicking = false;
  #isFailing = false;

  constructor(options: StreamWorkspaceOptions) {
    this.#options = options;
    this.#latest = options.latest;
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

  /** To all who have room for it. */
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

  /** Access was checked just now, with the request. */
  async #welcome(listener: StreamListener): Promise<void> {
    const known = this.#latest;
    const isRecent = known && known.readAt >= performance.now() - listener.intervalMs;
    const snapshot = isRecent ? known : await this.#attempt(() => this.#read());
    if (snapshot) this.#serve([listener], snapshot);
  }

  async #tick(): Promise<void> {
    this.#isTicking = true;
    const startedAt = performance.now();
    const interval = this.#interval();
    const due = [...this.#listeners].filter(
      ({ servedAt, intervalMs }) => servedAt + intervalMs <= startedAt + interval / 2,
    );
    if (due.length > 0) await this.#attempt(() => this.#update(due));
    this.#isTicking = false;
    const endedAt = performance.now();
    const restMs = (this.#options.restFactor ?? 0) * (endedAt - startedAt);
    if (this.size > 0) this.#schedule(Math.max(startedAt + this.#interval(), endedAt + restMs));
  }

  /** Whoever lost access ends, the others get a new snapshot. With one of both not to be had, nothing happens. */
  async #update(due: StreamListener[]): Promise<void> {
    const credentials = [...new Set(due.map(({ credentialId }) => credentialId))];
    const [members, snapshot] = await Promise.all([this.#options.membersAmong(credentials), this.#read()]);
    for (const listener of due) if (!members.has(listener.credentialId)) this.#end(listener, "access");
    this.#serve(due, snapshot);
  }

  /** Whoever asks while one is read gets that one. */
  #read(): Promise<Snapshot> {
    this.#reading ??= this.#readAnew().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readAnew(): Promise<Snapshot> {
    const readAt = performance.now();
    this.#latest = { message: await this.#options.read(), readAt };
    return this.#latest;
  }

  /** Who is behind is tried again at the next tick. */
  #serve(listeners: StreamListener[], { message }: Snapshot): void {
    const now = performance.now();
    for (const listener of listeners) {
      if (this.#listeners.has(listener) && listener.stream.send(message)) listener.servedAt = now;
    }
  }

  /** The shortest that is asked for. */
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
