/** Finds what an operator names: an organization by id or slug, an account by its email address. */
import { eq, inArray, or } from "drizzle-orm";
import { isUuid, type OrgId } from "@/core/ids";
import { organizations, users } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";
import { emailSpellings, firstSpelled } from "@/platform/hosts/email-address";

export type FoundOrganization = typeof organizations.$inferSelect & { id: OrgId };

export async function organizationNamed(db: Db, name: string): Promise<FoundOrganization | undefined> {
  const byName = or(eq(organizations.slug, name), isUuid(name) ? eq(organizations.id, name) : undefined);
  const [row] = await db.select().from(organizations).where(byName);
  return row && { ...row, id: row.id as OrgId };
}

export async function findAccount(db: Db, email: string): Promise<typeof users.$inferSelect | undefined> {
  const spellings = emailSpellings(email);
  const rows = await db.select().from(users).where(inArray(users.email, spellings));
  return firstSpelled(rows, spellings, (row) => row.email);
}
