/** Requests that an organization's deletion overtakes after they were let in. */
import { expect, test } from "bun:test";
import { expectFailure } from "@test/support/failure";
import { waitUntilBlocked, whileLocked } from "@test/support/servers/lock-waits";
import { startTestService } from "@test/support/service";

const service = await startTestService();
const { call, sql } = service;
const defaultUrl = "https://example.com/";

const CHANGES: [method: string, path: string, body: object][] = [
  ["POST", "/links", { defaultUrl }],
  ["POST", "/links/bulk", { links: [{ defaultUrl }] }],
  ["PUT", "/links/by-external-id/order-7", { defaultUrl }],
  ["POST", "/bio-pages", { title: "Eve" }],
  ["POST", "/domains", { hostname: "go.eve.test" }],
  ["POST", "/apps", { name: "Eve" }],
  ["POST", "/api-keys", { name: "Server", scopes: ["links:read"] }],
  ["POST", "/access-tokens", { name: "Script", scopes: ["read"] }],
  ["POST", "/webhooks", { url: "https://example.com/hook", events: ["click"] }],
  ["POST", "/analytics/reports", { name: "Weekly" }],
  ["POST", "/exports", {}],
  ["POST", "/members/invite", { email: "guest@example.com", role: "viewer" }],
  ["PATCH", "/sso", { clientId: "waymark" }],
  ["PATCH", "", { name: "Eve" }],
];

test.each(CHANGES)("%s %s returns 404, and stores nothing", async (method, path, body) => {
  const { token, orgId } = await service.register();
  const deletion = `delete from organizations where id = '${orgId}'`;
  const { reply } = await whileLocked(sql, deletion, async () => {
    const started = { reply: call(method, `/api/v1/organizations/${orgId}${path}`, { token, body }) };
    await waitUntilBlocked(sql, 1);
    return started;
  });
  expectFailure(await reply, 404);
  expect((await sql`select from audit_logs where org_id = ${orgId} and action <> 'organization.create'`).length).toBe(
    0,
  );
});
