/** The API requests of the webhooks tab. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useChange } from "../api/changes";
import { api, type Schemas, unwrap } from "../api/client";
import { sendAgainSafely } from "../api/sent-again";
import { usePagedQuery, useResourceMutation } from "../shell/api-queries";
import { useOrg } from "../shell/session";
import { nextReadMs } from "./next-read";

export type Webhook = Schemas["Webhook"];
export type WebhookEvent = Webhook["events"][number];
export type Delivery = Schemas["WebhookDelivery"];
export type DeliveryStatus = Delivery["status"];

/** Page size larger than the number of webhooks an organization may have. */
const ALL = 100;
const PAGE = 50;

export function useWebhooks() {
  const { _id: orgId } = useOrg();
  return useQuery({
    queryKey: ["webhooks", orgId, "list"],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/api/v1/organizations/{orgId}/webhooks", {
          params: { path: { orgId }, query: { limit: ALL } },
          signal,
        }),
      ),
    select: ({ webhooks }) => webhooks,
  });
}

export function useDeliveries(webhookId: string, status: DeliveryStatus | undefined) {
  const { _id: orgId } = useOrg();
  return usePagedQuery(
    ["webhooks", orgId, "deliveries", webhookId, status],
    (page, signal) =>
      unwrap(
        api.GET("/api/v1/organizations/{orgId}/webhooks/{webhookId}/deliveries", {
          params: { path: { orgId, webhookId }, query: { page, limit: PAGE, status } },
          signal,
        }),
      ),
    ({ deliveries }) => nextReadMs(deliveries, Date.now()),
  );
}

/** Reads one delivery. It may be on a page that is not loaded, or may not match the filter. */
export function useDelivery(webhookId: string, deliveryId: string) {
  const { _id: orgId } = useOrg();
  return useQuery({
    queryKey: ["webhooks", orgId, "one-delivery", deliveryId],
    queryFn: ({ signal }) => readDelivery({ orgId, webhookId, deliveryId }, signal),
    refetchInterval: ({ state: { data } }) => (data && nextReadMs([data], Date.now())) ?? false,
  });
}

const readDelivery = (path: { orgId: string; webhookId: string; deliveryId: string }, signal: AbortSignal) =>
  unwrap(
    api.GET("/api/v1/organizations/{orgId}/webhooks/{webhookId}/deliveries/{deliveryId}", { params: { path }, signal }),
  );

/** Reads a delivery with the body sent; reads it again after another attempt. */
export function useSentBody({ _id: deliveryId, webhookId, attempts }: Delivery) {
  const { _id: orgId } = useOrg();
  return useQuery({
    enabled: attempts > 0,
    queryKey: ["webhooks", orgId, "delivery", deliveryId, attempts],
    queryFn: ({ signal }) => readDelivery({ orgId, webhookId, deliveryId }, signal),
  });
}

export function useCreateWebhook() {
  const { _id: orgId } = useOrg();
  return useResourceMutation("webhooks", (body: Schemas["WebhookInput"]) =>
    sendAgainSafely(`new webhook ${orgId}`, body, (header) =>
      unwrap(api.POST("/api/v1/organizations/{orgId}/webhooks", { params: { path: { orgId }, header }, body })),
    ),
  );
}

const usePath = (webhookId: string) => ({ params: { path: { orgId: useOrg()._id, webhookId } } });

export function useUpdateWebhook(webhookId: string) {
  const path = usePath(webhookId);
  return useResourceMutation("webhooks", (body: Schemas["WebhookUpdate"]) =>
    unwrap(api.PATCH("/api/v1/organizations/{orgId}/webhooks/{webhookId}", { ...path, body })),
  );
}

export function useDeleteWebhook(webhookId: string) {
  const { _id: orgId } = useOrg();
  const path = usePath(webhookId);
  const client = useQueryClient();
  return useChange({
    mutationFn: () => unwrap(api.DELETE("/api/v1/organizations/{orgId}/webhooks/{webhookId}", path)),
    // Not awaited: the webhook's own screen is being left, and has nothing more to show.
    onSettled: () => void client.invalidateQueries({ queryKey: ["webhooks", orgId, "list"] }),
  });
}

export function useRotateSecret(webhookId: string) {
  const path = usePath(webhookId);
  return useResourceMutation("webhooks", () =>
    unwrap(api.POST("/api/v1/organizations/{orgId}/webhooks/{webhookId}/rotate-secret", path)),
  );
}

export function useTestWebhook(webhookId: string) {
  const path = usePath(webhookId);
  return useResourceMutation("webhooks", (event: WebhookEvent) =>
    unwrap(api.POST("/api/v1/organizations/{orgId}/webhooks/{webhookId}/test", { ...path, body: { event } })),
  );
}

export function useRedeliver(webhookId: string) {
  const { _id: orgId } = useOrg();
  return useResourceMutation("webhooks", (deliveryId: string) =>
    unwrap(
      api.POST("/api/v1/organizations/{orgId}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver", {
        params: { path: { orgId, webhookId, deliveryId } },
      }),
    ),
  );
}
