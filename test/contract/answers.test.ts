/** What a running service answers, held against the document: each operation's success, and failures of each kind. */
import { describe, expect, test } from "bun:test";
import { expectConforms, operationAt } from "@test/support/conforms";
import { describeApp, operationsOf } from "@test/support/described";
import { type CallOptions, type Reply, startTestService } from "@test/support/service";

const { document } = await describeApp();
const service = await startTestService();
const account = await service.register();
const stranger = await service.register();
const { token, orgId } = account;
const apiKey = await service.createApiKey(account, ["links:read", "links:write"]);
const link = await service.createLink(account, { defaultUrl: "https://shop.example.com/", slug: "kept" });

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

  test("every operation of the document was seen to succeed", async () => {
    const operations = operationsOf(document).map(({ operationId }) => operationId);
    expect(operations.filter((id) => !seen.has(id))).toEqual([]);
  });
});

function registration() {
  const id = crypto.randomUUID().slice(0, 8);
  return { name: "Ada", email: `new-${id}@example.com`, password: `passphrase ${id}`, organizationName: "Acme" };
}
