import { describe, expect, test } from "bun:test";
import { dereferenced } from "@test/support/document/conforms";
import { describeApp, operationsOf } from "@test/support/document/described";
import { expectFailure } from "@test/support/failure";
import { rawGet } from "@test/support/raw-http/raw-http";
import { startTestService } from "@test/support/service";
import { until } from "@test/support/until";

const DASHBOARD = "https://app.example.com";
const service = await startTestService({ env: { DASHBOARD_URL: DASHBOARD } });
const { call } = service;
const ada = await service.register();
const links = `/api/v1/organizations/${ada.orgId}/links`;
const resolve = `/api/v1/resolve?domain=${service.host}&slug=nothing`;
const get = (path: string, headers: Record<string, string> = {}) => call("GET", path, { headers });

describe("request ids", () => {
  test.each(["a", "req-1.2_3", "0198f2b0-6b5e-7c3a-9d4e-5f6a7b8c9d0e", "x".repeat(64)])(
    "%s is returned",
    async (id) => {
      expect((await get("/health", { "x-request-id": id })).headers.get("x-request-id")).toBe(id);
    },
  );

  test.each(["", "a b", "a\tb", "x".repeat(65), "<script>", "ä", "a;b", "{}"])(
    "%p is replaced with a new id",
    async (id) => {
      const given = (await get("/health", { "x-request-id": id })).headers.get("x-request-id");
      expect(given).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    },
  );

  test("each response has its own, including errors", async () => {
    const paths = ["/health", "/api/v1/nothing", links, resolve];
    const ids = await Promise.all(paths.map(async (path) => (await get(path)).headers.get("x-request-id")));
    expect(new Set(ids).size).toBe(paths.length);
    expect(ids).not.toContain(null);
  });

  test("the log lists the request under the id of its response", async () => {
    await get("/health", { "x-request-id": "find-me" });
    await until(() => service.logged().includes("find-me"));
    const lines = service
      .logged()
      .split("\n")
      .filter((line) => line.includes("find-me"));
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ requestId: "find-me", method: "GET", route: "/health", status: 200 }),
    ]);
  });
});

test.each(["/health", "/api/v1/nothing", links, resolve])("%s carries the security headers", async (path) => {
  const { headers } = await get(path);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("server")).toBeNull();
  expect(headers.get("x-powered-by")).toBeNull();
});

describe("CORS", () => {
  const publicPaths = ["/health", resolve, "/api/v1/match", "/api/v1/public/dashboard-branding", "/openapi.json"];
  const guardedPaths = [links, "/api/v1/auth/me", "/api/v1/auth/login", "/api/v1/links", "/api/v1/resolver"];

  test.each(publicPaths)("%s allows any origin", async (path) => {
    for (const origin of ["https://evil.example", DASHBOARD, "null"]) {
      const { headers } = await get(path, { origin });
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("access-control-allow-credentials")).toBeNull();
    }
  });

  test.each(guardedPaths)("%s allows the dashboard", async (path) => {
    const { headers } = await get(path, { origin: DASHBOARD });
    expect(headers.get("access-control-allow-origin")).toBe(DASHBOARD);
    expect(headers.get("vary")).toContain("Origin");
    const exposed = headers.get("access-control-expose-headers") ?? "";
    for (const name of ["Retry-After", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"]) {
      expect(exposed).toContain(name);
    }
  });

  test("a page of the dashboard may send and read every header that operations describe", async () => {
    const { document } = await describeApp();
    const operations = operationsOf(document);
    const sent = operations.flatMap(({ parameters = [] }) => parameters.filter(({ in: where }) => where === "header"));
    const read = operations
      .flatMap(({ responses }) => Object.values(responses))
      .flatMap((response) => Object.keys(dereferenced(document, response).headers ?? {}))
      // `fetch` follows redirects itself.
      .filter((name) => name !== "Location");
    const preflight = { origin: DASHBOARD, "access-control-request-method": "GET" };
    const { headers } = await call("OPTIONS", links, { headers: preflight });
    const listOf = (name: string) => (headers.get(name) ?? "").split(", ");
    expect(listOf("access-control-allow-headers")).toEqual(expect.arrayContaining(sent.map(({ name }) => name)));
    expect(listOf("access-control-expose-headers")).toEqual(expect.arrayContaining([...new Set(read)]));
  });

  test.each([
    "https://evil.example",
    "http://app.example.com",
    "https://app.example.com.evil.example",
    "https://app.example.com:8443",
    "https://APP.example.com/",
    "null",
    "",
  ])("guarded paths do not allow the origin %p", async (origin) => {
    for (const path of guardedPaths) {
      const { headers } = await get(path, { origin });
      expect(headers.get("access-control-allow-origin")).toBeNull();
      expect(headers.get("vary")).toContain("Origin");
    }
  });

  const preflight = (path: string, origin: string) =>
    call("OPTIONS", path, {
      headers: {
        origin,
        "access-control-request-method": "PATCH",
        "access-control-request-headers": "authorization,content-type",
      },
    });

  test("a preflight is answered before authentication", async () => {
    for (const path of [`${links}/${Bun.randomUUIDv7()}`, "/api/v1/auth/me", resolve]) {
      const { status, headers } = await preflight(path, DASHBOARD);
      expect(status).toBe(204);
      expect(headers.get("access-control-allow-methods")).toContain("PATCH");
      expect(headers.get("access-control-allow-headers")).toContain("Authorization");
      expect(Number(headers.get("access-control-max-age"))).toBeGreaterThan(0);
    }
  });

  test("a preflight from another origin allows nothing", async () => {
    const { status, headers } = await preflight(links, "https://evil.example");
    expect(status).toBe(204);
    const allowing = [...headers.keys()].filter((name) => name.startsWith("access-control-"));
    expect(allowing).toEqual([]);
  });
});

