/** What the log says of a Redis that is unavailable: that it is, and that it is back. */
import { afterAll, expect, test } from "bun:test";
import { ownRedis } from "@test/support/servers/dependencies";
import { TcpProxy } from "@test/support/servers/tcp-proxy";
import { takePort } from "@test/support/servers/test-port";
import { startTestService } from "@test/support/service";
import { until } from "@test/support/until";

/** For the links and for the limits. */
const ATTEMPTS = 2 * 3;

const redis = await ownRedis();
const line = await TcpProxy.start(await takePort());
afterAll(async () => {
  await line.cut();
  await redis.end();
});

test("an outage is logged when it begins and when it is over, not with each attempt to connect", async () => {
  const server = await startTestService({ env: { REDIS_URL: line.urlThrough(redis.directUrl) } });
  const { orgId, token } = await server.register();
  await until(() => line.connections >= ATTEMPTS);
  const said = () => server.logged().match(/redis is \w+|cannot share limits|limits are shared again/g);
  expect(said()?.toSorted()).toEqual(["cannot share limits", "redis is unavailable"]);

  line.leadTo(Number(new URL(redis.directUrl).port));
  await until(async () => {
    await server.call("GET", `/api/v1/organizations/${orgId}/links`, { token });
    return ["limits are shared again", "redis is back"].every((words) => said()?.includes(words));
  });
});
