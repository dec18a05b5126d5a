/** The load generator: `wrk -t1 -c64` on the second core, with the same prebuilt requests for every variant. */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { familyOf, mainThreadsOf, ranSince, runTimesOf, threadsOf } from "./cpu";
import { type Visitor, visitOf } from "./traffic/visitors";

export interface Load {
  requestsPerSecond: number;
  requests: number;
  /** CPU microseconds per request of the main thread, summed over the server's processes; NaN without /proc. */
  mainMicroseconds: number;
  /** CPU microseconds per request of all threads of the server's processes during the load; NaN without /proc. */
  cpuMicroseconds: number;
  p50Ms: number;
  p99Ms: number;
}

const CONNECTIONS = 64;
const VISITORS = 2000;

/** Cores of the server and of the load; the same one if there is only one. */
export const SERVER_CORE = "0";
export const LOAD_CORE = navigator.hardwareConcurrency > 1 ? "1" : "0";

export const ALL_CORES = `0-${navigator.hardwareConcurrency - 1}`;

export const pinned = (core: string, command: string[]): string[] =>
  Bun.which("taskset") ? ["taskset", "-c", core, ...command] : command;

export function requireWrk(): string {
  const wrk = Bun.which("wrk");
  if (!wrk) throw new Error("The benchmark needs wrk (apt-get install wrk, brew install wrk)");
  return wrk;
}

/** Writes a wrk script that cycles through these paths, and returns its path. */
export async function writeRequests(paths: string[], visitor: Visitor = "with 5 headers"): Promise<string> {
  const script = join(await mkdtemp(join(tmpdir(), "waymark-bench-")), "requests.lua");
  const visits = Array.from({ length: VISITORS }, (_, index) =>
    visitOf(paths[index % paths.length] ?? "/", index, visitor),
  );
  const lines = visits.map(
    ({ path, headers }) => `  {${lua(path)}, {${headers.map(([k, v]) => `[${lua(k)}]=${lua(v)}`)}}},`,
  );
  const text = `local visits = {
${lines.join("\n")}
}
local requests, next = {}, 0
init = function()
  for i, visit in ipairs(visits) do requests[i] = wrk.format("GET", visit[1], visit[2]) end
end
request = function()
  next = next % #requests + 1
  return requests[next]
end
`;
  await Bun.write(script, text);
  return script;
}

/**
 * Writes such a script for a steady rate. wrk has no such option, so each connection pauses between requests for as
 * long as results in the total rate.
 */
export async function writePacedRequests(paths: string[], perSecond: number, connections: number): Promise<string> {
  const script = await writeRequests(paths);
  const pauseMs = Math.max(0, Math.round((connections * 1000) / perSecond) - 1);
  await Bun.write(script, `${await Bun.file(script).text()}\ndelay = function() return ${pauseMs} end\n`);
  return script;
}

/** On a busy machine, or while Postgres uses the core, a response may be late, but it must not be missing. */
const ANSWER_MAX = "20s";

/** Runs the script and resolves to the number of responses. Rejects if there were errors. */
export async function steadyLoad(
  origin: string,
  script: string,
  { seconds, connections }: { seconds: number; connections: number },
): Promise<number> {
  const command = [
    ...[requireWrk(), "-t1", `-c${connections}`, `-d${seconds}s`],
    ...["--timeout", ANSWER_MAX, "-s", script, origin],
  ];
  const output = await Bun.$`${pinned(LOAD_CORE, command)}`.text();
  refuseErrors(origin, output);
  return requestsIn(output);
}

const lua = (text: string): string => JSON.stringify(text);

export interface Target {
  origin: string;
  /** Pid of the server. */
  pid: number;
}

/** With `isFirst`, the generator has priority over all other processes, if the system permits it. */
export async function load(
  { origin, pid }: Target,
  script: string,
  seconds: number,
  { isFirst = false } = {},
): Promise<Load> {
  const first = isFirst && process.getuid?.() === 0 && Bun.which("chrt") ? ["chrt", "--fifo", "1"] : [];
  const command = [
    ...first,
    requireWrk(),
    "-t1",
    `-c${CONNECTIONS}`,
    `-d${seconds}s`,
    "--latency",
    "-s",
    script,
    origin,
  ];
  const cpu = stopwatch(pid);
  const output = await Bun.$`${pinned(LOAD_CORE, command)}`.text();
  const { mainMs, allMs } = cpu();
  refuseErrors(origin, output);
  const requests = requestsIn(output);
  return {
    requestsPerSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]),
    requests,
    mainMicroseconds: (mainMs * 1_000) / requests,
    cpuMicroseconds: (allMs * 1_000) / requests,
    p50Ms: percentile(output, "50%"),
    p99Ms: percentile(output, "99%"),
  };
}

/** Starts measuring CPU time of a server and its descendants. Returns a function that reads it; NaN without /proc. */
export function stopwatch(pid: number): () => { mainMs: number; allMs: number } {
  const read = () => {
    const pids = familyOf([pid]);
    return { main: runTimesOf(mainThreadsOf(pids)), all: runTimesOf(pids.flatMap(threadsOf)) };
  };
  const before = read();
  return () => {
    const after = read();
    return { mainMs: ranSince(before.main, after.main), allMs: ranSince(before.all, after.all) };
  };
}

function refuseErrors(origin: string, output: string): void {
  const failed = /Non-2xx or 3xx responses: (\d+)|Socket errors: (.+)/.exec(output);
  if (failed) throw new Error(`The load on ${origin} met errors: ${failed[0]}`);
}

const requestsIn = (output: string): number => Number(/(\d+) requests in/.exec(output)?.[1]);

const SETTLED_CHECK_MS = 500;
const SETTLED_CPU_MS = 20;
const SETTLED_CHECKS_MAX = 240;

/**
 * Waits up to 2 minutes until a server has finished the work of its last load, so that the next round measures only
 * its own.
 */
export async function settled(pid: number): Promise<void> {
  for (let check = 0; check < SETTLED_CHECKS_MAX; check++) {
    const cpu = stopwatch(pid);
    await Bun.sleep(SETTLED_CHECK_MS);
    if (!(cpu().allMs > SETTLED_CPU_MS)) return;
  }
}

function percentile(output: string, name: string): number {
  const [, value, unit] = new RegExp(`${name}\\s+([\\d.]+)(us|ms|s)`).exec(output) ?? [];
  return Number(value) * (unit === "us" ? 0.001 : unit === "s" ? 1000 : 1);
}
