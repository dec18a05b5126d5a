/**
 * Measures a million links in the cache of one process under Zipf-distributed requests: the process's memory, the hit
 * rate, and the cost of a lookup. When run directly (`import.meta.main`), this file is the measured process.
 */
import { MEMORY } from "@test/support/service-process";
import type { LinkDefinition } from "@/core/routing/link";
import { LinkCache } from "@/platform/link-cache/cache";
import { pinned, SERVER_CORE } from "./load";
import { linkDefinition } from "./subject";

const LINKS = 1_000_000;
/** One link in five has three rules; the others have only a destination, a title and UTM. */
const RULED_EVERY = 5;
const REQUESTS = 3_000_000;
const CACHE_MB = 390;
const MEGABYTE = 1024 * 1024;

export async function measureMemory(): Promise<void> {
  // How much garbage the runtime lets accumulate depends on the machine's memory: 1 GB, as on the target machine.
  const env = { PATH: Bun.env.PATH, ...MEMORY, BUN_JSC_forceRAMSize: String(1024 * MEGABYTE) };
  const child = Bun.spawn(pinned(SERVER_CORE, [process.execPath, import.meta.path]), { env, stdout: "pipe" });
  const report: unknown = JSON.parse(await new Response(child.stdout).text());
  console.log(`\nMemory of ${LINKS.toLocaleString("en")} cached links, LINK_CACHE_MB=${CACHE_MB}`);
  console.table([report]);
}

const keyOf = (index: number) => `go.example.com/link-${index}`;

function definitionOf(index: number): LinkDefinition {
  const whole = { ...linkDefinition(index), shortUrl: `https://${keyOf(index)}` };
  if (index % RULED_EVERY > 0) whole.rules = [];
  // As if read from Postgres: shares no strings with other links.
  return JSON.parse(JSON.stringify(whole));
}

/** Draws from a Zipf distribution with exponent 1. Ranks are spread over all links: load order has no effect. */
const draw = () => (Math.floor(LINKS ** Math.random()) * 7_919) % LINKS;

async function run(): Promise<void> {
  const cache = new LinkCache({
    bytesMax: CACHE_MB * MEGABYTE,
    load: async (key) => definitionOf(Number(key.slice(key.lastIndexOf("-") + 1))),
    now: Date.now,
    onRefreshFailed: (error) => {
      throw error;
    },
  });
  cache.freshFor(Infinity);
  for (let index = 0; index < LINKS; index++) await cache.get(keyOf(index));
  let found = 0;
  let nanoseconds = 0;
  for (let request = 0; request < REQUESTS; request++) {
    const key = keyOf(draw());
    const start = Bun.nanoseconds();
    const link = cache.peek(key, start);
    nanoseconds += Bun.nanoseconds() - start;
    if (link) found++;
    else await cache.get(key);
  }
  const { packed, bytes } = cache.stats();
  const report = {
    links: packed,
    "RSS MB": Math.round(process.memoryUsage.rss() / MEGABYTE),
    "estimated MB": Math.round(bytes / MEGABYTE),
    "found %": Number(((100 * found) / REQUESTS).toFixed(2)),
    "ns a request": Math.round(nanoseconds / REQUESTS),
  };
  process.stdout.write(JSON.stringify(report));
}

if (import.meta.main) await run();
