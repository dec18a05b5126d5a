/** Organizations: made with the account that owns them, shown to their members. */
import { eq } from "drizzle-orm";
import type { Plan } from "@/config";
import type { Organization } from "@/contract/organizations";
import type { Actor, OrgId } from "@/core/ids";
import { recordAudit } from "@/modules/audit-logs/service";
import { memberships, organizations } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

const SLUG_WORDS_MAX = 40;

export type OrganizationService = ReturnType<typeof createOrganizationService>;

export const createOrganizationService = ({ defaultPlan }: { defaultPlan: Plan }) => ({
  /** A new organization with its owner, in the caller's transaction. */
  async create(tx: Db, name: string, ownerId: string, actor: Actor): Promise<void> {
    const orgId = Bun.randomUUIDv7() as OrgId;
    await tx.insert(organizations).values({
      id: orgId,
      name,
      slug: slugOf(name, orgId),
      plan: defaultPlan,
    });
    await tx.insert(memberships).values({
      id: Bun.randomUUIDv7(),
      orgId,
      userId: ownerId,
      role: "owner",
    });
    const entry = {
      action: "organization.create",
      resourceType: "organization",
      resourceId: orgId,
    };
    await recordAudit(tx, { orgId, actor }, entry);
  },

  /** Those a user is a member of, oldest first. */
  async ofUser(db: Db, userId: string): Promise<Organization[]> {
    const rows = await db
      .select({ organization: organizations })
      .from(memberships)
      .innerJoin(organizations, eq(organizations.id, memberships.orgId))
      .where(eq(memberships.userId, userId))
      .orderBy(organizations.id);
    return rows.map(({ organization }) => present(organization));
  },
});

const present = (row: typeof organizations.$inferSelect): Organization => ({
  _id: row.id,
  name: row.name,
  slug: row.slug,
  branding: row.branding,
});

/** Readable, and unique by the random end of the id. Made once: renaming keeps it. */
function slugOf(name: string, orgId: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words = plain.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  return [words.slice(0, SLUG_WORDS_MAX), orgId.slice(-8)].filter(Boolean).join("-");
}
