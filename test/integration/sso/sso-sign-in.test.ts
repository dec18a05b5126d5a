/** Signing in through a real OpenID provider: to which account, and with what effect. */
import { beforeEach, describe, expect, test } from "bun:test";
import { type ProviderUser, startIdentityProvider } from "@test/support/accounts/identity-provider";
import { enableSso, openBrowser, outcomeOf, signIn, ssoPath, startSsoService } from "@test/support/accounts/sso";
import type { Account } from "@test/support/service";
import type { AuditLog } from "@/contract/accounts/audit-logs";
import type { AuthSession } from "@/contract/accounts/auth";
import type { Member } from "@/contract/accounts/members";

const service = await startSsoService();
const { call, sql, callbackUrl } = service;
const provider = await startIdentityProvider({ callbackUrl });
const ada = await service.register();
const { startUrl } = await enableSso(service, ada, provider, { defaultRole: "member" });

let people = 0;
const person = (fields: Partial<ProviderUser> = {}): ProviderUser => {
  const sub = `person-${++people}`;
  return { sub, email: `${sub}@acme.test`, email_verified: true, name: `Person ${people}`, ...fields };
};
beforeEach(() => {
  provider.user = person();
  provider.isRefusing = false;
});

const me = async (token = "") => (await call<AuthSession>("GET", "/api/v1/auth/me", { token })).body;
const userOf = async (email = "") => (await sql`select * from users where email = ${email}`)[0];
const membershipsOf = async (email = "") => [
  ...(await sql<{ org_id: string; role: string }[]>`
    select m.org_id, m.role from memberships m join users u on u.id = m.user_id where u.email = ${email}`),
];

async function invite({ orgId }: Account, email: string, role: string, expiresAt = new Date(Date.now() + 60_000)) {
  await sql`insert into memberships (id, org_id, invited_email, role, invite_expires_at)
    values (${Bun.randomUUIDv7()}, ${orgId}, ${email}, ${role}, ${expiresAt})`;
}

