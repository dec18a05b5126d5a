/**
 * Counts how many API requests each organization makes in a month. Requests are counted in process and added to
 * Postgres every `FLUSH_EVERY_MS`, `ROWS_MAX` entries per statement, which returns what all servers together have
 * counted. So the figure lags by seconds, never more.
 *
 * An entry (an organization in a month) is read from Postgres when it is first needed, and again if its total has not
 * been refreshed for `HEARD_MS_MAX`; each flush that adds to it refreshes it as well. Entries that are not used are
 * dropped.
 *
 * Bounds: `ENTRIES_MAX` entries; beyond that the oldest is dropped together with what it had not flushed, which is
 * logged. A flush that fails is retried with the next one, and so are the counts of organizations whose row another
 * transaction holds. A crash loses what was not yet flushed. If Postgres applied a flush but its response was lost,
 * that flush is added twice.
 */
import type { Sql } from "postgres";
import { monthEnd, monthOf } from "@/core/time/month";
import type { Clock } from "./clock";
import type { Log } from "./telemetry/log";
import { throttleReports } from "./telemetry/throttle-reports";

const FLUSH_EVERY_MS = 3_000;
const HEARD_MS_MAX = 2 * FLUSH_EVERY_MS;
const ENTRIES_MAX = 20_000;
/** Bounds the time of a statement, which grows with the square of its rows. */
const ROWS_MAX = 500;
const CLOSE_WAIT_MS = 5_000;
const SAY_EVERY_MS = 60_000;

export interface MonthUsage {
  /** First day of the month, as in `2026-06-01`. */
  month: string;
  /** Requests counted so far. */
  requests: number;
  /** Unix milliseconds. */
  endsAt: number;
  leftMs: number;
}

export interface UsageMeter extends AsyncDisposable {
  /** Returns the usage in the current month. Rejects if it has to be read and Postgres is unreachable. */
  ofMonth(orgId: string): Promise<MonthUsage>;
  /** Counts one more request. */
  add(orgId: string): void;
  /** Rejects if Postgres is unreachable; nothing is lost by that. */
  flush(): Promise<void>;
  /** Flushes what is left, for at most 5 s. May be called twice. */
  [Symbol.asyncDispose](): Promise<void>;
}

interface Entry {
  orgId: string;
  month: string;
  /** Total of all servers when last refreshed. */
  stored: number;
  /** Unix milliseconds. */
  heardAt: number;
  /** Requests counted here and not yet flushed. */
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
  readonly #cannotFlush: (error: unknown) => void;
  #flushing: Promise<void> | undefined;
  #dropped = 0;

  constructor({ sql, clock, log }: UsageOptions) {
    this.#sql = sql;
    this.#clock = clock;
    this.#log = log;
    this.#cannotFlush = throttleReports(SAY_EVERY_MS, (error, unsaid) =>
      log.warn("could not store request counts", { error, unsaid }),
    );
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
    // A flush in progress may have begun before the last requests were counted.
    await Promise.race([this.#flushOrWarn().then(() => this.#flushOrWarn()), Bun.sleep(CLOSE_WAIT_MS)]);
  }

  #flushOrWarn(): Promise<void> {
    return this.flush().catch(this.#cannotFlush);
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
      .then((requests) => this.#refreshTotal(entry, requests))
      .finally(() => {
        entry.reading = undefined;
      });
    return entry.reading;
  }

  /**
   * Refreshes the total. Within a month it only grows, so a result that a later one has overtaken takes nothing back.
   */
  #refreshTotal(entry: Entry, requests: number): void {
    entry.stored = Math.max(entry.stored, requests);
    entry.heardAt = this.#clock();
  }

  async #addPending(): Promise<void> {
    if (this.#dropped > 0) {
      this.#log.warn("requests not counted: too many active organizations", { requests: this.#dropped });
    }
    this.#dropped = 0;
    const due = [...this.#entries.values()].filter(({ pending }) => pending > 0).map((entry) => ({ ...entry }));
    for (let at = 0; at < due.length; at += ROWS_MAX) await this.#addEntries(due.slice(at, at + ROWS_MAX));
    for (const [key, { pending, heardAt }] of this.#entries) {
      if (pending === 0 && this.#clock() - heardAt > HEARD_MS_MAX) this.#entries.delete(key);
    }
  }

  async #addEntries(due: Entry[]): Promise<void> {
    const { totals, heldIds } = await addRequests(this.#sql, due);
    for (const { orgId, month, pending } of due) {
      const entry = this.#entries.get(`${orgId} ${month}`);
      if (!entry || heldIds.has(orgId)) continue;
      entry.pending -= pending;
      this.#refreshTotal(entry, totals.get(`${orgId} ${month}`) ?? 0);
    }
  }
}

async function readStored(sql: Sql, { orgId, month }: Entry): Promise<number> {
  const [row] = await sql<{ requests: string }[]>`
    select requests from request_usage where org_id = ${orgId} and month = ${month}::text::date`;
  return Number(row?.requests ?? 0);
}

interface Added {
  /** New totals by organization and month. */
  totals: Map<string, number>;
  /** Organizations whose counts could not be added because another transaction holds their row. */
  heldIds: Set<string>;
}

/**
 * Adds the counts. Leaves out organizations that are gone or just being deleted: waiting for one deletion would hold
 * up everybody's counts, only to fail on its foreign key. The latter are reported, in case they stay after all. All
 * servers lock rows in the same order, so that they cannot deadlock.
 */
async function addRequests(sql: Sql, due: Entry[]): Promise<Added> {
  const column = (values: (string | number)[]) => `{${values.join(",")}}`;
  const orgIds = column(due.map(({ orgId }) => orgId));
  const months = column(due.map(({ month }) => month));
  const counts = column(due.map(({ pending }) => pending));
  const rows = await sql<{ orgId: string; month: string | null; requests: string | null }[]>`
    with staying as materialized (
      select id from organizations where id = any(${orgIds}::text::uuid[]) order by id for key share skip locked),
    added as (
      insert into request_usage as known (org_id, month, requests)
      select org_id, month, requests
      from unnest(${orgIds}::text::uuid[], ${months}::text::date[], ${counts}::text::bigint[])
        as counted (org_id, month, requests)
      join staying on id = org_id
      order by org_id, month
      on conflict (org_id, month) do update set requests = known.requests + excluded.requests
      returning org_id, month, requests)
    select org_id as "orgId", month::text, requests from added
    union all
    select id, null, null from organizations
    where id = any(${orgIds}::text::uuid[]) and not exists (select 1 from staying where staying.id = organizations.id)`;
  const added = rows.filter(({ month }) => month !== null);
  const held = rows.filter(({ month }) => month === null);
  return {
    totals: new Map(added.map(({ orgId, month, requests }) => [`${orgId} ${month}`, Number(requests)])),
    heldIds: new Set(held.map(({ orgId }) => orgId)),
  };
}
