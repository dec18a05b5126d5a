/**
 * Connections to Postgres that can be replaced while they are in use.
 *
 * States: present → away (`leave`) → present (`renew`), and closed. Code that holds `sql` notices only rejections:
 * while away, every query rejects immediately instead of waiting for a server that does not respond, so nothing piles
 * up.
 *
 * A Postgres that was unreachable may still hold connections open that were discarded here, with their locks. Each
 * set of connections has its own name, and once Postgres is back, the backends with earlier names are terminated.
 */
import type { Sql } from "postgres";
import { type Client, type ClientSettings, openClient } from "./connect";

/** Milliseconds for what runs or waits to finish, when connections are replaced although Postgres responds. */
const GRACE_MS = 5_000;
/** Milliseconds for a former backend to end. */
const END_MS = 1_000;
/** Earlier names that may still have backends. More than these are used only while Postgres is unreachable. */
const FORMER_NAMES_MAX = 16;

export class RenewableClient {
  /** Always refers to the current connections. */
  readonly sql: Sql;
  /** With this, the names of all its connections begin, and of no others. */
  readonly name: string;
  readonly #open: (name: string) => Client;
  #client: Client;
  #exchanges = 0;
  #former: string[] = [];
  readonly #fading = new Set<Client>();
  #hasLeft = false;
  #isClosed = false;

  /** `prepare` is called with every new client before it is used. */
  constructor(url: string, settings: ClientSettings, prepare: (sql: Sql) => void = () => undefined) {
    this.name = `${settings.name} ${crypto.randomUUID().slice(0, 8)}`;
    this.#open = (name) => {
      const client = openClient(url, { ...settings, name });
      prepare(client.sql);
      return client;
    };
    this.#client = this.#open(this.name);
    this.sql = new Proxy(this.#client.sql, {
      apply: (_, self, args) => Reflect.apply(this.#client.sql, self, args),
      get: (_, property) => Reflect.get(this.#client.sql, property),
    });
  }

  /** Counts the open ones among the current connections. */
  connections(): number {
    return this.#client.connections();
  }

  /** Call this when Postgres is unreachable: running and waiting queries reject, and so do new ones until `renew`. */
  leave(): Promise<void> {
    this.#hasLeft = true;
    return this.#client.discard();
  }

  /**
   * Replaces the connections; what runs or waits on the old ones gets 5 s to finish. Resolves once Postgres has ended
   * what it still held open for earlier ones. Rejects if it does not respond; the next renewal then ends what is
   * left.
   */
  async renew(): Promise<void> {
    const former = this.#client;
    const isOver = this.#hasLeft;
    this.#hasLeft = false;
    this.#client = this.#open(`${this.name}.${++this.#exchanges}`);
    this.#former = [...this.#former, former.name].slice(-FORMER_NAMES_MAX);
    if (!isOver) await this.#fade(former);
    if (this.#isClosed) return;
    const names = this.#former;
    await terminateBackends(this.#client.sql, names);
    this.#former = this.#former.filter((name) => !names.includes(name));
  }

  async close(graceS: number): Promise<void> {
    this.#isClosed = true;
    for (const client of this.#fading) void client.discard();
    await this.#client.close(graceS);
  }

  /** The driver's own end with a timeout would forget queries that wait for a connection. */
  async #fade(client: Client): Promise<void> {
    this.#fading.add(client);
    await new Promise((resolve) => setTimeout(resolve, GRACE_MS).unref());
    this.#fading.delete(client);
    await client.discard();
  }
}

/**
 * Terminates the backends with these application names: their clients are gone, though Postgres may not have noticed.
 * Waits for each to end and release its locks, a second at most.
 */
export async function terminateBackends(sql: Sql, names: readonly string[]): Promise<void> {
  await sql.unsafe(
    `select pg_terminate_backend(pid, ${END_MS}) from pg_stat_activity
     where usename = current_user and application_name = any(string_to_array($1, ','))`,
    [names.join()],
  );
}
