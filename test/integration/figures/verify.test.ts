/**
 * Figures checked against the raw clicks and opens: every kind of fault is found and mended, and none is found where
 * none is.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { createDatabase, type TestDatabase } from "@test/support/servers/postgres";
import { temporaryFolder } from "@test/unit/clicks/records";
import { DAY_MS, HOUR_MS } from "@/core/time/time-range";
import { fillFigures, isUnfilled } from "@/figures/verify/fill-figures";
import { runFiguresProcess } from "@/figures/verify/run-figures-process";
import { floorToDay, verifyFigures } from "@/figures/verify/verify";
import type { CounterDifference } from "@/figures/verify/verify-counters";
import type { Difference } from "@/figures/verify/verify-day";
import { verifySample } from "@/figures/verify/verify-sample";
import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import { createLog } from "@/platform/telemetry/log";
import {
  clickOn,
  type LoggedPipeline,
  type SeededLink,
  seedLink,
  seedOrganization,
  startPipeline,
} from "../clicks/fixture";

const HOUR = Date.UTC(2026, 10, 18, 13);
const DAY = HOUR - (HOUR % DAY_MS);

let database: TestDatabase;
let link: SeededLink;
let other: SeededLink;
let pipeline: LoggedPipeline;
const folder = temporaryFolder();

beforeAll(async () => {
  database = await createDatabase();
  [link, other] = await Promise.all([newLink(), newLink()]);
  pipeline = startPipeline(folder.path, database.url);
  for (const each of [link, other]) await write(each, 40);
  await waitUntilDrained(pipeline);
});
afterAll(async () => {
  await pipeline.close();
  folder.remove();
  await database.drop();
});

const newLink = async () => seedLink(database.sql, await seedOrganization(database.sql));

/** Writes visits over two days by visitors who return; some are of bots and some are opens. */
async function write(to: SeededLink, visits: number): Promise<void> {
  for (let index = 0; index < visits; index++) {
    const record = clickOn(to, {
      at: HOUR - (index % 4) * 9 * HOUR_MS,
      kind: index % 5 === 4 ? "open" : "click",
      isHead: index % 7 === 6,
      visitorId: `visitor ${index % 10}`,
    });
    await pipeline.append(record);
  }
}

async function verify(options: { isRepairing?: boolean; orgId?: string; from?: number; to?: number } = {}) {
  const { isRepairing = false, orgId, from, to } = options;
  const found: (Difference | CounterDifference)[] = [];
  const summary = await verifyFigures(database.sql, {
    span: { from, to },
    orgId,
    isRepairing,
    onDifference: (difference) => found.push(difference),
  });
  return { found, summary };
}

test("freshly written figures have no differences", async () => {
  const { found, summary } = await verify();
  expect(found).toEqual([]);
  expect(summary).toMatchObject({ organizations: 2, days: 4, differences: 0, mended: 0 });
});

