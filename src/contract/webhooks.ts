/** Webhook endpoints and their deliveries. */
import { type Static, Type } from "@sinclair/typebox";
import { t } from "elysia";
import {
  flag,
  id,
  instant,
  list,
  nullable,
  oneOf,
  optional,
  pageOf,
  pageQuery,
  shape,
  text,
  withExample,
} from "./schema";

export const WEBHOOK_EVENTS = ["click", "link.created", "link.matched", "link.opened", "custom.event"] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** What a delivery contains: one event, or several in a batch. */
export const DELIVERY_EVENTS = [...WEBHOOK_EVENTS, "batch"] as const;
export type DeliveryEvent = (typeof DELIVERY_EVENTS)[number];

/** Limit of each organization. */
export const WEBHOOKS_MAX = 20;
/**
 * Up to this number, a webhook's pending deliveries are counted for each response; beyond it, the count may be a
 * minute old.
 */
export const DELIVERIES_COUNTED_MAX = 10_000;
/** Limit of one webhook; beyond it, the oldest deliveries are dropped. */
export const PENDING_MAX = 1_000_000;

const URL_TEXT = "Absolute http or https URL on the public internet, without user name or password";
const url = withExample("https://hooks.example.com/waymark", text(2048, 1, URL_TEXT));
const events = withExample(
  ["click", "link.created"],
  Type.Array(oneOf(WEBHOOK_EVENTS), {
    minItems: 1,
    maxItems: WEBHOOK_EVENTS.length,
    uniqueItems: true,
    description: "Events to send to the endpoint",
    error: `expected one or more of ${WEBHOOK_EVENTS.join(", ")}, without duplicates`,
  }),
);
const BATCH_TEXT =
  "Combines up to 100 events of a second into one message, `{id, events: [...]}`, whose `X-Webhook-Event` is " +
  "`batch`; each of its `events` looks the same as when sent alone. It is signed, retried and shown as a whole";
const fields = {
  batch: optional(withExample(false, flag(`${BATCH_TEXT}. Defaults to false`))),
  description: optional(nullable(withExample("Order system", text(500)))),
  isActive: optional(
    flag("While false, nothing is sent and no new events are queued; setting it to true also clears earlier failures"),
  ),
};

export const WebhookInput = shape(
  { url, events, ...fields },
  {
    $id: "WebhookInput",
    examples: [{ url: "https://hooks.example.com/waymark", events: ["click" as const, "link.created" as const] }],
  },
);
export type WebhookInput = Static<typeof WebhookInput>;

export const WebhookUpdate = shape(
  { url: optional(url), events: optional(events), ...fields },
  { $id: "WebhookUpdate", examples: [{ events: ["custom.event" as const], isActive: true }] },
);
export type WebhookUpdate = Static<typeof WebhookUpdate>;

const record = {
  _id: id(),
  url: withExample("https://hooks.example.com/waymark", Type.String()),
  events: withExample(["click", "link.created"], list(oneOf(WEBHOOK_EVENTS), WEBHOOK_EVENTS.length)),
  description: optional(withExample("Order system", Type.String())),
  isActive: Type.Boolean(),
  batch: Type.Boolean({ description: BATCH_TEXT }),
  pending: withExample(
    0,
    Type.Integer({
      description:
        "Waiting deliveries, even while the webhook is off; a batch counts once. Beyond 10,000, the count can be a minute " +
        "old",
    }),
  ),
  oldestPendingSeconds: optional(
    withExample(12, Type.Integer({ description: "Age of the oldest waiting delivery; omitted if none is waiting" })),
  ),
  dropped: withExample(
    0,
    Type.Integer({
      description:
        "Total deliveries dropped without being sent: beyond 1,000,000 waiting deliveries, or after 5 days, the oldest " +
        "are dropped",
    }),
  ),
  secretHint: withExample("…q8Y=", Type.String({ description: "Last characters of the secret" })),
  disabledReason: optional(Type.String({ description: "Why the service turned the webhook off" })),
  createdAt: instant(),
  updatedAt: instant(),
};

