/** Deliveries of one organization's webhooks, as its admins see them. */
import { and, desc, eq, getTableColumns, sql } from "drizzle-orm";
import { DELIVERIES_COUNTED_MAX, type DeliveryStatus } from "@/contract/webhooks";
import type { OrgId } from "@/core/ids";
import { webhookDeliveries } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;
/** Bodies may be large, and are sent rather than shown. */
export type ListedDelivery = Omit<DeliveryRow, "body">;

const { body: _, ...listed } = getTableColumns(webhookDeliveries);

const ofWebhook = (orgId: OrgId, webhookId: string, status?: DeliveryStatus) =>
  and(
    eq(webhookDeliveries.orgId, orgId),
    eq(webhookDeliveries.webhookId, webhookId),
    status && eq(webhookDeliveries.status, status),
  );

export interface DeliveryFilter {
  webhookId: string;
  status?: DeliveryStatus;
}

/** Counted up to a bound, since an endpoint of clicks may have millions. */
export async function listDeliveries(
  db: Db,
  orgId: OrgId,
  { webhookId, status }: DeliveryFilter,
  page: number,
  limit: number,
) {
  const where = ofWebhook(orgId, webhookId, status);
  const counted = db.select({ id: webhookDeliveries.id }).from(webhookDeliveries).where(where);
  const [rows, total] = await Promise.all([
    db
      .select(listed)
      .from(webhookDeliveries)
      .where(where)
      .orderBy(desc(webhookDeliveries.id))
      .limit(limit)
      .offset((page - 1) * limit),
    db.$count(counted.limit(DELIVERIES_COUNTED_MAX).as("counted")),
  ]);
  return { rows, total };
}

export async function lockDelivery(
  tx: Db,
  orgId: OrgId,
  webhookId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  const where = and(ofWebhook(orgId, webhookId), eq(webhookDeliveries.id, id));
  return (await tx.select().from(webhookDeliveries).where(where).for("no key update").limit(1))[0];
}

/** Due at once, from its first try on. */
export async function insertAgain(
  tx: Db,
  { orgId, webhookId, event, messages, messageId, body }: DeliveryRow,
): Promise<ListedDelivery> {
  const again = { orgId, webhookId, event, messages, messageId, body, id: Bun.randomUUIDv7() };
  const [row] = await tx
    .insert(webhookDeliveries)
    .values({ ...again, dueAt: sql`clock_timestamp()` })
    .returning();
  if (!row) throw new Error("An inserted delivery was not returned");
  return row;
}

export async function bringForward(tx: Db, { id }: DeliveryRow): Promise<ListedDelivery> {
  const [row] = await tx
    .update(webhookDeliveries)
    .set({ dueAt: sql`clock_timestamp()` })
    .where(eq(webhookDeliveries.id, id))
    .returning();
  if (!row) throw new Error("A locked delivery could not be updated");
  return row;
}
