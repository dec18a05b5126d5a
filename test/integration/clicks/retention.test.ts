/** Raw clicks and opens past the retention of a plan: deleted in batches, or whole months at a time. Figures stay. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { createDatabase, type TestDatabase } from "@test/support/servers/postgres";
import { temporaryFolder } from "@test/unit/clicks/records";
import { ensurePartitions } from "@/clicks/partitions";
import { deleteExpired } from "@/clicks/retention";
import { DAY_MS } from "@/core/time/time-range";
import { verifyFigures } from "@/figures/verify/verify";
import { createLog } from "@/platform/telemetry/log";
import { clickOn, type LoggedPipeline, type SeededLink, seedLink, seedOrganization, startPipeline } from "./fixture";

const NOW = Date.UTC(2026, 10, 21, 12);
const KEPT_FROM = Date.UTC(2026, 10, 11);
const RETENTION_DAYS = { short: 10, unlimited: null };

let database: TestDatabase;
let pipeline: LoggedPipeline;
let short: SeededLink;
let endless: SeededLink;
const folder = temporaryFolder();
const log = createLog(() => undefined);

beforeAll(async () => {
  database = await createDatabase();
  pipeline = startPipeline(folder.path, database.url);
});
beforeEach(async () => {
  [short, endless] = (await Promise.all(
    [1, 2].map(async () => seedLink(database.sql, await seedOrganization(database.sql))),
  )) as [SeededLink, SeededLink];
  await database.sql`update organizations set plan = 'short' where id = ${short.orgId}`;
});
afterAll(async () => {
  await pipeline.close();
  folder.remove();
  await database.drop();
});

const expire = (batchRows?: number) =>
  deleteExpired({
    sql: database.sql,
    log,
    now: NOW,
    retentionDays: RETENTION_DAYS,
    signal: new AbortController().signal,
    batchRows,
  });

async function visit(link: SeededLink, ...times: number[]): Promise<void> {
  for (const at of times) {
    await pipeline.append(clickOn(link, { at }));
    await pipeline.append(clickOn(link, { at, kind: "open" }));
  }
  await waitUntilDrained(pipeline);
}

async function kept(link: SeededLink): Promise<{ clicks: number[]; opens: number[] }> {
  const timesIn = async (table: "clicks" | "opens") => {
    const rows = await database.sql`
      select occurred_at from ${database.sql(table)} where link_id = ${link.id} order by occurred_at`;
    return rows.map((row) => Date.parse(row.occurred_at));
  };
  return { clicks: await timesIn("clicks"), opens: await timesIn("opens") };
}

async function turnAway({ orgId }: SeededLink, ...hours: number[]): Promise<void> {
  for (const hour of hours) {
    await database.sql`
      insert into unserved_visits (org_id, hour, domain_id, is_bot, writer, counts)
      values (${orgId}, ${new Date(hour)}, ${orgId}, false, ${orgId}, '[]')`;
  }
}

async function unservedHours({ orgId }: SeededLink): Promise<number[]> {
  const rows = await database.sql`select hour from unserved_visits where org_id = ${orgId} order by hour`;
  return rows.map(({ hour }) => Date.parse(hour));
}

const both = (...times: number[]) => ({ clicks: times, opens: times });

async function partitions(): Promise<string[]> {
  const rows = await database.sql`
    select relname from pg_class where relispartition and relkind = 'r' and relname ~ '^clicks_[0-9]' order by 1`;
  return rows.map(({ relname }) => relname);
}

describe("rows", () => {
  test("older than the retention are deleted in batches; organizations without a limit keep theirs", async () => {
    const old = [KEPT_FROM - 1, KEPT_FROM - DAY_MS, KEPT_FROM - 2 * DAY_MS, KEPT_FROM - 3 * DAY_MS];
    await visit(short, ...old, KEPT_FROM, NOW);
    await visit(endless, ...old);
    expect(await expire(3)).toMatchObject({ deleted: 8 });
    expect(await kept(short)).toEqual(both(KEPT_FROM, NOW));
    expect(await kept(endless)).toEqual(both(...old.toReversed()));
    expect(await expire()).toMatchObject({ deleted: 0 });
  });

  test("of unserved visits are deleted by the same retention", async () => {
    for (const link of [short, endless]) await turnAway(link, KEPT_FROM - 3_600_000, KEPT_FROM);
    expect(await expire()).toMatchObject({ deleted: 1 });
    expect(await unservedHours(short)).toEqual([KEPT_FROM]);
    expect(await unservedHours(endless)).toEqual([KEPT_FROM - 3_600_000, KEPT_FROM]);
  });

  test("are deleted without changing their figures, which still pass verification", async () => {
    await visit(short, KEPT_FROM - DAY_MS, NOW);
    await expire();
    const [days] = await database.sql`
      select sum(clicks)::int as clicks from figures_daily where link_id = ${short.id} and not is_bot`;
    expect(days?.clicks).toBe(2);
    const found: unknown[] = [];
    const { orgId } = short;
    await verifyFigures(database.sql, {
      span: {},
      orgId,
      isRepairing: false,
      onDifference: (each) => found.push(each),
    });
    expect(found).toEqual([]);
  });

  test("deleted before an upgrade to a longer retention are not reported as missing", async () => {
    await visit(short, KEPT_FROM - DAY_MS, NOW);
    await expire();
    await database.sql`update organizations set plan = 'unlimited' where id = ${short.orgId}`;
    await expire();
    const found: unknown[] = [];
    const { orgId } = short;
    await verifyFigures(database.sql, {
      span: {},
      orgId,
      isRepairing: false,
      onDifference: (each) => found.push(each),
    });
    expect(found).toEqual([]);
  });

  test("stay if the job is aborted", async () => {
    await visit(short, KEPT_FROM - DAY_MS);
    const signal = AbortSignal.abort();
    await deleteExpired({ sql: database.sql, log, now: NOW, retentionDays: RETENTION_DAYS, signal });
    expect(await kept(short)).toEqual(both(KEPT_FROM - DAY_MS));
  });
});

describe("a month", () => {
  const [september, october] = [Date.UTC(2026, 8, 10), Date.UTC(2026, 9, 10)];
  beforeEach(() => ensurePartitions(database.sql, new Date(Date.UTC(2026, 8, 1))));

  test("is not dropped while an organization keeps rows in it", async () => {
    await visit(short, september, october);
    await visit(endless, september, october);
    await expire();
    expect(await partitions()).toContain("clicks_2026_09");
    expect(await kept(short)).toEqual(both());
    expect(await kept(endless)).toEqual(both(september, october));
  });

  test("without rows to keep is dropped while the writer is active, and no other clicks are lost", async () => {
    await database.sql`delete from clicks where org_id = ${endless.orgId} or occurred_at < ${new Date(KEPT_FROM).toISOString()}`;
    await database.sql`delete from opens where occurred_at < ${new Date(KEPT_FROM).toISOString()}`;
    await visit(short, september, september);
    let isWriting = true;
    let written = 0;
    const writing = (async () => {
      while (isWriting) {
        await pipeline.append(clickOn(endless, { at: NOW }));
        // A late click, in the month that is dropped.
        await pipeline.append(clickOn(short, { at: september }));
        written++;
        await Bun.sleep(1);
      }
    })();
    const { dropped } = await expire();
    isWriting = false;
    await writing;
    await waitUntilDrained(pipeline);
    expect(dropped).toContain("clicks_2026_09");
    expect(dropped).toContain("opens_2026_09");
    expect(await partitions()).not.toContain("clicks_2026_09");
    expect((await kept(endless)).clicks).toHaveLength(written);
    await expire();
    expect((await kept(short)).clicks).toEqual([]);
    expect(pipeline.stats()).toMatchObject({ poisoned: 0, shed: 0 });
  });

  test("that is only partly past the retention is not dropped", async () => {
    expect(await partitions()).toContain("clicks_2026_11");
  });
});
