/**
 * Every parameter of every query, with invalid and valid values. The first parameter of a name gets all of its own
 * wrong values, the first one of a route all odd text; the others get a share (`shares.ts`).
 */
import { describe, expect, test } from "bun:test";
import { fieldsOf } from "@test/support/failure";
import { dealer } from "@test/support/hostile/shares";
import { ODD_TEXTS } from "@test/support/hostile/values";
import { type Account, startTestService } from "@test/support/service";
import { AccessTokenQuery } from "@/contract/accounts/access-tokens";
import { AuditLogQuery } from "@/contract/accounts/audit-logs";
import { SsoCallbackQuery, SsoStartQuery } from "@/contract/accounts/sso";
import { AbuseGroupsQuery, AbuseQueueQuery } from "@/contract/analytics/abuse";
import { AnalyticsQuery } from "@/contract/analytics/analytics";
import { ClicksExportQuery, ClicksQuery } from "@/contract/analytics/clicks";
import { LinkTrendsQuery } from "@/contract/analytics/link-trends";
import { OverviewQuery } from "@/contract/analytics/overview";
import { UnservedQuery } from "@/contract/analytics/unserved";
import { DomainListQuery, TlsQuery } from "@/contract/domains";
import { LedgerQuery } from "@/contract/links/imports";
import { LinkExportQuery } from "@/contract/links/link-export";
import { LinkListQuery } from "@/contract/links/link-lists";
import { ResolveQuery } from "@/contract/links/links";
import { QrCodeQuery, QrCodeQueryWithAlias } from "@/contract/links/qr";
import { DashboardBrandingQuery } from "@/contract/public";
import { pageQuery } from "@/contract/schema";
import { WebhookDeliveryQuery } from "@/contract/webhooks";

const service = await startTestService();
const account = await service.register();
const { token, orgId } = account;
const apiKey = await service.createApiKey(account, ["qr:read"]);
await service.createLink(account, { defaultUrl: "https://example.com/", slug: "known" });
const organization = `/api/v1/organizations/${orgId}`;

interface Route {
  path: string;
  /** Parameters that have to be valid before the others are read. */
  base: Record<string, string>;
  parameters: string[];
}

