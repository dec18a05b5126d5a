/** Organizations are isolated: anyone outside sees nothing and changes nothing there, and gets 404. */
import { describe, expect, test } from "bun:test";
import { addExport } from "@test/support/accounts/archives";
import { changingNothing } from "@test/support/accounts/changing-nothing";
import { addApp, addDomain, addSuspect } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import { addLead } from "@test/support/leads";
import { addImport } from "@test/support/outside/imports";
import { addDelivery, createWebhook } from "@test/support/outside/webhooks";
import { startTestService } from "@test/support/service";
import { SCOPES } from "@/contract/accounts/access";
import type { Link } from "@/contract/links/links";

const service = await startTestService();
const { call, sql } = service;

/** Creates an organization with one record of each kind. */
async function tenant(name: string) {
  const account = await service.register();
  const domainId = await addDomain(service, account.orgId, { hostname: `go.${name}.test` });
  const appId = await addApp(service, account.orgId, { pathPrefix: name });
  const link = await service.createLink(account, { defaultUrl: `https://${name}.example.com/`, slug: `${name}-link` });
  const onDomain = await service.createLink(account, { defaultUrl: "https://example.com/", slug: "same", domainId });
  const keys = `/api/v1/organizations/${account.orgId}/api-keys`;
  const body = { name: "server", scopes: [...SCOPES] };
  const key = await call<{ _id: string; key: string }>("POST", keys, { token: account.token, body });
  const tokens = `/api/v1/organizations/${account.orgId}/access-tokens`;
  const accessToken = await call<{ _id: string }>("POST", tokens, {
    token: account.token,
    body: { name: "script", scopes: ["read"] },
  });
  const clickId = await addSuspect(service, account.orgId, link._id);
  const leadId = await addLead(service, account.orgId, link._id);
  const reports = `/api/v1/organizations/${account.orgId}/analytics/reports`;
  const report = await call<{ _id: string }>("POST", reports, { token: account.token, body: { name: "Weekly" } });
  const invite = `/api/v1/organizations/${account.orgId}/members/invite`;
  const invited = { email: `bob@${name}.example.com`, role: "viewer" };
  const membership = await call<{ _id: string }>("POST", invite, { token: account.token, body: invited });
  const membershipId = membership.body._id;
  const pages = `/api/v1/organizations/${account.orgId}/bio-pages`;
  const page = await call<{ _id: string }>("POST", pages, { token: account.token, body: { title: name } });
  const bioPageId = page.body._id;
  const webhook = await createWebhook(service, account, "https://hooks.example.com/", ["click"]);
  const ids = {
    webhookId: webhook._id,
    deliveryId: await addDelivery(service, account.orgId, webhook._id),
    bioPageId,
    domainId,
    appId,
    clickId,
    leadId,
    membershipId,
    keyId: key.body._id,
    tokenId: accessToken.body._id,
    reportId: report.body._id,
    exportId: await addExport(service, account.orgId),
    importId: await addImport(service, account.orgId),
  };
  return { ...account, ...ids, link, onDomain, apiKey: key.body.key };
}
const ada = await tenant("ada");
const eve = await tenant("eve");

