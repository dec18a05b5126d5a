/** Records the results of many attempts at once. All times come from the database's clock. */
import { sql } from "drizzle-orm";
import { arrayLiteral, textArrayLiteral } from "@/platform/db/array-literals";
import type { Drizzle } from "@/platform/db/client";
import type { Tx } from "@/platform/db/tx";
import type { Attempt } from "@/platform/webhooks/webhook-sender";

export interface DeliveryResult {
  id: string;
  /** Includes this attempt. */
  attempts: number;
  attempt: Attempt;
  /** Milliseconds until the next attempt; null if there is none. */
  waitMs: number | null;
}

/**
 * Records results by the number of attempts: if another server has taken over the line and tried the delivery since,
 * nothing is recorded. `working` lists endpoints to which something was delivered.
 *
 * The condition on pending deliveries uses `due_at`. `status = 'pending'` would also match the index of the lines,
 * and while the statistics show no pending deliveries, Postgres considers scanning that whole index the cheapest
 * plan. The condition on `freed` is always true: it makes Postgres update the webhooks before their deliveries, in the
 * order in which `lockWebhook` and `lockDelivery` lock them.
 */
export async function recordResults(
  db: Drizzle,
  ended: readonly DeliveryResult[],
  working: readonly Endpoint[],
): Promise<void> {
  const rows = ended.map(({ id, attempts, attempt, waitMs }) => {
    const { isDelivered, status, answer, error, durationMs } = attempt;
    const state = isDelivered ? "delivered" : waitMs === null ? "failed" : "pending";
    return { id, attempts, state, wait_ms: waitMs, status, answer, error, duration_ms: durationMs };
  });
  await db.execute(sql`
    with freed as (
      update webhooks w set failing_since = null
      from unnest(
        ${arrayLiteral(working.map(({ webhookId }) => webhookId))}::text::uuid[],
        ${textArrayLiteral(working.map(({ url }) => url))}::text::text[]
      ) as e (id, url)
      where w.id = e.id and w.url = e.url and w.failing_since is not null
      returning 1
    )
    update webhook_deliveries d set status = e.state, attempts = e.attempts,
      due_at = case e.state when 'pending' then statement_timestamp() + e.wait_ms * interval '1 millisecond' end,
      delivered_at = case e.state when 'delivered' then statement_timestamp() end,
      last_attempt_at = statement_timestamp() - e.duration_ms * interval '1 millisecond',
      response_status = e.status, response_body = e.answer, error = e.error, duration_ms = e.duration_ms
    from json_to_recordset(${withoutNul(JSON.stringify(rows))}::text::json) as e (id uuid, attempts int, state text, wait_ms float8,
      status int, answer text, error text, duration_ms int)
    where d.id = e.id and d.attempts = e.attempts - 1 and d.due_at is not null and (select count(*) from freed) >= 0`);
}

/** Replaces NUL, which Postgres cannot store in text: a single one would prevent all results from being recorded. */
const withoutNul = (json: string) => json.replaceAll("\\u0000", "\\ufffd");

/** A webhook at the URL that was tried; the webhook's URL may have changed since. */
export interface Endpoint {
  webhookId: string;
  url: string;
}

export interface Failure extends Endpoint {
  /** Whether something was delivered just before the failure. */
  failedAfterSuccess: boolean;
  /** Delay requested by the response's `Retry-After`; 0 if none. */
  retryAfterMs: number;
}

/** Maximum time that an endpoint is not tried because of its `Retry-After`, whatever else waits for it. */
const LEFT_ALONE_MS_MAX = 3_600_000;

/** A failure of a webhook that still has the URL that was tried. */
export interface RecordedFailure extends Endpoint {
  /** For how many milliseconds every delivery of the webhook has failed. */
  failingMs: number;
  isActive: boolean;
}

/**
 * Records failures, in one statement however many there are: a server may be far from Postgres, and hundreds of
 * endpoints may time out at once. Returns those of webhooks that still exist and still have that URL. Locks the webhooks
 * in the order of ids, like `turnOff`.
 */
export async function recordFailures(db: Drizzle, failures: readonly Failure[]): Promise<RecordedFailure[]> {
  if (failures.length === 0) return [];
  const rows = failures.map(({ webhookId, url, failedAfterSuccess, retryAfterMs }) => ({
    ...{ id: webhookId, url, failed_after_success: failedAfterSuccess },
    left_alone_ms: Math.min(retryAfterMs, LEFT_ALONE_MS_MAX),
  }));
  const recorded = await db.execute<RecordedFailure & Record<string, unknown>>(sql`
    with tried as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::text::json)
        as e (id uuid, url text, failed_after_success boolean, left_alone_ms float8)
    ),
    locked as materialized (
      select w.id from webhooks w join tried e on e.id = w.id and e.url = w.url order by w.id for no key update
    )
    update webhooks w set tried_at = statement_timestamp() + e.left_alone_ms * interval '1 millisecond',
      failing_since = case when e.failed_after_success then statement_timestamp()
        else coalesce(w.failing_since, statement_timestamp()) end
    from locked join tried e on e.id = locked.id where w.id = e.id and w.url = e.url
    returning w.id as "webhookId", w.url, w.is_active as "isActive",
      extract(epoch from statement_timestamp() - w.failing_since)::float8 * 1000 as "failingMs"`);
  return [...recorded];
}

/** An endpoint that is turned off, and why. */
export interface Disabled extends Endpoint {
  reason: string;
}

/** Turns webhooks off. Returns the ids of those that were not off already, still exist and still have the URL. */
export async function turnOff(tx: Tx, endpoints: readonly Disabled[]): Promise<Set<string>> {
  const rows = endpoints.map(({ webhookId, url, reason }) => ({ id: webhookId, url, reason }));
  const off = await tx.execute<{ id: string }>(sql`
    with gone as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::text::json) as e (id uuid, url text, reason text)
    ),
    locked as materialized (
      select w.id from webhooks w join gone e on e.id = w.id and e.url = w.url order by w.id for no key update
    )
    update webhooks w set is_active = false, disabled_reason = e.reason, updated_at = statement_timestamp()
    from locked join gone e on e.id = locked.id where w.id = e.id and w.url = e.url and w.is_active
    returning w.id`);
  return new Set(off.map(({ id }) => id));
}
