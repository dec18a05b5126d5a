/** Builds the document's `webhooks` section: every message that an endpoint receives, with the headers that sign it. */
import type { TSchema } from "@sinclair/typebox";
import { EXAMPLE_ID } from "@/contract/schema";
import { WEBHOOK_MESSAGES, WebhookBatchMessage } from "@/contract/webhook-messages";
import type { WebhookEvent } from "@/contract/webhooks";
import { BATCH_EVENT } from "@/core/webhooks/batch";
import { exampleOf } from "./example";
import type { SchemaNames } from "./strict-schema";
import type { DocumentParameter, Schema, WebhookOperation } from "./types";

interface Message {
  schema: TSchema;
  operationId: string;
  summary: string;
  description: string;
}

const MESSAGES: Record<WebhookEvent | typeof BATCH_EVENT, Message> = {
  click: {
    schema: WEBHOOK_MESSAGES.click,
    operationId: "onClick",
    summary: "Receive a click",
    description: "Someone followed a link. Bot clicks are not sent.",
  },
  "link.created": {
    schema: WEBHOOK_MESSAGES["link.created"],
    operationId: "onLinkCreated",
    summary: "Receive a new link",
    description: "A link was created. Imports send this only with `notify`. `data` is the link as the API returns it.",
  },
  "link.matched": {
    schema: WEBHOOK_MESSAGES["link.matched"],
    operationId: "onLinkMatched",
    summary: "Receive a match",
    description: "A newly installed app claimed the visit that led to it.",
  },
  "link.opened": {
    schema: WEBHOOK_MESSAGES["link.opened"],
    operationId: "onLinkOpened",
    summary: "Receive an open",
    description: "A link opened in an app, directly or after the install it led to.",
  },
  "custom.event": {
    schema: WEBHOOK_MESSAGES["custom.event"],
    operationId: "onCustomEvent",
    summary: "Receive a custom event",
    description: "One of your servers recorded an event. `data` is the event as the API returns it.",
  },
  [BATCH_EVENT]: {
    schema: WebhookBatchMessage,
    operationId: "onBatch",
    summary: "Receive a batch",
    description: "A webhook with `batch: true` receives up to 100 events of a second in one message.",
  },
};

const PROTOCOL = `Respond with 2xx within 15 seconds. Any other result is retried nine times over about three days with the same
\`webhook-id\`, so ignore ids you have already seen. A 410 turns the webhook off.

To verify a message, compute the hex HMAC-SHA256 of the raw body, keyed with the webhook's secret as shown, and
compare it with \`X-Webhook-Signature\` after \`sha256=\`. Libraries for Standard Webhooks check \`webhook-signature\`
instead, which also covers the id and the time.`;

const header = (name: string, description: string, example: string, isAlways = true): DocumentParameter => ({
  name,
  in: "header",
  ...(isAlways && { required: true }),
  description,
  schema: { type: "string", examples: [example] },
});

const headersOf = (event: string): DocumentParameter[] => [
  header("X-Webhook-Event", "The event", event),
  header("X-Webhook-Signature", "`sha256=` and the hex HMAC-SHA256 of the raw body", `sha256=${"5e".repeat(32)}`),
  header(
    "X-Webhook-Signature-Previous",
    "The same with the previous secret, for 24 hours after a rotation; joined by `, ` if several secrets were replaced in that time",
    `sha256=${"a1".repeat(32)}`,
    false,
  ),
  header("webhook-id", "The message's id, the same for every attempt", EXAMPLE_ID),
  header("webhook-timestamp", "When this attempt was sent, in Unix seconds", "1780315260"),
  header(
    "webhook-signature",
    "Standard Webhooks: `v1,` and the Base64 HMAC-SHA256 of id, timestamp and body joined by dots; one for each active secret",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  ),
];

/** Returns the section and adds its schemas to `names`. */
export function webhooksOf(names: SchemaNames): Record<string, { post: WebhookOperation }> {
  return Object.fromEntries(
    Object.entries(MESSAGES).map(([event, message]) => [event, { post: webhookOf(event, message, names) }]),
  );
}

function webhookOf(event: string, message: Message, names: SchemaNames): WebhookOperation {
  const { schema: declared, ...described } = message;
  // The swagger plugin also provides schemas as plain JSON.
  const plain: Schema = JSON.parse(JSON.stringify(declared));
  const schema = names.strict(plain);
  const example = exampleOf(schema, names.components);
  if (!("value" in example)) throw new Error(`The webhook ${event} has no example`);
  return {
    ...described,
    description: `${described.description}\n\n${PROTOCOL}`,
    tags: ["Webhooks"],
    security: [],
    parameters: headersOf(event),
    requestBody: { required: true, content: { "application/json": { schema, example: example.value } } },
    responses: {
      "2XX": { description: "Received" },
      "410": { description: "Stop sending: the webhook is turned off" },
    },
  };
}
