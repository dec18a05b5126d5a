/**
 * Measures how far Postgres lags behind the redirects at a steady rate, and whether the process's memory stays
 * constant. The lag is observed from outside, as the age of the newest click in Postgres: all clicks after it are
 * still missing.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@/platform/db/client";
import { startEmbeddedPostgres } from "@/platform/db/embedded/embedded";
import { residentBytesOf } from "./cpu";
import { steadyLoad, writePacedRequests } from "./load";
import { startWaymark } from "./servers";
import { createLinks, PATHS } from "./subject";

const CONNECTIONS = 100;
const LOOK_EVERY_MS = 50;
const MEGABYTE = 1024 * 1024;
/** Share of the run that is left out because caches fill. */
const WARM_UP_SHARE = 0.1;

export interface LagOptions {
  seconds: number;
  perSecond: number;
}

export async function measureLag({ seconds, perSecond }: LagOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "waymark-bench-"));
  const postgres = await startEmbeddedPostgres(folder, () => {});
  const { sql, close } = openDatabase(postgres.url, { pool: "tool" });
  try {
    await using waymark = await startWaymark(postgres.url);
    await createLinks(waymark.origin);
    // Until a click has arrived, all of the load is missing.
    const loadedFrom = Date.now();
    let newest = loadedFrom;
    const load = steadyLoad(waymark.origin, await writePacedRequests(PATHS, perSecond, CONNECTIONS), {
      seconds,
      connections: CONNECTIONS,
    });
    const samples: Sample[] = [];
    let isLoading = true;
    const loaded = load.then((requests) => {
      isLoading = false;
      return requests;
    });
    for (const begun = performance.now(); isLoading; await Bun.sleep(LOOK_EVERY_MS)) {
      const asked = Date.now();
      newest = (await newestIn(sql)) ?? newest;
      const lagMs = Math.max(0, asked - newest);
      samples.push({ at: performance.now() - begun, lagMs, bytes: residentBytesOf(waymark.pid) });
    }
    const requests = await loaded;
    if (newest === loadedFrom) throw new Error("No click has reached Postgres");
    report(requests, samples, seconds);
  } finally {
    await close();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Sample {
  /** Milliseconds since the load began. */
  at: number;
  lagMs: number;
  bytes: number;
}

type Sql = ReturnType<typeof openDatabase>["sql"];

/** Returns the time of the newest click; undefined if the last five minutes have none. */
async function newestIn(sql: Sql): Promise<number | undefined> {
  const [row] = await sql<{ newest: number | null }[]>`
    select extract(epoch from max(occurred_at))::float8 * 1000 as newest from clicks
    where occurred_at > now() - interval '5 minutes'`;
  return row?.newest ?? undefined;
}

function report(requests: number, samples: readonly Sample[], seconds: number): void {
  const warm = samples.filter(({ at }) => at > seconds * 1000 * WARM_UP_SHARE);
  const lags = warm.map(({ lagMs }) => lagMs).sort((a, b) => a - b);
  const lagAt = (share: number) => Math.round(lags[Math.min(lags.length - 1, Math.floor(lags.length * share))] ?? 0);
  const quarter = Math.floor(warm.length / 4);
  const memory = (part: readonly Sample[]) =>
    Math.round(part.reduce((sum, { bytes }) => sum + bytes, 0) / part.length / MEGABYTE);
  console.log(`\nLag from redirect to row in Postgres, steady rate for ${seconds} s`);
  console.table([
    {
      "redirects/s": Math.round(requests / seconds),
      "lag p50 ms": lagAt(0.5),
      "lag p99 ms": lagAt(0.99),
      "lag max ms": lagAt(1),
      "memory MB, first quarter": memory(warm.slice(0, quarter)),
      "memory MB, last quarter": memory(warm.slice(-quarter)),
    },
  ]);
}
