/** Operator commands on accounts and organizations, against a running service. */
import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { contentOf } from "@test/support/accounts/archives";
import { operatorParts } from "@test/support/accounts/operator";
import { addDomain, addMember, addSuspect, tableState } from "@test/support/accounts/tenants";
import { addLead } from "@test/support/leads";
import { scrape } from "@test/support/scrape";
import { makeFolderOfFile } from "@test/support/servers/folder-of-file";
import { startTestService } from "@test/support/service";
import { eventually, until } from "@test/support/until";
import { commands } from "@/admin/commands";
import { exportOrganization } from "@/admin/export-organization";
import type { AuditLog } from "@/contract/accounts/audit-logs";
import { organizationTables } from "@/platform/archive/organization-tables";
import { openDatabase } from "@/platform/db/client";

const service = await startTestService();
const { call, sql } = service;
const database = openDatabase(service.databaseUrl, { pool: "tool" });
afterAll(() => database.close());

const run = async (name: string, ...values: string[]) => {
  const command = commands[name];
  if (!command) throw new Error(`There is no command ${name}`);
  return command.run(database.db, values, database, operatorParts(service));
};

/** Creates an organization with a record of every kind. */
async function organization(name: string) {
  const account = await service.register();
  const { token, orgId } = account;
  const domainId = await addDomain(service, orgId, { hostname: `go.${name}.test` });
  const link = await service.createLink(account, {
    defaultUrl: `https://${name}.example.com/`,
    password: "open sesame",
  });
  const onDomain = await service.createLink(account, { defaultUrl: "https://example.com/", slug: name, domainId });
  const apiKey = await service.createApiKey(account, ["events:write", "links:write"]);
  await call("POST", "/api/v1/events", { apiKey, body: { name: "purchase" }, headers: { "idempotency-key": name } });
  await call("POST", `/api/v1/organizations/${orgId}/analytics/reports`, { token, body: { name: "Weekly" } });
  await addSuspect(service, orgId, link._id);
  await addLead(service, orgId, link._id);
  const member = await addMember(service, orgId, "member");
  const [row] = await sql`select slug from organizations where id = ${orgId}`;
  const slug: string = row?.slug;
  return { ...account, slug, link, onDomain, apiKey, member };
}

describe("where registration is not open", () => {
  test("an account is created with a password that is shown once, and gets an organization", async () => {
    const email = `new-${crypto.randomUUID()}@example.com`;
    const made = await run("create-account", email.toUpperCase(), " Ada ");
    const [, password = ""] = /password of \S+ is (\S+);/.exec(made.message) ?? [];
    expect(await run("create-organization", "Großes Büro", email, "pro")).toMatchObject({ ok: true });
    const login = await call("POST", "/api/v1/auth/login", { body: { email, password } });
    expect(login.body).toMatchObject({
      user: { email, name: "Ada" },
      organizations: [{ name: "Großes Büro", slug: expect.stringMatching(/^gro-es-buro-[0-9a-f]{8}$/) }],
    });
  });

  test("no second account is created for an address that an earlier version stored in another spelling", async () => {
    const { email } = await service.register();
    const local = email.slice(0, email.indexOf("@"));
    await sql`update users set email = ${`${local}@xn--bcher-kva.test`} where email = ${email}`;
    expect(await run("create-account", `${local}@Bücher.test`, "Ada")).toEqual({
      ok: false,
      message: `An account with the email ${local}@bücher.test already exists`,
    });
  });

  test("an account that exists or is invalid is refused with one sentence", async () => {
    const { email } = await service.register();
    expect(await run("create-account", email, "Ada")).toMatchObject({ ok: false });
    expect(await run("create-account", "no address", "Ada")).toEqual({
      ok: false,
      message: "no address is not an email address",
    });
    expect(await run("create-account", "new@example.com", " ")).toMatchObject({ ok: false });
    expect(await run("create-organization", "Acme", "nobody@example.com", "pro")).toMatchObject({ ok: false });
    expect(await run("create-organization", "Acme", email, "golden")).toMatchObject({ ok: false });
    expect(await run("create-organization", " ", email, "pro")).toMatchObject({ ok: false });
  });
});

