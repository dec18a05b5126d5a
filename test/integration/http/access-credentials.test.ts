/** Credentials are checked first: before the body is read, and whatever the body is. */
import { describe, expect, test } from "bun:test";
import { addApp, addDomain, addMember } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import { addImport } from "@test/support/outside/imports";
import { startTestDns } from "@test/support/servers/dns";
import { type CallOptions, startTestService } from "@test/support/service";

const dns = await startTestDns();
const service = await startTestService({ env: { DNS_SERVERS: dns.address } });
const { call } = service;
const ada = await service.register();
const eve = await service.register();
const viewer = await addMember(service, ada.orgId, "viewer");
const link = await service.createLink(ada, { defaultUrl: "https://example.com/" });
const domainId = await addDomain(service, ada.orgId, { hostname: "go.ada.example" });
const readKey = await service.createApiKey(ada, ["links:read"]);
const organization = "/api/v1/organizations/{orgId}";
const reports = `/api/v1/organizations/${ada.orgId}/analytics/reports`;
const report = await call<{ _id: string }>("POST", reports, {
  token: ada.token,
  body: { name: "Weekly", filters: {}, metrics: ["clicks"] },
});
const bioPage = await call<{ _id: string }>("POST", `/api/v1/organizations/${ada.orgId}/bio-pages`, {
  token: ada.token,
  body: { title: "Ada" },
});
const appId = await addApp(service, ada.orgId, {});
const importId = await addImport(service, ada.orgId);
const filled = (path: string) =>
  path
    .replace("{orgId}", ada.orgId)
    .replace("{linkId}", link._id)
    .replace("{reportId}", report.body._id)
    .replace("{bioPageId}", bioPage.body._id)
    .replace("{domainId}", domainId)
    .replace("{importId}", importId)
    .replace("{appId}", appId)
    .replace(/breakdown$/, "breakdown?by=country")
    .replace(/trends$/, `trends?linkId=${link._id}`)
    .replace(
      /\{(?:sessionId|exportId|membershipId|keyId|tokenId|clickId|leadId|webhookId|deliveryId)\}/g,
      Bun.randomUUIDv7(),
    );

/** Operations for operators, which belong to no account or organization and have tests of their own. */
const ofOperators = ["GET /internal/tls/ask", "GET /metrics"];

