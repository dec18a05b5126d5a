/**
 * Violations of the schema and faults that only the service can detect are reported in one response, by every
 * operation with a body.
 */
import { describe, expect, test } from "bun:test";
import { tableState } from "@test/support/accounts/tenants";
import { fieldsOf } from "@test/support/failure";
import { makeWorkspace } from "@test/support/hostile/workspace";
import { startTestService } from "@test/support/service";
import type { BulkLinkResult } from "@/contract/links/bulk-links";

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
    "an API key",
    "POST",
    `${home}/api-keys`,
    { name: " ", scopes: ["none"], expiresAt: "2020-01-01" },
    ["expiresAt", "name", "scopes[0]"],
  ],
  [
    "an API key that keeps to its schema",
    "POST",
    `${home}/api-keys`,
    { name: " ", scopes: ["qr:read"], expiresAt: "2020-01-01" },
    ["expiresAt", "name"],
  ],
  [
    "single sign-on",
    "PATCH",
    `${home}/sso`,
    { issuer: "nowhere", clientId: " ", allowedDomains: ["a b"], defaultRole: "owner" },
    ["allowedDomains[0]", "clientId", "defaultRole", "issuer"],
  ],
  [
    "a registration that keeps to its schema",
    "POST",
    "/api/v1/auth/register",
    { name: " ", email: "new@example.com", password: "password1", organizationName: " " },
    ["name", "organizationName", "password"],
  ],
  [
    "an event",
    "POST",
    "/api/v1/events",
    { name: " ", value: "much", linkId: unknown, metadata: { a: "x".repeat(20_000) } },
    ["linkId", "metadata", "name", "value"],
  ],
];

const unfit: Case[] = [
  [
    "a link with unfit text, a field of another type and one that only the service can judge",
    "POST",
    `${home}/links`,
    { defaultUrl: "nowhere", title: "a\0b", description: "\ud800", tags: 5, slug: "a b", domainId: unknown },
    ["defaultUrl", "description", "domainId", "slug", "tags", "title"],
  ],
  [
    "a link that keeps to its schema but for unfit text",
    "POST",
    `${home}/links`,
    { defaultUrl: "https://example.com/", title: "a\0b", domainId: unknown, utm: { source: "\udc00" } },
    ["domainId", "title", "utm.source"],
  ],
  [
    "a link's change, with a key of unfit text",
    "PATCH",
    `${home}/links/${ids.linkId}`,
    { title: "a\0b", "wrong\0": 1, isActive: "yes", defaultUrl: "nowhere" },
    ["body", "defaultUrl", "isActive", "title"],
  ],
  [
    "an event with unfit text",
    "POST",
    "/api/v1/events",
    { name: "sale\0", value: "much", linkId: unknown },
    ["linkId", "name", "value"],
  ],
  [
    "a sign-in with unfit text alone",
    "POST",
    "/api/v1/auth/login",
    { email: "a\0@example.com", password: "\udc00" },
    ["email", "password"],
  ],
];

test("a link in a bulk request is refused with all errors at once", async () => {
  const links = [{ defaultUrl: "nowhere", title: "a\0b", tags: 5, domainId: unknown }];
  const { body } = await service.call<BulkLinkResult>("POST", `${home}/links/bulk`, {
    token: account.token,
    body: { links },
  });
  expect(body.created).toEqual([]);
  expect(body.errors.map(fieldsOfError)).toEqual([["defaultUrl", "domainId", "tags", "title"]]);
});

const fieldsOfError = ({ details }: BulkLinkResult["errors"][number]) => fieldsOf({ details });

describe.each([...cases, ...unfit])("%s", (_, method, path, body, fields) => {
  test("is refused with all errors at once", async () => {
    const before = await tableState(service.sql);
    const credentials = path.startsWith("/api/v1/events") ? { apiKey } : { token: account.token };
    const reply = await service.call(method, path, { ...credentials, body });
    expect({ status: reply.status, fields: fieldsOf(reply.body) }).toEqual({ status: 400, fields });
    expect(await tableState(service.sql)).toEqual(before);
  });
});
