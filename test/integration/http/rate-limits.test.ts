/** How often the API may be called within a minute, and the headers that report it in every response. */
import { beforeEach, describe, expect, test } from "bun:test";
import { addMember } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import { type Account, type CallOptions, type Reply, startTestService } from "@test/support/service";
import type { Plan } from "@/contract/accounts/plans";
import { ENTITLEMENTS } from "@/core/entitlements";

const START = Date.parse("2026-06-01T12:00:00.000Z");
const MINUTE = 60_000;
const DASHBOARD = "https://app.example.com";
let now = START;
const service = await startTestService({ env: { DEFAULT_PLAN: "free", DASHBOARD_URL: DASHBOARD }, clock: () => now });
const { call, sql } = service;
const ada = await service.register();
const eve = await service.register();
const viewer = await addMember(service, ada.orgId, "viewer");
const [first, second] = [
  await service.createApiKey(ada, ["links:read"]),
  await service.createApiKey(ada, ["links:read"]),
];
const link = await service.createLink(ada, { defaultUrl: "https://example.com/" });

beforeEach(() => {
  now += MINUTE;
});

type Ask = () => Promise<Reply>;
const { free } = ENTITLEMENTS;
const at = (account: Account, rest: string) => `/api/v1/organizations/${account.orgId}/${rest}`;
const bySession: Ask = () => call("GET", at(ada, "links"), { token: ada.token });
const byKey = (apiKey: string) => call("GET", `/api/v1/links/${link._id}`, { apiKey });
const figures: Ask = () => call("GET", at(ada, "analytics/overview"), { token: ada.token });
const assistant: Ask = () =>
  call("POST", at(ada, "ai/marketing-assistant"), { token: ada.token, body: { goal: "sales" } });
const account: Ask = () => call("GET", "/api/v1/auth/me", { token: ada.token });
/** Asks so often, a hundred times at once. */
const times = async (count: number, ask: Ask): Promise<Reply[]> => {
  const replies: Reply[] = [];
  while (replies.length < count) {
    const more = Math.min(100, count - replies.length);
    replies.push(...(await Promise.all(Array.from({ length: more }, ask))));
  }
  return replies;
};
const statuses = (replies: Reply[]) => [...new Set(replies.map(({ status }) => status))];
const limitsOf = ({ headers }: Reply) =>
  ["limit", "remaining", "reset"].map((name) => {
    const value = headers.get(`x-ratelimit-${name}`);
    return value === null ? null : Number(value);
  });
const seconds = (ms: number) => Math.ceil(ms / 1000);
const setPlan = ({ orgId }: Account, plan: Plan) => sql`update organizations set plan = ${plan} where id = ${orgId}`;

describe("429", () => {
  test.each<[string, number, Ask, string]>([
    ["a user's requests in an organization", 60, bySession, "at most 60 requests on the plan free"],
    ["an API key's requests", 60, () => byKey(first), "at most 60 requests on the plan free"],
    ["analytics requests", 6, figures, "at most 6 analytics requests on the plan free"],
    ["questions to the assistant, which are some,", 6, assistant, "at most 6 analytics requests on the plan free"],
    ["a user's requests outside organizations", 600, account, "at most 600 per user"],
  ])("once %s in a minute reach %i", async (_, bound, ask, sentence) => {
    const begun = now;
    expect(limitsOf(await ask())).toEqual([bound, bound - 1, seconds(begun + MINUTE)]);
    now = begun + 20_000;
    const allowed = await times(bound - 1, ask);
    expect(statuses(allowed)).toEqual([200]);
    expect(new Set(allowed.map((reply) => limitsOf(reply)[1])).size).toBe(bound - 1);
    const refused = await ask();
    expectFailure(refused, 429);
    expect(refused.body).toEqual({
      error: "Too many requests; try again in a moment",
      details: [`requestsPerMinute: ${sentence}`],
    });
    expect([refused.headers.get("retry-after"), ...limitsOf(refused)]).toEqual([
      "40",
      bound,
      0,
      seconds(begun + MINUTE),
    ]);
    now = begun + MINUTE;
    expect(limitsOf(await ask())).toEqual([bound, bound - 1, seconds(begun + 2 * MINUTE)]);
  });

  test("for all but sixty of a hundred simultaneous requests", async () => {
    const found = await times(100, bySession);
    expect(found.filter(({ status }) => status === 200).length).toBe(60);
    expect(found.filter(({ status }) => status === 429).length).toBe(40);
  });

  test("is returned before the body is read", async () => {
    await times(free.requestsPerMinute, bySession);
    expectFailure(await call("POST", at(ada, "links"), { token: ada.token, body: "{" }), 429);
  });

  test("ends immediately on a larger plan", async () => {
    await times(free.requestsPerMinute + 20, bySession);
    await setPlan(ada, "pro");
    expect(limitsOf(await bySession())).toEqual([600, 599, seconds(now + MINUTE)]);
    await setPlan(ada, "free");
    expectFailure(await bySession(), 429);
  });
});

