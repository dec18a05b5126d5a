/**
 * Whether this is still the history of the database that our copies of its rows are of. After a restore, or a failover that
 * lost transactions, versions go on from before: a copy may be of a version that never was, and the next change gets a
 * number that is known already. So the database bears the name of an epoch, and whoever sees a sign of another history
 * gives it a new one; the others find that with their next look, a second later at most. All copies are of an epoch.
 *
 * The signs, and what each tells of:
 * - the cluster's identifier: a restore into another cluster, a logical copy that took over;
 * - the timeline: a promoted standby, a recovery to a point in time;
 * - the numbers of the database and of its table of links: a dump restored into a new database, or over the old one;
 * - the write-ahead log's end, gone back while we looked on: a volume set back to an earlier state;
 * - a sequence that each look advances, gone back: data restored into the tables that are there.
 *
 * Some are seen without need (a planned switchover, `VACUUM FULL links`): then copies are loaded once more. A managed
 * Postgres that does not show its log or its cluster leaves the others. Nothing here is lost by a crash but the last two,
 * which need somebody who looked on; shared copies carry the log's end for that (`link-cache/snapshots.ts`).
 */
import type { Sql } from "postgres";

/** No such function, no right to it, not supported: what a Postgres that is not like others answers. */
const UNTOLD = /^(0A000|42501|42883)$/;

/** With an end to each part, so that what one server sees is the beginning of what another one sees who sees more. */
const TABLE_SIGNS = "d.oid || '/' || c.oid || '/' || c.relfilenode || '/'";
const LOG_SIGNS = `(select system_identifier from pg_control_system()) || '/' ||
  left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) || '/'`;
const LOG_END = "(pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8";

interface Seen {
  id: string | null;
  /** What the epoch was known by. */
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

  /** `onEpoch` is called when another one has begun than was known. */
  constructor(onEpoch: () => void) {
    this.#onEpoch = onEpoch;
  }

  /** Null before the first look. */
  get epoch(): string | null {
    return this.#epoch;
  }

  /** The end of the write-ahead log at the last look; 0 where it is not shown. */
  get logEnd(): number {
    return this.#logEnd;
  }

  /** Rejects when Postgres does not answer, or cannot be given a new epoch. */
  async look(sql: Sql): Promise<void> {
    const seen = await this.#see(sql);
    const tick = seen.tick === null ? null : BigInt(seen.tick);
    const isBack = seen.logEnd < this.#logEnd || (tick !== null && tick <= this.#tick);
    // Who has given it another name already has seen the same.
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
  if (!row) throw new Error("The database does not report its own history");
  return row;
}

function isAlike({ epochSigns, signs }: Seen): boolean {
  return epochSigns !== null && (epochSigns.startsWith(signs) || signs.startsWith(epochSigns));
}

/** The new epoch's name, or that of whoever was first. */
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
