/**
 * The outbox of webhooks: deliveries are rows, written in the transaction of the event that they report. So each
 * event is reported if and only if it happened, whatever crashes in between.
 *
 * A pending delivery is due or waits for its next try; while its webhook is turned off, nothing sends it. Deliveries
 * that are written together are due in the order of their events, a microsecond apart, because endpoints receive the
 * oldest first.
 */
import { hostOf } from "@/core/webhooks/host";
import { Audience, messageBody, type OccurredEvent } from "@/core/webhooks/message";
import { arrayLiteral } from "../db/array-literals";
import type { Statements } from "../db/statements";

/** The webhooks that listen to any of the events, and the database's time. */
export interface ListeningWebhook {
  audience: Audience;
  /** Unix milliseconds. */
  now: number;
}

export interface Delivery {
  id: string;
  orgId: string;
  webhookId: string;
  event: string;
  messageId: string;
  body: string;
  /** A timestamp in a form that Postgres reads. */
  dueAt: string;
}

/**
 * Returns null if nobody listens, as is mostly the case: one indexed query. A webhook that was found may be deleted
 * before the transaction ends: its deliveries are then deleted with its others.
 */
export async function findListeners(
  tx: Statements,
  orgIds: readonly string[],
  events: readonly OccurredEvent["event"][],
): Promise<ListeningWebhook | null> {
  if (orgIds.length === 0) return null;
  const rows = await tx.run<{ id: string; orgId: string; url: string; events: string; now: number }>(
    `select id, org_id as "orgId", url, array_to_string(events, ' ') as events,
       extract(epoch from clock_timestamp())::float8 * 1000 as now
     from webhooks where org_id = any($1::text::uuid[]) and is_active and events && $2::text::text[]`,
    [arrayLiteral(orgIds), arrayLiteral(events)],
  );
  if (rows.length === 0) return null;
  const listeners = rows.map(({ id, orgId, url, events }) => ({
    id,
    orgId,
    host: hostOf(url),
    events: events.split(" "),
  }));
  return { audience: new Audience(listeners), now: rows[0]?.now ?? 0 };
}

/**
 * Reports whether any endpoint of the organization currently receives such events. Postgres plans this statement once
 * for each connection, and `findListeners` every time, because its plan depends on how many organizations there are.
 */
export async function isListenedTo(on: Statements, orgId: string, event: OccurredEvent["event"]): Promise<boolean> {
  const rows = await on.run(
    "select from webhooks where org_id = $1::text::uuid and is_active and events @> array[$2::text] limit 1",
    [orgId, event],
  );
  return rows.length > 0;
}

/**
 * Most deliveries that one visit or request causes at one host within a second; the rest is due in the seconds after
 * it.
 */
const PER_HOST_MAX = 20;
const MICROSECONDS = 1_000_000;

/**
 * Yields the deliveries of events, in their order: one for each endpoint that listens. Each item of `causes` holds
 * the events that have one cause in common. `makeId` returns a UUIDv7.
 */
export function* deliveriesOf(
  { audience, now }: ListeningWebhook,
  causes: Iterable<readonly OccurredEvent[]>,
  makeId: () => string = Bun.randomUUIDv7,
): Generator<Delivery> {
  let written = 0;
  for (const happenings of causes) {
    const atHost = new Map<string, number>();
    for (const happening of happenings) {
      const listeners = audience.of(happening);
      if (listeners.length === 0) continue;
      const messageId = makeId();
      const body = messageBody(messageId, happening);
      for (const { id: webhookId, host } of listeners) {
        const { orgId, event } = happening;
        const before = atHost.get(host) ?? 0;
        atHost.set(host, before + 1);
        const after = written++ + Math.floor(before / PER_HOST_MAX) * MICROSECONDS;
        yield { id: makeId(), orgId, webhookId, event, messageId, body, dueAt: microseconds(now, after) };
      }
    }
  }
}

const MS_IN_ISO = "2026-01-01T00:00:00.000".length;

/** Returns the instant `after` microseconds after `ms`, as an ISO 8601 text. */
function microseconds(ms: number, after: number): string {
  const at = new Date(Math.floor(ms) + Math.floor(after / 1000)).toISOString();
  return `${at.slice(0, MS_IN_ISO)}${String(after % 1000).padStart(3, "0")}Z`;
}

/**
 * Writes the deliveries of all that one visit or request has caused, in the transaction in which it happened. Does
 * nothing if nobody listens.
 */
export type Announce = (tx: Statements, ...happenings: OccurredEvent[]) => Promise<void>;

/**
 * `onWritten` is called shortly afterwards, when the transaction has mostly been committed; what it misses is found
 * later.
 */
export const createAnnounce =
  (onWritten: () => void): Announce =>
  async (tx, ...happenings) => {
    const [orgIds, events] = [happenings.map(({ orgId }) => orgId), happenings.map(({ event }) => event)];
    const listening = await findListeners(tx, [...new Set(orgIds)], [...new Set(events)]);
    if (!listening) return;
    for (const delivery of deliveriesOf(listening, [happenings])) await insertDelivery(tx, delivery);
    setTimeout(onWritten, COMMITTED_AFTER_MS);
  };

const COMMITTED_AFTER_MS = 20;

const insertDelivery = (tx: Statements, { id, orgId, webhookId, event, messageId, body, dueAt }: Delivery) =>
  tx.run(
    `insert into webhook_deliveries (id, org_id, webhook_id, event, message_id, body, due_at)
     values ($1::text::uuid, $2::text::uuid, $3::text::uuid, $4::text, $5::text::uuid, $6::text, $7::text::timestamptz)`,
    [id, orgId, webhookId, event, messageId, body, dueAt],
  );
