/** Limits while Redis moves: its name leads to another server, and the former one stays, read-only. */
import { afterAll, expect, test } from "bun:test";
import { ownRedis } from "@test/support/servers/dependencies";
import { TcpProxy } from "@test/support/servers/tcp-proxy";
import { until } from "@test/support/until";
import { Redis } from "ioredis";
import { openLimits } from "@/platform/limits/limits";

const portOf = ({ directUrl }: { directUrl: string }) => Number(new URL(directUrl).port);

const [former, next] = await Promise.all([ownRedis(), ownRedis()]);
const name = await TcpProxy.start(portOf(former));
afterAll(async () => {
  await name.cut();
  await Promise.all([former.end(), next.end()]);
});

function limiterAt(redisUrl: string) {
  const limits = openLimits({ clock: Date.now, database: "", redisUrl, onError: () => undefined });
  afterAll(() => limits[Symbol.dispose]());
  return limits.limiter({ name: "moved", windowMs: 60_000 });
}

test("limits are shared through the new master, although the former one has kept its connections", async () => {
  const one = limiterAt(name.urlThrough(former.directUrl));
  const two = limiterAt(next.directUrl);
  await until(() => one.peek("", 10).limit + two.peek("", 10).limit === 20);
  expect(await one.take("a", 10)).toMatchObject({ ok: true, limit: 10 });

  const client = new Redis(former.directUrl);
  await client.replicaof("127.0.0.1", portOf(next));
  name.leadTo(portOf(next));
  // Each take of one server counts for the other once both reach the same Redis.
  let taken = 0;
  await until(async () => {
    await one.take(`b${++taken}`, 10);
    return (await two.take(`b${taken}`, 10)).remaining === 8;
  });
  client.disconnect();
});