describe("a seeded fault is found, reported and repaired:", () => {
  const at = new Date(HOUR).toISOString();
  const day = new Date(DAY).toISOString();
  const sql = () => database.sql;
  const faults: [string, () => Promise<unknown>, () => object][] = [
    [
      "a total of an hour that is too high",
      () => sql()`update figures_hourly set clicks = clicks + 5 where link_id = ${link.id} and hour = ${at}`,
      () => ({ linkId: link.id, unit: "hour", start: HOUR, metric: "clicks", dimension: "total", value: "" }),
    ],
    [
      "a row of a day that is missing",
      () => sql()`delete from figures_daily where link_id = ${link.id} and day = ${day} and not is_bot`,
      () => ({
        linkId: link.id,
        unit: "day",
        start: DAY,
        metric: "opens",
        dimension: "source",
        value: "direct",
        have: 0,
      }),
    ],
    [
      "counts by dimension that are missing",
      () => sql()`update figures_daily set counts = '' where link_id = ${link.id} and day = ${day} and not is_bot`,
      () => ({ linkId: link.id, unit: "day", metric: "clicks", dimension: "browser", value: "Mobile Safari", have: 0 }),
    ],
    [
      "a count that nothing stands for",
      () => sql()`insert into figures_daily (org_id, link_id, day, is_bot, writer, clicks, opens, counts)
        select ${link.orgId}, ${link.id}, ${day}, false, 9, 0, 0, counts from figures_daily
        where link_id = ${link.id} and day = ${day} and not is_bot limit 1`,
      () => ({ linkId: link.id, unit: "day", metric: "clicks", dimension: "browser", value: "Mobile Safari" }),
    ],
    [
      "a total of the whole organization",
      () => sql()`update figures_daily set opens = opens - 1
        where org_id = ${link.orgId} and link_id = ${WHOLE_ORGANIZATION} and day = ${day} and not is_bot`,
      () => ({ linkId: WHOLE_ORGANIZATION, unit: "day", metric: "opens", dimension: "total", value: "" }),
    ],
    [
      "visitors of an hour that are missing",
      () => sql()`update figures_hourly set visitors = null where link_id = ${link.id} and hour = ${at} and not is_bot`,
      () => ({ linkId: link.id, unit: "hour", metric: "clicks", dimension: "visitors", have: 0 }),
    ],
    [
      "a sketch of a day that cannot be read",
      () => sql()`update figures_daily set visitors = 'x'::bytea where link_id = ${link.id} and day = ${day}`,
      () => ({ linkId: link.id, unit: "day", metric: "clicks", dimension: "visitors", have: null }),
    ],
    [
      "a raw click that was never counted",
      () => sql()`delete from clicks where (occurred_at, id) in
        (select occurred_at, id from clicks where link_id = ${link.id} and not is_bot limit 1)`,
      () => ({ linkId: link.id, metric: "clicks", dimension: "total" }),
    ],
    [
      "a counter",
      () => sql()`update link_counters set clicks = clicks + 2 where link_id = ${link.id}`,
      () => ({ linkId: link.id, metric: "clicks" }),
    ],
  ];

  test.each(faults)("%s", async (_, seed, expected) => {
    await seed();
    const { found } = await verify();
    expect(found).toContainEqual(expect.objectContaining({ orgId: link.orgId, ...expected() }));
    expect(found.every(({ orgId }) => orgId === link.orgId)).toBe(true);
    const { summary } = await verify({ isRepairing: true, orgId: link.orgId });
    expect(summary.mended).toBeGreaterThan(0);
    expect((await verify({ orgId: link.orgId })).found).toEqual([]);
  });

  test("and clicks that a running writer adds afterwards are counted exactly", async () => {
    await write(link, 40);
    await waitUntilDrained(pipeline);
    expect((await verify()).found).toEqual([]);
  });
});

describe("the check is limited to", () => {
  beforeEach(async () => {
    await database.sql`update figures_daily set opens = opens + 1 where link_id = ${link.id}`;
  });
  afterAll(() => verify({ isRepairing: true }));

  test("a given organization", async () => {
    expect((await verify({ orgId: other.orgId })).found).toEqual([]);
    expect((await verify({ orgId: link.orgId })).found).not.toEqual([]);
  });

  test("a given range of days", async () => {
    expect((await verify({ from: DAY + DAY_MS })).found).toEqual([]);
    expect((await verify({ to: DAY - DAY_MS })).found).toEqual([]);
    const { found } = await verify({ from: DAY, to: DAY + 1 });
    expect(found.length).toBeGreaterThan(0);
    expect(found.every((each) => "start" in each && each.start === DAY)).toBe(true);
  });

  test("days whose raw clicks are kept", async () => {
    const keptFrom = new Date(DAY + DAY_MS).toISOString();
    await database.sql`insert into raw_retention (org_id, kept_from) values (${link.orgId}, ${keptFrom})`;
    expect((await verify()).found).toEqual([]);
    await database.sql`delete from raw_retention`;
  });
});

