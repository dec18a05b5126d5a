/**
 * Several hosts in `DATABASE_URL`, of which one accepts writes, and another one after a failover; and a Unix socket in
 * place of a host.
 */
import { afterAll, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startPrimaryAndStandby } from "@test/support/servers/standby";
import { startSystemPostgres } from "@test/support/servers/system-postgres";
import { startTestService } from "@test/support/service";
import type { Health } from "@/contract/health";

const GIVE_UP_MS = 90_000;

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + GIVE_UP_MS;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error("It did not come to pass");
    await Bun.sleep(20);
  }
}

const hosts = await startPrimaryAndStandby();
afterAll(() => hosts.end());

test("the writable host is found, also after a failover, and cached links redirect throughout", async () => {
  const service = await startTestService({ env: { DATABASE_URL: hosts.bothUrl, SHORT_DOMAIN: "hosts.example" } });
  const account = await service.register();
  const { slug } = await service.createLink(account, { defaultUrl: "https://example.com/" });
  const visit = () => service.visit(`/${slug}`, { host: "hosts.example" });
  const isHealthy = async () => (await service.call<Health>("GET", "/health")).body.status === "ok";
  expect((await visit()).status).toBe(302);
  await hosts.waitUntilCaughtUp();
  hosts.signalPrimary("SIGKILL");
  const statuses = new Set<number>();
  let isOver = false;
  const visiting = (async () => {
    while (!isOver) {
      statuses.add((await visit()).status);
      await Bun.sleep(5);
    }
  })();
  await until(async () => !(await isHealthy()));
  await hosts.promote();
  await until(isHealthy);
  const after = await service.createLink(account, { defaultUrl: "https://example.com/after" });
  expect((await service.visit(`/${after.slug}`, { host: "hosts.example" })).status).toBe(302);
  isOver = true;
  await visiting;
  expect([...statuses]).toEqual([302]);
  // The click worker finds the new host on its own, with growing pauses, and a drain times out: requests may recover
  // earlier.
  await until(() => service.service.drainClicks());
}, 240_000);

test("a Unix socket leads to Postgres, also after Postgres has stopped, taken it away and made it again", async () => {
  await using server = await startSystemPostgres();
  await server.run("createdb", [], "app");
  const { folder, port } = server;
  const url = `postgres:///app?host=${encodeURIComponent(folder)}&port=${port}&user=waymark`;
  const service = await startTestService({ env: { DATABASE_URL: url, SHORT_DOMAIN: "socket.example" } });
  const account = await service.register();
  const { slug } = await service.createLink(account, { defaultUrl: "https://example.com/" });
  const visit = () => service.visit(`/${slug}`, { host: "socket.example" });
  const statusOf = async () => (await service.call<Health>("GET", "/health")).body.status;
  expect((await visit()).status).toBe(302);
  const pidFile = join(folder, "data", "postmaster.pid");
  process.kill(Number.parseInt(readFileSync(pidFile, "utf8"), 10), "SIGINT");
  await until(async () => !existsSync(pidFile) && !existsSync(join(folder, `.s.PGSQL.${port}`)));
  await until(async () => (await statusOf()) === "degraded");
  expect((await visit()).status).toBe(302);
  const { orgId, token } = account;
  const made = await service.call("POST", `/api/v1/organizations/${orgId}/links`, {
    token,
    body: { defaultUrl: "https://example.com/" },
  });
  expect(made.status).toBe(503);
  await server.start();
  await until(async () => (await statusOf()) === "ok");
  await service.createLink(account, { defaultUrl: "https://example.com/" });
  await until(() => service.service.drainClicks());
  await service.stop();
}, 240_000);
