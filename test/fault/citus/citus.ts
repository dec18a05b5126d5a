/**
 * A database that grows past one machine: it is distributed over a Citus cluster under load, then a worker, the
 * coordinator and the service are killed in turn and come back. Then every kind of route is requested, one
 * organization gets its own worker, its old clicks are stored in columns, and finally it is exported and deleted.
 *
 *   CITUS_POSTGRES=/usr/lib/postgresql/17/bin bun test/fault/citus/citus.ts [seconds of each window]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endRun } from "@test/support/end-of-run";
import { SECRET } from "@test/support/match";
import { type CitusCluster, citusPrograms, startCitus } from "@test/support/servers/citus";
import { takePort } from "@test/support/servers/test-port";
import { type Account, client } from "@test/support/service";
import { ServiceProcess, SURROUNDINGS } from "@test/support/service-process";
import { SteadyLoad } from "@test/support/steady-load";
import postgres, { type Sql } from "postgres";
import type { Health } from "@/contract/health";
import type { Link } from "@/contract/links/links";
import { compare } from "../compare";
import { figuresOf, type GiantReport, moveGiant } from "./giant";
import { commandsBelow } from "./guide";
import { storeOldMonths } from "./old-months";
import { askEverything } from "./routes";

export interface CitusReport extends GiantReport {
  /** Percentage of cached redirects that succeeded while the database was distributed and nodes were down. */
  redirected: number;
  /** Seconds from the end of the load until every click was in Postgres. */
  appliedAfterS: number;
  acknowledged: number;
  lost: number;
  countedTwice: number;
  /** Clicks by the counters, and rows; both may exceed the acknowledged clicks, if a kill came before a response. */
  counted: number;
  rows: number;
  routes: number;
  /** The first few unexpected results of routes and commands and lines of the service's log. */
  wrong: string;
  verified: string;
}

export const isUnmovedByNodes = (report: CitusReport): boolean =>
  report.redirected === 100 &&
  report.lost + report.countedTwice === 0 &&
  report.counted === report.rows &&
  report.wrong === "" &&
  report.isAlike &&
  report.verified.endsWith(": 0 differences");

const DOMAIN = "citus.example";
const LINKS = 20;
const PER_SECOND = 200;
const AWAY_MS = 3_000;
const GIVE_UP_MS = 120_000;
const WRONG_MAX = 5;
const SAID_MAX = 200;
/** Errors with which Postgres and Citus refuse what they do not support on distributed tables. */
const REFUSED = /"code":"(0A000|42P10|42883|42725)"|not supported|distributed planning/;
const HEADERS = {
  host: DOMAIN,
  "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0",
};

interface Stage {
  cluster: CitusCluster;
  databaseUrl: string;
  sql: Sql;
  server: ReturnType<typeof client>;
  /** The last one is running. */
  services: ServiceProcess[];
  /** Resolves once the new service serves. */
  start(): Promise<void>;
  /** Returns the output of an operator's command. Rejects if it fails. */
  admin(...values: string[]): Promise<string>;
}

export async function citusFaults({ programs, windowMs = 5_000 }: { programs: string; windowMs?: number }) {
  await using stack = new AsyncDisposableStack();
  const cluster = stack.use(await startCitus(programs));
  const databaseUrl = await cluster.createDatabase("waymark");
  const dataDir = await mkdtemp(join(tmpdir(), "waymark-citus-"));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const port = await takePort();
  const env = { WORKERS: "1", SHORT_DOMAIN: DOMAIN, APP_SECRET: SECRET };
  const services: ServiceProcess[] = [];
  stack.defer(() => {
    for (const { process } of services) if (process.exitCode === null) process.kill("SIGKILL");
  });
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  stack.defer(() => sql.end({ timeout: 1 }));
  return await play(
    {
      ...{ cluster, databaseUrl, sql, services, server: client(`http://localhost:${port}`) },
      async start() {
        const service = new ServiceProcess({ port, dataDir, databaseUrl, env });
        services.push(service);
        await service.until("worker ready");
      },
      admin: (...values) => runCommand(values, { ...env, DATABASE_URL: databaseUrl, DATA_DIR: dataDir }),
    },
    windowMs,
  );
}

async function play(stage: Stage, windowMs: number): Promise<CitusReport> {
  const { cluster, server, sql, services, admin } = stage;
  await stage.start();
  const account = await server.register();
  await sql`update organizations set settings = '{"appendClickId": true}', plan = 'unlimited' where id = ${account.orgId}`;
  const links: Link[] = [];
  for (let made = 0; made < LINKS; made++)
    links.push(await server.createLink(account, { defaultUrl: `https://example.com/${made}` }));
  const load = await loadThrough(stage, account, links, windowMs);
  const tallied = await compare(sql, load.clickIds);
  const asked = await askEverything({ server, sql, databaseUrl: stage.databaseUrl, account, links });
  const verified = (await admin("verify-rollups")).trim();
  const [organization] = await sql<{ slug: string }[]>`select slug from organizations where id = ${account.orgId}`;
  const whom = { orgId: account.orgId, slug: organization?.slug ?? "" };
  const giant = await moveGiant(cluster, sql, { ...whom, figures: () => figuresOf(server, account) });
  const stored = await storeOldMonths({ server, sql, account, linkId: links[0]?._id ?? "", admin });
  const left = await removeAll(stage, account);
  await services.at(-1)?.end();
  const refused = services.flatMap(({ lines }) => lines.map((line) => JSON.stringify(line)).filter(isRefusal));
  return {
    redirected: load.redirected,
    appliedAfterS: load.appliedAfterS,
    acknowledged: load.clickIds.length,
    ...tallied,
    routes: asked.routes,
    ...giant,
    wrong: [...load.wrong, ...asked.wrong, ...stored, ...left, ...refused].slice(0, WRONG_MAX).join("; "),
    verified,
  };
}

