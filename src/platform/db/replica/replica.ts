/**
 * A streaming replica of the database. Figures and exports are read from it, so that the primary is left to clicks
 * and writes; links, too (see `link-cache/replica-links.ts`).
 *
 * No read returns anything older than what any server has returned before: each first asks the primary where its log
 * ends, then waits until the replica has replayed that much, for `LATE_MS_MAX` at most. If the replica does not get
 * there, is away, or fails, the primary is read.
 *
 * The address may be a name that leads to several replicas. All connections go to the one that the connection of the
 * checks reached, until a check fails there: what was checked is what is read.
 *
 * States: near → late (it did not catch up in time) → near; near or late → away (it is silent, refuses, or is not a
 * replica of this database) → near. A check every second finds the way back; until then nothing waits for it. A crash
 * loses nothing.
 */
import type { Log } from "@/platform/telemetry/log";
import { canPrepare, type DatabaseUrls } from "../addresses";
import { type Database, openDatabase } from "../client";
import { pause } from "../connection/abortable";
import { type AddressPin, type Client, openClient } from "../connection/connect";
import { Wait } from "../connection/wait";
import { unavailableReasonOf } from "../faults";
import { POOL_SIZES } from "../pools";

const LATE_MS_MAX = 250;
const LOOK_EVERY_MS = 1_000;
const LOOK_MS_MAX = 1_000;
const PAUSE_MS = 1;
const PAUSE_MS_MAX = 20;
/**
 * Positions of the primary's log, each with its time, one per check. Once there are this many, no more are recorded
 * until the oldest is replayed.
 */
const MARKS_MAX = 3_600;

export interface ReplicaOptions extends DatabaseUrls {
  readUrl: string;
  primary: Pick<Database, "sql">;
  log: Pick<Log, "info" | "warn">;
}

export type ReplicaState = "near" | "late" | "away";

/** Returns null without an address. Never rejects: a replica that is unreachable now is checked again every second. */
export const openReplica = async ({
  readUrl,
  ...options
}: Nullable<ReplicaOptions, "readUrl">): Promise<Replica | null> =>
  readUrl === null ? null : Replica.open({ readUrl, ...options });

type Nullable<Options, Name extends keyof Options> = Omit<Options, Name> & { [Key in Name]: Options[Key] | null };

/** Where a read runs. */
export type ReadPlace = "replica" | "primary";

interface Primary {
  /** Where its log ends, in bytes from the beginning. */
  end: number;
  /** Names the history of the database: see `connection/history.ts`. */
  epoch: string | null;
}

/** What a replica reports about itself. */
export type ReplicaStanding = {
  isReplica: boolean;
  /** How far it has replayed the primary's log. */
  replayed: number;
  epoch: string | null;
};

/** What is committed is in the log up to where it was flushed, unless commits do not wait for the flush. */
const LOOK_AT_PRIMARY = `select (case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
  else pg_current_wal_flush_lsn() end - '0/0'::pg_lsn)::float8 as end, (select id::text from epochs) as epoch`;
export const REPLICA_STANDING = `select pg_is_in_recovery() as "isReplica",
  coalesce((pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::float8, 0) as replayed, (select id::text from epochs) as epoch`;

/** Thrown if the server responds, but cannot replace the primary. */
class NoReplicaError extends Error {
  override name = "NoReplicaError";
}

export class Replica {
  /** Reads so far, by where they ran. */
  readonly reads: Record<ReadPlace, number> = { replica: 0, primary: 0 };
  /** Links read from the replica so far. */
  linkReads = 0;
  readonly database: Database;
  /** A separate pool for links, which must not wait for figures. */
  readonly links: Database;
  readonly #options: ReplicaOptions;
  readonly #ending = new AbortController();
  #watcher: Client;
  #pin: AddressPin = {};
  #state: ReplicaState = "away";
  /** Times are by the monotonic clock. */
  #marks: { end: number; at: number }[] = [];
  /** When the primary was last asked for its log's end. */
  #markedAt = 0;
  #hasLeft = false;
  #watching: Promise<void> | undefined;