const resolve: Route = {
  path: "/api/v1/resolve",
  base: { domain: service.host, slug: "known" },
  parameters: Object.keys(ResolveQuery.properties),
};
const routes: Route[] = [
  { path: "/api/v1/public/dashboard-branding", base: {}, parameters: Object.keys(DashboardBrandingQuery.properties) },
  { path: `${organization}/links`, base: {}, parameters: Object.keys(LinkListQuery.properties) },
  { path: `${organization}/links/{linkId}/revisions`, base: {}, parameters: Object.keys(pageQuery) },
  { path: `${organization}/links/{linkId}/leads`, base: {}, parameters: Object.keys(pageQuery) },
  {
    path: `${organization}/links/{linkId}/qrcode`,
    base: {},
    parameters: Object.keys(QrCodeQueryWithAlias.properties),
  },
  { path: "/api/v1/links/{linkId}/qrcode", base: {}, parameters: Object.keys(QrCodeQuery.properties) },
  { path: `${organization}/domains`, base: {}, parameters: Object.keys(DomainListQuery.properties) },
  { path: `${organization}/domains/{domainId}/configuration`, base: {}, parameters: ["check"] },
  { path: "/internal/tls/ask", base: { domain: service.host }, parameters: Object.keys(TlsQuery.properties) },
  { path: "/api/v1/auth/sso/start", base: { orgSlug: "none" }, parameters: Object.keys(SsoStartQuery.properties) },
  { path: "/api/v1/auth/sso/callback", base: {}, parameters: Object.keys(SsoCallbackQuery.properties) },
  { path: "/api/v1/auth/sessions", base: {}, parameters: Object.keys(pageQuery) },
  { path: `${organization}/api-keys`, base: {}, parameters: Object.keys(pageQuery) },
  { path: `${organization}/exports`, base: {}, parameters: Object.keys(pageQuery) },
  { path: `${organization}/imports`, base: {}, parameters: Object.keys(pageQuery) },
  { path: `${organization}/imports/{importId}/ledger`, base: {}, parameters: Object.keys(LedgerQuery.properties) },
  { path: `${organization}/access-tokens`, base: {}, parameters: Object.keys(AccessTokenQuery.properties) },
  { path: `${organization}/bio-pages`, base: {}, parameters: Object.keys(pageQuery) },
  { path: `${organization}/apps`, base: {}, parameters: Object.keys(pageQuery) },
  { path: `${organization}/webhooks`, base: {}, parameters: Object.keys(pageQuery) },
  {
    path: `${organization}/webhooks/{webhookId}/deliveries`,
    base: {},
    parameters: Object.keys(WebhookDeliveryQuery.properties),
  },
  { path: `${organization}/audit-logs`, base: {}, parameters: Object.keys(AuditLogQuery.properties) },
  { path: `${organization}/members`, base: {}, parameters: Object.keys(pageQuery) },
  {
    path: `${organization}/analytics/abuse-queue`,
    base: {},
    parameters: Object.keys(AbuseQueueQuery.properties),
  },
  {
    path: `${organization}/analytics/abuse-queue/groups`,
    base: {},
    parameters: Object.keys(AbuseGroupsQuery.properties),
  },
  { path: `${organization}/analytics/overview`, base: {}, parameters: Object.keys(OverviewQuery.properties) },
  {
    path: `${organization}/analytics/breakdown`,
    base: { by: "country" },
    parameters: ["by", "tag", "destination"],
  },
  // Their filters are parsed like those of the overview.
  {
    path: `${organization}/analytics/export.csv`,
    base: {},
    parameters: [...Object.keys(AnalyticsQuery.properties), "destination"],
  },
  ...["insights", "anomalies", "conversion-prediction", "best-destination", "broken-campaigns"].map((computed) => ({
    path: `${organization}/analytics/${computed}`,
    base: {},
    parameters: Object.keys(AnalyticsQuery.properties),
  })),
  { path: `${organization}/analytics/top-links`, base: {}, parameters: ["limit", "from", "to", "tag", "destination"] },
  { path: `${organization}/analytics/clicks`, base: {}, parameters: Object.keys(ClicksQuery.properties) },
  {
    path: `${organization}/analytics/clicks/export.csv`,
    base: {},
    parameters: Object.keys(ClicksExportQuery.properties),
  },
  ...["csv", "jsonl"].map((form) => ({
    path: `${organization}/links/export.${form}`,
    base: {},
    parameters: Object.keys(LinkExportQuery.properties),
  })),
  {
    path: `${organization}/analytics/trends`,
    base: { linkId: Bun.randomUUIDv7() },
    parameters: Object.keys(LinkTrendsQuery.properties),
  },
  { path: `${organization}/analytics/unserved`, base: {}, parameters: Object.keys(UnservedQuery.properties) },
  { path: `${organization}/analytics/reports`, base: {}, parameters: Object.keys(pageQuery) },
  {
    path: `${organization}/analytics/overview/stream`,
    base: {},
    // Other parameters accept odd text, and then the response is an endless stream.
    parameters: ["intervalMs"],
  },
  resolve,
];

/** Percent-encoded values that do not decode to valid text. */
const UNFIT = ["%00", "a%00b", "%ED%A0%80", "%FF", "%C0%AF", "%zz", "%", "%E2%82"];

const WRONG: Record<string, string[]> = {
  page: ["", "0", "-1", "1.5", "x", "NaN", "Infinity", "1000001", "99999999999999999999", "1;2", "[1]"],
  limit: ["", "0", "-1", "1.5", "x", "101", "1e3", "null", "true"],
  tag: ["a".repeat(51)],
  excludeTag: ["a".repeat(51)],
  isArchived: ["", "yes", "1", "TRUE"],
  sort: ["", "size", "createdat"],
  order: ["", "up", "ASC"],
  destination: ["a".repeat(2_049)],
  compare: ["", "next", "previous,previous"],
  by: ["", "colour", "byCountry"],
  reason: ["", "gone", "UNKNOWN", "expired,unsafe"],
  search: ["a".repeat(201)],
  from: ["", "yesterday", "2026-02-30T00:00:00Z", "0000-01-01T00:00:00Z", "1767225600"],
  to: ["", "now", "2026-13-01T00:00:00Z", "9999-12-31T23:59:59-14:00"],
  includeBots: ["", "yes", "1", "TRUE"],
  check: ["", "yes", "1", "TRUE"],
  days: ["", "0", "8", "7.5", "7,30", "+7", "seven"],
  intervalMs: ["", "999", "60001", "1500.5", "-5000", "often", "5s"],
  orgSlug: [""],
  returnTo: ["", "links", "//evil.test", "/\\evil.test", "https://evil.test", `/${"a".repeat(1000)}`],
  result: ["", "made", "CREATED", "created,skipped"],
  different: ["", "yes", "1", "TRUE"],
  platform: ["", "windows", "IOS", "ios,android"],
  domain: [""],
  hostname: ["", "a".repeat(261)],
  slug: ["", "a".repeat(191)],
  password: ["a".repeat(129)],
  osVersion: ["1".repeat(256)],
  status: ["", "guilty", "PENDING", "all,pending"],
  visitorId: ["a".repeat(256)],
  format: ["", "gif", "PNG", "png,svg"],
  dark: ["", "red", "#", "#ab", "#1f4fd8ff", "rgb(0,0,0)"],
  light: ["", "white", "##fff", "#fffff"],
  width: ["", "63", "4097", "512.5", "512px", "-512"],
  logo: ["", "a".repeat(2049)],
  logoUrl: ["", "a".repeat(2049)],
};

