/**
 * `bun run bench imports [--rows=100000] [--rate=300]`: imports links with the service as it is deployed, from files
 * of at most `FILE_ROWS` rows, first without other load, then during redirects of other links at a steady rate. The
 * redirects are measured alternately during the import and while it is halted, so that other load on the machine
 * affects both. On a busy machine, rely on the CPU time.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importProcesses } from "@test/support/outside/import-processes";
import type { Sql } from "postgres";
import type { AuthSession } from "@/contract/accounts/auth";
import type { Import } from "@/contract/links/imports";
import { openDatabase } from "@/platform/db/client";
import { startEmbeddedPostgres } from "@/platform/db/embedded/embedded";
import { backendsOf, residentMbOf, runTimeMs, type Threads, threadsOf } from "./cpu";
import { load, type Target, writeRequests } from "./load";
import { startWaymark } from "./servers";
import { createLinks, PATHS } from "./subject";

const LOOK_EVERY_MS = 100;
const WARM_UP_S = 5;
const WINDOW_S = 5;
/** Time for statements in progress to finish after the import is halted. */
const HALTED_AFTER_MS = 500;
/** Connections of the load generator. */
const CONNECTIONS = 64;
/** The number of such rows that fit into the size limit of an upload. */
const FILE_ROWS = 350_000;
/** CPU time is reported per this many links. */
const LINKS = 100_000;

interface Site extends Target {
  sql: Sql;
  token: string;
  imports: string;
  domainId: string;
  backends(): Threads;
  halted: Halted;
}

/** Total milliseconds that the import's process was halted, and when it last resumed; infinite while it is halted. */
interface Halted {
  ms: number;
  until: number;
}

