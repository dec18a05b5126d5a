/** What a session from single sign-on can reach, and what only such a session can reach. */
import { beforeEach, describe, expect, test } from "bun:test";
import { contentOf } from "@test/support/accounts/archives";
import { withTwoFactor } from "@test/support/accounts/authenticator";
import { startFalseProvider } from "@test/support/accounts/false-provider";
import { enableSso, signIn, ssoPath, startSsoService } from "@test/support/accounts/sso";
import { addMember } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import { waitUntilBlocked, whileLocked } from "@test/support/servers/lock-waits";
import type { Account } from "@test/support/service";
import { until } from "@test/support/until";
import type { AuthSession } from "@/contract/accounts/auth";
import type { OrganizationExport } from "@/contract/accounts/exports";
import type { Member } from "@/contract/accounts/members";
import { ORGANIZATIONS_OWNED_MAX } from "@/contract/accounts/organizations";

const service = await startSsoService();
const { call, sql } = service;
const provider = startFalseProvider();
let ada: Account;
let startUrl: string;

/** Members have addresses at example.com. */
beforeEach(async () => {
  ada = await service.register();
  ({ startUrl } = await enableSso(service, ada, provider, { allowedDomains: ["example.com"], defaultRole: "member" }));
});

async function vouchedFor(email: string): Promise<string> {
  provider.claims = { sub: email, email, email_verified: true, name: "Bea" };
  const { token, error } = await signIn(startUrl);
  if (!token) throw new Error(`The sign-in came to ${error}`);
  return token;
}

const patch = (body: object, token = ada.token) => call("PATCH", ssoPath(ada.orgId), { token, body });
const links = (orgId: string, token: string) => call("GET", `/api/v1/organizations/${orgId}/links`, { token });
const me = (token: string) => call<AuthSession>("GET", "/api/v1/auth/me", { token });
const organizationsOf = async (token: string) => (await me(token)).body.organizations.map(({ _id }) => _id);

async function accessToken(token: string): Promise<string> {
  const body = { name: "script", scopes: ["read"] };
  const made = await call<{ token: string }>("POST", `/api/v1/organizations/${ada.orgId}/access-tokens`, {
    token,
    body,
  });
  expect(made.status).toBe(201);
  return made.body.token;
}

async function logIn({ email, password }: Account): Promise<string> {
  const reply = await call<AuthSession>("POST", "/api/v1/auth/login", { body: { email, password } });
  expect(reply.status).toBe(200);
  return reply.body.token;
}

describe("a session of single sign-on", () => {
  test("reaches its own organization and none of the user's others", async () => {
    const bea = await service.register();
    const link = await service.createLink(bea, { defaultUrl: "https://example.com/" });
    const token = await vouchedFor(bea.email);
    expect((await links(ada.orgId, token)).status).toBe(200);
    expect(await organizationsOf(token)).toEqual([ada.orgId]);
    const others = `/api/v1/organizations/${bea.orgId}`;
    for (const path of [
      "/links",
      `/links/${link._id}`,
      "/sso",
      "/members",
      "/api-keys",
      "",
      "/analytics/overview/stream",
    ]) {
      expectFailure(await call("GET", others + path, { token }), 404);
    }
    expectFailure(
      await call("GET", others.toUpperCase().replace("/API/V1/ORGANIZATIONS", "/api/v1/organizations"), { token }),
      404,
    );
    expectFailure(await call("DELETE", `${others}/links/${link._id}`, { token }), 404);
    expect((await links(bea.orgId, bea.token)).status).toBe(200);
  });

  test("lists its own organization only", async () => {
    const bea = await addMember(service, ada.orgId, "viewer");
    const token = await vouchedFor(bea.email);
    expect(await organizationsOf(token)).toEqual([ada.orgId]);
    expect((await organizationsOf(bea.token)).length).toBe(2);
  });

  test("cannot access the account", async () => {
    const bea = await service.register();
    const token = await vouchedFor(bea.email);
    const requests: [method: string, path: string, body?: object][] = [
      ["GET", "/api/v1/auth/sessions"],
      ["GET", "/api/v1/auth/2fa"],
      ["POST", "/api/v1/auth/verify-email/resend"],
      ["POST", "/api/v1/auth/2fa/setup"],
      ["POST", "/api/v1/auth/2fa/enable", { code: "123456" }],
      ["POST", "/api/v1/auth/2fa/disable", { password: "a", code: "123456" }],
    ];
    for (const [method, path, body] of requests) expectFailure(await call(method, path, { token, body }), 403);
  });

  test("signs out without ending the user's other sessions", async () => {
    const bea = await service.register();
    const token = await vouchedFor(bea.email);
    expect((await call("POST", "/api/v1/auth/logout", { token })).status).toBe(200);
    expectFailure(await me(token), 401);
    expect((await me(bea.token)).status).toBe(200);
  });

  test("ends when single sign-on is turned off or moved, except that of the owner who does it", async () => {
    const owner = await vouchedFor(ada.email);
    for (const body of [{ enabled: false }, { enabled: true }, { issuer: startFalseProvider().issuer }]) {
      const member = body.enabled === true ? "" : await vouchedFor(`member-${crypto.randomUUID()}@example.com`);
      expect((await patch(body, owner)).status).toBe(200);
      if (member) expectFailure(await me(member), 401);
    }
    expect((await me(owner)).status).toBe(200);
  });
});