/** Makes the account a member as single sign-on does: the identity has the id of the membership. */
async function vouchFor(orgId: string, email: string, role = "member"): Promise<void> {
  const id = Bun.randomUUIDv7();
  await sql`insert into memberships (id, org_id, user_id, role) select ${id}, ${orgId}, id, ${role} from users where email = ${email}`;
  await sql`insert into sso_identities (id, org_id, issuer, subject, email, name, user_id)
    select ${id}, ${orgId}, 'https://login.example.com', ${email}, ${email}, 'Vouched for', id from users where email = ${email}`;
}

describe("accounts", () => {
  test("are listed with how they sign in", async () => {
    const account = await service.register();
    const { ok, message } = await run("accounts");
    expect(ok).toBe(true);
    expect(message).toContain(`${account.email}  password  last signed in 20`);
  });

  test("whose sessions have been deleted are not said never to have signed in", async () => {
    const { email } = await service.register();
    await sql`delete from sessions where user_id = (select id from users where email = ${email})`;
    expect((await run("accounts")).message).toContain(`${email}  password  no sign-in in the last 30 days`);
  });

  test("without a password are listed as such, unless an identity provider signs them in", async () => {
    const [restored, vouched, { orgId }] = [
      await service.register(),
      await service.register(),
      await service.register(),
    ];
    for (const { email } of [restored, vouched])
      await sql`update users set password_hash = null where email = ${email}`;
    await vouchFor(orgId, vouched.email);
    const { message } = await run("accounts");
    expect(message).toContain(`${restored.email}  no password  last`);
    expect(message).toContain(`${vouched.email}  single sign-on  last`);
  });

  test("that lost their second factor are unlocked for sign-in by password, and lose all sessions", async () => {
    const account = await service.register();
    await sql`update users set two_factor_enabled = true, totp_secret = 'x' where email = ${account.email}`;
    expect(await run("unlock", account.email.toUpperCase())).toMatchObject({ ok: true });
    expect((await call("GET", "/api/v1/auth/me", { token: account.token })).status).toBe(401);
    const { email, password } = account;
    const login = await call("POST", "/api/v1/auth/login", { body: { email, password } });
    expect(login.body).toMatchObject({ user: { twoFactorEnabled: false } });
    const [entry] = await sql`select actor_type, changes from audit_logs where action = 'user.unlock'`;
    expect(entry).toMatchObject({ actor_type: "system", changes: { twoFactorEnabled: { from: true, to: false } } });
    expect(await run("unlock", "nobody@example.com")).toMatchObject({ ok: false });
  });

  test("that get a new password lose all sessions, and the audit log of each of their organizations says so", async () => {
    const { orgId } = await service.register();
    const member = await addMember(service, orgId, "viewer");
    const { ok, message } = await run("reset-password", member.email.toUpperCase());
    expect(ok).toBe(true);
    expect((await call("GET", "/api/v1/auth/me", { token: member.token })).status).toBe(401);
    const [, password = ""] = / is (\S+);/.exec(message) ?? [];
    expect((await call("POST", "/api/v1/auth/login", { body: { email: member.email, password } })).status).toBe(200);
    const entries = await sql`select a.org_id, a.actor_type, a.changes from audit_logs a
      join users u on u.id::text = a.resource_id where a.action = 'user.password_reset' and u.email = ${member.email}`;
    expect(entries).toHaveLength(2);
    expect(entries.map(({ org_id }) => org_id)).toContain(orgId);
    expect(entries[0]).toMatchObject({ actor_type: "system", changes: {} });
    expect(await run("reset-password", "nobody@example.com")).toMatchObject({ ok: false });
  });
});

