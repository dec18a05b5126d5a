/**
 * What can happen to the spool's volume beyond the control of any process: it is copied and both copies run, or some
 * of its bytes flip. With copies, the click of every visitor who got a 302 from either service is in Postgres exactly
 * once. A flipped byte costs only the record that contains it.
 *
 *   bun test/fault/clicks/spools.ts [rounds]
 */
import { cpSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endRun } from "@test/support/end-of-run";
import { createDatabase, type TestDatabase } from "@test/support/servers/postgres";
import { TcpProxy } from "@test/support/servers/tcp-proxy";
import { takePort } from "@test/support/servers/test-port";
import { isUp, ServiceProcess } from "@test/support/service-process";
import { ensureSharedDomain } from "@/platform/shared-rows";
import { compare, compareOnceApplied } from "../compare";
import { sendVisitors } from "../servers/strict-visitors";
import { linkWithClickIds } from "./kill-service";

export interface CopiedVolumeReport {
  rounds: number;
  acknowledged: number;
  /** Clicks that were still in the spools when the last services had stopped. */
  spooled: number;
  lost: number;
  countedTwice: number;
  counted: number;
  rows: number;
  /** How often a process noticed that its spool had been copied. */
  noticed: number;
}

const VISITORS = 4;
const LOAD_MS = 400;
const COPIED = "spool was copied: applying the rest under a new id";

/**
 * In each round, the volume of a running service is copied, both services are killed under load, and both start
 * again.
 */
export async function copiedVolume(rounds: number): Promise<CopiedVolumeReport> {
  return onDatabase(async (database, folders) => {
    const slug = await linkWithClickIds(database.sql);
    const acknowledged: string[] = [];
    let noticed = 0;
    const runAll = async (volumes: readonly string[], end: "SIGKILL" | "SIGTERM", within = async () => {}) => {
      const services = await Promise.all(volumes.map((dataDir) => start(dataDir, database.url)));
      const loads = services.map(({ port }) => sendVisitors({ port, slug, visitors: VISITORS }));
      await Bun.sleep(LOAD_MS);
      for (const load of loads) await load.untilAcknowledged(VISITORS);
      await within();
      if (end === "SIGTERM") await Promise.all(loads.map((load) => load.stop()));
      await Promise.all(services.map(({ service }) => service.end(end)));
      await Promise.all(loads.map((load) => load.stop()));
      for (const { visits } of loads) acknowledged.push(...visits.acknowledged);
      noticed += services.reduce((sum, { service }) => sum + service.logged(COPIED).length, 0);
    };
    const volumes = [await folders.make()];
    for (let round = 0; round < rounds; round++) {
      const copy = await folders.make();
      await runAll(volumes, "SIGKILL", async () => copyVolume(volumes[0] ?? "", copy));
      volumes.push(copy);
      await runAll(volumes, round === rounds - 1 ? "SIGTERM" : "SIGKILL");
    }
    const compared = await compareOnceApplied(database.sql, acknowledged, async () => {
      const services = await Promise.all(volumes.map((dataDir) => start(dataDir, database.url)));
      return services.map(({ service }) => service);
    });
    return { rounds, noticed, acknowledged: acknowledged.length, ...compared };
  });
}

export interface FlippedBytesReport {
  acknowledged: number;
  /** Flipped bytes, each in another record. */
  flipped: number;
  lost: number;
  /** Damaged bytes, as logged. */
  damagedBytes: number;
}

/**
 * Flips bytes in the spool while clicks wait there: in a length, in a checksum and in a payload, each in another
 * record.
 */