describe("a membership created by single sign-on", () => {
  test("cannot be used with the password of an account that existed before", async () => {
    const squatter = await service.register();
    await vouchedFor(squatter.email);
    const reply = await links(ada.orgId, squatter.token);
    expectFailure(reply, 403);
    expect(reply.body.error).toContain("single sign-on");
    expectFailure(await links(ada.orgId, await logIn(squatter)), 403);
    expect((await links(squatter.orgId, squatter.token)).status).toBe(200);
  });

  test("cannot be used with a password after an invitation, with single sign-on off, or as an owner", async () => {
    const squatter = await service.register();
    await sql`insert into memberships (id, org_id, invited_email, role, invite_expires_at)
      values (${Bun.randomUUIDv7()}, ${ada.orgId}, ${squatter.email}, 'owner', now() + interval '1 day')`;
    const token = await vouchedFor(squatter.email);
    expect((await call("GET", ssoPath(ada.orgId), { token })).status).toBe(200);
    expectFailure(await links(ada.orgId, squatter.token), 403);
    await patch({ enabled: false });
    expectFailure(await links(ada.orgId, squatter.token), 403);
  });

  test("is created once by two simultaneous first sign-ins", async () => {
    const bea = await service.register();
    const organization = `select from organizations where id = '${ada.orgId}' for no key update`;
    const { signingIn } = await whileLocked(sql, organization, async () => {
      const signingIn = [vouchedFor(bea.email), vouchedFor(bea.email)];
      await waitUntilBlocked(sql, 2);
      return { signingIn };
    });
    for (const token of await Promise.all(signingIn)) {
      expect((await links(ada.orgId, token)).status).toBe(200);
      expect((await me(token)).body.user).toMatchObject({ name: "Bea" });
    }
    expectFailure(await links(ada.orgId, bea.token), 403);
    const linked = sql`select 1 from audit_logs where org_id = ${ada.orgId} and action = 'user.link'`;
    expect(await linked).toHaveLength(1);
  });

  test("becomes an ordinary one once the user was removed and invited again", async () => {
    const bea = await service.register();
    await vouchedFor(bea.email);
    await sql`delete from memberships where org_id = ${ada.orgId} and role = 'member'`;
    await sql`insert into memberships (id, org_id, user_id, role)
      select ${Bun.randomUUIDv7()}, ${ada.orgId}, id, 'viewer' from users where email = ${bea.email}`;
    expect((await links(ada.orgId, bea.token)).status).toBe(200);
  });
});

