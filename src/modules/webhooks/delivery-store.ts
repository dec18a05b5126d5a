/** Stores the deliveries of one organization's webhooks, as its admins see them. */
import { and, desc, eq, getTableColumns, inArray, sql } from "drizzle-orm";
import type { DeliveryStatus } from "@/contract/webhooks";
import type { OrgId } from "@/core/ids";
import type { Drizzle } from "@/platform/db/client";
import { type Paging, readPage } from "@/platform/db/read-page";
import { webhookDeliveries } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;
/** Without the body: bodies may be large, so only a single delivery is returned with its body. */
export type ListedDelivery = Omit<DeliveryRow, "body">;

const { body: _, ...listed } = getTableColumns(webhookDeliveries);

const ofWebhook = (orgId: OrgId, webhookId: string) =>
  and(eq(webhookDeliveries.orgId, orgId), eq(webhookDeliveries.webhookId, webhookId));

export interface DeliveryFilter {
  webhookId: string;
  status?: DeliveryStatus;
}

/**
 * Selects the ids first, by webhook only, because the indexes start with the webhook. The organization is checked on
 * the rows of the page.
 */
export function listDeliveries(db: Drizzle, orgId: OrgId, { webhookId, status }: DeliveryFilter, paging: Paging) {
  const { id } = webhookDeliveries;
  const where = and(eq(webhookDeliveries.webhookId, webhookId), status && eq(webhookDeliveries.status, status));
  const ids = db.select({ id }).from(webhookDeliveries).where(where).orderBy(desc(id));
  return readPage(db, paging, {
    rows: (limit, offset): Promise<ListedDelivery[]> =>
      db
        .select(listed)
        .from(webhookDeliveries)
        .where(and(ofWebhook(orgId, webhookId), inArray(id, ids.limit(limit).offset(offset))))
        .orderBy(desc(id)),
    among: sql`from ${webhookDeliveries} where ${where}`,
  });
}

export async function findDelivery(
  db: Db,
  orgId: OrgId,
  webhookId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  const where = and(ofWebhook(orgId, webhookId), eq(webhookDeliveries.id, id));
  return (await db.select().from(webhookDeliveries).where(where).limit(1))[0];
}

/** Like `findDelivery`, but locks the row until the transaction ends. */
export async function lockDelivery(
  tx: Db,
  orgId: OrgId,
  webhookId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  const where = and(ofWebhook(orgId, webhookId), eq(webhookDeliveries.id, id));
  return (await tx.select().from(webhookDeliveries).where(where).for("no key update").limit(1))[0];
}

/** Inserts a delivery that is due immediately, starting with its first attempt. */
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

/** Makes a delivery due now, with this message. */
export async function makeDueNow(
  tx: Db,
  { id, event, messages, messageId, body }: DeliveryRow,
): Promise<ListedDelivery> {
  const [row] = await tx
    .update(webhookDeliveries)
    .set({ event, messages, messageId, body, dueAt: sql`clock_timestamp()` })
    .where(eq(webhookDeliveries.id, id))
    .returning();
  if (!row) throw new Error("A locked delivery could not be updated");
  return row;
}
