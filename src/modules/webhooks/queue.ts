/**
 * The queue that the dispatcher processes. It lives in Postgres, so that any number of servers can share it. Each
 * webhook has a line: its pending deliveries in the order in which they are due. One server at a time processes a
 * line. It holds a lease on the line (`leased_by`, `leased_until`) and renews it while it has anything to do there.
 * So the requests in flight to an endpoint are known in one place, and a delivery costs only the write of its result.
 *
 * If a server dies, other servers take over its lines once the leases expire. What it had sent without recording the
 * result is sent again with the same id. A server's result counts only if no other server has tried the delivery
 * since (`attempts`). No transaction is open during a request to an endpoint.
 */
import { type OrgId, SYSTEM } from "@/core/ids";
import { FAILING_MS_MAX, nextWaitMs } from "@/core/webhooks/schedule";
import { recordAuditsOf } from "@/modules/audit-logs/service";
import type { Drizzle } from "@/platform/db/client";
import type { Seal } from "@/platform/seal";
import type { Attempt, SendWebhook } from "@/platform/webhooks/webhook-sender";
import { gatherDeliveries } from "./batches";
import { deliveryEventOf } from "./present";
import * as store from "./queue-store";
import { openSecrets } from "./secret";
import {
  type DeliveryResult,
  type Disabled,
  type Endpoint,
  type Failure,
  recordFailures,
  recordResults,
  turnOff,
} from "./settle-store";

export interface QueueOptions {
  db: Drizzle;
  seal: Seal;
  send: SendWebhook;
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  random(): number;
}

/** A delivery and the result of one attempt. */
export interface Tried {
  delivery: store.TakenDelivery;
  attempt: Attempt;
}

export type DeliveryQueue = ReturnType<typeof createDeliveryQueue>;
export type { TakenDelivery } from "./queue-store";

const GONE = 410;
const NO_SECRET: Attempt = {
  isDelivered: false,
  status: null,
  answer: null,
  error: "The webhook's secret can no longer be decrypted; rotate it",
  durationMs: 0,
};

/** Creates the queue of one server; every server has its own leases. */
export function createDeliveryQueue({ db, seal, send, random }: QueueOptions) {
  const server = Bun.randomUUIDv7();

  return {
    /** Leases endpoints that have anything due. */
    claim: (room: store.ClaimRoom, held: readonly string[]) => store.claim(db, server, room, held),

    /** Returns the due deliveries of these endpoints, in the order of each line. */
    async take(wants: readonly (store.LineRequest & { batch: boolean })[]): Promise<store.TakenDelivery[]> {
      await gatherDeliveries(
        db,
        wants.filter(({ batch }) => batch),
      );
      return store.take(db, server, wants);
    },

    /** Sends one request to the endpoint. */
    async send(delivery: store.TakenDelivery, signal: AbortSignal): Promise<Attempt> {
      const { url, event, messageId, body, takenAt } = delivery;
      const secrets = openSecrets(seal, sealedSecretsOf(delivery), takenAt);
      if (!secrets) return NO_SECRET;
      return send({ url, event: deliveryEventOf(event), messageId, body, secrets }, signal);
    },

    /**
     * Records the results of attempts, in the order in which they ended. If it fails, all of them can be recorded
     * again.
     */
    async settle(tried: readonly Tried[]): Promise<void> {
      const { working, failures } = statesOf(tried);
      const moved = await noteFailures(failures);
      const ended = tried.map((one) => endOf(one, moved.has(endpointOf(one.delivery)), random()));
      await recordResults(db, ended, working);
    },

    renew: (webhookIds: readonly string[]) => store.renew(db, server, webhookIds),
    /** Releases all lines to other servers. */
    release: () => store.release(db, server),
  };

  /** Returns the endpoints whose webhook is gone, or whose URL has changed. */
  async function noteFailures(failures: readonly FailedEndpoint[]): Promise<Set<string>> {
    const recorded = new Map((await recordFailures(db, failures)).map((each) => [endpointOf(each), each]));
    const disabled = failures.flatMap((failure): (FailedEndpoint & Disabled)[] => {
      const { isActive = false, failingMs = 0 } = recorded.get(endpointOf(failure)) ?? {};
      const reason = failure.isGone ? "The endpoint returned 410 Gone" : reasonToDisable(failingMs);
      return isActive && reason !== undefined ? [{ ...failure, reason }] : [];
    });
    if (disabled.length > 0) await disable(disabled);
    return new Set(failures.map(endpointOf).filter((endpoint) => !recorded.has(endpoint)));
  }

  async function disable(endpoints: readonly (FailedEndpoint & Disabled)[]): Promise<void> {
    await db.transaction(async (tx) => {
      const off = await turnOff(tx, endpoints);
      const audits = endpoints.filter(({ webhookId }) => off.has(webhookId)).map(auditOf);
      if (audits.length > 0) await recordAuditsOf(tx, audits);
    });
  }
}

function auditOf({ orgId, webhookId, reason }: FailedEndpoint & Disabled) {
  const changes = { isActive: { from: true, to: false }, disabledReason: { from: null, to: reason } };
  return {
    tenant: { orgId: orgId as OrgId, actor: SYSTEM },
    entry: { action: "webhook.disable", resourceType: "webhook", resourceId: webhookId, changes },
  };
}

/**
 * What failed at a URL that the webhook has no longer is due at once, at the new one, even if the former one is gone
 * for good or this was the last attempt there.
 */
function endOf({ delivery: { id, attempts }, attempt }: Tried, hasMoved: boolean, random: number): DeliveryResult {
  const { isDelivered, status, retryAfterMs } = attempt;
  const next = status === GONE ? undefined : nextWaitMs(attempts, random, retryAfterMs);
  return { id, attempts, attempt, waitMs: isDelivered ? null : hasMoved ? 0 : (next ?? null) };
}

interface FailedEndpoint extends Failure {
  orgId: string;
  isGone: boolean;
}

/**
 * Divides the endpoints into those whose last attempt was delivered and those whose last attempt failed. The former
 * and the new URL of a webhook are two endpoints: nothing that happens at one says anything about the other.
 */
function statesOf(tried: readonly Tried[]): { working: Endpoint[]; failures: FailedEndpoint[] } {
  const working = new Map<string, Endpoint>();
  const failing = new Map<string, FailedEndpoint>();
  for (const { delivery, attempt } of tried) {
    const { webhookId, url, orgId } = delivery;
    const endpoint = endpointOf(delivery);
    const isGone = attempt.status === GONE || failing.get(endpoint)?.isGone === true;
    if (attempt.isDelivered) working.set(endpoint, { webhookId, url });
    if (attempt.isDelivered && !isGone) failing.delete(endpoint);
    else {
      const { retryAfterMs = 0 } = attempt;
      const failedAfterSuccess = working.has(endpoint);
      failing.set(endpoint, { webhookId, url, orgId, isGone, retryAfterMs, failedAfterSuccess });
    }
  }
  for (const endpoint of failing.keys()) working.delete(endpoint);
  return { working: [...working.values()], failures: [...failing.values()] };
}

const endpointOf = ({ webhookId, url }: Endpoint): string => `${webhookId} ${url}`;

const sealedSecretsOf = ({ webhookId, secret, previousSecret, previousSecretUntil }: store.TakenDelivery) => ({
  id: webhookId,
  ...{ secret, previousSecret },
  previousSecretUntil: previousSecretUntil === null ? null : new Date(previousSecretUntil),
});

const reasonToDisable = (failingMs: number): string | undefined =>
  failingMs >= FAILING_MS_MAX ? "Every delivery failed for five days" : undefined;
