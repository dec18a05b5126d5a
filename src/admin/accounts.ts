/** Accounts: who there is, and letting somebody in again who has lost the second factor. */
import { and, desc, eq, isNull, max } from "drizzle-orm";
import { auditLogs, memberships, organizations, recoveryCodes, sessions, users } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";
import { findAccount } from "./find";
import type { Outcome } from "./outcome";

export async function listAccounts(db: Db): Promise<Outcome> {
  const lastSignIn = db
    .select({ userId: sessions.userId, at: max(sessions.createdAt).as("at") })
    .from(sessions)
    .groupBy(sessions.userId)
    .as("last_sign_in");
  const rows = await db
    .select({ user: users, at: lastSignIn.at })
    .from(users)
    .leftJoin(lastSignIn, eq(lastSignIn.userId, users.id))
    .orderBy(desc(users.id));
  const lines = rows.map(({ user, at }) => {
    const ways = [user.passwordHash ? "password" : "single sign-on", ...(user.twoFactorEnabled ? ["two-factor"] : [])];
    return `${user.id}  ${user.email}  ${ways.join(", ")}  last signed in ${at ? at.toISOString() : "never"}`;
  });
  return { ok: true, message: [...lines, `${rows.length} accounts`].join("\n") };
}

/** Two-factor goes off, with its codes; all sessions end. The password stays. */
export async function unlock(db: Db, [email = ""]: string[]): Promise<Outcome> {
  return db.transaction(async (tx) => {
    const user = await findAccount(tx, email);
    if (!user) return { ok: false, message: `There is no account with the email ${email}` };
    const now = new Date();
    await tx
      .update(users)
      .set({ twoFactorEnabled: false, totpSecret: null, totpLastStep: null, updatedAt: now })
      .where(eq(users.id, user.id));
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, user.id));
    await tx
      .update(sessions)
      .set({ revokedAt: now })
      .where(and(eq(sessions.userId, user.id), isNull(sessions.revokedAt)));
    await tellOrganizations(tx, user.id, { twoFactorEnabled: { from: user.twoFactorEnabled, to: false } });
    return { ok: true, message: `${user.email} signs in by password alone now; all sessions have ended` };
  });
}

/** An account belongs to no organization: each it is a member of is told. */
async function tellOrganizations(tx: Db, userId: string, changes: Record<string, unknown>): Promise<void> {
  const rows = await tx
    .select({ orgId: organizations.id })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.orgId))
    .where(eq(memberships.userId, userId));
  for (const { orgId } of rows) {
    await tx.insert(auditLogs).values({
      id: Bun.randomUUIDv7(),
      orgId,
      action: "user.unlock",
      resourceType: "user",
      resourceId: userId,
      actorType: "system",
      changes,
    });
  }
}
