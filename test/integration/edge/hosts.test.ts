/**
 * Which hosts a server serves: looked up in memory for proxies and browsers, on every server, even while Postgres is
 * unreachable.
 */
import { describe, expect, test } from "bun:test";
import { addDomain } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import { TcpProxy } from "@test/support/servers/tcp-proxy";
import { CLIENT_HEADER, startTestService, type TestService } from "@test/support/service";
import { eventually } from "@test/support/until";
import { openDatabase } from "@/platform/db/client";
import { openHosts } from "@/platform/hosts/hosts";
import { createLog } from "@/platform/telemetry/log";

const DASHBOARD = "https://app.waymark.example";
const METRICS_TOKEN = "a-token-for-operators";
const env = {
  BASE_URL: "https://api.waymark.example",
  SHORT_DOMAIN: "wm.example:8443",
  DASHBOARD_URL: DASHBOARD,
  APP_SECRET: "one secret for both, of enough length",
  METRICS_TOKEN,
};
const here = await startTestService({ env });
const ada = await here.register();
await addDomain(here, ada.orgId, { hostname: "before.acme.com" });
const there = await startTestService({ env: { ...env, DATABASE_URL: here.databaseUrl } });

const ask = (domain: string, service: TestService = here) =>
  service.call("GET", `/internal/tls/ask?domain=${encodeURIComponent(domain)}`);
const isAllowed = async (origin: string, service: TestService = here) => {
  const { headers } = await service.call("GET", "/api/v1/auth/me", { headers: { origin } });
  return headers.get("access-control-allow-origin") === origin;
};
const change = (method: string, id: string, rest = "", body?: unknown) =>
  here.call(method, `/api/v1/organizations/${ada.orgId}/domains/${id}${rest}`, { token: ada.token, body });

describe("GET /internal/tls/ask", () => {
  test("400 without a domain", async () => {
    expectFailure(await here.call("GET", "/internal/tls/ask"), 400, ["domain"]);
    expectFailure(await ask(""), 400, ["domain"]);
  });

  test.each([
    "unknown.acme.com",
    "app.waymark.example",
    "waymark.example",
    "x.api.waymark.example",
    "localhost",
    "127.0.0.1",
    "__proto__",
    "..",
    "a".repeat(260),
  ])("404 for %p", async (domain) => {
    expectFailure(await ask(domain), 404);
  });

  test("404 for a domain that is not verified", async () => {
    await addDomain(here, ada.orgId, { hostname: "unverified.acme.com", isVerified: false });
    await addDomain(here, ada.orgId, { hostname: "told.acme.com" });
    await eventually(async () => (await ask("told.acme.com")).status, 200);
    expectFailure(await ask("unverified.acme.com"), 404);
  });

  test.each(["api.waymark.example", "wm.example", "WM.example."])("200 for the service's own %p", async (domain) => {
    expect((await ask(domain)).status).toBe(200);
  });

  test.each(["before.acme.com", "Before.Acme.com", "before.acme.com.", "before.acme.com:443"])(
    "200 for a verified host, written %p, that existed when the server started",
    async (domain) => {
      const { status, body } = await ask(domain, there);
      expect([status, body]).toEqual([200, { domain }]);
    },
  );

  describe("is open to the machine itself and to requests with the operator's token", () => {
    const from = (headers: Record<string, string>) =>
      here.call("GET", "/internal/tls/ask?domain=before.acme.com", { headers });

    test.each([
      ["through the trusted proxy", { [CLIENT_HEADER]: "203.0.113.9" }],
      ["through the trusted proxy, for the machine itself", { [CLIENT_HEADER]: "127.0.0.1" }],
      ["through another proxy", { "x-forwarded-for": "127.0.0.1" }],
      ["by the service's own host", { host: "api.waymark.example" }],
    ])("401 %s, before the query is validated", async (_, headers) => {
      expectFailure(await from(headers), 401);
      expectFailure(await here.call("GET", "/internal/tls/ask", { headers }), 401);
      expectFailure(await from({ ...headers, authorization: "Bearer not-the-operators-token" }), 401);
      expectFailure(await from({ ...headers, authorization: `Bearer ${ada.token}` }), 401);
      expect((await from({ ...headers, authorization: `Bearer ${METRICS_TOKEN}` })).status).toBe(200);
    });

    test("sent as Basic credentials, for proxies that can only be configured with a URL", async () => {
      const authorization = `Basic ${btoa(`caddy:${METRICS_TOKEN}`)}`;
      expect((await from({ [CLIENT_HEADER]: "203.0.113.9", authorization })).status).toBe(200);
    });
  });

  test.each([
    "localhost:3000",
    "127.0.0.1",
    "[::1]:3000",
    "waymark:3000",
    "api.waymark.example",
    "app.waymark.example",
  ])("is answered at %s", async (host) => {
    const headers = { host, authorization: `Bearer ${METRICS_TOKEN}` };
    expect((await here.call("GET", "/internal/tls/ask?domain=before.acme.com", { headers })).status).toBe(200);
  });

  test("is a short URL like any other on a customer's host", async () => {
    const headers = { host: "before.acme.com", accept: "application/json" };
    const reply = await there.call("GET", "/internal/tls/ask?domain=before.acme.com", { headers });
    expect([reply.status, reply.body]).toEqual([404, { error: "This link does not exist" }]);
  });

  test("adding and deleting a host takes effect on both servers", async () => {
    const id = await addDomain(here, ada.orgId, { hostname: "comes.acme.com" });
    for (const service of [here, there])
      await eventually(async () => (await ask("comes.acme.com", service)).status, 200);
    expect((await change("DELETE", id)).status).toBe(200);
    for (const service of [here, there])
      await eventually(async () => (await ask("comes.acme.com", service)).status, 404);
  });
});