/** Returns the organization that a member of Ada's organization registered with. */
async function ownOf(account: Account): Promise<Account> {
  const { body } = await call<{ organizations: { _id: string }[] }>("GET", "/api/v1/auth/me", { token: account.token });
  const orgId = body.organizations.map(({ _id }) => _id).find((id) => id !== ada.orgId) ?? "";
  return { ...account, orgId };
}

describe("counted together are", () => {
  test("all sessions of a user, in organizations and outside", async () => {
    const { body } = await call<{ token: string }>("POST", "/api/v1/auth/login", { body: ada });
    await bySession();
    expect(limitsOf(await call("GET", at(ada, "links"), { token: body.token }))[1]).toBe(58);
    await account();
    expect(limitsOf(await call("GET", "/api/v1/auth/me", { token: body.token }))[1]).toBe(598);
  });

  test("all organizations of a user on the same plan, including newly created ones", async () => {
    const { token } = viewer;
    const made = await call<{ _id: string }>("POST", "/api/v1/organizations", { token, body: { name: "More" } });
    expect(made.status).toBe(201);
    const others = [await ownOf(viewer), { ...viewer, orgId: made.body._id }];
    await times(free.requestsPerMinute - 2, () => call("GET", at(ada, "links"), { token }));
    for (const other of others) expect((await call("GET", at(other, "links"), { token })).status).toBe(200);
    for (const each of [ada, ...others]) expectFailure(await call("GET", at(each, "links"), { token }), 429);
  });
});

describe("counted separately are", () => {
  test("each user and each API key", async () => {
    await times(free.requestsPerMinute, bySession);
    await times(free.requestsPerMinute, () => byKey(first));
    expect(statuses([await bySession(), await byKey(first)])).toEqual([429]);
    expect(limitsOf(await byKey(second))[1]).toBe(59);
    expect(limitsOf(await call("GET", at(ada, "links"), { token: viewer.token }))[1]).toBe(59);
  });

  test("analytics requests and all others", async () => {
    await times(free.requestsPerMinute, bySession);
    expect((await figures()).status).toBe(200);
    expect((await account()).status).toBe(200);
    expectFailure(await bySession(), 429);
  });

  test("writes under analytics, which do not count as analytics requests", async () => {
    const made = await call("POST", at(ada, "analytics/reports"), { token: ada.token, body: { name: "Weekly" } });
    expect([made.status, ...limitsOf(made)]).toEqual([200, 60, 59, seconds(now + MINUTE)]);
  });

  test("organizations of different plans", async () => {
    const other = await ownOf(viewer);
    await setPlan(other, "pro");
    await times(free.requestsPerMinute, () => call("GET", at(ada, "links"), { token: viewer.token }));
    expectFailure(await call("GET", at(ada, "links"), { token: viewer.token }), 429);
    expect(limitsOf(await call("GET", at(other, "links"), { token: viewer.token }))[1]).toBe(599);
    await setPlan(other, "free");
  });

  test("non-members, who use up only their own limit", async () => {
    const asStranger = () => call("GET", at(ada, "links"), { token: eve.token });
    const refused = await times(70, asStranger);
    expect(statuses(refused)).toEqual([404]);
    expect(limitsOf(await asStranger())).toEqual([600, 529, seconds(now + MINUTE)]);
    expect(limitsOf(await bySession())[1]).toBe(59);
  });
});

