/** The delivery log of a webhook, redelivery of a message, and sending of a sample. */
import type {
  WebhookDelivery,
  WebhookDeliveryQuery,
  WebhookDeliveryWithRequest,
  WebhookEvent,
  WebhookTestInput,
  WebhookTestResult,
} from "@/contract/webhooks";
import { isUuid, type OrgId, type Tenant } from "@/core/ids";
import { BATCH_EVENT, batchBody } from "@/core/webhooks/batch";
import { isErased } from "@/core/webhooks/erased";
import { messageBody } from "@/core/webhooks/message";
import { sampleData } from "@/core/webhooks/samples";
import { conflict, notFound, tooMany } from "@/http/errors";
import { PAGE_LIMIT, pagingOf } from "@/http/page";
import { recordAudit } from "@/modules/audit-logs/service";
import type { Clock } from "@/platform/clock";
import type { Drizzle } from "@/platform/db/client";
import type { Limiter } from "@/platform/limits/limits";
import type { Seal } from "@/platform/seal";
import type { SendWebhook } from "@/platform/webhooks/webhook-sender";
import * as store from "./delivery-store";
import { presentDelivery, presentTest } from "./present";
import { openSecrets } from "./secret";
import { findWebhook, lockWebhook, permitNextTry, type WebhookRow } from "./store";

export interface DeliveryOptions {
  db: Drizzle;
  clock: Clock;
  seal: Seal;
  send: SendWebhook;
  /** Limits tests per webhook. */
  tests: Limiter;
  /** Called when a delivery is due. */
  wake(): void;
}

export type DeliveryService = ReturnType<typeof createDeliveryService>;

/** Tests of one webhook per minute. Each holds a request open for up to 15 s. */
const TESTS_A_MINUTE = 10;

export function createDeliveryService({ db, clock, seal, send, tests, wake }: DeliveryOptions) {
  return {
    /** Throws 404 for an unknown webhook. */
    async list({ orgId }: Tenant, webhookId: string, query: WebhookDeliveryQuery) {
      const { page = 1, limit = PAGE_LIMIT, status } = query;
      const webhook = await existing(orgId, webhookId);
      const filter = { webhookId: webhook.id, status };
      const { rows, total, isEstimate } = await store.listDeliveries(db, orgId, filter, { page, limit });
      return {
        deliveries: rows.map((row) => presentDelivery(row, webhook)),
        ...pagingOf(page, limit, total, isEstimate),
      };
    },

    /** Returns a delivery with the body that was sent. Throws 404. */
    async get({ orgId }: Tenant, webhookId: string, id: string): Promise<WebhookDeliveryWithRequest> {
      const webhook = await existing(orgId, webhookId);
      const row = isUuid(id) ? await store.findDelivery(db, orgId, webhook.id, id) : undefined;
      if (!row) throw notFound("delivery");
      return { ...presentDelivery(row, webhook), requestBody: sentBody(row) };
    },

    /**
     * Sends a finished delivery again as a new one, or a pending one now. A webhook with batches gets it as a batch of
     * one. Throws 404, and 409 if the webhook is off.
     */
    async redeliver(tenant: Tenant, webhookId: string, id: string): Promise<WebhookDelivery> {
      const { id: ownId } = await existing(tenant.orgId, webhookId);
      if (!isUuid(id)) throw notFound("delivery");
      const again = await db.transaction(async (tx) => {
        const webhook = await lockWebhook(tx, tenant.orgId, ownId);
        if (!webhook) throw notFound("webhook");
        const before = await store.lockDelivery(tx, tenant.orgId, ownId, id);
        if (!before) throw notFound("delivery");
        if (!webhook.isActive) throw conflict("This webhook is turned off; turn it on before you redeliver");
        const message = webhook.batch && isToBeGathered(before) ? batchOfOne(before) : before;
        const after = await (before.status === "pending" ? store.makeDueNow : store.insertAgain)(tx, message);
        await permitNextTry(tx, webhook.id);
        await recordAudit(tx, tenant, redelivered(ownId, before.id));
        return after;
      });
      wake();
      return presentDelivery(again, { isActive: true });
    },

    /** Sends a sample, even if the webhook is off, and stores nothing. Throws 404, 429, and 409 for a lost secret. */
    async test({ orgId }: Tenant, webhookId: string, input: WebhookTestInput): Promise<WebhookTestResult> {
      const webhook = await existing(orgId, webhookId);
      const { ok, retryAfterSeconds } = await tests.take(webhook.id, TESTS_A_MINUTE);
      if (!ok) throw tooMany("Too many tests of this webhook; try again shortly", retryAfterSeconds);
      const { event = "custom.event" } = input;
      const message = sampleFor(webhook, event, clock());
      const attempt = await send({ ...message, url: webhook.url, secrets: secretsOf(webhook) });
      return presentTest(event, message, attempt);
    },
  };

  async function existing(orgId: OrgId, id: string): Promise<WebhookRow> {
    const row = isUuid(id) ? await findWebhook(db, orgId, id) : undefined;
    if (!row) throw notFound("webhook");
    return row;
  }

  function secretsOf(webhook: WebhookRow) {
    const secrets = openSecrets(seal, webhook, clock());
    if (!secrets) throw conflict("The secret can no longer be decrypted; rotate it");
    return secrets;
  }
}

function sampleFor({ orgId, batch }: WebhookRow, event: WebhookEvent, at: number) {
  const messageId = Bun.randomUUIDv7();
  const alone = messageBody(messageId, { event, orgId, at, data: sampleData(event, orgId, at) });
  return batch
    ? { event: BATCH_EVENT, messageId, body: batchBody(messageId, [alone]) }
    : { event, messageId, body: alone };
}

/** True if the message, on its own and not tried, would disappear into a batch with another id. */
const isToBeGathered = ({ event, status, attempts }: store.DeliveryRow): boolean =>
  event !== BATCH_EVENT && (status !== "pending" || attempts === 0);

function batchOfOne(delivery: store.DeliveryRow): store.DeliveryRow {
  const messageId = Bun.randomUUIDv7();
  return { ...delivery, event: BATCH_EVENT, messages: 1, messageId, body: batchBody(messageId, [delivery.body]) };
}

/**
 * Returns the body that was sent. Returns undefined for a delivery that was never tried, because its message may yet
 * be sent in a batch, and for an erased body, because it is no longer what was sent.
 */
const sentBody = ({ attempts, body }: store.DeliveryRow): string | undefined =>
  attempts === 0 || isErased(body) ? undefined : body;

const redelivered = (webhookId: string, deliveryId: string) => ({
  action: "webhook.redeliver",
  resourceType: "webhook",
  resourceId: webhookId,
  changes: { delivery: { from: null, to: deliveryId } },
});
