/** Several hosts in `DATABASE_URL`, of which one accepts writes, and another one after a failover. */
import { afterAll, expect, test } from "bun:test";
import { startPrimaryAndStandby } from "@test/support/servers/standby";
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
