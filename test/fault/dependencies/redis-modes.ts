/**
 * A Redis Cluster and a master with sentinels, of which a master is killed under load and its replica takes over; and
 * one server behind TLS (`takeover.ts` describes what is measured).
 *
 *   bun test/fault/dependencies/redis-modes.ts [seconds of calm] [visits per second]
 */
import { endRun } from "@test/support/end-of-run";
import { createDatabase } from "@test/support/servers/postgres";
import { startRedisCluster, startRedisSentinel, startRedisWithTls } from "@test/support/servers/redis-modes";
import { isKept, type TakeoverOptions, type TakeoverReport, takeover } from "./takeover";

const STARTS = { cluster: startRedisCluster, sentinels: startRedisSentinel, TLS: startRedisWithTls };
export type RedisModeName = keyof typeof STARTS;
export const REDIS_MODES: readonly RedisModeName[] = ["cluster", "sentinels", "TLS"];

export async function redisMode(name: RedisModeName, options: TakeoverOptions = {}): Promise<TakeoverReport> {
  const database = await createDatabase();
  const redis = await STARTS[name]();
  try {
    return await takeover(
      {
        name: `redis: ${name}`,
        databaseUrl: database.url,
        env: { REDIS_URL: redis.url, ...redis.env },
        lookAt: { before: database.url, after: database.url },
        takeOver: () => redis.failOver(),
      },
      options,
    );
  } finally {
    await redis.end();
    await database.drop();
  }
}

if (import.meta.main) {
  const [calmS = "10", perSecond = "500"] = Bun.argv.slice(2);
  const reports: TakeoverReport[] = [];
  for (const name of REDIS_MODES)
    reports.push(await redisMode(name, { calmMs: Number(calmS) * 1000, perSecond: Number(perSecond) }));
  console.table(reports);
  await endRun();
  process.exit(reports.every(isKept) ? 0 : 1);
}