describe("an organization whose provider vouches for a stranger's email", () => {
  test("ends none of the stranger's own sessions by enforcing single sign-on", async () => {
    const stranger = await service.register();
    await vouchedFor(stranger.email);
    expect((await patch({ enforce: true })).status).toBe(200);
    expect((await me(stranger.token)).status).toBe(200);
  });

  test("does not see the stranger's account changes in its audit log", async () => {
    const stranger = await service.register();
    await vouchedFor(stranger.email);
    await withTwoFactor(service, stranger, Date.now());
    const actions = async (orgId: string) =>
      (await sql`select action from audit_logs where org_id = ${orgId} and actor_email = ${stranger.email}`).map(
        ({ action }) => action,
      );
    expect(await actions(stranger.orgId)).toContain("user.two_factor_enable");
    expect((await actions(ada.orgId)).toSorted()).toEqual(["member.join", "user.link"]);
  });

  test("sees only the data that its provider sent, and nothing of the stranger's account", async () => {
    const stranger = await service.register();
    await sql`update users set name = 'Real Name', address_held_until = null where email = ${stranger.email}`;
    await withTwoFactor(service, stranger, Date.now());
    const token = await vouchedFor(stranger.email);
    const told = { email: stranger.email, name: "Bea", twoFactorEnabled: false, emailVerified: true };
    expect((await me(token)).body.user).toMatchObject(told);
    for (const by of [token, ada.token]) {
      const path = `/api/v1/organizations/${ada.orgId}/members`;
      const reply = await call<{ members: { email: string; name: string }[] }>("GET", path, { token: by });
      expect(reply.body.members.find(({ email }) => email === stranger.email)).toMatchObject({ name: "Bea" });
      expect(JSON.stringify(reply.body)).not.toContain("Real Name");
    }
    expect((await me(stranger.token)).body.user).toMatchObject({ name: "Real Name", twoFactorEnabled: true });
  });

  test("sees no more of the stranger's account through a session whose membership it ended", async () => {
    const stranger = await service.register();
    await sql`update users set name = 'Real Name' where email = ${stranger.email}`;
    const token = await vouchedFor(stranger.email);
    const members = `/api/v1/organizations/${ada.orgId}/members`;
    const listed = await call<{ members: Member[] }>("GET", members, { token: ada.token });
    const { _id = "" } = listed.body.members.find(({ email }) => email === stranger.email) ?? {};
    expect((await call("DELETE", `${members}/${_id}`, { token: ada.token })).status).toBe(200);
    const { status, body } = await me(token);
    expect([status, body.organizations]).toEqual([200, []]);
    expect(body.user).toMatchObject({ email: stranger.email, name: "Bea" });
  });

  test("gets no more of the stranger's account in its archive", async () => {
    const stranger = await service.register();
    await sql`update users set name = 'Real Name', created_at = '2001-02-03' where email = ${stranger.email}`;
    await vouchedFor(stranger.email);
    const path = `/api/v1/organizations/${ada.orgId}/exports`;
    const asked = await call<OrganizationExport>("POST", path, { token: ada.token });
    const own = `${path}/${asked.body._id}`;
    const status = async () => (await call<OrganizationExport>("GET", own, { token: ada.token })).body.status;
    await until(async () => (await status()) === "done");
    const download = `${service.url}${own}/download`;
    const archive = await fetch(download, { headers: { authorization: `Bearer ${ada.token}` } });
    const content = await contentOf(await archive.bytes());
    const accounts = (content.get("tables/users") ?? []).map((line) => JSON.parse(line));
    expect(accounts.find(({ email }) => email === stranger.email)).toMatchObject({ name: "Bea" });
    expect(JSON.stringify([...content])).not.toMatch(/Real Name|2001-02-03/);
  });

  test("sees the name that the provider sent at the last sign-in", async () => {
    const stranger = await service.register();
    await vouchedFor(stranger.email);
    // Identities of sign-ins before names were stored have neither.
    await sql`update sso_identities set name = null, email = null where org_id = ${ada.orgId}`;
    provider.claims = { sub: stranger.email, name: "Beatrix" };
    const { token = "" } = await signIn(startUrl);
    expect((await me(token)).body.user).toMatchObject({ email: stranger.email, name: "Beatrix" });
  });

  test("does not appear in the organizations of the stranger's own sessions", async () => {
    const stranger = await service.register();
    const token = await vouchedFor(stranger.email);
    expect(await organizationsOf(stranger.token)).toEqual([stranger.orgId]);
    expect(await organizationsOf(await logIn(stranger))).toEqual([stranger.orgId]);
    expect(await organizationsOf(token)).toEqual([ada.orgId]);
  });

  test("does not count towards the limit of organizations that the stranger may own", async () => {
    const stranger = await service.register();
    await vouchedFor(stranger.email);
    await sql`update memberships set role = 'owner' where org_id = ${ada.orgId} and role = 'member'`;
    const [user] = await sql`select id from users where email = ${stranger.email}`;
    for (let owned = 1; owned < ORGANIZATIONS_OWNED_MAX - 1; owned++) {
      const id = Bun.randomUUIDv7();
      await sql`insert into organizations (id, name, slug, plan) values (${id}, 'Own', ${id}, 'free')`;
      await sql`insert into memberships (id, org_id, user_id, role) values (${id}, ${id}, ${user?.id}, 'owner')`;
    }
    const another = () => call("POST", "/api/v1/organizations", { token: stranger.token, body: { name: "Own" } });
    expect((await another()).status).toBe(201);
    expectFailure(await another(), 409);
  });
});

test("a membership that existed before is accessible with the password and with single sign-on", async () => {
  const bea = await addMember(service, ada.orgId, "member");
  const token = await vouchedFor(bea.email);
  for (const session of [token, bea.token]) expect((await links(ada.orgId, session)).status).toBe(200);
  // Somebody who joined independently appears there with the account's own name.
  expect((await me(token)).body.user).toMatchObject({ name: "Ada", email: bea.email, twoFactorEnabled: false });
});

