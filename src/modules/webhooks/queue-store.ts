/** The queue's SQL statements. All times come from the database's clock. */
import { sql } from "drizzle-orm";
import { HOUR_MS } from "@/core/time/time-range";
import { BATCH_EVENT } from "@/core/webhooks/batch";
import { WAIT_MS_MAX } from "@/core/webhooks/schedule";
import { AHEAD_MS_MAX } from "@/platform/clock";
import { arrayLiteral, textArrayLiteral } from "@/platform/db/array-literals";
import type { Drizzle } from "@/platform/db/client";

/** An endpoint whose line this server has leased. */
export interface Claimed {
  id: string;
  orgId: string;
  url: string;
  /** Nothing has been delivered since a failure: this claim permits one attempt. */
  isFailing: boolean;
  /** Whether its messages are combined into batches. */
  batch: boolean;
}

/** Maximum number of endpoints to claim, and of those whose deliveries all fail. */
export interface ClaimRoom {
  all: number;
  failing: number;
}

/** Requests up to `room` deliveries of a line that are due at or after `after` and not in `held`. */
export interface LineRequest {
  webhookId: string;
  room: number;
  /** In Postgres text format; null for the head of the line. */
  after: string | null;
  held: readonly string[];
}

export interface TakenDelivery {
  id: string;
  orgId: string;
  webhookId: string;
  event: string;
  messageId: string;
  body: string;
  /** Includes this attempt. */
  attempts: number;
  /** In Postgres text format. */
  dueAt: string;
  url: string;
  secret: Uint8Array;
  previousSecret: Uint8Array | null;
  /** Unix milliseconds. */
  previousSecretUntil: number | null;
  /** When it was taken, in Unix milliseconds. */
  takenAt: number;
}

/** Time after which other servers take over the endpoints of a dead server. A live server renews every third of it. */
const LEASE = "15 seconds";

/** A lease that ends later, or an attempt after it, was written while the clock of Postgres was wrong. */
const AHEAD = `${AHEAD_MS_MAX} milliseconds`;

/** Longer than any wait between two attempts. */
export const UNTRIED = `${WAIT_MS_MAX + HOUR_MS} milliseconds`;

/**
 * Finds the head of each line by one step in the index, however long the line is. The cost grows with the number of
 * endpoints that have pending deliveries, not with the number of deliveries.
 */
const heads = sql`
  (select webhook_id, due_at from webhook_deliveries where status = 'pending' order by webhook_id, due_at limit 1)
  union all
  select next.webhook_id, next.due_at from heads cross join lateral (
    select d.webhook_id, d.due_at from webhook_deliveries d
    where d.status = 'pending' and d.webhook_id > heads.webhook_id order by d.webhook_id, d.due_at limit 1) next`;

/** Pause between attempts at a failing endpoint; it grows with the time that the endpoint has been failing. */
const pause = sql`
  least(greatest((statement_timestamp() - w.failing_since) / 100, interval '1 second'), interval '30 seconds')`;

/**
 * Since when a claimed endpoint has been failing. Attempts at a failing endpoint are never as far apart as `UNTRIED`
 * while anything waits for it. So what failed before such a gap says nothing about the time since, and does not count.
 */
const failingSince = sql`
  case when w.failing_since is null or w.tried_at is null or w.tried_at > statement_timestamp() - ${UNTRIED}::interval
    then w.failing_since else statement_timestamp() end`;

const isFree = (server: string) => sql`
  w.is_active and (w.leased_by = ${server}::text::uuid or w.leased_until is null
    or w.leased_until <= statement_timestamp() or w.leased_until > statement_timestamp() + ${AHEAD}::interval)`;

/**
 * Claims endpoints that have anything due, are not leased by another server and are not in `held`. Failing endpoints
 * are claimed by the time of their last attempt, least recent first, and only after their pause.
 */
