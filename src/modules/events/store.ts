import { and, eq } from "drizzle-orm";
import type { OrgId } from "@/core/ids";
import { events, links, organizations } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

export type EventValues = Omit<typeof events.$inferInsert, "orgId">;

/** True also for deleted links: events that result from their visits may come later. */
export async function isLinkOf(db: Db, orgId: OrgId, id: string): Promise<boolean> {
  const own = and(eq(links.orgId, orgId), eq(links.id, id));
  return (await db.select({ id: links.id }).from(links).where(own).limit(1)).length > 0;
}

/** False once the organization has been deleted. */
export const isOrganization = async (tx: Db, orgId: OrgId): Promise<boolean> =>
  (await tx.select({ id: organizations.id }).from(organizations).where(eq(organizations.id, orgId))).length > 0;

export const insertEvent = (tx: Db, orgId: OrgId, event: EventValues) => tx.insert(events).values({ ...event, orgId });
