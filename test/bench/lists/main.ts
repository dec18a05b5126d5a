/**
 * `bun run bench lists [--links=200000] [--leads=500000] [--audits=1000000] [--folder=…] [--requests=20] [--only=…]`:
 * measures lists and exports of a large workspace over HTTP. Its data stays in the folder, in a separate Postgres,
 * for the next run. `--database=` uses an empty database elsewhere instead, for example one of another version.
 */
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { AuthSession } from "@/contract/accounts/auth";
import { openDatabase } from "@/platform/db/client";
import { startEmbeddedPostgres } from "@/platform/db/embedded/embedded";
import { migrate } from "@/platform/db/migrate";
import type { Measured } from "../measured";
import { post } from "../requests";
import { LARGE_POSTGRES, type Running, startWaymark } from "../servers";
import { type Made, makeLists, type Sizes } from "./data";
import { measureExport, measureList } from "./measure";
import { listRoutes } from "./routes";

/** Results are printed in tables of this many rows. */
const ROWS_A_TABLE = 10;

interface Subject extends Made {
  sizes: Sizes;
  orgId: string;
  email: string;
  password: string;
}

export async function measureLists(args: string[]): Promise<Measured[]> {
  const { values } = parseArgs({
    args,
    allowPositionals: true,
    strict: false,
    options: {
      links: { type: "string", default: "200000" },
      leads: { type: "string", default: "500000" },
      audits: { type: "string", default: "1000000" },
      requests: { type: "string", default: "20" },
      only: { type: "string", default: "" },
      folder: { type: "string" },
      database: { type: "string" },
    },
  });
  const [links, leads, audits] = [values.links, values.leads, values.audits].map(Number) as [number, number, number];
  const sizes = { links, leads, audits, deliveries: 300_000, others: 5_000, neighbours: 2_000 };
  const folder = String(values.folder ?? join(tmpdir(), `waymark-lists-${links}-${leads}-${audits}`));
  await mkdir(folder, { recursive: true });
  const own = values.database ? undefined : await startEmbeddedPostgres(folder, () => {}, LARGE_POSTGRES);
  try {
    // Migrated here, because with large tables that can exceed the time that a server may take to start.
    await migrate(own?.url ?? String(values.database));
    await using waymark = await startWaymark(own?.url ?? String(values.database));
    const subject = await begunSubject(own?.url ?? String(values.database), folder, waymark, sizes);
    await settle(own?.url ?? String(values.database));
    const postgres = own ? await processOf(folder) : 0;
    return await measureAll(waymark, subject, {
      postgres,
      requests: Number(values.requests),
      only: String(values.only),
    });
  } finally {
    await own?.stop();
    console.log(`The data stays in ${folder}`);
  }
}

interface MeasureOptions {
  /** Pid of the postmaster; 0 if it is not on this machine. */
  postgres: number;
  requests: number;
  /** Measures only routes whose names contain this text; "" measures all. */
  only: string;
}

/** Vacuums and analyzes now, as autovacuum would do in time, also after a migration. */
async function settle(databaseUrl: string): Promise<void> {
  const { sql, close } = openDatabase(databaseUrl, { pool: "tool" });
  await sql`vacuum analyze`;
  await close();
}

async function processOf(folder: string): Promise<number> {
  return Number.parseInt(await Bun.file(join(folder, "postgres/cluster/postmaster.pid")).text(), 10);
}

async function measureAll(
  waymark: Running,
  subject: Subject,
  { postgres, requests, only }: MeasureOptions,
): Promise<Measured[]> {
  const { email, password, orgId, sizes, leadLinkId } = subject;
  const { token } = await post<AuthSession>(`${waymark.origin}/api/v1/auth/login`, { email, password });
  const [all, rows]: [Measured[], object[]] = [[], []];
  for (const asked of listRoutes(orgId, subject, sizes)) {
    if (!asked.name.includes(only)) continue;
    const { measured, row } = await measureList(waymark, postgres, asked, { token, requests });
    all.push(measured);
    if (rows.push(row) % ROWS_A_TABLE === 0) console.table(rows.splice(0));
  }
  if (rows.length > 0) console.table(rows);
  if (!"leads export".includes(only)) return all;
  const path = `/api/v1/organizations/${orgId}/links/${leadLinkId}/leads/export.csv`;
  const { measured, row } = await measureExport(waymark, postgres, token, {
    name: `${sizes.leads} leads as CSV`,
    path,
    wantedMs: 20_000,
  });
  console.table([row]);
  return [...all, measured];
}

/**
 * Returns the workspace of an earlier run if the folder has one; throws if its sizes are others. Or else creates it.
 */
export async function begunSubject(
  databaseUrl: string,
  folder: string,
  waymark: Running,
  sizes: Sizes,
): Promise<Subject> {
  const file = Bun.file(join(folder, "subject.json"));
  if (await file.exists()) {
    const subject: Subject = await file.json();
    if (!Bun.deepEquals(subject.sizes, sizes))
      throw new Error(`${folder} was begun with other sizes: ${JSON.stringify(subject.sizes)}`);
    return subject;
  }
  const account = { email: `bench-${crypto.randomUUID()}@example.com`, password: crypto.randomUUID() };
  const { organizations } = await post<AuthSession>(`${waymark.origin}/api/v1/auth/register`, {
    ...account,
    ...{ name: "Bench", organizationName: "Bench" },
  });
  const orgId = organizations[0]?._id ?? "";
  const { sql, close } = openDatabase(databaseUrl, { pool: "tool" });
  const startedAt = performance.now();
  const made = await makeLists(sql, orgId, sizes);
  await close();
  console.log(`Generated the data in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  const subject = { ...account, ...made, orgId, sizes };
  await Bun.write(file, JSON.stringify(subject));
  return subject;
}
