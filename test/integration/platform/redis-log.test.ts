/** What is said of a Redis that is unavailable or too slow: that it is, and that it is back. */
import { afterAll, expect, test } from "bun:test";
import { ownRedis } from "@test/support/servers/dependencies";
import { TcpProxy } from "@test/support/servers/tcp-proxy";
import { takePort } from "@test/support/servers/test-port";
import { startTestService } from "@test/support/service";
import { until } from "@test/support/until";
import { LinkSnapshots } from "@/platform/link-cache/snapshots";

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
  const said = () => server.logged().match(/redis is [\w ]+|cannot share limits|limits are shared again/g);
  expect(said()?.toSorted()).toEqual(["cannot share limits", "redis is unavailable"]);

  line.leadTo(Number(new URL(redis.directUrl).port));
  await until(async () => {
    await server.call("GET", `/api/v1/organizations/${orgId}/links`, { token });
    return ["limits are shared again", "redis is back"].every((words) => said()?.includes(words));
  });

  line.delay(75);
  await until(() => said()?.includes("redis is too slow") ?? false);
});

test("a Redis that is too slow for visitors is not used and said to be too slow, until it is fast again", async () => {
  const slow = await TcpProxy.start(Number(new URL(redis.directUrl).port));
  const said: unknown[] = [];
  const failed: unknown[] = [];
  const snapshots = await LinkSnapshots.open({
    url: slow.urlThrough(redis.directUrl),
    changesWithin: async () => [],
    history: { epoch: crypto.randomUUID(), logEnd: 0 },
    onError: (error) => failed.push(error),
    onAway: (error) => said.push(error),
    onReturned: () => said.push("back"),
    beatEveryMs: 10,
  });
  await until(() => snapshots.fault === undefined);
  said.length = 0;

  slow.delay(75);
  const sentence = "Redis takes more than 100 ms to respond, and is not used";
  await until(() => snapshots.fault === sentence);
  expect(said).toEqual([expect.objectContaining({ message: sentence })]);
  failed.length = 0;
  expect(await snapshots.get("redis-slow.example/any")).toBeNull();
  expect(failed).toEqual([]);

  slow.delay(0);
  await until(() => snapshots.fault === undefined);
  expect(said.slice(1)).toEqual(["back"]);

  // It takes ten late beats again. Some may already have been late on a busy machine.
  const turns = slow.turns;
  slow.delay(75);
  await until(() => snapshots.fault === sentence);
  expect(slow.turns - turns).toBeGreaterThan(5);
  await snapshots.close();
  await slow.cut();
});