const ask = ({ token, orgId: own }: Account, { path, base }: Route, parameter: string, raw: string) => {
  const query = Object.entries({ ...base, [parameter]: undefined }).filter(([, value]) => value !== undefined);
  const text = [...query.map(([key, value]) => `${key}=${value}`), `${parameter}=${raw}`].join("&");
  return service.call<Record<string, unknown>>(
    "GET",
    `${path.replace(orgId, own)}?${text}`,
    path.startsWith("/api/v1/links/") ? { apiKey } : /organizations|sessions/.test(path) ? { token } : {},
  );
};

const PARAMETERS_A_MINUTE = 8;
const deal = dealer();
const ESCAPES = ["%2B+%20", "a%0D%0AX-Evil:%201", "..%2F..%2F", "%F0%9F%A6%8A"];
const BORNE = [...ODD_TEXTS.map(({ value }) => encodeURIComponent(String(value))), ...ESCAPES];

for (const route of routes) {
  describe(`GET ${route.path.replace(orgId, ":orgId")}`, () => {
    // A new account for every few parameters, because the requests of an account per minute are limited.
    let asker = account;

    for (const [index, parameter] of route.parameters.entries()) {
      test(`${parameter} is refused with 400 and named if its value is not text or not one of its own`, async () => {
        if (index % PARAMETERS_A_MINUTE === 0) asker = await service.register();
        const wrong = deal(`wrong ${parameter}`, WRONG[parameter] ?? []).map(encodeURIComponent);
        for (const raw of [...deal(`unfit ${route.path}`, UNFIT), ...wrong]) {
          const { status, body } = await ask(asker, route, parameter, raw);
          expect([raw, status, fieldsOf(body)]).toEqual([raw, 400, [parameter]]);
        }
      });

      test(`odd text in ${parameter} causes no server error`, async () => {
        for (const raw of deal(`odd ${route.path}`, BORNE)) {
          const { status } = await ask(asker, route, parameter, raw);
          expect([200, 302, 400, 404]).toContain(status);
        }
      });
    }
  });
}

test("repeated or bracketed parameters cause no server error", async () => {
  for (const query of [
    "search=a&search=b",
    "search[]=a",
    "search[$gt]=",
    "tag=a&tag=b&tag=c",
    "page=1&page=x",
    "limit=1&limit=999",
  ]) {
    const { status } = await service.call("GET", `${organization}/links?${query}`, { token });
    expect([200, 400]).toContain(status);
  }
});

test("unknown parameters are ignored", async () => {
  const query = "orgId=d&isAdmin=true&deleted=true&=x&&";
  const { status, body } = await service.call<{ total: number }>("GET", `${organization}/links?${query}`, { token });
  expect([status, body.total]).toEqual([200, 1]);
});

test("unknown parameters are ignored also where every object has such a member", async () => {
  const query = "toString=1&valueOf=2&constructor=3&__proto__=4&hasOwnProperty=5";
  const listed = await service.call<{ total: number }>("GET", `${organization}/links?${query}`, { token });
  expect([listed.status, listed.body.total]).toEqual([200, 1]);
  const resolved = await service.call("GET", `${resolve.path}?${new URLSearchParams(resolve.base)}&${query}`);
  expect(resolved.status).toBe(200);
});

