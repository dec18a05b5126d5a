import { afterAll, describe, expect, test } from "bun:test";
import { codeAt, withTwoFactor } from "@test/support/accounts/authenticator";
import { changingNothing } from "@test/support/accounts/changing-nothing";
import { addMember } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import { PROOF_MAIL, startSmtp } from "@test/support/servers/smtp";
import { type Account, type Reply, startTestService } from "@test/support/service";
import type { AuthSession } from "@/contract/accounts/auth";
import type { Invitation, Member } from "@/contract/accounts/members";

const DAY_MS = 86_400_000;
const NOW = Date.now();
const smtp = await startSmtp({}, PROOF_MAIL);
afterAll(() => smtp.stop());
const mail = { SMTP_URL: smtp.url, MAIL_FROM: "Waymark <no-reply@acme.test>" };
const env = {
  BASE_URL: "https://links.acme.test",
  DASHBOARD_URL: "https://app.acme.test",
  DEFAULT_PLAN: "pro",
  ...mail,
};
const service = await startTestService({ clock: () => NOW, env });
const { call, sql } = service;

type Invited = Invitation & Record<string, unknown>;
type Session = AuthSession & Record<string, unknown>;
const invite = (by: Account, email: string, role: unknown = "member") =>
  call<Invited>("POST", `/api/v1/organizations/${by.orgId}/members/invite`, { token: by.token, body: { email, role } });
const register = (email: string, inviteToken: unknown, more: Record<string, unknown> = {}) =>
  call<Session>("POST", "/api/v1/auth/register", {
    body: { name: "Bob", email, password: "quartz trombone lagoon", inviteToken, ...more },
  });
const login = ({ email, password }: Account, inviteToken: unknown) =>
  call<Session & { challengeToken: string }>("POST", "/api/v1/auth/login", { body: { email, password, inviteToken } });
const answer = (body: unknown) => call<Session>("POST", "/api/v1/auth/login/2fa", { body });
const members = async (by: Account) =>
  (await call<{ members: Member[] }>("GET", `/api/v1/organizations/${by.orgId}/members?limit=100`, { token: by.token }))
    .body.members;
const roleIn = async (by: Account, email: string) => (await members(by)).find((each) => each.email === email)?.role;

let emails = 0;
const freshEmail = () => `bob${++emails}@example.com`;
const organizationsOf = ({ organizations }: AuthSession) => organizations.map(({ _id }) => _id);

/** Moves the end of the invitation, as if it had been sent earlier. */
const endAt = (id: string, at: number) =>
  sql`update memberships set invite_expires_at = ${new Date(at)} where id = ${id}`;

async function mailTo(email: string) {
  for (let mails = 0; ; mails++) {
    const found = (await smtp.until(mails)).find(({ to }) => to.includes(email));
    if (found) return found;
  }
}

const owner = await service.register();
const admin = await addMember(service, owner.orgId, "admin");
const member = await addMember(service, owner.orgId, "member");
const viewer = await addMember(service, owner.orgId, "viewer");
const stranger = await service.register();

