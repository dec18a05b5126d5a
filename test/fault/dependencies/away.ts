/**
 * Postgres and Redis stopped, frozen (SIGSTOP) and silent (a network that drops everything), one after another, under
 * a constant load of cached redirects: what visitors and API clients notice, how soon everything works after the
 * return, and whether every click of that time is counted exactly once.
 *
 *   bun test/fault/dependencies/away.ts [seconds away] [visits per second] [postgres-silent …]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endRun } from "@test/support/end-of-run";
import {
  type Dependency,
  OUTAGE_KINDS,
  type OutageKind,
  ownPostgres,
  ownRedis,
} from "@test/support/servers/dependencies";
import { takePort } from "@test/support/servers/test-port";
import { type Account, client } from "@test/support/service";
import { ServiceProcess } from "@test/support/service-process";
import { type LoadWindow, SteadyLoad } from "@test/support/steady-load";
import postgres, { type Sql } from "postgres";
import type { Health } from "@/contract/health";
import { compare } from "../compare";

export interface Scenario {
  dependency: "postgres" | "redis";
  away: OutageKind;
}

export const SCENARIOS: readonly Scenario[] = (["postgres", "redis"] as const).flatMap((dependency) =>
  OUTAGE_KINDS.map((away) => ({ dependency, away })),
);

export interface AwayOptions {
  scenarios?: readonly Scenario[];
  awayMs?: number;
  baselineMs?: number;
  perSecond?: number;
  /**
   * Whether one service runs through all scenarios. If absent, each scenario has a new one, so that its figures are
   * independent.
   */
  isOneService?: boolean;
}

export interface AwayReport {
  scenario: string;
  /** Percentage of cached redirects that succeeded while the dependency was away. */
  redirected: number;
  baselineP99Ms: number;
  awayP99Ms: number;
  p99Ratio: number;
  /** Seconds until /health reported it; null if the dependency was back before. */
  degradedAfterS: number | null;
  /** The longest that an API request took meanwhile, and all statuses returned. */
  apiMaxS: number;
  apiStatuses: string;
  /** Seconds from the return until a link was created through the API and redirected. */
  normalAfterS: number;
  /** Seconds from the return until every click acknowledged before was in Postgres. */
  clicksAfterS: number;
  clicks: number;
  lost: number;
  countedTwice: number;
}

const LINKS = 50;
const GIVE_UP_MS = 120_000;
const API_EVERY_MS = 200;
const BROWSER = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0" };

export async function away(options: AwayOptions = {}): Promise<AwayReport[]> {
  const { scenarios = SCENARIOS, isOneService } = options;
  if (isOneService) return withService(scenarios, options);
  const reports: AwayReport[] = [];
  for (const scenario of scenarios) reports.push(...(await withService([scenario], options)));
  return reports;
}

type Api = ReturnType<typeof client>;

interface Stage {
  dependency: Dependency;
  api: Api;
  account: Account;
  sql: Sql;
  slugs: string[];
}

async function withService(scenarios: readonly Scenario[], options: AwayOptions): Promise<AwayReport[]> {
  await using stack = new AsyncDisposableStack();
  const [database, redis] = await Promise.all([ownPostgres(), ownRedis()]);
  stack.defer(async () => void (await Promise.all([database.end(), redis.end()])));
  const dataDir = await mkdtemp(join(tmpdir(), "waymark-away-"));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const port = await takePort();
  const env = { REDIS_URL: redis.url, WORKERS: "1" };
  const service = new ServiceProcess({ port, dataDir, databaseUrl: database.url, env });
  let hasEnded = false;
  const end = async () => {
    if (!hasEnded) await service.end();
    hasEnded = true;
  };
  stack.defer(end);
  const api = client(`http://localhost:${port}`);
  await secondsUntil(async () => (await api.call("GET", "/health")).status === 200);
  const sql = postgres(database.directUrl, { max: 1, onnotice: () => undefined });
  stack.defer(() => sql.end({ timeout: 1 }));
  const account = await api.register();
  await sql`update organizations set settings = '{"appendClickId": true}' where id = ${account.orgId}`;
  const slugs = await cachedLinks(api, account);
  const reports: AwayReport[] = [];
  for (const [index, scenario] of scenarios.entries()) {
    const dependency = scenario.dependency === "postgres" ? database : redis;
    // Waits until pending clicks are applied; after the last scenario, the end of the service applies them. What it leaves
    // in the spool, on a busy machine, is not lost: the next service applies it.
    const settle = async (windows: LoadWindow[]) => {
      const isApplied = async () => (await lossesOf(sql, windows)).lost === 0;
      if (index < scenarios.length - 1) return void (await secondsUntil(isApplied));
      await end();
      if (await isApplied()) return;
      const next = new ServiceProcess({ port, dataDir, databaseUrl: database.url, env });
      stack.defer(async () => void (await next.end()));
      await secondsUntil(isApplied).catch(() => undefined);
    };
    reports.push(await measure(scenario, options, { dependency, api, account, sql, slugs }, settle));
  }
  return reports;
}

function cachedLinks(api: Api, account: Account): Promise<string[]> {
  const make = async (_: unknown, index: number) => {
    const { slug } = await api.createLink(account, { defaultUrl: `https://example.com/${index}` });
    await api.visit(`/${slug}`);
    return slug;
  };
  return Promise.all(Array.from({ length: LINKS }, make));
}

