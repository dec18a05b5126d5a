/**
 * Whose an address is, where the service sends mail. An account is asked to prove that its address is its own; until then it
 * may neither invite nor enable two-factor, and it holds the address for `HELD_MS`. From then on whoever registers the
 * address gets it, and whoever reads its mail gets it at any time: by a reset of the password, or by the token of an
 * invitation as it was mailed.
 *
 * Whoever gets an address gets nothing else of the account that had it. That account is dissolved: its sessions, second
 * factor and memberships go with it. Organizations that nobody else belongs to stay as they are, with no member, until the
 * operator gives or deletes them: their links may be in use, and what is in them is not the new holder's to see.
 */
import type { OrgId } from "@/core/ids";
import { DAY_MS } from "@/core/time/time-range";
import { forbidden } from "@/http/errors";
import { recordAudit } from "@/modules/audit-logs/service";
import type { Clock } from "@/platform/clock";
import type { Db } from "@/platform/db/tx";
import * as store from "./address-store";

const HELD_MS = DAY_MS;

type Holder = Pick<store.AddressUser, "addressHeldUntil">;

export interface AddressRules {
  /** For an account that is made now. */
  heldUntil(): Date | null;
  isUnproven(user: Holder): boolean;
  /** Throws 403. */
  checkProven(user: Holder): void;
  /** Does the same for the user with this id. */
  requireProven(db: Db, userId: string | null): Promise<void>;
  /** Whether somebody gets the account's address; `readsMail`: who has shown to. */
  yields(user: Holder, readsMail: boolean): boolean;
  /** Whether it was still to be proven. */
  prove(tx: Db, userId: string): Promise<boolean>;
  /** Whether the account still yielded its address, and is no more. */
  dissolve(tx: Db, userId: string, readsMail: boolean): Promise<boolean>;
}

/** `asksProof`: whether the service sends mail; else nothing is asked of anybody. */
export function createAddressRules({ clock, asksProof }: { clock: Clock; asksProof: boolean }): AddressRules {
  const isUnproven = (user: Holder) => asksProof && user.addressHeldUntil !== null;

  const checkProven = (user: Holder) => {
    if (isUnproven(user)) throw unproven();
  };

  const yields = (user: Holder, readsMail: boolean) =>
    isUnproven(user) && (readsMail || (user.addressHeldUntil?.getTime() ?? 0) <= clock());

  return {
    heldUntil: () => (asksProof ? new Date(clock() + HELD_MS) : null),
    isUnproven,
    checkProven,
    yields,

    async requireProven(db, userId) {
      const user = userId === null ? undefined : await store.findHolder(db, userId);
      if (user) checkProven(user);
    },

    prove: (tx, userId) => store.prove(tx, userId, new Date(clock())),

    async dissolve(tx, userId, readsMail) {
      const user = await store.lockHolder(tx, userId);
      if (!user || !yields(user, readsMail)) return false;
      for (const orgId of await store.findOrganizationsOfAddress(tx, userId)) await auditDissolved(tx, orgId, user);
      await store.deleteUser(tx, userId);
      return true;
    },
  };
}

/** Says nothing of who has the address now: that is another account. */
async function auditDissolved(tx: Db, orgId: OrgId, { id, email }: store.AddressUser): Promise<void> {
  const actor = { type: "system" as const, id: null, email: null, ip: null, userAgent: null };
  const changes = { email: { from: email, to: null } };
  await recordAudit(tx, { orgId, actor }, { action: "user.dissolve", resourceType: "user", resourceId: id, changes });
}

const unproven = () => forbidden("Confirm your email address first: open the link in the mail, or request a new one");
