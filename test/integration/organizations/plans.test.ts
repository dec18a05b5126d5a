/**
 * Limits of plans: none can be exceeded, however many requests try concurrently, and freeing space allows the next
 * one in.
 */
import { describe, expect, test } from "bun:test";
import { addDomain } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import { type Account, type Reply, startTestService } from "@test/support/service";
import type { Plan } from "@/contract/accounts/plans";
import type { Usage } from "@/contract/accounts/usage";
import type { Link } from "@/contract/links/links";
import { ENTITLEMENTS } from "@/core/entitlements";

const service = await startTestService();
const { call, sql } = service;
const eve = await service.register();
const { free } = ENTITLEMENTS;
const [LINKS, API_KEYS] = [Number(free.links), Number(free.apiKeys)];
const [MEMBERS, DOMAINS] = [Number(free.members), Number(free.domains)];
const SEVERAL = Array.from({ length: 10 }, (_, index) => index);
const input = { defaultUrl: "https://example.com/" };

let made = 0;
/**
 * Creates an organization on the plan, with that many links and an owner of its own, because the requests of one user
 * count together.
 */
async function organization(plan: Plan, links = 0): Promise<Account> {
  const account = await service.register();
  const { orgId: id } = account;
  await sql`update organizations set plan = ${plan} where id = ${id}`;
  await sql`
    insert into links (id, org_id, domain_id, slug, slug_key, default_url)
    select gen_random_uuid(), ${id}, (select id from domains where org_id is null), slug, slug, 'https://example.com/'
    from (select ${`full-${++made}-`}::text || number as slug from generate_series(1, ${links}::int) as number)`;
  return account;
}

const at = ({ orgId }: Account, rest: string) => `/api/v1/organizations/${orgId}/${rest}`;
const create = (account: Account) => call<Link>("POST", at(account, "links"), { token: account.token, body: input });
const usageOf = async (account: Account) =>
  (await call<Usage>("GET", at(account, "usage"), { token: account.token })).body;
const key = (account: Account, fields: object = {}) =>
  call<{ _id: string; key: string }>("POST", at(account, "api-keys"), {
    token: account.token,
    body: { name: "server", scopes: ["links:write"], ...fields },
  });
const tally = (replies: Reply<unknown>[], status: number) => replies.filter((reply) => reply.status === status).length;

