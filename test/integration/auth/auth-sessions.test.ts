/** The user's sessions: listed, ended, and when they were last used. */
import { describe, expect, test } from "bun:test";
import { tableState } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import { type Account, startTestService } from "@test/support/service";
import { eventually } from "@test/support/until";
import type { Session } from "@/contract/accounts/sessions";
import { deleteOldSignIns } from "@/modules/auth/retention";
import { SESSIONS_MAX } from "@/modules/auth/sessions/sessions";
import { createSessionTokens } from "@/modules/auth/sessions/tokens";
import { openKeys } from "@/platform/keys";

const SECRET = "the secret of this test, which is long enough";
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
let now = Date.now();
const service = await startTestService({ clock: () => now, env: { APP_SECRET: SECRET } });
const { call, sql } = service;
const tokens = createSessionTokens(await openKeys({ appSecret: SECRET, appSecretPrevious: null, dataDir: "/nowhere" }));
const ada = await service.register();
const eve = await service.register();

const PATH = "/api/v1/auth/sessions";
const list = (token: string, query = "") =>
  call<{ sessions: Session[]; total: number; totalPages: number } & Record<string, unknown>>("GET", PATH + query, {
    token,
  });
const revoke = (token: string, id: string) => call("DELETE", `${PATH}/${encodeURIComponent(id)}`, { token });
const isSignedIn = async (token: string) => (await call("GET", "/api/v1/auth/me", { token })).status === 200;

/** Opens a session as a sign-in does, without the cost of hashing the password. */
async function open({ email }: Account, changes: { ssoOrgId?: string; openedAt?: number } = {}) {
  const { ssoOrgId = null, openedAt = now } = changes;
  const id = Bun.randomUUIDv7();
  const [row] = await sql`
    insert into sessions (id, user_id, sso_org_id, ip, user_agent, created_at, expires_at)
    select ${id}, id, ${ssoOrgId}, '203.0.113.7', 'Safari', ${new Date(openedAt)}, ${new Date(openedAt + 12 * HOUR_MS)}
    from users where email = ${email} returning user_id`;
  return { id, token: await tokens.sign({ sub: String(row?.user_id), sid: id }) };
}
const currentOf = async (token: string) => (await list(token)).body.sessions.find(({ isCurrent }) => isCurrent);

describe("403", () => {
  test("for a single sign-on session that lists or ends sessions, even its own; it can still sign out", async () => {
    const sso = await open(ada, { ssoOrgId: ada.orgId });
    const other = await open(ada);
    expectFailure(await list(sso.token), 403);
    expectFailure(await revoke(sso.token, other.id), 403);
    expectFailure(await revoke(sso.token, sso.id), 403);
    expect([await isSignedIn(other.token), await isSignedIn(sso.token)]).toEqual([true, true]);
    expect((await call("POST", "/api/v1/auth/logout", { token: sso.token })).status).toBe(200);
  });
});

describe("404", () => {
  test("with the same response for another user's session, an ended one and an invalid id", async () => {
    const others = await open(ada);
    const ended = await open(eve);
    const expired = await open(eve, { openedAt: now - 12 * HOUR_MS });
    await revoke(eve.token, ended.id);
    const before = await tableState(sql);
    const ids = [others.id, ended.id, expired.id, Bun.randomUUIDv7(), "1", "' or 1=1 --", "a".repeat(3000)];
    const replies = await Promise.all(ids.map((id) => revoke(eve.token, id)));
    for (const reply of replies) expectFailure(reply, 404);
    expect(new Set(replies.map(({ body }) => body.error)).size).toBe(1);
    expect(await tableState(sql)).toEqual(before);
    expect(await isSignedIn(others.token)).toBe(true);
  });
});

