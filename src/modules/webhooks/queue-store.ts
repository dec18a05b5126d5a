/** The statements of the queue. All times are the database's. */
import { sql } from "drizzle-orm";
import type { Drizzle } from "@/platform/db/client";
import type { Tx } from "@/platform/db/tx";
import type { Attempt } from "@/platform/webhook-sender";

/** A delivery that is ours until its lease ends, with what is needed to send it. */
export interface Lease {
  id: string;
  orgId: string;
  webhookId: string;
  event: string;
  messageId: string;
  body: string;
  /** This one included. */
  attempts: number;
  url: string;
  secret: Uint8Array;
  /** Null unless it still signs. */
  previousSecret: Uint8Array | null;
  isFailing: boolean;
}

/** How many more may be taken, and how many of them for endpoints at which every delivery fails. */
export interface Room {
  all: number;
  failing: number;
}

export const PER_ENDPOINT = 4;
const PER_FAILING_ENDPOINT = 1;
/** Longer than a try can last. */
const LEASE = "30 seconds";
const TURN = "waymark webhook deliveries";
const TURN_IDLE_MAX = "5s";

/** Whether it is ours until the transaction ends, which Postgres sees to where we die in it unnoticed. */
export async function takeTurn(tx: Tx): Promise<boolean> {
  const [turn] = await tx.execute<{ isOurs: boolean }>(
    sql`select set_config('idle_in_transaction_session_timeout', ${TURN_IDLE_MAX}, true),
      pg_try_advisory_xact_lock(hashtextextended(${TURN}, 0)) as "isOurs"`,
  );
  return turn?.isOurs === true;
}

const perEndpoint = sql`case when w.failing_since is null then ${PER_ENDPOINT}::int else ${PER_FAILING_ENDPOINT}::int end`;

/** Under way are those that were begun and have not ended within their lease: they have no duration yet. */
const underWay = sql`
  select webhook_id, count(*)::int as deliveries from webhook_deliveries
  where status = 'pending' and due_at > statement_timestamp()
    and due_at <= statement_timestamp() + ${LEASE}::interval and last_attempt_at is not null and duration_ms is null
  group by webhook_id`;

/** Webhooks with anything pending, each found by one step in the index, however long their lines are. */
const waiting = sql`
  (select webhook_id from webhook_deliveries where status = 'pending' order by webhook_id limit 1)
  union all
  select (select d.webhook_id from webhook_deliveries d
    where d.status = 'pending' and d.webhook_id > waiting.webhook_id order by d.webhook_id limit 1)
  from waiting where waiting.webhook_id is not null`;

/** The head of each line, as far as the endpoint has room. */
const heads = sql`
  select d.id, d.due_at, w.failing_since is not null as is_failing
  from waiting
  join webhooks w on w.id = waiting.webhook_id and w.is_active
  left join under_way u on u.webhook_id = w.id
  cross join lateral (
    select id, due_at from webhook_deliveries l
    where l.webhook_id = w.id and l.status = 'pending' and l.due_at <= statement_timestamp()
    order by l.due_at limit greatest(0, ${perEndpoint} - coalesce(u.deliveries, 0))
  ) d`;

/** Only whether: most looks find nothing. */
export async function isAnyDue(db: Drizzle): Promise<boolean> {
  const due = await db.execute(sql`
    with recursive waiting (webhook_id) as (${waiting})
    select 1 from waiting join webhooks w on w.id = waiting.webhook_id and w.is_active
    where exists (
      select from webhook_deliveries l
      where l.webhook_id = w.id and l.status = 'pending' and l.due_at <= statement_timestamp())
    limit 1`);
  return due.length > 0;
}

export async function takeDue(tx: Tx, room: Room): Promise<Lease[]> {
  const taken = await tx.execute<Lease & Record<string, unknown>>(sql`
    with recursive under_way as materialized (${underWay}),
    waiting (webhook_id) as (${waiting}),
    ranked as (
      select id, due_at, is_failing, row_number() over (partition by is_failing order by due_at) as rank from (${heads}) h
    ),
    chosen as (
      select id from ranked where not is_failing or rank <= ${room.failing}::int order by due_at limit ${room.all}::int
    ),
    locked as (
      select id, due_at from webhook_deliveries
      where id in (select id from chosen) and status = 'pending' and due_at <= statement_timestamp()
      for no key update skip locked
    ),
    taken as (
      update webhook_deliveries d set attempts = d.attempts + 1, last_attempt_at = statement_timestamp(),
        duration_ms = null, due_at = statement_timestamp() + ${LEASE}::interval
      from locked where locked.id = d.id
      returning d.*, locked.due_at as was_due_at
    )
    select t.id, t.org_id as "orgId", t.webhook_id as "webhookId", t.event, t.message_id as "messageId", t.body, t.attempts,
      w.url, w.secret, w.failing_since is not null as "isFailing",
      case when w.previous_secret_until > statement_timestamp() then w.previous_secret end as "previousSecret"
    from taken t join webhooks w on w.id = t.webhook_id order by t.was_due_at`);
  return [...taken];
}

/** Whoever took it: had the lease ended, another one may have it by now. */
const ours = ({ id, attempts }: Lease) => sql`id = ${id} and attempts = ${attempts} and status = 'pending'`;

const noted = ({ status, answer, error, durationMs }: Attempt) => sql`
  response_status = ${status}::int, response_body = ${answer}::text, error = ${error}::text, duration_ms = ${durationMs}::int`;

/** A failure may have been noted since the lease was taken, so what the webhook says now decides. */
export async function noteDelivered(db: Drizzle, lease: Lease, attempt: Attempt): Promise<void> {
  const [ended] = await db.execute<{ isFailing: boolean }>(sql`
    update webhook_deliveries
    set status = 'delivered', delivered_at = statement_timestamp(), due_at = null, ${noted(attempt)}
    where ${ours(lease)}
    returning exists (
      select from webhooks w where w.id = webhook_id and w.failing_since is not null) as "isFailing"`);
  if (!ended?.isFailing) return;
  await db.execute(sql`
    update webhooks set failing_since = null where id = ${lease.webhookId} and failing_since is not null`);
}

/** Milliseconds for which every delivery of the webhook has failed; 0 when it is gone, or leads elsewhere by now. */
export async function noteFailing(tx: Tx, { webhookId, url }: Lease): Promise<number> {
  const [failing] = await tx.execute<{ ms: number }>(sql`
    update webhooks set failing_since = coalesce(failing_since, statement_timestamp())
    where id = ${webhookId} and url = ${url}
    returning extract(epoch from statement_timestamp() - failing_since)::float8 * 1000 as ms`);
  return failing?.ms ?? 0;
}

/** Due again after so long, or ended where there is no such time. */
export async function noteFailed(tx: Tx, lease: Lease, attempt: Attempt, waitMs: number | undefined): Promise<void> {
  const end = sql`status = 'failed', due_at = null`;
  const again = sql`due_at = statement_timestamp() + ${`${waitMs} milliseconds`}::interval`;
  await tx.execute(sql`
    update webhook_deliveries set ${waitMs === undefined ? end : again}, ${noted(attempt)} where ${ours(lease)}`);
}

/** Whether it was on, and still leads to where it failed. */
export async function turnOff(tx: Tx, { webhookId, url }: Lease, reason: string): Promise<boolean> {
  const off = await tx.execute(sql`
    update webhooks set is_active = false, disabled_reason = ${reason}, updated_at = statement_timestamp()
    where id = ${webhookId} and url = ${url} and is_active returning 1`);
  return off.length > 0;
}
