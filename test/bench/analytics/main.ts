/**
 * `bun run bench:analytics [--clicks=10000000] [--links=200000] [--folder=…] [--requests=20] [--only=…]`: loads
 * clicks of 90 days through the product's own writer into a separate Postgres, which stays in the folder for the next
 * run. Then it stores past days in columns and measures the bytes per click, the analytics routes and the rate of the
 * writer. With `--clicks=200000 --links=4000` all of it takes a minute or two.
 */
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Sql } from "postgres";
import UserAgent from "user-agents";
import type { AuthSession } from "@/contract/accounts/auth";
import { buildDays } from "@/figures/columns/build-days";
import { storeLeaders } from "@/figures/read/links/stored-leaders";
import { openDatabase } from "@/platform/db/client";
import { startEmbeddedPostgres } from "@/platform/db/embedded/embedded";
import { makeBenchLinks } from "../bench-links";
import { backendsOf } from "../cpu";
import { LOAD_CORE } from "../load";
import type { Measured } from "../measured";
import { post } from "../requests";
import { LARGE_POSTGRES, startWaymark } from "../servers";
import { bytesAClick } from "./bytes";
import { loadClicks } from "./load";
import { measureRoutes } from "./measure";
import { DAYS, type Traffic } from "./traffic";

const AGENTS = 400;

/** The parameters that a folder was created with, stored there so that later runs continue with the same data. */
interface Subject extends Traffic {
  email: string;
  password: string;
}

export interface AnalyticsOptions {
  clicks: number;
  links: number;
  requests: number;
  /** Measures only routes whose names contain this text; "" measures all. */
  only: string;
  folder?: string;
}

export function analyticsOptions(args: string[]): AnalyticsOptions {
  const { values } = parseArgs({
    args,
    allowPositionals: true,
    strict: false,
    options: {
      clicks: { type: "string", default: "10000000" },
      links: { type: "string", default: "200000" },
      requests: { type: "string", default: "20" },
      only: { type: "string", default: "" },
      folder: { type: "string" },
    },
  });
  const [clicks, links, requests] = [values.clicks, values.links, values.requests].map(Number) as [
    number,
    number,
    number,
  ];
  return {
    clicks,
    links,
    requests,
    only: String(values.only),
    folder: typeof values.folder === "string" ? values.folder : undefined,
  };
}

/** Resolves to undefined if it was stopped before all clicks were loaded; the next run continues. */
export async function measureAnalytics(options: AnalyticsOptions): Promise<Measured[] | undefined> {
  const folder = options.folder ?? join(tmpdir(), `waymark-analytics-${options.clicks}`);
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stopping.abort());
  await mkdir(folder, { recursive: true });
  const postgres = await startEmbeddedPostgres(folder, () => {}, LARGE_POSTGRES);
  try {
    const { url: databaseUrl } = postgres;
    const subject = await begunSubject(databaseUrl, folder, options);
    const isWhole = await loadClicks({ databaseUrl, dataDir: folder, traffic: subject, signal: stopping.signal });
    if (!isWhole || stopping.signal.aborted) return undefined;
    await inDatabase(databaseUrl, storeColumns);
    await inDatabase(databaseUrl, bytesAClick);
    return await measureAll(databaseUrl, folder, subject, options);
  } finally {
    await postgres.stop();
    console.log(`The data stays in ${folder}`);
  }
}

async function measureAll(
  databaseUrl: string,
  folder: string,
  subject: Subject,
  { requests, only }: AnalyticsOptions,
): Promise<Measured[]> {
  if (Bun.which("taskset")) await Bun.$`taskset -pc ${LOAD_CORE} ${process.pid}`.quiet();
  await using waymark = await startWaymark(databaseUrl);
  const { email, password } = subject;
  const { token } = await post<AuthSession>(`${waymark.origin}/api/v1/auth/login`, { email, password });
  const backends = await backendsOf(folder);
  return await measureRoutes(waymark, token, subject, { requests, only, backends });
}

/** Stores leaders and days in columns, which a service's periodic job would do some minutes later. */
async function storeColumns(sql: Sql): Promise<void> {
  await storeLeaders(sql, { now: Date.now(), days: DAYS });
  const [startedAt, before] = [performance.now(), process.cpuUsage()];
  const { days, clicks } = await buildDays(sql, { now: Date.now() });
  if (days === 0) return;
  const { user, system } = process.cpuUsage(before);
  const took = `${((performance.now() - startedAt) / 1000).toFixed(1)} s, ${((user + system) / clicks).toFixed(1)} µs of CPU a click beside Postgres's`;
  console.log(`\nStored ${days} days of clicks in columns: ${took}`);
}

async function begunSubject(
  databaseUrl: string,
  folder: string,
  { clicks, links }: AnalyticsOptions,
): Promise<Subject> {
  const file = Bun.file(join(folder, "subject.json"));
  if (await file.exists()) {
    const subject: Subject = await file.json();
    const { clicks: clicksBefore, linkIds } = subject;
    if (clicksBefore !== clicks || linkIds.length !== links)
      throw new Error(`${folder} was begun with --clicks=${clicksBefore} --links=${linkIds.length}`);
    return subject;
  }
  const subject = await makeSubject(databaseUrl, clicks, links);
  await Bun.write(file, JSON.stringify(subject));
  return subject;
}

async function makeSubject(databaseUrl: string, clicks: number, links: number): Promise<Subject> {
  await using waymark = await startWaymark(databaseUrl);
  const account = { email: `bench-${crypto.randomUUID()}@example.com`, password: crypto.randomUUID() };
  const { organizations } = await post<AuthSession>(`${waymark.origin}/api/v1/auth/register`, {
    ...account,
    name: "Bench",
    organizationName: "Bench",
  });
  const orgId = organizations[0]?._id ?? "";
  const agents = Array.from({ length: AGENTS }, () => new UserAgent().toString());
  const linkIds = await inDatabase(databaseUrl, (sql) => makeSubjectLinks(sql, orgId, links));
  return { ...account, clicks, end: Date.now(), orgId, linkIds, agents };
}

/** Moves the organization to the plan with the highest request limit, and creates its links. */
async function makeSubjectLinks(sql: Sql, orgId: string, count: number): Promise<string[]> {
  await sql`update organizations set plan = 'unlimited' where id = ${orgId}`;
  const [domain] = await sql<{ id: string }[]>`select id from domains where org_id is null`;
  return makeBenchLinks(sql, { orgId, domainId: domain?.id ?? "" }, count);
}

async function inDatabase<Result>(databaseUrl: string, work: (sql: Sql) => Promise<Result>): Promise<Result> {
  const { sql, close } = openDatabase(databaseUrl, { pool: "tool" });
  try {
    return await work(sql);
  } finally {
    await close();
  }
}