test("a customer's host requires TLS, and its subdomains do not", async () => {
  const { headers } = await here.call("GET", "/favicon.ico", { headers: { host: "before.acme.com" } });
  expect(headers.get("strict-transport-security")).toBe("max-age=63072000");
});

describe("a browser's origin", () => {
  test.each([
    "https://before.acme.com",
    "http://app.waymark.example",
    "https://app.waymark.example:8443",
    "https://wm.example",
    "https://evil.example",
    "null",
  ])("%s is not allowed", async (origin) => {
    expect(await isAllowed(origin)).toBe(false);
  });

  test("is allowed on both servers while it hosts the dashboard, only over https and on the default port", async () => {
    const id = await addDomain(here, ada.orgId, { hostname: "dash.acme.com" });
    const origin = "https://dash.acme.com";
    await change("PATCH", id, "/dashboard", { enabled: true });
    for (const service of [here, there]) await eventually(() => isAllowed(origin, service), true);
    for (const other of [
      "http://dash.acme.com",
      "https://dash.acme.com:444",
      "https://dash.acme.com.",
      "https://DASH.acme.com",
    ]) {
      expect(await isAllowed(other)).toBe(false);
    }
    await change("PATCH", id, "/dashboard", { enabled: false });
    for (const service of [here, there]) await eventually(() => isAllowed(origin, service), false);
    expect(await isAllowed(DASHBOARD)).toBe(true);
  });
});

async function throughProxy(): Promise<{ proxy: TcpProxy; url: string }> {
  const url = new URL(here.databaseUrl);
  const proxy = await TcpProxy.start(Number(url.port));
  url.port = String(proxy.port);
  return { proxy, url: url.href };
}

describe("while Postgres is unreachable", () => {
  test("the served hosts and allowed origins stay the same", async () => {
    await addDomain(here, ada.orgId, { hostname: "kept.acme.com" });
    await here.sql`update domains set dashboard = '{"enabled": true}' where hostname = 'kept.acme.com'`;
    const { proxy, url } = await throughProxy();
    const service = await startTestService({ env: { ...env, DATABASE_URL: url } });
    await proxy.cut();
    for (let times = 0; times < 20; times++) {
      expect((await ask("kept.acme.com", service)).status).toBe(200);
      expectFailure(await ask("unknown.acme.com", service), 404);
      await Bun.sleep(10);
    }
    const headers = { origin: "https://kept.acme.com", "access-control-request-method": "GET" };
    const preflight = await service.call("OPTIONS", "/api/v1/auth/me", { headers });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, headers.origin]);
    await proxy.open();
    await service.stop();
    await proxy.cut();
  });

  test("hosts stay the same, and changes are read once Postgres is back", async () => {
    const { proxy, url } = await throughProxy();
    const database = openDatabase(url, { pool: "tool" });
    const listeners: ((orgId?: string) => void)[] = [];
    const onOrganization = (listener: (orgId?: string) => void) => void listeners.push(listener);
    using hosts = await openHosts({ sql: database.sql, onOrganization, log: createLog(() => {}) });
    const tell = (orgId?: string) => {
      for (const listener of listeners) listener(orgId);
    };
    await proxy.cut();
    const mine = await addDomain(here, ada.orgId, { hostname: "away.acme.com" });
    tell(ada.orgId);
    await Bun.sleep(50);
    expect([hosts.of("before.acme.com")?.orgId, hosts.of("away.acme.com")]).toEqual([ada.orgId, undefined]);
    await proxy.open();
    await eventually(async () => hosts.of("away.acme.com")?.domainId, mine);

    const eve = await here.register();
    await addDomain(here, eve.orgId, { hostname: "go.eve.example" });
    tell(eve.orgId);
    tell();
    await eventually(async () => hosts.of("go.eve.example")?.orgId, eve.orgId);
    expect(hosts.of("before.acme.com")?.orgId).toBe(ada.orgId);
    await database.close();
    await proxy.cut();
  });
});