  private constructor(options: ReplicaOptions) {
    this.#options = options;
    const isPrepared = canPrepare(options);
    this.database = openDatabase(options.readUrl, { pool: "replica", isPrepared, pin: this.#pinned });
    this.links = openDatabase(options.readUrl, { pool: "replicaLinks", isPrepared, pin: this.#pinned });
    this.#watcher = this.#openWatcher();
  }

  /** Never rejects: a replica that is unreachable now is checked again every second. */
  static async open(options: ReplicaOptions): Promise<Replica> {
    const replica = new Replica(options);
    await replica.#look();
    replica.#watching = replica.#watch();
    return replica;
  }

  get state(): ReplicaState {
    return this.#state;
  }

  /** Milliseconds for which it has lacked something that the primary had; 0 while it has everything. */
  get lagMs(): number {
    const [oldest] = this.#marks;
    return oldest ? performance.now() - oldest.at : 0;
  }

  /** What `lagMs` was when the primary last responded. */
  get lagSeenMs(): number {
    const [oldest] = this.#marks;
    return oldest ? this.#markedAt - oldest.at : 0;
  }

  /**
   * Reads from the replica if it is up to date; from the primary if it is not, or if Postgres fails there. `ask` must
   * only read, and may be called twice. Rejects if `ask` does.
   */
  async read<Answer>(ask: (place: ReadPlace) => Promise<Answer>): Promise<Answer> {
    if (await this.#isUpToDate()) {
      try {
        const answer = await ask("replica");
        this.reads.replica += 1;
        return answer;
      } catch (error) {
        const reason = unavailableReasonOf(error);
        // What waits for the replica in vain would only wait for the primary as well.
        if (reason === null || reason === "busy") throw error;
        this.#options.log.warn("a read from the replica failed: asking the primary", { error });
      }
    }
    this.reads.primary += 1;
    return ask("primary");
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#watching;
    await Promise.all([this.#watcher.discard(), this.database.close(), this.links.close()]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #isUpToDate(): Promise<boolean> {
    if (this.#state !== "near") return false;
    try {
      const primary = await this.#lookAtPrimary();
      if (await this.#hasReached(primary)) return true;
      this.#enter("late");
    } catch {
      // The watch finds out what is wrong, and on which side.
    }
    return false;
  }

  async #hasReached(primary: Primary): Promise<boolean> {
    const giveUpAt = performance.now() + LATE_MS_MAX;
    for (let pauseMs = PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX)) {
      const { replayed } = await this.#lookAtReplica(primary);
      if (replayed >= primary.end) return true;
      if (performance.now() + pauseMs > giveUpAt) return false;
      await Bun.sleep(pauseMs);
    }
  }

  async #watch(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      await pause(LOOK_EVERY_MS, signal);
      if (!signal.aborted) await this.#look();
    }
  }

  async #look(): Promise<void> {
    // While the primary is away, the replica is judged by the marks recorded before.
    const primary = await this.#lookAtPrimary().catch(() => null);
    try {
      const { replayed } = await this.#lookAtReplica(primary);
      if (primary) this.#mark(primary, replayed);
      if (this.#hasLeft) this.#renew();
      const [oldest] = this.#marks;
      // It may lack what has just been written.
      this.#enter(oldest && performance.now() - oldest.at > LATE_MS_MAX ? "late" : "near");
    } catch (error) {
      this.#lose(error);
    }
  }

  #mark({ end }: Primary, replayed: number): void {
    this.#markedAt = performance.now();
    if (this.#marks.length < MARKS_MAX) this.#marks.push({ end, at: this.#markedAt });
    this.#marks = this.#marks.filter((mark) => mark.end > replayed);
  }

  async #lookAtPrimary(): Promise<Primary> {
    const [primary] = await new Wait().until(this.#options.primary.sql.unsafe<Primary[]>(LOOK_AT_PRIMARY), LOOK_MS_MAX);
    if (!primary) throw new Error("Postgres does not report its log's end");
    return primary;
  }

  /** Rejects if the server is silent, or is not a replica of the primary's database. */
  async #lookAtReplica(primary: Primary | null): Promise<ReplicaStanding> {
    const [seen] = await new Wait().until(this.#watcher.sql.unsafe<ReplicaStanding[]>(REPLICA_STANDING), LOOK_MS_MAX);
    if (!seen?.isReplica) throw new NoReplicaError("DATABASE_READ_URL does not point to a streaming replica");
    const isAhead = primary !== null && seen.replayed >= primary.end;
    if (isAhead && seen.epoch !== primary.epoch)
      throw new NoReplicaError("DATABASE_READ_URL points to a replica of another database");
    return seen;
  }

  #enter(state: ReplicaState): void {
    const former = this.#state;
    this.#state = state;
    if (state === former) return;
    if (state === "near") this.#options.log.info("reading figures from the replica");
    if (state === "late") this.#options.log.info("the replica is late: reading figures from the primary");
  }

  /** Rejects whatever runs there, so that the primary is read instead. */
  #lose(error: unknown): void {
    void this.#watcher.discard();
    // A connection still being made by the old one keeps the old pin.
    this.#pin = {};
    this.#watcher = this.#openWatcher();
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    this.#state = "away";
    for (const pool of [this.database, this.links]) void pool.leave();
    this.#options.log.warn("the replica is unavailable: reading figures from the primary", { error });
  }

  #renew(): void {
    this.#hasLeft = false;
    for (const pool of [this.database, this.links]) {
      pool.renew().catch((error) => this.#options.log.warn("could not close old connections", { error }));
    }
  }

  #openWatcher(): Client {
    return openClient(this.#options.readUrl, {
      name: "waymark replica watch",
      connectionsMax: POOL_SIZES.replicaWatch,
      connectWaitS: LOOK_MS_MAX / 1000,
      isRenewed: false,
      isPrepared: false,
      pin: this.#pinned,
    });
  }

  readonly #pinned = (): AddressPin => this.#pin;
}