test("a change of an account is logged only in organizations that the user has joined", async () => {
  const [account, stranger] = [await service.register(), await service.register()];
  await vouchFor(stranger.orgId, account.email);
  for (const command of ["reset-password", "unlock"])
    expect(await run(command, account.email)).toMatchObject({ ok: true });
  const told = await sql`select a.org_id, a.action from audit_logs a join users u on u.id::text = a.resource_id
    where u.email = ${account.email} order by a.id`;
  expect([...told]).toEqual([
    { org_id: account.orgId, action: "user.password_reset" },
    { org_id: account.orgId, action: "user.unlock" },
  ]);
});

describe("addresses", () => {
  test("that are unconfirmed are listed as such until the operator confirms one", async () => {
    const { email } = await service.register();
    await sql`update users set address_held_until = now() where email = ${email}`;
    expect((await run("accounts")).message).toContain(`${email}  password, address not confirmed  last`);
    expect(await run("verify-email", email.toUpperCase())).toMatchObject({ ok: true });
    expect((await run("accounts")).message).toContain(`${email}  password  last`);
    expect(await run("verify-email", "nobody@example.com")).toMatchObject({ ok: false });
  });

  test("that the operator confirms are in the audit log, once", async () => {
    const { orgId, token, email } = await service.register();
    await sql`update users set address_held_until = now() where email = ${email}`;
    for (let times = 0; times < 2; times++) expect(await run("verify-email", email)).toMatchObject({ ok: true });
    const path = `/api/v1/organizations/${orgId}/audit-logs?action=user.email_verify`;
    const { auditLogs } = (await call<{ auditLogs: AuditLog[] }>("GET", path, { token })).body;
    expect(auditLogs).toMatchObject([{ resourceType: "user", actor: { type: "system", _id: null, email: null } }]);
  });

  test("an organization without members is given to an account, and a member becomes its owner", async () => {
    const [{ orgId }, heir] = [await service.register(), await service.register()];
    const viewer = await addMember(service, orgId, "viewer");
    await sql`delete from memberships where org_id = ${orgId} and role = 'owner'`;
    for (const { email } of [heir, viewer]) expect(await run("add-owner", orgId, email)).toMatchObject({ ok: true });
    const path = `/api/v1/organizations/${orgId}/sso`;
    for (const { token } of [heir, viewer]) expect((await call("GET", path, { token })).status).toBe(200);
    const entries = await sql`select actor_type, changes->'role' as role from audit_logs
      where org_id = ${orgId} and action = 'member.role' order by id`;
    expect([...entries]).toEqual([
      { actor_type: "system", role: { from: null, to: "owner" } },
      { actor_type: "system", role: { from: "viewer", to: "owner" } },
    ]);
    expect(await run("add-owner", "nowhere", heir.email)).toMatchObject({ ok: false });
    expect(await run("add-owner", orgId, "nobody@example.com")).toMatchObject({ ok: false });
  });
});

