/**
 * Which scope of an access token reaches which operation: every operation of the document against every scope.
 * `access-matrix.test.ts` tests what a role may do; the tokens here are an owner's.
 */
import { describe, expect, test } from "bun:test";
import { type DescribedRoute, describeApp } from "@test/support/document/described";
import { startTestService } from "@test/support/service";
import { TOKEN_SCOPES, type TokenScope } from "@/contract/accounts/access";

const { routes } = await describeApp();
const shown = routes.filter(({ isHidden }) => !isHidden);
const HOME = "/api/v1/organizations/:orgId";

/** The scopes that reach each group of operations. Paths are relative to the organization's. */
const DECIDED: [scopes: TokenScope[], operations: string[]][] = [
  [
    ["read", "links"],
    [
      ...["GET /links", "GET /links/:linkId", "GET /links/:linkId/revisions", "GET /links/:linkId/qrcode"],
      ...["GET /links/export.csv", "GET /links/export.jsonl"],
      ...["POST /links/preview", "POST /links/utm/generate", "POST /links/:linkId/qrcode/style"],
      ...["GET /bio-pages", "GET /bio-pages/:bioPageId"],
    ],
  ],
  [
    ["read"],
    [
      ...["GET /imports", "GET /imports/:importId", "GET /imports/:importId/ledger"],
      "GET /imports/:importId/ledger.csv",
    ],
  ],
  [
    ["links"],
    [
      ...["POST /links", "PATCH /links/:linkId", "DELETE /links/:linkId", "POST /links/:linkId/safety/rescan"],
      ...["POST /links/bulk", "PATCH /links/bulk", "POST /links/bulk-delete"],
      "PUT /links/by-external-id/:externalId",
      ...["POST /bio-pages", "PATCH /bio-pages/:bioPageId", "DELETE /bio-pages/:bioPageId"],
    ],
  ],
  [
    ["analytics"],
    [
      ...["GET /links/:linkId/leads", "GET /links/:linkId/leads/export.csv", "DELETE /links/:linkId/leads/:leadId"],
      ...["GET /analytics/overview", "GET /analytics/overview/stream", "GET /analytics/breakdown"],
      ...["GET /analytics/top-links", "GET /analytics/trends", "GET /analytics/unserved"],
      "GET /analytics/export.csv",
      ...["GET /analytics/clicks", "GET /analytics/clicks/export.csv", "GET /analytics/clicks/:clickId"],
      ...["GET /analytics/insights", "GET /analytics/anomalies", "GET /analytics/conversion-prediction"],
      ...["GET /analytics/best-destination", "GET /analytics/broken-campaigns", "POST /ai/marketing-assistant"],
      "POST /links/:linkId/preview/traffic",
      ...["GET /analytics/abuse-queue", "GET /analytics/abuse-queue/groups", "POST /analytics/abuse-queue/bulk"],
      "PATCH /analytics/abuse-queue/:clickId",
      ...["GET /analytics/reports", "POST /analytics/reports", "PATCH /analytics/reports/:reportId"],
      ...["DELETE /analytics/reports/:reportId", "GET /analytics/reports/:reportId/export.csv"],
    ],
  ],
  [
    ["read", "manage"],
    [
      ...["GET ", "GET /members", "GET /usage", "GET /audit-logs", "GET /api-keys", "GET /apps"],
      "GET /apps/:appId",
      ...["GET /domains", "GET /domains/:domainId", "GET /domains/:domainId/configuration"],
      "GET /webhooks",
    ],
  ],
  [
    ["manage"],
    [
      ...["PATCH ", "POST /members/invite", "PATCH /members/:membershipId", "DELETE /members/:membershipId"],
      ...["POST /privacy/erase", "POST /api-keys", "DELETE /api-keys/:keyId"],
      ...["POST /domains", "POST /domains/:domainId/verify", "PATCH /domains/:domainId", "DELETE /domains/:domainId"],
      ...["PATCH /domains/:domainId/dashboard", "PATCH /domains/:domainId/app-config"],
      ...["POST /apps", "PATCH /apps/:appId", "DELETE /apps/:appId"],
      ...["POST /imports", "POST /imports/:importId/rollback", "POST /imports/:importId/cancel"],
      "POST /imports/:importId/verify",
      ...["POST /webhooks", "PATCH /webhooks/:webhookId", "DELETE /webhooks/:webhookId"],
      ...["POST /webhooks/:webhookId/rotate-secret", "POST /webhooks/:webhookId/test"],
      // Delivered bodies contain every visit, and an endpoint's response may repeat them.
      "GET /webhooks/:webhookId/deliveries/:deliveryId",
      ...["GET /webhooks/:webhookId/deliveries", "POST /webhooks/:webhookId/deliveries/:deliveryId/redeliver"],
    ],
  ],
  [[], ["GET /exports", "POST /exports", "GET /exports/:exportId", "GET /exports/:exportId/download"]],
  [
    [],
    [
      "DELETE /exports/:exportId",
      "GET /sso",
      "PATCH /sso",
      "GET /access-tokens",
      "POST /access-tokens",
      "DELETE /access-tokens/:tokenId",
    ],
  ],
];

