/** Stores the webhooks of one organization. */
import { and, count, desc, eq, gt, sql } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import { webhookDeliveries, webhooks } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

export type WebhookRow = typeof webhooks.$inferSelect;
export type WebhookValues = Omit<typeof webhooks.$inferInsert, "id" | "orgId" | "createdAt" | "updatedAt">;

const one = (orgId: OrgId, id: string) => and(eq(webhooks.orgId, orgId), eq(webhooks.id, id));

export async function countWebhooks(db: Db, orgId: OrgId): Promise<number> {
  const [counted] = await db.select({ total: count() }).from(webhooks).where(eq(webhooks.orgId, orgId));
  return counted?.total ?? 0;
}

export async function insertWebhook(tx: Db, orgId: OrgId, webhook: Omit<typeof webhooks.$inferInsert, "orgId">) {
  const [row] = await tx
    .insert(webhooks)
    .values({ ...webhook, orgId })
    .returning();
  if (!row) throw new Error("An inserted webhook was not returned");
  return row;
}

export async function listWebhooks(db: Db, orgId: OrgId, page: number, limit: number) {
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(webhooks)
      .where(eq(webhooks.orgId, orgId))
      .orderBy(desc(webhooks.id))
      .limit(limit)
      .offset((page - 1) * limit),
    countWebhooks(db, orgId),
  ]);
  return { rows, total };
}

export async function findWebhook(db: Db, orgId: OrgId, id: string): Promise<WebhookRow | undefined> {
  return (await db.select().from(webhooks).where(one(orgId, id)).limit(1))[0];
}

/**
 * Like `findWebhook`, but locks the row until the transaction ends. Deliveries can still be inserted for it
 * meanwhile. Whoever locks a webhook and deliveries of it locks the webhook first, or two transactions could wait for
 * each other.
 */
export async function lockWebhook(tx: Db, orgId: OrgId, id: string): Promise<WebhookRow | undefined> {
  return (await tx.select().from(webhooks).where(one(orgId, id)).for("no key update").limit(1))[0];
}

export async function updateWebhook(tx: Db, orgId: OrgId, id: string, values: Partial<WebhookValues>, now: Date) {
  const [row] = await tx
    .update(webhooks)
    .set({ ...values, updatedAt: now })
    .where(one(orgId, id))
    .returning();
  if (!row) throw new Error("A locked webhook could not be updated");
  return row;
}

/** Deletes a webhook and returns it, or undefined if there was none. Its deliveries stay. */
export async function deleteWebhook(tx: Db, orgId: OrgId, id: string): Promise<WebhookRow | undefined> {
  return (await tx.delete(webhooks).where(one(orgId, id)).returning())[0];
}

/** Ends the pause before the next attempt at a failing endpoint, also one that its `Retry-After` asked for. */
export const permitNextTry = (tx: Db, id: string) =>
  tx.update(webhooks).set({ triedAt: null }).where(eq(webhooks.id, id));

/** Makes deliveries that wait for a retry due now. Those that were never tried already are. */
export const bringWebhookForward = (tx: Db, webhookId: string) =>
  tx
    .update(webhookDeliveries)
    .set({ dueAt: sql`statement_timestamp()` })
    .where(
      and(
        eq(webhookDeliveries.webhookId, webhookId),
        eq(webhookDeliveries.status, "pending"),
        gt(webhookDeliveries.dueAt, sql`statement_timestamp()`),
      ),
    );
