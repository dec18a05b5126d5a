/**
 * Every test, in several processes side by side where the machine has the cores: each takes the next file as it is done
 * with one, the longest first (`timings.json`, written anew by `bun test/support/run.ts --update-timings`), and has a
 * Postgres and a Redis of its own. These are children of this process: of a test that runs out of time the runner kills
 * whatever was started from its own, and every test after it would find no Postgres. Of a whole run, the tests that
 * wait for most of their time have a process to themselves, and leave the others the cores.
 *
 * What failed is told once more at the end, where whoever sees the last lines alone finds it.
 */
import { join } from "node:path";
import { endRun } from "./end-of-run";
import { dropDatabases, startEmbedded } from "./servers/postgres";
import { OWN_DATABASES, startOwnRedis } from "./servers/redis";
import { CHROMIUM, findProgram, PGBOUNCER, REDIS_SERVER } from "./servers/system-program";
import { MEMORY } from "./service-process";

/** Ends a test that hangs. Long enough for a machine that is busy with other things. */
const TEST_MS_MAX = "120000";
const LINES_OF_FAILURE_MAX = 60;
const TIMINGS = join(import.meta.dir, "timings.json");
/** Two for each of two cores, since many a test waits. */
const PROCESSES = 4;
/** They start, kill and await services as processes. */
const WAITING = ["fault/", "integration/processes/"].map((path) => `test/${path}`);
/**
 * A test process runs much code a few times, so that the last compiler takes more than it saves, and lives for minutes, so
 * that looking for memory to give back does too. The services that tests start as processes have settings of their own.
 */
const FEW_RUNS = { ...MEMORY, BUN_JSC_useFTLJIT: "0", MIMALLOC_PURGE_HOLES: "0" };
/** A Redis that was named is shared by number of database, which only one process can give out. */
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

/** Of each process, by its number; those that were named are everyone's. */
async function testServers(count: number): Promise<Record<string, string>> {
  const { TEST_DATABASE_URL, TEST_REDIS_URL } = Bun.env;
  const ofEach = <Server>(start: () => Promise<Server>) => Promise.all(Array.from({ length: count }, start));
  const servers: Record<string, string> = {};
  if (!TEST_DATABASE_URL) servers.TEST_DATABASE_URLS = (await ofEach(startEmbedded)).join(" ");
  // Without a Redis, the tests that need one say so.
  const redisUrls = TEST_REDIS_URL ? undefined : await ofEach(startOwnRedis).catch(() => undefined);
  if (redisUrls)
    Object.assign(servers, { TEST_REDIS_URLS: redisUrls.join(" "), TEST_REDIS_DATABASES: String(OWN_DATABASES) });
  return servers;
}

/** By whole lines, since two lanes print at once. */
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

/** Awaited to the last byte: what stands in the report's last lines is what is counted. */
function print(text: string): Promise<unknown> {
  return new Promise((taken) => process.stdout.write(text, taken));
}

/** Each failed test by its line and by what stands before it: errors come before the name of their test. */
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

/** Here, since processes that miss one would install it at once. Where that fails, the tests that need it say so. */
function installPrograms(): void {
  for (const program of [REDIS_SERVER, CHROMIUM, PGBOUNCER]) {
    try {
      findProgram(program);
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
    }
  }
}
