/**
 * Writes what `UnservedCounts` has counted to Postgres, every `FLUSH_EVERY_MS`, `ROWS_MAX` rows per statement. Each
 * row belongs to this process and holds the whole hour so far: a flush whose response was lost is written again
 * without counting twice, and servers do not wait for each other. A flush that fails is retried with the next one.
 */
import type { Sql } from "postgres";
import type { Clock } from "../clock";
import type { Log } from "../telemetry/log";
import { throttleReports } from "../telemetry/throttle-reports";
import { UnservedCounts, type UnservedGroup, type UnservedVisit } from "./counts";

const FLUSH_EVERY_MS = 3_000;
const ROWS_MAX = 50;
const CLOSE_WAIT_MS = 5_000;
const SAY_EVERY_MS = 60_000;

export interface UnservedBuffer extends AsyncDisposable {
  /** Counts one visit. Awaits nothing, never throws. */
  add(visit: UnservedVisit): void;
  /** Rejects if Postgres is unreachable; nothing is lost by that. */
  flush(): Promise<void>;
  /** Flushes what is left, for at most 5 s. May be called twice. */
  [Symbol.asyncDispose](): Promise<void>;
}

export function openUnserved({ sql, clock, log }: { sql: Sql; clock: Clock; log: Log }): UnservedBuffer {
  const writer = crypto.randomUUID();
  const counts = new UnservedCounts();
  const sayFailed = throttleReports(SAY_EVERY_MS, (error, unsaid) =>
    log.warn("could not store counts of unserved visits", { error, unsaid }),
  );
  let flushing: Promise<void> | undefined;

  const flush = (): Promise<void> => {
    flushing ??= write().finally(() => {
      flushing = undefined;
    });
    return flushing;
  };
  const flushOrWarn = () => flush().catch(sayFailed);
  const timer = setInterval(flushOrWarn, FLUSH_EVERY_MS);
  timer.unref();

  return {
    add: (visit) => counts.add(visit),
    flush,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      // A flush in progress may have begun before the last visits were counted.
      await Promise.race([flushOrWarn().then(flushOrWarn), Bun.sleep(CLOSE_WAIT_MS)]);
    },
  };

  async function write(): Promise<void> {
    const due = counts.due();
    for (let at = 0; at < due.length; at += ROWS_MAX) await writeRows(sql, writer, due.slice(at, at + ROWS_MAX));
    counts.forget(clock());
    if (counts.dropped === 0) return;
    log.warn("unserved visits not counted: too many domains in one hour", { visits: counts.dropped });
    counts.dropped = 0;
  }
}

/**
 * Leaves out groups whose organization is gone or just being deleted: waiting for one deletion would hold up
 * everybody's counts, only to fail on its foreign key. If it is just being deleted, its groups stay due, in case it
 * stays after all.
 */
async function writeRows(sql: Sql, writer: string, groups: UnservedGroup[]): Promise<void> {
  const taken = groups.map((group) => ({ group, changes: group.changes }));
  const rows = groups.map((group) => ({
    org_id: group.orgId,
    hour: new Date(group.hour).toISOString(),
    domain_id: group.domainId,
    is_bot: group.isBot,
    counts: group.counts(),
  }));
  const orgIds = `{${groups.map(({ orgId }) => orgId).join(",")}}`;
  const held = await sql<{ id: string }[]>`
    with staying as materialized (
      select id from organizations where id = any(${orgIds}::text::uuid[]) order by id for key share skip locked),
    written as (
      insert into unserved_visits (org_id, hour, domain_id, is_bot, writer, counts)
      select org_id, hour, domain_id, is_bot, ${writer}::text::uuid, counts
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
        as counted (org_id uuid, hour timestamptz, domain_id uuid, is_bot boolean, counts jsonb)
      join staying on id = org_id
      on conflict (org_id, hour, domain_id, is_bot, writer) do update set counts = excluded.counts)
    select id from organizations
    where id = any(${orgIds}::text::uuid[]) and not exists (select 1 from staying where staying.id = organizations.id)`;
  const heldIds = new Set(held.map(({ id }) => id));
  for (const { group, changes } of taken) if (!heldIds.has(group.orgId)) group.written = changes;
}
