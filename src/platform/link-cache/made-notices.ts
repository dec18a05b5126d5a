/**
 * Links that were made, told to the other servers once they have committed. Not in their transactions: Postgres commits those
 * that notify one after the other, each with its own write to the disk, which bounds how many links a second can be made.
 * All that hangs on a notice is how long another server goes on saying that there is no such link, ten seconds at most.
 *
 * One statement is under way at a time; what is made meanwhile goes with the next, `AT_ONCE` in each. Bounds: `WAITING_MAX`;
 * further ones are not told. A crash loses what waits, and so does a statement that fails, of which `onFailed` hears.
 */
import type { LinkChange } from "./changes";

const AT_ONCE = 500;
const WAITING_MAX = 20_000;

export interface MadeNoticesOptions {
  notify(changes: readonly LinkChange[]): Promise<unknown>;
  onFailed(error: unknown): void;
}

export class MadeNotices {
  readonly #options: MadeNoticesOptions;
  #waiting: LinkChange[] = [];
  #isSending = false;

  constructor(options: MadeNoticesOptions) {
    this.#options = options;
  }

  /** Returns at once. */
  add(changes: readonly LinkChange[]): void {
    if (this.#waiting.length < WAITING_MAX) this.#waiting.push(...changes);
    if (!this.#isSending) void this.#send();
  }

  /** Never rejects. */
  async #send(): Promise<void> {
    this.#isSending = true;
    while (this.#waiting.length > 0) {
      try {
        await this.#options.notify(this.#waiting.splice(0, AT_ONCE));
      } catch (error) {
        this.#options.onFailed(error);
      }
    }
    this.#isSending = false;
  }
}
