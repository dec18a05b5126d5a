/** Measures one route over HTTP, one request after another: time, CPU, the total found, and for exports the memory. */
import { readFileSync } from "node:fs";
import { mainThreadsOf, ranSince, residentBytesOf, runTimesOf, threadsOf } from "../cpu";
import type { Measured } from "../measured";
import { quantileOf, untilAllowed } from "../requests";
import type { Running } from "../servers";
import type { Asked } from "./routes";

const WARM_UP = 2;
/** Ends the measurement of a route early on a busy machine, but not before `REQUESTS_MIN` requests. */
const ROUTE_MS_MAX = 5_000;
const REQUESTS_MIN = 8;
const SAMPLE_EVERY_MS = 20;
const MEGABYTE = 1024 * 1024;

export interface AskOptions {
  token: string;
  requests: number;
}

interface Answer {
  total?: number;
  totalIsEstimate?: boolean;
}

/** `postgres` is the pid of the postmaster. */
export async function measureList(
  { origin, pid }: Running,
  postgres: number,
  asked: Asked,
  options: AskOptions,
): Promise<{ measured: Measured; row: object }> {
  const { token, requests } = options;
  const times: number[] = [];
  const runTimes = () => runTimesOf([...threadsOf(pid), ...mainThreadsOf(childrenOf(postgres))]);
  let cpuBefore = runTimes();
  const statuses = new Set<number>();
  let answer: Answer = {};
  for (let index = -WARM_UP, spentMs = 0; index < requests; index++) {
    if (index >= REQUESTS_MIN && spentMs > ROUTE_MS_MAX) break;
    if (index === 0) cpuBefore = runTimes();
    const start = performance.now();
    const response = await fetch(origin + asked.path, { headers: { authorization: `Bearer ${token}` } });
    answer = (await response.json()) as Answer;
    const ms = performance.now() - start;
    spentMs += ms;
    if (index >= 0) times.push(ms);
    statuses.add(response.status);
    await untilAllowed(response);
  }
  const cpu = ranSince(cpuBefore, runTimes());
  times.sort((a, b) => a - b);
  const { name, wantedMs } = asked;
  const status = [...statuses].join(" ");
  const bestMs = quantileOf(times, 0);
  const [p95Ms, cpuMs] = [quantileOf(times, 0.95), Number((cpu / times.length).toFixed(1))];
  const row = {
    ...{ route: name, status, total: `${answer.totalIsEstimate ? "~" : ""}${answer.total}`, "CPU ms": cpuMs },
    ...{ "best ms": bestMs, "p50 ms": quantileOf(times, 0.5), "p95 ms": p95Ms, "target p95": wantedMs },
    "": p95Ms <= wantedMs ? "" : "over",
  };
  return { measured: { name, status, wantedMs, bestMs, p95Ms, cpuMs }, row };
}

export async function measureExport(
  { origin, pid }: Running,
  postgres: number,
  token: string,
  { name, path, wantedMs }: Asked,
): Promise<{ measured: Measured; row: object }> {
  const before = residentBytesOf(pid);
  const runTimes = () => runTimesOf([...threadsOf(pid), ...mainThreadsOf(childrenOf(postgres))]);
  const cpuBefore = runTimes();
  const samples: number[] = [];
  const sampling = setInterval(() => samples.push(residentBytesOf(pid)), SAMPLE_EVERY_MS);
  const start = performance.now();
  const response = await fetch(origin + path, { headers: { authorization: `Bearer ${token}` } });
  let [bytes, firstMs] = [0, 0];
  for await (const part of response.body ?? []) {
    firstMs ||= performance.now() - start;
    bytes += part.byteLength;
  }
  const ms = performance.now() - start;
  clearInterval(sampling);
  const cpu = Math.round(ranSince(cpuBefore, runTimes()));
  const row = {
    ...{ export: name, status: response.status, seconds: Number((ms / 1000).toFixed(1)), target: wantedMs / 1000 },
    ...{ "CPU s": Number((cpu / 1000).toFixed(1)), "first byte ms": Math.round(firstMs) },
    MB: Math.round(bytes / MEGABYTE),
    "memory MB before, in each quarter": [before, ...quartersOf(samples)]
      .map((each) => Math.round(each / MEGABYTE))
      .join(" "),
  };
  const took = { bestMs: Math.round(ms), p95Ms: Math.round(ms), cpuMs: cpu };
  return { measured: { name, status: String(response.status), wantedMs, ...took }, row };
}

/**
 * Returns the median of each quarter. Memory that grows with the export rises in all quarters, a one-time growth only
 * in the first.
 */
function quartersOf(samples: readonly number[]): number[] {
  const length = Math.ceil(samples.length / 4);
  return [0, 1, 2, 3].map((quarter) => {
    const own = samples.slice(quarter * length, (quarter + 1) * length).sort((a, b) => a - b);
    return own[Math.floor(own.length / 2)] ?? Number.NaN;
  });
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
