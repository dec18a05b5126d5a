import { and, eq } from "drizzle-orm";
import { isUuid, type OrgId, timeOfId } from "@/core/ids";
import { clicks, events, links, organizations } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

export type EventValues = Omit<typeof events.$inferInsert, "orgId">;

/** True also for deleted links: events that result from their visits may come later. */
export async function isLinkOf(db: Db, orgId: OrgId, id: string): Promise<boolean> {
  const own = and(eq(links.orgId, orgId), eq(links.id, id));
  return (await db.select({ id: links.id }).from(links).where(own).limit(1)).length > 0;
}

/**
 * Returns the link of the click that has this id; undefined for any other visitor, and as long as the click is not in
 * Postgres. The id contains the time, by which clicks are stored.
 */
export async function linkOfClick(db: Db, orgId: OrgId, visitorId: string): Promise<string | undefined> {
  const at = isUuid(visitorId) ? timeOfId(visitorId) : undefined;
  if (at === undefined) return undefined;
  const { linkId, occurredAt, id } = clicks;
  const [click] = await db
    .select({ linkId })
    .from(clicks)
    .where(and(eq(clicks.orgId, orgId), eq(occurredAt, new Date(at)), eq(id, visitorId)))
    .limit(1);
  return click?.linkId;
}

/** False once the organization has been deleted. */
export const isOrganization = async (tx: Db, orgId: OrgId): Promise<boolean> =>
  (await tx.select({ id: organizations.id }).from(organizations).where(eq(organizations.id, orgId))).length > 0;

export const insertEvent = (tx: Db, orgId: OrgId, event: EventValues) => tx.insert(events).values({ ...event, orgId });
