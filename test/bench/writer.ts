/**
 * Measures rows per second from the spool into Postgres, including enrichment, indexes and rollups. The spool is
 * written before the measurement starts, so that only its application is measured: the click worker on one core,
 * Postgres on the other.
 *
 * CPU is the time of their threads. It is more meaningful than the rate when others use the machine.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TcpProxy } from "@test/support/servers/tcp-proxy";
import UserAgent from "user-agents";
import { createCommitCell } from "@/clicks/messages";
import type { ClickRecord } from "@/clicks/record";
import { Spool } from "@/clicks/spool/spool";
import { createSpoolFolder } from "@/clicks/spool/spool-folders";
import { WorkerThread } from "@/clicks/worker-thread";
import { openDatabase } from "@/platform/db/client";
import { startEmbeddedPostgres } from "@/platform/db/embedded/embedded";
import { migrate } from "@/platform/db/migrate";
import { createLog } from "@/platform/telemetry/log";
import { makeBenchLinks } from "./bench-links";
import { backendsOf, mainThreadExcepted, runTimeMs } from "./cpu";
import { median } from "./rounds";

const CLICKS = 100_000;
const ROUNDS = 3;
const START_MS_MAX = 60_000;
const AGENTS = 500;
const ADDRESSES = 20_000;
const APPENDED_A_TURN = 500;
/** Rate by the timestamps of the clicks: that of a busy service, but low enough that no visitor counts as flooding. */
const CLICKS_A_SECOND = 1_000;

/** A round trip between two continents. */
const FAR_MS = 150;
const DATABASE = "bench";

interface WriterRates {
  links: number;
  /** Milliseconds of a round trip to Postgres. */
  awayMs: number;
  rowsPerSecond: number;
  /** CPU microseconds per click, like `postgres`. */
  worker: number;
  postgres: number;
}

export async function measureWriter(): Promise<void> {
  const rows: WriterRates[] = [];
  for (const links of [100, 10_000]) for (const awayMs of [0, FAR_MS]) rows.push(await writerRates(links, awayMs));
  console.log(`\nClick writer, spool to Postgres, ${CLICKS.toLocaleString("en")} clicks per round`);
  console.table(
    rows.map(({ links, awayMs, rowsPerSecond, worker, postgres }) => ({
      links,
      "ms to Postgres and back": awayMs,
      "rows/s": Math.round(rowsPerSecond),
      "CPU µs per click, worker": worker.toFixed(1),
      "CPU µs per click, Postgres": postgres.toFixed(1),
    })),
  );
}

