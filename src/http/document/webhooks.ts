/** The document's `webhooks` section: every message an endpoint is sent, with the headers that sign it. */
import type { TSchema } from "@sinclair/typebox";
import { WEBHOOK_MESSAGES, WebhookBatchMessage } from "@/contract/webhook-messages";
import type { WebhookEvent } from "@/contract/webhooks";
import { BATCH_EVENT } from "@/core/webhooks/batch";
import { exampleOf } from "./example";
import type { SchemaNames } from "./strict-schema";
import type { Parameter, Schema, WebhookOperation } from "./types";

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
    description: "Somebody followed a link. Robots' clicks are not told.",
  },
  "link.created": {
    schema: WEBHOOK_MESSAGES["link.created"],
    operationId: "onLinkCreated",
    summary: "Receive a new link",
    description: "A link was created, alone or with others. `data` is the link as the API shows it.",
  },
  "link.matched": {
    schema: WEBHOOK_MESSAGES["link.matched"],
    operationId: "onLinkMatched",
    summary: "Receive a match",
    description: "An app that was just installed claimed the visit it came from.",
  },
  "link.opened": {
    schema: WEBHOOK_MESSAGES["link.opened"],
    operationId: "onLinkOpened",
    summary: "Receive an open",
    description: "A link opened in an app: at once, or after the install that it led to.",
  },
  "custom.event": {
    schema: WEBHOOK_MESSAGES["custom.event"],
    operationId: "onCustomEvent",
    summary: "Receive a custom event",
    description: "One of your servers recorded an event. `data` is the event as the API shows it.",
  },
  [BATCH_EVENT]: {
    schema: WebhookBatchMessage,
    operationId: "onBatch",
    summary: "Receive a batch",
    description: "A webhook with `batch: true` receives up to 100 events of a second in one message.",
  },
};

const PROTOCOL = `Answer with 2xx within 15 seconds. Anything else is tried again, nine times within about three days, with
the same \`webhook-id\`: ignore an id you have seen before. 410 turns the webhook off.

To check that a message is ours, compute the hex HMAC-SHA256 of the raw body, keyed by the webhook's secret as it is shown, and
compare it with \`X-Webhook-Signature\` after \`sha256=\`. Libraries for Standard Webhooks check \`webhook-signature\` instead,
which also covers the id and the time.`;

const header = (name: string, description: string, example: string, isAlways = true): Parameter => ({
  name,
  in: "header",
  ...(isAlways && { required: true }),
  description,
  schema: { type: "string", examples: [example] },
});

const headersOf = (event: string): Parameter[] => [
  header("X-Webhook-Event", "What happened", event),
  header("X-Webhook-Signature", "`sha256=` and the hex HMAC-SHA256 of the raw body", `sha256=${"5e".repeat(32)}`),
  header(
    "X-Webhook-Signature-Previous",
    "The same by the former secret, for 24 hours after it was rotated",
    `sha256=${"a1".repeat(32)}`,
    false,
  ),
  header("webhook-id", "The message's id, the same for each try", "0198f2b0-6b5e-7c3a-9d4e-5f6a7b8c9d0e"),
  header("webhook-timestamp", "When this try was sent, in Unix seconds", "1780315260"),
  header(
    "webhook-signature",
    "Standard Webhooks: `v1,` and the Base64 HMAC-SHA256 of id, timestamp and body joined by dots; one for each secret in force",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  ),
];

/** Its schemas join the named ones. */
export function webhooksOf(names: SchemaNames): Record<string, { post: WebhookOperation }> {
  return Object.fromEntries(
    Object.entries(MESSAGES).map(([event, message]) => [event, { post: webhookOf(event, message, names) }]),
  );
}

function webhookOf(event: string, message: Message, names: SchemaNames): WebhookOperation {
  const { schema: declared, ...described } = message;
  // As the gathering plugin hands schemas over: plain JSON.
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
      "410": { description: "Send nothing more: the webhook is turned off" },
    },
  };
}