describe("a first sign-in", () => {
  test("creates an account without a password and a membership with the default role", async () => {
    const { email = "", name = "" } = provider.user;
    const { path, token } = await signIn(startUrl);
    expect(path).toBe("/app");
    const { user, organizations } = await me(token);
    expect(user).toMatchObject({ email, name, twoFactorEnabled: false });
    expect(organizations.map(({ _id }) => _id)).toEqual([ada.orgId]);
    expect((await userOf(email))?.password_hash).toBeNull();
    expect(await membershipsOf(email)).toEqual([{ org_id: ada.orgId, role: "member" }]);
  });

  test("gives a session the permissions of the role", async () => {
    const { token } = await signIn(startUrl);
    const organization = `/api/v1/organizations/${ada.orgId}`;
    const body = { defaultUrl: "https://example.com/" };
    expect((await call("POST", `${organization}/links`, { token, body })).status).toBe(201);
    expect((await call("GET", `${organization}/api-keys`, { token })).status).toBe(403);
  });

  test("accepts a pending invitation for that email, with its role", async () => {
    const { email = "" } = provider.user;
    await invite(ada, email, "admin");
    await signIn(startUrl);
    expect(await membershipsOf(email)).toEqual([{ org_id: ada.orgId, role: "admin" }]);
    expect((await sql`select 1 from memberships where invited_email = ${email}`).length).toBe(0);
  });

  test("accepts no expired invitation and none of another organization", async () => {
    const { email = "" } = provider.user;
    const other = await service.register();
    await invite(other, email, "owner");
    await invite(ada, email, "admin", new Date(Date.now() - 1_000));
    await signIn(startUrl);
    expect(await membershipsOf(email)).toEqual([{ org_id: ada.orgId, role: "member" }]);
    const left = await sql`select org_id from memberships where invited_email = ${email}`;
    expect(left.map(({ org_id }) => org_id)).toEqual([other.orgId]);
  });

  test("links the account that has the email, and keeps its role", async () => {
    const bea = await service.register();
    const email = `bea-${people}@acme.test`;
    const [user] = await sql`update users set email = ${email} where email = ${bea.email} returning id`;
    await sql`insert into memberships (id, org_id, user_id, role)
      values (${Bun.randomUUIDv7()}, ${ada.orgId}, ${user?.id}, 'viewer')`;
    provider.user = person({ email: email.toUpperCase() });
    const { token } = await signIn(startUrl);
    expect((await me(token)).user._id).toBe(user?.id);
    expect(await membershipsOf(email)).toContainEqual({ org_id: ada.orgId, role: "viewer" });
  });

  test("is written to the audit log", async () => {
    const { email = "", sub } = provider.user;
    await signIn(startUrl);
    const entries = await sql`select action, resource_type, changes from audit_logs
      where org_id = ${ada.orgId} and actor_email = ${email} order by id`;
    expect(entries).toMatchObject([
      { action: "member.join", resource_type: "member", changes: { role: { to: "member" }, email: { to: email } } },
      { action: "user.link", resource_type: "user", changes: { subject: { to: sub } } },
    ]);
  });

  test("records the end of an expired invitation in the audit log", async () => {
    const { email = "" } = provider.user;
    await invite(ada, email, "admin", new Date());
    await signIn(startUrl);
    const path = `/api/v1/organizations/${ada.orgId}/audit-logs?action=member.remove&teamEmail=${email}`;
    const { auditLogs } = (await call<{ auditLogs: AuditLog[] }>("GET", path, { token: ada.token })).body;
    expect(auditLogs).toMatchObject([
      {
        ...{ resourceType: "member", actor: { email } },
        changes: {
          ...{ email: { from: email, to: null }, role: { from: "admin", to: null } },
          ...{ status: { from: "invited", to: null }, inviteExpiresAt: { to: null } },
        },
      },
    ]);
  });

  test("with another address, after a removal, is found in the audit log by the address that members are listed by", async () => {
    const { token: first } = await signIn(startUrl);
    const { user } = await me(first);
    const home = `/api/v1/organizations/${ada.orgId}`;
    const membership = await sql`select id from memberships where user_id = ${user._id} and org_id = ${ada.orgId}`;
    await call("DELETE", `${home}/members/${membership[0]?.id}`, { token: ada.token });
    const moved = `moved-${people}@acme.test`;
    provider.user = { ...provider.user, email: moved };
    const { token } = await signIn(startUrl);
    const body = { defaultUrl: "https://example.com/" };
    expect((await call("POST", `${home}/links`, { token, body })).status).toBe(201);
    const { body: listed } = await call<{ members: Member[] }>("GET", `${home}/members?limit=100`, {
      token: ada.token,
    });
    expect(listed.members.find(({ userId }) => userId === user._id)?.email).toBe(moved);
    for (const email of [moved, user.email]) {
      const path = `${home}/audit-logs?action=link.create&teamEmail=${email}`;
      expect((await call<{ total: number }>("GET", path, { token: ada.token })).body.total).toBe(1);
    }
  });

  test("creates one account when two happen simultaneously", async () => {
    const { email = "" } = provider.user;
    const outcomes = await Promise.all([signIn(startUrl), signIn(startUrl), signIn(startUrl)]);
    expect(outcomes.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
    expect((await sql`select 1 from users where email = ${email}`).length).toBe(1);
    expect((await membershipsOf(email)).length).toBe(1);
  });

  test("ends with plan_limit where the plan allows no further member", async () => {
    const full = await service.register();
    const { startUrl } = await enableSso(service, full, provider);
    await sql`update organizations set plan = 'free' where id = ${full.orgId}`;
    const outcomes = [];
    for (let at = 0; at < 4; at++) {
      provider.user = person();
      outcomes.push((await signIn(startUrl)).error);
    }
    expect(outcomes.at(-1)).toBe("plan_limit");
    expect(await userOf(provider.user.email)).toBeUndefined();
  });
});

describe("a later sign-in", () => {
  test("uses the same account although the email changed, with the provider's current name", async () => {
    const first = await me((await signIn(startUrl)).token);
    provider.user = { ...provider.user, email: "new@elsewhere.test", email_verified: false, name: "Another" };
    const later = await me((await signIn(startUrl)).token);
    expect(later.user).toEqual({ ...first.user, name: "Another" });
  });

  test("does not switch to the account that has the user's new email", async () => {
    const { token } = await signIn(startUrl);
    const own = (await me(token)).user;
    const bea = await service.register();
    provider.user = { ...provider.user, email: bea.email };
    expect((await me((await signIn(startUrl)).token)).user._id).toBe(own._id);
  });

  test("restores the membership of a removed user, if the email may still sign in", async () => {
    const { email = "" } = provider.user;
    const { token } = await signIn(startUrl);
    await sql`delete from memberships where org_id = ${ada.orgId} and user_id = ${(await me(token)).user._id}`;
    expect((await call("GET", `/api/v1/organizations/${ada.orgId}/links`, { token })).status).toBe(404);
    provider.user = { ...provider.user, email_verified: false };
    expect((await signIn(startUrl)).error).toBe("email_unverified");
    provider.user = { ...provider.user, email_verified: true };
    expect((await signIn(startUrl)).token).toBeString();
    expect(await membershipsOf(email)).toEqual([{ org_id: ada.orgId, role: "member" }]);
  });

  test("accepts an invitation for the email that the provider states by now, of a user who was removed", async () => {
    const { sub, email: first = "" } = provider.user;
    await signIn(startUrl);
    await sql`delete from memberships where user_id = (select id from users where email = ${first})`;
    const email = `renamed-${sub}@acme.test`;
    await invite(ada, email, "admin");
    provider.user = person({ sub, email });
    await signIn(startUrl);
    expect(await membershipsOf(first)).toEqual([{ org_id: ada.orgId, role: "admin" }]);
    expect(await sql`select 1 from memberships where invited_email = ${email}`).toHaveLength(0);
  });

  test("uses another account at another organization with the same provider and another email", async () => {
    const other = await service.register();
    const there = await enableSso(service, other, provider);
    const first = await me((await signIn(startUrl)).token);
    provider.user = { ...provider.user, email: `other-${people}@acme.test` };
    const second = await me((await signIn(there.startUrl)).token);
    expect(second.user._id).not.toBe(first.user._id);
    expect(second.organizations.map(({ _id }) => _id)).toEqual([other.orgId]);
  });
});

describe("the sign-in flow", () => {
  test("does not ask for the account's second factor", async () => {
    const { email = "" } = provider.user;
    await signIn(startUrl);
    await sql`update users set two_factor_enabled = true where email = ${email}`;
    expect((await signIn(startUrl)).token).toBeString();
  });

  test("ends at returnTo", async () => {
    const { path, token } = await signIn(`${startUrl}&returnTo=${encodeURIComponent("/app/links?tag=frühling")}`);
    expect(path).toBe("/app/links?tag=fr%C3%BChling");
    expect(token).toBeString();
  });

  test("ends with provider_refused when the user declines at the provider", async () => {
    provider.isRefusing = true;
    expect(await signIn(`${startUrl}&returnTo=/app/links`)).toEqual({ path: "/app/links", error: "provider_refused" });
  });

  test("gets claims that the token lacks from the provider's userinfo endpoint", async () => {
    const terse = await startIdentityProvider({ callbackUrl, isTellingInToken: false });
    terse.user = person({ name: "Grace" });
    const other = await service.register();
    const { startUrl } = await enableSso(service, other, terse);
    expect((await me((await signIn(startUrl)).token)).user).toMatchObject({ email: terse.user.email, name: "Grace" });
    expect(terse.requests.some((request) => request.endsWith(" /me"))).toBe(true);
  });

  test("ends with provider_refused for a wrong client secret, and works once it is corrected", async () => {
    const other = await service.register();
    const { startUrl } = await enableSso(service, other, { ...provider, clientSecret: "not the secret" });
    expect((await signIn(startUrl)).error).toBe("provider_refused");
    const body = { clientSecret: provider.clientSecret };
    await call("PATCH", ssoPath(other.orgId), { token: other.token, body });
    expect((await signIn(startUrl)).token).toBeString();
  });

  test("works once: repeating the callback gets no session", async () => {
    const browser = openBrowser();
    const back = await browser.follow(startUrl, callbackUrl);
    const jar = new Map(browser.jars.get(service.url.replace("localhost", "127.0.0.1")));
    const done = await browser.step(back);
    expect(outcomeOf(done).token).toBeString();
    // Without the cookie, the sign-in belongs to no browser. With a copy of the cookie, the provider's code is used
    // up.
    const again = await browser.step(back);
    expect(outcomeOf(again).error).toBe("state_mismatch");
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const kept = await fetch(back, { redirect: "manual", headers: { cookie } });
    expect(outcomeOf(kept).error).toBe("provider_refused");
  });

  test("sends the token in an HttpOnly cookie only, with no caching and no referrer", async () => {
    const browser = openBrowser();
    const done = await browser.step(await browser.follow(startUrl, callbackUrl));
    const location = new URL(done.headers.get("location") ?? "");
    expect(done.status).toBe(302);
    expect(location.href).toBe(`${new URL(startUrl).origin}/app`);
    const [, kept] = done.headers.getSetCookie();
    expect(kept).toMatch(/^waymark=[\w.-]+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/);
    expect(done.headers.get("cache-control")).toBe("no-store");
    expect(done.headers.get("referrer-policy")).toBe("no-referrer");
    expect(await done.text()).toBe("");
  });
});

test("the log holds neither the client secret, nor a code, nor a token", async () => {
  const browser = openBrowser();
  const back = await browser.follow(startUrl, callbackUrl);
  const { token } = outcomeOf(await browser.step(back));
  const { code, state } = Object.fromEntries(new URL(back).searchParams);
  const secrets = [provider.clientSecret, token, code, state];
  expect(secrets.filter((secret) => !secret || service.logged().includes(secret))).toEqual([]);
});
