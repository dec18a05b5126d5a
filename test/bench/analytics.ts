/**
 * `bun run bench:analytics [--clicks=10000000] [--links=5000] [--folder=…] [--requests=100]`: loads clicks of 90 days through
 * the product's own writer into a Postgres of its own, which stays in the folder for the next run, and measures what the
 * analytics routes take then.
 */
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import UserAgent from "user-agents";
import type { AuthSession } from "@/contract/auth";
import { openDatabase } from "@/platform/db/client";
import { startEmbeddedPostgres } from "@/platform/db/embedded";
import { loadClicks } from "./analytics-load";
import { measureRoutes } from "./analytics-measure";
import type { Traffic } from "./analytics-traffic";
import { LOAD_CORE } from "./load";
import { startWaymark } from "./servers";

const AGENTS = 400;
const BULK_MAX = 100;
const INTERRUPTED = 130;

/** What a folder was begun with, so that every run goes on with the same. */
interface Subject extends Traffic {
  email: string;
  password: string;
}

const { values } = parseArgs({
  options: {
    clicks: { type: "string", default: "10000000" },
    links: { type: "string", default: "5000" },
    requests: { type: "string", default: "100" },
    folder: { type: "string" },
  },
});
const clicks = Number(values.clicks);
const folder = values.folder ?? join(tmpdir(), `waymark-analytics-${clicks}`);

const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stopping.abort());

await mkdir(folder, { recursive: true });
const postgres = await startEmbeddedPostgres(folder, () => {});
let exitCode = 0;
try {
  const subject = await begunSubject(postgres.url);
  const { url: databaseUrl } = postgres;
  const isWhole = await loadClicks({ databaseUrl, dataDir: folder, traffic: subject, signal: stopping.signal });
  if (isWhole && !stopping.signal.aborted) await measureAll(databaseUrl, subject);
  else exitCode = INTERRUPTED;
} finally {
  await postgres.stop();
}
console.log(`The data is kept in ${folder}`);
process.exit(exitCode);

async function measureAll(databaseUrl: string, subject: Subject): Promise<void> {
  if (Bun.which("taskset")) await Bun.$`taskset -pc ${LOAD_CORE} ${process.pid}`.quiet();
  await using waymark = await startWaymark(databaseUrl);
  const { email, password } = subject;
  const { token } = await post<AuthSession>(`${waymark.origin}/api/v1/auth/login`, { email, password });
  await measureRoutes(waymark, token, subject, Number(values.requests));
}

async function begunSubject(databaseUrl: string): Promise<Subject> {
  const file = Bun.file(join(folder, "subject.json"));
  if (await file.exists()) {
    const subject: Subject = await file.json();
    if (subject.clicks !== clicks) throw new Error(`${folder} was begun with --clicks=${subject.clicks}`);
    return subject;
  }
  const subject = await makeSubject(databaseUrl);
  await Bun.write(file, JSON.stringify(subject));
  return subject;
}

async function makeSubject(databaseUrl: string): Promise<Subject> {
  await using waymark = await startWaymark(databaseUrl);
  const account = { email: `bench-${crypto.randomUUID()}@example.com`, password: crypto.randomUUID() };
  const { token, organizations } = await post<AuthSession>(`${waymark.origin}/api/v1/auth/register`, {
    ...account,
    name: "Bench",
    organizationName: "Bench",
  });
  const orgId = organizations[0]?._id ?? "";
  const total = Number(values.links);
  for (let made = 0; made < total; made += BULK_MAX) {
    const inputs = Array.from({ length: Math.min(BULK_MAX, total - made) }, (_, index) => linkInput(made + index));
    await Promise.all(
      inputs.map((input) => post(`${waymark.origin}/api/v1/organizations/${orgId}/links`, input, token)),
    );
    process.stdout.write(`\r${made + inputs.length} links`);
  }
  process.stdout.write("\n");
  const agents = Array.from({ length: AGENTS }, () => new UserAgent().toString());
  return { ...account, clicks, end: Date.now(), orgId, linkIds: await linkIds(databaseUrl, orgId), agents };
}

function linkInput(index: number) {
  return { slug: `bench-${index}`, defaultUrl: `https://example.com/landing/${index}` };
}

async function linkIds(databaseUrl: string, orgId: string): Promise<string[]> {
  const { sql, close } = openDatabase(databaseUrl, { pool: "tool" });
  const rows = await sql<{ id: string }[]>`
    select id from links where org_id = ${orgId} order by substring(slug from 7)::int`;
  await close();
  return rows.map(({ id }) => id);
}

async function post<Body>(url: string, body: unknown, token?: string): Promise<Body> {
  const headers = { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (response.status === 429) {
    await Bun.sleep(Number(response.headers.get("retry-after")) * 1000);
    return post(url, body, token);
  }
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Body;
}
