/** Each analytics route over HTTP, one request after another: how long, how many bytes, and what the server's memory does. */
import { readFileSync } from "node:fs";
import { DAY_MS } from "@/core/time-range";
import { DAYS, type Traffic } from "./analytics-traffic";
import type { Running } from "./servers";

const WARM_UP = 5;
const SAMPLE_EVERY_MS = 10;
const MEGABYTE = 1024 * 1024;

const COMPUTED = ["insights", "anomalies", "conversion-prediction", "best-destination", "broken-campaigns"];

interface Asked {
  name: string;
  path: string;
}

export async function measureRoutes(server: Running, token: string, traffic: Traffic, requests: number): Promise<void> {
  const rows = [];
  for (const asked of routes(traffic)) rows.push(await measure(server, token, asked, requests));
  console.log(
    `\nAnalytics of ${traffic.clicks.toLocaleString("en")} clicks over ${DAYS} days, ${requests} requests each`,
  );
  console.table(rows);
}

function routes({ orgId, linkIds, end }: Traffic): Asked[] {
  const base = `/api/v1/organizations/${orgId}/analytics`;
  const range = (days: number) =>
    `from=${new Date(end - days * DAY_MS).toISOString()}&to=${new Date(end).toISOString()}`;
  const middling = linkIds[Math.floor(linkIds.length / 10)];
  return [
    { name: "overview, 90 days", path: `${base}/overview?${range(90)}` },
    { name: "overview, 90 days, with bots", path: `${base}/overview?${range(90)}&includeBots=true` },
    { name: "overview, 30 days", path: `${base}/overview?${range(30)}` },
    { name: "overview, 3 days by hour", path: `${base}/overview?${range(3)}` },
    { name: "overview, 90 days, busiest link", path: `${base}/overview?${range(90)}&linkId=${linkIds[0]}` },
    { name: "overview, 90 days, a middling link", path: `${base}/overview?${range(90)}&linkId=${middling}` },
    { name: "top-links, 90 days", path: `${base}/top-links?${range(90)}` },
    { name: "top-links, 30 days", path: `${base}/top-links?${range(30)}` },
    { name: "export.csv, 90 days", path: `${base}/export.csv?${range(90)}` },
    ...COMPUTED.map((name) => ({ name: `${name}, 90 days`, path: `${base}/${name}?${range(90)}` })),
  ];
}

async function measure({ origin, pid }: Running, token: string, { name, path }: Asked, requests: number) {
  const headers = { authorization: `Bearer ${token}` };
  const ask = async () => {
    const start = performance.now();
    const response = await fetch(origin + path, { headers });
    const { byteLength } = await response.arrayBuffer();
    const ms = performance.now() - start;
    await untilAllowed(response);
    return { ms, status: response.status, bytes: byteLength };
  };
  for (let index = 0; index < WARM_UP; index++) await ask();
  const before = residentOf(pid);
  let most = before;
  const sampling = setInterval(() => {
    most = Math.max(most, residentOf(pid));
  }, SAMPLE_EVERY_MS);
  const answers = [];
  for (let index = 0; index < requests; index++) answers.push(await ask());
  clearInterval(sampling);
  const times = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  return {
    route: name,
    status: [...new Set(answers.map(({ status }) => status))].join(" "),
    "p50 ms": at(times, 0.5),
    "p95 ms": at(times, 0.95),
    KB: Math.round((answers[0]?.bytes ?? 0) / 1024),
    "memory MB": Math.round(before / MEGABYTE),
    "growth MB": Math.round((most - before) / MEGABYTE),
  };
}

/** Waits for the next window when that was the last request of this one. */
async function untilAllowed({ headers }: Response): Promise<void> {
  if (headers.get("x-ratelimit-remaining") !== "0") return;
  await Bun.sleep(Math.max(0, Number(headers.get("x-ratelimit-reset")) * 1000 - Date.now()));
}

const at = (sorted: number[], share: number) => Number(sorted[Math.floor(sorted.length * share)]?.toFixed(1));

/** Bytes; NaN where /proc does not tell. */
function residentOf(pid: number): number {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) * 1024;
  } catch {
    return Number.NaN;
  }
}
