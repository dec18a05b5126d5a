/**
 * Compares redirects and resolves with the bare runtime, as ratios within one run: by requests and by CPU, with and
 * without the fast lane, as sent by a script and by a browser behind a proxy. CPU is the thread time per request. It
 * is more meaningful than rates when the load generator is the limit or others use the machine.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { constants, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@/platform/db/client";
import { startEmbeddedPostgres } from "@/platform/db/embedded/embedded";
import { familyMs, postmasterOf } from "../cpu";
import { writeRequests } from "../load";
import { alternate, type Results, type Variant } from "../rounds";
import { type Running, startNginx, startScript, startWaymark } from "../servers";
import { createLinks, LINKS, PATHS } from "../subject";
import { printMachine, watchMachine } from "./machine";
import { drained } from "./pipeline";
import { VISITORS } from "./visitors";

export interface TrafficOptions {
  rounds: number;
  seconds: number;
}

export async function measureTraffic(options: TrafficOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "waymark-bench-"));
  const postgres = await startEmbeddedPostgres(folder, () => {});
  try {
    const postmaster = await postmasterOf(folder);
    // Postgres shares the load's core. At low priority it does not slow down the load, which would distort the
    // figures.
    setPriority(postmaster, constants.priority.PRIORITY_LOW);
    const machine = watchMachine([postmaster]);
    await measureLanes(postgres.url, postmaster, options);
    await measureWorkers(postgres.url, options);
    printMachine(machine());
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureLanes(databaseUrl: string, postmaster: number, options: TrafficOptions): Promise<void> {
  await using waymark = await startWaymark(await anotherDatabase(databaseUrl, "lane"));
  await using laneless = await startWaymark(await anotherDatabase(databaseUrl, "laneless"), { FAST_LANE: "off" });
  for (const { origin } of [waymark, laneless]) await createLinks(origin);
  const recording = (name: string, running: Running): Variant => ({
    ...named(name, running),
    drain: () => drained(running.origin),
    postgresMs: () => familyMs([postmaster]),
  });
  await measureRedirects([recording(WAYMARK, waymark), recording(`${WAYMARK}, FAST_LANE=off`, laneless)], options);
  await measureResolves(waymark, options);
}

const BARE = "bare Bun.serve 302";
const WAYMARK = "Waymark redirect, click recorded";

async function measureRedirects(recording: Variant[], { rounds, seconds }: TrafficOptions): Promise<void> {
  await using bare = await startScript("bare");
  await using reading = await startScript("bare-reading");
  await using nginx = await startNginx();
  const variants: Variant[] = [
    named(BARE, bare),
    named("Bun.serve, reads 3 headers and the address", reading),
    ...(nginx ? [named("nginx, map of 100,000", nginx)] : []),
    ...recording,
  ];
  for (const visitor of VISITORS) {
    const results = await alternate(variants, await writeRequests(PATHS, visitor), rounds, seconds);
    print(`Cached redirects ${visitor} (user agent, geography, 3 rules, click written to the spool)`, results, BARE);
    printClicks(`CPU µs of a whole click ${visitor}, once all are in Postgres`, results);
  }
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

/**
 * Compares the sum of both workers' CPU with that of one worker: rates say little, because they share the machine
 * with the load.
 */
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

/** Creates a database, because two services with different shared short domains cannot use the same one. */
async function anotherDatabase(databaseUrl: string, name: string): Promise<string> {
  const { sql, close } = openDatabase(databaseUrl, { pool: "tool" });
  await sql`create database ${sql(name)}`;
  await close();
  return Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href;
}

const named = (name: string, { origin, pid }: Running): Variant => ({ name, origin, pid });

/** Prints the results. CPU ratios are the baseline's CPU divided by the variant's, so that higher is better. */
function print(title: string, results: Results, yardstick: string): void {
  const base = results.get(yardstick);
  const ratio = (part = Number.NaN, whole = Number.NaN, digits = 2) => (part / whole).toFixed(digits);
  console.log(`\n${title}`);
  console.table(
    [...results].map(([variant, { requestsPerSecond, mainMicroseconds, cpuMicroseconds, p50Ms, p99Ms }]) => ({
      variant,
      "requests/s": Math.round(requestsPerSecond),
      "by requests": ratio(requestsPerSecond, base?.requestsPerSecond),
      "main µs": mainMicroseconds.toFixed(1),
      "by main": ratio(base?.mainMicroseconds, mainMicroseconds),
      "all threads µs": cpuMicroseconds.toFixed(1),
      "by all": ratio(base?.cpuMicroseconds, cpuMicroseconds),
      "p50 ms": p50Ms.toFixed(2),
      "p99 ms": p99Ms.toFixed(2),
      "p99 ratio": ratio(p99Ms, base?.p99Ms, 1),
    })),
  );
}

function printClicks(title: string, results: Results): void {
  console.log(`\n${title}`);
  console.table(
    [...results]
      .filter(([, { wholePostgres }]) => !Number.isNaN(wholePostgres))
      .map(([variant, { wholeMain, wholeOthers, wholePostgres }]) => ({
        variant,
        "main thread": wholeMain.toFixed(1),
        "worker and helper threads": wholeOthers.toFixed(1),
        Postgres: wholePostgres.toFixed(1),
        whole: (wholeMain + wholeOthers + wholePostgres).toFixed(1),
      })),
  );
}
