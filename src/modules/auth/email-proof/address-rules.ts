/**
 * Decides which account an email address belongs to, if the service sends mail. A new account is asked to prove that
 * its address is its own; until then it may neither invite members nor enable two-factor, and it holds the address
 * for `HELD_MS`. After that anyone who registers the address gets it. Someone who reads its mail gets it at any time:
 * by a password reset, or with an invitation token in the form that was mailed.
 *
 * The new holder gets nothing else of the account that had the address. That account is dissolved: its sessions,
 * second factor, memberships and invitations are deleted. Organizations that nobody else belongs to stay unchanged, without a
 * member, until the operator assigns or deletes them: their links may be in use, and the new holder must not see what
 * is in them.
 */
import { changesOf } from "@/core/changes";
import { type OrgId, SYSTEM } from "@/core/ids";
import { DAY_MS } from "@/core/time/time-range";
import { forbidden } from "@/http/errors";
import { recordAudit } from "@/modules/audit-logs/service";
import type { Clock } from "@/platform/clock";
import { findUser, type UserRow } from "@/platform/db/accounts/users";
import type { Db } from "@/platform/db/tx";
import * as store from "./address-store";

const HELD_MS = DAY_MS;

type Holder = Pick<UserRow, "addressHeldUntil">;

export interface AddressRules {
  /** Returns until when an account created now holds its address; null if it need not prove it. */
  heldUntil(): Date | null;
  isUnproven(user: Holder): boolean;
  /** Throws 403 if the address is unproven. */
  checkProven(user: Holder): void;
  /** Does the same for the user with this id; passes if there is none. */
  requireProven(db: Db, userId: string | null): Promise<void>;
  /**
   * Reports whether the account gives up its address to somebody else. `readsMail`: that person has shown that they
   * read the address's mail.
   */
  canBeTakenOver(user: Holder, readsMail: boolean): boolean;
  /** Marks the address as proven. Returns whether it was unproven until now. */
  markProven(tx: Db, userId: string): Promise<boolean>;
  /** Deletes the account if it still gives up its address. Returns whether it did. */
  deleteUnprovenAccount(tx: Db, userId: string, readsMail: boolean): Promise<boolean>;
}

/** `asksProof`: whether the service sends mail; if not, nobody has to prove an address. */
export function createAddressRules({ clock, asksProof }: { clock: Clock; asksProof: boolean }): AddressRules {
  const isUnproven = (user: Holder) => asksProof && user.addressHeldUntil !== null;

  const checkProven = (user: Holder) => {
    if (isUnproven(user)) throw unproven();
  };

  const canBeTakenOver = (user: Holder, readsMail: boolean) =>
    isUnproven(user) && (readsMail || (user.addressHeldUntil?.getTime() ?? 0) <= clock());

  return {
    heldUntil: () => (asksProof ? new Date(clock() + HELD_MS) : null),
    isUnproven,
    checkProven,
    canBeTakenOver,

    async requireProven(db, userId) {
      const user = userId === null ? undefined : await findUser(db, userId);
      if (user) checkProven(user);
    },

    markProven: (tx, userId) => store.markProven(tx, userId, new Date(clock())),

    async deleteUnprovenAccount(tx, userId, readsMail) {
      const user = await store.lockHolder(tx, userId);
      if (!user || !canBeTakenOver(user, readsMail)) return false;
      for (const orgId of await store.findOrganizationsOfAddress(tx, userId)) {
        await auditDissolved(tx, orgId, user);
        await withdrawInvitations(tx, orgId, user);
      }
      await store.deleteUser(tx, userId);
      return true;
    },
  };
}

/** Records nothing about who has the address now: that is another account. */
async function auditDissolved(tx: Db, orgId: OrgId, { id, email }: UserRow): Promise<void> {
  const changes = { email: { from: email, to: null } };
  const entry = { action: "user.dissolve", resourceType: "user", resourceId: id, changes };
  await recordAudit(tx, { orgId, actor: SYSTEM }, entry);
}

/** Nobody stands for them any more: they could not be accepted, but would count as members. */
async function withdrawInvitations(tx: Db, orgId: OrgId, { id }: UserRow): Promise<void> {
  for (const { id: resourceId, invitedEmail, role, inviteExpiresAt } of await store.deleteInvitations(tx, orgId, id)) {
    const changes = changesOf({ email: invitedEmail, role, status: "invited", inviteExpiresAt }, {});
    const entry = { action: "member.remove", resourceType: "member", resourceId, changes };
    await recordAudit(tx, { orgId, actor: SYSTEM }, entry);
  }
}

const unproven = () => forbidden("Confirm your email address first: open the link in the mail, or request a new one");
