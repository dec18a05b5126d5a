/** What platforms learn of a service's state: whether it is alive, and whether it can do everything it should. */
import { describe, expect, spyOn, test } from "bun:test";
import { connect } from "node:net";
import { sendRaw } from "@test/support/raw-http/raw-http";
import { startTestService, type TestService } from "@test/support/service";
import { until } from "@test/support/until";
import postgres from "postgres";
import { diskFiles } from "@/clicks/spool/segment-writer";

const service = await startTestService({ env: { LOG_LEVEL: "debug" } });

const statusOf = async ({ call }: TestService) => (await call("GET", "/health")).body.status;
const readiness = ({ call }: TestService) => call<{ details?: string[] }>("GET", "/ready");

test("/health lists the active security features, without counters, versions or hosts", async () => {
  const { status, body } = await service.call("GET", "/health");
  expect(status).toBe(200);
  expect(body).toEqual({
    status: "ok",
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    security: { rateLimiting: true, twoFactor: true, sso: true, tls: false, headers: true },
  });
  expect((await readiness(service)).body).toEqual({ ready: true } as object);
});

describe("a load balancer's check that names no host", () => {
  const port = Number(new URL(service.url).port);

  test.each([
    ["of HTTP/1.0", "GET /health HTTP/1.0\r\n\r\n", 200, '"status":"ok"'],
    ["of HTTP/1.0, with a query", "GET /health?a=1 HTTP/1.0\r\n\r\n", 200, '"status":"ok"'],
    ["of readiness", "GET /ready HTTP/1.0\r\n\r\n", 200, '"ready":true'],
    ["by HEAD", "HEAD /health HTTP/1.0\r\n\r\n", 200, ""],
    [
      "of HTTP/1.1, whose host is empty",
      "GET /health HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n",
      200,
      '"status":"ok"',
    ],
    ["by another method", "POST /health HTTP/1.0\r\nContent-Length: 0\r\n\r\n", 405, "does not support POST"],
  ])("%s gets what it would get at the machine's address", async (_, request, status, text) => {
    const reply = await sendRaw(port, request);
    expect(reply.status).toBe(status);
    expect(reply.body).toContain(text);
  });

  test("is not for other paths, nor for a host that is none", async () => {
    for (const target of ["/healthy", "/health/x", "/", "/api/v1/resolve?domain=a&slug=b"]) {
      expect((await sendRaw(port, `GET ${target} HTTP/1.0\r\n\r\n`)).status).toBe(400);
    }
    expect((await sendRaw(port, "GET /health HTTP/1.0\r\nHost: evil.com/a?b\r\n\r\n")).status).toBe(400);
  });
});

