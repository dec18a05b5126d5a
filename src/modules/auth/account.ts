/** Checks and audit entries that concern an account as a whole, whichever organizations it belongs to. */
import type { Actor } from "@/core/ids";
import type { SignedIn } from "@/http/access";
import { forbidden } from "@/http/errors";
import { type AuditEntry, recordAudit } from "@/modules/audit-logs/service";
import type { Db } from "@/platform/db/tx";
import { findOrganizationsOf } from "./store";

/**
 * Throws 403 for a session that an organization's identity provider opened. The provider vouches for a member only to
 * its own organization, and whoever runs it must not gain control of the account.
 */
export function requirePasswordSession({ ssoOrgId }: SignedIn): void {
  if (ssoOrgId === null) return;
  throw forbidden("Single sign-on sessions cannot change account security; sign in with your password");
}

/**
 * Records a change of an account in the audit log of every organization its user joined, because the account itself
 * belongs to none. Skips organizations whose identity provider made the user a member: the provider may have vouched
 * for a stranger, and the entry contains the user's address.
 */
export async function auditAccount(
  tx: Db,
  { userId, actor }: { userId: string; actor: Actor },
  entry: Omit<AuditEntry, "resourceType" | "resourceId">,
): Promise<void> {
  for (const orgId of await findOrganizationsOf(tx, userId)) {
    await recordAudit(tx, { orgId, actor }, { ...entry, resourceType: "user", resourceId: userId });
  }
}
