/**
 * Two regions: a server at home beside the primary, and one 150 ms away (round trip) with a replica beside it. Both
 * are visited continuously, links are changed at home, and the line is cut for a minute, including the replica's.
 *
 *   bun test/fault/regions/regions.ts [seconds of the cut] [visits a second]
 *
 * The far server's links are cold: each is visited only once. No figure of staleness includes the delay of the line.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endRun } from "@test/support/end-of-run";
import { scrape } from "@test/support/scrape";
import { startPrimaryAndStandby } from "@test/support/servers/standby";
import { TcpProxy } from "@test/support/servers/tcp-proxy";
import { takePort } from "@test/support/servers/test-port";
import { client } from "@test/support/service";
import { ServiceProcess } from "@test/support/service-process";
import { SteadyLoad } from "@test/support/steady-load";
import postgres from "postgres";
import {
  changesSeen,
  changeUnseen,
  coldVisits,
  countStale,
  makeColdLinks,
  makeObserved,
  ONE_WAY_MS,
  REGIONS_DOMAIN,
  REGIONS_HEADERS,
  type RegionsScene,
  type RegionsServer,
} from "./far-visits";

export interface RegionsReport {
  /** Seconds until the far server serves. */
  startS: number;
  /** Medians of requests to the far server's API. */
  makeLinkMs: number;
  listLinksMs: number;
  signInMs: number;
  coldP50Ms: number;
  coldP99Ms: number;
  /** Cold visits while the line was cut, and those of them that were not redirected. */
  cutOff: number;
  cutOffFailed: number;
  changes: number;
  /**
   * Milliseconds from the response to a change to the start of the first far visit that it served, without the line's
   * delay.
   */
  seenP99Ms: number;
  seenMaxMs: number;
  /** Seconds from the reconnection of the line until the far server served everything that had changed meanwhile. */
  currentAfterS: number;
  /** Links that it served with an older destination after that. */
  staleAfterCut: number;
  /** Visits that were redirected. */
  redirected: number;
  failed: number;
  /** How many of those of the steady load got which status; 0 stands for no response. */
  failedWith: Record<string, number>;
  lost: number;
  doubled: number;
  /** Clicks per second that the far server applied once the line was back, including the time to connect. */
  clicksHomePerSecond: number;
  /** Seconds that the far server took to stop after SIGTERM. */
  stopS: number;
}

export interface RegionsOptions {
  calmMs: number;
  cutMs: number;
  perSecond: number;
  /** How often each API request is timed. */
  apiTries?: number;
}

const OBSERVED = 10;
/** Far visits for each visit at home. */
const FAR_SHARE = 4;
const GIVE_UP_MS = 120_000;
const STALE_MS_MAX = 150;
const CURRENT_S_MAX = 5;
const COLD_MS_MAX = 10;

export const isNearEnough = (report: RegionsReport): boolean =>
  report.seenMaxMs <= STALE_MS_MAX &&
  report.currentAfterS <= CURRENT_S_MAX &&
  report.coldP50Ms <= COLD_MS_MAX &&
  report.cutOffFailed + report.staleAfterCut + report.failed + report.lost + report.doubled === 0;

export async function regions({ calmMs, cutMs, perSecond, apiTries = 5 }: RegionsOptions): Promise<RegionsReport> {
  await using stack = new AsyncDisposableStack();
  const lines: TcpProxy[] = [];
  const lineTo = async (port: number) => {
    const line = await TcpProxy.start(port, { delayMs: ONE_WAY_MS });
    lines.push(line);
    return line;
  };
  const hosts = await startPrimaryAndStandby(async (port) => (await lineTo(port)).port);
  stack.defer(() => hosts.end());
  stack.defer(async () => void (await Promise.all(lines.map((line) => line.cut()))));
  const line = await lineTo(Number(new URL(hosts.primaryUrl).port));
  const [home] = await startServer(stack, { databaseUrl: hosts.primaryUrl });
  const startedAt = performance.now();
  const farUrls = { databaseUrl: line.urlThrough(hosts.primaryUrl), readUrl: hosts.standbyUrl };
  const [far, farProcess] = await startServer(stack, farUrls);
  const startS = seconds(performance.now() - startedAt);
  const sql = postgres(hosts.primaryUrl, { max: 2, onnotice: () => undefined });
  stack.defer(() => sql.end());
  const scene: RegionsScene = { home, far, account: await home.register(), sql, counted: { own: 0 } };
  await makeColdLinks(scene);
  const api = await apiTimes(scene, apiTries);
  const observed = await Promise.all(Array.from({ length: OBSERVED }, () => makeObserved(scene)));
  await hosts.waitUntilCaughtUp();

  const visited = [scene.home, ...Array.from({ length: FAR_SHARE }, () => scene.far)];
  const urls = visited.flatMap(({ url }) => observed.map(({ slug }) => `${url}/${slug}`));
  const load = new SteadyLoad({ urls, headers: REGIONS_HEADERS, perSecond });
  await load.window("all");
  const cold = coldVisits(scene);
  const calm = await Promise.all([cold.during(calmMs), changesSeen(scene, observed, calmMs)]);
  await Promise.all(lines.map((each) => each.cut()));
  const [cutOff] = await Promise.all([cold.during(cutMs), changeUnseen(scene, observed, cutMs)]);
  const appliedBefore = await appliedAt(far);
  await Promise.all(lines.map((each) => each.open()));
  const homecoming = clicksHome(scene, appliedBefore);
  const openedAt = performance.now();
  await until(async () => (await countStale(scene, observed)) === 0);
  const currentAfterS = seconds(performance.now() - openedAt);
  await hosts.waitUntilCaughtUp();
  const staleAfterCut = await countStale(scene, observed);
  const clicksHomePerSecond = await homecoming;
  const [window] = await load.end();
  const stopAt = performance.now();
  await farProcess.end();
  const stopS = seconds(performance.now() - stopAt);
  const redirected = (window?.redirects ?? 0) + scene.counted.own;
  const [times, late] = calm;
  return {
    ...{ startS, ...api, coldP50Ms: at(times.times, 0.5), coldP99Ms: at(times.times, 0.99) },
    ...{ cutOff: cutOff.times.length, cutOffFailed: cutOff.failed },
    ...{
      changes: late.length,
      seenP99Ms: at(late, 0.99),
      seenMaxMs: at(late, 1),
      currentAfterS,
      staleAfterCut,
      redirected,
    },
    ...{ failed: times.failed + (window?.visits ?? 0) - (window?.redirects ?? 0), failedWith: window?.others ?? {} },
    ...{ ...(await kept(scene, redirected)), clicksHomePerSecond, stopS },
  };
}