test("a missing parameter is named in the error", async () => {
  for (const missing of ["domain", "slug"]) {
    const query = new URLSearchParams(resolve.base);
    query.delete(missing);
    const { status, body } = await service.call<Record<string, unknown>>("GET", `${resolve.path}?${query}`);
    expect([status, fieldsOf(body)]).toEqual([400, [missing]]);
  }
});

test("the tables in this folder name every operation that takes a query or a body", async () => {
  expect(Object.keys(WRONG).filter((name) => !routes.some(({ parameters }) => parameters.includes(name)))).toEqual([]);
  const { body } = await service.call<{ paths: Record<string, Record<string, Operation>> }>("GET", "/openapi.json");
  const operations = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, ...operation })),
  );
  const withQuery = operations.filter(({ parameters = [] }) =>
    parameters.some((parameter) => parameter.in === "query"),
  );
  expect(withQuery.map(({ name }) => name).toSorted()).toEqual(
    routes.map(({ path }) => `get ${path.replace(orgId, "{orgId}")}`).toSorted(),
  );
  const withBody = operations.filter(({ requestBody }) => requestBody !== undefined);
  expect(withBody.map(({ name }) => name).toSorted()).toEqual([
    "patch /api/v1/organizations/{orgId}",
    "patch /api/v1/organizations/{orgId}/analytics/abuse-queue/{clickId}",
    "patch /api/v1/organizations/{orgId}/analytics/reports/{reportId}",
    "patch /api/v1/organizations/{orgId}/apps/{appId}",
    "patch /api/v1/organizations/{orgId}/bio-pages/{bioPageId}",
    "patch /api/v1/organizations/{orgId}/domains/{domainId}",
    "patch /api/v1/organizations/{orgId}/domains/{domainId}/app-config",
    "patch /api/v1/organizations/{orgId}/domains/{domainId}/dashboard",
    "patch /api/v1/organizations/{orgId}/links/bulk",
    "patch /api/v1/organizations/{orgId}/links/{linkId}",
    "patch /api/v1/organizations/{orgId}/members/{membershipId}",
    "patch /api/v1/organizations/{orgId}/sso",
    "patch /api/v1/organizations/{orgId}/webhooks/{webhookId}",
    "post /api/v1/auth/2fa/disable",
    "post /api/v1/auth/2fa/enable",
    "post /api/v1/auth/login",
    "post /api/v1/auth/login/2fa",
    "post /api/v1/auth/password/forgot",
    "post /api/v1/auth/password/reset",
    "post /api/v1/auth/register",
    "post /api/v1/auth/sso/exchange",
    "post /api/v1/auth/verify-email",
    "post /api/v1/events",
    "post /api/v1/links",
    "post /api/v1/match",
    "post /api/v1/match/install-attribution",
    "post /api/v1/organizations",
    "post /api/v1/organizations/{orgId}/access-tokens",
    "post /api/v1/organizations/{orgId}/ai/marketing-assistant",
    "post /api/v1/organizations/{orgId}/analytics/abuse-queue/bulk",
    "post /api/v1/organizations/{orgId}/analytics/reports",
    "post /api/v1/organizations/{orgId}/api-keys",
    "post /api/v1/organizations/{orgId}/apps",
    "post /api/v1/organizations/{orgId}/bio-pages",
    "post /api/v1/organizations/{orgId}/domains",
    "post /api/v1/organizations/{orgId}/imports",
    "post /api/v1/organizations/{orgId}/imports/{importId}/rollback",
    "post /api/v1/organizations/{orgId}/imports/{importId}/verify",
    "post /api/v1/organizations/{orgId}/links",
    "post /api/v1/organizations/{orgId}/links/bulk",
    "post /api/v1/organizations/{orgId}/links/bulk-delete",
    "post /api/v1/organizations/{orgId}/links/preview",
    "post /api/v1/organizations/{orgId}/links/utm/generate",
    "post /api/v1/organizations/{orgId}/links/{linkId}/preview/traffic",
    "post /api/v1/organizations/{orgId}/links/{linkId}/qrcode/style",
    "post /api/v1/organizations/{orgId}/members/invite",
    "post /api/v1/organizations/{orgId}/privacy/erase",
    "post /api/v1/organizations/{orgId}/webhooks",
    "post /api/v1/organizations/{orgId}/webhooks/{webhookId}/test",
    "put /api/v1/organizations/{orgId}/links/by-external-id/{externalId}",
  ]);
});

interface Operation {
  parameters?: { in: string; name: string }[];
  requestBody?: unknown;
}
