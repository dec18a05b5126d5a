/** What came of tries, noted for many at once. All times are the database's. */
import { sql } from "drizzle-orm";
import { arrayLiteral } from "@/platform/db/array-literals";
import type { Drizzle } from "@/platform/db/client";
import type { Tx } from "@/platform/db/tx";
import type { Attempt } from "@/platform/webhooks/webhook-sender";

export interface Ended {
  id: string;
  /** The count includes this one. */
  attempts: number;
  attempt: Attempt;
  /** Until the next try; null where there is none. */
  waitMs: number | null;
}

/**
 * Whoever tried it: had the line gone to another server meanwhile, it may have been tried since. `working`: webhooks to which
 * something was delivered.
 *
 * What has not ended is told by `due_at`. By `status = 'pending'` the index of the lines would answer as well, and while
 * statistics know of nothing that waits, Postgres takes walking all of it for the cheapest way.
 */
export async function noteEnded(db: Drizzle, ended: readonly Ended[], working: readonly string[]): Promise<void> {
  const rows = ended.map(({ id, attempts, attempt, waitMs }) => {
    const { isDelivered, status, answer, error, durationMs } = attempt;
    const state = isDelivered ? "delivered" : waitMs === null ? "failed" : "pending";
    return { id, attempts, state, wait_ms: waitMs, status, answer, error, duration_ms: durationMs };
  });
  await db.execute(sql`
    with freed as (
      update webhooks set failing_since = null
      where id = any(${arrayLiteral(working)}::text::uuid[]) and failing_since is not null
    )
    update webhook_deliveries d set status = e.state, attempts = e.attempts,
      due_at = case e.state when 'pending' then statement_timestamp() + e.wait_ms * interval '1 millisecond' end,
      delivered_at = case e.state when 'delivered' then statement_timestamp() end,
      last_attempt_at = statement_timestamp() - e.duration_ms * interval '1 millisecond',
      response_status = e.status, response_body = e.answer, error = e.error, duration_ms = e.duration_ms
    from json_to_recordset(${withoutNul(JSON.stringify(rows))}::text::json) as e (id uuid, attempts int, state text, wait_ms float8,
      status int, answer text, error text, duration_ms int)
    where d.id = e.id and d.attempts = e.attempts - 1 and d.due_at is not null`);
}

/** Postgres has no NUL in text, and one would keep all the others from being noted. */
const withoutNul = (json: string) => json.replaceAll("\\u0000", "\\ufffd");

export interface Failure {
  webhookId: string;
  /** Where it failed: the webhook may lead elsewhere by now. */
  url: string;
  /** Whether something was delivered just before. */
  isAnew: boolean;
  /** What its answer asked for. */
  retryAfterMs: number;
}

/** An endpoint that asks for time is left alone for so long at most, whatever else waits for it. */
const LEFT_ALONE_MS_MAX = 3_600_000;

/** Milliseconds for which every delivery of the webhook has failed; 0 when it is gone, or leads elsewhere by now. */
export async function noteFailing(db: Drizzle, failure: Failure): Promise<number> {
  const { webhookId, url, isAnew, retryAfterMs } = failure;
  const leftAlone = `${Math.min(retryAfterMs, LEFT_ALONE_MS_MAX)} milliseconds`;
  const [failing] = await db.execute<{ ms: number }>(sql`
    update webhooks set tried_at = statement_timestamp() + ${leftAlone}::interval,
      failing_since = case when ${isAnew} then statement_timestamp() else coalesce(failing_since, statement_timestamp()) end
    where id = ${webhookId} and url = ${url}
    returning extract(epoch from statement_timestamp() - failing_since)::float8 * 1000 as ms`);
  return failing?.ms ?? 0;
}

/** Whether it was on, and still leads to where it failed. */
export async function turnOff(
  tx: Tx,
  { webhookId, url }: Pick<Failure, "webhookId" | "url">,
  reason: string,
): Promise<boolean> {
  const off = await tx.execute(sql`
    update webhooks set is_active = false, disabled_reason = ${reason}, updated_at = statement_timestamp()
    where id = ${webhookId} and url = ${url} and is_active returning 1`);
  return off.length > 0;
}
