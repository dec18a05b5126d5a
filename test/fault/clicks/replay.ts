/**
 * Routes clicks again from what Postgres stores of them. Links with rules of every kind, splits and apps are visited
 * over HTTP by all sorts of visitors while links and apps change; then the replay of each click must lead to where
 * its visitor was sent.
 *
 *   bun test/fault/clicks/replay.ts [visits] [links]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endRun } from "@test/support/end-of-run";
import { createDatabase } from "@test/support/servers/postgres";
import { takePort } from "@test/support/servers/test-port";
import { type Account, CLIENT_HEADER, client } from "@test/support/service";
import { ServiceProcess } from "@test/support/service-process";
import type { Sql } from "postgres";
import type { Link } from "@/contract/links/links";
import { ReplayDice } from "./replay-dice";
import { countReplayed, type Replayed } from "./replay-stored";

export interface ReplayOptions {
  visits: number;
  links: number;
  seed?: number;
}

export interface ReplayReport extends Replayed {
  visits: number;
  changes: number;
  /** Responses without a stored click, or with another destination than the click's. */
  wrongDestinations: number;
}

const VISITORS = 24;
const CHANGERS = 4;
const CHANGE_EVERY_MS = 60;
const DOMAIN = "replay.example.test";
const WAIT_MS_MAX = 120_000;

type Server = ReturnType<typeof client>;

export async function replayClicks({ visits, links: count, seed = 1 }: ReplayOptions): Promise<ReplayReport> {
  await using stack = new AsyncDisposableStack();
  const database = await createDatabase();
  stack.defer(() => database.drop());
  const dataDir = await mkdtemp(join(tmpdir(), "waymark-replay-"));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const port = await takePort();
  const env = { SHORT_DOMAIN: DOMAIN, WORKERS: "1", TRUSTED_PROXIES: "127.0.0.1,::1", CLIENT_IP_HEADER: CLIENT_HEADER };
  const process = new ServiceProcess({ port, dataDir, databaseUrl: database.url, env });
  stack.defer(async () => void (await process.end()));
  const server = client(`http://localhost:${port}`);
  await until(async () => (await server.call("GET", "/health")).status === 200);
  const dice = new ReplayDice(seed);
  const workspace = await open(server, dice, count);
  const { changes, sent } = await visitWhileChanging(server, workspace, dice, visits);
  await until(async () => (await countClicks(database.sql)) === visits);
  const replayed = await countReplayed(database.sql, sent);
  return { visits, changes, ...replayed };
}

interface Workspace {
  account: Account;
  apps: { _id: string }[];
  links: Link[];
}

async function open(server: Server, dice: ReplayDice, count: number): Promise<Workspace> {
  const account = await server.register();
  const { orgId, token } = account;
  const home = `/api/v1/organizations/${orgId}`;
  await server.call("PATCH", home, { token, body: { settings: { appendClickId: true } } });
  const apps: { _id: string }[] = [];
  for (const name of ["One", "Two"]) {
    const { body } = await server.call<{ _id: string }>("POST", `${home}/apps`, {
      token,
      body: { name, ...dice.app() },
    });
    apps.push(body);
  }
  const links: Link[] = [];
  while (links.length < count) {
    const appProfileId = dice.chance(0.4) ? undefined : dice.pick(apps)._id;
    const routing = { appProfileId, slug: `replay-${links.length}`, ...dice.routing() };
    const { status, body } = await server.call<Link>("POST", `${home}/links`, { token, body: routing });
    if (status !== 201) throw new Error(`A link was answered ${status}: ${JSON.stringify(body)}`);
    links.push(body);
  }
  return { account, apps, links };
}

/** Returns where each click's visitor was sent, by the click's id in the destination. */
async function visitWhileChanging(
  server: Server,
  { account, apps, links }: Workspace,
  dice: ReplayDice,
  visits: number,
) {
  const { orgId, token } = account;
  const home = `/api/v1/organizations/${orgId}`;
  const sent = new Map<string, string>();
  let [begun, changes, isOver] = [0, 0, false];
  const change = async () => {
    while (!isOver) {
      const app = dice.chance(0.1) ? dice.pick(apps) : undefined;
      const path = app ? `${home}/apps/${app._id}` : `${home}/links/${dice.pick(links)._id}`;
      const { status, body } = await server.call("PATCH", path, { token, body: app ? dice.app() : dice.routing() });
      if (status !== 200) throw new Error(`A change was answered ${status}: ${JSON.stringify(body)}`);
      changes += 1;
      await Bun.sleep(CHANGE_EVERY_MS);
    }
  };
  const visitor = async () => {
    while (begun < visits) {
      begun += 1;
      const headers = { host: DOMAIN, accept: "*/*", ...dice.visitor(CLIENT_HEADER) };
      const response = await server.visit(`/${dice.pick(links).slug}${dice.query()}`, headers);
      const location = new URL(response.headers.get("location") ?? "none:");
      sent.set(location.searchParams.get("wm_cid") ?? `${response.status} ${begun}`, location.href);
    }
  };
  const changing = Promise.all(Array.from({ length: CHANGERS }, change));
  await Promise.all(Array.from({ length: VISITORS }, visitor));
  isOver = true;
  await changing;
  return { changes, sent };
}

async function countClicks(sql: Sql): Promise<number> {
  const [row] = await sql`select count(*)::int as clicks from clicks`;
  return row?.clicks;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + WAIT_MS_MAX;
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > deadline) throw new Error("It did not come to pass in time");
    await Bun.sleep(50);
  }
}

if (import.meta.main) {
  const [visits = "50000", links = "300"] = Bun.argv.slice(2);
  const report = await replayClicks({ visits: Number(visits), links: Number(links), seed: Date.now() });
  console.table([report]);
  await endRun();
  process.exit(report.different + report.wrongDestinations + report.unknown === 0 ? 0 : 1);
}
