/** Creates, lists, updates and deletes webhooks, and shows each secret once. */
import {
  WEBHOOKS_MAX,
  type Webhook,
  type WebhookInput,
  type WebhookUpdate,
  type WebhookWithSecret,
} from "@/contract/webhooks";
import { changesOf } from "@/core/changes";
import { isUuid, type OrgId, type Tenant } from "@/core/ids";
import { DAY_MS } from "@/core/time/time-range";
import { conflict, notFound } from "@/http/errors";
import type { KeyedRequest } from "@/http/headers/idempotency-key";
import { pagingOf } from "@/http/page";
import { recordAudit } from "@/modules/audit-logs/service";
import { transactOnce } from "@/modules/idempotency/service";
import type { Clock } from "@/platform/clock";
import { takeLock } from "@/platform/db/locks";
import type { Db } from "@/platform/db/tx";
import type { AddressClass } from "@/platform/outbound/addresses";
import type { Seal } from "@/platform/seal";
import { makeSecret } from "@/platform/webhooks/webhook-signature";
import { backlogsOf } from "./backlog";
import { auditedWebhook, NO_BACKLOG, presentWebhook } from "./present";
import { closeFormerSecrets, closeWebhookSecret } from "./secret";
import * as store from "./store";
import { checkedWebhookFields } from "./validate";

export interface WebhookOptions {
  db: Db;
  clock: Clock;
  seal: Seal;
  classOf(address: string): AddressClass;
  /** Called when a delivery is due. */
  wake(): void;
}

export type WebhookService = ReturnType<typeof createWebhookService>;

/** How long a secret keeps signing after it was replaced. */
const BOTH_SIGN_MS = DAY_MS;

export function createWebhookService(options: WebhookOptions) {
  const { db, clock, seal, classOf, wake } = options;
  return {
    async list({ orgId }: Tenant, page: number, limit: number) {
      const { rows, total } = await store.listWebhooks(db, orgId, page, limit);
      return { webhooks: await presentAll(db, rows), ...pagingOf(page, limit, total) };
    },

    /** Throws 400 for these fields if `create` or `update` would. */
    check(input: WebhookUpdate): void {
      checkedWebhookFields(input, classOf);
    },

    /** Throws 400 for invalid fields, 409 if the organization has reached its limit. */
    async create(tenant: Tenant, input: WebhookInput, once?: KeyedRequest): Promise<WebhookWithSecret> {
      const fields = { ...input, ...checkedWebhookFields(input, classOf) };
      const [id, secret, now] = [Bun.randomUUIDv7(), makeSecret(), new Date(clock())];
      return transactOnce(db, tenant.orgId, once, async (tx) => {
        await takeLock(tx, tenant.orgId, "webhooks");
        if ((await store.countWebhooks(tx, tenant.orgId)) >= WEBHOOKS_MAX) throw tooManyWebhooks();
        const made = { ...closeWebhookSecret(seal, id, secret), createdAt: now, updatedAt: now };
        const row = await store.insertWebhook(tx, tenant.orgId, { id, ...fields, ...made });
        await recordAudit(tx, tenant, { ...audited("create", id), changes: changesOf({}, auditedWebhook(row)) });
        return { ...presentWebhook(row, NO_BACKLOG), secret };
      });
    },

    /**
     * Leaves absent fields unchanged; null clears a field. Turning the webhook on, or changing its URL, clears its
     * failures and makes its waiting deliveries due. Throws 400 for invalid fields, 404.
     */
    async update(tenant: Tenant, id: string, input: WebhookUpdate): Promise<Webhook> {
      await existing(db, tenant.orgId, id);
      const fields = checkedWebhookFields(input, classOf);
      const webhook = await db.transaction(async (tx) => {
        const before = await locked(tx, tenant.orgId, id);
        const values = { ...fields, ...fieldsToClear(before, fields) };
        const changes = changesOf(auditedWebhook(before), auditedWebhook({ ...before, ...values }));
        if (Object.keys(changes).length === 0) return before;
        const after = await store.updateWebhook(tx, tenant.orgId, before.id, values, new Date(clock()));
        if (after.isActive && startsAfresh(before, after)) await store.bringWebhookForward(tx, after.id);
        await recordAudit(tx, tenant, { ...audited("update", before.id), changes });
        return after;
      });
      if (webhook.isActive) wake();
      return present(db, webhook);
    },

    /** Stops all sending. A background task then deletes the deliveries, however many there are. Throws 404. */
    async remove(tenant: Tenant, id: string) {
      const { id: _id } = await existing(db, tenant.orgId, id);
      await db.transaction(async (tx) => {
        const row = await store.deleteWebhook(tx, tenant.orgId, _id);
        if (!row) throw notFound("webhook");
        await recordAudit(tx, tenant, { ...audited("delete", _id), changes: changesOf(auditedWebhook(row), {}) });
      });
      return { _id, deleted: true as const };
    },

    /** Creates a new secret. The one it replaces keeps signing for a day. Throws 404. */
    async rotateSecret(tenant: Tenant, id: string): Promise<WebhookWithSecret> {
      await existing(db, tenant.orgId, id);
      const { row, secret } = await db.transaction((tx) => rotated(options, tx, tenant, id));
      return { ...(await present(db, row)), secret };
    },
  };
}

