/** Creates an account, and an organization for one, where registration is not open. */
import { Value } from "@sinclair/typebox/value";
import { email as emailShape } from "@/contract/accounts/auth";
import { PLANS } from "@/contract/accounts/plans";
import { organizationSlug } from "@/core/names/organization-slug";
import { findUserByEmail } from "@/platform/db/accounts/users";
import { auditLogs, memberships, organizations, users } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";
import { storedEmail } from "@/platform/hosts/email-address";
import { hashPassword } from "@/platform/passwords/passwords";
import { makePassword } from "./make-password";
import { type CommandOutcome, noAccount, noPlan } from "./outcome";

/** Creates an account whose address counts as confirmed, because the operator vouches for it. */
export async function createAccount(db: Db, [typed = "", typedName = ""]: string[]): Promise<CommandOutcome> {
  const [email, name] = [storedEmail(typed), typedName.trim()];
  if (!Value.Check(emailShape, email)) return { ok: false, message: `${typed} is not an email address` };
  if (name === "") return { ok: false, message: "An account needs a name" };
  const exists = { ok: false, message: `An account with the email ${email} already exists` };
  if (await findUserByEmail(db, email)) return exists;
  const password = makePassword();
  const passwordHash = await hashPassword(password, { purpose: "registration", asker: "operator" });
  const made = db.insert(users).values({ id: Bun.randomUUIDv7(), email, name, passwordHash });
  const rows = await made.onConflictDoNothing().returning({ id: users.id });
  if (rows.length === 0) return exists;
  return {
    ok: true,
    message:
      `The password of ${email} is ${password}; it can accept invitations, or give it an organization with ` +
      "create-organization",
  };
}

export async function createOrganization(
  db: Db,
  [typed = "", email = "", wanted = ""]: string[],
): Promise<CommandOutcome> {
  const [name, plan] = [typed.trim(), PLANS.find((each) => each === wanted)];
  if (name === "") return { ok: false, message: "An organization needs a name" };
  if (!plan) return noPlan(wanted);
  return db.transaction(async (tx) => {
    const owner = await findUserByEmail(tx, email);
    if (!owner) return noAccount(email);
    const orgId = Bun.randomUUIDv7();
    const slug = organizationSlug(name, orgId);
    await tx.insert(organizations).values({ id: orgId, name, slug, plan });
    await tx.insert(memberships).values({ id: Bun.randomUUIDv7(), orgId, userId: owner.id, role: "owner" });
    await tx.insert(auditLogs).values({
      id: Bun.randomUUIDv7(),
      orgId,
      action: "organization.create",
      resourceType: "organization",
      resourceId: orgId,
      actorType: "system",
    });
    return { ok: true, message: `${owner.email} now owns ${slug}, on the plan ${plan}` };
  });
}