describe("the service is not ready, and says why, while", () => {
  test("Postgres is read-only", async () => {
    const { databaseUrl } = service;
    const name = new URL(databaseUrl).pathname.slice(1);
    const admin = postgres(databaseUrl, { max: 1 });
    await admin.unsafe(`alter database "${name}" set default_transaction_read_only = on`);
    const disconnectOthers = () => admin`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = ${name} and pid <> pg_backend_pid()`;
    await disconnectOthers();
    await until(async () => (await readiness(service)).body.details?.includes("Postgres is read-only") ?? false);
    const { status, body } = await readiness(service);
    expect({ status, error: body }).toMatchObject({ status: 503, error: { error: "The service is not ready" } });
    expect((await service.call("GET", "/health")).status).toBe(200);
    expect(await statusOf(service)).toBe("degraded");
    await admin.unsafe(`set default_transaction_read_only = off`);
    await admin.unsafe(`alter database "${name}" reset default_transaction_read_only`);
    await disconnectOthers();
    await until(async () => (await readiness(service)).status === 200);
    expect(await statusOf(service)).toBe("ok");
    await admin.end();
    // Monitors ask every few seconds, which must not fill the log.
    const checks = service.logged().match(/.*"route":"\/ready".*/g) ?? [];
    expect(checks.filter((line) => line.includes('"status":503')).length).toBeGreaterThan(1);
    expect(checks.filter((line) => !line.includes('"level":"debug"'))).toEqual([]);
  });

  test("clicks have waited for more than ten seconds, however long ago the previous click was", async () => {
    const account = await service.register();
    const link = await service.createLink(account, { defaultUrl: "https://example.com/" });
    const blocker = postgres(service.databaseUrl, { max: 1 });
    await blocker.unsafe("begin; lock table clicks in access exclusive mode");
    expect((await service.visit(link)).status).toBe(302);
    const visitedAt = performance.now();
    await until(async () => (await statusOf(service)) === "degraded");
    expect(performance.now() - visitedAt).toBeGreaterThan(9_500);
    const { details } = (await readiness(service)).body;
    expect(details).toEqual([expect.stringMatching(/^clicks are \d+ s late$/)]);
    const seconds = Number.parseInt(String(details).slice("clicks are ".length), 10);
    expect(seconds).toBeWithin(10, (performance.now() - visitedAt) / 1000 + 1);
    await blocker.unsafe("rollback");
    await until(async () => (await readiness(service)).status === 200);

    // The next click has not waited, however late the previous one was.
    await blocker.unsafe("begin; lock table clicks in access exclusive mode");
    expect((await service.visit(link)).status).toBe(302);
    expect(await readiness(service)).toMatchObject({ status: 200 });
    await blocker.unsafe("rollback");
    await blocker.end();
  });

  test("the disk takes no clicks, whether or not there are further ones", async () => {
    const account = await service.register();
    const link = await service.createLink(account, { defaultUrl: "https://example.com/" });
    const full = spyOn(diskFiles, "write").mockImplementation(() => {
      throw new Error("ENOSPC: no space left on device, write");
    });
    expect((await service.visit(link)).status).toBe(302);
    const reasons = async () => (await readiness(service)).body.details;
    expect(await reasons()).toEqual(["cannot write to the click spool"]);
    // Ten seconds, after which a fault once seemed to be over: two attempts without a visit.
    const refused = full.mock.calls.length;
    await until(() => full.mock.calls.length >= refused + 2);
    expect(await reasons()).toEqual(["cannot write to the click spool"]);
    full.mockRestore();
    await until(async () => (await readiness(service)).status === 200);
  });

  test("the disk takes only some of the clicks", async () => {
    const account = await service.register();
    const link = await service.createLink(account, { defaultUrl: "https://example.com/" });
    const { write } = diskFiles;
    let isFull = true;
    const nearlyFull = spyOn(diskFiles, "write").mockImplementation((...asked) => {
      if (isFull) throw new Error("ENOSPC: no space left on device, write");
      return write(...asked);
    });
    await until(async () => {
      isFull = true;
      expect((await service.visit(link)).status).toBe(302);
      isFull = false;
      expect((await service.visit(link)).status).toBe(302);
      return (await readiness(service)).body.details?.includes("cannot write to the click spool") ?? false;
    });
    nearlyFull.mockRestore();
    await until(async () => (await readiness(service)).status === 200);
  });

  test("Postgres accepts no new connections, and requests get 503", async () => {
    const own = await startTestService();
    const { orgId, token } = await own.register();
    const name = new URL(own.databaseUrl).pathname.slice(1);
    const elsewhere = new URL(own.databaseUrl);
    elsewhere.pathname = "/postgres";
    const admin = postgres(elsewhere.href, { max: 1 });
    await admin.unsafe(`alter database "${name}" allow_connections false`);
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
    const path = `/api/v1/organizations/${orgId}/links`;
    const statuses = new Set<number>();
    await until(async () => {
      statuses.add((await own.call("GET", path, { token })).status);
      return (await readiness(own)).status === 503;
    });
    statuses.add((await own.call("GET", path, { token })).status);
    expect([...statuses.difference(new Set([200, 503]))]).toEqual([]);
    expect(statuses).toContain(503);
    // It is logged every ten seconds at most, and first that connections have ended.
    await until(async () => {
      expect((await own.call("GET", path, { token })).status).toBe(503);
      return own.logged().includes("is not currently accepting connections");
    });
    await admin.unsafe(`alter database "${name}" allow_connections true`);
    await until(async () => (await readiness(own)).status === 200);
    expect((await own.call("GET", path, { token })).status).toBe(200);
    await admin.end();
  });

  test("it shuts down", async () => {
    const socket = connect(service.service.port, "127.0.0.1");
    await new Promise((resolve) => socket.once("connect", resolve));
    socket.write("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await new Promise((resolve) => socket.once("data", resolve));
    const handedOver = service.service.handOver({ hasSuccessor: false });
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk.toString();
    });
    socket.write("GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await new Promise((resolve) => socket.once("close", resolve));
    expect(answer).toContain("HTTP/1.1 503");
    expect(answer).toContain("the service is shutting down");
    await handedOver;
  });
});
