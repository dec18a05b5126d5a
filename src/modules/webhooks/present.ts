import {
  DELIVERY_EVENTS,
  type DeliveryEvent,
  WEBHOOK_EVENTS,
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
  type WebhookTestResult,
} from "@/contract/webhooks";
import type { Attempt } from "@/platform/webhooks/webhook-sender";
import type { ListedDelivery } from "./delivery-store";
import type { WebhookRow } from "./store";

/** Deliveries that wait for a webhook. */
export interface WebhookBacklog {
  pending: number;
  /** Null if nothing waits. */
  oldestPendingSeconds: number | null;
}

export const NO_BACKLOG: WebhookBacklog = { pending: 0, oldestPendingSeconds: null };

/** Returns the wire format of a webhook, which never contains its secret. */
export const presentWebhook = (row: WebhookRow, { pending, oldestPendingSeconds }: WebhookBacklog): Webhook => ({
  _id: row.id,
  ...presentFields(row),
  pending,
  oldestPendingSeconds: oldestPendingSeconds ?? undefined,
  dropped: row.dropped,
  secretHint: row.secretHint,
  disabledReason: row.disabledReason ?? undefined,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** Returns the fields that a customer sets. */
const presentFields = ({ url, events, description, isActive, batch }: WebhookRow) => ({
  url,
  events: events.filter(isEvent),
  description: description ?? undefined,
  isActive,
  batch,
});

/** Returns the fields that audit entries compare: all that an update can change. */
export const auditedWebhook = (row: WebhookRow) => ({
  ...presentFields(row),
  disabledReason: row.disabledReason,
  failingSince: row.failingSince,
});

export const presentDelivery = (row: ListedDelivery, { isActive }: Pick<WebhookRow, "isActive">): WebhookDelivery => ({
  _id: row.id,
  webhookId: row.webhookId,
  event: deliveryEventOf(row.event),
  messages: row.messages,
  messageId: row.messageId,
  status: row.status,
  attempts: row.attempts,
  nextAttemptAt: isActive ? row.dueAt?.toISOString() : undefined,
  lastAttemptAt: row.lastAttemptAt?.toISOString(),
  responseStatus: row.responseStatus ?? undefined,
  responseBody: row.responseBody ?? undefined,
  error: row.error ?? undefined,
  durationMs: row.durationMs ?? undefined,
  createdAt: row.createdAt.toISOString(),
  deliveredAt: row.deliveredAt?.toISOString(),
});

/** `sent` is the message. */
export const presentTest = (
  event: WebhookEvent,
  sent: { messageId: string; body: string },
  attempt: Attempt,
): WebhookTestResult => ({
  delivered: attempt.isDelivered,
  event,
  messageId: sent.messageId,
  requestBody: sent.body,
  responseStatus: attempt.status ?? undefined,
  responseBody: attempt.answer ?? undefined,
  error: attempt.error ?? undefined,
  durationMs: attempt.durationMs,
});

const isEvent = (text: string): text is WebhookEvent => WEBHOOK_EVENTS.some((event) => event === text);

/** Throws for a text that can never have been stored. */
export function deliveryEventOf(text: string): DeliveryEvent {
  const event = DELIVERY_EVENTS.find((known) => known === text);
  if (!event) throw new Error(`Unknown event: ${text}`);
  return event;
}