const service = await startTestService();
const ada = await service.register();
const tokens = new Map(await Promise.all(TOKEN_SCOPES.map(async (scope) => [scope, await tokenFor(scope)] as const)));

async function tokenFor(scope: TokenScope): Promise<string> {
  const { status, body } = await service.call<{ token: string }>(
    "POST",
    `/api/v1/organizations/${ada.orgId}/access-tokens`,
    { token: ada.token, body: { name: scope, scopes: [scope] } },
  );
  expect(status).toBe(201);
  return body.token;
}

/**
 * Returns only the status and error, because a stream never ends. Bodies are empty, and the records in paths do not
 * exist.
 */
async function ask({ method, path }: DescribedRoute, scope: TokenScope): Promise<[status: number, error: unknown]> {
  const leaving = new AbortController();
  const filled = path.replace(":orgId", ada.orgId).replaceAll(/:\w+/g, () => Bun.randomUUIDv7());
  const response = await fetch(service.url + filled, {
    method,
    headers: { authorization: `Bearer ${tokens.get(scope)}`, "content-type": "application/json" },
    body: method === "GET" ? undefined : "{}",
    signal: leaving.signal,
  });
  const body: unknown = response.status < 400 ? {} : await response.json();
  const error: unknown = Object(body).error;
  leaving.abort();
  return [response.status, error];
}

const named = (route: DescribedRoute) => [`${route.method} ${route.path}`, route] as const;

test("the table names every operation of an organization with the scopes that it declares", () => {
  const inTable = DECIDED.flatMap(([scopes, operations]) => operations.map((operation) => `${operation}: ${scopes}`));
  const declared = shown
    .filter(({ access }) => access.member)
    .map(({ method, path, access }) => `${method} ${path.replace(HOME, "")}: ${access.scopes}`);
  expect(declared.toSorted()).toEqual(inTable.toSorted());
});

describe.each(TOKEN_SCOPES.map((scope) => [scope] as const))("the scope %s", (scope) => {
  test.each(shown.filter(({ access }) => access.member).map(named))("%s", async (_, route) => {
    const { scopes = [] } = route.access;
    const [status, error] = await ask(route, scope);
    if (scopes.includes(scope)) expect([401, 403, 405, 429]).not.toContain(status);
    else if (scopes.length === 0) expect([status, error]).toEqual([403, expect.stringContaining("sign in")]);
    else expect([status, error]).toEqual([403, `This requires an access token with the scope ${scopes.join(" or ")}`]);
  });

  test("gives no access to account operations, and does not work as an API key", async () => {
    for (const route of shown.filter(({ access }) => access.user)) {
      const [status, error] = await ask(route, scope);
      expect([route.path, status, error]).toEqual([route.path, 403, expect.stringContaining("sign in")]);
    }
    for (const route of shown.filter(({ access }) => access.apiKey)) {
      expect([route.path, (await ask(route, scope))[0]]).toEqual([route.path, 401]);
    }
  });
});