/** Expects that one request succeeded and all others were refused. Returns one of the refusals. */
function expectOneOf(replies: Reply[], status: number): Reply {
  expect([tally(replies, status), tally(replies, 429)]).toEqual([1, replies.length - 1]);
  const refused = replies.find((reply) => reply.status === 429);
  if (!refused) throw new Error("None was refused");
  expectFailure(refused, 429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  return refused;
}

describe("429 for a link beyond the plan's limit", () => {
  test("for nine of ten simultaneous requests if there is room for one", async () => {
    const account = await organization("free", LINKS - 1);
    const refused = expectOneOf(
      await Promise.all(SEVERAL.map(() => call("POST", at(account, "links"), { token: account.token, body: input }))),
      201,
    );
    expect(refused.body).toEqual({
      error: "The plan free allows 1,000 links; remove some or choose another plan",
      details: ["links: 1,000 of 1,000 used"],
    });
    expect((await usageOf(account)).links).toEqual({ used: LINKS, limit: LINKS });
  });

  test("for simultaneous requests with a session and with an API key", async () => {
    const account = await organization("free", LINKS - 1);
    const { key: apiKey } = (await key(account)).body;
    const replies = SEVERAL.map((index) =>
      index % 2
        ? call("POST", "/api/v1/links", { apiKey, body: input })
        : call("POST", at(account, "links"), { token: account.token, body: input }),
    );
    expectOneOf(await Promise.all(replies), 201);
  });

  test("until one is deleted, or the plan is upgraded", async () => {
    const account = await organization("free", LINKS - 1);
    const last = await create(account);
    expect([last.status, (await create(account)).status]).toEqual([201, 429]);
    await call("DELETE", at(account, `links/${last.body._id}`), { token: account.token });
    expect([(await create(account)).status, (await create(account)).status]).toEqual([201, 429]);
    await sql`update organizations set plan = 'pro' where id = ${account.orgId}`;
    expect((await create(account)).status).toBe(201);
  });

  test("leaves no link, no audit entry and no stored response for its idempotency key", async () => {
    const account = await organization("free", LINKS);
    const { key: apiKey } = (await key(account)).body;
    const headers = { "idempotency-key": "once" };
    expectFailure(await call("POST", "/api/v1/links", { apiKey, body: input, headers }), 429);
    const [row] = await sql`select
      (select count(*) from audit_logs where org_id = ${account.orgId} and action = 'link.create')::int as audited,
      (select count(*) from links where org_id = ${account.orgId})::int as links`;
    expect(row).toEqual({ audited: 0, links: LINKS });
    await sql`update organizations set plan = 'pro' where id = ${account.orgId}`;
    expect((await call("POST", "/api/v1/links", { apiKey, body: input, headers })).status).toBe(201);
  });

  test("but not for a repeat of the last request that succeeded", async () => {
    const account = await organization("free", LINKS - 1);
    const { key: apiKey } = (await key(account)).body;
    const headers = { "idempotency-key": "last" };
    const ask = () => call<Link>("POST", "/api/v1/links", { apiKey, body: input, headers });
    const [first, again] = [await ask(), await ask()];
    expect([first.status, again.status, again.body._id]).toEqual([201, 201, first.body._id]);
  });

  test("but not in other organizations", async () => {
    const full = await organization("free", LINKS);
    const other = await organization("free");
    expect([(await create(full)).status, (await create(other)).status, (await create(eve)).status]).toEqual([
      429, 201, 201,
    ]);
  });
});

describe("429 for an API key beyond the plan's limit", () => {
  test("for nine of ten simultaneous requests if there is room for one", async () => {
    const account = await organization("free");
    for (let index = 1; index < API_KEYS; index++) await key(account);
    const refused = expectOneOf(await Promise.all(SEVERAL.map(() => key(account))), 201);
    expect(refused.body.error).toBe("The plan free allows 5 API keys; remove some or choose another plan");
  });

  test("until one is revoked or expires", async () => {
    const account = await organization("free");
    const keys = [];
    for (let index = 0; index < API_KEYS; index++) keys.push((await key(account)).body._id);
    expect((await key(account)).status).toBe(429);
    await call("DELETE", at(account, `api-keys/${keys[0]}`), { token: account.token });
    expect([(await key(account)).status, (await key(account)).status]).toEqual([201, 429]);
    await sql`update api_keys set expires_at = now() where id = ${keys[1] ?? ""}`;
    expect([(await key(account)).status, (await key(account)).status]).toEqual([201, 429]);
  });
});

test("429 for nine of ten simultaneous invitations if the plan has room for one member", async () => {
  const account = await organization("free");
  const invite = (index: number) =>
    call("POST", at(account, "members/invite"), {
      token: account.token,
      body: { email: `guest${index}-${account.orgId}@example.com`, role: "viewer" },
    });
  for (let index = 1; index < MEMBERS - 1; index++) expect((await invite(100 + index)).status).toBe(200);
  expectOneOf(await Promise.all(SEVERAL.map(invite)), 200);
  await sql`update memberships set invite_expires_at = now() where org_id = ${account.orgId} and user_id is null`;
  expect((await invite(200)).status).toBe(200);
});

test("429 for nine of ten simultaneous domains if the plan has room for one", async () => {
  const account = await organization("free");
  for (let index = 1; index < DOMAINS; index++)
    await addDomain(service, account.orgId, { hostname: `d${index}.${account.orgId}.test`, isVerified: false });
  const add = (index: number) =>
    call("POST", at(account, "domains"), {
      token: account.token,
      body: { hostname: `go${index}-${made}.example.com` },
    });
  expectOneOf(await Promise.all(SEVERAL.map(add)), 201);
});

test("the plan unlimited has no limit of links, and creating them waits for no lock", async () => {
  const account = await organization("unlimited", LINKS);
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended(${`waymark links of ${account.orgId}`}, 0))`;
    expect((await create(account)).status).toBe(201);
  });
});

describe("GET usage", () => {
  test("200 with the plan and its usage", async () => {
    const account = await organization("free", 7);
    await key(account);
    const month = new Date().toISOString().slice(0, 7);
    expect(await usageOf(account)).toEqual({
      plan: "free",
      month,
      requests: { used: 2, limit: 50_000 },
      links: { used: 7, limit: LINKS },
      domains: { used: 0, limit: DOMAINS },
      members: { used: 1, limit: MEMBERS },
      apiKeys: { used: 1, limit: API_KEYS },
    });
  });

  test("200 with null in place of a limit that does not exist", async () => {
    const { requests, links } = await usageOf(await organization("unlimited"));
    expect([requests.limit, links.limit]).toEqual([null, null]);
  });
});
