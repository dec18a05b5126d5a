/**
 * The worker's own connections to Postgres: one to read and one for transactions. After any error or timeout, both
 * clients are discarded and replaced: a failed connection gives no information, not even whether its commit
 * succeeded. The caller has to find that out.
 *
 * The time limit is 5 s. A Postgres that has gone silent costs it once: connecting again takes no longer. A Postgres
 * that is merely slow must not fail forever, so each timeout doubles the limit, up to a minute, for the next ten
 * minutes.
 *
 * Postgres may not notice that a connection was discarded, and may keep its transaction and all its locks. So
 * connections have names, and new ones first terminate the backends of earlier names.
 *
 * Transactions are driven by hand. The driver's own `begin` would send its rollback through a connection that the
 * server has closed, which throws where nothing can catch it and loses the connection's place in the pool.
 */
import postgres, { type ReservedSql, type Sql } from "postgres";
import { unlessAborted } from "@/platform/db/connection/abortable";
import { type Client, openClient } from "@/platform/db/connection/connect";
import { terminateBackends } from "@/platform/db/connection/renewable";
import { isNewPartitionFault } from "@/platform/db/faults";
import { POOL_SIZES } from "@/platform/db/pools";
import { type BatchTransaction, PipelinedTransaction } from "./transaction";

export class ConnectionLostError extends Error {
  override name = "ConnectionLostError";
}

/** The work failed only because it took too long; a smaller batch may succeed. */
export class TookTooLongError extends Error {
  override name = "TookTooLongError";
}

interface Connection extends Client {
  isClosed: boolean;
  /**
   * Whether prepared statements are planned at each execution. Otherwise a plan made while tables were small is kept
   * too long.
   */
  isPlanning: boolean;
  /** Aborted when the connection is discarded. */
  losing: AbortController;
}

const WORK_MS = 5_000;
const WORK_MS_MAX = 60_000;
const PATIENT_MS = 600_000;
const CONNECT_TIMEOUT_S = 5;
/** Bounds the names of backends that may still be open; each error adds one. */
const FORMER_NAMES_MAX = 16;

export class ClickDatabase {
  readonly #url: string;
  readonly #name = `waymark clicks ${crypto.randomUUID().slice(0, 8)}`;
  readonly #workMsLeast: number;
  #workMs: number;
  #patientUntil = 0;
  #resets = 0;
  /** The number of tasks waiting to reach Postgres for the first time since the last error. */
  #reaching = 0;
  #former: string[] = [];
  /** Queried once: a privilege granted later takes effect at the next start. */
  #mayStage: boolean | undefined;
  #roundTripMs = 0;
  #reader: Connection;
  #writer: Connection;

  constructor(url: string, workMs = WORK_MS) {
    this.#url = url;
    this.#workMsLeast = workMs;
    this.#workMs = workMs;
    this.#reader = this.#connect(POOL_SIZES.clickReader);
    this.#writer = this.#connect(POOL_SIZES.clickWriter);
  }

  /** Milliseconds of a round trip to Postgres, measured in the first transaction; 0 before that. */
  get roundTripMs(): number {
    return this.#roundTripMs;
  }

  /** The client for single statements, to be used within `inTime`; each error replaces it. */
  get reader(): Sql {
    const { sql, isPlanning } = this.#reader;
    if (!isPlanning) {
      this.#reader.isPlanning = true;
      // If this fails, so do the statements behind it on this connection.
      sql.unsafe("set plan_cache_mode = force_custom_plan").catch(() => undefined);
    }
    return sql;
  }

