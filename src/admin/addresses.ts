/** Confirms an address whose mail has not arrived, and gives an organization an owner when it has none. */
import { and, eq } from "drizzle-orm";
import { auditLogs, memberships, users } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";
import { findAccount, organizationNamed } from "./find";
import type { CommandOutcome } from "./outcome";

export async function verifyEmail(db: Db, [email = ""]: string[]): Promise<CommandOutcome> {
  const proven = db.update(users).set({ addressHeldUntil: null, updatedAt: new Date() });
  const [user] = await proven.where(eq(users.email, email.toLowerCase())).returning();
  if (!user) return { ok: false, message: `No account has the email ${email}` };
  return { ok: true, message: `The address ${user.email} is now confirmed` };
}

/** Makes the account an owner, whatever its role was before. */
export async function addOwner(db: Db, [name = "", email = ""]: string[]): Promise<CommandOutcome> {
  return db.transaction(async (tx) => {
    const organization = await organizationNamed(tx, name);
    if (!organization) return { ok: false, message: `There is no organization ${name}` };
    const user = await findAccount(tx, email);
    if (!user) return { ok: false, message: `No account has the email ${email}` };
    const { id: orgId, slug } = organization;
    const own = and(eq(memberships.orgId, orgId), eq(memberships.userId, user.id));
    const [before] = await tx.select({ role: memberships.role }).from(memberships).where(own);
    const [membership] = await tx
      .insert(memberships)
      .values({ id: Bun.randomUUIDv7(), orgId, userId: user.id, role: "owner" })
      .onConflictDoUpdate({
        target: [memberships.orgId, memberships.userId],
        set: { role: "owner", updatedAt: new Date() },
      })
      .returning({ id: memberships.id });
    await tx.insert(auditLogs).values({
      id: Bun.randomUUIDv7(),
      orgId,
      action: "member.role",
      resourceType: "member",
      resourceId: membership?.id ?? "",
      actorType: "system",
      changes: { email: { from: null, to: user.email }, role: { from: before?.role ?? null, to: "owner" } },
    });
    return { ok: true, message: `${user.email} is now an owner of ${slug}` };
  });
}