describe("an organization whose identity provider is broken", () => {
  const settings = (orgId: string, token: string) => call("GET", `/api/v1/organizations/${orgId}/sso`, { token });

  test("gets an owner who signs in with a password, although they joined by single sign-on", async () => {
    const [{ orgId }, bea] = [await service.register(), await service.register()];
    await vouchFor(orgId, bea.email, "owner");
    expect((await settings(orgId, bea.token)).status).toBe(403);
    const outcome = await run("add-owner", orgId, bea.email);
    expect(outcome).toEqual({ ok: true, message: expect.stringMatching(/^user\S+ is now an owner of acme-\S+$/) });
    expect((await settings(orgId, bea.token)).status).toBe(200);
    const identities = await sql`select subject from sso_identities where org_id = ${orgId}`;
    expect(identities.map(({ subject }) => subject)).toEqual([bea.email]);
    const [entry] = await sql`select changes from audit_logs where org_id = ${orgId} and action = 'member.role'`;
    expect(entry?.changes).toMatchObject({ needsSso: { from: true, to: false } });
  });

  test("needs a password for a new owner who has none, and the command says so", async () => {
    const [{ orgId }, bea] = [await service.register(), await service.register()];
    await sql`update users set password_hash = null where email = ${bea.email}`;
    await vouchFor(orgId, bea.email);
    expect((await run("add-owner", orgId, bea.email)).message).toContain(`bun run admin reset-password ${bea.email}`);
    const [, password = ""] = / is (\S+);/.exec((await run("reset-password", bea.email)).message) ?? [];
    const login = await call<{ token: string }>("POST", "/api/v1/auth/login", { body: { email: bea.email, password } });
    expect((await settings(orgId, login.body.token)).status).toBe(200);
  });

  test("keeps no pending invitation for an owner who is added", async () => {
    const [ada, bea] = [await service.register(), await service.register()];
    const members = `/api/v1/organizations/${ada.orgId}/members`;
    const body = { email: bea.email, role: "viewer" };
    const invited = await call("POST", `${members}/invite`, { token: ada.token, body });
    expect(invited.status).toBe(200);
    await run("add-owner", ada.orgId, bea.email.toUpperCase());
    const listed = await call<{ members: { email: string; role: string }[] }>("GET", members, { token: ada.token });
    expect(listed.body.members.map(({ email, role }) => [email, role])).toEqual([
      [bea.email, "owner"],
      [ada.email, "owner"],
    ]);
    const removed = await sql`select resource_id, changes from audit_logs
      where org_id = ${ada.orgId} and action = 'member.remove'`;
    expect([...removed]).toMatchObject([
      { resource_id: invited.body._id, changes: { email: { from: bea.email }, status: { from: "invited" } } },
    ]);
  });
});

describe("an organization's export", () => {
  test("contains all of its data, nothing of others, and no secrets", async () => {
    const [ada, eve] = [await organization("ada"), await organization("eve")];
    const pieces: Uint8Array[] = [];
    const { ok } = await exportOrganization(database, ada.slug, async (bytes) => {
      pieces.push(bytes);
    });
    expect(ok).toBe(true);
    const content = await contentOf(Buffer.concat(pieces));
    const tables = new Set([...content.keys()].map((name) => name.replace("tables/", "")));
    for (const table of [
      "organizations",
      "users",
      "links",
      "link_revisions",
      "domains",
      "clicks",
      "events",
      "leads",
      "reports",
    ]) {
      expect(tables).toContain(table);
    }
    const written = [...content.values()].flat().join("\n");
    expect(written).not.toContain(eve.orgId);
    expect(written).not.toMatch(/argon2|password_hash|open sesame|"hash"|wm_live_[A-Za-z0-9]{20}/);
  });

  test("fails for an unknown organization", async () => {
    expect(await run("export", "nobody")).toEqual({ ok: false, message: "There is no organization nobody" });
  });
});

describe("erasing a visitor", () => {
  test("requires a name of the visitor, which an empty variable of a script is not", async () => {
    const { slug } = await organization("nameless");
    expect(await run("erase", slug, " ")).toMatchObject({ ok: false, message: expect.stringContaining("Nothing was") });
  });

  test("ignores spaces around the name", async () => {
    const { slug } = await organization("spaced");
    const [lead] =
      await sql`select fields from leads where org_id = (select id from organizations where slug = ${slug})`;
    const email = Object.values<string>(lead?.fields ?? {}).find((value) => value.includes("@"));
    expect(await run("erase", slug, ` ${email} `)).toMatchObject({ message: expect.stringContaining("leads: 1") });
  });
});