describe("every response to an authenticated request states the limit", () => {
  const body = { defaultUrl: "https://example.com/" };
  const answers: [status: number, name: string, method: string, path: string, options: CallOptions][] = [
    [201, "a creation", "POST", at(ada, "links"), { token: ada.token, body }],
    [400, "a bad body", "POST", at(ada, "links"), { token: ada.token, body: {} }],
    [400, "a bad query", "GET", at(ada, "links?page=x"), { token: ada.token }],
    [403, "a role too small", "POST", at(ada, "links"), { token: viewer.token, body }],
    [403, "a scope too small", "POST", "/api/v1/links", { apiKey: first, body }],
    [404, "an unknown link", "GET", at(ada, `links/${Bun.randomUUIDv7()}`), { token: ada.token }],
    [404, "another's organization", "GET", at(eve, "links"), { token: ada.token }],
    [409, "a taken slug", "POST", at(ada, "links"), { token: ada.token, body: { ...body, slug: link.slug } }],
    [413, "a large body", "POST", at(ada, "links"), { token: ada.token, body: JSON.stringify({ a: "a".repeat(3e5) }) }],
    [415, "text", "POST", at(ada, "links"), { token: ada.token, body: "a", headers: { "content-type": "text/plain" } }],
    [200, "a file", "GET", at(ada, "analytics/export.csv"), { token: ada.token }],
    [200, "the account", "GET", "/api/v1/auth/me", { token: ada.token }],
  ];

  test.each(answers)("%i: %s", async (status, _, method, path, options) => {
    const reply = await call(method, path, options);
    const [limit, remaining, reset] = limitsOf(reply);
    expect([reply.status, remaining, reset]).toEqual([status, (limit ?? 0) - 1, seconds(now + MINUTE)]);
  });

  test("200 of a stream", async () => {
    const leaving = new AbortController();
    const response = await fetch(service.url + at(ada, "analytics/overview/stream"), {
      headers: { authorization: `Bearer ${ada.token}` },
      signal: leaving.signal,
    });
    expect([response.status, response.headers.get("x-ratelimit-remaining")]).toEqual([200, "5"]);
    leaving.abort();
  });

  test("500", async () => {
    await sql`alter table links rename to links_away`;
    const reply = await bySession();
    await sql`alter table links_away rename to links`;
    expect([reply.status, limitsOf(reply)[1]]).toEqual([500, 59]);
  });

  test("in headers that scripts of the dashboard can read", async () => {
    const { headers } = await call("GET", at(ada, "links"), { token: ada.token, headers: { origin: DASHBOARD } });
    const exposed = (headers.get("access-control-expose-headers") ?? "").split(", ");
    const names = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After"];
    expect(exposed).toEqual(expect.arrayContaining(names));
  });
});

describe("not counted are", () => {
  test("unauthenticated requests, whose responses state no limit", async () => {
    const wrong = [{}, { token: `${ada.token}x` }, { apiKey: `${first}x` }];
    for (const credentials of wrong) {
      const reply = await call("GET", at(ada, "links"), credentials);
      expect([reply.status, ...limitsOf(reply)]).toEqual([401, null, null, null]);
    }
    expect(limitsOf(await call("GET", "/health"))).toEqual([null, null, null]);
    expect(limitsOf(await bySession())[1]).toBe(59);
    expect(limitsOf(await byKey(first))[1]).toBe(59);
  });

  test("preflights", async () => {
    await times(10, () =>
      call("OPTIONS", at(ada, "links"), { headers: { origin: DASHBOARD, "access-control-request-method": "GET" } }),
    );
    expect(limitsOf(await bySession())[1]).toBe(59);
  });

  test("requests to unknown routes", async () => {
    expect((await call("GET", at(ada, "nothing"), { token: ada.token })).status).toBe(404);
    expect(limitsOf(await bySession())[1]).toBe(59);
  });
});

test("/health reports that rate limits are active", async () => {
  expect((await call("GET", "/health")).body.security).toMatchObject({ rateLimiting: true });
});
