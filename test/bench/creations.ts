/**
 * Measures creating links over HTTP, with a separate Postgres: a hundred per request, and one per request by 16
 * concurrent clients. On a busy machine, rely on the CPU time per link.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AuthSession } from "@/contract/accounts/auth";
import { startEmbeddedPostgres } from "@/platform/db/embedded/embedded";
import { backendsOf, runTimeMs, threadsOf } from "./cpu";
import { post, quantileOf } from "./requests";
import { startWaymark } from "./servers";

const BULK = 100;
const BULKS = 40;
const WARM_UP = 5;
const CLIENTS = 16;
/** Together below the rate limit of one user per minute. */
const SINGLES = 3_000;
const WARM_UP_SINGLES = 1_000;

export async function measureCreations(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "waymark-creations-"));
  const postgres = await startEmbeddedPostgres(folder, () => {});
  try {
    await using waymark = await startWaymark(postgres.url);
    const account = {
      name: "Bench",
      organizationName: "Bench",
      email: "bench@example.com",
      password: crypto.randomUUID(),
    };
    const session = await post<AuthSession>(`${waymark.origin}/api/v1/auth/register`, account);
    const base = `${waymark.origin}/api/v1/organizations/${session.organizations[0]?._id}/links`;
    const create = (path: string, body: unknown) => post(base + path, body, session.token);
    const backends = await backendsOf(folder);
    const cpu = () => ({ server: runTimeMs(threadsOf(waymark.pid)), postgres: runTimeMs(backends()) });
    const times: number[] = [];
    let before = cpu();
    for (let index = -WARM_UP; index < BULKS; index++) {
      const links = Array.from({ length: BULK }, (_, place) => linkOf(`bulk-${index}-${place}`));
      const ms = await timed(() => create("/bulk", { links }));
      if (index >= 0) times.push(ms);
      else before = cpu();
    }
    const ofBulk = perLink(before, cpu(), BULK * BULKS);
    times.sort((a, b) => a - b);
    const createSingles = (name: string, count: number) => {
      let next = 0;
      const client = async () => {
        while (next < count) await create("", linkOf(`${name}-${next++}`));
      };
      return Promise.all(Array.from({ length: CLIENTS }, client));
    };
    await createSingles("warm", WARM_UP_SINGLES);
    before = cpu();
    const ms = await timed(() => createSingles("single", SINGLES));
    const ofSingles = perLink(before, cpu(), SINGLES);
    console.table({ "CPU of a link among 100, µs": ofBulk, "CPU of a link by itself, µs": ofSingles });
    console.table({
      "100 links per request, ms": {
        best: quantileOf(times, 0),
        p50: quantileOf(times, 0.5),
        p95: quantileOf(times, 0.95),
        target: 80,
      },
      [`1 link per request, ${CLIENTS} clients, requests/s`]: { p50: Math.round(SINGLES / (ms / 1000)), target: 600 },
    });
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const linkOf = (slug: string) => ({
  slug,
  title: `Link ${slug}`,
  defaultUrl: `https://shop.example.com/landing/${slug}`,
  tags: ["bench", "spring"],
});

interface Cpu {
  server: number;
  postgres: number;
}

/** Returns CPU microseconds per link. */
function perLink(before: Cpu, after: Cpu, links: number): Cpu {
  const share = (name: keyof Cpu) => Math.round((1000 * (after[name] - before[name])) / links);
  return { server: share("server"), postgres: share("postgres") };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