export async function flippedBytes(): Promise<FlippedBytesReport> {
  return onDatabase(async (database, folders) => {
    const slug = await linkWithClickIds(database.sql);
    const dataDir = await folders.make();
    const url = new URL(database.url);
    const postgres = await TcpProxy.start(Number(url.port || 5432));
    url.host = `127.0.0.1:${postgres.port}`;
    const first = await start(dataDir, url.href);
    const load = sendVisitors({ port: first.port, slug, visitors: VISITORS });
    await load.untilAcknowledged(VISITORS);
    await postgres.cut();
    await load.untilAcknowledged(load.visits.acknowledged.length + WAITING);
    await load.stop();
    await first.service.end("SIGKILL");
    const flipped = await flip(dataDir);
    const second = await start(dataDir, database.url);
    await second.service.until("spool data is damaged on disk; records may be lost");
    const { acknowledged } = load.visits;
    const giveUpAt = performance.now() + APPLIED_MS_MAX;
    while ((await compare(database.sql, acknowledged)).lost > flipped && performance.now() < giveUpAt)
      await Bun.sleep(50);
    await second.service.end();
    const damaged = second.service.logged("spool data is damaged on disk; records may be lost");
    const { lost } = await compare(database.sql, acknowledged);
    const damagedBytes = damaged.reduce((sum, { bytes }) => sum + Number(bytes), 0);
    return { acknowledged: acknowledged.length, flipped, lost, damagedBytes };
  });
}

/** Clicks that wait for Postgres: more than the records whose bytes are flipped. */
const WAITING = 50;

/** Flips, in the newest segment, a byte of one record's length, of another's checksum and of a third's payload. */
async function flip(dataDir: string): Promise<number> {
  const [spool = ""] = (await readdir(join(dataDir, "spool"))).filter((name) => name.includes("-"));
  const folder = join(dataDir, "spool", spool);
  const newest = (await readdir(folder))
    .filter((name) => name.endsWith(".seg"))
    .sort()
    .at(-1);
  const path = join(folder, newest ?? "");
  const bytes = await readFile(path);
  const starts: number[] = [];
  for (let at = 0; at < bytes.length; at += 8 + bytes.readUInt32LE(at)) starts.push(at);
  // Counted from the end, where the records still wait for Postgres.
  const inFrame = [1, 5, 40];
  for (const [index, within] of inFrame.entries()) {
    const at = (starts.at(-3 * (index + 1)) ?? 0) + within;
    bytes.writeUInt8(bytes.readUInt8(at) ^ 0x04, at);
  }
  await writeFile(path, bytes);
  return inFrame.length;
}

/** Copies files as they are at this moment, as a snapshot of the disk would: the locks in the copy have no holder. */
const copyVolume = (from: string, to: string) => cpSync(from, to, { recursive: true });

async function start(dataDir: string, databaseUrl: string) {
  const port = await takePort();
  // The default domain contains the port, so the later of two services would take the links from the other.
  const env = { WORKERS: "1", SHORT_DOMAIN: "localhost" };
  const service = new ServiceProcess({ port, dataDir, databaseUrl, env });
  const giveUpAt = performance.now() + START_MS_MAX;
  while (!(await isUp(port))) {
    if (performance.now() > giveUpAt || service.process.exitCode !== null)
      throw new Error(`The service did not start: ${service.errorOutput}`);
    await Bun.sleep(20);
  }
  return { port, service };
}

const START_MS_MAX = 120_000;
const APPLIED_MS_MAX = 120_000;

async function onDatabase<Report>(
  run: (database: TestDatabase, folders: { make(): Promise<string> }) => Promise<Report>,
): Promise<Report> {
  const database = await createDatabase();
  const made: string[] = [];
  const make = async () => {
    const folder = await mkdtemp(join(tmpdir(), "waymark-volume-"));
    made.push(folder);
    return folder;
  };
  try {
    // Links need the shared domain; the first start sets its name.
    await ensureSharedDomain(database.db, "localhost");
    return await run(database, { make });
  } finally {
    await database.drop();
    for (const folder of made) await rm(folder, { recursive: true, force: true });
  }
}

export const isKept = ({ lost, countedTwice, counted, rows }: CopiedVolumeReport): boolean =>
  lost + countedTwice === 0 && counted === rows;

export const isOneEach = ({ lost, flipped, damagedBytes }: FlippedBytesReport): boolean =>
  lost === flipped && damagedBytes > 0;

if (import.meta.main) {
  const copied = await copiedVolume(Number(Bun.argv[2] ?? 5));
  const flipped = await flippedBytes();
  console.table(copied);
  console.table(flipped);
  await endRun();
  process.exit(isKept(copied) && isOneEach(flipped) ? 0 : 1);
}