const withBearer: [method: string, path: string][] = [
  ["GET", "/api/v1/auth/me"],
  ["POST", "/api/v1/auth/logout"],
  ["GET", "/api/v1/auth/2fa"],
  ["POST", "/api/v1/auth/2fa/setup"],
  ["POST", "/api/v1/auth/2fa/enable"],
  ["POST", "/api/v1/auth/2fa/disable"],
  ["POST", "/api/v1/auth/verify-email/resend"],
  ["GET", "/api/v1/auth/sessions"],
  ["DELETE", "/api/v1/auth/sessions/{sessionId}"],
  ["POST", "/api/v1/organizations"],
  ["GET", organization],
  ["PATCH", organization],
  ["GET", `${organization}/exports`],
  ["POST", `${organization}/exports`],
  ["GET", `${organization}/exports/{exportId}`],
  ["GET", `${organization}/exports/{exportId}/download`],
  ["DELETE", `${organization}/exports/{exportId}`],
  ["GET", `${organization}/members`],
  ["POST", `${organization}/members/invite`],
  ["PATCH", `${organization}/members/{membershipId}`],
  ["DELETE", `${organization}/members/{membershipId}`],
  ["POST", `${organization}/privacy/erase`],
  ["GET", `${organization}/links`],
  ["POST", `${organization}/links`],
  ["GET", `${organization}/links/export.csv`],
  ["GET", `${organization}/links/export.jsonl`],
  ["PUT", `${organization}/links/by-external-id/{externalId}`],
  ["POST", `${organization}/links/preview`],
  ["POST", `${organization}/links/bulk`],
  ["PATCH", `${organization}/links/bulk`],
  ["POST", `${organization}/links/bulk-delete`],
  ["POST", `${organization}/links/utm/generate`],
  ["POST", `${organization}/ai/marketing-assistant`],
  ["GET", `${organization}/links/{linkId}/revisions`],
  ["GET", `${organization}/links/{linkId}/leads`],
  ["GET", `${organization}/links/{linkId}/leads/export.csv`],
  ["DELETE", `${organization}/links/{linkId}/leads/{leadId}`],
  ["GET", `${organization}/links/{linkId}`],
  ["PATCH", `${organization}/links/{linkId}`],
  ["DELETE", `${organization}/links/{linkId}`],
  ["POST", `${organization}/links/{linkId}/safety/rescan`],
  ["GET", `${organization}/links/{linkId}/qrcode`],
  ["POST", `${organization}/links/{linkId}/qrcode/style`],
  ["POST", `${organization}/links/{linkId}/preview/traffic`],
  ["GET", `${organization}/analytics/overview`],
  ["GET", `${organization}/analytics/overview/stream`],
  ["GET", `${organization}/analytics/breakdown`],
  ["GET", `${organization}/analytics/top-links`],
  ["GET", `${organization}/analytics/trends`],
  ["GET", `${organization}/analytics/unserved`],
  ["GET", `${organization}/analytics/clicks`],
  ["GET", `${organization}/analytics/clicks/export.csv`],
  ["GET", `${organization}/analytics/clicks/{clickId}`],
  ["GET", `${organization}/analytics/insights`],
  ["GET", `${organization}/analytics/anomalies`],
  ["GET", `${organization}/analytics/conversion-prediction`],
  ["GET", `${organization}/analytics/best-destination`],
  ["GET", `${organization}/analytics/broken-campaigns`],
  ["GET", `${organization}/analytics/export.csv`],
  ["GET", `${organization}/analytics/abuse-queue`],
  ["GET", `${organization}/analytics/abuse-queue/groups`],
  ["POST", `${organization}/analytics/abuse-queue/bulk`],
  ["PATCH", `${organization}/analytics/abuse-queue/{clickId}`],
  ["GET", `${organization}/analytics/reports`],
  ["POST", `${organization}/analytics/reports`],
  ["PATCH", `${organization}/analytics/reports/{reportId}`],
  ["DELETE", `${organization}/analytics/reports/{reportId}`],
  ["GET", `${organization}/analytics/reports/{reportId}/export.csv`],
  ["GET", `${organization}/imports`],
  ["POST", `${organization}/imports`],
  ["GET", `${organization}/imports/{importId}`],
  ["GET", `${organization}/imports/{importId}/ledger`],
  ["GET", `${organization}/imports/{importId}/ledger.csv`],
  ["POST", `${organization}/imports/{importId}/verify`],
  ["POST", `${organization}/imports/{importId}/rollback`],
  ["POST", `${organization}/imports/{importId}/cancel`],
  ["GET", `${organization}/sso`],
  ["PATCH", `${organization}/sso`],
  ["GET", `${organization}/usage`],
  ["GET", `${organization}/domains`],
  ["POST", `${organization}/domains`],
  ["GET", `${organization}/domains/{domainId}`],
  ["GET", `${organization}/domains/{domainId}/configuration`],
  ["POST", `${organization}/domains/{domainId}/verify`],
  ["PATCH", `${organization}/domains/{domainId}/dashboard`],
  ["PATCH", `${organization}/domains/{domainId}`],
  ["DELETE", `${organization}/domains/{domainId}`],
  ["PATCH", `${organization}/domains/{domainId}/app-config`],
  ["GET", `${organization}/webhooks`],
  ["POST", `${organization}/webhooks`],
  ["PATCH", `${organization}/webhooks/{webhookId}`],
  ["DELETE", `${organization}/webhooks/{webhookId}`],
  ["POST", `${organization}/webhooks/{webhookId}/rotate-secret`],
  ["POST", `${organization}/webhooks/{webhookId}/test`],
  ["GET", `${organization}/webhooks/{webhookId}/deliveries`],
  ["GET", `${organization}/webhooks/{webhookId}/deliveries/{deliveryId}`],
  ["POST", `${organization}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver`],
  ["GET", `${organization}/bio-pages`],
  ["POST", `${organization}/bio-pages`],
  ["GET", `${organization}/bio-pages/{bioPageId}`],
  ["PATCH", `${organization}/bio-pages/{bioPageId}`],
  ["DELETE", `${organization}/bio-pages/{bioPageId}`],
  ["GET", `${organization}/apps`],
  ["POST", `${organization}/apps`],
  ["GET", `${organization}/apps/{appId}`],
  ["PATCH", `${organization}/apps/{appId}`],
  ["DELETE", `${organization}/apps/{appId}`],
  ["GET", `${organization}/audit-logs`],
  ["GET", `${organization}/api-keys`],
  ["POST", `${organization}/api-keys`],
  ["DELETE", `${organization}/api-keys/{keyId}`],
  ["GET", `${organization}/access-tokens`],
  ["POST", `${organization}/access-tokens`],
  ["DELETE", `${organization}/access-tokens/{tokenId}`],
];
const withApiKey: [method: string, path: string][] = [
  ["POST", "/api/v1/links"],
  ["GET", "/api/v1/links/{linkId}"],
  ["GET", "/api/v1/links/{linkId}/qrcode"],
  ["POST", "/api/v1/events"],
];
const bodies: [name: string, options: CallOptions][] = [
  ["no body", {}],
  ["a valid body", { body: { defaultUrl: "https://example.com/" } }],
  ["malformed JSON", { body: "{" }],
  ["a body that is no JSON", { body: "text", headers: { "content-type": "text/plain" } }],
  ["a body that is too large", { body: JSON.stringify({ title: "a".repeat(300_000) }) }],
  ["a body with a NUL byte", { body: { title: "\0" } }],
];

