/** What a running service answers, held against the document: each operation's success, and failures of each kind. */
import { describe, expect, test } from "bun:test";
import { expectConforms, operationAt } from "@test/support/conforms";
import { describeApp, operationsOf } from "@test/support/described";
import { type CallOptions, type Reply, startTestService } from "@test/support/service";
import { addSuspect } from "@test/support/tenants";

const { document } = await describeApp();
const service = await startTestService();
const account = await service.register();
const stranger = await service.register();
const { token, orgId } = account;
const apiKey = await service.createApiKey(account, ["links:read", "links:write", "events:write"]);
const link = await service.createLink(account, { defaultUrl: "https://shop.example.com/", slug: "kept" });

const clickId = await addSuspect(service, orgId, link._id);

const home = `/api/v1/organizations/${orgId}`;
const unknown = Bun.randomUUIDv7();
const everything = {
  defaultUrl: "https://shop.example.com/spring",
  slug: "everything",
  title: "Spring sale",
  pathPrefix: "de",
  rules: [{ priority: 1, destinationUrl: "https://shop.example.com/app", conditions: { platform: ["ios"] } }],
  splitTargets: [{ key: "a", destinationUrl: "https://shop.example.com/a", weight: 1 }],
  deepLinkPayload: { screen: "offer" },
  utm: { source: "newsletter" },
  marketing: { referralCode: "ada" },
  leadCapture: { enabled: false },
  retargetingPixels: [{ provider: "meta", id: "1" }],
  ctaOverlay: { enabled: false },
  startsAt: "2026-01-01T00:00:00Z",
  expiresAt: "2099-01-01T00:00:00Z",
  maxClicks: 10,
  tags: ["spring"],
  password: "open sesame",
};

const report = {
  name: "Spring",
  description: "Of the campaign",
  filters: { from: "2026-03-01T00:00:00Z", to: "2026-04-01T00:00:00Z", includeBots: true },
  metrics: ["clicks", "events"],
};

type Case = [status: number, method: string, path: string, options: CallOptions];

const calls: Case[] = [
  [200, "GET", "/health", {}],
  [201, "POST", "/api/v1/auth/register", { body: registration() }],
  [400, "POST", "/api/v1/auth/register", { body: {} }],
  [409, "POST", "/api/v1/auth/register", { body: { ...registration(), email: account.email } }],
  [413, "POST", "/api/v1/auth/register", { body: JSON.stringify({ name: "x".repeat(300_000) }) }],
  [415, "POST", "/api/v1/auth/register", { body: "name=Ada", headers: { "content-type": "text/plain" } }],
  [200, "POST", "/api/v1/auth/login", { body: { email: account.email, password: account.password } }],
  [401, "POST", "/api/v1/auth/login", { body: { email: account.email, password: "a wrong passphrase" } }],
  [400, "POST", "/api/v1/auth/login", { body: "{" }],
  [200, "GET", "/api/v1/auth/me", { token }],
  [401, "GET", "/api/v1/auth/me", {}],
  [200, "GET", `/api/v1/resolve?domain=${service.host}&slug=kept`, {}],
  [400, "GET", "/api/v1/resolve?slug=kept", {}],
  [404, "GET", `/api/v1/resolve?domain=${service.host}&slug=unknown`, {}],
  [201, "POST", "/api/v1/links", { apiKey, body: { defaultUrl: "https://shop.example.com/", slug: "keyed" } }],
  [400, "POST", "/api/v1/links", { apiKey, body: { defaultUrl: "no URL" } }],
  [401, "POST", "/api/v1/links", { token, body: { defaultUrl: "https://shop.example.com/" } }],
  [409, "POST", "/api/v1/links", { apiKey, body: { defaultUrl: "https://shop.example.com/", slug: "kept" } }],
  [200, "GET", `/api/v1/links/${link._id}`, { apiKey }],
  [401, "GET", `/api/v1/links/${link._id}`, { apiKey: "wm_live_none" }],
  [404, "GET", `/api/v1/links/${unknown}`, { apiKey }],
  [200, "GET", `${home}/links?limit=2&search=shop`, { token }],
  [400, "GET", `${home}/links?limit=many`, { token }],
  [404, "GET", `${home}/links`, { token: stranger.token }],
  [201, "POST", `${home}/links`, { token, body: everything }],
  [400, "POST", `${home}/links`, { token, body: { ...everything, slug: "docs", rules: [{}] } }],
  [200, "POST", `${home}/links/preview`, { token, body: { slug: "kept", platform: "ios" } }],
  [400, "POST", `${home}/links/preview`, { token, body: {} }],
  [404, "POST", `${home}/links/preview`, { token, body: { slug: "unknown" } }],
  [200, "GET", `${home}/links/${link._id}`, { token }],
  [404, "GET", `${home}/links/${unknown}`, { token }],
  [200, "PATCH", `${home}/links/${link._id}`, { token, body: { title: "Renamed", tags: null } }],
  [400, "PATCH", `${home}/links/${link._id}`, { token, body: { defaultUrl: null } }],
  [404, "PATCH", `${home}/links/${unknown}`, { token, body: { title: "Renamed" } }],
  [200, "GET", `${home}/analytics/overview`, { token }],
  [400, "GET", `${home}/analytics/overview?from=yesterday`, { token }],
  [404, "GET", `${home}/analytics/overview`, { token: stranger.token }],
  [200, "GET", `${home}/analytics/abuse-queue?status=all`, { token }],
  [400, "GET", `${home}/analytics/abuse-queue?status=guilty`, { token }],
  [404, "GET", `${home}/analytics/abuse-queue`, { token: stranger.token }],
  [200, "PATCH", `${home}/analytics/abuse-queue/${clickId}`, { token, body: { status: "dismissed", note: "ours" } }],
  [400, "PATCH", `${home}/analytics/abuse-queue/${clickId}`, { token, body: {} }],
  [404, "PATCH", `${home}/analytics/abuse-queue/${unknown}`, { token, body: { status: "confirmed" } }],
  [201, "POST", "/api/v1/events", { apiKey, body: { name: "purchase", linkId: link._id, value: 1.5, metadata: {} } }],
  [400, "POST", "/api/v1/events", { apiKey, body: { value: 1 } }],
  [401, "POST", "/api/v1/events", { token, body: { name: "purchase" } }],
  [404, "POST", "/api/v1/events", { apiKey, body: { name: "purchase", linkId: unknown } }],
  [200, "GET", `${home}/analytics/top-links?limit=5`, { token }],
  [400, "GET", `${home}/analytics/top-links?limit=101`, { token }],
  [404, "GET", `${home}/analytics/top-links`, { token: stranger.token }],
  [200, "GET", `${home}/analytics/export.csv`, { token }],
  [400, "GET", `${home}/analytics/export.csv?from=yesterday`, { token }],
  [404, "GET", `${home}/analytics/export.csv?linkId=${unknown}`, { token }],
  [400, "GET", `${home}/analytics/overview/stream?intervalMs=10`, { token }],
  [404, "GET", `${home}/analytics/overview/stream`, { token: stranger.token }],
  [200, "GET", `${home}/analytics/reports`, { token }],
  [400, "GET", `${home}/analytics/reports?page=0`, { token }],
  [
    200,
    "POST",
    `${home}/analytics/reports`,
    { token, body: { ...report, filters: { period: "7d", linkId: link._id } } },
  ],
  [400, "POST", `${home}/analytics/reports`, { token, body: { ...report, metrics: ["revenue"] } }],
  [404, "POST", `${home}/analytics/reports`, { token, body: { ...report, filters: { linkId: unknown } } }],
  [404, "PATCH", `${home}/analytics/reports/${unknown}`, { token, body: report }],
  [404, "DELETE", `${home}/analytics/reports/${unknown}`, { token }],
  [404, "GET", `${home}/analytics/reports/${unknown}/export.csv`, { token }],
  [200, "GET", `${home}/api-keys`, { token }],
  [201, "POST", `${home}/api-keys`, { token, body: { name: "server", scopes: ["links:read"] } }],
  [400, "POST", `${home}/api-keys`, { token, body: { name: "server", scopes: ["everything"] } }],
  [404, "DELETE", `${home}/api-keys/${unknown}`, { token }],
];

