/**
 * Two servers under a constant load of cached redirects and of API requests that write, while something else takes
 * over from one of their dependencies: what visitors notice, which acknowledged writes exist afterwards, how soon
 * both serve changes again, and whether every click is counted exactly once. The caller chooses the dependency.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { takePort } from "@test/support/servers/test-port";
import { type Account, client } from "@test/support/service";
import { ServiceProcess } from "@test/support/service-process";
import { SteadyLoad } from "@test/support/steady-load";
import postgres, { type Sql } from "postgres";
import { readConfig } from "@/config";
import type { Health } from "@/contract/health";
import type { Link } from "@/contract/links/links";
import { createLog } from "@/platform/telemetry/log";
import { startService } from "@/service";
import { compare } from "../compare";

export interface TakeoverScene {
  name: string;
  databaseUrl: string;
  env?: Record<string, string>;
  /** The databases to read before and after the takeover. */
  lookAt: { before: string; after: string };
  /** Ends the dependency and lets the other one take over. */
  takeOver(): Promise<void>;
}

export interface TakeoverOptions {
  calmMs?: number;
  perSecond?: number;
  /** Whether both servers run in this process. If absent, each is a process. */
  areHere?: boolean;
  /** How long a link may be served with an old destination before it counts as stale: if absent, a second. */
  staleAfterMs?: number;
}

export interface TakeoverReport {
  scene: string;
  /** Percentage of cached redirects that succeeded between the takeover and the recovery. */
  redirected: number;
  /** The longest that one of them took. */
  slowestMs: number;
  /** Seconds from the takeover until links were created and changed on both servers and served by both. */
  normalAfterS: number;
  /** Links whose creation was acknowledged, and those of them that do not exist. */
  made: number;
  lostWrites: number;
  /** The longest until each server served the final changes, up to the time after which a link counts as stale. */
  changedMs: number;
  /** Links that a server still served with an old destination that time after their final change was acknowledged. */
  stale: number;
  clicks: number;
  lost: number;
  countedTwice: number;
}

/** True if nothing acknowledged is missing, counted twice or served stale, and cached links always redirected. */
export const isKept = ({ redirected, stale, lostWrites, lost, countedTwice }: TakeoverReport): boolean =>
  redirected === 100 && stale + lostWrites + lost + countedTwice === 0;

const DOMAIN = "takeover.example";
const LINKS = 40;
const WRITE_EVERY_MS = 50;
const GIVE_UP_MS = 90_000;
/** Every second, a server revalidates what it may not have been notified of. */
const STALE_AFTER_MS = 1_000;
/** For tests, because a busy machine takes longer. It is less than the minute after which caches are refreshed anyway. */
export const STALE_IN_TESTS_AFTER_MS = 30_000;
const HEADERS = {
  host: DOMAIN,
  "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0",
};

type Server = ReturnType<typeof client>;

interface Stage {
  servers: Server[];
  account: Account;
  links: Link[];
}

export async function takeover(scene: TakeoverScene, options: TakeoverOptions = {}): Promise<TakeoverReport> {
  await using stack = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), "waymark-takeover-"));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const ports = [await takePort(), await takePort()];
  const start = options.areHere ? startHere : startProcess;
  const running: Running[] = [];
  let end = async () => void (await Promise.all(running.splice(0).map((service) => service.end())));
  stack.defer(() => end());
  for (const port of ports) running.push(await start(scene, port, join(dataDir, String(port))));
  const lines = running.map((service) => service.lines);
  const servers = ports.map((port) => client(`http://localhost:${port}`));
  for (const server of servers) await secondsUntil(() => isHealthy(server));
  const [first] = servers;
  if (!first) throw new Error("There are two servers");
  const account = await first.register();
  const before = postgres(scene.lookAt.before, { max: 1, onnotice: () => undefined });
  await before`update organizations set settings = '{"appendClickId": true}' where id = ${account.orgId}`;
  await before.end({ timeout: 1 });
  const make = (_: unknown, index: number) => first.createLink(account, { defaultUrl: `https://example.com/${index}` });
  const links = await Promise.all(Array.from({ length: LINKS }, make));
  const stage: Stage = { servers, account, links };
  const report = await measure(scene, options, stage);
  const after = postgres(scene.lookAt.after, { max: 1, onnotice: () => undefined });
  stack.defer(() => after.end({ timeout: 1 }));
  // A server that stops earlier leaves clicks in its spool; these are not lost, but would count as such here.
  await secondsUntil(async () => (await compare(after, report.clickIds)).lost === 0).catch(() => undefined);
  await end();
  end = async () => undefined;
  const tallied = await tally(after, report.made, report.clickIds);
  // Within a minute and a half all should have been applied: the log shows why they were not.
  if (tallied.lost > 0) console.error(lines.map((all) => all.filter(({ level }) => level !== "info")));
  return { ...report.facts, ...tallied };
}

interface Running {
  lines: Record<string, unknown>[];
  end(): Promise<unknown>;
}

const SHARED = { WORKERS: "1", SHORT_DOMAIN: DOMAIN, APP_SECRET: "one secret for both of the servers" };

async function startProcess({ databaseUrl, env }: TakeoverScene, port: number, dataDir: string): Promise<Running> {
  return new ServiceProcess({ port, dataDir, databaseUrl, env: { ...SHARED, ...env } });
}

async function startHere({ databaseUrl, env }: TakeoverScene, port: number, dataDir: string): Promise<Running> {
  const lines: Running["lines"] = [];
  const log = createLog((text) => {
    for (const line of text.trim().split("\n")) lines.push(JSON.parse(line));
  });
  const address = { PORT: String(port), HOST: "127.0.0.1", DATA_DIR: dataDir, DATABASE_URL: databaseUrl };
  const service = await startService(readConfig({ ...address, ...SHARED, ...env }), log);
  return { lines, end: () => service.stop() };
}

