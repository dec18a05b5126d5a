/**
 * The load generator: `wrk -t1 -c64` on the second core, the same prebuilt requests for every variant, rotating over
 * links, user agents, languages and addresses, so that no cache sees one visitor only.
 */
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import UserAgent from "user-agents";

export interface Load {
  requestsPerSecond: number;
  /** Of the server's processes, all threads, user and system; NaN where /proc does not tell. */
  cpuMicroseconds: number;
  p50Ms: number;
  p99Ms: number;
}

const CONNECTIONS = 64;
const VISITORS = 2000;
const LANGUAGES = ["en-US,en;q=0.9", "de-DE,de;q=0.9,en;q=0.8", "fr-FR,fr;q=0.9", "ja-JP", "pt-BR,pt;q=0.9,en;q=0.7"];

/** Cores of the server and of the load; the same one where there is no second. */
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

/** Writes a wrk script whose requests go over these paths. Deterministic but for the user agents drawn. */
export async function writeRequests(paths: string[]): Promise<string> {
  const script = join(await mkdtemp(join(tmpdir(), "waymark-bench-")), "requests.lua");
  const requests = Array.from({ length: VISITORS }, (_, index) => visitor(paths[index % paths.length] ?? "/", index));
  const lines = requests.map(
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

function visitor(path: string, index: number) {
  const address = `${11 + ((index * 7) % 180)}.${(index * 13) % 256}.${(index * 31) % 256}.${1 + (index % 250)}`;
  const headers: [string, string][] = [
    ["User-Agent", new UserAgent().toString()],
    ["Accept-Language", LANGUAGES[index % LANGUAGES.length] ?? "en"],
    ["Referer", "https://news.example.com/story"],
    ["X-Client-Address", address],
  ];
  return { path, headers };
}

const lua = (text: string): string => JSON.stringify(text);

export interface Target {
  origin: string;
  /** The server's process. */
  pid: number;
}

/** With `isFirst` the generator goes before all other processes, where the system lets it. */
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
  const cpuBefore = cpuSeconds(pid);
  const output = await Bun.$`${pinned(LOAD_CORE, command)}`.text();
  const cpu = cpuSeconds(pid) - cpuBefore;
  const failed = /Non-2xx or 3xx responses: (\d+)|Socket errors: (.+)/.exec(output);
  if (failed) throw new Error(`The load on ${origin} met errors: ${failed[0]}`);
  return {
    requestsPerSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]),
    cpuMicroseconds: (cpu * 1_000_000) / Number(/(\d+) requests in/.exec(output)?.[1]),
    p50Ms: percentile(output, "50%"),
    p99Ms: percentile(output, "99%"),
  };
}

/** Clock ticks a second of /proc, the same on every Linux that Bun runs on. */
const TICKS = 100;

const SETTLED_CHECK_MS = 500;
const SETTLED_CPU_SECONDS = 0.02;
const SETTLED_CHECKS_MAX = 240;

/** Waits until a server has done what its last load left behind, so that the next round measures its own variant alone. */
export async function settled(pid: number): Promise<void> {
  for (let check = 0; check < SETTLED_CHECKS_MAX; check++) {
    const before = cpuSeconds(pid);
    await Bun.sleep(SETTLED_CHECK_MS);
    if (!(cpuSeconds(pid) - before > SETTLED_CPU_SECONDS)) return;
  }
}

/** User and system time of a process and of those it started. */
function cpuSeconds(pid: number): number {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return Number.NaN;
  const fields = readFileSync(path, "utf8").split(") ")[1]?.split(" ") ?? [];
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
  const own = (Number(fields[11]) + Number(fields[12])) / TICKS;
  return children.reduce((sum, child) => sum + (cpuSeconds(Number(child)) || 0), own);
}

function percentile(output: string, name: string): number {
  const [, value, unit] = new RegExp(`${name}\\s+([\\d.]+)(us|ms|s)`).exec(output) ?? [];
  return Number(value) * (unit === "us" ? 0.001 : unit === "s" ? 1000 : 1);
}
