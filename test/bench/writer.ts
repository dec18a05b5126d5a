/** Rows a second from the spool into Postgres: enriched, indexed, rolled up. Postgres shares the second core with the load. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import UserAgent from "user-agents";
import { startClickPipeline } from "@/clicks/pipeline";
import type { ClickRecord } from "@/clicks/record";
import { openDatabase } from "@/platform/db/client";
import { startEmbeddedPostgres } from "@/platform/db/embedded";
import { createLog } from "@/platform/log";
import { median } from "./rounds";
import { startWaymark } from "./servers";
import { createLinks } from "./subject";

const CLICKS = 100_000;
const ROUNDS = 3;
const AGENTS = 500;
const ADDRESSES = 20_000;
const DRAIN_MS_MAX = 120_000;

export async function measureWriter(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "waymark-bench-"));
  const postgres = await startEmbeddedPostgres(folder, () => {});
  try {
    const links = await makeLinks(postgres.url);
    const pipeline = await startClickPipeline({
      dataDir: folder,
      databaseUrl: postgres.url,
      fsyncMs: 10,
      spoolBytesMax: 1024 ** 3,
      visitorSecret: new Uint8Array(32),
      visitorRotation: "none",
      log: createLog((text) => process.stderr.write(text)),
    });
    const rates: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) rates.push(await rowsPerSecond(pipeline, links));
    await pipeline.close();
    console.log("\nClick writer, spool to Postgres");
    console.table([{ "clicks a round": CLICKS, "rows/s": Math.round(median(rates.slice(1))) }]);
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface LinkIds {
  id: string;
  orgId: string;
}

async function makeLinks(databaseUrl: string): Promise<LinkIds[]> {
  {
    await using waymark = await startWaymark(databaseUrl);
    await createLinks(waymark.origin);
  }
  const { sql, close } = openDatabase(databaseUrl, { pool: "tool" });
  const links = await sql<LinkIds[]>`select id, org_id as "orgId" from links`;
  await close();
  return [...links];
}

async function rowsPerSecond(
  pipeline: Awaited<ReturnType<typeof startClickPipeline>>,
  links: LinkIds[],
): Promise<number> {
  const agents = Array.from({ length: AGENTS }, () => new UserAgent().toString());
  const start = performance.now();
  for (let index = 0; index < CLICKS; index++) {
    const appended = pipeline.append(click(index, links, agents));
    if (index % 64 === 0) await appended;
  }
  if (!(await pipeline.drain(DRAIN_MS_MAX))) throw new Error("The writer did not finish");
  return CLICKS / ((performance.now() - start) / 1000);
}

/** Links by a Zipf law, visitors all over the world. */
function click(index: number, links: LinkIds[], agents: string[]): ClickRecord {
  const link = links[Math.floor(links.length ** Math.random()) - 1] ?? links[0];
  const seed = Math.floor(Math.random() * ADDRESSES);
  return {
    kind: "click",
    id: Bun.randomUUIDv7(),
    at: Date.now(),
    linkId: link?.id ?? "",
    linkVersion: 1,
    orgId: link?.orgId ?? "",
    route: "default",
    ruleIndex: null,
    splitKey: null,
    isHead: false,
    isPrefetch: false,
    address: `${11 + (seed % 180)}.${(seed * 13) % 256}.${(seed * 31) % 256}.${1 + (seed % 250)}`,
    userAgent: agents[index % agents.length] ?? "",
    acceptLanguage: "de-DE,de;q=0.9,en;q=0.8",
    referrer: "https://news.example.com/story",
    query: "",
  };
}
