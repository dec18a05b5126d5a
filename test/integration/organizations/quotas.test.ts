import { beforeEach, describe, expect, test } from "bun:test";
import { expectFailure } from "@test/support/failure";
import { type Account, startTestService } from "@test/support/service";
import type { Plan } from "@/contract/accounts/plans";

const MAY_ENDS = Date.parse("2026-06-01T00:00:00.000Z");
const HOUR = 3_600_000;
const FREE = 50_000;
const APP_SECRET = "one secret for all of these servers";

let now = MAY_ENDS - HOUR;
const env = { APP_SECRET, SHORT_DOMAIN: "quota.example" };
const first = await startTestService({ env, clock: () => now });
const second = await startTestService({ env: { ...env, DATABASE_URL: first.databaseUrl }, clock: () => now });
const { call, sql } = first;
let ada: Account;
const eve = await first.register();

/** Each test uses another user, because the requests of one user within a minute count together. */
beforeEach(async () => {
  now = MAY_ENDS - HOUR;
  ada = await first.register();
});

/** Inserts an organization of Ada's that no server has cached yet, with that many requests in May. */
async function organization(plan: Plan, requests: number): Promise<string> {
  const id = Bun.randomUUIDv7();
  await sql`insert into organizations (id, name, slug, plan) values (${id}, 'Acme', ${id}, ${plan})`;
  await sql`insert into memberships (id, org_id, user_id, role)
    select ${Bun.randomUUIDv7()}, ${id}, id, 'owner' from users where email = ${ada.email}`;
  await sql`insert into request_usage (org_id, month, requests) values (${id}, '2026-05-01', ${requests})`;
  return id;
}

const ask = (orgId: string, at = first, token = ada.token) =>
  at.call("GET", `/api/v1/organizations/${orgId}/links`, { token });
const figures = (orgId: string) =>
  call("GET", `/api/v1/organizations/${orgId}/analytics/overview`, { token: ada.token });
const used = async (orgId: string, at = first) => {
  const { body } = await at.call<{ requests: { used: number; limit: number | null } }>(
    "GET",
    `/api/v1/organizations/${orgId}/usage`,
    { token: ada.token },
  );
  return body.requests;
};

describe("429", () => {
  test("once the month's requests are used up, until the next month begins", async () => {
    const orgId = await organization("free", FREE - 2);
    for (const status of [200, 200]) expect((await ask(orgId)).status).toBe(status);
    const refused = await ask(orgId);
    expectFailure(refused, 429);
    expect(refused.body).toEqual({
      error: "This month's requests are used up; choose another plan or wait for next month",
      details: ["requestsPerMonth: at most 50,000 on the plan free"],
    });
    expect(refused.headers.toJSON()).toMatchObject({
      "retry-after": "3600",
      "x-ratelimit-limit": "50000",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": String(MAY_ENDS / 1000),
    });
    now = MAY_ENDS - 1;
    expect((await ask(orgId)).headers.get("retry-after")).toBe("1");
    now = MAY_ENDS;
    const next = await ask(orgId);
    expect([next.status, next.headers.get("x-ratelimit-limit")]).toEqual([200, "60"]);
    expect(await used(orgId)).toEqual({ used: 2, limit: FREE });
  });

  test("for all sessions and API keys of the organization, analytics included, on all servers", async () => {
    const orgId = await organization("free", FREE - 1);
    const path = `/api/v1/organizations/${orgId}/api-keys`;
    const key = await call<{ key: string }>("POST", path, {
      token: ada.token,
      body: { name: "server", scopes: ["links:read"] },
    });
    expectFailure(await call("GET", `/api/v1/links/${Bun.randomUUIDv7()}`, { apiKey: key.body.key }), 429);
    expectFailure(await ask(orgId), 429);
    expectFailure(await figures(orgId), 429);
    const { body } = await call<{ token: string }>("POST", "/api/v1/auth/login", { body: ada });
    expectFailure(await ask(orgId, first, body.token), 429);
    await sql`update request_usage set requests = ${FREE} where org_id = ${orgId}`;
    expectFailure(await ask(orgId, second), 429);
  });

  test("before the body is read", async () => {
    const orgId = await organization("free", FREE);
    const path = `/api/v1/organizations/${orgId}/links`;
    expectFailure(await call("POST", path, { token: ada.token, body: "{" }), 429);
  });

  test("ends with a larger plan from the next request on", async () => {
    const orgId = await organization("free", FREE);
    expectFailure(await ask(orgId), 429);
    await sql`update organizations set plan = 'pro' where id = ${orgId}`;
    expect((await ask(orgId)).status).toBe(200);
    expect(await used(orgId)).toEqual({ used: FREE + 2, limit: 2_000_000 });
  });

  test("applies neither to other organizations nor to requests outside of one", async () => {
    const [spent, other] = [await organization("free", FREE), await organization("free", 0)];
    expectFailure(await ask(spent), 429);
    expect((await ask(other)).status).toBe(200);
    expect((await call("GET", "/api/v1/auth/me", { token: ada.token })).status).toBe(200);
  });
});

describe("counting requests", () => {
  test("includes those answered, even with 4xx, but not those over a limit, unauthenticated or of non-members", async () => {
    const orgId = await organization("free", 0);
    const path = `/api/v1/organizations/${orgId}/links`;
    const { token } = ada;
    await call("GET", path, { token });
    await call("GET", `${path}?page=x`, { token });
    await call("GET", `${path}/${Bun.randomUUIDv7()}`, { token });
    await figures(orgId);
    await call("GET", path, {});
    await call("GET", path, { token: `${token}x` });
    await call("OPTIONS", path, { token, headers: { "access-control-request-method": "GET" } });
    expectFailure(await ask(orgId, first, eve.token), 404);
    // Reading the usage counts, too.
    expect(await used(orgId)).toEqual({ used: 5, limit: FREE });
    const found = await Promise.all(Array.from({ length: 80 }, () => ask(orgId)));
    const answered = found.filter(({ status }) => status === 200).length;
    expect(answered).toBe(60 - 4);
    now += 60_000;
    expect((await used(orgId)).used).toBe(5 + answered + 1);
  });

  test("continues without a limit on the plan unlimited", async () => {
    const orgId = await organization("unlimited", 10 ** 9);
    expect((await ask(orgId)).status).toBe(200);
    expect(await used(orgId)).toEqual({ used: 10 ** 9 + 2, limit: null });
  });

  test("reaches Postgres once a server has stopped, and the other server soon after", async () => {
    const orgId = await organization("free", 100);
    for (const server of [first, second, second]) await ask(orgId, server);
    await second.service.stop();
    const [row] = await sql`select requests from request_usage where org_id = ${orgId}`;
    expect([102, 103]).toContain(Number(row?.requests));
    now += 10_000;
    expect((await used(orgId)).used).toBe(104);
  });
});