/** Erasing clicks that are stored in columns is refused on purpose, so this does not count. */
const isRefusal = (line: string): boolean => REFUSED.test(line) && !line.includes("ColumnarScan");

/** Distributes the database, then kills each of the three and waits until it is back. */
async function loadThrough(stage: Stage, account: Account, links: readonly Link[], windowMs: number) {
  const wrong: string[] = [];
  const { cluster, server, sql, services } = stage;
  const urls = links.map(({ slug }) => `${server.url}/${slug}`);
  for (const { slug } of links) await server.visit(`/${slug}`, HEADERS);
  const load = new SteadyLoad({ urls, headers: HEADERS, perSecond: PER_SECOND });
  const window = async (name: string, what: () => Promise<unknown>) => {
    await load.window(name);
    await what();
    await Bun.sleep(windowMs);
    await until(() => isHealthy(server));
  };
  await window("distributed", async () => {
    for (const command of await commandsBelow("Distribute the tables")) await stage.admin(...command);
  });
  for (const node of [await workerOf(stage, account), cluster.coordinator]) {
    await window("a node away", async () => {
      await node?.kill();
      await Bun.sleep(AWAY_MS);
      const said = await figuresOf(server, account).catch((error: unknown) => String(error));
      if (!said.includes("answered 503")) wrong.push(`Figures of an unavailable node: ${said.slice(0, SAID_MAX)}`);
      await node?.start();
    });
  }
  await window("service", async () => {
    await services.at(-1)?.end("SIGKILL");
    await stage.start();
  });
  const windows = await load.end();
  const endedAt = performance.now();
  const clickIds = windows.flatMap((each) => each.clickIds);
  await until(async () => (await compare(sql, clickIds)).lost === 0).catch(() => undefined);
  const cached = windows.filter(({ name }) => name !== "service");
  const sum = (what: "visits" | "redirects") => cached.reduce((all, each) => all + each[what], 0);
  return {
    ...{ clickIds, wrong },
    appliedAfterS: Math.round((performance.now() - endedAt) / 100) / 10,
    redirected: Math.floor((10_000 * sum("redirects")) / Math.max(1, sum("visits"))) / 100,
  };
}

async function workerOf({ sql, cluster }: Stage, { orgId }: Account) {
  const [place] = await sql<{ port: number }[]>`
    select nodeport as port from pg_dist_shard_placement
    where shardid = get_shard_id_for_distribution_column('clicks', ${orgId}::uuid)`;
  return cluster.workers.find(({ port }) => port === place?.port);
}

/** Exports and deletes the organization. Returns what went wrong or was left. */
async function removeAll({ admin, sql }: Stage, { orgId }: Account): Promise<string[]> {
  const [row] = await sql<{ slug: string }[]>`select slug from organizations where id = ${orgId}`;
  const slug = row?.slug ?? "";
  const exported = await admin("export", slug);
  await admin("delete", slug, slug);
  const [rest] = await sql<{ rows: number }[]>`
    select ((select count(*) from clicks where org_id = ${orgId}) + (select count(*) from opens where org_id = ${orgId})
      + (select count(*) from events where org_id = ${orgId}) + (select count(*) from figures_daily where org_id = ${orgId}))::int
      as rows`;
  return [...(exported.length > 0 ? [] : ["nothing was exported"]), ...(rest?.rows === 0 ? [] : ["rows are left"])];
}

async function runCommand(values: string[], env: Record<string, string>): Promise<string> {
  const child = Bun.spawn([process.execPath, "src/admin.ts", ...values], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    env: { ...SURROUNDINGS, ...env },
  });
  const [said, complained, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`${values.join(" ")} ended with ${code}: ${said}${complained}`);
  return said;
}

const isHealthy = async (server: Stage["server"]): Promise<boolean> =>
  (await server.call<Health>("GET", "/health")).body.status === "ok";

/** Rejects with the last error if the condition does not hold in time. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  let cause: unknown;
  const isSoNow = () =>
    isSo().catch((error: unknown) => {
      cause = error;
      return false;
    });
  while (!(await isSoNow())) {
    if (performance.now() > giveUpAt) throw new Error("The condition did not hold in time", { cause });
    await Bun.sleep(50);
  }
}

if (import.meta.main) {
  const programs = citusPrograms();
  if (!programs) throw new Error("CITUS_POSTGRES does not name the programs of a Postgres with Citus");
  const report = await citusFaults({ programs, windowMs: Number(Bun.argv[2] ?? 5) * 1000 });
  console.table([report]);
  await endRun();
  process.exit(isUnmovedByNodes(report) ? 0 : 1);
}
