/**
 * Watches a migration from another connection, for a supervisor that would otherwise take a long one for a process that
 * hangs. One that waits for a lock makes no progress: meanwhile, whatever needs the same table waits behind it. A look
 * that fails says nothing, so that neither does a Postgres that is unreachable.
 */
import type { Sql } from "postgres";
import type { Log } from "../../telemetry/log";
import { openDatabase } from "../client";

/** Several looks before a supervisor gives up. A shorter migration is not looked at, and opens no connection for it. */
const LOOK_EVERY_MS = 5_000;

export interface MigrationWatchOptions {
  url: string;
  /** The session of Postgres that migrates. */
  pid: number;
  log?: Pick<Log, "info">;
  /** Called after each look that found progress. */
  onProgress?(): void;
}

export function watchMigration({ url, pid, log, onProgress }: MigrationWatchOptions): AsyncDisposable {
  const { sql, close } = openDatabase(url, { pool: "tool", name: "waymark migration watch", isPrepared: false });
  let looks = 0;
  const look = async () => {
    if (++looks === 1) log?.info("updating the schema");
    if (await isAtWork(sql, pid)) onProgress?.();
  };
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_EVERY_MS);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await close();
    },
  };
}

/** Whether Postgres is at work on what this session runs, and it does not wait for a lock. */
export async function isAtWork(sql: Sql, pid: number): Promise<boolean> {
  const [session] = await sql`
    select from pg_stat_activity where pid = ${pid} and wait_event_type is distinct from 'Lock'`;
  return session !== undefined;
}
