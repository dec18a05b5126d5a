/**
 * Two servers that read figures from one replica, under a load of redirects and while a dashboard on each keeps
 * polling: the replica stops replaying, is cut off, falls silent, and comes back. No response may lack what an
 * earlier one contained, whichever server sent either, and none may fail.
 *
 *   bun test/fault/dependencies/replica.ts [seconds a scene]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endRun } from "@test/support/end-of-run";
import { samplesOf } from "@test/support/scrape";
import { type PrimaryAndStandby, startPrimaryAndStandby } from "@test/support/servers/standby";
import { TcpProxy } from "@test/support/servers/tcp-proxy";
import { takePort } from "@test/support/servers/test-port";
import { type Account, client } from "@test/support/service";
import { ServiceProcess } from "@test/support/service-process";
import { SteadyLoad } from "@test/support/steady-load";
import postgres from "postgres";
import type { OverviewAnswer } from "@/contract/analytics/overview";

export interface ReplicaReport {
  scene: string;
  reads: number;
  /** Percentage of reads that the replica served. */
  byReplica: number;
  /** Responses that lacked clicks which an earlier one contained. */
  older: number;
  failed: number;
  p99Ms: number;
  /** Percentage of redirects that succeeded meanwhile. */
  redirected: number;
  /** Clicks reported in the end; an address that visits this often is taken for a bot. */
  clicks: number;
}

export interface ReplicaOptions {
  sceneMs: number;
  perSecond?: number;
}

export const isNeverOlder = ({ reads, older, failed, redirected, clicks }: ReplicaReport): boolean =>
  reads > 0 && clicks > 0 && older + failed === 0 && redirected === 100;

const DOMAIN = "replica.example";
const LINKS = 20;
const READERS_EACH = 3;
/** Milliseconds between the reads of one reader: a server accepts six hundred requests per minute from an account. */
const READ_EVERY_MS = 350;
const HEADERS = {
  host: DOMAIN,
  "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0",
};
const READS = "waymark_replica_reads_total";

type Server = ReturnType<typeof client>;

interface Scene {
  name: string;
  begin(): Promise<unknown>;
  end(): Promise<unknown>;
}

const nothing = async () => undefined;

const scenesOf = ({ standbyUrl, signalStandby }: PrimaryAndStandby, way: TcpProxy): Scene[] => [
  { name: "there", begin: nothing, end: nothing },
  {
    name: "standing still",
    begin: () => tell(standbyUrl, "select pg_wal_replay_pause()"),
    end: () => tell(standbyUrl, "select pg_wal_replay_resume()"),
  },
  { name: "cut off", begin: () => way.cut(), end: () => way.open() },
  { name: "frozen", begin: async () => signalStandby("SIGSTOP"), end: async () => signalStandby("SIGCONT") },
  { name: "silent", begin: async () => way.silence(), end: () => way.cut().then(() => way.open()) },
  { name: "back", begin: nothing, end: nothing },
];

export async function replicaScenes({ sceneMs, perSecond = 500 }: ReplicaOptions): Promise<ReplicaReport[]> {
  await using stack = new AsyncDisposableStack();
  const hosts = await startPrimaryAndStandby();
  stack.defer(() => hosts.end());
  const way = await TcpProxy.start(Number(new URL(hosts.standbyUrl).port));
  stack.defer(() => way.cut());
  const servers = await startServers(stack, hosts, way);
  const [first] = servers;
  if (!first) throw new Error("There are two servers");
  const account = await first.register();
  const make = () => first.createLink(account, { defaultUrl: "https://example.com/" });
  const links = await Promise.all(Array.from({ length: LINKS }, make));
  const urls = servers.flatMap(({ url }) => links.map(({ slug }) => `${url}/${slug}`));
  const load = new SteadyLoad({ urls, headers: HEADERS, perSecond });
  const seen = { clicks: 0 };
  const read: Omit<ReplicaReport, "redirected">[] = [];
  for (const { name, begin, end } of scenesOf(hosts, way)) {
    await load.window(name);
    await begin();
    const report = await readAll(servers, account, seen, performance.now() + sceneMs);
    await end();
    read.push({ scene: name, ...report });
  }
  const windows = await load.end();
  return read.map((report, index) => {
    const { visits = 0, redirects = 0 } = windows[index] ?? {};
    return { ...report, redirected: Math.floor((10_000 * redirects) / Math.max(1, visits)) / 100 };
  });
}

async function startServers(stack: AsyncDisposableStack, hosts: PrimaryAndStandby, way: TcpProxy): Promise<Server[]> {
  const folder = await mkdtemp(join(tmpdir(), "waymark-replica-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const readUrl = new URL(hosts.standbyUrl);
  readUrl.port = String(way.port);
  const secret = "one secret for both of the servers";
  const env = { WORKERS: "1", SHORT_DOMAIN: DOMAIN, APP_SECRET: secret, DATABASE_READ_URL: readUrl.href };
  const servers: Server[] = [];
  for (const name of ["a", "b"]) {
    const port = await takePort();
    const options = { port, dataDir: join(folder, name), databaseUrl: hosts.primaryUrl, env };
    const service = new ServiceProcess(options);
    stack.defer(async () => void (await service.end()));
    await service.until("serving");
    servers.push(client(`http://localhost:${port}`));
  }
  return servers;
}

/** Runs several readers on each server until that time. `seen` holds the clicks reported so far. */
async function readAll(servers: Server[], account: Account, seen: { clicks: number }, until: number) {
  const times: number[] = [];
  const facts = { older: 0, failed: 0 };
  const before = await readsOf(servers);
  const ask = async (server: Server) => {
    while (performance.now() < until) {
      const [known, askedAt] = [seen.clicks, performance.now()];
      const path = `/api/v1/organizations/${account.orgId}/analytics/overview?includeBots=true`;
      const { status, body } = await server.call<OverviewAnswer>("GET", path, { token: account.token });
      times.push(performance.now() - askedAt);
      if (status !== 200) facts.failed++;
      else if (body.totalClicks < known) facts.older++;
      else seen.clicks = Math.max(seen.clicks, body.totalClicks);
      await Bun.sleep(Math.max(0, askedAt + READ_EVERY_MS - performance.now()));
    }
  };
  await Promise.all(servers.flatMap((server) => Array.from({ length: READERS_EACH }, () => ask(server))));
  const after = await readsOf(servers);
  const byReplica = (after.replica - before.replica) / Math.max(1, after.all - before.all);
  times.sort((a, b) => a - b);
  const p99Ms = Math.round(times[Math.floor(times.length * 0.99)] ?? 0);
  return { reads: times.length, byReplica: Math.round(1000 * byReplica) / 10, ...facts, p99Ms, clicks: seen.clicks };
}

async function readsOf(servers: Server[]) {
  const sums = { replica: 0, all: 0 };
  for (const { url } of servers) {
    const samples = samplesOf(await (await fetch(`${url}/metrics`)).text()).filter(({ name }) => name === READS);
    for (const { labels, value } of samples) {
      sums.all += value;
      if (labels.from === "replica") sums.replica += value;
    }
  }
  return sums;
}

async function tell(url: string, statement: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  await sql.unsafe(statement);
  await sql.end();
}

if (import.meta.main) {
  const [seconds = "10"] = Bun.argv.slice(2);
  const reports = await replicaScenes({ sceneMs: Number(seconds) * 1000 });
  console.table(reports);
  await endRun();
  process.exit(reports.every(isNeverOlder) ? 0 : 1);
}
