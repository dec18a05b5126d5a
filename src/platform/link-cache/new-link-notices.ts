/**
 * Notifies the other servers of new links once they have committed. The notice is not part of the creating
 * transaction: Postgres commits transactions that notify one after another, each with its own disk write, which
 * limits how many links can be created per second. A late notice costs little: until it arrives, another server may
 * go on reporting that there is no such link, for ten seconds at most.
 *
 * One statement runs at a time; links added in the meantime go into the next one, `AT_ONCE` in each. If more than
 * `WAITING_MAX` links are waiting, or a statement fails, one notice replaces theirs: it makes the other servers
 * forget which addresses had no link. It is retried until a statement succeeds, or until what those servers remember
 * has expired. `close` sends what is waiting; a crash loses it.
 *
 * A process that creates thousands of links per second sets `areMany` and sends only that one notice, immediately and
 * then at most every `MANY_EVERY_MS`. Each notice of a single link takes a server's main thread some microseconds,
 * and hundreds that arrive together delay redirects by a millisecond or two.
 */
import { pause } from "../db/connection/abortable";
import { ANY_LINK_CREATED, type LinkChange } from "./changes";
import { MISSING_MS } from "./missing-addresses";

const AT_ONCE = 500;
const WAITING_MAX = 20_000;
/** Includes some seconds for a load that was under way when the link was created. */
const FORGOTTEN_MS = MISSING_MS + 5_000;
const RETRY_AFTER_MS = 500;
const CLOSE_MS_MAX = 2_000;
const MANY_EVERY_MS = 1_000;

export interface MadeNoticesOptions {
  notify(changes: readonly LinkChange[]): Promise<unknown>;
  /**
   * Called when one notice replaces those of this many links: too many were waiting or, with an error, their
   * statement failed.
   */
  onReplaced(links: number, error?: unknown): void;
  /** Whether links are created by the thousand, so that one notice always replaces all others. */
  areMany?: boolean;
  /** Tests shorten both. */
  retryAfterMs?: number;
  manyEveryMs?: number;
}

export class NewLinkNotices {
  /**
   * Links since the start whose own notices were replaced. With `areMany`, links never get their own, and none are
   * counted.
   */
  replaced = 0;
  readonly #options: MadeNoticesOptions;
  readonly #closing = new AbortController();
  #waiting: LinkChange[] = [];
  #isAnyMade = false;
  /** Until when other servers may remember an address as having no link, by the monotonic clock. */
  #rememberedUntil = 0;
  #sending: Promise<void> | undefined;

  constructor(options: MadeNoticesOptions) {
    this.#options = options;
  }

  /** Queues notices and returns immediately. */
  add(changes: readonly LinkChange[]): void {
    if (changes.length === 0) return;
    if (this.#options.areMany) this.#tellAny();
    else if (this.#waiting.length + changes.length <= WAITING_MAX) this.#waiting.push(...changes);
    else {
      this.#replace(this.#waiting.length + changes.length);
      this.#waiting = [];
    }
    this.#sending ??= this.#send();
  }

  /**
   * Resolves once what is waiting has been sent or has failed, after `CLOSE_MS_MAX` at the latest. Links added later
   * are sent with one try.
   */
  async close(): Promise<void> {
    this.#closing.abort();
    if (this.#sending) await Promise.race([this.#sending, Bun.sleep(CLOSE_MS_MAX)]);
  }

  /** Never rejects. */
  async #send(): Promise<void> {
    while (this.#isAnyMade || this.#waiting.length > 0) {
      const some = this.#isAnyMade ? [ANY_LINK_CREATED] : this.#waiting.splice(0, AT_ONCE);
      this.#isAnyMade = false;
      try {
        await this.#options.notify(some);
        if (this.#options.areMany) await pause(this.#options.manyEveryMs ?? MANY_EVERY_MS, this.#closing.signal);
      } catch (error) {
        await this.#failed(some, error);
      }
    }
    this.#sending = undefined;
  }

  async #failed(some: readonly LinkChange[], error: unknown): Promise<void> {
    if (some[0] !== ANY_LINK_CREATED) this.#replace(some.length, error);
    this.#isAnyMade = !this.#closing.signal.aborted && performance.now() < this.#rememberedUntil;
    if (!this.#isAnyMade) return;
    await pause(this.#options.retryAfterMs ?? RETRY_AFTER_MS, this.#closing.signal);
  }

  #replace(links: number, error?: unknown): void {
    this.replaced += links;
    this.#tellAny();
    this.#options.onReplaced(links, error);
  }

  #tellAny(): void {
    this.#isAnyMade = true;
    this.#rememberedUntil = performance.now() + FORGOTTEN_MS;
  }
}
