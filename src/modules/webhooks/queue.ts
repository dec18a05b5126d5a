/**
 * The queue that the dispatcher works off, in Postgres, so that any number of servers may. A delivery is taken by moving
 * `due_at` ahead: whoever took it has until then to say what came of it, and when nobody does it is due again. No
 * transaction is open while an endpoint is spoken to.
 *
 * Taking is done by one server at a time (an advisory lock of its transaction), so that what is under way at an endpoint
 * can be counted: `PER_ENDPOINT` on all servers together, one while every delivery there fails. Endpoints with no room are
 * passed over, whatever waits for them. An endpoint's deliveries are taken in the order in which they are due.
 *
 * A take looks at the heads of the lines alone: what it costs grows with the endpoints that wait, not with what waits.
 */
import type { OrgId } from "@/core/ids";
import { FAILING_MS_MAX, nextWaitMs } from "@/core/webhooks/schedule";
import { recordAudit } from "@/modules/audit-logs/service";
import type { Drizzle } from "@/platform/db/client";
import type { Tx } from "@/platform/db/tx";
import type { Seal } from "@/platform/seal";
import type { Attempt, SendWebhook } from "@/platform/webhook-sender";
import { eventOf } from "./present";
import * as store from "./queue-store";
import { openSecrets } from "./secret";

export interface QueueOptions {
  db: Drizzle;
  seal: Seal;
  send: SendWebhook;
  /** From 0 up to 1. */
  random(): number;
}

export type DeliveryQueue = ReturnType<typeof createDeliveryQueue>;
export type { Lease, Room } from "./queue-store";

const GONE = 410;
const NO_SECRET: Attempt = {
  isDelivered: false,
  status: null,
  answer: null,
  error: "The webhook's secret cannot be read any more; rotate it",
  durationMs: 0,
};

export function createDeliveryQueue({ db, seal, send, random }: QueueOptions) {
  return {
    /** What is due, as far as there is room; undefined while another server takes. */
    async take(room: store.Room): Promise<store.Lease[] | undefined> {
      if (!(await store.isAnyDue(db))) return [];
      return db.transaction(async (tx) => {
        if (!(await store.takeTurn(tx))) return undefined;
        return store.takeDue(tx, room);
      });
    },

    /** Speaks to the endpoint once and notes what came of it. Once `signal` is aborted it is left to the end of its lease. */
    async deliver(lease: store.Lease, signal: AbortSignal): Promise<void> {
      const attempt = await attemptOf(lease, signal);
      if (attempt.isDelivered) return store.noteDelivered(db, lease, attempt);
      if (signal.aborted) return;
      await db.transaction((tx) => noteFailure(tx, lease, attempt));
    },
  };

  async function attemptOf(lease: store.Lease, signal: AbortSignal): Promise<Attempt> {
    const { url, event, messageId, body, webhookId, secret, previousSecret } = lease;
    const secrets = openSecrets(seal, { webhookId, current: secret, previous: previousSecret });
    if (!secrets) return NO_SECRET;
    return send({ url, event: eventOf(event), messageId, body, secrets }, signal);
  }

  /** The webhook before the delivery, as everybody who locks both. */
  async function noteFailure(tx: Tx, lease: store.Lease, attempt: Attempt): Promise<void> {
    const failingMs = await store.noteFailing(tx, lease);
    const reason = reasonToDisable(attempt, failingMs);
    if (reason !== undefined) await disable(tx, lease, reason);
    const waitMs = attempt.status === GONE ? undefined : nextWaitMs(lease.attempts, random(), attempt.retryAfterMs);
    await store.noteFailed(tx, lease, attempt, waitMs);
  }

  async function disable(tx: Tx, lease: store.Lease, reason: string): Promise<void> {
    if (!(await store.turnOff(tx, lease, reason))) return;
    const changes = { isActive: { from: true, to: false }, disabledReason: { from: null, to: reason } };
    const entry = { action: "webhook.disable", resourceType: "webhook", resourceId: lease.webhookId, changes };
    await recordAudit(tx, { orgId: lease.orgId as OrgId, actor: SYSTEM }, entry);
  }
}

function reasonToDisable({ status }: Attempt, failingMs: number): string | undefined {
  if (status === GONE) return "The endpoint answered 410 Gone";
  return failingMs >= FAILING_MS_MAX ? "Every delivery has failed for five days" : undefined;
}

const SYSTEM = { type: "system", id: null, email: null, ip: null, userAgent: null } as const;