  /**
   * Runs `work` in a transaction and commits it. If this rejects, nothing was done, unless the error came with the
   * commit.
   */
  async transaction<Result>(work: (tx: BatchTransaction) => Promise<Result>): Promise<Result> {
    return this.inTime(async () => {
      // Read this late because any error before replaces the clients.
      const client = this.#writer;
      const connection = await reserve(client);
      client.isClosed = false;
      const tx = new PipelinedTransaction(connection, () => checkOpen(client));
      try {
        void tx.send("begin; set local plan_cache_mode = force_custom_plan");
        this.#mayStage ??= await this.#firstAnswer(tx);
        const result = await work(tx.statements(this.#mayStage));
        await tx.commit();
        connection.release();
        return result;
      } catch (error) {
        throw tx.fault ?? error;
      }
    });
  }

  /**
   * Runs `work` within the time limit. When it expires, discards the clients and rejects with `TookTooLongError`, even
   * if `work` never settles: the driver forgets some of what waits for a client that is discarded while it connects.
   */
  async inTime<Result>(work: () => Promise<Result>): Promise<Result> {
    if (performance.now() > this.#patientUntil) this.#workMs = this.#workMsLeast;
    const { promise: expired, reject: expire } = Promise.withResolvers<never>();
    let isTooLong = false;
    const timer = setTimeout(() => {
      isTooLong = true;
      this.#giveUp();
      expire(new Error("The time limit expired."));
    }, this.#workMs);
    try {
      return await Promise.race([this.#reach().then(work), expired]);
    } catch (error) {
      this.reset();
      throw isTooLong ? new TookTooLongError("Postgres took too long.", { cause: error }) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Discards both clients, which fails everything in progress. */
  reset(): void {
    const old = [this.#reader, this.#writer];
    this.#former = [...this.#former, this.#reader.name].slice(-FORMER_NAMES_MAX);
    this.#resets++;
    this.#reader = this.#connect(POOL_SIZES.clickReader);
    this.#writer = this.#connect(POOL_SIZES.clickWriter);
    for (const client of old) {
      client.isClosed = true;
      client.losing.abort(new ConnectionLostError("The connection was given up."));
      void client.discard();
    }
  }

  /** Postgres is reachable again: connects again, because a connection requested before may never arrive. */
  hurry(): void {
    if (this.#reaching > 0) this.reset();
  }

  async close(): Promise<void> {
    await Promise.all([this.#reader, this.#writer].map((client) => client.close(1)));
  }

  async #firstAnswer(tx: PipelinedTransaction): Promise<boolean> {
    const askedAt = performance.now();
    const mayStage = await mayMakeTemporaryTables(tx);
    this.#roundTripMs = performance.now() - askedAt;
    return mayStage;
  }

  #giveUp(): void {
    this.#workMs = Math.min(2 * this.#workMs, WORK_MS_MAX);
    this.#patientUntil = performance.now() + PATIENT_MS;
    this.reset();
  }

  /** After an error, terminates what Postgres may still hold open for discarded connections. */
  async #reach(): Promise<void> {
    if (this.#former.length === 0) return;
    const names = this.#former;
    const { sql, losing } = this.#reader;
    this.#reaching++;
    try {
      await unlessAborted(terminateBackends(sql, names), losing.signal);
    } finally {
      this.#reaching--;
    }
    this.#former = this.#former.filter((name) => !names.includes(name));
  }

  #connect(connectionsMax: number): Connection {
    const client = openClient(this.#url, {
      name: `${this.#name}.${this.#resets}`,
      connectionsMax,
      connectWaitS: CONNECT_TIMEOUT_S,
      onClosed: () => {
        connection.isClosed = true;
        connection.isPlanning = false;
      },
    });
    const connection: Connection = { ...client, isClosed: false, isPlanning: false, losing: new AbortController() };
    return connection;
  }
}

/** Reserves the connection. Rejects if the client is discarded, because the driver forgets its waiting callers. */
const reserve = ({ sql, losing }: Connection): Promise<ReservedSql> => unlessAborted(sql.reserve(), losing.signal);

async function mayMakeTemporaryTables(tx: PipelinedTransaction): Promise<boolean> {
  const [right] = await tx.send<{ isGiven: boolean }>(
    `select has_database_privilege(current_database(), 'temporary') as "isGiven"`,
  );
  return right?.isGiven ?? false;
}

function checkOpen({ isClosed }: Connection): void {
  if (isClosed) throw new ConnectionLostError("The connection was closed during a transaction.");
}

/**
 * Whether Postgres rejects the data itself: data (22), integrity (23) and size (54) errors recur however often the
 * work is tried. All others may pass, and so may the error of a row whose partition was just being created.
 */
export function isDataFault(error: unknown): error is postgres.PostgresError {
  if (!(error instanceof postgres.PostgresError)) return false;
  if (isOfCopyOnWorker(error)) return REFUSED_ON_WORKER.test(error.message);
  return /^(?:22|23|54)/.test(error.code) && !isNewPartitionFault(error);
}

/** Whether the error allows that Postgres already has some of the rows. */
export const mayBeApplied = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && (error.code === UNIQUE_VIOLATION || isOfCopyOnWorker(error));

const UNIQUE_VIOLATION = "23505";

/** Citus passes on a worker's error in a COPY without its code. */
const isOfCopyOnWorker = ({ code, routine }: postgres.PostgresError): boolean =>
  code === "XX000" && routine === "ReportCopyError";

/** Matches messages in Postgres's default language. An error that is not recognized is retried and reported. */
const REFUSED_ON_WORKER =
  /violates (check|not-null|unique) constraint|^invalid (byte|input)|out of range|too long|exceeds .*maximum/;
