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

export interface UsageMeter extends AsyncDisposable {
  /** Of the month that is now. Rejects when it is to be read and Postgres is away. */
  ofMonth(orgId: string): Promise<MonthUsage>;
  /** Counts one more request. */
  add(orgId: string): void;
  /** Rejects when Postgres is away; nothing is lost by that. */
  flush(): Promise<void>;
  /** Flushes what is left, for at most 5 s. Twice is fine. */
  [Symbol.asyncDispose](): Promise<void>;
}

interface Entry {
  orgId: string;
  month: string;
  /** The total of all servers when last heard of. */
  stored: number;
  /** Unix milliseconds. */
  heardAt: number;
  /** Counted here and not yet flushed. */
  pending: number;
  reading?: Promise<void>;
}

interface UsageOptions {
  sql: Sql;
  clock: Clock;
  log: Log;
}

export function openUsage(options: UsageOptions): UsageMeter {
  return new CountedUsage(options);
}

class CountedUsage implements UsageMeter {
  readonly #sql: Sql;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #entries = new Map<string, Entry>();
  readonly #timer: Timer;
  #flushing: Promise<void> | undefined;
  #dropped = 0;

  constructor({ sql, clock, log }: UsageOptions) {
    this.#sql = sql;
    this.#clock = clock;
    this.#log = log;
    this.#timer = setInterval(() => this.#flushOrWarn(), FLUSH_EVERY_MS);
    this.#timer.unref();
  }

  async ofMonth(orgId: string): Promise<MonthUsage> {
    const now = this.#clock();
    const entry = this.#entryOf(orgId, monthOf(now));
    if (now - entry.heardAt > HEARD_MS_MAX) await this.#read(entry);
    const endsAt = monthEnd(now);
    return { month: entry.month, requests: entry.stored + entry.pending, endsAt, leftMs: endsAt - now };
  }

  add(orgId: string): void {
    this.#entryOf(orgId, monthOf(this.#clock())).pending += 1;
  }

  flush(): Promise<void> {
    this.#flushing ??= this.#addPending().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    // A flush under way may have begun before the last requests were counted.
    await Promise.race([this.#flushOrWarn().then(() => this.#flushOrWarn()), Bun.sleep(CLOSE_WAIT_MS)]);
  }

  #flushOrWarn(): Promise<void> {
    return this.flush().catch((error: unknown) => this.#log.warn("could not store request counts", { error }));
  }

  #entryOf(orgId: string, month: string): Entry {
    const key = `${orgId} ${month}`;
    const known = this.#entries.get(key);
    if (known) return known;
    if (this.#entries.size >= ENTRIES_MAX) this.#dropOldest();
    const entry = { orgId, month, stored: 0, heardAt: Number.NEGATIVE_INFINITY, pending: 0 };
    this.#entries.set(key, entry);
    return entry;
  }

  #dropOldest(): void {
    const [oldest] = this.#entries;
    if (!oldest) return;
    const [key, { pending }] = oldest;
    this.#entries.delete(key);
    this.#dropped += pending;
  }

  #read(entry: Entry): Promise<void> {
    entry.reading ??= readStored(this.#sql, entry)
      .then((requests) => this.#hear(entry, requests))
      .finally(() => {
        entry.reading = undefined;
      });
    return entry.reading;
  }

  /** Within a month it only grows, so that an answer that was overtaken by a later one takes nothing back. */
  #hear(entry: Entry, requests: number): void {
    entry.stored = Math.max(entry.stored, requests);
    entry.heardAt = this.#clock();
  }

  async #addPending(): Promise<void> {
    if (this.#dropped > 0) {
      this.#log.warn("skipped counting requests: too many organizations at once", { requests: this.#dropped });
    }
    this.#dropped = 0;
    const due = [...this.#entries.values()].filter(({ pending }) => pending > 0).map((entry) => ({ ...entry }));
    const totals = due.length > 0 ? await addRequests(this.#sql, due) : new Map<string, number>();
    for (const { orgId, month, pending } of due) {
      const entry = this.#entries.get(`${orgId} ${month}`);
      if (!entry) continue;
      entry.pending -= pending;
      this.#hear(entry, totals.get(`${orgId} ${month}`) ?? 0);
    }
    for (const [key, { pending, heardAt }] of this.#entries) {
      if (pending === 0 && this.#clock() - heardAt > HEARD_MS_MAX) this.#entries.delete(key);
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
