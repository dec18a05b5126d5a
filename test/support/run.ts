/**
 * Runs every test, in several parallel processes if the machine has more than one core. Each process takes the next
 * file when it is done with one, the longest files first (by `timings.json`, which `bun test/support/run.ts
 * --update-timings` rewrites), and has its own Postgres and Redis. These servers are children of this process: when a
 * test times out, the runner kills everything that the test process started, and later tests would find no Postgres.
 * In a complete run, tests that mostly wait have a process to themselves and leave the cores to the others.
 *
 * Failures are repeated at the end, so that the last lines of the output show them.
 */
import { join } from "node:path";
import { endRun } from "./end-of-run";
import { dropDatabases, startEmbedded } from "./servers/postgres";
import { OWN_DATABASES, startOwnRedis } from "./servers/redis";
import { CHROMIUM, findProgram, PGBOUNCER, REDIS_SERVER } from "./servers/system-program";
import { MEMORY } from "./service-process";

/** Milliseconds after which a test counts as hanging. Long enough for a busy machine. */
const TEST_MS_MAX = "240000";
const LINES_OF_FAILURE_MAX = 60;
const TIMINGS = join(import.meta.dir, "timings.json");
/** Two for each of two cores, because many tests wait. */
const PROCESSES = 4;
/** Folders of tests that mostly wait: they start, kill and await services as processes. */
const WAITING = ["fault/", "integration/processes/"].map((path) => `test/${path}`);
/**
 * Settings for test processes. They run much code only a few times, so the last two compiler tiers cost more than they
 * save for whatever runs less often than ten and five times the usual. Simulations run far more often than that. The
 * services that tests start as processes have their own settings.
 */
const FEW_RUNS = {
  ...MEMORY,
  ...{ BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: "640000", BUN_JSC_thresholdForOptimizeAfterWarmUp: "5000" },
};
/** A Redis given by TEST_REDIS_URL is shared by database numbers, which only a single process can hand out. */
const workers = navigator.hardwareConcurrency > 1 && !Bun.env.TEST_REDIS_URL ? PROCESSES : 1;
const sideBySide = workers > 1 ? [`--parallel=${workers}`, "--no-isolate"] : [];
const asked = Bun.argv.slice(2);
const lanes =
  workers > 1 && asked.length === 0
    ? [
        { workers, args: [...sideBySide, ...WAITING.map((path) => `--path-ignore-patterns=${path}**`)] },
        { workers: 1, args: WAITING },
      ]
    : [{ workers, args: [...sideBySide, ...asked] }];

installPrograms();
const run = `waymark_test_run_${process.pid}`;
const outcomes = await Promise.all(lanes.map(runLane));
const failures = outcomes.flatMap(({ reports }) => reports.flatMap(failuresIn));
if (failures.length > 0) await print(`\nWhat failed, once more:\n\n${failures.join("\n")}\n`);
if (Bun.env.TEST_DATABASE_URL) await dropDatabases(Bun.env.TEST_DATABASE_URL, run);
await endRun();
process.exit(outcomes.find(({ code }) => code !== 0)?.code ?? 0);

async function runLane(lane: (typeof lanes)[number]): Promise<{ code: number; reports: string[] }> {
  const env = { ...FEW_RUNS, ...process.env, ...(await testServers(lane.workers)), TEST_RUN: run };
  const command = ["test", "--timeout", TEST_MS_MAX, `--timings=${TIMINGS}`, ...lane.args];
  const child = Bun.spawn([process.execPath, ...command], { stdout: "pipe", stderr: "pipe", env });
  const reports = await Promise.all([read(child.stdout), read(child.stderr)]);
  return { code: await child.exited, reports };
}

/** Starts a Postgres and a Redis for each process and returns their URLs. Servers given by environment are shared. */
async function testServers(count: number): Promise<Record<string, string>> {
  const { TEST_DATABASE_URL, TEST_REDIS_URL } = Bun.env;
  const ofEach = <Server>(start: () => Promise<Server>) => Promise.all(Array.from({ length: count }, start));
  const servers: Record<string, string> = {};
  if (!TEST_DATABASE_URL) servers.TEST_DATABASE_URLS = (await ofEach(startEmbedded)).join(" ");
  // If no Redis can be started, the tests that need one report it.
  const redisUrls = TEST_REDIS_URL ? undefined : await ofEach(startOwnRedis).catch(() => undefined);
  if (redisUrls)
    Object.assign(servers, { TEST_REDIS_URLS: redisUrls.join(" "), TEST_REDIS_DATABASES: String(OWN_DATABASES) });
  return servers;
}

/** Prints the stream in whole lines, because two lanes print at the same time, and returns its text. */
async function read(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let printed = 0;
  for await (const bytes of stream) {
    text += decoder.decode(bytes, { stream: true });
    const end = text.lastIndexOf("\n") + 1;
    if (end > printed) await print(text.slice(printed, end));
    printed = Math.max(printed, end);
  }
  if (text.length > printed) await print(`${text.slice(printed)}\n`);
  return text;
}

/** Resolves once everything is written: readers rely on the last lines of the report. */
function print(text: string): Promise<unknown> {
  return new Promise((taken) => process.stdout.write(text, taken));
}

/** Returns each failed test's line with the lines before it: the runner prints errors before the test's name. */
function failuresIn(report: string): string[] {
  const lines = report.split("\n");
  const told = new Set<string>();
  return lines.flatMap((line, index) => {
    const name = line.replace(/ \[[\d.]+m?s\]$/, "");
    if (!line.startsWith("(fail)") || told.has(name)) return [];
    told.add(name);
    const before = lines.slice(Math.max(0, index - LINES_OF_FAILURE_MAX), index);
    const start = before.findLastIndex((one) => /^\((pass|fail|skip)\)|^test\/.*:$/.test(one));
    return [...before.slice(start + 1), line];
  });
}

/**
 * Installs missing programs here, because otherwise several test processes would install them at the same time. If that
 * fails, the tests that need the program report it.
 */
function installPrograms(): void {
  for (const program of [REDIS_SERVER, CHROMIUM, PGBOUNCER]) {
    try {
      findProgram(program);
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
    }
  }
}
