import { afterAll, describe, expect, test } from "bun:test";
import { withTwoFactor } from "@test/support/accounts/authenticator";
import { addMember } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import { waitUntilBlocked } from "@test/support/servers/lock-waits";
import { PROOF_MAIL, startSmtp } from "@test/support/servers/smtp";
import { type Account, startTestService } from "@test/support/service";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
let now = Date.now();
const smtp = await startSmtp({}, PROOF_MAIL);
afterAll(() => smtp.stop());
const BASE_URL = "https://links.example.com";
const env = {
  ...{ SMTP_URL: smtp.url, MAIL_FROM: "Waymark <no-reply@acme.dev>" },
  ...{ BASE_URL, DASHBOARD_URL: "https://dash.example.com" },
};
const service = await startTestService({ env, clock: () => now });
const { call, sql } = service;

const forgot = (email: unknown) => call("POST", "/api/v1/auth/password/forgot", { body: { email } });
const reset = (body: unknown) => call("POST", "/api/v1/auth/password/reset", { body });
const login = (email: string, password: string) => call("POST", "/api/v1/auth/login", { body: { email, password } });
const me = ({ token }: Account) => call("GET", "/api/v1/auth/me", { token });
const openResets = async ({ email }: Account): Promise<number> => {
  const [row] = await sql`
    select count(*)::int as open from password_resets r join users u on u.id = r.user_id
    where u.email = ${email} and r.used_at is null`;
  return row?.open;
};

let passwords = 0;
const newPassword = () => `quartz trombone lagoon ${++passwords}`;

/** Requests a mail and returns the token in its link. */
async function tokenFor({ email }: Account): Promise<string> {
  const before = smtp.mails.length;
  expect((await forgot(email)).status).toBe(200);
  const mail = (await smtp.until(before + 1)).at(-1);
  expect(mail?.to).toEqual([email]);
  const [, token] =
    /^https:\/\/links\.example\.com\/app\/reset-password\?token=([\w-]{43})$/m.exec(mail?.text ?? "") ?? [];
  if (!token) throw new Error(`There is no link in: ${mail?.text}`);
  return token;
}

const ada = await service.register();

describe("forgot", () => {
  test("400 for an invalid email", async () => {
    for (const email of [undefined, null, 5, ["ada@example.com"], "ada", "ada@example.com\r\nBcc: eve@example.com"]) {
      expectFailure(await forgot(email), 400, ["email"]);
    }
  });

  test("200 with the same response for known and unknown emails, in any case; mails only known ones", async () => {
    const before = smtp.mails.length;
    const replies = [];
    for (const email of ["nobody@example.com", ada.email.toUpperCase(), "nobody@example.com"]) {
      replies.push(await forgot(email));
    }
    for (const { status, body } of replies) expect([status, body]).toEqual([200, { requested: true }]);
    await smtp.until(before + 1);
    expect(smtp.mails.slice(before).flatMap(({ to }) => to)).toEqual([ada.email]);
  });

  test("200, but at most three mails an hour per account, of which only the last link works", async () => {
    const eve = await service.register();
    const tokens = [await tokenFor(eve), await tokenFor(eve), await tokenFor(eve)];
    const before = smtp.mails.length;
    expect((await forgot(eve.email)).body).toEqual({ requested: true });
    // Mails are sent in order: this one would arrive after the mail that must not exist.
    await tokenFor(await service.register());
    expect(smtp.mails).toHaveLength(before + 1);
    for (const token of tokens.slice(0, 2)) {
      expectFailure(await reset({ token, password: newPassword() }), 400, ["token"]);
    }
    expect((await reset({ token: tokens[2], password: newPassword() })).status).toBe(200);
    now += HOUR_MS;
    await tokenFor(eve);
  });

  test("past twelve mails a day a link is still mailed to whoever has none that works", async () => {
    const eve = await service.register();
    for (let hours = 0; hours < 4; hours++) {
      for (let mails = 0; mails < 3; mails++) await tokenFor(eve);
      now += HOUR_MS;
    }
    const token = await tokenFor(eve);
    const before = smtp.mails.length;
    expect((await forgot(eve.email)).body).toEqual({ requested: true });
    await tokenFor(await service.register());
    expect(smtp.mails).toHaveLength(before + 1);
    expect((await reset({ token, password: newPassword() })).status).toBe(200);
  });

  test("stores only the token's hash and never logs the token", async () => {
    const eve = await service.register();
    const token = await tokenFor(eve);
    const [row] = await sql`
      select to_jsonb(r)::text as row from password_resets r join users u on u.id = r.user_id
      where u.email = ${eve.email}`;
    expect(row?.row).not.toContain(token);
    expect(row?.row).toContain(new Bun.CryptoHasher("sha256").update(token).digest("hex"));
    expect(service.logged()).not.toContain(token);
  });

  test("several simultaneous requests leave only one valid link", async () => {
    const eve = await service.register();
    const before = smtp.mails.length;
    await Promise.all([forgot(eve.email), forgot(eve.email), forgot(eve.email)]);
    await smtp.until(before + 3);
    expect(await openResets(eve)).toBe(1);
  });

  test("deletes expired resets when a new one is created", async () => {
    await tokenFor(await service.register());
    now += HOUR_MS;
    await tokenFor(await service.register());
    const [row] = await sql`select count(*)::int as expired from password_resets where expires_at <= ${new Date(now)}`;
    expect(row?.expired).toBe(0);
  });
});

