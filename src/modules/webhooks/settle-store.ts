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

/**
 * Records a failure. Returns for how many milliseconds every delivery of the webhook has failed; undefined if the
 * webhook is gone or its URL has changed.
 */
export async function recordFailure(db: Drizzle, failure: Failure): Promise<number | undefined> {
  const { webhookId, url, failedAfterSuccess, retryAfterMs } = failure;
  const leftAlone = `${Math.min(retryAfterMs, LEFT_ALONE_MS_MAX)} milliseconds`;
  const [failing] = await db.execute<{ ms: number }>(sql`
    update webhooks set tried_at = statement_timestamp() + ${leftAlone}::interval,
      failing_since = case when ${failedAfterSuccess} then statement_timestamp() else coalesce(failing_since, statement_timestamp()) end
    where id = ${webhookId} and url = ${url}
    returning extract(epoch from statement_timestamp() - failing_since)::float8 * 1000 as ms`);
  return failing?.ms;
}

/** Turns the webhook off. Returns false if it was off already, is gone, or its URL has changed. */
export async function turnOff(tx: Tx, { webhookId, url }: Endpoint, reason: string): Promise<boolean> {
  const off = await tx.execute(sql`
    update webhooks set is_active = false, disabled_reason = ${reason}, updated_at = statement_timestamp()
    where id = ${webhookId} and url = ${url} and is_active returning 1`);
  return off.length > 0;
}