async function measure(scene: TakeoverScene, options: TakeoverOptions, stage: Stage) {
  const { calmMs = 5_000, perSecond = 500, staleAfterMs } = options;
  const urls = stage.servers.flatMap((server) => stage.links.map(({ slug }) => `${server.url}/${slug}`));
  for (const server of stage.servers) for (const { slug } of stage.links) await visit(server, slug);
  const load = new SteadyLoad({ urls, headers: HEADERS, perSecond });
  await load.window("calm");
  const writing = write(stage);
  await Bun.sleep(calmMs);
  await load.window("taken over");
  await scene.takeOver();
  const normalAfterS = await secondsUntil(() => isNormal(stage));
  const made = await writing.end();
  const windows = await load.end();
  const { changedMs, stale } = await changeAll(stage, staleAfterMs);
  const during = windows[1];
  if (!during) throw new Error("The load has lost its windows");
  return {
    facts: {
      scene: scene.name,
      redirected: Math.floor((10_000 * during.redirects) / Math.max(1, during.visits)) / 100,
      slowestMs: Math.round(during.maxMs),
      normalAfterS,
      changedMs,
      stale,
    },
    made,
    clickIds: windows.flatMap(({ clickIds }) => clickIds),
  };
}

/** Keeps creating links on both servers. Stopping it returns the ids of those that were acknowledged. */
function write({ servers, account }: Stage) {
  const made: string[] = [];
  const underWay = new Set<Promise<void>>();
  let turn = 0;
  const once = async () => {
    const server = servers[turn++ % servers.length];
    // A request that is refused or cut off was not acknowledged.
    const link = await server?.createLink(account, { defaultUrl: "https://example.com/made" }).catch(() => null);
    if (link) made.push(link._id);
  };
  const timer = setInterval(() => {
    const under = once();
    underWay.add(under);
    void under.finally(() => underWay.delete(under));
  }, WRITE_EVERY_MS);
  return {
    async end() {
      clearInterval(timer);
      await Promise.all(underWay);
      return made;
    },
  };
}

/** Rejects unless both servers are healthy and both serve a link that was created or changed on either. */
async function isNormal({ servers, account }: Stage): Promise<boolean> {
  for (const server of servers) {
    const link = await server.createLink(account, { defaultUrl: "https://example.com/fresh" });
    for (const other of servers) await expectServed(other, link, "https://example.com/fresh");
    await change(server, account, link, "https://example.com/changed");
    await expectServed(server, link, "https://example.com/changed");
    const { status, body } = await server.call("GET", "/ready");
    if (status !== 200) throw new Error(`${server.url} says ${JSON.stringify(body)}`);
  }
  return true;
}

async function expectServed(server: Server, { slug }: Link, destination: string): Promise<void> {
  const served = await visit(server, slug);
  if (served !== destination) throw new Error(`${server.url} serves ${served} instead of ${destination}`);
}

/** Changes each link on one server and visits it on all servers until they serve the change. */
async function changeAll({ servers, account, links }: Stage, staleAfterMs = STALE_AFTER_MS) {
  const times: number[] = [];
  let stale = 0;
  const watch = async (server: Server, { slug }: Link, to: string) => {
    const answeredAt = performance.now();
    for (;;) {
      const askedAt = performance.now();
      if ((await visit(server, slug)) === to) return times.push(performance.now() - answeredAt);
      if (askedAt - answeredAt > staleAfterMs) return stale++;
      await Bun.sleep(10);
    }
  };
  const watched: Promise<number>[] = [];
  for (const [index, link] of links.entries()) {
    const to = `https://example.com/in-the-end/${link.slug}`;
    const server = servers[index % servers.length];
    if (server) await change(server, account, link, to);
    for (const other of servers) watched.push(watch(other, link, to));
  }
  await Promise.all(watched);
  return { changedMs: Math.round(Math.max(0, ...times)), stale };
}

/** Returns where the link leads, without the parameters added for counting. */
async function visit(server: Server, slug: string): Promise<string | null> {
  const location = (await server.visit(`/${slug}`, HEADERS)).headers.get("location");
  return location?.replace(/\?.*$/, "") ?? null;
}

async function change(server: Server, { orgId, token }: Account, { _id }: Link, defaultUrl: string): Promise<void> {
  const path = `/api/v1/organizations/${orgId}/links/${_id}`;
  const { status } = await server.call("PATCH", path, { token, body: { defaultUrl } });
  if (status !== 200) throw new Error(`A change was answered ${status}`);
}

const isHealthy = async (server: Server): Promise<boolean> =>
  (await server.call<Health>("GET", "/health")).body.status === "ok";

async function tally(sql: Sql, made: string[], clickIds: string[]) {
  const rows = await sql`select from links where id = any(${`{${made.join()}}`}::text::uuid[])`;
  const { lost, countedTwice } = await compare(sql, clickIds);
  return { made: made.length, lostWrites: made.length - rows.length, clicks: clickIds.length, lost, countedTwice };
}

/** Returns the seconds until the condition holds. Rejects with the last error if it does not in time. */
async function secondsUntil(isSo: () => Promise<boolean>): Promise<number> {
  const startedAt = performance.now();
  let cause: unknown;
  const isSoNow = () =>
    isSo().catch((error: unknown) => {
      cause = error;
      return false;
    });
  while (!(await isSoNow())) {
    if (performance.now() - startedAt > GIVE_UP_MS) throw new Error("The condition did not hold in time", { cause });
    await Bun.sleep(20);
  }
  return Math.round((performance.now() - startedAt) / 10) / 100;
}