const link = { defaultUrl: "https://example.com/" };
const operations: [method: string, path: string, body: Record<string, unknown> | undefined][] = [
  ["GET", "members", undefined],
  ["GET", "exports", undefined],
  ["POST", "exports", undefined],
  ["GET", "exports/{exportId}", undefined],
  ["GET", "exports/{exportId}/download", undefined],
  ["DELETE", "exports/{exportId}", undefined],
  ["POST", "members/invite", { email: "carol@example.com", role: "viewer" }],
  ["PATCH", "members/{membershipId}", { role: "admin" }],
  ["DELETE", "members/{membershipId}", undefined],
  ["POST", "privacy/erase", { visitorId: "customer-1842" }],
  ["GET", "links", undefined],
  ["POST", "links", link],
  ["GET", "links/export.csv", undefined],
  ["GET", "links/export.jsonl", undefined],
  ["PUT", "links/by-external-id/{externalId}", link],
  ["POST", "links/preview", { slug: "ada-link" }],
  ["POST", "links/bulk", { links: [link] }],
  ["PATCH", "links/bulk", { ids: ["{linkId}"], changes: { title: "stolen" } }],
  ["POST", "links/bulk-delete", { ids: ["{linkId}"] }],
  ["POST", "links/utm/generate", { source: "newsletter" }],
  ["POST", "ai/marketing-assistant", { goal: "More sales" }],
  ["GET", "links/{linkId}/revisions", undefined],
  ["GET", "links/{linkId}/leads", undefined],
  ["GET", "links/{linkId}/leads/export.csv", undefined],
  ["DELETE", "links/{linkId}/leads/{leadId}", undefined],
  ["GET", "links/{linkId}", undefined],
  ["PATCH", "links/{linkId}", { title: "stolen" }],
  ["DELETE", "links/{linkId}", undefined],
  ["POST", "links/{linkId}/safety/rescan", undefined],
  ["GET", "links/{linkId}/qrcode", undefined],
  ["POST", "links/{linkId}/qrcode/style", {}],
  ["POST", "links/{linkId}/preview/traffic", {}],
  ["GET", "bio-pages", undefined],
  ["POST", "bio-pages", { title: "stolen" }],
  ["GET", "bio-pages/{bioPageId}", undefined],
  ["PATCH", "bio-pages/{bioPageId}", { title: "stolen" }],
  ["DELETE", "bio-pages/{bioPageId}", undefined],
  ["GET", "webhooks", undefined],
  ["POST", "webhooks", { url: "https://hooks.example.com/stolen", events: ["click"] }],
  ["PATCH", "webhooks/{webhookId}", { url: "https://hooks.example.com/stolen" }],
  ["DELETE", "webhooks/{webhookId}", undefined],
  ["POST", "webhooks/{webhookId}/rotate-secret", undefined],
  ["POST", "webhooks/{webhookId}/test", {}],
  ["GET", "webhooks/{webhookId}/deliveries", undefined],
  ["GET", "webhooks/{webhookId}/deliveries/{deliveryId}", undefined],
  ["POST", "webhooks/{webhookId}/deliveries/{deliveryId}/redeliver", undefined],
  ["GET", "analytics/overview", undefined],
  ["GET", "analytics/abuse-queue", undefined],
  ["GET", "analytics/abuse-queue/groups", undefined],
  ["POST", "analytics/abuse-queue/bulk", { addressId: "0123456789abcdef", status: "confirmed" }],
  ["PATCH", "analytics/abuse-queue/{clickId}", { status: "confirmed" }],
  ["GET", "analytics/overview/stream", undefined],
  ["GET", "analytics/breakdown", undefined],
  ["GET", "analytics/top-links", undefined],
  ["GET", "analytics/trends", undefined],
  ["GET", "analytics/unserved", undefined],
  ["GET", "analytics/clicks", undefined],
  ["GET", "analytics/clicks/export.csv", undefined],
  ["GET", "analytics/clicks/{clickId}", undefined],
  ["GET", "analytics/insights", undefined],
  ["GET", "analytics/anomalies", undefined],
  ["GET", "analytics/conversion-prediction", undefined],
  ["GET", "analytics/best-destination", undefined],
  ["GET", "analytics/broken-campaigns", undefined],
  ["GET", "analytics/export.csv", undefined],
  ["GET", "analytics/reports", undefined],
  ["POST", "analytics/reports", { name: "stolen" }],
  ["PATCH", "analytics/reports/{reportId}", { name: "stolen" }],
  ["DELETE", "analytics/reports/{reportId}", undefined],
  ["GET", "analytics/reports/{reportId}/export.csv", undefined],
  ["GET", "imports", undefined],
  ["POST", "imports", undefined],
  ["GET", "imports/{importId}", undefined],
  ["GET", "imports/{importId}/ledger", undefined],
  ["GET", "imports/{importId}/ledger.csv", undefined],
  ["POST", "imports/{importId}/verify", undefined],
  ["POST", "imports/{importId}/rollback", undefined],
  ["POST", "imports/{importId}/cancel", undefined],
  ["GET", "sso", undefined],
  ["PATCH", "sso", { defaultRole: "admin" }],
  ["GET", "usage", undefined],
  ["GET", "domains", undefined],
  ["POST", "domains", { hostname: "stolen.acme.com" }],
  ["GET", "domains/{domainId}", undefined],
  ["GET", "domains/{domainId}/configuration", undefined],
  ["POST", "domains/{domainId}/verify", undefined],
  ["PATCH", "domains/{domainId}/dashboard", { enabled: true }],
  ["PATCH", "domains/{domainId}", { redirects: { root: "https://example.com/" } }],
  ["DELETE", "domains/{domainId}", undefined],
  ["PATCH", "domains/{domainId}/app-config", { fallback: "web" }],
  ["GET", "apps", undefined],
  ["POST", "apps", { name: "stolen" }],
  ["GET", "apps/{appId}", undefined],
  ["PATCH", "apps/{appId}", { name: "stolen" }],
  ["DELETE", "apps/{appId}", undefined],
  ["GET", "audit-logs", undefined],
  ["GET", "api-keys", undefined],
  ["POST", "api-keys", { name: "stolen", scopes: ["links:read"] }],
  ["DELETE", "api-keys/{keyId}", undefined],
  ["GET", "access-tokens", undefined],
  ["POST", "access-tokens", { name: "stolen", scopes: ["read"] }],
  ["DELETE", "access-tokens/{tokenId}", undefined],
];
/**
 * True if the path names a record by an id that the service assigns. Under an external id, which clients choose,
 * there may be any record, or none yet.
 */