export async function claim(db: Drizzle, server: string, room: ClaimRoom, held: readonly string[]): Promise<Claimed[]> {
  const claimed = await db.execute<Claimed & Record<string, unknown>>(sql`
    with recursive heads (webhook_id, due_at) as (${heads}),
    waiting as (
      select w.id, h.due_at, w.failing_since, w.tried_at from heads h join webhooks w on w.id = h.webhook_id
      where h.due_at <= statement_timestamp() and ${isFree(server)}
        and w.id <> all(${arrayLiteral(held)}::text::uuid[])
        and (w.failing_since is null or w.tried_at is null or w.tried_at + ${pause} <= statement_timestamp()
          or w.tried_at > statement_timestamp() + ${AHEAD}::interval)
    ),
    chosen as (
      (select id from waiting where failing_since is null order by due_at limit ${room.all}::int)
      union all
      (select id from waiting where failing_since is not null order by tried_at nulls first limit ${room.failing}::int)
    ),
    locked as (
      select w.id from webhooks w where w.id in (select id from chosen) and ${isFree(server)}
      for no key update skip locked
    )
    update webhooks w set leased_by = ${server}::text::uuid, leased_until = statement_timestamp() + ${LEASE}::interval,
      failing_since = ${failingSince},
      tried_at = case when w.failing_since is null then w.tried_at else statement_timestamp() end
    from locked where locked.id = w.id
    returning w.id, w.org_id as "orgId", w.url, w.failing_since is not null as "isFailing", w.batch`);
  return [...claimed];
}

export async function renew(db: Drizzle, server: string, ids: readonly string[]): Promise<void> {
  await db.execute(sql`
    update webhooks set leased_until = statement_timestamp() + ${LEASE}::interval
    where id = any(${arrayLiteral(ids)}::text::uuid[]) and leased_by = ${server}::text::uuid`);
}

/** Releases all endpoints that this server leased. */
export async function release(db: Drizzle, server: string): Promise<void> {
  await db.execute(sql`
    update webhooks set leased_by = null, leased_until = null where leased_by = ${server}::text::uuid`);
}

/**
 * Returns due deliveries in the order of each line, but none of endpoints whose lease this server has lost. For
 * endpoints with batches, returns only batches and deliveries that were tried before.
 */
export async function take(db: Drizzle, server: string, wants: readonly LineRequest[]): Promise<TakenDelivery[]> {
  const column = (values: readonly (string | number)[]) => sql`${arrayLiteral(values)}::text`;
  const taken = await db.execute<TakenDelivery & Record<string, unknown>>(sql`
    select d.id, d.org_id as "orgId", d.webhook_id as "webhookId", d.event, d.message_id as "messageId", d.body,
      d.attempts + 1 as attempts, d.due_at::text as "dueAt", w.url, w.secret,
      w.previous_secret as "previousSecret",
      extract(epoch from w.previous_secret_until)::float8 * 1000 as "previousSecretUntil",
      extract(epoch from statement_timestamp())::float8 * 1000 as "takenAt"
    from unnest(
      ${column(wants.map(({ webhookId }) => webhookId))}::uuid[],
      ${column(wants.map(({ room }) => room))}::int[],
      ${textArrayLiteral(wants.map(({ after }) => after ?? "-infinity"))}::text::timestamptz[]
    ) as want (webhook_id, room, after)
    join webhooks w on w.id = want.webhook_id and w.is_active and w.leased_by = ${server}::text::uuid
      and w.leased_until > statement_timestamp()
    cross join lateral (
      select * from webhook_deliveries l
      where l.webhook_id = w.id and l.status = 'pending' and l.due_at >= want.after and l.due_at <= statement_timestamp()
        and l.id <> all(${column(wants.flatMap(({ held }) => held))}::uuid[])
        and (not w.batch or l.event = ${BATCH_EVENT} or l.attempts > 0)
      order by l.due_at, l.id limit want.room
    ) d
    order by d.due_at, d.id`);
  return [...taken];
}
