/**
 * Kills servers under load, repeatedly, and checks whether any acknowledged click is lost or counted twice.
 *
 *   bun test/fault/clicks/kill.ts [kills] [processes]
 *
 * Each process appends clicks through its own pipeline and writes the ids of those that were acknowledged to a file
 * that survives it. It gets `kill -9` at a random moment, possibly during its start, and another process takes its
 * place on the same folder. Finally a last pipeline applies what is left.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  allAre,
  type SeededLink,
  type Sums,
  seedLink,
  seedOrganization,
  startPipeline,
  sumsOf,
} from "@test/integration/clicks/fixture";
import { endRun } from "@test/support/end-of-run";
import { createDatabase } from "@test/support/servers/postgres";
import type { Sql } from "postgres";

export interface KillOptions {
  kills: number;
  processes: number;
}

export interface KillReport {
  kills: number;
  acknowledged: number;
  /** Acknowledged clicks that are not in Postgres exactly once. */
  lost: number;
  /**
   * Totals in Postgres; they exceed the acknowledged clicks, because a kill may come between a write and its
   * response.
   */
  sums: Sums;
  expected: Sums;
  poisoned: number;
}

const LINKS = 20;
const LIFE_MS_MAX = 1_500;
const DRAIN_MS_MAX = 120_000;
const CHILD = join(import.meta.dir, "kill-child.ts");

export async function killRepeatedly({ kills, processes }: KillOptions): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), "waymark-kill-"));
  const database = await createDatabase();
  try {
    const orgId = await seedOrganization(database.sql);
    const links = [];
    for (let index = 0; index < LINKS; index += 1) links.push(await seedLink(database.sql, orgId));
    const settings = { folder, databaseUrl: database.url, links };
    const shares = Array.from({ length: processes }, (_, index) => Math.ceil((kills - index) / processes));
    await Promise.all(shares.map((share) => killInTurn(share, settings)));
    const { poisoned } = await applyTheRest(folder, database.url);
    return { kills, poisoned, ...(await compare(database.sql, acknowledgedIds(folder))) };
  } finally {
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface ChildSettings {
  folder: string;
  databaseUrl: string;
  links: SeededLink[];
  /** The file for the ids of acknowledged clicks. */
  notes: string;
}

/** Kills every other process at any moment, and the others once they have acknowledged clicks. */
async function killInTurn(kills: number, settings: Omit<ChildSettings, "notes">): Promise<void> {
  for (let kill = 0; kill < kills; kill += 1) {
    const notes = join(settings.folder, `${Bun.randomUUIDv7()}.acknowledged`);
    const child = spawn(process.execPath, [CHILD, JSON.stringify({ ...settings, notes })], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    while (kill % 2 === 0 && child.exitCode === null && !hasNotes(notes)) await Bun.sleep(5);
    await Bun.sleep(Math.random() * LIFE_MS_MAX);
    await end(child);
  }
}

const hasNotes = (path: string) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) throw new Error(`A process ended by itself with ${child.exitCode}.`);
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once("exit", () => resolve());
  child.kill("SIGKILL");
  await promise;
}

async function applyTheRest(folder: string, databaseUrl: string) {
  const pipeline = startPipeline(folder, databaseUrl);
  const spools = () =>
    readdirSync(join(folder, "spool"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const giveUpAt = Date.now() + DRAIN_MS_MAX;
  const applied = () => pipeline.logged().split("applied the spool of a dead process").length - 1;
  while (applied() < spools().length - 1 && Date.now() < giveUpAt) await Bun.sleep(20);
  if (!(await pipeline.drain(DRAIN_MS_MAX))) throw new Error("The rest could not be applied in time.");
  await pipeline.close();
  return pipeline.stats();
}

/** Returns the acknowledged ids. A kill may have cut off the last line, which does not count as acknowledged. */
function acknowledgedIds(folder: string): string[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".acknowledged"));
  return files.flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n").slice(0, -1));
}

async function compare(sql: Sql, acknowledged: readonly string[]) {
  const sums = await sumsOf(sql);
  const [row] = await sql<{ found: number }[]>`
    select count(*)::int as found from (
      select id from clicks join unnest(${`{${acknowledged.join()}}`}::text::uuid[]) as noted (id) using (id)
      group by id having count(*) = 1) once`;
  const lost = acknowledged.length - (row?.found ?? 0);
  return { acknowledged: acknowledged.length, lost, sums, expected: allAre(sums.clicks) };
}

if (import.meta.main) {
  const [kills = "20", processes = "2"] = process.argv.slice(2);
  const report = await killRepeatedly({ kills: Number(kills), processes: Number(processes) });
  const { sums, expected, ...rest } = report;
  console.table({ ...rest, ...sums });
  await endRun();
  process.exit(report.lost === 0 && Bun.deepEquals(sums, expected) ? 0 : 1);
}
