/**
 * Kills the whole service under load, repeatedly: the click of every visitor who got a 302 must be in Postgres
 * exactly once.
 *
 *   bun test/fault/clicks/kill-service.ts [kills]
 *
 * The destinations contain the click's id (`wm_cid`), so that a response shows which click it acknowledges. Each
 * service gets `kill -9` while visitors come in, and another one starts on the same folder. The last one stops
 * cleanly; if it left clicks in its spool, a service without visitors applies them.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seedLink, seedOrganization } from "@test/integration/clicks/fixture";
import { endRun } from "@test/support/end-of-run";
import { createDatabase } from "@test/support/servers/postgres";
import { takePort } from "@test/support/servers/test-port";
import { isUp, ServiceProcess, SURROUNDINGS } from "@test/support/service-process";
import type { Sql } from "postgres";
import { compareOnceApplied } from "../compare";

export interface KillServiceReport {
  kills: number;
  /** Visitors who got a redirect. */
  acknowledged: number;
  /** Clicks that were still in the spool when the last service had stopped. */
  spooled: number;
  lost: number;
  countedTwice: number;
  /**
   * Clicks by the counters, and rows; both exceed the acknowledged clicks, because a kill may come before a response.
   */
  counted: number;
  rows: number;
}

const VISITORS_AT_ONCE = 32;
const LOAD_MS_MAX = 1000;
const START_MS_MAX = 120_000;

export async function killService(kills: number, loadMsMax = LOAD_MS_MAX): Promise<KillServiceReport> {
  const dataDir = await mkdtemp(join(tmpdir(), "waymark-kill-"));
  const database = await createDatabase();
  const acknowledged: string[] = [];
  try {
    const settings = { dataDir, databaseUrl: database.url, port: await takePort() };
    let slug = "";
    for (let kill = 0; kill <= kills; kill++) {
      const service = await start(settings);
      // The shared domain, which the link needs, is created by the first start.
      slug ||= await linkWithClickIds(database.sql);
      const load = visitUntilDown(`http://localhost:${settings.port}/${slug}`, acknowledged);
      await Bun.sleep(100 + Math.random() * loadMsMax);
      if (kill === kills) load.stop();
      await service.end(kill === kills ? "SIGTERM" : "SIGKILL");
      await load.ended;
    }
    const compared = await compareOnceApplied(database.sql, acknowledged, async () => [new ServiceProcess(settings)]);
    return { kills, acknowledged: acknowledged.length, ...compared };
  } finally {
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Creates a link on the shared domain, in an organization that appends click ids to destinations. Returns its slug. */
export async function linkWithClickIds(sql: Sql): Promise<string> {
  const orgId = await seedOrganization(sql);
  await sql`update organizations set settings = '{"appendClickId": true}' where id = ${orgId}`;
  const { id } = await seedLink(sql, orgId);
  const [row] = await sql<{ slug: string }[]>`
    update links set domain_id = (select id from domains where org_id is null) where id = ${id} returning slug`;
  if (!row) throw new Error("The link is not there");
  return row.slug;
}

interface Settings {
  dataDir: string;
  databaseUrl: string;
  port: number;
}

async function start({ dataDir, databaseUrl, port }: Settings) {
  const child = Bun.spawn([process.execPath, "src/main.ts"], {
    stdout: "ignore",
    stderr: "inherit",
    env: { ...SURROUNDINGS, PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: databaseUrl },
  });
  const deadline = performance.now() + START_MS_MAX;
  while (!(await isUp(port))) {
    if (performance.now() > deadline || child.exitCode !== null) throw new Error("The service did not start");
    await Bun.sleep(20);
  }
  return {
    async end(signal: "SIGKILL" | "SIGTERM") {
      child.kill(signal);
      await child.exited;
    },
  };
}

/** Visits over many connections, one visit after another on each, until the service is down or the load is stopped. */
function visitUntilDown(url: string, acknowledged: string[]) {
  let isStopped = false;
  const visitor = async (index: number) => {
    const headers = { "user-agent": `Mozilla/5.0 (X11; Linux x86_64) Visitor/${index}` };
    while (!isStopped) {
      const response = await fetch(url, { redirect: "manual", headers }).catch(() => undefined);
      const location = response?.headers.get("location");
      if (!location) return;
      acknowledged.push(new URL(location).searchParams.get("wm_cid") ?? "none");
    }
  };
  const ended = Promise.all(Array.from({ length: VISITORS_AT_ONCE }, (_, index) => visitor(index)));
  return {
    ended,
    stop() {
      isStopped = true;
    },
  };
}

if (import.meta.main) {
  const report = await killService(Number(Bun.argv[2] ?? 20));
  console.table(report);
  await endRun();
  process.exit(report.lost === 0 && report.countedTwice === 0 && report.counted === report.rows ? 0 : 1);
}
