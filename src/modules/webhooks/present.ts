import {
  WEBHOOK_EVENTS,
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
  type WebhookTestResult,
} from "@/contract/webhooks";
import type { Attempt } from "@/platform/webhook-sender";
import type { ListedDelivery } from "./delivery-store";
import type { WebhookRow } from "./store";

/** The wire form of a webhook: its secret is never in it. */
export const presentWebhook = (row: WebhookRow): Webhook => ({
  _id: row.id,
  ...presentFields(row),
  secretHint: row.secretHint,
  disabledReason: row.disabledReason ?? undefined,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** The fields a customer sets. */
export const presentFields = ({ url, events, description, isActive }: WebhookRow) => ({
  url,
  events: events.filter(isEvent),
  description: description ?? undefined,
  isActive,
});

/** What audit entries tell of a change. */
export const auditedFields = (row: WebhookRow) => ({ ...presentFields(row), disabledReason: row.disabledReason });

export const presentDelivery = (row: ListedDelivery, { isActive }: Pick<WebhookRow, "isActive">): WebhookDelivery => ({
  _id: row.id,
  webhookId: row.webhookId,
  event: eventOf(row.event),
  messageId: row.messageId,
  status: row.status,
  attempts: row.attempts,
  nextAttemptAt: isActive && !isUnderWay(row) ? row.dueAt?.toISOString() : undefined,
  lastAttemptAt: row.lastAttemptAt?.toISOString(),
  responseStatus: row.responseStatus ?? undefined,
  responseBody: row.responseBody ?? undefined,
  error: row.error ?? undefined,
  durationMs: row.durationMs ?? undefined,
  createdAt: row.createdAt.toISOString(),
  deliveredAt: row.deliveredAt?.toISOString(),
});

export const presentTest = (event: WebhookEvent, messageId: string, attempt: Attempt): WebhookTestResult => ({
  delivered: attempt.isDelivered,
  event,
  messageId,
  responseStatus: attempt.status ?? undefined,
  responseBody: attempt.answer ?? undefined,
  error: attempt.error ?? undefined,
  durationMs: attempt.durationMs,
});

/** A try that has begun has no duration yet; one that was given up has none, either, and is tried again. */
export const isUnderWay = ({ status, lastAttemptAt, durationMs }: ListedDelivery): boolean =>
  status === "pending" && lastAttemptAt !== null && durationMs === null;

const isEvent = (text: string): text is WebhookEvent => WEBHOOK_EVENTS.some((event) => event === text);

/** Throws for what cannot have been written. */
export function eventOf(text: string): WebhookEvent {
  if (!isEvent(text)) throw new Error(`There is no event ${text}`);
  return text;
}
