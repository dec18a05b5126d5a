/** When to read deliveries again, so that their outcome is seen soon, but requests are not spent on waiting. */
import type { WebhookDelivery } from "@/contract/webhooks";

type Delivery = Pick<WebhookDelivery, "status" | "nextAttemptAt">;

/** Milliseconds. The longest is also for deliveries of a webhook that is off, and for what others do. */
const SHORTEST = 2_000;
const LONGEST = 300_000;

/** Returns the milliseconds until the next attempt of any of the deliveries is due; undefined if none is pending. */
export function nextReadMs(deliveries: readonly Delivery[], now: number): number | undefined {
  const waits = deliveries
    .filter(({ status }) => status === "pending")
    .map(({ nextAttemptAt }) => (nextAttemptAt === undefined ? LONGEST : Date.parse(nextAttemptAt) - now));
  if (waits.length === 0) return undefined;
  return Math.min(LONGEST, Math.max(SHORTEST, Math.min(...waits)));
}
