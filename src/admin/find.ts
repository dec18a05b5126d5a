/** Finds the organization that an operator names, by id or slug. */
import { eq, or } from "drizzle-orm";
import { isUuid, type OrgId } from "@/core/ids";
import { organizations } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

export type FoundOrganization = typeof organizations.$inferSelect & { id: OrgId };

export async function organizationNamed(db: Db, name: string): Promise<FoundOrganization | undefined> {
  const byName = or(eq(organizations.slug, name), isUuid(name) ? eq(organizations.id, name) : undefined);
  const [row] = await db.select().from(organizations).where(byName);
  return row && { ...row, id: row.id as OrgId };
}
