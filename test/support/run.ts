/**
 * Every test, in two processes side by side where the machine has the cores: each takes half of the files and has a
 * Postgres and a Redis of its own. These are children of this process: of a test that runs out of time the runner kills
 * whatever was started from its own, and every test after it would find no Postgres.
 *
 * The second one's report is printed once the first has ended, so that each can be read; what failed, in either, is told
 * once more at the end, where whoever sees the last lines alone finds it.
 */
import { endRun } from "./end-of-run";
import { startEmbedded } from "./postgres";
import { OWN_DATABASES, startOwnRedis } from "./redis";
import { CHROMIUM, findProgram, PGBOUNCER, REDIS_SERVER } from "./system-program";

/** Ends a test that hangs. Long enough for a machine that is busy with other things. */
const TEST_MS_MAX = "120000";
const LINES_OF_FAILURE_MAX = 60;
/** A Redis that was named is shared by number of database, which only one process can give out. */
const shards = navigator.hardwareConcurrency > 1 && !Bun.env.TEST_REDIS_URL ? 2 : 1;

installPrograms();
const environments = await Promise.all(Array.from({ length: shards }, testServers));
const runs = environments.map((env, index) => {
  const command = [process.execPath, "test", "--timeout", TEST_MS_MAX, `--shard=${index + 1}/${shards}`];
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "pipe", env: { ...process.env, ...env } });
  const isLive = index === 0;
  return {
    exited: child.exited,
    isLive,
    reports: Promise.all([child.stdout, child.stderr].map((of) => read(of, isLive))),
  };
});
const codes: number[] = [];
const failures: string[] = [];
for (const { exited, isLive, reports } of runs) {
  codes.push(await exited);
  for (const report of await reports) {
    if (!isLive) await print(report);
    failures.push(...failuresIn(report));
  }
}
if (failures.length > 0) await print(`\nWhat failed, once more:\n\n${failures.join("\n")}\n`);
await endRun();
process.exit(Math.max(...codes));

async function testServers(): Promise<Record<string, string>> {
  const { TEST_DATABASE_URL = await startEmbedded(), TEST_REDIS_URL } = Bun.env;
  // Without a Redis, the tests that need one say so.
  const redisUrl = TEST_REDIS_URL ? undefined : await startOwnRedis().catch(() => undefined);
  if (!redisUrl) return { TEST_DATABASE_URL };
  return { TEST_DATABASE_URL, TEST_REDIS_URL: redisUrl, TEST_REDIS_DATABASES: String(OWN_DATABASES) };
}

async function read(stream: ReadableStream<Uint8Array>, isLive: boolean): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of stream) {
    const part = decoder.decode(bytes, { stream: true });
    text += part;
    if (isLive) await print(part);
  }
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

/** Here, since two processes that miss one would install it at once. Where that fails, the tests that need it say so. */
function installPrograms(): void {
  for (const program of [REDIS_SERVER, CHROMIUM, PGBOUNCER]) {
    try {
      findProgram(program);
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
    }
  }
}