describe("enforced", () => {
  test("it ends members' sessions that did not come from single sign-on, but no owner's", async () => {
    const [bea, owner, stranger] = [
      await addMember(service, ada.orgId, "admin"),
      await addMember(service, ada.orgId, "owner"),
      await service.register(),
    ];
    const token = await vouchedFor(bea.email);
    expect((await patch({ enforce: true })).status).toBe(200);
    expectFailure(await me(bea.token), 401);
    for (const session of [token, owner.token, ada.token]) expect((await links(ada.orgId, session)).status).toBe(200);
    expect((await me(stranger.token)).status).toBe(200);
  });

  test("it does not affect a member's access to other organizations", async () => {
    const bea = await addMember(service, ada.orgId, "member");
    const carl = await service.register();
    const elsewhere = await enableSso(service, carl, provider, { allowedDomains: ["example.com"] });
    provider.claims = { sub: bea.email, email: bea.email, email_verified: true };
    const { token = "" } = await signIn(elsewhere.startUrl);
    await patch({ enforce: true });
    expect((await links(carl.orgId, token)).status).toBe(200);
    const again = await logIn(bea);
    const reply = await links(ada.orgId, again);
    expectFailure(reply, 403);
    expect(reply.body.error).toContain("single sign-on");
    const own = (await organizationsOf(again)).find((id) => id !== ada.orgId && id !== carl.orgId) ?? "";
    expect((await links(own, again)).status).toBe(200);
    expect((await links(ada.orgId, await vouchedFor(bea.email))).status).toBe(200);
  });

  test("it applies from the next request to an owner who is demoted", async () => {
    const owner = await addMember(service, ada.orgId, "owner");
    await patch({ enforce: true });
    expect((await links(ada.orgId, owner.token)).status).toBe(200);
    await sql`update memberships set role = 'admin' where org_id = ${ada.orgId} and user_id =
      (select id from users where email = ${owner.email})`;
    expectFailure(await links(ada.orgId, owner.token), 403);
  });

  test("it ends members' access tokens created with a password, and refuses those of demoted owners", async () => {
    const [bea, owner] = [await addMember(service, ada.orgId, "admin"), await addMember(service, ada.orgId, "owner")];
    const own = await accessToken(bea.token);
    const [vouched, owners] = [await accessToken(await vouchedFor(bea.email)), await accessToken(owner.token)];
    await patch({ enforce: true });
    expectFailure(await links(ada.orgId, own), 401);
    for (const token of [vouched, owners]) expect((await links(ada.orgId, token)).status).toBe(200);
    await patch({ enforce: false });
    expectFailure(await links(ada.orgId, own), 401);
    await sql`update memberships set role = 'admin' where org_id = ${ada.orgId} and user_id =
      (select id from users where email = ${owner.email})`;
    expect((await links(ada.orgId, owners)).status).toBe(200);
    await sql`update sso_configurations set enforce = true where org_id = ${ada.orgId}`;
    expectFailure(await links(ada.orgId, owners), 403);
  });

  test("turning single sign-on off ends the access tokens created through it", async () => {
    const bea = await addMember(service, ada.orgId, "member");
    const [own, vouched] = [await accessToken(bea.token), await accessToken(await vouchedFor(bea.email))];
    await patch({ enabled: false });
    expectFailure(await links(ada.orgId, vouched), 401);
    expect((await links(ada.orgId, own)).status).toBe(200);
  });

  test("it does not affect API keys", async () => {
    const apiKey = await service.createApiKey(ada, ["links:write"]);
    await patch({ enforce: true });
    const body = { defaultUrl: "https://example.com/" };
    expect((await call("POST", "/api/v1/links", { apiKey, body })).status).toBe(201);
  });

  test("it cannot stay on while single sign-on is turned off", async () => {
    await patch({ enforce: true });
    expectFailure(await patch({ enabled: false }), 400, ["enforce"]);
    expect((await patch({ enabled: false, enforce: false })).status).toBe(200);
  });

  test("it ends the streams of sessions that lose access to the organization", async () => {
    const bea = await addMember(service, ada.orgId, "member");
    const token = await vouchedFor(bea.email);
    const [own, vouched, owners] = [await openStream(bea.token), await openStream(token), await openStream(ada.token)];
    // Changes the table directly, because the route itself would end the session.
    await sql`update sso_configurations set enforce = true where org_id = ${ada.orgId}`;
    await until(() => own.state() === "ended");
    expect([vouched.state(), owners.state()]).toEqual(["open", "open"]);
    for (const stream of [vouched, owners]) stream.leave();
  });
});

async function openStream(token: string) {
  const leaving = new AbortController();
  const path = `/api/v1/organizations/${ada.orgId}/analytics/overview/stream?intervalMs=1000`;
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(service.url + path, { headers, signal: leaving.signal });
  expect(response.status).toBe(200);
  let state = "open";
  const read = async () => {
    for await (const _ of response.body ?? []);
    state = "ended";
  };
  void read().catch(() => undefined);
  return { state: () => state, leave: () => leaving.abort() };
}
