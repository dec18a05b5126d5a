/** A word sent through one connection that has to be heard on another, on a channel of its own. */
import type { Client } from "./connect";
import { DeafError, SilentError, type Wait } from "./wait";

export interface Heard {
  /** When it was sent, by the database's clock, in Unix milliseconds. */
  now: number;
  /** Whether Postgres takes no writes. */
  isReadOnly: boolean;
}

export class Echo {
  readonly channel = `waymark_echo_${crypto.randomUUID().replaceAll("-", "")}`;
  #sounds = 0;
  #awaited = Promise.withResolvers<void>();

  heard(payload: string): void {
    if (payload === String(this.#sounds)) this.#awaited.resolve();
  }

  /**
   * Resolves once it is heard: so is whatever was told before. Rejects with `SilentError` when
   * it could not be sent in time, and with `DeafError` when it was and does not come.
   */
  async sound({ sql }: Client, wait: Wait, msMax: number): Promise<Heard> {
    this.#awaited = Promise.withResolvers<void>();
    const word = ++this.#sounds;
    const sent = sql.unsafe<Heard[]>(
      `select (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
         current_setting('transaction_read_only') = 'on' as "isReadOnly", pg_notify('${this.channel}', '${word}')`,
    );
    const [row] = await wait.until(sent, msMax);
    try {
      await wait.until(this.#awaited.promise, msMax);
    } catch (error) {
      throw error instanceof SilentError ? new DeafError("Notifications are sent but do not arrive") : error;
    }
    if (!row) throw new Error("Postgres did not return the time");
    return row;
  }
}