describe("401 before anything else", () => {
  test.each([...withBearer, ...withApiKey])("%s %s", async (method, path) => {
    for (const [, options] of method === "GET" ? bodies.slice(0, 1) : bodies) {
      const reply = await call<Record<string, unknown>>(method, filled(path), options);
      expectFailure(reply, 401);
      expect(Object.keys(reply.body)).toEqual(["error"]);
    }
    expectFailure(await call(method, `${filled(path)}?page=x&from=x&search=%00`), 401);
  });

  test.each(withBearer)("%s %s with an API key", async (method, path) => {
    expectFailure(await call(method, filled(path), { apiKey: readKey }), 401);
  });

  test.each(withApiKey)("%s %s with a session", async (method, path) => {
    expectFailure(await call(method, filled(path), { token: ada.token }), 401);
  });
});

describe("404 or 403 before the body is read", () => {
  const writes = withBearer.filter(([method, path]) => method !== "GET" && path.startsWith(organization));

  test.each(writes)("404: %s %s by a non-member", async (method, path) => {
    for (const [, options] of bodies)
      expectFailure(await call(method, filled(path), { ...options, token: eve.token }), 404);
  });

  /**
   * Viewers may also preview and propose, which writes nothing, leave the organization, and have access tokens of
   * their own.
   */
  const isOpenToViewers = ([method, path]: [string, string]) =>
    /\/(?:preview|preview\/traffic|utm\/generate|qrcode\/style|marketing-assistant)$|\/access-tokens/.test(path) ||
    (method === "DELETE" && path.includes("/members/"));

  test.each(writes.filter((write) => !isOpenToViewers(write)))("403: %s %s by a viewer", async (method, path) => {
    for (const [, options] of bodies)
      expectFailure(await call(method, filled(path), { ...options, token: viewer.token }), 403);
  });

  test("403: an API key without the scope", async () => {
    for (const [, options] of bodies) {
      expectFailure(await call("POST", "/api/v1/links", { ...options, apiKey: readKey }), 403);
    }
  });

  test("a viewer may read what is open to all members", async () => {
    // A stream never ends, and there is no click; both have tests of their own.
    const isRead = ([method, path]: [string, string]) =>
      method === "GET" && !/api-keys|webhooks|exports|audit-logs|\/sso$|\/stream$|\{clickId\}/.test(path);
    const reads = withBearer.filter(isRead);
    for (const [method, path] of reads)
      expect((await call(method, filled(path), { token: viewer.token })).status).toBe(200);
    const body = { slug: link.slug };
    expect((await call("POST", filled(`${organization}/links/preview`), { token: viewer.token, body })).status).toBe(
      200,
    );
  });
});

describe("roles on links", () => {
  test.each(["member", "admin", "owner"] as const)("a %s can create, change and delete links", async (role) => {
    const { token } = await addMember(service, ada.orgId, role);
    const body = { defaultUrl: "https://example.com/" };
    const created = await call<{ _id: string }>("POST", filled(`${organization}/links`), { token, body });
    expect(created.status).toBe(201);
    const path = filled(`${organization}/links/${created.body._id}`);
    expect((await call("PATCH", path, { token, body: { title: "a" } })).status).toBe(200);
    expect((await call("DELETE", path, { token })).status).toBe(200);
  });
});

test("the lists above name every operation that requires credentials", async () => {
  const { status, body } = await call<{ paths: Record<string, Record<string, { security?: unknown[] }>> }>(
    "GET",
    "/openapi.json",
  );
  expect(status).toBe(200);
  const guarded = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => (security ?? []).length > 0)
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
  const named = [...withBearer, ...withApiKey].map(([method, path]) => `${method} ${path}`);
  expect(guarded.toSorted()).toEqual([...named, ...ofOperators].toSorted());
});