describe("unknown routes and methods", () => {
  const paths = ["/api", "/api/", "/api/v1", "/api/v2/links", "/api/v1/auth", "/API/v1/auth/me", "/internal"];

  test.each(paths)("404 for %s, in JSON", async (path) => {
    expectFailure(await get(path), 404);
    expectFailure(await get(path, { accept: "text/html" }), 404);
  });

  test("405 for a method that a route does not support", async () => {
    const wrong: [string, string][] = [
      ["PUT", "/health"],
      ["DELETE", "/health"],
      ["GET", "/api/v1/auth/login"],
      ["PUT", links],
      ["DELETE", "/api/v1/links"],
      ["POST", resolve],
    ];
    for (const [method, path] of wrong) {
      const reply = await call<Record<string, unknown>>(method, path, { token: ada.token });
      expectFailure(reply, 405);
      expect(reply.headers.get("allow")).toContain("OPTIONS");
    }
  });

  test("404 for trailing slashes, doubled slashes and dots", async () => {
    const token = { token: ada.token };
    for (const path of [`${links}//`, `/api/v1//auth/me`, `/api/v1/auth/me/x`, `/api/v1/organizations//links`]) {
      expectFailure(await call("GET", path, token), 404);
    }
    const { port } = service.service;
    const lines = [`Host: ${service.host}`];
    for (const target of [
      "/api/v1/%2e%2e/%2e%2e/etc/passwd",
      "/api/..%2f..%2fetc/passwd",
      "/api/v1/auth/me%00",
      "/api/%zz",
    ]) {
      expect((await rawGet(port, target, lines)).status).toBe(404);
    }
  });

  test("HEAD is answered like GET, without a body", async () => {
    const response = await fetch(`${service.url}/health`, { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect((await fetch(`${service.url}/api/v1/auth/me`, { method: "HEAD" })).status).toBe(401);
  });
});

test("a server error is logged, and its response does not reveal the cause", async () => {
  await service.sql`alter table listed_links rename to listed_links_away`;
  const reply = await call<Record<string, unknown>>("GET", links, {
    token: ada.token,
    headers: { "x-request-id": "mine" },
  });
  await service.sql`alter table listed_links_away rename to listed_links`;
  expectFailure(reply, 500);
  expect(JSON.stringify(reply.body)).not.toMatch(/listed_links|relation|select|42P01/i);
  expect(reply.headers.get("x-request-id")).toBe("mine");
  const logged = service
    .logged()
    .split("\n")
    .filter((line) => line.includes('"mine"') && line.includes('"error"'));
  expect(logged.length).toBe(1);
});