export const Webhook = shape(record, { $id: "Webhook" });
export type Webhook = Static<typeof Webhook>;

export const WebhookWithSecret = shape(
  {
    ...record,
    secret: withExample(
      "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwT2pVnC5sHw0=",
      Type.String({ description: "Signs messages; shown only this once" }),
    ),
  },
  { $id: "WebhookWithSecret" },
);
export type WebhookWithSecret = Static<typeof WebhookWithSecret>;

export const WebhookPage = pageOf("webhooks", Webhook);

export const DELIVERY_STATUSES = ["pending", "delivered", "failed", "dropped"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const WebhookDeliveryQuery = t.Object({
  ...pageQuery,
  status: optional(oneOf(DELIVERY_STATUSES, "Only deliveries with this status; defaults to all")),
});
export type WebhookDeliveryQuery = Static<typeof WebhookDeliveryQuery>;

/** The outcome of an attempt. */
const outcome = {
  responseStatus: optional(withExample(200, Type.Integer({ description: "Omitted if there was no response" }))),
  responseBody: optional(withExample("ok", Type.String({ description: "The first kilobyte of the response" }))),
  error: optional(Type.String({ description: "Why it failed" })),
  durationMs: optional(withExample(84, Type.Integer())),
};

const requestBody = (description: string) =>
  withExample(
    '{"id":"0198f2b0-6b5e-7c3a-9d4e-5f6a7b8c9d0e","event":"click","createdAt":"2026-01-31T12:00:00.000Z","organizationId":"0198f2a4-77d0-7b52-b1c8-2e4f6a8091d3","data":{}}',
    Type.String({ description: `The JSON that was signed and sent, byte for byte${description}` }),
  );

const delivery = {
  _id: id(),
  webhookId: id(),
  event: withExample("click", oneOf(DELIVERY_EVENTS)),
  messages: withExample(1, Type.Integer({ description: "Number of events: 1 unless it is a batch" })),
  messageId: id("Id of the message: the same for every endpoint and attempt. A batch has its own"),
  status: withExample(
    "delivered",
    oneOf(DELIVERY_STATUSES, "`failed`: no more attempts. `dropped`: it waited too long, or too many were waiting"),
  ),
  attempts: withExample(1, Type.Integer()),
  nextAttemptAt: optional(
    Type.String({
      format: "date-time",
      description: "When the next attempt is due; omitted while the webhook is off, and once the delivery has ended",
    }),
  ),
  lastAttemptAt: optional(withExample("2026-01-31T12:00:00.000Z", instant())),
  ...outcome,
  createdAt: instant(),
  deliveredAt: optional(withExample("2026-01-31T12:00:00.000Z", instant())),
};

export const WebhookDelivery = shape(delivery, { $id: "WebhookDelivery" });
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const WebhookDeliveryWithRequest = shape(
  {
    ...delivery,
    requestBody: optional(
      requestBody(". Omitted before the first attempt, and after the data of a visitor in it was erased"),
    ),
  },
  { $id: "WebhookDeliveryWithRequest" },
);
export type WebhookDeliveryWithRequest = Static<typeof WebhookDeliveryWithRequest>;

export const WebhookDeliveryPage = pageOf("deliveries", WebhookDelivery);

export const WebhookTestInput = shape(
  { event: optional(withExample("link.created", oneOf(WEBHOOK_EVENTS, "Defaults to `custom.event`"))) },
  { $id: "WebhookTestInput" },
);
export type WebhookTestInput = Static<typeof WebhookTestInput>;

export const WebhookTestResult = shape(
  {
    delivered: withExample(true, Type.Boolean({ description: "Whether the endpoint returned 2xx" })),
    event: oneOf(WEBHOOK_EVENTS),
    messageId: id(),
    requestBody: requestBody(""),
    ...outcome,
  },
  { $id: "WebhookTestResult" },
);
export type WebhookTestResult = Static<typeof WebhookTestResult>;
