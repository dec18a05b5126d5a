/** Links in Redis that a server with a wrong clock has stored there. */
import { afterAll, expect, setSystemTime, test } from "bun:test";
import { definitionOf, routingCases } from "@test/support/routing-cases";
import { startRedis } from "@test/support/servers/redis";
import { until } from "@test/support/until";
import { Redis } from "ioredis";
import { DAY_MS } from "@/core/time/time-range";
import { LinkSnapshots } from "@/platform/link-cache/snapshots";

/** How long a link may be read from Redis. */
const SNAPSHOT_MS = 600_000;

const redis = await startRedis();
const snapshots = await LinkSnapshots.open({
  url: redis.url,
  changesWithin: async () => [],
  history: { epoch: crypto.randomUUID(), logEnd: 0 },
  onError() {},
  onAway() {},
  onReturned() {},
});
const client = new Redis(redis.url);
afterAll(async () => {
  setSystemTime();
  client.disconnect();
  await snapshots.close();
});

const [plainCase] = routingCases;
if (!plainCase) throw new Error("There is no routing case");
const definition = definitionOf(plainCase);

const msLeftOf = async (address: string): Promise<number> => {
  const [key = ""] = await client.keys(`waymark:link:*{${address}}`);
  return client.pttl(key);
};

test.each(["now", "tomorrow"])("a server whose clock says %s stores a link for ten minutes at most", async (said) => {
  const address = `ahead.example/${said}`;
  await until(async () => {
    setSystemTime(said === "now" ? undefined : Date.now() + DAY_MS);
    const store = snapshots.reading();
    setSystemTime();
    await store(address, definition);
    return (await msLeftOf(address)) > 0;
  });
  expect(await msLeftOf(address)).toBeLessThanOrEqual(SNAPSHOT_MS);
});