async function writerRates(linksTotal: number, awayMs: number, rounds = ROUNDS): Promise<WriterRates> {
  const folder = await mkdtemp(join(tmpdir(), "waymark-bench-"));
  const postgres = await startEmbeddedPostgres(folder, () => {});
  try {
    await migrate(postgres.url);
    const links = await makeLinks(postgres.url, linksTotal);
    const backends = await backendsOf(folder);
    const line = await TcpProxy.start(Number(new URL(postgres.url).port), { delayMs: awayMs / 2 });
    await using applier = await startApplier(folder, awayMs > 0 ? line.urlThrough(postgres.url) : postgres.url);
    const measured: Measured[] = [];
    for (let round = 0; round <= rounds; round++) {
      const spoolId = await fillSpool(join(folder, "spool"), links, round);
      const cpuBefore = { worker: runTimeMs(mainThreadExcepted()), postgres: runTimeMs(backends()) };
      const startedAt = performance.now();
      await applier.apply(spoolId);
      const seconds = (performance.now() - startedAt) / 1000;
      measured.push({
        rowsPerSecond: CLICKS / seconds,
        worker: ((runTimeMs(mainThreadExcepted()) - cpuBefore.worker) * 1000) / CLICKS,
        postgres: ((runTimeMs(backends()) - cpuBefore.postgres) * 1000) / CLICKS,
      });
    }
    return { links: linksTotal, awayMs, ...medians(measured.slice(1)) };
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

type Measured = Omit<WriterRates, "links" | "awayMs">;

const medians = (measured: readonly Measured[]): Measured => ({
  rowsPerSecond: median(measured.map((each) => each.rowsPerSecond)),
  worker: median(measured.map((each) => each.worker)),
  postgres: median(measured.map((each) => each.postgres)),
});

interface Links {
  orgId: string;
  ids: readonly string[];
}

async function makeLinks(databaseUrl: string, count: number): Promise<Links> {
  const { sql, close } = openDatabase(databaseUrl, { pool: "tool" });
  const [orgId, domainId] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()];
  await sql`insert into organizations (id, name, slug, plan) values (${orgId}, 'Bench', 'bench', 'unlimited')`;
  await sql`insert into domains (id, org_id, hostname) values (${domainId}, ${orgId}, 'links.example.com')`;
  const ids = await makeBenchLinks(sql, { orgId, domainId }, count);
  await sql`vacuum analyze`;
  await close();
  return { orgId, ids };
}

async function startApplier(folder: string, databaseUrl: string) {
  const spoolsFolder = join(folder, "spool");
  await Bun.$`mkdir -p ${spoolsFolder}`;
  const own = createSpoolFolder(spoolsFolder, DATABASE);
  const committed = createCommitCell();
  committed.set(1, 0);
  const waiting = new Map<string, () => void>();
  const worker = new WorkerThread({
    settings: {
      databaseUrl,
      visitorSecret: new Uint8Array(32),
      visitorRotation: "none",
      spoolsFolder,
      spoolId: own.id,
      committed: committed.shared,
      adoptEveryMs: 60_000,
      keptBytesMax: 1024 ** 3,
    },
    log: createLog((text) => process.stderr.write(text)),
    onProgress: () => undefined,
    onKept: (spoolId, isKept) => isKept && waiting.get(spoolId)?.(),
    onEmptied: () => undefined,
  });
  worker.begin();
  await worker.drain(committed.get(), START_MS_MAX);
  return {
    async apply(spoolId: string): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.set(spoolId, resolve);
      worker.adopt(spoolId);
      await promise;
      if (worker.counts.poisoned > 0) throw new Error(`${worker.counts.poisoned} clicks were set aside`);
    },
    async [Symbol.asyncDispose]() {
      await worker.close(committed.get(), 1_000);
      own.lock.release();
    },
  };
}

/** Fills a spool and releases it, in the state that a dead process leaves, and returns its id. */
async function fillSpool(spoolsFolder: string, links: Links, round: number): Promise<string> {
  const { id, path, lock } = createSpoolFolder(spoolsFolder, DATABASE);
  const spool = new Spool({
    folder: path,
    sequenceBefore: 0,
    bytesMax: 1024 ** 3,
    fsyncMs: 0,
    onCommit: () => undefined,
    onFault: (fault) => {
      throw fault;
    },
  });
  const agents = Array.from({ length: AGENTS }, () => new UserAgent().toString());
  const roundMs = (CLICKS * 1000) / CLICKS_A_SECOND;
  const start = Date.now() - (ROUNDS + 1 - round) * roundMs;
  for (let index = 0; index < CLICKS; index++) {
    const appended = spool.append(click(Math.floor(start + (index / CLICKS) * roundMs), links, agents));
    if (index % APPENDED_A_TURN === 0) await appended;
  }
  await spool.close();
  lock.release();
  return id;
}

/** Makes a click with a Zipf-distributed link and a visitor from anywhere in the world. */
function click(at: number, { orgId, ids }: Links, agents: readonly string[]): ClickRecord {
  const link = ids[Math.floor(ids.length ** Math.random()) - 1] ?? ids[0] ?? "";
  const seed = Math.floor(Math.random() * ADDRESSES);
  return {
    kind: "click",
    id: Bun.randomUUIDv7("hex", at),
    at,
    linkId: link,
    linkVersion: 1,
    orgId,
    route: "default",
    ruleIndex: null,
    splitKey: null,
    isHead: false,
    isPrefetch: false,
    address: `${11 + (seed % 180)}.${(seed * 13) % 256}.${(seed * 31) % 256}.${1 + (seed % 250)}`,
    userAgent: agents[seed % agents.length] ?? "",
    acceptLanguage: "de-DE,de;q=0.9,en;q=0.8",
    referrer: "https://news.example.com/story",
    query: "",
  };
}
