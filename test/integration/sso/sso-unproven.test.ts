/** A provider that vouches for an address which an account holds without having proven it. */
import { afterAll, describe, expect, test } from "bun:test";
import { startIdentityProvider } from "@test/support/accounts/identity-provider";
import { enableSso, signIn, startSsoService } from "@test/support/accounts/sso";
import { waitUntilBlocked, whileLocked } from "@test/support/servers/lock-waits";
import { startSmtp } from "@test/support/servers/smtp";
import { client } from "@test/support/service";
import { until } from "@test/support/until";
import type { AuthSession } from "@/contract/accounts/auth";
import type { Invitation } from "@/contract/accounts/members";

const smtp = await startSmtp();
afterAll(() => smtp.stop());
const env = { SMTP_URL: smtp.url, MAIL_FROM: "Waymark <no-reply@acme.dev>" };
const service = await startSsoService({ env });
const { call, sql, callbackUrl } = service;
const provider = await startIdentityProvider({ callbackUrl });
const ada = await service.register();
const { startUrl } = await enableSso(service, ada, provider, { defaultRole: "admin", allowedDomains: ["example.com"] });

const me = async (token = "") => (await call<AuthSession>("GET", "/api/v1/auth/me", { token })).body;

/**
 * Registers an account whose address nobody has proven, and makes the provider vouch for somebody with that address.
 */
async function squatted() {
  const account = await client(service.url).register();
  provider.user = { sub: account.email, email: account.email, email_verified: true, name: "Bea" };
  return account;
}

test("a provider cannot take over an unconfirmed address or make its account a member within a day", async () => {
  const squatter = await squatted();
  expect(await signIn(startUrl)).toEqual({ path: "/app", error: "email_unproven" });
  expect((await me(squatter.token)).organizations.map(({ _id }) => _id)).toEqual([squatter.orgId]);
});

test("after a day, a sign-in creates a new account that the former holder of the address cannot access", async () => {
  const squatter = await squatted();
  await sql`update users set address_held_until = now() where email = ${squatter.email}`;
  const { token } = await signIn(startUrl);
  const { user, organizations } = await me(token);
  expect([user.name, user.emailVerified, organizations.map(({ _id }) => _id)]).toEqual(["Bea", true, [ada.orgId]]);
  expect((await call("GET", "/api/v1/auth/me", { token: squatter.token })).status).toBe(401);
  const { email, password } = squatter;
  expect((await call("POST", "/api/v1/auth/login", { body: { email, password } })).status).toBe(401);
});

test("an owner can sign in to their own organization, which does not confirm the address", async () => {
  const squatter = await squatted();
  const own = await enableSso(service, squatter, provider, { allowedDomains: ["example.com"] });
  const { token } = await signIn(own.startUrl);
  // The session shows the provider's data; the account itself has proven nothing.
  expect((await me(token)).user.email).toBe(squatter.email);
  expect((await me(squatter.token)).user.emailVerified).toBe(false);
});

test("nobody is invited in the name of an address for which only the organization's own provider vouches", async () => {
  provider.user = { sub: "boss", email: "boss@example.com", email_verified: true, name: "Boss" };
  const { token } = await signIn(startUrl);
  const invite = `/api/v1/organizations/${ada.orgId}/members/invite`;
  const body = { email: "guest@example.org", role: "viewer" };
  expect((await call("POST", invite, { token, body })).status).toBe(200);
  await until(() => smtp.mails.some(({ to }) => to.includes(body.email)));
  const { text = "" } = smtp.mails.find(({ to }) => to.includes(body.email)) ?? {};
  expect(text).toContain("An administrator invites you");
  expect(text).not.toContain("boss@example.com");
});

describe("a sign-in simultaneous with accepting an invitation does not deadlock:", () => {
  async function squattedAndInvited() {
    const { email, password } = await squatted();
    await sql`update users set address_held_until = now() where email = ${email}`;
    const invite = `/api/v1/organizations/${ada.orgId}/members/invite`;
    const { body } = await call<Invitation>("POST", invite, { token: ada.token, body: { email, role: "viewer" } });
    return { email, password, inviteToken: body.inviteToken };
  }

  test("registering with the invitation creates the account, and the sign-in uses it", async () => {
    const body = { ...(await squattedAndInvited()), name: "Bea" };
    const started = await whileLocked(sql, "lock table audit_logs in exclusive mode", async () => {
      const registering = call<AuthSession>("POST", "/api/v1/auth/register", { body });
      await waitUntilBlocked(sql, 1);
      const signingIn = signIn(startUrl);
      await waitUntilBlocked(sql, 2);
      return { registering, signingIn };
    });
    const [registered, signedIn] = await Promise.all([started.registering, started.signingIn]);
    expect([registered.status, signedIn.error]).toEqual([201, undefined]);
    expect((await me(signedIn.token)).user._id).toBe(registered.body.user._id);
  });

  test("logging in with the invitation is refused, because single sign-on has dissolved the account", async () => {
    const body = await squattedAndInvited();
    const organization = `select from organizations where id = '${ada.orgId}' for no key update`;
    const started = await sql.begin(async (tx) => {
      const { signingIn } = await whileLocked(sql, organization, async () => {
        const signingIn = signIn(startUrl);
        await waitUntilBlocked(sql, 1);
        await tx`lock table memberships in access exclusive mode`;
        return { signingIn };
      });
      const accepting = call("POST", "/api/v1/auth/login", { body });
      await waitUntilBlocked(sql, 2);
      return { accepting, signingIn };
    });
    const [accepted, signedIn] = await Promise.all([started.accepting, started.signingIn]);
    expect([accepted.status, signedIn.error]).toEqual([401, undefined]);
  });
});
