/**
 * Detects whether the database still has the history that our copies of its rows come from. After a restore, or a
 * failover that lost transactions, versions continue from an earlier point: a copy may have a version that never
 * existed, and the next change gets a number that is already known. So the database stores the name of an epoch. A
 * server that sees a sign of another history gives it a new name; the other servers find that at their next look, at
 * most a second later. Every copy belongs to an epoch.
 *
 * The signs, and what each detects:
 * - the cluster's identifier: a restore into another cluster, or a logical copy that took over;
 * - the timeline: a promoted standby, or a recovery to a point in time;
 * - the OIDs of the database and of its table of links, and where that is stored: a dump restored into a new
 *   database, or over the old one;
 * - the write-ahead log's end, if it moves back between two looks: a volume set back to an earlier state;
 * - a sequence that each look advances, if it moves back: data restored into the existing tables.
 *
 * Some of them also appear when no history was lost (a planned switchover, `VACUUM FULL links`); copies are then
 * loaded once more. A managed Postgres that hides its log or its cluster leaves the remaining signs. The last two
 * compare with an earlier look and are lost in a crash; shared copies contain the log's end for that reason
 * (`link-cache/snapshots.ts`).
 */
import type { Sql } from "postgres";

/** No such function, no permission, or not supported: the responses of a Postgres that restricts these functions. */
const UNTOLD = /^(0A000|42501|42883)$/;

/**
 * Every part ends with a separator, so that the signs of a server that sees less are a prefix of those of one that
 * sees more.
 */
const TABLE_SIGNS = "d.oid || '/' || c.oid || '/' || c.relfilenode || '/'";
const LOG_SIGNS = `(select system_identifier from pg_control_system()) || '/' ||
  left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) || '/'`;
const LOG_END = "(pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8";

interface Seen {
  id: string | null;
  /** The signs that the epoch was stored with. */
  epochSigns: string | null;
  signs: string;
  logEnd: number;
  tick: string | null;
}

export class History {
  readonly #onEpoch: () => void;
  #epoch: string | null = null;
  #logEnd = 0;
  #tick = 0n;
  #isLogShown = true;

  /** `onEpoch` is called when an epoch other than the known one has begun. */
  constructor(onEpoch: () => void) {
    this.#onEpoch = onEpoch;
  }

  /** Null before the first look. */
  get epoch(): string | null {
    return this.#epoch;
  }

  /** The end of the write-ahead log at the last look; 0 if Postgres hides it. */
  get logEnd(): number {
    return this.#logEnd;
  }

  /**
   * Compares the history with that of the last look. Rejects if Postgres does not respond, or cannot store a new
   * epoch.
   */
  async look(sql: Sql): Promise<void> {
    const seen = await this.#see(sql);
    const tick = seen.tick === null ? null : BigInt(seen.tick);
    const isBack = seen.logEnd < this.#logEnd || (tick !== null && tick <= this.#tick);
    // If the name is no longer the known one, another server has seen the same sign and has changed it.
    const isOther = !isAlike(seen) || (isBack && seen.id === this.#epoch);
    const epoch = isOther ? await begin(sql, seen) : seen.id;
    this.#logEnd = seen.logEnd;
    this.#tick = tick ?? this.#tick;
    if (epoch === this.#epoch) return;
    const isFirst = this.#epoch === null;
    this.#epoch = epoch;
    if (!isFirst) this.#onEpoch();
  }

  async #see(sql: Sql): Promise<Seen> {
    try {
      return await see(sql, this.#isLogShown);
    } catch (error) {
      if (!this.#isLogShown || !(error instanceof Error && "code" in error && UNTOLD.test(String(error.code))))
        throw error;
      this.#isLogShown = false;
      return see(sql, false);
    }
  }
}

async function see(sql: Sql, isLogShown: boolean): Promise<Seen> {
  const [row] = await sql.unsafe<Seen[]>(`
    select e.id, e.signs as "epochSigns",
      ${isLogShown ? `${TABLE_SIGNS} || ${LOG_SIGNS}` : TABLE_SIGNS} as signs,
      ${isLogShown ? LOG_END : "0::float8"} as "logEnd",
      case when current_setting('transaction_read_only') = 'off' then nextval('epoch_ticks') end::text as tick
    from pg_database d join pg_class c on c.oid = 'links'::regclass left join epochs e on true
    where d.datname = current_database()`);
  if (!row) throw new Error("Postgres returned no row for the history check");
  return row;
}

function isAlike({ epochSigns, signs }: Seen): boolean {
  return epochSigns !== null && (epochSigns.startsWith(signs) || signs.startsWith(epochSigns));
}

/** Returns the new epoch's name, or the name that another server stored first. */
async function begin(sql: Sql, { id, signs }: Seen): Promise<string | null> {
  const rows = await sql.unsafe<{ id: string }[]>(
    `with begun as (
       insert into epochs (id, signs) values (gen_random_uuid(), $1)
       on conflict (is_only) do update set id = excluded.id, signs = excluded.signs
         where epochs.id is not distinct from $2::text::uuid
       returning id)
     select id from begun`,
    [signs, id],
  );
  if (rows[0]) return rows[0].id;
  const [other] = await sql.unsafe<{ id: string }[]>("select id from epochs");
  return other?.id ?? null;
}
