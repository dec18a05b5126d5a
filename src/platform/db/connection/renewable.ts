/**
 * Connections to Postgres that can be exchanged under those who use them.
 *
 * States: present → away (`leave`) → present (`renew`), and closed. Whoever holds `sql` notices nothing but rejections:
 * while away every query rejects at once instead of waiting for a server that does not answer, so that nothing piles up.
 *
 * A Postgres that was out of reach may still hold open what was thrown away here, with its locks. Each exchange has a
 * name of its own, and once Postgres is back the backends of the former names are ended.
 */
import type { Sql } from "postgres";
import { type Client, type ClientSettings, openClient } from "./connect";

/** For what runs or waits while connections are exchanged although Postgres answers. */
const GRACE_MS = 5_000;
/** For a former backend to end. */
const END_MS = 1_000;
/** Former names that may still have backends; more are only made while Postgres is away. */
const FORMER_NAMES_MAX = 16;

export class RenewableClient {
  /** Always refers to the current connections. */
  readonly sql: Sql;
  readonly #open: (name: string) => Client;
  readonly #name: string;
  #client: Client;
  #exchanges = 0;
  #former: string[] = [];
  readonly #fading = new Set<Client>();
  #hasLeft = false;
  #isClosed = false;

  /** `prepare` is called with every client before it is used. */
  constructor(url: string, settings: ClientSettings, prepare: (sql: Sql) => void = () => undefined) {
    this.#name = `${settings.name} ${crypto.randomUUID().slice(0, 8)}`;
    this.#open = (name) => {
      const client = openClient(url, { ...settings, name });
      prepare(client.sql);
      return client;
    };
    this.#client = this.#open(this.#name);
    this.sql = new Proxy(this.#client.sql, {
      apply: (_, self, args) => Reflect.apply(this.#client.sql, self, args),
      get: (_, property) => Reflect.get(this.#client.sql, property),
    });
  }

  /** Counts the open ones among the current connections. */
  connections(): number {
    return this.#client.connections();
  }

  /** Postgres is away: what runs and waits rejects, and so does whatever comes until `renew`. */
  leave(): Promise<void> {
    this.#hasLeft = true;
    return this.#client.discard();
  }

  /**
   * Goes on with new connections; what runs or waits on the old ones gets 5 s to end. Resolves once Postgres has ended what
   * it held open for former ones, and rejects when it does not answer: what is left then is ended the next time.
   */
  async renew(): Promise<void> {
    const former = this.#client;
    const isOver = this.#hasLeft;
    this.#hasLeft = false;
    this.#client = this.#open(`${this.#name}.${++this.#exchanges}`);
    this.#former = [...this.#former, former.name].slice(-FORMER_NAMES_MAX);
    if (!isOver) await this.#fade(former);
    if (this.#isClosed) return;
    const names = this.#former;
    await endBackends(this.#client.sql, names);
    this.#former = this.#former.filter((name) => !names.includes(name));
  }

  async close(graceS: number): Promise<void> {
    this.#isClosed = true;
    for (const client of this.#fading) void client.discard();
    await this.#client.close(graceS);
  }

  /** The driver's own way to end in time would forget what waits for a connection. */
  async #fade(client: Client): Promise<void> {
    this.#fading.add(client);
    await new Promise((resolve) => setTimeout(resolve, GRACE_MS).unref());
    this.#fading.delete(client);
    await client.discard();
  }
}

/**
 * Ends the backends of these application names: their clients are gone, though Postgres may not know. Waits until each has
 * ended, with its locks, for a second at most.
 */
export async function endBackends(sql: Sql, names: readonly string[]): Promise<void> {
  await sql.unsafe(
    `select pg_terminate_backend(pid, ${END_MS}) from pg_stat_activity
     where usename = current_user and application_name = any(string_to_array($1, ','))`,
    [names.join()],
  );
}