export async function measureImports({ rows, perSecond }: { rows: number; perSecond: number }): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "waymark-imports-"));
  const postgres = await startEmbeddedPostgres(folder, () => {});
  const { sql, close } = openDatabase(postgres.url, { pool: "tool" });
  try {
    await using waymark = await startWaymark(postgres.url, { WORKERS: "1" });
    await createLinks(waymark.origin);
    const site = await siteOf(waymark, sql, await backendsOf(folder));
    const script = await writePacedRequests(perSecond);
    await load(site, script, WARM_UP_S);
    const byItself = await importRows(site, rows, "a");
    let isOver = false;
    const importing = importRows(site, rows, "b").finally(() => {
      isOver = true;
    });
    const alone: number[] = [];
    const windows: number[] = [];
    while (!isOver) {
      windows.push(await p99Of(site, script, WINDOW_S));
      alone.push(await whileHalted(site, () => p99Of(site, script, WINDOW_S)));
    }
    const [aloneMs, besideMs] = [median(alone), median(windows)];
    console.log(`\nImports of ${rows} links, and redirects of others at ${perSecond} a second`);
    console.table({ "by itself": byItself, "beside redirects": await importing });
    console.log({ "p99 alone, ms": alone, "beside an import": windows });
    console.table([{ "p99 alone, ms": aloneMs, "beside an import": besideMs, ratio: besideMs / aloneMs, wanted: 2 }]);
  } finally {
    await close();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function siteOf({ origin, pid }: Target, sql: Sql, backends: () => Threads): Promise<Site> {
  const [email, password] = ["imports@example.com", crypto.randomUUID()];
  const registered = await fetch(`${origin}/api/v1/auth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "Bench", organizationName: "Imports", email, password }),
  });
  const { token, organizations } = (await registered.json()) as AuthSession;
  const [shared] = await sql<{ id: string }[]>`select id from domains where org_id is null`;
  const imports = `${origin}/api/v1/organizations/${organizations[0]?._id}/imports`;
  return { origin, pid, sql, token, imports, domainId: shared?.id ?? "", backends, halted: { ms: 0, until: 0 } };
}

async function whileHalted<Result>({ pid, halted }: Site, work: () => Promise<Result>): Promise<Result> {
  const begunAt = performance.now();
  halted.until = Number.POSITIVE_INFINITY;
  const processes = importProcesses(pid);
  for (const each of processes) process.kill(each, "SIGSTOP");
  await Bun.sleep(HALTED_AFTER_MS);
  try {
    return await work();
  } finally {
    for (const each of processes) process.kill(each, "SIGCONT");
    halted.until = performance.now();
    halted.ms += halted.until - begunAt;
  }
}

/** Runs the generator with top priority if possible: its own wait for a core is no part of a visitor's wait. */
const p99Of = async (site: Site, script: string, seconds: number): Promise<number> =>
  (await load(site, script, seconds, { isFirst: true })).p99Ms;

/**
 * Writes a script for a steady rate. wrk has no such option, so each connection pauses between requests for as long
 * as results in the total rate. The pauses are random, because otherwise all 64 connections would send at the same
 * time and wait for each other.
 */
async function writePacedRequests(perSecond: number): Promise<string> {
  const script = await writeRequests(PATHS);
  const pauseMs = Math.max(0, Math.round((CONNECTIONS * 1000) / perSecond) - 1);
  await Bun.write(
    script,
    `${await Bun.file(script).text()}\ndelay = function() return math.random(0, ${pauseMs * 2}) end\n`,
  );
  return script;
}

async function importRows(site: Site, rows: number, name: string) {
  const before = runTimeMs(site.backends());
  const files = Array.from({ length: Math.ceil(rows / FILE_ROWS) }, (_, index) => index * FILE_ROWS);
  const sum = { seconds: 0, ownMs: 0, backendsMs: 0, heldMs: 0, residentMb: 0 };
  for (const from of files) {
    const done = await importFile(site, fileOf(from, Math.min(rows, from + FILE_ROWS), name));
    for (const key of ["seconds", "ownMs", "backendsMs"] as const) sum[key] += done[key];
    for (const key of ["heldMs", "residentMb"] as const) sum[key] = Math.max(sum[key], done[key]);
  }
  const perLinks = (ms: number) => Number(((ms / 1_000 / rows) * LINKS).toFixed(1));
  return {
    seconds: Math.round(sum.seconds),
    "links/s": Math.round(rows / sum.seconds),
    [`CPU s of the import, ${LINKS} links`]: perLinks(sum.ownMs),
    "of its connections in Postgres": perLinks(sum.backendsMs),
    "of all Postgres": perLinks(runTimeMs(site.backends()) - before),
    "longest transaction, ms": Math.round(sum.heldMs),
    "its memory, MB": Math.round(sum.residentMb),
  };
}

/**
 * Imports a file. `seconds` counts from the response to the upload, without the time in which the import was halted.
 */
async function importFile(site: Site, { text, rows }: ReturnType<typeof fileOf>) {
  const headers = { authorization: `Bearer ${site.token}` };
  const form = new FormData();
  form.set("options", JSON.stringify({ source: "csv", domainMap: { "*": site.domainId } }));
  form.set("file", new File([text], "links.csv"));
  const own = new SpentSince(importProcesses(site.pid));
  const backends = new SpentSince((await importBackends(site.sql)).map(({ pid }) => pid));
  const uploaded = await fetch(site.imports, { method: "POST", headers, body: form });
  if (uploaded.status !== 202) throw new Error(`The import was answered ${uploaded.status}: ${await uploaded.text()}`);
  const { _id } = (await uploaded.json()) as Import;
  const startedAt = performance.now() - site.halted.ms;
  let [heldMs, residentMb] = [0, 0];
  for (;;) {
    for (const pid of importProcesses(site.pid)) {
      own.look(pid);
      residentMb = Math.max(residentMb, residentMbOf(pid));
    }
    for (const { pid, heldFor } of await importBackends(site.sql)) {
      if (heldFor < performance.now() - site.halted.until) heldMs = Math.max(heldMs, heldFor);
      backends.look(pid);
    }
    const [job] = await site.sql<{ status: string; counts: { created: number } }[]>`
      select status, counts from imports where id = ${_id}`;
    if (job?.status === "done" && job.counts.created === rows) break;
    if (job?.status !== "queued" && job?.status !== "running")
      throw new Error(`The import ended: ${JSON.stringify(job)}`);
    await Bun.sleep(LOOK_EVERY_MS);
  }
  const seconds = (performance.now() - site.halted.ms - startedAt) / 1_000;
  return { seconds, ownMs: own.ms(), backendsMs: backends.ms(), heldMs, residentMb };
}

/** CPU time of processes since the constructor call. Ended processes count with the last value that `look` saw. */
class SpentSince {
  readonly #before: Map<number, number>;
  readonly #spent = new Map<number, number>();

  constructor(pids: readonly number[]) {
    this.#before = new Map(pids.map((pid) => [pid, runTimeMs(threadsOf(pid))]));
  }

  look(pid: number): void {
    const spent = runTimeMs(threadsOf(pid)) - (this.#before.get(pid) ?? 0);
    this.#spent.set(pid, Math.max(spent, this.#spent.get(pid) ?? 0));
  }

  ms = (): number => this.#spent.values().reduce((sum, ms) => sum + ms, 0);
}

function fileOf(from: number, end: number, name: string): { text: string; rows: number } {
  const lines = Array.from({ length: end - from }, (_, index) => {
    const row = from + index;
    const url = `https://shop.example.com/catalogue/${name}/${row}?color=blue`;
    return `${name}-${row},${url},Product ${row},"spring,topic-${row % 400}",2024-05-02 08:11:00,${row % 5000}`;
  });
  return { text: `slug,url,title,tags,created,clicks\n${lines.join("\n")}\n`, rows: lines.length };
}

/** Returns the import's Postgres connections and for how many milliseconds their transactions have been open. */
const importBackends = (sql: Sql) => sql<{ pid: number; heldFor: number }[]>`
  select pid, coalesce(extract(epoch from clock_timestamp() - xact_start)::float8 * 1000, 0) as "heldFor"
  from pg_stat_activity where application_name like 'waymark imports%'`;

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
