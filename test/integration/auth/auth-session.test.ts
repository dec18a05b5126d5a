import { describe, expect, test } from "bun:test";
import { expectFailure } from "@test/support/failure";
import { startTestService } from "@test/support/service";
import type { AuthSession } from "@/contract/accounts/auth";

const HOUR_MS = 3_600_000;
let now = Date.now();
const service = await startTestService({ clock: () => now });
const { call, sql } = service;
const ada = await service.register();

const login = (body: unknown) => call<AuthSession & Record<string, unknown>>("POST", "/api/v1/auth/login", { body });
const me = (token: string) => call<AuthSession & Record<string, unknown>>("GET", "/api/v1/auth/me", { token });
const logout = (token: string) => call("POST", "/api/v1/auth/logout", { token });
const signIn = async () => (await login({ email: ada.email, password: ada.password })).body.token;

describe("login", () => {
  test("400 for missing fields and wrong types", async () => {
    expectFailure(await login({}), 400, ["email", "password"]);
    expectFailure(await login({ email: { $ne: null }, password: ["a"] }), 400, ["email", "password"]);
    expectFailure(await login({ email: ada.email, password: "" }), 400, ["password"]);
  });

  test("401 with the same response for a wrong password and an unknown email", async () => {
    const wrong = await login({ email: ada.email, password: "not the password" });
    const unknown = await login({ email: "nobody@example.com", password: "not the password" });
    expectFailure(wrong, 401);
    expectFailure(unknown, 401);
    expect(unknown.body).toEqual(wrong.body);
  });

  test("401 for the right password in another case or with a trailing space", async () => {
    expectFailure(await login({ email: ada.email, password: ada.password.toUpperCase() }), 401);
    expectFailure(await login({ email: ada.email, password: `${ada.password} ` }), 401);
  });

  test("200 with a session, whatever the email's case", async () => {
    const { status, body } = await login({ email: ada.email.toUpperCase(), password: ada.password });
    expect(status).toBe(200);
    expect(body.user.email).toBe(ada.email);
    expect(body.organizations.map(({ _id }) => _id)).toEqual([ada.orgId]);
    expect((await me(body.token)).status).toBe(200);
  });

  test("each sign-in opens its own session", async () => {
    const [first, second] = [await signIn(), await signIn()];
    expect(first).not.toBe(second);
    await logout(first);
    expect((await me(second)).status).toBe(200);
  });
});

describe("me", () => {
  test("401 without credentials, naming the accepted schemes", async () => {
    const reply = await call("GET", "/api/v1/auth/me");
    expectFailure(reply, 401);
    expect(reply.headers.get("www-authenticate")).toContain("Bearer");
  });

  test("200 echoes the token it was called with", async () => {
    const { status, body } = await me(ada.token);
    expect(status).toBe(200);
    expect(body.token).toBe(ada.token);
    expect(body.user.email).toBe(ada.email);
  });

  test("200 lists the user's current organizations, not those they have left", async () => {
    const other = await service.register();
    const [user] = await sql`select id from users where email = ${ada.email}`;
    const id = Bun.randomUUIDv7();
    await sql`insert into memberships (id, org_id, user_id, role)
      values (${id}, ${other.orgId}, ${user?.id}, 'viewer')`;
    expect((await me(ada.token)).body.organizations.map(({ _id }) => _id)).toEqual([ada.orgId, other.orgId]);
    await sql`delete from memberships where id = ${id}`;
    expect((await me(ada.token)).body.organizations.map(({ _id }) => _id)).toEqual([ada.orgId]);
  });
});

describe("logout", () => {
  test("401 without credentials", async () => {
    expectFailure(await call("POST", "/api/v1/auth/logout"), 401);
  });

  test("200 ends the session at once; a second logout is 401", async () => {
    const token = await signIn();
    const reply = await logout(token);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ signedOut: true });
    expectFailure(await me(token), 401);
    expectFailure(await call("GET", `/api/v1/organizations/${ada.orgId}/links`, { token }), 401);
    expectFailure(await logout(token), 401);
  });
});

describe("a session", () => {
  test("expires after exactly twelve hours", async () => {
    const token = await signIn();
    const start = now;
    now = start + 12 * HOUR_MS - 1;
    expect((await me(token)).status).toBe(200);
    now = start + 12 * HOUR_MS;
    expectFailure(await me(token), 401);
    now = start;
  });

  test("ends when its user is deleted", async () => {
    const eve = await service.register();
    await sql`delete from users where email = ${eve.email}`;
    expectFailure(await me(eve.token), 401);
  });

  test("gives no access to an organization once the membership is deleted", async () => {
    const eve = await service.register();
    const links = () => call("GET", `/api/v1/organizations/${eve.orgId}/links`, { token: eve.token });
    expect((await links()).status).toBe(200);
    await sql`delete from memberships where org_id = ${eve.orgId}`;
    now += 1000;
    await Bun.sleep(1000);
    expectFailure(await links(), 404);
  });
});
