/** Measures each analytics route over HTTP, one request after another: time, CPU, bytes, and the server's memory. */
import { ranSince, residentBytesOf, runTimesOf, type Threads, threadsOf } from "../cpu";
import type { Measured } from "../measured";
import { quantileOf, untilAllowed } from "../requests";
import type { Running } from "../servers";
import { type Asked, analyticsRoutes } from "./routes";
import { DAYS, type Traffic } from "./traffic";

const WARM_UP = 3;
/** Ends the measurement of a route early on a busy machine, but not before `REQUESTS_MIN` requests. */
const ROUTE_MS_MAX = 5_000;
const REQUESTS_MIN = 8;
const SAMPLE_EVERY_MS = 10;
const MEGABYTE = 1024 * 1024;

/** Results are printed in tables of this many rows. */
const ROWS_A_TABLE = 12;

export interface MeasureOptions {
  requests: number;
  /** Measures only routes whose names contain this text. */
  only: string;
  /** Returns the threads of Postgres. */
  backends(): Threads;
}

export async function measureRoutes(
  server: Running,
  token: string,
  traffic: Traffic,
  { requests, only, backends }: MeasureOptions,
): Promise<Measured[]> {
  console.log(
    `\nAnalytics of ${traffic.clicks.toLocaleString("en")} clicks, ${traffic.linkIds.length.toLocaleString("en")} links, ${DAYS} days; up to ${requests} requests per route`,
  );
  const [all, rows]: [Measured[], object[]] = [[], []];
  const threads = () => [...threadsOf(server.pid), ...backends()];
  for (const asked of analyticsRoutes(traffic)) {
    if (!asked.name.includes(only)) continue;
    const { more, ...measured } = await measure(server, token, asked, { requests, threads });
    all.push(measured);
    if (rows.push(rowOf(measured, more)) === ROWS_A_TABLE) console.table(rows.splice(0));
  }
  if (rows.length > 0) console.table(rows);
  return all;
}

const rowOf = ({ name, status, cpuMs, bestMs, p95Ms, wantedMs }: Measured, { firstMs, p50Ms, ...memory }: More) => ({
  route: name,
  ...{
    status,
    "CPU ms": cpuMs,
    "first ms": firstMs,
    "best ms": bestMs,
    "p50 ms": p50Ms,
    "p95 ms": p95Ms,
    "target p95": wantedMs,
  },
  "": p95Ms > wantedMs ? "over" : "",
  ...memory,
});

interface More extends Record<string, number> {
  /** Time of the first request, which reads data that later ones find in memory. */
  firstMs: number;
  p50Ms: number;
}

interface MeasureOne {
  requests: number;
  threads(): Threads;
}

async function measure(
  { origin, pid }: Running,
  token: string,
  asked: Asked,
  { requests, threads }: MeasureOne,
): Promise<Measured & { more: More }> {
  const { name, path, wantedMs } = asked;
  const headers = { authorization: `Bearer ${token}` };
  const ask = async () => {
    const start = performance.now();
    const response = await fetch(origin + path, { headers });
    const { byteLength } = await response.arrayBuffer();
    const ms = performance.now() - start;
    await untilAllowed(response);
    return { ms, status: response.status, bytes: byteLength };
  };
  const { ms: firstMs } = await ask();
  for (let index = 1; index < WARM_UP; index++) await ask();
  const before = residentBytesOf(pid);
  let most = before;
  const sampling = setInterval(() => {
    most = Math.max(most, residentBytesOf(pid));
  }, SAMPLE_EVERY_MS);
  const answers = [];
  const cpuBefore = runTimesOf(threads());
  for (let spentMs = 0; answers.length < requests && (answers.length < REQUESTS_MIN || spentMs < ROUTE_MS_MAX); ) {
    const answer = await ask();
    answers.push(answer);
    spentMs += answer.ms;
  }
  clearInterval(sampling);
  const cpu = ranSince(cpuBefore, runTimesOf(threads()));
  const times = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  return {
    ...{ name, wantedMs, status: [...new Set(answers.map(({ status }) => status))].join(" ") },
    ...{
      bestMs: quantileOf(times, 0),
      p95Ms: quantileOf(times, 0.95),
      cpuMs: Number((cpu / answers.length).toFixed(1)),
    },
    more: {
      ...{ firstMs: Math.round(firstMs), p50Ms: quantileOf(times, 0.5) },
      KB: Math.round((answers[0]?.bytes ?? 0) / 1024),
      "memory MB": Math.round(before / MEGABYTE),
      "growth MB": Math.round((most - before) / MEGABYTE),
    },
  };
}
