/** Members whom single sign-on added, in an organization that is exported, deleted and imported again. */
import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { archiveOf, importArchive } from "@test/support/accounts/archives";
import { startFalseProvider } from "@test/support/accounts/false-provider";
import { enableSso, signIn, startSsoService } from "@test/support/accounts/sso";
import { addMember } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import type { Account } from "@test/support/service";
import { deleteOrganization } from "@/admin/delete-organization";
import type { AuthSession } from "@/contract/accounts/auth";
import { openDatabase } from "@/platform/db/client";

const service = await startSsoService();
const { call, sql } = service;
const provider = startFalseProvider();
const database = openDatabase(service.databaseUrl, { pool: "tool" });
const folder = await mkdtemp(join(tmpdir(), "waymark-archive-"));
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const links = (orgId: string, token: string) => call("GET", `/api/v1/organizations/${orgId}/links`, { token });
const enabled = (account: Account) =>
  enableSso(service, account, provider, { allowedDomains: ["example.com"], defaultRole: "viewer" });

async function vouchedFor(startUrl: string, email: string): Promise<string> {
  provider.claims = { sub: email, email, email_verified: true, name: "Bea" };
  const { token, error } = await signIn(startUrl);
  if (!token) throw new Error(`The sign-in came to ${error}`);
  return token;
}

async function movedOut(orgId: string): Promise<string> {
  const file = join(folder, `${orgId}.tar.gz`);
  await Bun.write(file, await archiveOf(sql, orgId));
  const [{ slug } = {}] = await sql`select slug from organizations where id = ${orgId}`;
  expect(await deleteOrganization(database, [slug, slug])).toMatchObject({ ok: true });
  return file;
}

test("they are still reached through single sign-on alone, with the same role, once it is set up again", async () => {
  const ada = await service.register();
  const stranger = await service.register();
  await sql`update users set name = 'Real Name' where email = ${stranger.email}`;
  await vouchedFor((await enabled(ada)).startUrl, stranger.email);
  await sql`update memberships set role = 'member' where org_id = ${ada.orgId} and role = 'viewer'`;
  const outcome = await importArchive(database, await movedOut(ada.orgId));
  expect(outcome).toMatchObject({ ok: true, message: expect.stringContaining("1 sso identity,") });

  expectFailure(await links(ada.orgId, stranger.token), 403);
  const own = await call<AuthSession>("GET", "/api/v1/auth/me", { token: stranger.token });
  expect(own.body.organizations.map(({ _id }) => _id)).toEqual([stranger.orgId]);
  const vouched = await vouchedFor((await enabled(ada)).startUrl, stranger.email);
  expect((await links(ada.orgId, vouched)).status).toBe(200);
  const { body } = await call<{ members: object[] }>("GET", `/api/v1/organizations/${ada.orgId}/members`, {
    token: vouched,
  });
  expect(body.members.filter((member) => Object(member).email === stranger.email)).toMatchObject([
    { name: "Bea", role: "member" },
  ]);
});

test("those who joined with their own accounts are reached with both", async () => {
  const ada = await service.register();
  const bea = await addMember(service, ada.orgId, "member");
  await vouchedFor((await enabled(ada)).startUrl, bea.email);
  expect(await importArchive(database, await movedOut(ada.orgId))).toMatchObject({ ok: true });
  const vouched = await vouchedFor((await enabled(ada)).startUrl, bea.email);
  for (const token of [bea.token, vouched]) expect((await links(ada.orgId, token)).status).toBe(200);
});

test("an account that was found by its email address gains nothing but what single sign-on gave it", async () => {
  const ada = await service.register();
  const former = await service.register();
  await vouchedFor((await enabled(ada)).startUrl, former.email);
  const file = await movedOut(ada.orgId);
  await sql`delete from users where email = ${former.email}`;
  const stranger = await service.register();
  await sql`update users set email = ${former.email} where email = ${stranger.email}`;
  const { ok, message } = await importArchive(database, file);
  expect([ok, message]).toEqual([true, expect.stringContaining(`by their email addresses: ${former.email}.`)]);
  expectFailure(await links(ada.orgId, stranger.token), 403);
});