describe("reset", () => {
  test("400 naming missing fields and wrong types", async () => {
    expectFailure(await reset({}), 400, ["password", "token"]);
    expectFailure(await reset({ token: { $ne: "" }, password: ["a"] }), 400, ["password", "token"]);
  });

  test.each([
    ["an unknown token", "pZ2vK8x1Q0mT5nR7sW3yB6dF9hJ4kL-uCeGiOaVtX_Y"],
    ["odd text", "'; drop table users; --"],
    ["a hash", "a".repeat(64)],
    ["an empty token", ""],
    ["a token of 129 characters", "a".repeat(129)],
  ])("400 for %s", async (_, token) => {
    expectFailure(await reset({ token, password: newPassword() }), 400, ["token"]);
  });

  test("400 for a token that is an hour old, but not a millisecond earlier", async () => {
    const eve = await service.register();
    const token = await tokenFor(eve);
    now += HOUR_MS - 1;
    expectFailure(await reset({ token, password: "short" }), 400, ["password"]);
    expectFailure(await reset({ token, password: "password1" }), 400, ["password"]);
    now += 1;
    expectFailure(await reset({ token, password: newPassword() }), 400, ["token"]);
  });

  test("400 for a password that breaks the rules; the token can still be used", async () => {
    const eve = await service.register();
    const token = await tokenFor(eve);
    for (const password of ["seven77", "password1", eve.email.toUpperCase(), "a".repeat(129)]) {
      expectFailure(await reset({ token, password }), 400, ["password"]);
    }
    expect((await reset({ token, password: newPassword() })).status).toBe(200);
  });

  test("200 sets the password, ends all sessions, access tokens and resets, and is audited per organization", async () => {
    const eve = await addMember(service, ada.orgId, "viewer");
    const second = await login(eve.email, eve.password);
    const tokens = `/api/v1/organizations/${ada.orgId}/access-tokens`;
    const script = { name: "script", scopes: ["read"] };
    const { body } = await service.call<{ token: string }>("POST", tokens, { token: eve.token, body: script });
    const links = () => service.call("GET", `/api/v1/organizations/${ada.orgId}/links`, { token: body.token });
    expect((await links()).status).toBe(200);
    const token = await tokenFor(eve);
    const password = newPassword();
    const reply = await reset({ token, password });
    expectFailure(await links(), 401);
    expect([reply.status, reply.body]).toEqual([200, { reset: true }]);
    expectFailure(await me(eve), 401);
    expectFailure(await me({ ...eve, token: String(second.body.token) }), 401);
    expect((await me(ada)).status).toBe(200);
    expectFailure(await login(eve.email, eve.password), 401);
    expect((await login(eve.email, password)).status).toBe(200);
    expect(await openResets(eve)).toBe(0);
    expectFailure(await reset({ token, password: newPassword() }), 400, ["token"]);
    const entries = await sql`
      select org_id, actor_type, actor_email, resource_type, changes from audit_logs
      where action = 'user.password_reset' and actor_email = ${eve.email}`;
    expect(entries).toHaveLength(2);
    expect(new Set(entries.map(({ org_id }) => org_id))).toContain(ada.orgId);
    expect(entries[0]).toMatchObject({ actor_type: "user", resource_type: "user" });
  });

  test("200 gives a password to an account that had none", async () => {
    const eve = await service.register();
    await sql`update users set password_hash = null where email = ${eve.email}`;
    const password = newPassword();
    expect((await reset({ token: await tokenFor(eve), password })).status).toBe(200);
    expect((await login(eve.email, password)).status).toBe(200);
  });

  test("200 for exactly one of twenty simultaneous uses of a token", async () => {
    const eve = await service.register();
    const token = await tokenFor(eve);
    const tried = Array.from({ length: 20 }, newPassword);
    const replies = await Promise.all(tried.map((password) => reset({ token, password })));
    const won = tried.filter((_, index) => replies[index]?.status === 200);
    expect(won).toHaveLength(1);
    for (const reply of replies.filter(({ status }) => status !== 200)) expectFailure(reply, 400, ["token"]);
    expect((await login(eve.email, won[0] ?? "")).status).toBe(200);
  });

  test("a sign-in in progress with the old password gets 401 once the reset commits", async () => {
    const eve = await service.register();
    const { password } = eve;
    const outcomes = await sql.begin(async (tx) => {
      // A reset between its first statement and its commit.
      await tx`update users set password_hash = ${await Bun.password.hash("another one")} where email = ${eve.email}`;
      const signingIn = login(eve.email, password);
      await waitUntilBlocked(sql, 1);
      return { signingIn };
    });
    expectFailure(await outcomes.signingIn, 401);
  });

  test("a sign-in in progress with a recovery code waits for the reset and then gets 401", async () => {
    const eve = await withTwoFactor(service, await service.register(), now);
    const { challengeToken } = (await login(eve.email, eve.password)).body;
    const [code] = eve.recoveryCodes;
    const outcomes = await sql.begin(async (tx) => {
      // As a reset does: first the user, then the user's open challenges.
      const [user] = await tx`select id from users where email = ${eve.email} for update`;
      const signingIn = call("POST", "/api/v1/auth/login/2fa", { body: { challengeToken, code } });
      await waitUntilBlocked(sql, 1);
      await tx`update login_challenges set used_at = now() where user_id = ${user?.id}`;
      return { signingIn };
    });
    expectFailure(await outcomes.signingIn, 401);
  });
});

describe("without a mail server", () => {
  test("200 with the same response, but no reset is created", async () => {
    const silent = await startTestService();
    const eve = await silent.register();
    for (const email of [eve.email, "nobody@example.com"]) {
      const { status, body } = await silent.call("POST", "/api/v1/auth/password/forgot", { body: { email } });
      expect([status, body]).toEqual([200, { requested: true }]);
    }
    const [row] = await silent.sql`select count(*)::int as made from password_resets`;
    expect(row?.made).toBe(0);
  });
});