const namesRecord = (rest: string): boolean => /\{(?!externalId)/.test(rest);
const malformedIds = [
  "1",
  "null",
  "undefined",
  "*",
  "%00",
  "%zz",
  "..%2f",
  "' or 1=1 --",
  `${ada.orgId}x`,
  "a".repeat(5000),
];

type Tenant = typeof ada;
/** The ids of records that appear in paths. */
const CHILDREN = [
  ...(["membershipId", "keyId", "tokenId", "clickId", "leadId", "reportId", "domainId", "appId", "bioPageId"] as const),
  ...(["webhookId", "deliveryId", "exportId"] as const),
] as const;
type Children = Pick<Tenant, "link" | (typeof CHILDREN)[number]>;
const path = (orgId: string, rest: string, children: Children) =>
  `/api/v1/organizations/${orgId}/${CHILDREN.reduce(
    (filled, name) => filled.replace(`{${name}}`, children[name]),
    rest.replace("{linkId}", children.link._id),
  )}`;
/** Fills every place with what `idOf` returns. */
const everywhere = (idOf: () => string): Children => ({
  link: { ...eve.link, _id: idOf() },
  membershipId: idOf(),
  keyId: idOf(),
  tokenId: idOf(),
  clickId: idOf(),
  leadId: idOf(),
  webhookId: idOf(),
  deliveryId: idOf(),
  reportId: idOf(),
  exportId: idOf(),
  bioPageId: idOf(),
  domainId: idOf(),
  appId: idOf(),
});

describe("404 in another's organization", () => {
  test.each(operations)("%s %s", async (method, rest, body) => {
    await changingNothing(sql, async () => {
      for (const children of [ada, eve]) {
        expectFailure(await call(method, path(ada.orgId, rest, children), { token: eve.token, body }), 404);
      }
      expectFailure(await call(method, path(Bun.randomUUIDv7(), rest, ada), { token: eve.token, body }), 404);
    });
  });

  test("unknown and foreign organizations get the same response", async () => {
    const foreign = await call("GET", path(ada.orgId, "links", ada), { token: eve.token });
    const unknown = await call("GET", path(Bun.randomUUIDv7(), "links", ada), { token: eve.token });
    expect(foreign.body).toEqual(unknown.body);
  });
});

describe("404 for another's record in one's own organization", () => {
  const children = operations.filter(([, rest]) => namesRecord(rest));

  test.each(children)("%s %s", async (method, rest, body) => {
    await changingNothing(sql, async () => {
      const foreign = await call(method, path(eve.orgId, rest, ada), { token: eve.token, body });
      const unknown = everywhere(() => Bun.randomUUIDv7());
      expectFailure(foreign, 404);
      expect((await call(method, path(eve.orgId, rest, unknown), { token: eve.token, body })).body).toEqual(
        foreign.body,
      );
    });
  });

  test("GET links/{linkId} with an API key", async () => {
    expectFailure(await call("GET", `/api/v1/links/${ada.link._id}`, { apiKey: eve.apiKey }), 404);
    expect((await call("GET", `/api/v1/links/${eve.link._id}`, { apiKey: eve.apiKey })).status).toBe(200);
  });
});

describe("404 for another's id in a body or query", () => {
  const foreign: [name: string, fields: Record<string, unknown>][] = [
    ["domainId", { domainId: ada.domainId }],
    ["appProfileId", { appProfileId: ada.appId }],
    ["unknown domainId", { domainId: Bun.randomUUIDv7() }],
    ["unknown appProfileId", { appProfileId: Bun.randomUUIDv7() }],
    ["a domainId that is no id", { domainId: "go.ada.test" }],
    ["an appProfileId that is no id", { appProfileId: "1" }],
  ];

  test.each(foreign)("POST links with %s, by session and by API key", async (_, fields) => {
    await changingNothing(sql, async () => {
      const body = { ...link, ...fields };
      const named = Object.keys(fields);
      expectFailure(await call("POST", path(eve.orgId, "links", eve), { token: eve.token, body }), 404, named);
      expectFailure(await call("POST", "/api/v1/links", { apiKey: eve.apiKey, body }), 404, named);
    });
  });

  test.each(foreign.filter(([name]) => name.includes("app")))("PATCH links/{linkId} with %s", async (_, body) => {
    await changingNothing(sql, async () => {
      expectFailure(await call("PATCH", path(eve.orgId, "links/{linkId}", eve), { token: eve.token, body }), 404);
    });
  });

  test.each([
    ["its short URL", { shortUrl: ada.link.shortUrl }],
    ["its short URL on a custom domain", { shortUrl: ada.onDomain.shortUrl }],
    ["its slug", { slug: ada.link.slug }],
    ["its domain and slug", { domain: "go.ada.test", slug: "same" }],
  ])("POST links/preview with %s", async (_, body) => {
    expectFailure(await call("POST", path(eve.orgId, "links/preview", eve), { token: eve.token, body }), 404);
  });

  const filtered = ["overview", "breakdown", "top-links", "clicks", "clicks/export.csv", "export.csv"];
  const ofALink = [
    ...filtered,
    "trends",
    "insights",
    "anomalies",
    "conversion-prediction",
    "best-destination",
    "broken-campaigns",
    "unserved",
    "abuse-queue",
  ];
  test.each(ofALink)("GET analytics/%s with a linkId", async (figures) => {
    const ask = (linkId: string) =>
      call("GET", path(eve.orgId, `analytics/${figures}?by=os&linkId=${encodeURIComponent(linkId)}`, eve), {
        token: eve.token,
      });
    for (const linkId of [ada.link._id, Bun.randomUUIDv7(), "1", "' or 1=1 --"])
      expectFailure(await ask(linkId), 404, ["linkId"]);
    expect((await ask(eve.link._id)).status).toBe(200);
  });

  test("GET analytics/unserved with a domainId", async () => {
    const asked = path(eve.orgId, `analytics/unserved?domainId=${ada.domainId}`, eve);
    expectFailure(await call("GET", asked, { token: eve.token }), 404, ["domainId"]);
  });

  test("POST analytics/abuse-queue/bulk with a linkId", async () => {
    const body = { linkId: ada.link._id, status: "confirmed" };
    const reviewed = await call("POST", path(eve.orgId, "analytics/abuse-queue/bulk", eve), { token: eve.token, body });
    expectFailure(reviewed, 404, ["linkId"]);
  });

  test.each([...filtered, "overview/stream"])("GET analytics/%s with a domainId beside one's own", async (figures) => {
    const query = `by=os&domainId=${eve.link.domainId}&domainId=${ada.onDomain.domainId}`;
    const asked = path(eve.orgId, `analytics/${figures}?${query}`, eve);
    expectFailure(await call("GET", asked, { token: eve.token }), 404, ["domainId"]);
  });
});

test("404 for another's link in a question to the assistant", async () => {
  for (const linkId of [ada.link._id, Bun.randomUUIDv7(), "1"]) {
    const body = { goal: "More sales", linkId };
    const asked = await call("POST", path(eve.orgId, "ai/marketing-assistant", eve), { token: eve.token, body });
    expectFailure(asked, 404, ["linkId"]);
  }
});

describe("404 for another's link in a report", () => {
  test.each([
    ["POST", "analytics/reports"],
    ["PATCH", "analytics/reports/{reportId}"],
  ])("%s %s", async (method, rest) => {
    await changingNothing(sql, async () => {
      for (const linkId of [ada.link._id, Bun.randomUUIDv7(), "1"]) {
        const body = { name: "Weekly", filters: { linkId } };
        const saved = await call(method, path(eve.orgId, rest, eve), { token: eve.token, body });
        expectFailure(saved, 404, ["filters.linkId"]);
      }
    });
  });
});

describe("404 for a malformed id", () => {
  test.each(malformedIds)("%s", async (id) => {
    // A new session, because requests outside any organization count against its limit, which they would exceed.
    const { token } = await service.register();
    for (const [method, rest, body] of operations) {
      const inPlace = everywhere(() => id);
      expectFailure(await call(method, path(id, rest, eve), { token, body }), 404);
      if (namesRecord(rest)) {
        expectFailure(await call(method, path(eve.orgId, rest, inPlace), { token: eve.token, body }), 404);
      }
    }
    expectFailure(await call("GET", `/api/v1/links/${id}`, { apiKey: eve.apiKey }), 404);
  });
});

describe("one's own organization", () => {
  test("lists nothing of another's", async () => {
    const links = await call<{ links: Link[]; total: number }>("GET", path(eve.orgId, "links", eve), {
      token: eve.token,
    });
    expect(links.body.links.map(({ _id }) => _id)).toEqual([eve.onDomain._id, eve.link._id]);
    const search = await call<{ total: number }>("GET", path(eve.orgId, "links?search=ada", eve), { token: eve.token });
    expect(search.body.total).toBe(0);
    const keys = await call<{ apiKeys: { _id: string }[] }>("GET", path(eve.orgId, "api-keys", eve), {
      token: eve.token,
    });
    expect(keys.body.apiKeys.map(({ _id }) => _id)).toEqual([eve.keyId]);
  });

  test("can use another's slug on its own domain, but not on the shared domain", async () => {
    expect([ada.onDomain.shortUrl, eve.onDomain.shortUrl]).toEqual([
      "https://go.ada.test/same",
      "https://go.eve.test/same",
    ]);
    const body = { ...link, slug: "ada-link" };
    expectFailure(await call("POST", path(eve.orgId, "links", eve), { token: eve.token, body }), 409, ["slug"]);
  });

  test("previews its own link if another has the same slug", async () => {
    const body = { slug: "same" };
    const reply = await call<{ link: Link }>("POST", path(eve.orgId, "links/preview", eve), { token: eve.token, body });
    expect(reply.body.link._id).toBe(eve.onDomain._id);
  });

  test("accepts its id in capitals", async () => {
    const reply = await call<Link>("GET", path(eve.orgId.toUpperCase(), "links/{linkId}", eve), { token: eve.token });
    expect([reply.status, reply.body._id]).toEqual([200, eve.link._id]);
  });

  test("reads, changes and deletes a link by its id in capitals", async () => {
    const { _id, shortUrl } = await service.createLink(eve, link);
    const asked = path(eve.orgId, `links/${_id.toUpperCase()}`, eve);
    const named = async (method: string, rest = "", body?: object) => {
      const reply = await call<Link>(method, asked + rest, { token: eve.token, body });
      return [reply.status, reply.body._id];
    };
    expect(await named("GET")).toEqual([200, _id]);
    expect(await named("PATCH", "", { title: "Spring" })).toEqual([200, _id]);
    expect((await call("GET", `/api/v1/links/${_id.toUpperCase()}`, { apiKey: eve.apiKey })).status).toBe(200);
    expect((await call("GET", `${asked}/leads`, { token: eve.token })).status).toBe(200);
    const question = { goal: "More sales", linkId: _id.toUpperCase() };
    const assistant = path(eve.orgId, "ai/marketing-assistant", eve);
    expect((await call("POST", assistant, { token: eve.token, body: question })).status).toBe(200);
    expect((await service.visit({ shortUrl })).status).toBe(302);
    expect(await named("DELETE")).toEqual([200, _id]);
    expect((await service.visit({ shortUrl })).status).toBe(404);
  });

  test("keeps an external id as it is, also if it looks like an id in capitals", async () => {
    const externalId = Bun.randomUUIDv7().toUpperCase();
    const put = path(eve.orgId, `links/by-external-id/${externalId}`, eve);
    const { body } = await call<Link>("PUT", put, { token: eve.token, body: link });
    expect(body.externalId).toBe(externalId);
  });

  test("accepts its own app profile", async () => {
    const body = { ...link, appProfileId: eve.appId };
    const reply = await call<Link>("POST", path(eve.orgId, "links", eve), { token: eve.token, body });
    expect([reply.status, reply.body.appProfileId, reply.body.pathPrefix]).toEqual([201, eve.appId, "eve"]);
  });
});

test("the table names every operation of an organization", async () => {
  const { body } = await call<{ paths: Record<string, Record<string, unknown>> }>("GET", "/openapi.json");
  const prefix = "/api/v1/organizations/{orgId}/";
  const documented = Object.entries(body.paths)
    .filter(([template]) => template.startsWith(prefix))
    .flatMap(([template, methods]) =>
      Object.keys(methods).map((method) => `${method} ${template.slice(prefix.length)}`),
    );
  const named = operations.map(([method, rest]) => `${method.toLowerCase()} ${rest}`);
  expect(documented.toSorted()).toEqual(named.toSorted());
});