async function startServer(
  stack: AsyncDisposableStack,
  { databaseUrl, readUrl }: { databaseUrl: string; readUrl?: string },
): Promise<[RegionsServer, ServiceProcess]> {
  const dataDir = await mkdtemp(join(tmpdir(), "waymark-regions-"));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const port = await takePort();
  const env = {
    ...{ WORKERS: "1", SHORT_DOMAIN: REGIONS_DOMAIN, APP_SECRET: "one secret for the servers of all regions" },
    ...(readUrl && { DATABASE_READ_URL: readUrl }),
  };
  const service = new ServiceProcess({ port, dataDir, databaseUrl, env });
  stack.defer(async () => void (await service.end()));
  await service.until("serving");
  return [client(`http://localhost:${port}`), service];
}

async function apiTimes({ far, account }: RegionsScene, triesEach: number) {
  const { email, password, orgId, token } = account;
  const links = `/api/v1/organizations/${orgId}/links`;
  const median = async (ask: () => Promise<{ status: number }>) => {
    const times: number[] = [];
    for (let tries = 0; tries < triesEach; tries++) {
      const askedAt = performance.now();
      const { status } = await ask();
      if (status >= 300) throw new Error(`The API answered ${status}`);
      times.push(performance.now() - askedAt);
    }
    return at(times, 0.5);
  };
  return {
    makeLinkMs: await median(() => far.call("POST", links, { token, body: { defaultUrl: "https://example.com/" } })),
    listLinksMs: await median(() => far.call("GET", links, { token })),
    signInMs: await median(() => far.call("POST", "/api/v1/auth/login", { body: { email, password } })),
  };
}

const appliedAt = async ({ url }: RegionsServer): Promise<number> =>
  (await scrape(url))("waymark_clicks_applied_total");

/** Returns the clicks applied per second from the reconnection of the line until none of those from before are left. */
async function clicksHome({ far }: RegionsScene, before: number): Promise<number> {
  const openedAt = performance.now();
  while (performance.now() < openedAt + GIVE_UP_MS) {
    const read = await scrape(far.url);
    const [applied, pending] = [read("waymark_clicks_applied_total"), read("waymark_spool_pending_bytes")];
    if (applied > before && pending < PENDING_BYTES_FEW) {
      return Math.round((applied - before) / ((performance.now() - openedAt) / 1000));
    }
    await Bun.sleep(50);
  }
  throw new Error("Clicks from before the reconnection were not applied in time");
}

/** The spool's bytes of a few tenths of a second of visits. */
const PENDING_BYTES_FEW = 1_000_000;

async function kept({ sql }: RegionsScene, redirected: number) {
  const countsOf = async () => {
    const [counts] = await sql<{ rows: number; ids: number; counted: number }[]>`
      select count(*)::int as rows, count(distinct id)::int as ids,
        (select sum(clicks + bot_clicks)::int from link_counters) as counted from clicks`;
    if (!counts) throw new Error("The query for totals returned no row");
    return counts;
  };
  const deadline = performance.now() + GIVE_UP_MS;
  let counts = await countsOf();
  while (counts.rows < redirected && performance.now() < deadline) {
    await Bun.sleep(200);
    counts = await countsOf();
  }
  const { rows, ids, counted } = counts;
  return { lost: Math.max(0, redirected - ids), doubled: rows - ids + Math.abs(counted - rows) };
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + GIVE_UP_MS;
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > deadline) throw new Error("The condition did not hold in time");
    await Bun.sleep(20);
  }
}

function at(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10;
}

const seconds = (ms: number): number => Math.round(ms / 100) / 10;

if (import.meta.main) {
  const [cutS = "60", perSecond = "1000"] = Bun.argv.slice(2);
  const report = await regions({ calmMs: 20_000, cutMs: Number(cutS) * 1000, perSecond: Number(perSecond) });
  console.table([report]);
  await endRun();
  process.exit(isNearEnough(report) ? 0 : 1);
}
