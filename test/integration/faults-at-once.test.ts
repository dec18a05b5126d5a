/** What breaks the schema and what only the service can see is told in one answer, by whatever takes a body. */
import { describe, expect, test } from "bun:test";
import { fieldsOf } from "@test/support/failure";
import { makeWorkspace } from "@test/support/hostile/workspace";
import { startTestService } from "@test/support/service";
import { tableState } from "@test/support/tenants";

const service = await startTestService();
const { account, apiKey, ids } = await makeWorkspace(service);
const home = `/api/v1/organizations/${account.orgId}`;
const unknown = Bun.randomUUIDv7();

type Case = [name: string, method: string, path: string, body: Record<string, unknown>, fields: string[]];

const item = { title: "Shop", url: "https://example.com/" };
const cases: Case[] = [
  [
    "a bio page",
    "POST",
    `${home}/bio-pages`,
    {
      title: " ",
      bio: 5,
      slug: "a b",
      domainId: unknown,
      links: [
        { ...item, url: "nowhere" },
        { title: "a", linkId: unknown },
      ],
    },
    ["bio", "domainId", "links[0].url", "links[1].linkId", "slug", "title"],
  ],
  [
    "a bio page's change",
    "PATCH",
    `${home}/bio-pages/${ids.bioPageId}`,
    { title: " ", isActive: "yes", links: [{ title: "a", linkId: unknown }] },
    ["isActive", "links[0].linkId", "title"],
  ],
  [
    "an app profile",
    "POST",
    `${home}/apps`,
    { name: " ", pathPrefix: "a b", fallback: "nowhere", iconUrl: "nowhere" },
    ["fallback", "iconUrl", "name", "pathPrefix"],
  ],
  [
    "an app profile's change",
    "PATCH",
    `${home}/apps/${ids.appId}`,
    { name: 5, pathPrefix: "a b", iconUrl: "nowhere" },
    ["iconUrl", "name", "pathPrefix"],
  ],
  [
    "a report",
    "POST",
    `${home}/analytics/reports`,
    { name: " ", metrics: ["none"], filters: { from: "2026-05-02", to: "2026-05-01", linkId: unknown } },
    ["filters.from", "filters.linkId", "metrics[0]", "name"],
  ],
  [
    "a report's change",
    "PATCH",
    `${home}/analytics/reports/${ids.reportId}`,
    { name: 5, filters: { linkId: unknown } },
    ["filters.linkId", "name"],
  ],
  [
    "the organization",
    "PATCH",
    home,
    { name: 5, branding: { logoUrl: "nowhere", supportUrl: "nowhere" } },
    ["branding.logoUrl", "branding.supportUrl", "name"],
  ],
  ["a webhook", "POST", `${home}/webhooks`, { url: "nowhere", events: ["none"] }, ["events[0]", "url"]],
  [
    "a webhook's change",
    "PATCH",
    `${home}/webhooks/${ids.webhookId}`,
    { url: "nowhere", isActive: 1 },
    ["isActive", "url"],
  ],
  [
    "an event",
    "POST",
    "/api/v1/events",
    { name: " ", value: "much", linkId: unknown, metadata: { a: "x".repeat(20_000) } },
    ["linkId", "metadata", "name", "value"],
  ],
];

describe.each(cases)("%s", (_, method, path, body, fields) => {
  test("is refused with all that is wrong", async () => {
    const before = await tableState(service.sql);
    const credentials = path.startsWith("/api/v1/events") ? { apiKey } : { token: account.token };
    const reply = await service.call(method, path, { ...credentials, body });
    expect({ status: reply.status, fields: fieldsOf(reply.body) }).toEqual({ status: 400, fields });
    expect(await tableState(service.sql)).toEqual(before);
  });
});
