/** Signing in through a provider while Postgres is unavailable. */
import { afterAll, expect, test } from "bun:test";
import { startFalseProvider } from "@test/support/accounts/false-provider";
import { enableSso, openBrowser, outcomeOf, startSsoService } from "@test/support/accounts/sso";
import { createDatabase } from "@test/support/servers/postgres";
import { TcpProxy } from "@test/support/servers/tcp-proxy";
import { until } from "@test/support/until";

const database = await createDatabase();
const proxy = await TcpProxy.start(Number(new URL(database.url).port));
afterAll(async () => {
  await proxy.cut();
  await database.drop();
});
const service = await startSsoService({ env: { DATABASE_URL: proxy.urlThrough(database.url) } });
const { startUrl } = await enableSso(service, await service.register(), startFalseProvider());

test("a sign-in that Postgres hinders is logged as a warning, as whatever an outage hinders is", async () => {
  const browser = openBrowser();
  const returned = await browser.follow(startUrl, service.callbackUrl);
  await proxy.cut();
  expect(outcomeOf(await browser.step(returned))).toMatchObject({ error: "server_error" });
  const levels = () =>
    service
      .logged()
      .split("\n")
      .filter((line) => line.includes("single sign-on failed"))
      .map((line) => JSON.parse(line).level);
  await until(() => levels().length > 0);
  expect(levels()).toEqual(["warn"]);
});
