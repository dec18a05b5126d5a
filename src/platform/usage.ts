/**
 * How many requests of the API each organization has made in a month. Counted in process and added to Postgres every
 * `FLUSH_EVERY_MS`, one statement for all organizations; its answer tells what all servers together have counted. So the
 * figure is behind by seconds, never more.
 *
 * An entry (an organization in a month) is read from Postgres when it is first asked for, and again when nothing was heard
 * of it for `HEARD_MS_MAX`; each flush that adds to it tells as well. Quiet ones are forgotten.
 *
 * Bounds: `ENTRIES_MAX` entries; beyond it the oldest goes with what it had not flushed, which is logged. A flush that fails
 * is tried again with the next. A crash loses what was counted since the last flush; if Postgres added a flush but its
 * answer was lost, that flush is added twice.
 */
import type { Sql } from "postgres";
import { monthEnd, monthOf } from "@/core/time/month";
import type { Clock } from "./clock";
import type { Log } from "./telemetry/log";

const FLUSH_EVERY_MS = 3_000;
const HEARD_MS_MAX = 2 * FLUSH_EVERY_MS;
const ENTRIES_MAX = 20_000;
const CLOSE_WAIT_MS = 5_000;

export interface MonthUsage {
  /** The month's first day, as `2026-06-01`. */
  month: string;
  /** Counted so far. */
  requests: number;
  /** Unix milliseconds. */
  endsAt: number;
  leftMs: number;
}

export interface Usage {
  /** Of the month that is now. Rejects when it is to be read and Postgres is away. */
  ofMonth(orgId: string): Promise<MonthUsage>;
  /** One request more. */
  add(orgId: string): void;
  /** Rejects when Postgres is away; nothing is lost by that. */
  flush(): Promise<void>;
  /** Flushes what is left, for at most 5 s. Twice is fine. */
  close(): Promise<void>;
}

interface Entry {
  orgId: string;
  month: string;
  /** Of all servers, when last heard of. */
  stored: number;
  /** Unix milliseconds. */
  heardAt: number;
  /** Counted here and not yet flushed. */
  pending: number;
  reading?: Promise<void>;
}

export function createUsage({ sql, clock, log }: { sql: Sql; clock: Clock; log: Log }): Usage {
  const entries = new Map<string, Entry>();
  let flushing: Promise<void> | undefined;
  let dropped = 0;

  const flush = (): Promise<void> => {
    flushing ??= addPending().finally(() => {
      flushing = undefined;
    });
    return flushing;
  };
  const flushOrWarn = () => flush().catch((error: unknown) => log.warn("request counts not flushed", { error }));
  const timer = setInterval(flushOrWarn, FLUSH_EVERY_MS);
  timer.unref();

  return {
    async ofMonth(orgId) {
      const now = clock();
      const entry = entryOf(orgId, monthOf(now));
      if (now - entry.heardAt > HEARD_MS_MAX) await read(entry);
      const endsAt = monthEnd(now);
      return { month: entry.month, requests: entry.stored + entry.pending, endsAt, leftMs: endsAt - now };
    },

    add(orgId) {
      entryOf(orgId, monthOf(clock())).pending += 1;
    },

    flush,

    async close() {
      clearInterval(timer);
      // A flush under way may have begun before the last requests were counted.
      await Promise.race([flushOrWarn().then(flushOrWarn), Bun.sleep(CLOSE_WAIT_MS)]);
    },
  };

  function entryOf(orgId: string, month: string): Entry {
    const key = `${orgId} ${month}`;
    const known = entries.get(key);
    if (known) return known;
    if (entries.size >= ENTRIES_MAX) dropOldest();
    const entry = { orgId, month, stored: 0, heardAt: Number.NEGATIVE_INFINITY, pending: 0 };
    entries.set(key, entry);
    return entry;
  }

  function dropOldest(): void {
    const [oldest] = entries;
    if (!oldest) return;
    const [key, { pending }] = oldest;
    entries.delete(key);
    dropped += pending;
  }

  function read(entry: Entry): Promise<void> {
    entry.reading ??= readStored(sql, entry)
      .then((requests) => hear(entry, requests))
      .finally(() => {
        entry.reading = undefined;
      });
    return entry.reading;
  }

  /** Within a month it only grows, so that an answer that was overtaken by a later one takes nothing back. */
  function hear(entry: Entry, requests: number): void {
    entry.stored = Math.max(entry.stored, requests);
    entry.heardAt = clock();
  }

  async function addPending(): Promise<void> {
    if (dropped > 0) log.warn("requests not counted: too many organizations at once", { requests: dropped });
    dropped = 0;
    const due = [...entries.values()].filter(({ pending }) => pending > 0).map((entry) => ({ ...entry }));
    const totals = due.length > 0 ? await addRequests(sql, due) : new Map<string, number>();
    for (const { orgId, month, pending } of due) {
      const entry = entries.get(`${orgId} ${month}`);
      if (!entry) continue;
      entry.pending -= pending;
      hear(entry, totals.get(`${orgId} ${month}`) ?? 0);
    }
    for (const [key, { pending, heardAt }] of entries) {
      if (pending === 0 && clock() - heardAt > HEARD_MS_MAX) entries.delete(key);
    }
  }
}

async function readStored(sql: Sql, { orgId, month }: Entry): Promise<number> {
  const [row] = await sql<{ requests: string }[]>`
    select requests from request_usage where org_id = ${orgId} and month = ${month}::text::date`;
  return Number(row?.requests ?? 0);
}

/**
 * What there is now, by organization and month; without those whose organization is gone, or just being deleted: waiting
 * for one deletion would hold up everybody's counts, only to fail by its foreign key. In one order on all servers, so that
 * none waits for another crosswise.
 */
async function addRequests(sql: Sql, due: Entry[]): Promise<Map<string, number>> {
  const column = (values: (string | number)[]) => `{${values.join(",")}}`;
  const orgIds = column(due.map(({ orgId }) => orgId));
  const months = column(due.map(({ month }) => month));
  const counts = column(due.map(({ pending }) => pending));
  const rows = await sql<{ orgId: string; month: string; requests: string }[]>`
    with staying as materialized (
      select id from organizations where id = any(${orgIds}::text::uuid[]) order by id for key share skip locked)
    insert into request_usage as known (org_id, month, requests)
    select org_id, month, requests
    from unnest(${orgIds}::text::uuid[], ${months}::text::date[], ${counts}::text::bigint[])
      as counted (org_id, month, requests)
    join staying on id = org_id
    order by org_id, month
    on conflict (org_id, month) do update set requests = known.requests + excluded.requests
    returning org_id as "orgId", month::text, requests`;
  return new Map(rows.map(({ orgId, month, requests }) => [`${orgId} ${month}`, Number(requests)]));
}
