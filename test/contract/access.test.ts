import { describe, expect, test } from "bun:test";
import { expectConforms } from "@test/support/document/conforms";
import { type DescribedRoute, describeApp } from "@test/support/document/described";
import { SCOPES } from "@/contract/accounts/access";

const { app, routes } = await describeApp();
const guarded = routes.filter(({ access }) => !access.public);

/** Routes that may be called without credentials, including the pages that describe the service. */
const PUBLIC = [
  ...[
    "GET /health",
    "GET /ready",
    "POST /api/v1/auth/register",
    "POST /api/v1/auth/login",
    "POST /api/v1/auth/login/2fa",
  ],
  ...["GET /api/v1/auth/sso/start", "GET /api/v1/auth/sso/callback", "POST /api/v1/auth/sso/exchange"],
  ...["POST /api/v1/auth/password/forgot", "POST /api/v1/auth/password/reset"],
  "POST /api/v1/auth/verify-email",
  ...["GET /api/v1/resolve", "POST /api/v1/match", "POST /api/v1/match/install-attribution"],
  "GET /api/v1/public/dashboard-branding",
  "GET /api/v1/public/app-icons/apps/:appId",
  "GET /api/v1/public/app-icons/domains/:domainId",
  "GET /.well-known/waymark/cards/:linkId/:tag",
  "GET /.well-known/waymark/images/:form/:linkId/:tag",
  ...["GET /.well-known/waymark/icons/apps/:appId", "GET /.well-known/waymark/icons/domains/:domainId"],
  ...["GET /api/v1/public/app-icons/organizations/:orgId", "GET /.well-known/waymark/icons/:orgId", "GET /favicon.ico"],
  ...[
    "GET /app",
    "GET /app/*",
    "GET /app/o/*",
    "GET /app/ui",
    "GET /app/assets/:name",
    "GET /app/api/session",
    "GET /app/sign-in",
    "POST /app/sign-in",
    "GET /app/sign-in/code",
    "GET /app/sign-in/sso",
    "POST /app/sign-in/code",
    "POST /app/sign-in/sso",
    "GET /app/sign-out",
  ],
  ...["GET /app/language", "POST /app/language", "GET /app/draft-page", "POST /app/draft-page"],
  ...["GET /app/draft-link-page", "POST /app/draft-link-page"],
  ...["POST /app/sign-out", "GET /app/register", "POST /app/register", "GET /app/invite", "POST /app/invite"],
  ...["GET /app/reset-password", "POST /app/reset-password", "GET /app/verify-email", "POST /app/verify-email"],
  ...["GET /reset-password", "GET /invite"],
  ...[
    "GET /",
    "GET /docs",
    "GET /docs/assets/:version/:name",
    "GET /docs/grafana.json",
    "GET /docs/guide",
    "GET /docs/guide/:name",
    "GET /docs/postman.json",
    "GET /openapi.json",
  ],
];

/** Routes that accept API keys. */
const BY_API_KEY = [
  "GET /api/v1/links/:linkId",
  "GET /api/v1/links/:linkId/qrcode",
  "POST /api/v1/events",
  "POST /api/v1/links",
];

const nameOf = ({ method, path }: DescribedRoute) => `${method} ${path}`;

test.each(routes.map((route) => [nameOf(route), route] as const))(
  "%s declares exactly one kind of access",
  (_, { access }) => {
    const { scopes, ...ways } = access;
    expect(Object.keys(ways)).toHaveLength(1);
    expect(scopes !== undefined).toBe(access.member !== undefined);
  },
);

test("only the intended routes are public", () => {
  const open = routes.filter(({ access }) => access.public).map(nameOf);
  expect(open.filter((name) => !PUBLIC.includes(name))).toEqual([]);
});

test("only the intended routes accept API keys", () => {
  const keyed = routes.filter(({ access }) => access.apiKey);
  expect(keyed.map(nameOf).filter((name) => !BY_API_KEY.includes(name))).toEqual([]);
  for (const { access } of keyed) expect([...SCOPES, undefined]).toContain(access.apiKey);
});

test("the routes of an organization require a membership, and no others do", () => {
  const ofOrganizations = routes.filter(({ path }) => path.startsWith("/api/v1/organizations/:orgId")).map(nameOf);
  expect(routes.filter(({ access }) => access.member).map(nameOf)).toEqual(ofOrganizations);
});

describe.each(guarded.map((route) => [nameOf(route), route] as const))(
  "%s answers 401 before it reads the body",
  (_, route) => {
    const wrongScheme = route.access.apiKey ? "Bearer" : "ApiKey";
    const rightScheme = route.access.apiKey ? "ApiKey" : "Bearer";

    test.each([
      ["without credentials", undefined],
      ["to the other scheme", `${wrongScheme} whatever`],
      ["to credentials that are none", `${rightScheme} whatever`],
      ["to an empty header", ""],
    ])("%s", async (_, authorization) => {
      const path = route.path.replaceAll(/:\w+/g, "0198f2b0-6b5e-7c3a-9d4e-5f6a7b8c9d0e");
      const response = await app.handle(
        new Request(`http://localhost${path}`, {
          method: route.method,
          headers: {
            "content-type": "application/json",
            ...(authorization === undefined ? {} : { authorization }),
          },
          body: route.method === "GET" ? undefined : '{"not": json',
        }),
      );
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toBeTruthy();
      await expectConforms(response, route.method, path);
    });
  },
);
