import { Elysia, t } from "elysia";
import { Deleted, pageQuery } from "@/contract/schema";
import {
  Webhook,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookDeliveryQuery,
  WebhookInput,
  WebhookPage,
  WebhookTestInput,
  WebhookTestResult,
  WebhookUpdate,
  WebhookWithSecret,
} from "@/contract/webhooks";
import type { Guard } from "@/http/access";
import { ofSound } from "@/http/beside";
import { failures } from "@/http/document/openapi-responses";
import { PAGE_LIMIT } from "@/http/page";
import type { DeliveryService } from "./deliveries";
import type { WebhookService } from "./service";

export interface WebhookRouteOptions {
  webhooks: WebhookService;
  deliveries: DeliveryService;
}

const soundInput = (webhooks: WebhookService) => ofSound(WebhookInput, (_, sound) => webhooks.check(sound));
const soundUpdate = (webhooks: WebhookService) => ofSound(WebhookUpdate, (_, sound) => webhooks.check(sound));

const PREFIX = "/api/v1/organizations/:orgId/webhooks";

export const webhookRoutes = ({ webhooks, deliveries }: WebhookRouteOptions, guard: Guard) =>
  new Elysia({ prefix: PREFIX, tags: ["Webhooks"] })
    .use(guard)
    .get("", ({ tenant, query }) => webhooks.list(tenant, query.page ?? 1, query.limit ?? PAGE_LIMIT), {
      member: "admin",
      query: t.Object(pageQuery),
      response: { 200: WebhookPage, ...failures(400, 401, 403, 404) },
      detail: {
        operationId: "listWebhooks",
        summary: "List webhooks",
        description: "Newest first. A secret is shown by its end alone.",
      },
    })
    .post("", ({ tenant, body }) => webhooks.create(tenant, body), {
      member: "admin",
      body: WebhookInput,
      alsoChecked: soundInput(webhooks),
      response: { 200: WebhookWithSecret, ...failures(400, 401, 403, 404, 409, 413, 415) },
      detail: {
        operationId: "createWebhook",
        summary: "Create a webhook",
        description:
          "The answer holds the secret, this once. Each message is a POST of `{id, event, createdAt, organizationId, data}`, " +
          "signed twice: `X-Webhook-Signature` is `sha256=` and the hex HMAC-SHA256 of the raw body, keyed by the secret as " +
          "it is shown; `webhook-id`, `webhook-timestamp` and `webhook-signature` are those of Standard Webhooks. Only 2xx " +
          "within 15 s is a success; no redirect is followed. What fails is tried nine times more within about three days, " +
          "with the same `id`, so that one may come twice; `Retry-After` is honoured. 410, or five days of failures, turn the " +
          "webhook off. While every delivery fails the endpoint is tried once a second at most, and the longer it fails the " +
          "less often, down to every 30 s; the first success frees what waits. Four messages are under way at an endpoint " +
          "at once, up to 64 while it answers quickly. With `batch` the events of a second come as one message. " +
          "An organization may have 20 webhooks.",
      },
    })
    .patch("/:webhookId", ({ tenant, params, body }) => webhooks.update(tenant, params.webhookId, body), {
      member: "admin",
      body: WebhookUpdate,
      alsoChecked: soundUpdate(webhooks),
      response: { 200: Webhook, ...failures(400, 401, 403, 404, 413, 415) },
      detail: {
        operationId: "updateWebhook",
        summary: "Update a webhook",
        description: "Absent fields stay, `events` is replaced as a whole, null clears the description.",
      },
    })
    .delete("/:webhookId", ({ tenant, params }) => webhooks.remove(tenant, params.webhookId), {
      member: "admin",
      response: { 200: Deleted, ...failures(401, 403, 404) },
      detail: {
        operationId: "deleteWebhook",
        summary: "Delete a webhook",
        description: "What is pending is sent no more; its deliveries are deleted within minutes.",
      },
    })
    .post("/:webhookId/rotate-secret", ({ tenant, params }) => webhooks.rotateSecret(tenant, params.webhookId), {
      member: "admin",
      response: { 200: WebhookWithSecret, ...failures(401, 403, 404) },
      detail: {
        operationId: "rotateWebhookSecret",
        summary: "Rotate a webhook's secret",
        description:
          "For 24 hours both sign: `webhook-signature` lists both signatures, `X-Webhook-Signature` is the new secret's and " +
          "`X-Webhook-Signature-Previous` the former one's.",
      },
    })
    .use(deliveryRoutes(deliveries, guard));

const deliveryRoutes = (deliveries: DeliveryService, guard: Guard) =>
  new Elysia()
    .use(guard)
    .get("/:webhookId/deliveries", ({ tenant, params, query }) => deliveries.list(tenant, params.webhookId, query), {
      member: "admin",
      query: WebhookDeliveryQuery,
      response: { 200: WebhookDeliveryPage, ...failures(400, 401, 403, 404) },
      detail: {
        operationId: "listWebhookDeliveries",
        summary: "List a webhook's deliveries",
        description: "Kept for 30 days. `total` is counted up to 10,000.",
      },
    })
    .post(
      "/:webhookId/deliveries/:deliveryId/redeliver",
      ({ tenant, params }) => deliveries.redeliver(tenant, params.webhookId, params.deliveryId),
      {
        member: "admin",
        response: { 200: WebhookDelivery, ...failures(401, 403, 404, 409) },
        detail: {
          operationId: "redeliverWebhook",
          summary: "Deliver a message again",
          description:
            "One that has ended is sent again as a delivery of its own, with the same `id`; one that waits is tried now.",
        },
      },
    )
    .post("/:webhookId/test", ({ tenant, params, body }) => deliveries.test(tenant, params.webhookId, body), {
      member: { role: "admin", isOptional: true },
      body: WebhookTestInput,
      response: { 200: WebhookTestResult, ...failures(400, 401, 403, 404, 409, 413, 415, 429) },
      detail: {
        operationId: "testWebhook",
        summary: "Send a sample to a webhook",
        description:
          "Of the event asked for, signed as any message, to see what the endpoint answers. It is tried once and not kept. " +
          "A webhook can be tested ten times a minute.",
      },
    });