describe("200", () => {
  test("lists the user's active sessions, newest first, and marks the current one", async () => {
    const account = await service.register();
    await open(account, { openedAt: now - 13 * HOUR_MS });
    const sso = await open(account, { ssoOrgId: account.orgId });
    const newest = await open(account);
    const { body } = await list(account.token);
    expect([body.total, body.page, body.limit, body.totalPages]).toEqual([3, 1, 25, 1]);
    const [first, second, third] = body.sessions;
    expect(first).toEqual({
      _id: newest.id,
      createdAt: new Date(now).toISOString(),
      expiresAt: new Date(now + 12 * HOUR_MS).toISOString(),
      ip: "203.0.113.7",
      userAgent: "Safari",
      isCurrent: false,
    });
    expect([second?._id, second?.ssoOrgId]).toEqual([sso.id, account.orgId]);
    expect([third?.isCurrent, third?.ip]).toEqual([true, expect.any(String)]);
  });

  test("paginates the list", async () => {
    const account = await service.register();
    for (let opened = 0; opened < 4; opened++) await open(account);
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(account.token, `?page=${page}&limit=2`)));
    expect(pages.map(({ body }) => body.sessions.length)).toEqual([2, 2, 1, 0]);
    expect(new Set(pages.flatMap(({ body }) => body.sessions.map(({ _id }) => _id))).size).toBe(5);
    expect([pages[0]?.body.total, pages[0]?.body.totalPages]).toEqual([5, 3]);
    expectFailure(await list(account.token, "?limit=101"), 400);
  });

  test("ends a session at once and records it in the organization's audit log", async () => {
    const { id, token } = await open(ada);
    expect((await revoke(ada.token, id)).body).toEqual({ _id: id, deleted: true });
    expect([await isSignedIn(token), await isSignedIn(ada.token)]).toEqual([false, true]);
    expect((await list(ada.token)).body.sessions.map(({ _id }) => _id)).not.toContain(id);
    const entries = await sql`select changes from audit_logs
      where org_id = ${ada.orgId} and action = 'user.session_revoke' order by id desc limit 1`;
    expect(entries[0]?.changes).toEqual({ session: { from: id, to: null } });
  });

  test("ends the session that makes the request", async () => {
    const { id, token } = await open(ada);
    expect((await revoke(token, id)).status).toBe(200);
    expect(await isSignedIn(token)).toBe(false);
  });

  test("for only one of several simultaneous requests to end a session", async () => {
    const { id } = await open(ada);
    const replies = await Promise.all([1, 2, 3, 4].map(() => revoke(ada.token, id)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404]);
  });
});

describe("a sign-in", () => {
  const signIn = ({ email, password }: Account, headers: Record<string, string> = {}) =>
    call<{ token: string }>("POST", "/api/v1/auth/login", { body: { email, password }, headers });

  test("beyond fifty sessions ends the oldest password session, but none opened by single sign-on", async () => {
    const account = await service.register();
    const sso = await open(account, { ssoOrgId: account.orgId, openedAt: now - HOUR_MS });
    const opened = [];
    for (let count = 1; count < SESSIONS_MAX; count++) opened.push(await open(account, { openedAt: now + count }));
    expect((await list(account.token)).body.total).toBe(SESSIONS_MAX + 1);
    now += MINUTE_MS;
    const { body } = await signIn(account);
    expect([await isSignedIn(account.token), await isSignedIn(body.token)]).toEqual([false, true]);
    for (const { token } of [sso, ...opened.slice(0, 2)]) expect(await isSignedIn(token)).toBe(true);
    expect((await list(body.token)).body.total).toBe(SESSIONS_MAX + 1);
  });

  test("is listed with its browser and operating system", async () => {
    const account = await service.register();
    const agent = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0";
    const { body } = await signIn(account, { "user-agent": agent });
    expect(await currentOf(body.token)).toMatchObject({ browser: "Firefox", os: "Linux", userAgent: agent });
  });
});

describe("cleanup of old sign-ins", () => {
  const DAY_MS = 24 * HOUR_MS;
  const retention = (signal = new AbortController().signal) => deleteOldSignIns({ sql, now, signal, batchRows: 2 });

  test("deletes challenges once they expire and sessions a month later, and nothing else", async () => {
    const account = await service.register();
    const [user] = await sql`select id from users where email = ${account.email}`;
    const old = now - 30 * DAY_MS - 12 * HOUR_MS;
    for (let made = 0; made < 3; made++) await open(account, { openedAt: old - 1 });
    const { id: kept } = await open(account, { openedAt: old });
    const challenge = (expiresAt: number) => sql`insert into login_challenges (id, user_id, expires_at)
      values (${Bun.randomUUIDv7()}, ${String(user?.id)}, ${new Date(expiresAt)})`;
    await Promise.all([challenge(now - 1), challenge(now), challenge(now + 1)]);
    expect(await retention(AbortSignal.abort())).toMatchObject({ sessions: 0, login_challenges: 0 });
    expect(await retention()).toEqual({ sessions: 3, access_tokens: 0, login_challenges: 1, password_resets: 0 });
    expect(await retention()).toEqual({ sessions: 0, access_tokens: 0, login_challenges: 0, password_resets: 0 });
    const left = await sql`select id from sessions where user_id = ${String(user?.id)} order by created_at`;
    expect(left.map(({ id }) => id)).toEqual([kept, expect.any(String)]);
  });
});

describe("the last use", () => {
  const lastUsedAt = async (id: string) => {
    const [row] = await sql`select last_used_at from sessions where id = ${id}`;
    return row?.last_used_at ? new Date(row.last_used_at).getTime() : undefined;
  };
  const becomes = (id: string, at: number) => eventually(() => lastUsedAt(id), at);

  test("is recorded in the background, at most once a minute", async () => {
    const { id, token } = await open(ada);
    const first = now;
    await Promise.all([1, 2, 3, 4].map(() => isSignedIn(token)));
    await becomes(id, first);
    now = first + MINUTE_MS - 1;
    expect((await currentOf(token))?.lastUsedAt).toBe(new Date(first).toISOString());
    now = first + MINUTE_MS;
    await isSignedIn(token);
    await becomes(id, first + MINUTE_MS);
  });
});