/** Ids of the operations that were seen to succeed. */
const seen = new Set<string | undefined>();

async function conforms([status, method, path, options]: Case): Promise<Reply<Record<string, unknown>>> {
  const reply = await service.call(method, path, options);
  expect({ status: reply.status, body: reply.body }).toMatchObject({ status });
  await expectConforms(reply, method, path);
  if (status < 400) seen.add(operationAt(document, method, path)?.operationId);
  return reply;
}

describe("an answer is what the document says", () => {
  test.each(calls)("%i %s %s", async (status, method, path, options) => {
    await conforms([status, method, path, options]);
  });

  test("of what ends with the test: an API key revoked, a link deleted, a session ended", async () => {
    const key = await service.call("POST", `${home}/api-keys`, { token, body: { name: "gone", scopes: ["qr:read"] } });
    await conforms([200, "DELETE", `${home}/api-keys/${key.body._id}`, { token }]);
    await conforms([200, "DELETE", `${home}/links/${link._id}`, { token }]);
    await conforms([200, "POST", "/api/v1/auth/logout", { token: stranger.token }]);
    await conforms([401, "GET", "/api/v1/auth/me", { token: stranger.token }]);
  });

  test("of a report from its making to its end", async () => {
    const { body } = await conforms([200, "POST", `${home}/analytics/reports`, { token, body: report }]);
    const path = `${home}/analytics/reports/${body._id}`;
    await conforms([200, "PATCH", path, { token, body: { description: null } }]);
    await conforms([400, "PATCH", path, { token, body: { filters: { period: "1y" } } }]);
    await conforms([200, "GET", `${path}/export.csv`, { token }]);
    await conforms([200, "DELETE", path, { token }]);
  });

  test("of a stream that stays open", async () => {
    const path = `${home}/analytics/overview/stream`;
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(service.url + path, { headers, signal: leaving.signal });
    expect(response.status).toBe(200);
    await expectConforms(response, "GET", path);
    seen.add(operationAt(document, "GET", path)?.operationId);
    leaving.abort();
  });

  test("every operation of the document was seen to succeed", async () => {
    const operations = operationsOf(document).map(({ operationId }) => operationId);
    expect(operations.filter((id) => !seen.has(id))).toEqual([]);
  });
});

function registration() {
  const id = crypto.randomUUID().slice(0, 8);
  return { name: "Ada", email: `new-${id}@example.com`, password: `passphrase ${id}`, organizationName: "Acme" };
}
