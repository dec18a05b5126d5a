/** Domains: added, listed, used for the dashboard, deleted. `domains-verify.test.ts` tests what depends on DNS. */
import { beforeAll, describe, expect, test } from "bun:test";
import { addDomain, addMember } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import { startTestDns } from "@test/support/servers/dns";
import { type Account, startTestService } from "@test/support/service";
import type { Domain, DomainConfiguration } from "@/contract/domains";
import { openDatabase } from "@/platform/db/client";
import { ensureSharedDomain } from "@/platform/shared-rows";

const dns = await startTestDns();
const service = await startTestService({
  env: {
    BASE_URL: "https://api.waymark.example",
    SHORT_DOMAIN: "wm.example",
    DASHBOARD_URL: "https://app.waymark.example",
    DNS_SERVERS: dns.address,
  },
});
const { call, sql } = service;
const ada = await service.register();
const eve = await service.register();
const member = await addMember(service, ada.orgId, "member");
const viewer = await addMember(service, ada.orgId, "viewer");

const path = (account: Account, rest = "") => `/api/v1/organizations/${account.orgId}/domains${rest}`;
const add = (hostname: unknown, account = ada) =>
  call<Domain>("POST", path(account), { token: account.token, body: { hostname } });
const list = async (account = ada, query = "") =>
  (await call<Domain[]>("GET", path(account, query), { token: account.token })).body;
const remove = (id: string, account = ada) => call("DELETE", path(account, `/${id}`), { token: account.token });
const dashboard = (id: string, body: unknown, account = ada) =>
  call<Domain>("PATCH", path(account, `/${id}/dashboard`), { token: account.token, body });
const audited = async (resourceId: string): Promise<Record<string, unknown>[]> =>
  sql`select action, changes, actor_email as actor from audit_logs where resource_id = ${resourceId} order by id`;

let added = 0;
const verified = (account = ada, draft = {}) =>
  addDomain(service, account.orgId, { hostname: `d${++added}.verified.example`, ...draft });