describe("inviting", () => {
  test.each([
    ["no email", undefined, "member", ["email"]],
    ["an email that is none", "bob", "member", ["email"]],
    ["two emails", "a@example.com,b@example.com", "member", ["email"]],
    ["no role", "bob@example.com", null, ["role"]],
    ["an unknown role", "bob@example.com", "root", ["role"]],
  ])("400 for %s", async (_, email, role, fields) => {
    await changingNothing(sql, async () => expectFailure(await invite(owner, String(email ?? ""), role), 400, fields));
  });

  test("403 for a viewer or a member, and for an admin who invites an owner", async () => {
    await changingNothing(sql, async () => {
      for (const by of [viewer, member]) expectFailure(await invite(by, "bob@example.com"), 403);
      expectFailure(await invite(admin, "bob@example.com", "owner"), 403);
    });
  });

  test("403 for an admin who would replace an invitation of an owner", async () => {
    const email = freshEmail();
    await invite(owner, email, "owner");
    await changingNothing(sql, async () => expectFailure(await invite(admin, email, "viewer"), 403));
  });

  test("404 in another organization", async () => {
    const eve = { ...stranger, orgId: owner.orgId };
    await changingNothing(sql, async () => expectFailure(await invite(eve, stranger.email), 404));
  });

  test("409 for a member's email, in any case", async () => {
    await changingNothing(sql, async () => {
      expectFailure(await invite(owner, viewer.email, "admin"), 409, ["email"]);
      expectFailure(await invite(admin, admin.email.toUpperCase(), "viewer"), 409, ["email"]);
    });
  });

  test("200 with the token and the URL once; the token is never stored, listed or logged", async () => {
    const email = freshEmail();
    const { status, body } = await invite(admin, email.toUpperCase(), "viewer");
    expect(status).toBe(200);
    const { inviteToken, inviteUrl, ...record } = body;
    expect(inviteToken).toMatch(/^[\w-]{43}$/);
    expect(inviteUrl).toBe(`https://links.acme.test/app/invite?token=${inviteToken}`);
    expect((await members(viewer)).find(({ _id }) => _id === record._id)).toEqual(record);
    expect(record).toMatchObject({ email, role: "viewer", status: "invited" });
    expect(Date.parse(record.inviteExpiresAt ?? "")).toBe(NOW + 14 * DAY_MS);
    const [row] = await sql`select to_jsonb(m)::text || (select jsonb_agg(to_jsonb(a))::text from audit_logs a) as text
      from memberships m where id = ${record._id}`;
    expect(row?.text).not.toContain(inviteToken);
    expect(service.logged()).not.toContain(inviteToken);
  });

  test("the same email again replaces the token and the role", async () => {
    const email = freshEmail();
    const first = (await invite(owner, email, "viewer")).body;
    await endAt(first._id, NOW + DAY_MS);
    const second = (await invite(admin, email, "admin")).body;
    expect(second).toMatchObject({ _id: first._id, role: "admin" });
    expect(Date.parse(second.inviteExpiresAt ?? "")).toBe(NOW + 14 * DAY_MS);
    expectFailure(await register(email, first.inviteToken), 400, ["inviteToken"]);
    expect((await register(email, second.inviteToken)).status).toBe(201);
    expect(await roleIn(owner, email)).toBe("admin");
  });

  test("one email twice at the same time creates one invitation, with the token of one of the requests", async () => {
    const email = freshEmail();
    const replies = await Promise.all([invite(owner, email), invite(admin, email)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(replies[0]?.body._id).toBe(replies[1]?.body._id ?? "");
    const accepted = await Promise.all(replies.map(({ body }) => register(email, body.inviteToken)));
    const [made, refused] = accepted.map(({ status }) => status).toSorted();
    expect(made).toBe(201);
    // The other's token is unknown (400), unless the account already exists by then (409).
    expect([400, 409]).toContain(Number(refused));
  });

  test("sends a mail naming inviter and organization, whose name contains nothing that becomes a link", async () => {
    const account = await service.register();
    const organization = `/api/v1/organizations/${account.orgId}`;
    const body = { name: "Acme\r\nBcc: everyone@example.com, see https://evil.example/win\u202e" };
    expect((await call("PATCH", organization, { token: account.token, body })).status).toBe(200);
    const email = freshEmail();
    const { inviteUrl } = (await invite(account, email, "admin")).body;
    const sent = await mailTo(email);
    expect(sent.to).toEqual([email]);
    const name = "Acme Bcc: everyone example com, see https evil example win";
    expect(sent.headers).toContain(`Subject: You are invited to ${name} on Waymark`);
    for (const part of [inviteUrl, account.email, `"${name}"`, "with the role admin", "14 days"])
      expect(sent.text).toContain(part);
    const [url = "", ...others] = sent.text.match(/\S+:\/\/\S+/g) ?? [];
    expect([url.slice(0, inviteUrl.length + 1), others]).toEqual([`${inviteUrl}.`, []]);
  });

  test("sends at most ten mails an hour to one address, whoever invites, but always returns the token", async () => {
    const email = freshEmail();
    const [first, second] = [await service.register(), await service.register()];
    const replies: Reply<Invited>[] = [];
    for (let sent = 0; sent < 6; sent++) {
      replies.push(await invite(first, email), await invite(second, email.toUpperCase()));
    }
    expect(replies.map(({ status, body }) => [status, body.inviteToken.length])).toEqual(Array(12).fill([200, 43]));
    const last = freshEmail();
    await invite(first, last);
    await mailTo(last);
    expect(smtp.mails.filter(({ to }) => to.includes(email))).toHaveLength(10);
  });

  test("429 beyond the plan's limit; expired invitations do not count, and repeated ones count once", async () => {
    const account = await service.register();
    await sql`update organizations set plan = 'free' where id = ${account.orgId}`;
    const [first, second] = [freshEmail(), freshEmail()];
    const { _id } = (await invite(account, first)).body;
    for (const email of [second, first, second]) expect((await invite(account, email)).status).toBe(200);
    expectFailure(await invite(account, freshEmail()), 429);
    await endAt(_id, NOW);
    expect((await invite(account, freshEmail())).status).toBe(200);
    expectFailure(await invite(account, first), 429);
  });

  test("429 after twenty an hour by one user, in all organizations together", async () => {
    const account = await service.register();
    expect((await invite(account, freshEmail())).status).toBe(200);
    // Refused invitations count, too: each could have been a mail.
    await Promise.all(Array.from({ length: 19 }, () => invite(account, account.email)));
    const { headers, ...reply } = await invite(account, freshEmail());
    expectFailure({ headers, ...reply }, 429);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(3000);
    const other = await service.call<{ _id: string }>("POST", "/api/v1/organizations", {
      ...{ token: account.token, body: { name: "Another" } },
    });
    expectFailure(await invite({ ...account, orgId: other.body._id }, freshEmail()), 429);
  });

  test.each([
    ["a /24", (host: number) => `203.0.113.${host}`, "203.0.114.1"],
    ["a /64", (host: number) => `2001:db8:1:2::${host}`, "2001:db8:1:3::1"],
  ])("429 after twenty an hour from %s, by all users together", async (_, addressOf, elsewhere) => {
    const accounts = [await service.register(), await service.register()];
    const inviteFrom = (by: Account, address: string) =>
      call("POST", `/api/v1/organizations/${by.orgId}/members/invite`, {
        ...{ token: by.token, body: { email: freshEmail(), role: "viewer" }, headers: { "x-client": address } },
      });
    const statuses: number[] = [];
    for (let host = 1; host <= 22; host++) {
      for (const by of accounts.slice(host % 2, (host % 2) + 1))
        statuses.push((await inviteFrom(by, addressOf(host))).status);
    }
    expect(statuses).toEqual([...Array(20).fill(200), 429, 429]);
    for (const by of accounts) expect((await inviteFrom(by, elsewhere)).status).toBe(200);
  });
});

describe("accepting with a new account", () => {
  test.each([
    ["a token that is none", "unknown"],
    ["an empty token", ""],
    ["a token that is null", null],
    ["a token of a wrong type", { $ne: "" }],
    ["a token with a NUL byte", "a\0"],
  ])("400 for %s", async (_, token) => {
    await changingNothing(sql, async () => expectFailure(await register(freshEmail(), token), 400, ["inviteToken"]));
  });

  test("400 without token and without organizationName", async () => {
    expectFailure(await register(freshEmail(), undefined), 400, ["organizationName"]);
    expectFailure(await register(freshEmail(), undefined, { organizationName: " " }), 400, ["organizationName"]);
  });

  test("400 for an email other than the invited one, and the invitation stays open", async () => {
    const email = freshEmail();
    const { inviteToken } = (await invite(owner, email)).body;
    await changingNothing(sql, async () => {
      expectFailure(await register(freshEmail(), inviteToken), 400, ["inviteToken"]);
      expectFailure(await register(freshEmail(), inviteToken, { organizationName: "Mine" }), 400, ["inviteToken"]);
    });
    expect((await register(email, inviteToken)).status).toBe(201);
  });

  test("400 at the end of the fourteenth day, and for a withdrawn invitation", async () => {
    const [late, withdrawn] = [freshEmail(), freshEmail()];
    const ended = (await invite(owner, late)).body;
    const gone = (await invite(owner, withdrawn)).body;
    const path = `/api/v1/organizations/${owner.orgId}/members/${gone._id}`;
    expect((await call("DELETE", path, { token: owner.token })).status).toBe(200);
    await endAt(ended._id, NOW);
    await changingNothing(sql, async () => {
      expectFailure(await register(late, ended.inviteToken), 400, ["inviteToken"]);
      expectFailure(await register(withdrawn, gone.inviteToken), 400, ["inviteToken"]);
    });
    await endAt(ended._id, NOW + 1);
    expect((await register(late, ended.inviteToken)).status).toBe(201);
  });

  test("409 for an email that already has an account", async () => {
    const { inviteToken } = (await invite(owner, stranger.email)).body;
    await changingNothing(sql, async () => expectFailure(await register(stranger.email, inviteToken), 409, ["email"]));
  });

  test("201 creates a member and no organization, for the email in any case", async () => {
    const email = freshEmail();
    const invited = (await invite(admin, email, "viewer")).body;
    const [before] = await sql`select count(*)::int as count from organizations`;
    const { status, body } = await register(email.toUpperCase(), invited.inviteToken, { organizationName: "Mine" });
    expect(status).toBe(201);
    expect(organizationsOf(body)).toEqual([owner.orgId]);
    expect((await sql`select count(*)::int as count from organizations`)[0]).toEqual(before);
    const found = (await members({ ...owner, token: body.token })).find(({ _id }) => _id === invited._id);
    expect(found).toMatchObject({ userId: body.user._id, name: "Bob", email, role: "viewer", status: "active" });
    expect(Object.keys(found ?? {})).not.toContain("inviteExpiresAt");
  });

  test("succeeds for exactly one of several simultaneous requests", async () => {
    const email = freshEmail();
    const { inviteToken } = (await invite(owner, email)).body;
    const replies = await Promise.all([1, 2, 3].map(() => register(email, inviteToken)));
    const [first, ...others] = replies.map(({ status }) => status).toSorted();
    expect([first, others.every((status) => status === 409 || status === 400)]).toEqual([201, true]);
  });
});

describe("accepting by signing in", () => {
  test("401 for a wrong password reveals nothing about the invitation, valid or not", async () => {
    const joining = await service.register();
    const { inviteToken } = (await invite(owner, joining.email)).body;
    const bodies: unknown[] = [];
    for (const token of [undefined, "unknown", inviteToken]) {
      const reply = await login({ ...joining, password: "not the password" }, token);
      expectFailure(reply, 401);
      bodies.push(reply.body);
    }
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(await roleIn(owner, joining.email)).toBe("member");
  });

  test("400 for an unknown token or one for another email, without opening a session", async () => {
    const [joining, other] = [await service.register(), freshEmail()];
    const { inviteToken } = (await invite(owner, other)).body;
    await changingNothing(sql, async () => {
      for (const token of ["unknown", inviteToken]) expectFailure(await login(joining, token), 400, ["inviteToken"]);
    });
  });

  test("200 joins the organization immediately, in addition to one's own", async () => {
    const joining = await service.register();
    const { inviteToken } = (await invite(owner, joining.email, "admin")).body;
    const there = { token: joining.token };
    expectFailure(await call("GET", `/api/v1/organizations/${owner.orgId}`, there), 404);
    const { status, body } = await login(joining, inviteToken);
    expect([status, organizationsOf(body).toSorted()]).toEqual([200, [owner.orgId, joining.orgId].toSorted()]);
    expect((await call("GET", `/api/v1/organizations/${owner.orgId}`, there)).status).toBe(200);
    await changingNothing(sql, async () => expectFailure(await login(joining, inviteToken), 400, ["inviteToken"]));
  });

  test("succeeds for exactly one of several simultaneous sign-ins", async () => {
    for (let round = 0; round < 3; round++) {
      const joining = await service.register();
      const { inviteToken } = (await invite(owner, joining.email)).body;
      const replies = await Promise.all([1, 2, 3].map(() => login(joining, inviteToken)));
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
      const [row] = await sql`select count(*)::int as joins from audit_logs
        where action = 'member.join' and actor_email = ${joining.email}`;
      expect(row?.joins).toBe(1);
    }
  });

  test("joins only the inviting organization", async () => {
    const joining = await service.register();
    const { inviteToken } = (await invite(stranger, joining.email, "owner")).body;
    const { body } = await login(joining, inviteToken);
    expect(organizationsOf(body).toSorted()).toEqual([stranger.orgId, joining.orgId].toSorted());
    expect(await roleIn(owner, joining.email)).toBeUndefined();
  });

  test("waits for the second factor, and a wrong code reveals nothing about the invitation", async () => {
    const joining = await withTwoFactor(service, await service.register(), NOW);
    const { inviteToken } = (await invite(owner, joining.email)).body;
    const { status, body } = await login(joining, "unknown");
    expect([status, Object.keys(body).toSorted()]).toEqual([200, ["challengeToken", "twoFactorRequired"]]);
    const { challengeToken } = body;
    expectFailure(await answer({ challengeToken, code: "wrong-code", inviteToken: "unknown" }), 401);
    const code = codeAt(joining.secret, NOW);
    expectFailure(await answer({ challengeToken, code, inviteToken: "unknown" }), 400, ["inviteToken"]);
    // The failed attempt has used up neither the code nor the challenge.
    const reply = await answer({ challengeToken, code, inviteToken });
    expect([reply.status, organizationsOf(reply.body).includes(owner.orgId)]).toEqual([200, true]);
  });

  test("keeps the role of someone who has become a member since, and uses up the invitation", async () => {
    const joining = await service.register();
    const invited = (await invite(owner, joining.email, "admin")).body;
    await sql`insert into memberships (id, org_id, user_id, role)
      select ${Bun.randomUUIDv7()}, ${owner.orgId}, id, 'viewer' from users where email = ${joining.email}`;
    expect((await login(joining, invited.inviteToken)).status).toBe(200);
    expect((await members(owner)).filter(({ email }) => email === joining.email).map(({ role }) => role)).toEqual([
      "viewer",
    ]);
    expectFailure(await login(joining, invited.inviteToken), 400, ["inviteToken"]);
  });
});

test("each step is in the audit log with the user who took it, and without a token", async () => {
  const account = await service.register();
  const joining = await service.register();
  await invite(account, joining.email, "viewer");
  const { _id, inviteToken } = (await invite(account, joining.email, "member")).body;
  await login(joining, inviteToken);
  const entries = await sql`select action, actor_email, changes from audit_logs where resource_id = ${_id} order by id`;
  const end = expect.stringMatching(/Z$/);
  expect([...entries]).toEqual([
    {
      action: "member.invite",
      actor_email: account.email,
      changes: {
        email: { from: null, to: joining.email },
        role: { from: null, to: "viewer" },
        status: { from: null, to: "invited" },
        inviteExpiresAt: { from: null, to: end },
      },
    },
    { action: "member.invite", actor_email: account.email, changes: { role: { from: "viewer", to: "member" } } },
    {
      action: "member.join",
      actor_email: joining.email,
      changes: { status: { from: "invited", to: "active" }, inviteExpiresAt: { from: end, to: null } },
    },
  ]);
});
