/**
 * The worker's way to Postgres: one connection to read and one for transactions, apart from all others. After any fault,
 * and when something takes too long, both clients are thrown away and others made: a connection that failed tells nothing,
 * not even whether its commit arrived. The caller has to find that out.
 *
 * The limit is 5 s. A Postgres that has gone silent costs that once: connecting anew takes no longer. A Postgres that is
 * merely slow must not fail for ever, so each failure doubles the limit for the next ten minutes, up to a minute.
 *
 * Postgres may not know that a connection was thrown away, and hold its transaction open with all locks. So connections
 * have a name, and new ones first end the backends of earlier names.
 *
 * Transactions are driven by hand. The driver's own `begin` would send its rollback through a connection that the server
 * has closed, which throws where nobody catches it and loses the connection's place in the pool.
 */
import postgres, { type ReservedSql, type Sql } from "postgres";
import { type Client, openClient } from "@/platform/db/connection/connect";
import { endBackends } from "@/platform/db/connection/renewable";
import { isPartitionMade } from "@/platform/db/faults";
import { type BatchTransaction, PipelinedTransaction } from "./transaction";

export class ConnectionLostError extends Error {
  override name = "ConnectionLostError";
}

/** Only the time it took is wrong; a smaller batch may pass. */
export class TookTooLongError extends Error {
  override name = "TookTooLongError";
}

interface Connection extends Client {
  isClosed: boolean;
  /** Whether prepared statements are planned anew each time: a plan from when tables were small would be kept for too long. */
  isPlanning: boolean;
  /** Rejects when it is thrown away. */
  lost: Promise<never>;
  lose(error: ConnectionLostError): void;
}

const WORK_MS = 5_000;
const WORK_MS_MAX = 60_000;
const PATIENT_MS = 600_000;
const CONNECT_TIMEOUT_S = 5;
/** Bounds the names whose backends may still be open; each fault adds one. */
const FORMER_NAMES_MAX = 16;

export class ClickDatabase {
  readonly #url: string;
  readonly #name = `waymark clicks ${crypto.randomUUID().slice(0, 8)}`;
  readonly #workMsLeast: number;
  #workMs: number;
  #patientUntil = 0;
  #resets = 0;
  /** Counts work that has not reached Postgres since the last fault. */
  #reaching = 0;
  #former: string[] = [];
  /** Asked once: a right granted later counts from the next start. */
  #mayStage: boolean | undefined;
  #roundTripMs = 0;
  #reader: Connection;
  #writer: Connection;

  constructor(url: string, workMs = WORK_MS) {
    this.#url = url;
    this.#workMsLeast = workMs;
    this.#workMs = workMs;
    this.#reader = this.#connect();
    this.#writer = this.#connect();
  }

  /** To Postgres, as it was found at the first transaction; 0 before. */
  get roundTripMs(): number {
    return this.#roundTripMs;
  }

  /** Runs single statements, within `inTime`; each fault replaces it. */
  get reader(): Sql {
    const { sql, isPlanning } = this.#reader;
    if (!isPlanning) {
      this.#reader.isPlanning = true;
      // Where it fails, so does what is asked behind it on this connection.
      sql.unsafe("set plan_cache_mode = force_custom_plan").catch(() => undefined);
    }
    return sql;
  }

  /** Commits what `work` does. When this rejects, nothing was done, unless the fault came with the commit. */
  async transaction<Result>(work: (tx: BatchTransaction) => Promise<Result>): Promise<Result> {
    return this.inTime(async () => {
      // Read only now: any failure meanwhile throws the clients away.
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

  /** When Postgres stays silent, the clients are thrown away, and whoever waits gets a `TookTooLongError`. */
  async inTime<Result>(work: () => Promise<Result>): Promise<Result> {
    if (performance.now() > this.#patientUntil) this.#workMs = this.#workMsLeast;
    let isTooLong = false;
    const timer = setTimeout(() => {
      isTooLong = true;
      this.#giveUp();
    }, this.#workMs);
    try {
      await this.#reach();
      return await work();
    } catch (error) {
      this.reset();
      throw isTooLong ? new TookTooLongError("Postgres took too long.", { cause: error }) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends whatever is under way. */
  reset(): void {
    const old = [this.#reader, this.#writer];
    this.#former = [...this.#former, this.#reader.name].slice(-FORMER_NAMES_MAX);
    this.#resets++;
    this.#reader = this.#connect();
    this.#writer = this.#connect();
    for (const client of old) {
      client.isClosed = true;
      client.lose(new ConnectionLostError("The connection was given up."));
      void client.discard();
    }
  }

  /** Postgres is back: a connection that was asked for before may never come. */
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

  /** After a fault: ends what Postgres may still hold open for the connections that were given up. */
  async #reach(): Promise<void> {
    if (this.#former.length === 0) return;
    const names = this.#former;
    const { sql, lost } = this.#reader;
    this.#reaching++;
    try {
      await Promise.race([endBackends(sql, names), lost]);
    } finally {
      this.#reaching--;
    }
    this.#former = this.#former.filter((name) => !names.includes(name));
  }

  #connect(): Connection {
    const client = openClient(this.#url, {
      name: `${this.#name}.${this.#resets}`,
      connectionsMax: 1,
      connectWaitS: CONNECT_TIMEOUT_S,
      onClosed: () => {
        connection.isClosed = true;
        connection.isPlanning = false;
      },
    });
    const { promise: lost, reject: lose } = Promise.withResolvers<never>();
    lost.catch(() => undefined);
    const connection: Connection = { ...client, isClosed: false, isPlanning: false, lost, lose };
    return connection;
  }
}

/** The driver forgets callers that wait for a connection of a discarded client: they would wait for ever. */
const reserve = ({ sql, lost }: Connection): Promise<ReservedSql> => Promise.race([sql.reserve(), lost]);

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
 * Data (22), integrity (23) and size (54) faults come back however often the work is tried. All others may pass, and so may
 * the fault of a row whose partition was just being made.
 */
export function isDataFault(error: unknown): error is postgres.PostgresError {
  if (!(error instanceof postgres.PostgresError)) return false;
  if (isOfCopyOnWorker(error)) return REFUSED_ON_WORKER.test(error.message);
  return /^(?:22|23|54)/.test(error.code) && !isPartitionMade(error);
}

/** Whether Postgres has some of the rows already, as far as its fault tells. */
export const mayBeApplied = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && (error.code === UNIQUE_VIOLATION || isOfCopyOnWorker(error));

const UNIQUE_VIOLATION = "23505";

/** Citus passes on what a worker has against a COPY without its code. */
const isOfCopyOnWorker = ({ code, routine }: postgres.PostgresError): boolean =>
  code === "XX000" && routine === "ReportCopyError";

/** In the language that Postgres speaks unless it is told otherwise; what is not recognized is tried again and reported. */
const REFUSED_ON_WORKER =
  /violates (check|not-null|unique) constraint|^invalid (byte|input)|out of range|too long|exceeds .*maximum/;