describe("POST domains", () => {
  describe("400 naming hostname", () => {
    test.each([
      ["none", undefined],
      ["a number", 5],
      ["empty text", ""],
      ["a scheme", "https://go.acme.com"],
      ["a port", "go.acme.com:443"],
      ["a path", "go.acme.com/x"],
      ["a wildcard", "*.acme.com"],
      ["an address", "192.0.2.1"],
      ["one label", "localhost"],
      ["a public suffix", "co.uk"],
      ["a private suffix", "github.io"],
      ["an international suffix", "рф"],
      ["a name of local networks", "db.internal"],
      ["another one", "printer.LOCAL."],
      ["a name of addresses", "2.0.192.in-addr.arpa"],
      ["the service's own host", "api.waymark.example"],
      ["the shared domain", "WM.example."],
      ["the dashboard's host", "app.waymark.example"],
      ["more than fits", `${"a.".repeat(126)}com`],
    ])("%s", async (_, hostname) => {
      expectFailure(await add(hostname), 400, ["hostname"]);
    });
  });

  test("403 for a member, 404 for another organization", async () => {
    const body = { hostname: "members.acme.com" };
    expectFailure(await call("POST", path(ada), { token: member.token, body }), 403);
    expectFailure(await call("POST", path(ada), { token: eve.token, body }), 404);
  });

  test("409 for a host the organization already has, in any spelling and even added simultaneously", async () => {
    const replies = await Promise.all(["twice.acme.com", "TWICE.acme.com", "twice.acme.com."].map((name) => add(name)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    expectFailure(await add("Twice.Acme.com"), 409, ["hostname"]);
    expect((await add("twice.acme.com", eve)).status).toBe(201);
  });

  test("201 with a domain that is not verified yet", async () => {
    const { status, body } = await add("Grüße.Acme.com");
    expect(status).toBe(201);
    expect(body).toEqual({
      _id: expect.any(String),
      hostname: "xn--gre-6ka8l.acme.com",
      isVerified: false,
      caseSensitive: false,
      dashboard: { enabled: false, isPrimary: false },
      appConfig: {},
      redirects: {},
      createdAt: expect.any(String),
    });
    expect([...(await audited(body._id))]).toEqual([
      {
        action: "domain.create",
        changes: {
          hostname: { from: null, to: "xn--gre-6ka8l.acme.com" },
          caseSensitive: { from: null, to: false },
        },
        actor: ada.email,
      },
    ]);
  });

  test("ignores body fields that only the service sets", async () => {
    const body = { hostname: "greedy.acme.com", isVerified: true, dashboard: { enabled: true }, orgId: eve.orgId };
    const reply = await call<Domain>("POST", path(ada), { token: ada.token, body });
    expect(reply.body).toMatchObject({ isVerified: false, dashboard: { enabled: false } });
  });

  test("201 for a host that another organization holds", async () => {
    await addDomain(service, eve.orgId, { hostname: "held.eve.example" });
    expect((await add("held.eve.example")).status).toBe(201);
  });

  test("429 beyond the plan's limit", async () => {
    const bob = await service.register();
    await sql`update organizations set plan = 'free' where id = ${bob.orgId}`;
    const replies = await Promise.all(["a", "b", "c", "d", "e"].map((name) => add(`${name}.bob.example`, bob)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 429, 429]);
  });
});

test("a SHORT_DOMAIN that an organization holds is refused with an error naming the setting", async () => {
  await addDomain(service, ada.orgId, { hostname: "moved.example" });
  const database = openDatabase(service.databaseUrl, { pool: "tool" });
  try {
    await expect(ensureSharedDomain(database.db, "moved.example")).rejects.toThrow(
      "SHORT_DOMAIN: an organization has already verified moved.example",
    );
  } finally {
    await database.close();
  }
});

describe("GET domains", () => {
  let bob: Account;
  beforeAll(async () => {
    bob = await service.register();
    for (let index = 1; index <= 30; index++) {
      await addDomain(service, bob.orgId, { hostname: `n${index}.bob-lists.example`, isVerified: false });
    }
  });

  test("404 for another organization", async () => {
    expectFailure(await call("GET", path(ada), { token: eve.token }), 404);
  });

  test("400 for an invalid page or limit", async () => {
    expectFailure(await call("GET", path(ada, "?page=0"), { token: ada.token }), 400, ["page"]);
    expectFailure(await call("GET", path(ada, "?limit=101"), { token: ada.token }), 400, ["limit"]);
    for (const page of ["0x10", "1e2", "%205%20", "+5", "5.0", "%2B5", "1_0", ""])
      expectFailure(await call("GET", path(ada, `?page=${page}`), { token: ada.token }), 400, ["page"]);
    expect((await call("GET", path(ada, "?page=005"), { token: ada.token })).status).toBe(200);
  });

  test("returns an array of the organization's own domains, newest first", async () => {
    const hostnames = (await list(bob)).map(({ hostname }) => hostname);
    expect(hostnames).toEqual(Array.from({ length: 30 }, (_, index) => `n${30 - index}.bob-lists.example`));
  });

  test("returns one page if requested", async () => {
    const hostnames = (await list(bob, "?page=2&limit=10")).map(({ hostname }) => hostname);
    expect([hostnames.length, hostnames[0]]).toEqual([10, "n20.bob-lists.example"]);
  });

  test("200 for a viewer", async () => {
    expect((await call("GET", path(ada), { token: viewer.token })).status).toBe(200);
  });
});

describe("PATCH domains/{domainId}/dashboard", () => {
  test("400 for a domain that is not verified", async () => {
    const { body } = await add("unverified.acme.com");
    expectFailure(await dashboard(body._id, { enabled: true }), 400, ["domainId"]);
  });

  test("is turned off, but not on, for a domain whose verification has ended", async () => {
    const id = await verified();
    await dashboard(id, { enabled: true, isPrimary: true });
    await sql`update domains set is_verified = false where id = ${id}`;
    for (const body of [{ enabled: true }, { isPrimary: true }, { enabled: false, isPrimary: true }])
      expectFailure(await dashboard(id, body), 400, ["domainId"]);
    const hosting = async (body: unknown) => (await dashboard(id, body)).body.dashboard;
    expect(await hosting({})).toEqual({ enabled: true, isPrimary: true });
    expect(await hosting({ enabled: false })).toEqual({ enabled: false, isPrimary: true });
    expect(await hosting({ isPrimary: null })).toEqual({ enabled: false, isPrimary: false });
  });

  test("400 for non-boolean flags, 403 for a member, 404 for an unknown or foreign domain", async () => {
    const id = await verified();
    expectFailure(await dashboard(id, { enabled: "yes", isPrimary: 1 }), 400, ["enabled", "isPrimary"]);
    expectFailure(await call("PATCH", path(ada, `/${id}/dashboard`), { token: member.token, body: {} }), 403);
    for (const other of [Bun.randomUUIDv7(), "1"]) expectFailure(await dashboard(other, { enabled: true }), 404);
    expectFailure(await dashboard(await verified(eve), { enabled: true }), 404);
  });

  test("keeps absent fields, clears null ones, and audits only real changes", async () => {
    const id = await verified();
    const hosting = async (body: unknown) => (await dashboard(id, body)).body.dashboard;
    expect(await hosting({ enabled: true })).toEqual({ enabled: true, isPrimary: false });
    expect(await hosting({ isPrimary: true })).toEqual({ enabled: true, isPrimary: true });
    expect(await hosting({})).toEqual({ enabled: true, isPrimary: true });
    expect(await hosting({ enabled: true, isPrimary: true })).toEqual({ enabled: true, isPrimary: true });
    expect(await hosting({ enabled: null, isPrimary: false })).toEqual({ enabled: false, isPrimary: false });
    const entries = await audited(id);
    expect(entries.map(({ action }) => action)).toEqual(new Array(3).fill("domain.dashboard"));
    expect(entries[0]?.changes).toEqual({ "dashboard.enabled": { from: false, to: true } });
  });

  test("leaves only one primary domain, even after simultaneous requests, and new links use it", async () => {
    const bob = await service.register();
    const ids = [await verified(bob), await verified(bob), await verified(bob)];
    const elsewhere = await verified(eve, { isPrimary: true });
    await Promise.all(ids.map((id) => dashboard(id, { isPrimary: true }, bob)));
    const primaries = (await list(bob)).filter((domain) => domain.dashboard.isPrimary);
    expect(primaries).toHaveLength(1);
    const link = await service.createLink(bob, { defaultUrl: "https://example.com/" });
    expect(link.domainId).toBe(primaries[0]?._id ?? "");
    expect((await list(eve)).find(({ _id }) => _id === elsewhere)?.dashboard.isPrimary).toBe(true);
  });
});

describe("DELETE domains/{domainId}", () => {
  test("403 for a member, 404 for an unknown, foreign or shared domain", async () => {
    const id = await verified();
    expectFailure(await call("DELETE", path(ada, `/${id}`), { token: member.token }), 403);
    expectFailure(await remove(id, eve), 404);
    expectFailure(await remove("null"), 404);
    const [shared] = await sql`select id from domains where org_id is null`;
    expectFailure(await remove(String(shared?.id)), 404);
  });

  test("409 with the number of links while live links are on it", async () => {
    const domainId = await verified();
    for (const slug of ["a", "b"])
      await service.createLink(ada, { defaultUrl: "https://example.com/", slug, domainId });
    const reply = await remove(domainId);
    expectFailure(reply, 409, ["links"]);
    expect(reply.body.details).toEqual(["links: 2 live links use it"]);
  });

  test("409 with the number of archived links, which lists leave out", async () => {
    const domainId = await verified();
    const links = `/api/v1/organizations/${ada.orgId}/links`;
    const archive = async (slug: string) => {
      const { _id } = await service.createLink(ada, { defaultUrl: "https://example.com/", slug, domainId });
      await call("PATCH", `${links}/${_id}`, { token: ada.token, body: { isArchived: true } });
    };
    await archive("old");
    expect((await remove(domainId)).body.details).toEqual(["links: 1 live link uses it, and is archived"]);
    await archive("older");
    expect((await remove(domainId)).body.details).toEqual(["links: 2 live links use it, all archived"]);
    await service.createLink(ada, { defaultUrl: "https://example.com/", slug: "new", domainId });
    expect((await remove(domainId)).body.details).toEqual(["links: 3 live links use it, 2 of them archived"]);
  });

  test("200 if all its links are deleted; their figures stay available", async () => {
    const domainId = await verified();
    const { _id } = await service.createLink(ada, { defaultUrl: "https://example.com/", domainId });
    await call("DELETE", `/api/v1/organizations/${ada.orgId}/links/${_id}`, { token: ada.token });
    const reply = await remove(domainId);
    expect([reply.status, reply.body]).toEqual([200, { _id: domainId, deleted: true }]);
    expectFailure(await remove(domainId), 404);
    const figures = `/api/v1/organizations/${ada.orgId}/analytics/overview?linkId=${_id}`;
    expect((await call("GET", figures, { token: ada.token })).status).toBe(200);
    expect((await audited(domainId)).at(-1)?.action).toBe("domain.delete");
  });

  test("with a link created at the same moment, either both link and domain exist, or neither", async () => {
    for (let round = 0; round < 10; round++) {
      const domainId = await verified();
      const body = { defaultUrl: "https://example.com/", domainId };
      const links = `/api/v1/organizations/${ada.orgId}/links`;
      const [link, removed] = await Promise.all([
        call("POST", links, { token: ada.token, body }),
        Bun.sleep(round % 5).then(() => remove(domainId)),
      ]);
      expect([
        [201, 409],
        [404, 200],
      ]).toContainEqual([link.status, removed.status]);
    }
  });

  test("allows the same host to be added again", async () => {
    const first = await add("again.acme.com");
    await remove(first.body._id);
    const second = await add("again.acme.com");
    expect([second.status, second.body._id === first.body._id]).toEqual([201, false]);
  });
});

test("a domain's checks also report incomplete apps and a proxy that hides visitors' addresses", async () => {
  const id = await verified();
  const { token, orgId } = ada;
  await call("POST", `/api/v1/organizations/${orgId}/apps`, {
    token,
    body: { name: "Shop", android: { packageName: "com.acme.shop" } },
  });
  const checked = async (headers: Record<string, string> = {}) => {
    const { body } = await call<DomainConfiguration>("GET", path(ada, `/${id}/configuration?check=true`), {
      token,
      headers,
    });
    return body.checks?.slice(-2);
  };
  expect(await checked()).toMatchObject([
    { check: "app", status: "warning", found: "Shop lacks android.sha256CertFingerprints" },
    { check: "visitor-addresses", status: "unknown" },
  ]);
  const [link] = await sql`
    insert into links (id, org_id, domain_id, slug, slug_key, default_url)
    values (gen_random_uuid(), ${orgId}, ${id}, 'seen', 'seen', 'https://example.com/') returning id`;
  await sql`
    insert into clicks (id, occurred_at, org_id, link_id, visitor, platform, route_kind, destination_url, is_bot, bot_reasons,
      spam_score, address_key)
    select gen_random_uuid(), now() - n * interval '1 minute', ${orgId}, ${link?.id}, n % 10, 'ios', 'default',
      'https://example.com/', false, '{}', 0, 7 from generate_series(1, 30) as n`;
  expect((await checked())?.[1]).toMatchObject({
    ...{ status: "failed", found: "The last 30 clicks, of 10 visitors, come from one address" },
    advice: expect.stringContaining("TRUSTED_PROXIES"),
  });
  expect((await checked({ "x-forwarded-for": "198.51.100.9" }))?.[1]?.found).toContain(
    "its header x-forwarded-for is ignored",
  );
});