async function existing(db: Db, orgId: OrgId, id: string): Promise<store.WebhookRow> {
  const row = isUuid(id) ? await store.findWebhook(db, orgId, id) : undefined;
  if (!row) throw notFound("webhook");
  return row;
}

async function present(db: Db, row: store.WebhookRow): Promise<Webhook> {
  return presentWebhook(row, (await backlogsOf(db, [row])).get(row.id) ?? NO_BACKLOG);
}

async function presentAll(db: Db, rows: store.WebhookRow[]): Promise<Webhook[]> {
  const backlogs = await backlogsOf(db, rows);
  return rows.map((row) => presentWebhook(row, backlogs.get(row.id) ?? NO_BACKLOG));
}

async function rotated({ clock, seal }: WebhookOptions, tx: Db, tenant: Tenant, id: string) {
  const before = await locked(tx, tenant.orgId, id);
  const [secret, now] = [makeSecret(), clock()];
  const former = closeFormerSecrets(seal, before, { now, until: now + BOTH_SIGN_MS });
  const values = { ...closeWebhookSecret(seal, before.id, secret), ...former };
  const row = await store.updateWebhook(tx, tenant.orgId, before.id, values, new Date(now));
  await recordAudit(tx, tenant, audited("rotate_secret", before.id));
  return { row, secret };
}

async function locked(tx: Db, orgId: OrgId, id: string): Promise<store.WebhookRow> {
  const row = await store.lockWebhook(tx, orgId, id);
  if (!row) throw notFound("webhook");
  return row;
}

/**
 * Returns the fields to clear: failures when the webhook is turned on or its URL changes, the reason for its
 * deactivation when a user turns it on or off.
 */
function fieldsToClear(
  before: store.WebhookRow,
  { isActive, url }: Partial<store.WebhookValues>,
): Partial<store.WebhookValues> {
  const isElsewhere = url !== undefined && url !== before.url;
  const isOff = isActive === false && before.isActive;
  return {
    ...((isActive || isElsewhere) && { failingSince: null }),
    ...((isActive || isOff) && { disabledReason: null }),
  };
}

/** True if the endpoint may work although its last attempts failed: what waits for a retry is then tried at once. */
const startsAfresh = (before: store.WebhookRow, after: store.WebhookRow): boolean =>
  !before.isActive || after.url !== before.url || (before.failingSince !== null && after.failingSince === null);

const audited = (verb: string, resourceId: string) => ({
  action: `webhook.${verb}`,
  resourceType: "webhook",
  resourceId,
});

const tooManyWebhooks = () =>
  conflict(`This organization has reached its limit of ${WEBHOOKS_MAX} webhooks; delete one to create another`);
