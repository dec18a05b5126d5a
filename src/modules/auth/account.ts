/** What concerns an account as a whole, whatever organizations it belongs to. */
import type { Actor } from "@/core/ids";
import type { SignedIn } from "@/http/access";
import { forbidden } from "@/http/errors";
import { type AuditEntry, recordAudit } from "@/modules/audit-logs/service";
import type { Db } from "@/platform/db/tx";
import { findOrganizationsOf } from "./store";

/**
 * Throws 403 for a session that an organization's identity provider opened: it vouches for a member to its own
 * organization, and whoever runs it must not reach into the account.
 */
export function requireOwnSession({ ssoOrgId }: SignedIn): void {
  if (ssoOrgId === null) return;
  throw forbidden("Single sign-on sessions cannot change account security; sign in with your password");
}

/**
 * An account belongs to no organization: each one that its user joined is told of the change. Not those whose identity
 * provider made its user a member: it may have vouched for any stranger, whose address is in the entry.
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