describe("deleting an organization", () => {
  test("requires its slug as confirmation", async () => {
    const { slug, orgId } = await organization("kept");
    const before = await tableState(sql);
    expect(await run("delete", orgId, "another")).toMatchObject({ ok: false });
    expect(await run("delete", orgId, "")).toMatchObject({ ok: false });
    expect(await tableState(sql)).toEqual(before);
    expect((await run("delete", "nobody", slug)).ok).toBe(false);
  });

  test("deletes all of its rows and no other organization's, keeps its accounts, and ends its links immediately", async () => {
    const [ada, eve] = [await organization("gone"), await organization("stays")];
    expect((await service.visit(`/${ada.link.slug}`)).status).toBe(403);
    for (const { orgId } of [ada, eve]) await untilRequestsCounted(orgId);
    const ofEve = await rowsOf(eve.orgId);
    expect(await run("delete", ada.slug, ada.slug)).toMatchObject({ ok: true });
    expect(Object.values(await rowsOf(ada.orgId)).filter((rows) => rows > 0)).toEqual([]);
    expect(await rowsOf(eve.orgId)).toEqual(ofEve);
    await untilGone(`/${ada.link.slug}`);
    expect((await call("POST", "/api/v1/events", { apiKey: ada.apiKey, body: { name: "late" } })).status).toBe(401);
    const me = await call<{ organizations: unknown[] }>("GET", "/api/v1/auth/me", { token: ada.token });
    expect(me.body.organizations).toEqual([]);
  });

  test("ends its links also on a server that was not listening at that moment", async () => {
    const { slug, link } = await organization("unheard");
    expect((await service.visit(`/${link.slug}`)).status).toBe(403);
    const elsewhere = openDatabase(new URL("/postgres", service.databaseUrl).href, { pool: "tool" });
    const allow = (isAllowed: boolean) =>
      elsewhere.sql.unsafe(
        `alter database ${new URL(service.databaseUrl).pathname.slice(1)} allow_connections ${isAllowed}`,
      );
    // Opens every connection that the command may use, as none can be opened later.
    await Promise.all(Array.from({ length: 20 }, () => database.sql`select pg_sleep(0.2)`));
    await allow(false);
    await elsewhere.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'waymark listener' and datname = ${new URL(service.databaseUrl).pathname.slice(1)}`;
    await untilHealth("degraded");
    expect(await run("delete", slug, slug)).toMatchObject({ ok: true });
    await allow(true);
    await elsewhere.close();
    await untilHealth("ok");
    await untilGone(`/${link.slug}`);
  });

  test("can be undone from its archive beside the running service, which serves its links again", async () => {
    const { slug, orgId, onDomain } = await organization("again");
    const visit = async () => (await service.visit(`/${onDomain.slug}`, { host: "go.again.test" })).status;
    const loads = async () => (await scrape(service.url))("waymark_link_cache_loads_total");
    expect(await visit()).toBe(302);
    const file = join(await makeFolderOfFile(), "again.tar.gz");
    const writer = Bun.file(file).writer();
    await exportOrganization(database, orgId, async (bytes) => void writer.write(bytes));
    await writer.end();
    expect(await run("delete", slug, slug)).toMatchObject({ ok: true });
    while ((await visit()) !== 404) await Bun.sleep(50);
    expect(await run("import", file)).toMatchObject({ ok: true });
    while ((await visit()) !== 302) await Bun.sleep(50);
    // From memory, as before.
    const before = await loads();
    for (let visits = 0; visits < 5; visits++) expect(await visit()).toBe(302);
    expect(await loads()).toBe(before);
  });
});

async function untilHealth(status: string): Promise<void> {
  while ((await call("GET", "/health")).body.status !== status) await Bun.sleep(50);
}

async function rowsOf(orgId: string): Promise<Record<string, number>> {
  const counted = organizationTables.map(async ({ name }) => {
    const [row] = await sql`select count(*)::int as rows from ${sql(name)} where org_id = ${orgId}`;
    return [name, row?.rows] as const;
  });
  return Object.fromEntries(await Promise.all(counted));
}

/** The service writes its counts every few seconds. */
async function untilRequestsCounted(orgId: string): Promise<void> {
  await until(async () => (await sql`select from request_usage where org_id = ${orgId}`).length > 0);
}

/** Waits until the service has heard of the deletion, as of any other change. */
async function untilGone(path: string): Promise<void> {
  await eventually(async () => (await service.visit(path)).status, 404);
}
