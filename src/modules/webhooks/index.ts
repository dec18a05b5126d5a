/** The parts of webhooks, put together: what admins do, and what the dispatcher works off. */
import type { Clock } from "@/platform/clock";
import type { Drizzle } from "@/platform/db/client";
import type { Limits } from "@/platform/limits/limits";
import type { Outbound } from "@/platform/outbound";
import { createAddressCheck } from "@/platform/outbound/addresses";
import type { Seal } from "@/platform/seal";
import { createWebhookSender } from "@/platform/webhook-sender";
import { createDeliveryService } from "./deliveries";
import { createDeliveryQueue } from "./queue";
import { createWebhookService } from "./service";

interface Shared {
  db: Drizzle;
  clock: Clock;
  seal: Seal;
  outbound: Outbound;
}

export interface WebhookParts extends Shared {
  limits: Limits;
  /** Something is due. */
  wake(): void;
  config: { outboundAllow: string[] };
}

const TESTS = { name: "webhook tests", windowMs: 60_000 };

export function createWebhooks({ db, clock, seal, outbound, limits, wake, config }: WebhookParts) {
  const send = createWebhookSender({ outbound, clock });
  return {
    webhooks: createWebhookService({ db, clock, seal, classOf: createAddressCheck(config.outboundAllow), wake }),
    deliveries: createDeliveryService({ db, clock, seal, send, tests: limits.limiter(TESTS), wake }),
  };
}

export const createWebhookQueue = ({ db, clock, seal, outbound }: Shared) =>
  createDeliveryQueue({ db, seal, send: createWebhookSender({ outbound, clock }), random: Math.random });
