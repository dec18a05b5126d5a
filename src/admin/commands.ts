/** The operator's commands, by name. Each says what it did, or why it could not, in a sentence. */
import { and, count, eq, isNull } from "drizzle-orm";
import { PLANS } from "@/contract/accounts/plans";
import type { Database } from "@/platform/db/client";
import { auditLogs, links, memberships, organizations } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";
import { listAccounts, resetPassword, unlock } from "./accounts";
import { addOwner, verifyEmail } from "./addresses";
import { createAccount, createOrganization } from "./create";
import { deleteOrganization } from "./delete-organization";
import { eraseVisitor } from "./erase-visitor";
import { exportOrganization } from "./export-organization";
import { organizationNamed } from "./find";
import type { CommandOutcome } from "./outcome";
import { storeColumns } from "./store-columns";
import { verifyRollups } from "./verify-rollups";

interface Command {
  parameters: string[];
  /** Besides them, in any order; the command checks them itself. */
  options?: string;
  does: string;
  run(db: Db, values: string[], database: Pick<Database, "db" | "sql">): Promise<CommandOutcome>;
}

export const commands: Record<string, Command> = {
  organizations: { parameters: [], does: "lists organizations with plan, members and links", run: listOrganizations },
  "create-account": {
    parameters: ["email", "name"],
    does: "with a password that is shown once; for where registration is not open",
    run: createAccount,
  },
  "create-organization": {
    parameters: ["name", "email", "plan"],
    does: "creates an organization owned by the account with this email",
    run: createOrganization,
  },
  plan: {
    parameters: ["organization", "plan"],
    does: `sets the plan to ${PLANS.join(", ")}; takes an id or slug`,
    run: setPlan,
  },
  "reset-password": {
    parameters: ["email"],
    does: "sets a new password and shows it once; ends all sessions",
    run: resetPassword,
  },
  accounts: { parameters: [], does: "lists accounts with their sign-in methods and last sign-in", run: listAccounts },
  "verify-email": { parameters: ["email"], does: "confirms an account's email address", run: verifyEmail },
  "add-owner": {
    parameters: ["organization", "email"],
    does: "adds an owner to an organization",
    run: addOwner,
  },
  unlock: {
    parameters: ["email"],
    does: "turns two-factor off for someone who lost it; ends all sessions",
    run: unlock,
  },
  export: {
    parameters: ["organization"],
    does: "writes all its data except secrets as JSON lines to standard output",
    run: (_, [name = ""], database) => exportOrganization(database, name),
  },
  delete: {
    parameters: ["organization", "slug"],
    does: "permanently deletes an organization with all its data; repeat the slug to confirm",
    run: (_, values, database) => deleteOrganization(database, values),
  },
  erase: {
    parameters: ["organization", "visitor"],
    does: "erases a visitor's data, by visitorId or email; figures stay",
    run: (_, values, database) => eraseVisitor(database, values),
  },
  "verify-rollups": {
    parameters: [],
    options: "[--from <day>] [--to <day>] [--org <organization>] [--mend]",
    does: "compares all figures with the raw clicks, opens and events; --mend corrects them",
    run: (_, values, database) => verifyRollups(database, values),
  },
  "store-columns": {
    parameters: [],
    options: "[--org <organization>]",
    does: "stores past days of clicks in columns now, which filters read, instead of when their time comes",
    run: (_, values, database) => storeColumns(database, values),
  },
};

async function listOrganizations(db: Db): Promise<CommandOutcome> {
  const members = db.$count(memberships, eq(memberships.orgId, organizations.id));
  const liveLinks = db.$count(
    links,
    and(eq(links.orgId, organizations.id), eq(links.kind, "link"), isNull(links.deletedAt)),
  );
  const rows = await db
    .select({ id: organizations.id, slug: organizations.slug, plan: organizations.plan, members, links: liveLinks })
    .from(organizations)
    .orderBy(organizations.id);
  const [total] = await db.select({ total: count() }).from(organizations);
  const lines = rows.map((row) => `${row.id}  ${row.slug}  ${row.plan}  ${row.members} members  ${row.links} links`);
  return { ok: true, message: [...lines, `${total?.total ?? 0} organizations`].join("\n") };
}

async function setPlan(db: Db, [name = "", wanted = ""]: string[]): Promise<CommandOutcome> {
  const plan = PLANS.find((each) => each === wanted);
  if (!plan) return { ok: false, message: `There is no plan ${wanted}: choose one of ${PLANS.join(", ")}` };
  return db.transaction(async (tx) => {
    const before = await organizationNamed(tx, name);
    if (!before) return { ok: false, message: `There is no organization ${name}` };
    await tx.update(organizations).set({ plan, updatedAt: new Date() }).where(eq(organizations.id, before.id));
    await tx.insert(auditLogs).values({
      id: Bun.randomUUIDv7(),
      orgId: before.id,
      action: "organization.plan",
      resourceType: "organization",
      resourceId: before.id,
      actorType: "system",
      changes: { plan: { from: before.plan, to: plan } },
    });
    return { ok: true, message: `${before.slug} is on the plan ${plan} (was ${before.plan})` };
  });
}
