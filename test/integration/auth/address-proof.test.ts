/** Where the service sends mail, addresses have to be proven: merely claiming an address keeps nobody out of it. */
import { afterAll, describe, expect, test } from "bun:test";
import { codeAt } from "@test/support/accounts/authenticator";
import { expectFailure } from "@test/support/failure";
import { type ReceivedMail, startSmtp } from "@test/support/servers/smtp";
import { client, startTestService } from "@test/support/service";
import type { AuthSession } from "@/contract/accounts/auth";
import type { Invitation } from "@/contract/accounts/members";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
let now = Date.now();
const smtp = await startSmtp();
afterAll(() => smtp.stop());
const env = { SMTP_URL: smtp.url, MAIL_FROM: "Waymark <no-reply@acme.dev>" };
const service = await startTestService({ env, clock: () => now });
const { call, sql } = service;

type Session = AuthSession & Record<string, unknown>;
const PASSWORD = "quartz trombone lagoon";
let emails = 0;
const freshEmail = () => `holder${++emails}@example.com`;

const register = (email: string, more: object = {}) =>
  call<Session>("POST", "/api/v1/auth/register", {
    body: { name: "Bob", email, password: PASSWORD, organizationName: "Bobs", ...more },
  });
const login = (email: string, password = PASSWORD, more: object = {}) =>
  call<Session>("POST", "/api/v1/auth/login", { body: { email, password, ...more } });
const me = (token: string) => call<Session>("GET", "/api/v1/auth/me", { token });
const verify = (token: unknown) => call("POST", "/api/v1/auth/verify-email", { body: { token } });
const resend = (token: string, headers: Record<string, string> = {}) =>
  call("POST", "/api/v1/auth/verify-email/resend", { token, headers });
const setUpTwoFactor = (token: string) => call<{ secret: string }>("POST", "/api/v1/auth/2fa/setup", { token });
const invite = ({ token, organizations }: AuthSession, email: string) =>
  call<Invitation & Record<string, unknown>>("POST", `/api/v1/organizations/${organizations[0]?._id}/members/invite`, {
    ...{ token, body: { email, role: "member" } },
  });

/** Waits for the `count`th mail of this kind to an address and returns it. */
async function mailTo(email: string, subject: RegExp, count = 1): Promise<ReceivedMail> {
  for (let mails = 1; ; mails++) {
    const found = (await smtp.until(mails)).filter(
      ({ to, headers }) => to.includes(email) && headers.some((line) => subject.test(line)),
    );
    const last = found[count - 1];
    if (last) return last;
  }
}

