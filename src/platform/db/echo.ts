/** A word sent through one connection that has to be heard on another, on a channel of its own. */
import type { Client } from "./connect";
import { DeafError, SilentError, type Wait } from "./wait";

export class Echo {
  readonly channel = `waymark_echo_${crypto.randomUUID().replaceAll("-", "")}`;
  #sounds = 0;
  #awaited = Promise.withResolvers<void>();

  heard(payload: string): void {
    if (payload === String(this.#sounds)) this.#awaited.resolve();
  }

  /**
   * The database's time when it was sent, once it is heard: so is whatever was told before. Rejects with `SilentError` when
   * it could not be sent in time, and with `DeafError` when it was and does not come.
   */
  async sound({ sql }: Client, wait: Wait, msMax: number): Promise<number> {
    this.#awaited = Promise.withResolvers<void>();
    const word = ++this.#sounds;
    const sent = sql.unsafe<{ now: number }[]>(
      `select (extract(epoch from clock_timestamp()) * 1000)::float8 as now, pg_notify('${this.channel}', '${word}')`,
    );
    const [row] = await wait.until(sent, msMax);
    try {
      await wait.until(this.#awaited.promise, msMax);
    } catch (error) {
      throw error instanceof SilentError ? new DeafError("Notifications are sent and do not arrive") : error;
    }
    return Number(row?.now);
  }
}
