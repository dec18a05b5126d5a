import { Elysia, t } from "elysia";
import { Deleted, pageQuery } from "@/contract/schema";
import {
  Webhook,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookDeliveryQuery,
  WebhookDeliveryWithRequest,
  WebhookInput,
  WebhookPage,
  WebhookTestInput,
  WebhookTestResult,
  WebhookUpdate,
  WebhookWithSecret,
} from "@/contract/webhooks";
import type { Guard } from "@/http/access";
import { onValidFields } from "@/http/body/body-faults";
import { failures } from "@/http/document/openapi-responses";
import { PAGE_LIMIT } from "@/http/page";
import type { DeliveryService } from "./deliveries";
import { FORMER_MAX } from "./secret";
import type { WebhookService } from "./service";

export interface WebhookRouteOptions {
  webhooks: WebhookService;
  deliveries: DeliveryService;
}

const soundInput = (webhooks: WebhookService) => onValidFields(WebhookInput, (_, sound) => webhooks.check(sound));
const soundUpdate = (webhooks: WebhookService) => onValidFields(WebhookUpdate, (_, sound) => webhooks.check(sound));

const PREFIX = "/api/v1/organizations/:orgId/webhooks";

export const webhookRoutes = ({ webhooks, deliveries }: WebhookRouteOptions, guard: Guard) =>
  new Elysia({ prefix: PREFIX, tags: ["Webhooks"] })
    .use(guard)
    .get("", ({ tenant, query }) => webhooks.list(tenant, query.page ?? 1, query.limit ?? PAGE_LIMIT), {
      member: { role: "admin", scopes: ["read", "manage"] },
      query: t.Object(pageQuery),
      response: { 200: WebhookPage, ...failures(400, 401, 403, 404) },
      detail: {
        operationId: "listWebhooks",
        summary: "List webhooks",
        description: "Newest first. Only the last characters of each secret are shown.",
      },
    })
    .post("", ({ tenant, body, once }) => webhooks.create(tenant, body, once), {
      member: { role: "admin", scopes: ["manage"] },
      repeatable: "sealed",
      body: WebhookInput,
      alsoChecked: soundInput(webhooks),
      response: { 200: WebhookWithSecret, ...failures(400, 401, 403, 404, 409, 413, 415) },
      detail: {
        operationId: "createWebhook",
        summary: "Create a webhook",
        description:
          "The response contains the secret, shown only this once. Each message is a POST of `{id, event, createdAt, " +
          "organizationId, data}` with two signatures: `X-Webhook-Signature` is `sha256=` and the hex HMAC-SHA256 of the " +
          "raw body, keyed with the secret as shown; `webhook-id`, `webhook-timestamp` and `webhook-signature` follow " +
          "Standard Webhooks. Only a 2xx response within 15 s is a success; redirects are not followed. A failed delivery " +
          "is retried nine times over about three days with the same `id`, so a message can arrive twice; `Retry-After` is " +
          "honored. A 410, or five days of failures, turns the webhook off. While every delivery fails, the endpoint is " +
          "tried once a second at most, slowing down to every 30 s; the first success releases what is waiting. An endpoint " +
          "receives up to four messages at once, and up to 64 while it responds quickly. With `batch`, the events of a " +
          "second arrive as one message. An organization can have up to 20 webhooks.",
      },
    })
    .patch("/:webhookId", ({ tenant, params, body }) => webhooks.update(tenant, params.webhookId, body), {
      member: { role: "admin", scopes: ["manage"] },
      body: WebhookUpdate,
      alsoChecked: soundUpdate(webhooks),
      response: { 200: Webhook, ...failures(400, 401, 403, 404, 413, 415) },
      detail: {
        operationId: "updateWebhook",
        summary: "Update a webhook",
        description:
          "Omitted fields keep their value. `events` is replaced as a whole, and null clears the description.",
      },
    })
    .delete("/:webhookId", ({ tenant, params }) => webhooks.remove(tenant, params.webhookId), {
      member: { role: "admin", scopes: ["manage"] },
      response: { 200: Deleted, ...failures(401, 403, 404) },
      detail: {
        operationId: "deleteWebhook",
        summary: "Delete a webhook",
        description: "Pending messages are no longer sent; its deliveries are deleted within minutes.",
      },
    })
    .post("/:webhookId/rotate-secret", ({ tenant, params }) => webhooks.rotateSecret(tenant, params.webhookId), {
      member: { role: "admin", scopes: ["manage"] },
      response: { 200: WebhookWithSecret, ...failures(401, 403, 404) },
      detail: {
        operationId: "rotateWebhookSecret",
        summary: "Rotate a webhook's secret",
        description:
          "Both secrets sign for 24 hours: `webhook-signature` lists both signatures, `X-Webhook-Signature` uses the new " +
          "secret, and `X-Webhook-Signature-Previous` the previous one. If you rotate again within that time, each of the " +
          `previous secrets (the last ${FORMER_MAX}) signs for its own 24 hours: both headers then list one signature ` +
          "for each, newest first.",
      },
    })
    .use(deliveryRoutes(deliveries, guard));

const deliveryRoutes = (deliveries: DeliveryService, guard: Guard) =>
  new Elysia()
    .use(guard)
    .get("/:webhookId/deliveries", ({ tenant, params, query }) => deliveries.list(tenant, params.webhookId, query), {
      // `read` is not enough: deliveries reveal every visit, and an endpoint's response may repeat what it was sent.
      member: { role: "admin", scopes: ["manage"] },
      query: WebhookDeliveryQuery,
      response: { 200: WebhookDeliveryPage, ...failures(400, 401, 403, 404) },
      detail: {
        operationId: "listWebhookDeliveries",
        summary: "List a webhook's deliveries",
        description: "Deliveries are kept for 30 days. `total` counts up to 10,000.",
      },
    })
    .get(
      "/:webhookId/deliveries/:deliveryId",
      ({ tenant, params }) => deliveries.get(tenant, params.webhookId, params.deliveryId),
      {
        member: { role: "admin", scopes: ["manage"] },
        response: { 200: WebhookDeliveryWithRequest, ...failures(401, 403, 404) },
        detail: {
          operationId: "getWebhookDelivery",
          summary: "Get a delivery",
          description: "Includes the body that was sent; the list does not.",
        },
      },
    )
    .post(
      "/:webhookId/deliveries/:deliveryId/redeliver",
      ({ tenant, params }) => deliveries.redeliver(tenant, params.webhookId, params.deliveryId),
      {
        member: { role: "admin", scopes: ["manage"] },
        response: { 200: WebhookDelivery, ...failures(401, 403, 404, 409) },
        detail: {
          operationId: "redeliverWebhook",
          summary: "Redeliver a message",
          description:
            "A finished delivery is sent again as a new delivery with the same `id`; a waiting one is sent now.",
        },
      },
    )
    .post("/:webhookId/test", ({ tenant, params, body }) => deliveries.test(tenant, params.webhookId, body), {
      member: { role: "admin", scopes: ["manage"], isOptional: true },
      body: WebhookTestInput,
      response: { 200: WebhookTestResult, ...failures(400, 401, 403, 404, 409, 413, 415, 429) },
      detail: {
        operationId: "testWebhook",
        summary: "Send a test event to a webhook",
        description:
          "Sends a signed sample of the chosen event and returns it with the endpoint's response. It is sent once and not " +
          "stored. Limit: ten tests a minute per webhook.",
      },
    });
