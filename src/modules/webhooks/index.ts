/** Assembles the webhook API for admins and the queue that the dispatcher processes. */
import type { Guard } from "@/http/access";
import type { Clock } from "@/platform/clock";
import type { Drizzle } from "@/platform/db/client";
import type { Limits } from "@/platform/limits/limits";
import { createAddressCheck } from "@/platform/outbound/addresses";
import type { Outbound } from "@/platform/outbound/outbound";
import type { Seal } from "@/platform/seal";
import { createWebhookSender } from "@/platform/webhooks/webhook-sender";
import { createDeliveryService } from "./deliveries";
import { createDeliveryQueue } from "./queue";
import { webhookRoutes } from "./routes";
import { createWebhookService } from "./service";

interface Shared {
  db: Drizzle;
  clock: Clock;
  seal: Seal;
  outbound: Outbound;
}

export interface WebhookParts extends Shared {
  limits: Limits;
  /** Called when a delivery is due. */
  wakeWebhooks(): void;
  config: { outboundAllow: string[] };
}

const TESTS = { name: "webhook tests", windowMs: 60_000 };

export function webhookModule({ limits, wakeWebhooks: wake, config, ...shared }: WebhookParts, guard: Guard) {
  const send = createWebhookSender(shared);
  return webhookRoutes(
    {
      webhooks: createWebhookService({ ...shared, classOf: createAddressCheck(config.outboundAllow), wake }),
      deliveries: createDeliveryService({ ...shared, send, tests: limits.limiter(TESTS), wake }),
    },
    guard,
  );
}

export const createWebhookQueue = ({ db, clock, seal, outbound }: Shared) =>
  createDeliveryQueue({ db, seal, send: createWebhookSender({ outbound, clock }), random: Math.random });
