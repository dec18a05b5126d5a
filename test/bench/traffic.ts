/** Redirects and resolves against the bare runtime, as ratios of one run. */
import { mkdtemp, rm } from "node:fs/promises";
import { constants, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@/platform/db/client";
import { startEmbeddedPostgres } from "@/platform/db/embedded/embedded";
import { writeRequests } from "./load";
import { alternate, type Results, type Variant } from "./rounds";
import { type Running, startNginx, startScript, startWaymark } from "./servers";
import { createLinks, LINKS, PATHS } from "./subject";

export interface TrafficOptions {
  rounds: number;
  seconds: number;
}

export async function measureTraffic(options: TrafficOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "waymark-bench-"));
  const postgres = await startEmbeddedPostgres(folder, () => {});
  await standBehindTheLoad(folder);
  try {
    await using waymark = await startWaymark(postgres.url);
    await createLinks(waymark.origin);
    await measureRedirects(waymark, options);
    await measureResolves(waymark, options);
    await measureWorkers(postgres.url, options);
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Postgres shares the load's core: it takes what the load leaves, or it is the load that would be measured. */
async function standBehindTheLoad(folder: string): Promise<void> {
  const [pid] = (await Bun.file(join(folder, "postgres", "cluster", "postmaster.pid")).text()).split("\n");
  setPriority(Number(pid), constants.priority.PRIORITY_LOW);
}

async function measureRedirects(waymark: Running, { rounds, seconds }: TrafficOptions): Promise<void> {
  await using bare = await startScript("bare");
  await using reading = await startScript("bare-reading");
  await using nginx = await startNginx();
  const variants: Variant[] = [
    named("bare Bun.serve 302", bare),
    named("Bun.serve, reads 3 headers and the address", reading),
    ...(nginx ? [named("nginx, map of 100,000", nginx)] : []),
    named("Waymark redirect, click recorded", waymark),
  ];
  const results = await alternate(variants, await writeRequests(PATHS), rounds, seconds);
  print("Cached redirects (user agent, geography, 3 rules, click written to the spool)", results, "bare Bun.serve 302");
}

async function measureResolves(waymark: Running, { rounds, seconds }: TrafficOptions): Promise<void> {
  const domain = new URL(waymark.origin).host;
  const paths = Array.from(
    { length: LINKS },
    (_, index) => `/api/v1/resolve?domain=${domain}&slug=bench-${index}&platform=ios`,
  );
  const body = await (await fetch(waymark.origin + paths[0])).text();
  await using bare = await startScript("bare-json", body);
  const variants = [named("bare Bun.serve, same JSON", bare), named("Waymark resolve, open recorded", waymark)];
  print(
    "Cached resolves",
    await alternate(variants, await writeRequests(paths), rounds, seconds),
    "bare Bun.serve, same JSON",
  );
}

/** The sum of both processes' CPU is what matters: they share the machine with the load. */
async function measureWorkers(databaseUrl: string, { rounds, seconds }: TrafficOptions): Promise<void> {
  await using one = await startWaymark(await anotherDatabase(databaseUrl, "one"), { WORKERS: "1" });
  await using two = await startWaymark(await anotherDatabase(databaseUrl, "two"), { WORKERS: "2" });
  for (const { origin } of [one, two]) await createLinks(origin);
  const variants = [named("one worker", one), named("two workers", two)];
  print(
    "One worker and two, not pinned to cores",
    await alternate(variants, await writeRequests(PATHS), rounds, seconds),
    "one worker",
  );
}

/** Two services of different short domains cannot share one. */
async function anotherDatabase(databaseUrl: string, name: string): Promise<string> {
  const { sql, close } = openDatabase(databaseUrl, { pool: "tool" });
  await sql`create database ${sql(name)}`;
  await close();
  return Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href;
}

const named = (name: string, { origin, pid }: Running): Variant => ({ name, origin, pid });

function print(title: string, results: Results, yardstick: string): void {
  const base = results.get(yardstick);
  console.log(`\n${title}`);
  console.table(
    [...results].map(([variant, { requestsPerSecond, cpuMicroseconds, p50Ms, p99Ms }]) => ({
      variant,
      "requests/s": Math.round(requestsPerSecond),
      ratio: (requestsPerSecond / (base?.requestsPerSecond ?? Number.NaN)).toFixed(2),
      "CPU µs": cpuMicroseconds.toFixed(1),
      "p50 ms": p50Ms.toFixed(2),
      "p99 ms": p99Ms.toFixed(2),
      "p99 ratio": (p99Ms / (base?.p99Ms ?? Number.NaN)).toFixed(1),
    })),
  );
}
