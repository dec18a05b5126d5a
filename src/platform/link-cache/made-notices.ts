/**
 * Links that were made, told to the other servers once they have committed. Not in their transactions: Postgres commits those
 * that notify one after the other, each with its own write to the disk, which bounds how many links a second can be made.
 * All that hangs on a notice is how long another server goes on saying that there is no such link, ten seconds at most.
 *
 * One statement is under way at a time; what is made meanwhile goes with the next, `AT_ONCE` in each. When more than
 * `WAITING_MAX` links wait, or a statement fails, one notice replaces theirs: it makes the other servers forget which addresses
 * had no link. It is sent until a statement succeeds, or until they have forgotten by themselves. `close` sends what
 * waits; a crash loses it.
 *
 * Whoever makes thousands of links a second says so (`areMany`) and sends nothing but that notice, at once and then at most every
 * `MANY_EVERY_MS`: each notice of a link takes a server's main thread some microseconds, and hundreds that come together make
 * redirects wait for a millisecond or two.
 */
import { MISSING_MS } from "./cache";
import { ANY_MADE, type LinkChange } from "./changes";

const AT_ONCE = 500;
const WAITING_MAX = 20_000;
/** With some seconds for a load that was under way when the link was made. */
const FORGOTTEN_MS = MISSING_MS + 5_000;
const RETRY_AFTER_MS = 500;
const CLOSE_MS_MAX = 2_000;
const MANY_EVERY_MS = 1_000;

export interface MadeNoticesOptions {
  notify(changes: readonly LinkChange[]): Promise<unknown>;
  /** One notice replaces those of so many links, since too many waited or, with an error, their statement failed. */
  onReplaced(links: number, error?: unknown): void;
  /** Whether links are made by the thousand, so that one notice always stands for all. */
  areMany?: boolean;
  /** For tests. */
  retryAfterMs?: number;
  manyEveryMs?: number;
}

export class MadeNotices {
  /** Links without a notice of their own since the start. */
  replaced = 0;
  readonly #options: MadeNoticesOptions;
  readonly #closing = Promise.withResolvers<void>();
  #isClosing = false;
  #waiting: LinkChange[] = [];
  #isAnyMade = false;
  /** Until when others may remember an address to have no link, by the monotonic clock. */
  #rememberedUntil = 0;
  #sending: Promise<void> | undefined;

  constructor(options: MadeNoticesOptions) {
    this.#options = options;
  }

  /** Returns at once. */
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

  /** Resolves once what waits has been sent or has failed, or that takes too long. Whatever is added later is tried once. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#closing.resolve();
    if (this.#sending) await Promise.race([this.#sending, Bun.sleep(CLOSE_MS_MAX)]);
  }

  /** Never rejects. */
  async #send(): Promise<void> {
    while (this.#isAnyMade || this.#waiting.length > 0) {
      const some = this.#isAnyMade ? [ANY_MADE] : this.#waiting.splice(0, AT_ONCE);
      this.#isAnyMade = false;
      try {
        await this.#options.notify(some);
        if (this.#options.areMany) await this.#pause(this.#options.manyEveryMs ?? MANY_EVERY_MS);
      } catch (error) {
        await this.#failed(some, error);
      }
    }
    this.#sending = undefined;
  }

  async #failed(some: readonly LinkChange[], error: unknown): Promise<void> {
    if (some[0] !== ANY_MADE) this.#replace(some.length, error);
    this.#isAnyMade = !this.#isClosing && performance.now() < this.#rememberedUntil;
    if (!this.#isAnyMade) return;
    await this.#pause(this.#options.retryAfterMs ?? RETRY_AFTER_MS);
  }

  #pause = (ms: number) => Promise.race([this.#closing.promise, Bun.sleep(ms)]);

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
