/**
 * The same visits over HTTP, distributed among the workers of one server or among servers, with and without Redis:
 * however many processes judge them, a hammering visitor, a venue behind one address and a flood get the same
 * verdicts.
 *
 *   bun test/fault/clicks/windows.ts
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endRun } from "@test/support/end-of-run";
import { createDatabase } from "@test/support/servers/postgres";
import { startRedis } from "@test/support/servers/redis";
import { takePort } from "@test/support/servers/test-port";
import { CLIENT_HEADER, client } from "@test/support/service";
import { ServiceProcess } from "@test/support/service-process";

export const WINDOW_SCENES = ["one worker", "four workers", "two servers", "two servers with Redis"] as const;
export type WindowScene = (typeof WINDOW_SCENES)[number];
const SCENES: Record<WindowScene, { servers: number; workers: number; isWithRedis: boolean }> = {
  "one worker": { servers: 1, workers: 1, isWithRedis: false },
  "four workers": { servers: 1, workers: 4, isWithRedis: false },
  "two servers": { servers: 2, workers: 1, isWithRedis: false },
  "two servers with Redis": { servers: 2, workers: 1, isWithRedis: true },
};

/** The verdicts by which visits are counted. */
const VERDICTS = ["people", "repeat", "crowd", "flood"] as const;
type Verdicts = Record<(typeof VERDICTS)[number], number>;

export interface WindowsReport extends Verdicts {
  scene: WindowScene;
  /** Processes that wrote some of the visits. */
  writers: number;
  /** Seconds from the first visit to the last; if they exceed a minute, the result is meaningless. */
  seconds: number;
}

/**
 * A visitor counts as a bot from the 61st visit on. Visits from one address are shown for review from the 121st on,
 * and count as a bot's from the 601st on.
 */
const EXPECTED: Verdicts = { people: 60 + 120 + 120, repeat: 40, crowd: 80 + 480, flood: 100 };
const VISITS = [
  { count: 100, address: "192.0.2.1", phones: 1 },
  { count: 200, address: "192.0.2.2", phones: 200 },
  { count: 700, address: "192.0.2.3", phones: 700 },
];
const AT_ONCE = 16;
const PAUSE_MS = 60;
const SECONDS_MAX = 60;
const WAIT_MS_MAX = 120_000;
const DOMAIN = "windows.example.test";

/**
 * Two visits within one millisecond may be taken for one, and a process judges the first few visits of a key without
 * the other processes.
 */
const OFF_MAX = 3;

export const areAlike = ({ seconds, ...found }: WindowsReport): boolean =>
  seconds < SECONDS_MAX && VERDICTS.every((name) => Math.abs(found[name] - EXPECTED[name]) <= OFF_MAX);

export async function windows(scene: WindowScene): Promise<WindowsReport> {
  const { servers: count, workers, isWithRedis } = SCENES[scene];
  await using stack = new AsyncDisposableStack();
  const database = await createDatabase();
  stack.defer(() => database.drop());
  const redis = isWithRedis ? await startRedis() : undefined;
  stack.defer(async () => redis?.stop());
  const env = {
    SHORT_DOMAIN: DOMAIN,
    APP_SECRET: "one secret for all of the servers",
    WORKERS: String(workers),
    TRUSTED_PROXIES: "127.0.0.1,::1",
    CLIENT_IP_HEADER: CLIENT_HEADER,
    ...(redis && { REDIS_URL: redis.url }),
  };
  const start = async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "waymark-windows-"));
    const port = await takePort();
    const service = new ServiceProcess({ port, dataDir, databaseUrl: database.url, env });
    stack.defer(async () => {
      await service.end();
      await rm(dataDir, { recursive: true, force: true });
    });
    await service.until("worker ready", workers);
    return `http://localhost:${port}`;
  };
  const urls: string[] = [];
  while (urls.length < count) urls.push(await start());
  const [first = ""] = urls;
  const account = await client(first).register();
  const { slug } = await client(first).createLink(account, { defaultUrl: "https://example.com/" });
  const startedAt = performance.now();
  const visits = await visitAll(urls, slug);
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  const giveUpAt = performance.now() + WAIT_MS_MAX;
  for (;;) {
    const [row] = await database.sql<{ clicks: number }[]>`select count(*)::int as clicks from clicks`;
    if (row?.clicks === visits) break;
    if (performance.now() > giveUpAt) throw new Error(`${row?.clicks} of ${visits} visits were written`);
    await Bun.sleep(50);
  }
  const [verdicts] = await database.sql<(Verdicts & { writers: number })[]>`
    select
      count(*) filter (where bot_reasons = '{}' and not is_bot)::int as people,
      count(*) filter (where bot_reasons = '{repeat}' and is_bot)::int as repeat,
      count(*) filter (where bot_reasons = '{crowd}' and not is_bot)::int as crowd,
      count(*) filter (where bot_reasons = '{flood}' and is_bot)::int as flood,
      (select count(distinct writer)::int from link_counters) as writers
    from clicks`;
  if (!verdicts) throw new Error("Nothing was counted");
  return { scene, ...verdicts, seconds };
}

/** Sends each visit over a new connection, so that the system distributes them among the workers. */
async function visitAll(urls: readonly string[], slug: string): Promise<number> {
  const visits = VISITS.flatMap(({ count, address, phones }) =>
    Array.from({ length: count }, (_, index) => ({ at: index / count, address, phone: index % phones })),
  );
  visits.sort((one, other) => one.at - other.at);
  let next = 0;
  const visitor = async () => {
    for (let at = next++; at < visits.length; at = next++) {
      const { address = "", phone } = visits[at] ?? {};
      const { status } = await fetch(`${urls[at % urls.length]}/${slug}`, {
        redirect: "manual",
        keepalive: false,
        headers: {
          host: DOMAIN,
          connection: "close",
          [CLIENT_HEADER]: address,
          "user-agent": `Mozilla/5.0 (Linux; Android 14; Phone ${phone}) Chrome/126.0.0.0 Mobile Safari/537.36`,
        },
      });
      await Bun.sleep(PAUSE_MS);
      if (status !== 302) throw new Error(`A visit was answered ${status}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, visitor));
  return visits.length;
}

if (import.meta.main) {
  const reports: WindowsReport[] = [];
  for (const scene of WINDOW_SCENES) reports.push(await windows(scene));
  console.table(reports);
  await endRun();
  process.exit(reports.every(areAlike) ? 0 : 1);
}
