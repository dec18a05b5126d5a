/** Sends a word through one connection that has to arrive on another, on a separate channel. */
import type { Client } from "./connect";
import { DeafError, SilentError, type Wait } from "./wait";

export interface EchoReply {
  /** When it was sent, by the database's clock, in Unix milliseconds. */
  now: number;
  /** Whether Postgres accepts no writes. */
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
   * Resolves once the word arrives; every earlier notification has then arrived, too. Rejects with `SilentError` if
   * it could not be sent in time, and with `DeafError` if it was sent but does not arrive.
   */
  async sound({ sql }: Client, wait: Wait, msMax: number): Promise<EchoReply> {
    this.#awaited = Promise.withResolvers<void>();
    const word = ++this.#sounds;
    const sent = sql.unsafe<EchoReply[]>(
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
