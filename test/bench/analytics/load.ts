/**
 * Loads the traffic into Postgres through the product's own spool and writer. The writer counts applied clicks in the
 * same transactions that apply them, so a load that was stopped or killed continues where it ended.
 */
import { ensurePartitions } from "@/clicks/partitions";
import { type ClickPipeline, startClickPipeline } from "@/clicks/pipeline";
import { DAY_MS } from "@/core/time/time-range";
import { type Database, openDatabase } from "@/platform/db/client";
import { createLog } from "@/platform/telemetry/log";
import { clickNumber, DAYS, type Traffic } from "./traffic";

const PENDING_BYTES_MAX = 64 * 1024 ** 2;
const APPENDED_A_TURN = 2_000;
const FULL_WAIT_MS = 20;
const SAY_EVERY_MS = 1_000;
const DRAIN_MS_MAX = 600_000;
const MONTH_MS = 28 * DAY_MS;

export interface LoadOptions {
  databaseUrl: string;
  dataDir: string;
  traffic: Traffic;
  signal: AbortSignal;
}

/** Resolves to whether all clicks are loaded; false if the signal stopped it. */
export async function loadClicks({ databaseUrl, dataDir, traffic, signal }: LoadOptions): Promise<boolean> {
  const database = openDatabase(databaseUrl, { pool: "tool" });
  await makePartitions(database, traffic.end);
  const pipeline = startClickPipeline({
    dataDir,
    databaseUrl,
    fsyncMs: 10,
    spoolBytesMax: 1024 ** 3,
    visitorSecret: new Uint8Array(32),
    visitorRotation: "none",
    log: createLog((text) => process.stderr.write(text)),
  });
  try {
    await drained(pipeline);
    const before = await appliedOf(database);
    if (before > 0) console.log(`${before.toLocaleString("en")} clicks are already loaded`);
    await append(pipeline, traffic, before, signal);
    await drained(pipeline);
    return (await appliedOf(database)) >= traffic.clicks;
  } finally {
    await pipeline.close();
    if (!signal.aborted) await database.sql`vacuum analyze`;
    await database.close();
  }
}

async function append(pipeline: ClickPipeline, traffic: Traffic, before: number, signal: AbortSignal): Promise<void> {
  const saying = sayProgress(pipeline, traffic.clicks, before);
  for (let index = before; index < traffic.clicks && !signal.aborted; index++) {
    pipeline.append(clickNumber(index, traffic));
    if (index % APPENDED_A_TURN === 0) await roomIn(pipeline);
  }
  await drained(pipeline);
  clearInterval(saying.timer);
  saying.say();
  process.stdout.write("\n");
}

/** Waits until the spool has room. Sleeps between checks, because a busy loop would take a core from the writer. */
async function roomIn(pipeline: ClickPipeline): Promise<void> {
  await Bun.sleep(0);
  while (pipeline.stats().pendingBytes > PENDING_BYTES_MAX) await Bun.sleep(FULL_WAIT_MS);
}

function sayProgress(pipeline: ClickPipeline, clicks: number, before: number) {
  const startedAt = performance.now();
  const say = () => {
    const { applied } = pipeline.stats();
    const rate = applied / ((performance.now() - startedAt) / 1000);
    const minutesLeft = (clicks - before - applied) / rate / 60;
    const share = ((100 * (before + applied)) / clicks).toFixed(1);
    const line = `${(before + applied).toLocaleString("en")} clicks (${share}%), ${Math.round(rate).toLocaleString("en")}/s, ${minutesLeft.toFixed(1)} min left; Ctrl-C stops; the next run continues`;
    process.stdout.write(`\r${line}   `);
  };
  return { say, timer: setInterval(say, SAY_EVERY_MS) };
}

async function drained(pipeline: ClickPipeline): Promise<void> {
  if (!(await pipeline.drain(DRAIN_MS_MAX))) throw new Error("The writer did not finish");
  const { poisoned, shed } = pipeline.stats();
  if (poisoned + shed > 0) throw new Error(`${poisoned} clicks were set aside and ${shed} shed`);
}

async function appliedOf({ sql }: Database): Promise<number> {
  const [row] = await sql<{ applied: number }[]>`select coalesce(sum(applied), 0)::float8 as applied from spools`;
  return row?.applied ?? 0;
}

/** Creates the partitions that the service would have created if it had run for all these weeks. */
async function makePartitions({ sql }: Database, end: number): Promise<void> {
  for (let at = end - DAYS * DAY_MS; at <= end; at += MONTH_MS) await ensurePartitions(sql, new Date(at));
}
