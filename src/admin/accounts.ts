/** Lists accounts, and lets somebody in again who has lost their password or second factor. */
import { and, desc, eq, isNull, max, sql } from "drizzle-orm";
import { SYSTEM } from "@/core/ids";
import { plural } from "@/core/plural";
import { auditAccount } from "@/modules/auth/account";
import { SESSIONS_KEPT_DAYS } from "@/modules/auth/retention";
import { endAccessTokens } from "@/platform/db/accounts/access-tokens";
import { findUserByEmail } from "@/platform/db/accounts/users";
import { loginChallenges, passwordResets, recoveryCodes, sessions, ssoIdentities, users } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";
import { hashPassword } from "@/platform/passwords/passwords";
import { makePassword } from "./make-password";
import { type CommandOutcome, noAccount } from "./outcome";

/** What is known of earlier sign-ins is deleted with their sessions. */
const NO_SIGN_IN = `no sign-in in the last ${SESSIONS_KEPT_DAYS} days`;

export async function listAccounts(db: Db): Promise<CommandOutcome> {
  const lastSignIn = db
    .select({ userId: sessions.userId, at: max(sessions.createdAt).as("at") })
    .from(sessions)
    .groupBy(sessions.userId)
    .as("last_sign_in");
  const rows = await db
    .select({ user: users, at: lastSignIn.at, isVouchedFor })
    .from(users)
    .leftJoin(lastSignIn, eq(lastSignIn.userId, users.id))
    .orderBy(desc(users.id));
  const lines = rows.map(({ user, at, isVouchedFor }) => {
    const way = user.passwordHash ? "password" : isVouchedFor ? "single sign-on" : "no password";
    const ways = [way, ...(user.twoFactorEnabled ? ["two-factor"] : [])];
    if (user.addressHeldUntil) ways.push("address not confirmed");
    return `${user.id}  ${user.email}  ${ways.join(", ")}  ${at ? `last signed in ${at.toISOString()}` : NO_SIGN_IN}`;
  });
  return { ok: true, message: [...lines, plural(rows.length, "account")].join("\n") };
}

/** Whether an identity provider has signed the user in. Accounts from archives have neither that nor a password. */
const isVouchedFor = sql<boolean>`exists (select 1 from ${ssoIdentities} where ${ssoIdentities.userId} = ${users.id})`;

/** Sets a new password and ends all sessions and access tokens. The second factor stays. */
export async function resetPassword(db: Db, [email = ""]: string[]): Promise<CommandOutcome> {
  const password = makePassword();
  const passwordHash = await hashPassword(password, { purpose: "registration", asker: "operator" });
  return db.transaction(async (tx) => {
    const now = new Date();
    const user = await findUserByEmail(tx, email);
    if (!user) return noAccount(email);
    await tx.update(users).set({ passwordHash, updatedAt: now }).where(eq(users.id, user.id));
    // The old password began any sign-in that waits for its second factor; open links to set a password are void as
    // well.
    await tx.delete(loginChallenges).where(eq(loginChallenges.userId, user.id));
    await tx.delete(passwordResets).where(eq(passwordResets.userId, user.id));
    await endSessions(tx, user.id, now);
    await auditAccount(tx, { userId: user.id, actor: SYSTEM }, { action: "user.password_reset" });
    return {
      ok: true,
      message: `The new password of ${user.email} is ${password}; all sessions and access tokens have ended`,
    };
  });
}

/** Turns two-factor off and deletes its recovery codes; all sessions and access tokens end. The password stays. */
export async function unlock(db: Db, [email = ""]: string[]): Promise<CommandOutcome> {
  return db.transaction(async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (!user) return noAccount(email);
    const now = new Date();
    await tx
      .update(users)
      .set({ twoFactorEnabled: false, totpSecret: null, totpLastStep: null, updatedAt: now })
      .where(eq(users.id, user.id));
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, user.id));
    await endSessions(tx, user.id, now);
    const changes = { twoFactorEnabled: { from: user.twoFactorEnabled, to: false } };
    await auditAccount(tx, { userId: user.id, actor: SYSTEM }, { action: "user.unlock", changes });
    return {
      ok: true,
      message: `Two-factor authentication is now off for ${user.email}; all sessions and access tokens have ended`,
    };
  });
}

async function endSessions(tx: Db, userId: string, now: Date): Promise<void> {
  const areOpen = and(eq(sessions.userId, userId), isNull(sessions.revokedAt));
  await tx.update(sessions).set({ revokedAt: now }).where(areOpen);
  await endAccessTokens(tx, userId, now);
}
