import { and, count, eq, isNull } from "drizzle-orm";
import { PLANS } from "@/contract/accounts/plans";
import { plural } from "@/core/plural";
import { auditLogs, links, memberships, organizations } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";
import { organizationNamed } from "./find";
import { type CommandOutcome, noOrganization, noPlan } from "./outcome";

export async function listOrganizations(db: Db): Promise<CommandOutcome> {
  const members = db.$count(memberships, eq(memberships.orgId, organizations.id));
  const liveLinks = db.$count(
    links,
    and(eq(links.orgId, organizations.id), eq(links.kind, "link"), isNull(links.deletedAt)),
  );
  const rows = await db
    .select({ id: organizations.id, slug: organizations.slug, plan: organizations.plan, members, links: liveLinks })
    .from(organizations)
    .orderBy(organizations.id);
  const [total] = await db.select({ total: count() }).from(organizations);
  const lines = rows.map(
    ({ id, slug, plan, members, links }) =>
      `${id}  ${slug}  ${plan}  ${plural(members, "member")}  ${plural(links, "link")}`,
  );
  return { ok: true, message: [...lines, plural(total?.total ?? 0, "organization")].join("\n") };
}

export async function setPlan(db: Db, [name = "", wanted = ""]: string[]): Promise<CommandOutcome> {
  const plan = PLANS.find((each) => each === wanted);
  if (!plan) return noPlan(wanted);
  return db.transaction(async (tx) => {
    const before = await organizationNamed(tx, name);
    if (!before) return noOrganization(name);
    await tx.update(organizations).set({ plan, updatedAt: new Date() }).where(eq(organizations.id, before.id));
    await tx.insert(auditLogs).values({
      id: Bun.randomUUIDv7(),
      orgId: before.id,
      action: "organization.plan",
      resourceType: "organization",
      resourceId: before.id,
      actorType: "system",
      changes: { plan: { from: before.plan, to: plan } },
    });
    return { ok: true, message: `${before.slug} is on the plan ${plan} (was ${before.plan})` };
  });
}