const PROOF = /^Subject: Confirm your email/;
const tokenIn = ({ text }: ReceivedMail): string => /token=([\w.#-]+)$/m.exec(text)?.[1] ?? "";
const proofTokenOf = async (email: string, count = 1) => tokenIn(await mailTo(email, PROOF, count));

/** Creates an account that somebody registers without access to the address's mail. */
async function squatted(email = freshEmail()) {
  const { status, body } = await register(email, { name: "Squatter", organizationName: "Squat" });
  expect(status).toBe(201);
  return { email, session: body };
}

async function resetThrough(email: string, password: string, count = 1) {
  await call("POST", "/api/v1/auth/password/forgot", { body: { email } });
  const token = tokenIn(await mailTo(email, /^Subject: Reset/, count));
  return call("POST", "/api/v1/auth/password/reset", { body: { token, password } });
}

const stateOf = async (userId: string) => {
  const [row] = await sql`
    select (select count(*)::int from users where id = ${userId}) as users,
      (select count(*)::int from memberships where user_id = ${userId}) as memberships,
      (select count(*)::int from sessions where user_id = ${userId} and revoked_at is null) as sessions`;
  return { ...row };
};
const GONE = { users: 0, memberships: 0, sessions: 0 };

describe("a new account", () => {
  test("is sent a confirmation link and is marked as unverified", async () => {
    const { email, session } = await squatted();
    expect(session.user.emailVerified).toBe(false);
    const mail = await mailTo(email, PROOF);
    expect(mail.text).toMatch(/^http:\/\/localhost:\d+\/app\/verify-email\?token=[\w.-]+$/m);
    for (const chosen of ["Squatter", "Squat", session.token]) expect(mail.text).not.toContain(chosen);
    expect(service.logged()).not.toContain(tokenIn(mail));
  });

  test("gets 403 for invitations and two-factor until its address is verified, but can create links", async () => {
    const { email, session } = await squatted();
    const { token } = session;
    const orgId = session.organizations[0]?._id;
    expectFailure(await invite(session, freshEmail()), 403);
    expectFailure(await setUpTwoFactor(token), 403);
    expectFailure(await call("POST", "/api/v1/auth/2fa/enable", { token, body: { code: "123456" } }), 403);
    const body = { defaultUrl: "https://example.com/" };
    expect((await call("POST", `/api/v1/organizations/${orgId}/links`, { token, body })).status).toBe(201);
    expect((await verify(await proofTokenOf(email))).status).toBe(200);
    expect((await invite(session, freshEmail())).status).toBe(200);
    expect((await setUpTwoFactor(token)).status).toBe(200);
  });
});

describe("verification of an address", () => {
  test("succeeds with the mailed token, even twice, and is audited once", async () => {
    const { email, session } = await squatted();
    const token = await proofTokenOf(email);
    for (let times = 0; times < 2; times++) {
      const { status, body } = await verify(token);
      expect([status, body]).toEqual([200, { verified: true }]);
    }
    expect((await me(session.token)).body.user.emailVerified).toBe(true);
    const entries = await sql`select actor_email from audit_logs where action = 'user.email_verify'
      and resource_id = ${session.user._id}`;
    expect(entries.map(({ actor_email }) => actor_email)).toEqual([email]);
  });

  test("400 for a token of another kind, a forged one, or one of a deleted account", async () => {
    const { email, session } = await squatted();
    const token = await proofTokenOf(email);
    expectFailure(await verify(session.token), 400, ["token"]);
    const forged = token.replace(/.(?=.{9}$)/, (letter) => (letter === "A" ? "B" : "A"));
    expectFailure(await verify(forged), 400, ["token"]);
    expectFailure(await me(token), 401);
    expect((await resetThrough(email, "another long passphrase")).status).toBe(200);
    expectFailure(await verify(token), 400, ["token"]);
  });

  test("can be requested again: at most three mails an hour per address, and earlier links keep working", async () => {
    const { email, session } = await squatted();
    expect((await resend(session.token)).body).toEqual({ requested: true });
    expect((await resend(session.token)).status).toBe(200);
    const { headers, ...refused } = await resend(session.token);
    expectFailure({ headers, ...refused }, 429);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(3000);
    await mailTo(email, PROOF, 3);
    expect((await verify(await proofTokenOf(email, 2))).status).toBe(200);
    expectFailure(await resend(session.token), 409);
  });

  test("429 after 60 mail requests an hour from one network, across its clients and kinds of mail", async () => {
    const from = (host: number) => ({ "x-client": `198.51.100.${host}` });
    const { session } = await squatted();
    const forgot = (host: number) =>
      call("POST", "/api/v1/auth/password/forgot", { body: { email: "nobody@example.com" }, headers: from(host) });
    const statuses = await Promise.all(Array.from({ length: 60 }, async (_, host) => (await forgot(host)).status));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expectFailure(await forgot(61), 429);
    expectFailure(await resend(session.token, from(62)), 429);
    expect((await resend(session.token)).status).toBe(200);
  });
});

describe("an unverified address", () => {
  test("is reserved for a day (409); after that, registering it replaces the old account", async () => {
    const { email, session } = await squatted();
    now += DAY_MS - 1;
    expectFailure(await register(email), 409, ["email"]);
    now += 1;
    const { status, body } = await register(email.toUpperCase(), { name: "Ada", organizationName: "Adas" });
    expect([status, body.user.name, body.user.emailVerified]).toEqual([201, "Ada", false]);
    expect(body.user._id).not.toBe(session.user._id);
    expect(body.organizations.map(({ name }) => name)).toEqual(["Adas"]);
    expect(await stateOf(session.user._id)).toEqual(GONE);
    expectFailure(await me(session.token), 401);
    expectFailure(await verify(await proofTokenOf(email)), 400, ["token"]);
  });

  test("goes to only one of several simultaneous registrations", async () => {
    const { email } = await squatted();
    now += DAY_MS;
    const replies = await Promise.all([1, 2, 3].map(() => register(email)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  });

  test("stays taken once it is verified", async () => {
    const { email } = await squatted();
    expect((await verify(await proofTokenOf(email))).status).toBe(200);
    now += 400 * DAY_MS;
    expectFailure(await register(email), 409, ["email"]);
  });

  test("goes to whoever resets the password by mail, in a new account without the old organizations", async () => {
    const { email, session } = await squatted();
    const orgId = session.organizations[0]?._id ?? "";
    const link = await service.createLink(
      { ...session, orgId, email, password: PASSWORD },
      { defaultUrl: "https://example.com/" },
    );
    const password = "another long passphrase";
    expect((await resetThrough(email, password)).status).toBe(200);
    expectFailure(await login(email), 401);
    expectFailure(await me(session.token), 401);
    expect(await stateOf(session.user._id)).toEqual(GONE);
    const { body } = await login(email, password);
    expect(body.user).toMatchObject({ email, name: email.split("@")[0], emailVerified: true, twoFactorEnabled: false });
    expect(body.organizations).toEqual([]);
    expectFailure(await call("GET", `/api/v1/organizations/${orgId}`, { token: body.token }), 404);
    expect((await service.visit(link)).status).toBe(302);
    const entries =
      await sql`select actor_type, changes from audit_logs where org_id = ${orgId} and action = 'user.dissolve'`;
    expect([...entries]).toEqual([{ actor_type: "system", changes: { email: { from: email, to: null } } }]);
    expect((await setUpTwoFactor(body.token)).status).toBe(200);
  });

  test("can be taken over by a reset although two-factor was enabled before verification was required", async () => {
    const { email, session } = await squatted();
    await sql`update users set address_held_until = null where email = ${email}`;
    const { secret } = (await setUpTwoFactor(session.token)).body;
    const body = { code: codeAt(secret, now) };
    expect((await call("POST", "/api/v1/auth/2fa/enable", { token: session.token, body })).status).toBe(200);
    await sql`update users set address_held_until = ${new Date(now + DAY_MS)} where email = ${email}`;
    expect((await resetThrough(email, "another long passphrase")).status).toBe(200);
    expect((await login(email, "another long passphrase")).body).toMatchObject({ user: { twoFactorEnabled: false } });
  });

  test("takes along the invitations it sent before verification was required", async () => {
    const { email, session } = await squatted();
    const orgId = session.organizations[0]?._id ?? "";
    await sql`update users set address_held_until = null where email = ${email}`;
    const invited = await invite(session, `guest.of.${email}`);
    expect(invited.status).toBe(200);
    await sql`update users set address_held_until = ${new Date(now + DAY_MS)} where email = ${email}`;
    expect((await resetThrough(email, "another long passphrase")).status).toBe(200);
    expect([...(await sql`select id from memberships where org_id = ${orgId}`)]).toEqual([]);
    const entries = await sql`select actor_type, resource_id from audit_logs
      where org_id = ${orgId} and action = 'member.remove'`;
    expect([...entries]).toEqual([{ actor_type: "system", resource_id: invited.body._id }]);
  });

  test("keeps its account and organizations on a password reset once it is verified", async () => {
    const { email, session } = await squatted();
    expect((await verify(await proofTokenOf(email))).status).toBe(200);
    expect((await resetThrough(email, "another long passphrase")).status).toBe(200);
    const { body } = await login(email, "another long passphrase");
    expect([body.user._id, body.organizations]).toEqual([session.user._id, session.organizations]);
  });
});

describe("an invitation", () => {
  /** Invites to a new organization. */
  const inviteBy = async (email: string) => {
    const owner = await service.register();
    const path = `/api/v1/organizations/${owner.orgId}/members/invite`;
    const { body } = await call<{ inviteToken: string }>("POST", path, {
      ...{ token: owner.token, body: { email, role: "viewer" } },
    });
    return {
      orgId: owner.orgId,
      shown: body.inviteToken,
      mailed: tokenIn(await mailTo(email, /^Subject: You are invited/)),
    };
  };

  test("verifies the address if registered with the mailed token, not with the one shown to the inviter", async () => {
    const [first, second] = [freshEmail(), freshEmail()];
    const { shown } = await inviteBy(first);
    const { body: unproven } = await register(first, { inviteToken: shown });
    expect(unproven.user.emailVerified).toBe(false);
    expectFailure(await setUpTwoFactor(unproven.token), 403);
    const { orgId, mailed } = await inviteBy(second);
    const { body: proven } = await register(second, { inviteToken: mailed });
    expect([proven.user.emailVerified, proven.organizations[0]?._id]).toEqual([true, orgId]);
    expect((await setUpTwoFactor(proven.token)).status).toBe(200);
  });

  test("with an invalid signature works like one without: the address stays unverified", async () => {
    const email = freshEmail();
    const { shown } = await inviteBy(email);
    const { status, body } = await register(email, { inviteToken: `${shown}.${"A".repeat(43)}` });
    expect([status, body.user.emailVerified]).toEqual([201, false]);
  });

  test("verifies the address on sign-in with its mailed token; of several at once, only one succeeds", async () => {
    const { email, session } = await squatted();
    const { mailed } = await inviteBy(email);
    const replies = await Promise.all([1, 2, 3].map(() => login(email, PASSWORD, { inviteToken: mailed })));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
    expect(replies.find(({ status }) => status === 200)?.body.user.emailVerified).toBe(true);
    expect((await me(session.token)).body.user.emailVerified).toBe(true);
  });

  test("lets the holder of the mailed token register and replace an unverified account", async () => {
    const { email, session } = await squatted();
    const { orgId, shown, mailed } = await inviteBy(email);
    expectFailure(await register(email, { inviteToken: shown }), 409, ["email"]);
    const { status, body } = await register(email, { name: "Ada", inviteToken: mailed });
    expect([status, body.user.name, body.user.emailVerified]).toEqual([201, "Ada", true]);
    expect(body.organizations.map(({ _id }) => _id)).toEqual([orgId]);
    expect(await stateOf(session.user._id)).toEqual(GONE);
  });

  test("for another address does not take over an unverified account", async () => {
    const { email, session } = await squatted();
    const { mailed } = await inviteBy(freshEmail());
    expectFailure(await register(email, { inviteToken: mailed }), 400, ["inviteToken"]);
    expect(await stateOf(session.user._id)).toMatchObject({ users: 1, memberships: 1 });
  });
});

describe("without a mail server", () => {
  test("no verification is required: accounts count as verified, and resending is 409", async () => {
    const silent = await startTestService({ clock: () => now });
    const { url } = silent;
    const account = await client(url).register();
    const signedIn = { token: account.token };
    const { body } = await silent.call<Session>("GET", "/api/v1/auth/me", signedIn);
    expect(body.user.emailVerified).toBe(true);
    expect((await silent.call("POST", "/api/v1/auth/2fa/setup", signedIn)).status).toBe(200);
    expectFailure(await silent.call("POST", "/api/v1/auth/verify-email/resend", signedIn), 409);
    // As it was left by a service that sent mail until its operator took the mail server away.
    await silent.sql`update users set address_held_until = now() where email = ${account.email}`;
    expect((await silent.call<Session>("GET", "/api/v1/auth/me", signedIn)).body.user.emailVerified).toBe(true);
    const again = { name: "Bob", email: account.email, password: PASSWORD, organizationName: "Bobs" };
    now += 2 * DAY_MS;
    expectFailure(await silent.call("POST", "/api/v1/auth/register", { body: again }), 409, ["email"]);
  });
});
