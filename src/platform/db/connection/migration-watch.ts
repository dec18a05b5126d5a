/**
 * Watches a migration from another connection, for a supervisor that would otherwise take a long one for a process that
 * hangs. One that waits for a lock makes no progress: meanwhile, whatever needs the same table waits behind it. Whom it
 * waits for can only be seen during the wait, so the latest look is kept. A look that fails says nothing, so that neither
 * does a Postgres that is unreachable.
 */
import type { Sql } from "postgres";
import type { Log } from "../../telemetry/log";
import { openDatabase } from "../client";

/**
 * Several looks before a wait for a lock is given up, and before a supervisor gives up. A shorter migration is not
 * looked at, and opens no connection for it.
 */
const LOOK_EVERY_MS = 500;
/** A migration that ends earlier is not worth a line. */
const SAID_AFTER_MS = 5_000;

/**
 * True, in a query on `pg_stat_activity`, for a session whose statement Postgres is working on and that does not wait
 * for a lock.
 */
export const AT_WORK = "coalesce(state = 'active' and wait_event_type is distinct from 'Lock', false)";

/** A session that another one waits for. */
export interface LockHolder {
  /** 0 for a transaction that was prepared to be committed later. */
  pid: number;
  application: string | null;
  user: string | null;
  state: string | null;
  /** When its transaction began. */
  since: string | null;
}

export interface MigrationWatchOptions {
  url: string;
  /** The session of Postgres that migrates. */
  pid: number;
  log?: Pick<Log, "info">;
  /** Called after each look that found progress. */
  onProgress?(): void;
}

export interface MigrationWatch extends AsyncDisposable {
  /** Returns whom the session waited for when it was last seen to wait, and forgets that. */
  takeBlockers(): LockHolder[];
}

export function watchMigration({ url, pid, log, onProgress }: MigrationWatchOptions): MigrationWatch {
  const { sql, close } = openDatabase(url, { pool: "tool", name: "waymark migration watch", isPrepared: false });
  const begunAt = performance.now();
  let isSaid = false;
  let blockers: LockHolder[] = [];
  const look = async () => {
    if (!isSaid && performance.now() - begunAt >= SAID_AFTER_MS) {
      isSaid = true;
      log?.info("updating the schema");
    }
    const seen = await lookAt(sql, pid);
    if (seen.isAtWork) onProgress?.();
    if (seen.blockers.length > 0) blockers = seen.blockers;
  };
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_EVERY_MS);
  return {
    takeBlockers() {
      const taken = blockers;
      blockers = [];
      return taken;
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await close();
    },
  };
}

/** Returns whether the session makes progress, and for whom it waits if that is why it does not. */
export async function lookAt(sql: Sql, pid: number): Promise<{ isAtWork: boolean; blockers: LockHolder[] }> {
  const [session] = await sql<{ isAtWork: boolean; blockers: LockHolder[] | null }[]>`
    select ${sql.unsafe(AT_WORK)} as "isAtWork", case when wait_event_type = 'Lock' then (
      select json_agg(json_build_object('pid', blocking.pid, 'application', other.application_name,
        'user', other.usename, 'state', other.state, 'since', other.xact_start))
      from unnest(pg_blocking_pids(${pid}::int)) as blocking (pid) left join pg_stat_activity as other on other.pid = blocking.pid
    ) end as blockers
    from pg_stat_activity where pid = ${pid}`;
  return { isAtWork: session?.isAtWork ?? false, blockers: session?.blockers ?? [] };
}
