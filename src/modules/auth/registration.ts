/**
 * Decides who may create an account, by the operator's policy. The first account of a service is always allowed, so
 * that setting up a service needs no other way in. If several requests try to create the first account at the same
 * time, one succeeds and the others are refused once it exists.
 */
import { sql } from "drizzle-orm";
import type { RegistrationPolicy } from "@/core/registration";
import { forbidden } from "@/http/errors";
import { unavailableReasonOf } from "@/platform/db/faults";
import { users } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";

export type RegistrationRules = ReturnType<typeof createRegistrationRules>;

export function createRegistrationRules(policy: RegistrationPolicy) {
  const isAllowed = (isInvited: boolean) => policy === "open" || (policy === "invited" && isInvited);

  return {
    /** To be called before anything costly is done. Throws 403. */
    async check(db: Db, isInvited: boolean): Promise<void> {
      if (!isAllowed(isInvited) && (await hasAccounts(db))) throw refused();
    },

    /** Reports whether to offer a registration; false while Postgres cannot say so. */
    async isOffered(db: Db, isInvited: boolean): Promise<boolean> {
      if (isAllowed(isInvited)) return true;
      try {
        return !(await hasAccounts(db));
      } catch (error) {
        if (unavailableReasonOf(error) === null) throw error;
        return false;
      }
    },

    /** To be called in the transaction that creates the account. Throws 403. */
    async confirm(tx: Db, isInvited: boolean): Promise<void> {
      if (isAllowed(isInvited)) return;
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('waymark first account', 0))`);
      if (await hasAccounts(tx)) throw refused();
    },
  };

  function refused() {
    return forbidden(
      policy === "invited"
        ? "Registration is by invitation only; ask a member of an organization to invite you"
        : "Registration is closed; ask the operator of this service for an account",
    );
  }
}

const hasAccounts = async (db: Db): Promise<boolean> =>
  (await db.select({ id: users.id }).from(users).limit(1)).length > 0;