describe("the nightly check", () => {
  const PAST = floorToDay(HOUR) + 3 * DAY_MS;
  const check = async (signal = new AbortController().signal) => {
    let logged = "";
    const log = createLog((text) => {
      logged += text;
    });
    const outcome = await runFiguresProcess(
      { task: "verify", databaseUrl: database.url, now: PAST, size: 500 },
      log,
      signal,
    );
    log.flush();
    return { outcome, logged };
  };

  test("logs nothing if every day is correct", async () => {
    const { outcome, logged } = await check();
    expect(outcome.days).toBeGreaterThan(0);
    expect(outcome.differences).toBe(0);
    expect(logged).toBe("");
  });

  test("logs differences without repairing them", async () => {
    await database.sql`update figures_daily set opens = opens + 1 where org_id = ${link.orgId}`;
    const { outcome, logged } = await check();
    expect(outcome.differences).toBeGreaterThan(0);
    expect(logged).toContain(
      '"message":"figures differ from the clicks they count; correct them with `bun run admin verify-rollups --mend`"',
    );
    expect(logged).toContain(link.orgId);
    expect((await verify({ orgId: link.orgId })).found).not.toEqual([]);
    await verify({ isRepairing: true });
  });

  test("finds days to check even if few organizations have any", async () => {
    await database.sql`
      insert into organizations (id, name, slug, plan)
      select gen_random_uuid(), 'Idle', 'idle-' || number, 'unlimited' from generate_series(1, 1000) as number`;
    expect(await verifySample(database.sql, { now: PAST, size: 3 }, () => {})).toEqual({ days: 3, differences: 0 });
    await database.sql`delete from organizations where name = 'Idle'`;
  });

  test("stops when it is aborted", async () => {
    const ending = new AbortController();
    const checked = check(ending.signal);
    ending.abort();
    await expect(checked).rejects.toThrow("aborted");
  });

  test("fails if Postgres is unreachable", async () => {
    const question = { task: "verify", databaseUrl: "postgres://nobody@127.0.0.1:1/none", now: PAST } as const;
    const checked = runFiguresProcess(
      question,
      createLog(() => {}),
      new AbortController().signal,
    );
    await expect(checked).rejects.toThrow("The figures process (verify) ended with 1");
  });
});

describe("figures of days before an upgrade that added dimensions", () => {
  const fill = async (now: number) => {
    const log = createLog(() => {});
    return runFiguresProcess({ task: "fill", databaseUrl: database.url, now }, log, new AbortController().signal);
  };

  test("are computed from raw clicks, for the day of the upgrade once it is over", async () => {
    const upgradedOn = new Date(DAY);
    await database.sql`update figures_daily set counts = '' where org_id = ${link.orgId}`;
    await database.sql`insert into figure_fills (org_id, upgraded_on, filled_from)
      values (${link.orgId}, ${upgradedOn}, ${upgradedOn})`;
    expect(await fill(DAY + HOUR_MS)).toEqual({ days: 1, left: 1 });
    expect((await verify({ orgId: link.orgId, to: DAY })).found).toEqual([]);
    expect((await verify({ orgId: link.orgId, from: DAY })).found).not.toEqual([]);
    // The nightly check skips days that are still to be filled.
    expect(await isUnfilled(database.sql, link.orgId, DAY)).toBe(true);
    expect(await isUnfilled(database.sql, link.orgId, DAY - DAY_MS)).toBe(false);
    expect(await fill(DAY + DAY_MS)).toEqual({ days: 1, left: 0 });
    expect((await verify({ orgId: link.orgId })).found).toEqual([]);
  });

  test("resume filling where an interrupted run stopped", async () => {
    const days = [DAY, DAY + DAY_MS, DAY + 2 * DAY_MS].map((at) => new Date(at));
    await database.sql`insert into figure_fills (org_id, upgraded_on, filled_from)
      values (${link.orgId}, ${days[2] ?? ""}, ${days[2] ?? ""})`;
    expect(await fillFigures(database.sql, { now: DAY, daysMax: 1 })).toEqual({ days: 1, left: 1 });
    const [row] = await database.sql`select filled_from from figure_fills where org_id = ${link.orgId}`;
    expect(new Date(row?.filled_from)).toEqual(days[1] ?? new Date(0));
    expect((await fillFigures(database.sql, { now: DAY + 3 * DAY_MS })).left).toBe(0);
  });
});

test("while clicks are written, checking reports no difference and repairing loses none", async () => {
  const [busy, spoilt] = [await newLink(), await newLink()];
  let isWriting = true;
  let written = 0;
  const writing = (async () => {
    while (isWriting) {
      await write(busy, 20);
      await write(spoilt, 20);
      written += 20;
      await Bun.sleep(20);
    }
  })();
  for (let round = 0; round < 6; round++) {
    expect((await verify({ orgId: busy.orgId })).found).toEqual([]);
    await database.sql`update figures_hourly set clicks = clicks + 1 where link_id = ${spoilt.id}`;
    await database.sql`update figures_daily set visitors = null where link_id = ${spoilt.id}`;
    await verify({ orgId: spoilt.orgId, isRepairing: true });
  }
  isWriting = false;
  await writing;
  await waitUntilDrained(pipeline);
  expect((await verify()).found).toEqual([]);
  const [row] = await database.sql`select count(*)::int as rows from clicks where link_id = ${spoilt.id}`;
  const [opens] = await database.sql`select count(*)::int as rows from opens where link_id = ${spoilt.id}`;
  expect(row?.rows + opens?.rows).toBe(written);
});
