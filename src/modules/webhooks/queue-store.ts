/** The statements of the queue. All times are the database's. */
import { sql } from "drizzle-orm";
import { BATCH_EVENT } from "@/core/webhooks/batch";
import { arrayLiteral, textArrayLiteral } from "@/platform/db/array-literals";
import type { Drizzle } from "@/platform/db/client";

/** An endpoint whose line is ours for a while. */
export interface Claimed {
  id: string;
  orgId: string;
  url: string;
  /** Nothing has been delivered since a failure: it may be tried this once. */
  isFailing: boolean;
  /** Whether its messages are gathered. */
  batch: boolean;
}

/** How many endpoints may be claimed, and how many of them at which every delivery fails. */
export interface ClaimRoom {
  all: number;
  failing: number;
}

/** So many of the line, of what is due from `after` on and not in our hands already. */
export interface Want {
  webhookId: string;
  room: number;
  /** As Postgres writes it; null for the head of the line. */
  after: string | null;
  held: readonly string[];
}

export interface Taken {
  id: string;
  orgId: string;
  webhookId: string;
  event: string;
  messageId: string;
  body: string;
  /** The count includes this one. */
  attempts: number;
  /** As Postgres writes it. */
  dueAt: string;
  url: string;
  secret: Uint8Array;
  /** Null unless it still signs. */
  previousSecret: Uint8Array | null;
}

/** A server that dies leaves its endpoints to others after so long; one that lives says so every third of it. */
const LEASE = "15 seconds";

/**
 * The head of each line, found by one step in the index, however long the line is: what this costs grows with the endpoints
 * for which anything is pending, not with what is.
 */
const heads = sql`
  (select webhook_id, due_at from webhook_deliveries where status = 'pending' order by webhook_id, due_at limit 1)
  union all
  select next.webhook_id, next.due_at from heads cross join lateral (
    select d.webhook_id, d.due_at from webhook_deliveries d
    where d.status = 'pending' and d.webhook_id > heads.webhook_id order by d.webhook_id, d.due_at limit 1) next`;

/** Between tries of an endpoint that fails: the longer it has, the longer. */
const pause = sql`
  least(greatest((statement_timestamp() - w.failing_since) / 100, interval '1 second'), interval '30 seconds')`;

const isFree = (server: string) => sql`
  w.is_active and (w.leased_by = ${server}::text::uuid or w.leased_until is null or w.leased_until <= statement_timestamp())`;

/**
 * Endpoints with anything due that nobody works for and that are not in `held`. Those that fail come by who was tried least
 * recently, and not before their pause is over.
 */
export async function claim(db: Drizzle, server: string, room: ClaimRoom, held: readonly string[]): Promise<Claimed[]> {
  const claimed = await db.execute<Claimed & Record<string, unknown>>(sql`
    with recursive heads (webhook_id, due_at) as (${heads}),
    waiting as (
      select w.id, h.due_at, w.failing_since, w.tried_at from heads h join webhooks w on w.id = h.webhook_id
      where h.due_at <= statement_timestamp() and ${isFree(server)}
        and w.id <> all(${arrayLiteral(held)}::text::uuid[])
        and (w.failing_since is null or w.tried_at is null or w.tried_at + ${pause} <= statement_timestamp())
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

/** What is due, in the order of each line; nothing of endpoints that are not ours any more. Where messages are gathered, only what is. */
export async function take(db: Drizzle, server: string, wants: readonly Want[]): Promise<Taken[]> {
  const column = (values: readonly (string | number)[]) => sql`${arrayLiteral(values)}::text`;
  const taken = await db.execute<Taken & Record<string, unknown>>(sql`
    select d.id, d.org_id as "orgId", d.webhook_id as "webhookId", d.event, d.message_id as "messageId", d.body,
      d.attempts + 1 as attempts, d.due_at::text as "dueAt", w.url, w.secret,
      case when w.previous_secret_until > statement_timestamp() then w.previous_secret end as "previousSecret"
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