async function measure(
  scenario: Scenario,
  { awayMs = 60_000, baselineMs = awayMs, perSecond = 1000 }: AwayOptions,
  stage: Stage,
  settle: (windows: LoadWindow[]) => Promise<void>,
): Promise<AwayReport> {
  const { dependency, api, sql } = stage;
  const urls = stage.slugs.map((slug) => `${api.url}/${slug}`);
  const load = new SteadyLoad({ urls, headers: BROWSER, perSecond });
  await load.window("warm-up");
  await Bun.sleep(Math.min(baselineMs, 3000));
  await load.window("baseline");
  // The API is called in both windows, so that only the dependency differs.
  const before = callApi(stage);
  await Bun.sleep(baselineMs);
  await before.end();
  await load.window("away");
  const callers = callApi(stage);
  await dependency.startOutage(scenario.away);
  const degraded = secondsUntil(() => isDegraded(stage), awayMs).catch(() => null);
  await Bun.sleep(awayMs);
  const degradedAfterS = await degraded;
  await dependency.endOutage();
  await load.window("back");
  const ended = Promise.withResolvers<LoadWindow[]>();
  const clicksAfter = secondsUntil(async () => (await lossesOf(sql, (await ended.promise).slice(0, 3))).lost === 0);
  const normalAfterS = await secondsUntil(() => isNormal(stage));
  const called = await callers.end();
  const windows = await load.end();
  ended.resolve(windows);
  const clicksAfterS = await clicksAfter;
  await settle(windows);
  return {
    scenario: `${scenario.dependency} ${scenario.away}`,
    ...ofWindows(windows),
    degradedAfterS,
    ...called,
    normalAfterS,
    clicksAfterS,
    clicks: windows.reduce((sum, { clickIds }) => sum + clickIds.length, 0),
    ...(await lossesOf(sql, windows)),
  };
}

function ofWindows([, baseline, absent]: LoadWindow[]) {
  if (!baseline || !absent) throw new Error("The load has lost its windows");
  return {
    redirected: Math.floor((10_000 * absent.redirects) / Math.max(1, absent.visits)) / 100,
    baselineP99Ms: baseline.p99Ms,
    awayP99Ms: absent.p99Ms,
    p99Ratio: Math.round((100 * absent.p99Ms) / baseline.p99Ms) / 100,
  };
}

async function lossesOf(sql: Sql, windows: LoadWindow[]) {
  const { lost, countedTwice } = await compare(
    sql,
    windows.flatMap(({ clickIds }) => clickIds),
  );
  return { lost, countedTwice };
}

/** Sends API requests continuously, some reads and some writes, without waiting for earlier responses. */
function callApi({ api, account: { token, orgId } }: Stage) {
  const links = `/api/v1/organizations/${orgId}/links`;
  const underWay = new Set<Promise<void>>();
  const statuses = new Map<number, number>();
  let longestMs = 0;
  const call = async (method: string, path: string, body?: object) => {
    const startedAt = performance.now();
    const { status } = await api.call(method, path, { token, body }).catch(() => ({ status: 0 }));
    longestMs = Math.max(longestMs, performance.now() - startedAt);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  };
  const timer = setInterval(() => {
    for (const under of [call("GET", links), call("POST", links, { defaultUrl: "https://example.com/" })]) {
      underWay.add(under);
      void under.finally(() => underWay.delete(under));
    }
  }, API_EVERY_MS);
  return {
    async end() {
      clearInterval(timer);
      await Promise.all(underWay);
      const told = [...statuses].map(([status, count]) => `${count}×${status}`).join(" ");
      return { apiMaxS: Math.round(longestMs / 10) / 100, apiStatuses: told };
    },
  };
}

/** Rejects with the cause unless the service is ready and a link can be created and visited. */
async function isNormal({ api, account }: Stage): Promise<boolean> {
  // Comes first, because the number of API requests of a user is limited.
  const { status, body } = await api.call("GET", "/ready");
  if (status !== 200) throw new Error(JSON.stringify(body));
  const { slug } = await api.createLink(account, { defaultUrl: "https://example.com/fresh" });
  const visit = await api.visit(`/${slug}`);
  if (visit.status !== 302) throw new Error(`A new link answers ${visit.status}`);
  return true;
}

const isDegraded = async ({ api }: Pick<Stage, "api">): Promise<boolean> =>
  (await api.call<Health>("GET", "/health")).body.status === "degraded";

/** Returns the seconds until the condition holds. Rejects with the last error if it does not in time. */
async function secondsUntil(isSo: () => Promise<boolean>, msMax = GIVE_UP_MS): Promise<number> {
  const startedAt = performance.now();
  let amiss: unknown;
  const isSoNow = () =>
    isSo().catch((error: unknown) => {
      amiss = error;
      return false;
    });
  while (!(await isSoNow())) {
    if (performance.now() - startedAt > msMax) throw new Error("The condition did not hold in time", { cause: amiss });
    await Bun.sleep(20);
  }
  return Math.round((performance.now() - startedAt) / 10) / 100;
}

if (import.meta.main) {
  const [seconds = "60", perSecond = "1000", ...names] = Bun.argv.slice(2);
  const scenarios = SCENARIOS.filter(
    ({ dependency, away: how }) => names.length === 0 || names.includes(`${dependency}-${how}`),
  );
  const reports = await away({ scenarios, awayMs: Number(seconds) * 1000, perSecond: Number(perSecond) });
  console.table(reports);
  await endRun();
  process.exit(
    reports.every(({ redirected, lost, countedTwice }) => redirected === 100 && lost + countedTwice === 0) ? 0 : 1,
  );
}
