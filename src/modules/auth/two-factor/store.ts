/**
 * Stores the two-factor state of an account: none → set up (a seed) → enabled → none. Each step is one statement that
 * requires the state it starts from, so that of several concurrent ones only one succeeds.
 */
import { and, eq, isNull, lt, or } from "drizzle-orm";
import type { UserRow } from "@/platform/db/accounts/users";
import { keepLockOrder } from "@/platform/db/locks";
import { users } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

/**
 * Locks the user, before any code is used up. A password reset locks the user first as well, so the two cannot
 * deadlock.
 */
export async function lockUserForCode(tx: Db, id: string): Promise<void> {
  keepLockOrder(tx, "user");
  await tx.select({ id: users.id }).from(users).where(eq(users.id, id)).for("no key update");
}

/** Replaces the seed of a user whose two-factor is not enabled. Returns whether it did. */
export const putSeed = (db: Db, userId: string, totpSecret: Uint8Array, now: Date): Promise<boolean> =>
  change(db, userId, false, { totpSecret, totpLastStep: null, updatedAt: now });

/** Enables two-factor if the seed is still the one in this row. */
export const enable = (tx: Db, { id, totpSecret }: UserRow, step: number, now: Date): Promise<boolean> =>
  change(tx, id, false, { twoFactorEnabled: true, totpLastStep: step, updatedAt: now }, totpSecret);

export const disable = (tx: Db, { id, totpSecret }: UserRow, now: Date): Promise<boolean> =>
  change(tx, id, true, { twoFactorEnabled: false, totpSecret: null, totpLastStep: null, updatedAt: now }, totpSecret);

/** Uses up the codes of this step and of all earlier ones. Returns whether the step was unused. */
export async function takeStep(tx: Db, { id, totpSecret }: UserRow, step: number): Promise<boolean> {
  const isUnused = or(isNull(users.totpLastStep), lt(users.totpLastStep, step));
  const rows = await tx
    .update(users)
    .set({ totpLastStep: step })
    .where(and(isInState(id, true, totpSecret), isUnused))
    .returning({ id: users.id });
  return rows.length > 0;
}

type Values = Partial<Pick<UserRow, "twoFactorEnabled" | "totpSecret" | "totpLastStep" | "updatedAt">>;

async function change(tx: Db, id: string, isEnabled: boolean, values: Values, seed?: Uint8Array | null) {
  const rows = await tx
    .update(users)
    .set(values)
    .where(isInState(id, isEnabled, seed))
    .returning({ id: users.id });
  return rows.length > 0;
}

const isInState = (id: string, isEnabled: boolean, seed?: Uint8Array | null) =>
  and(eq(users.id, id), eq(users.twoFactorEnabled, isEnabled), seed ? eq(users.totpSecret, seed) : undefined);
