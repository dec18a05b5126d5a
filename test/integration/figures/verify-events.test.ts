/**
 * Figures of custom events and leads checked against the rows: every kind of fault is found and mended, and none is
 * found where none is.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createDatabase, type TestDatabase } from "@test/support/servers/postgres";
import { ensurePartitions } from "@/clicks/partitions";
import { deleteExpired } from "@/clicks/retention";
import type { OrgId, Tenant } from "@/core/ids";
import { DAY_MS, HOUR_MS } from "@/core/time/time-range";
import { verifyFigures } from "@/figures/verify/verify";
import type { CounterDifference } from "@/figures/verify/verify-counters";
import type { Difference } from "@/figures/verify/verify-day";
import { verifySample } from "@/figures/verify/verify-sample";
import { createEventService } from "@/modules/events/service";
import { createLeadRecorder } from "@/modules/leads/service";
import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import { createLog } from "@/platform/telemetry/log";
import { type SeededLink, seedLink, seedOrganization } from "../clicks/fixture";

const NOW = Date.UTC(2026, 10, 18, 13, 30);
const DAY = NOW - (NOW % DAY_MS);
const HOUR = NOW - (NOW % HOUR_MS);

let database: TestDatabase;
let link: SeededLink;
let other: SeededLink;
let now = NOW;

beforeAll(async () => {
  database = await createDatabase();
  await ensurePartitions(database.sql, new Date(NOW));
  [link, other] = await Promise.all([newLink(), newLink()]);
  for (const each of [link, other]) {
    for (const hours of [0, 1, 30]) await record(each, NOW - hours * HOUR_MS);
  }
});
afterAll(() => database.drop());

const newLink = async () => seedLink(database.sql, await seedOrganization(database.sql));

/** Records two events of a link and one of no link, with values that binary fractions cannot represent, and a lead. */
async function record({ id: linkId, orgId }: SeededLink, at: number): Promise<void> {
  now = at;
  const events = createEventService({ db: database.db, clock: () => now, announce: async () => {} });
  const actor = { type: "apiKey", id: null, email: null, ip: null, userAgent: null } as const;
  const tenant: Tenant = { orgId: orgId as OrgId, actor };
  await events.create(tenant, { name: "purchase", linkId, value: 0.1 });
  await events.create(tenant, { name: "purchase", linkId, value: 0.2 });
  await events.create(tenant, { name: "sign-up" });
  await leave({ id: linkId, orgId }, at);
}

const leave = ({ id: linkId, orgId }: SeededLink, at: number) =>
  createLeadRecorder(database.db)({
    ...{ orgId, linkId, at, clickId: Bun.randomUUIDv7() },
    ...{ visitorId: "9f3c1e0b7a25d486", fields: { email: "ada@example.com" } },
  });

async function verify(options: { isRepairing?: boolean; orgId?: string } = {}) {
  const found: (Difference | CounterDifference)[] = [];
  const { isRepairing = false, orgId } = options;
  const onDifference = (difference: Difference | CounterDifference) => void found.push(difference);
  const summary = await verifyFigures(database.sql, { span: {}, orgId, isRepairing, onDifference });
  return { found, summary };
}

test("freshly written figures have no differences, even on days without clicks", async () => {
  const { found, summary } = await verify();
  expect(found).toEqual([]);
  expect(summary).toMatchObject({ organizations: 2, days: 4, differences: 0, mended: 0 });
});

test("days with only leads are checked, and erasing leads causes no difference", async () => {
  const lonely = await newLink();
  for (const days of [0, 2]) await leave(lonely, NOW - days * DAY_MS);
  await database.sql`update leads set fields = '{}', visitor_id = '' where link_id = ${lonely.id}`;
  expect(await verify({ orgId: lonely.orgId })).toMatchObject({ found: [], summary: { days: 3 } });
});

test("the nightly check samples days with only leads, and reports leads that were not counted", async () => {
  const { sql, drop } = await createDatabase();
  const { id, orgId } = await seedLink(sql, await seedOrganization(sql));
  await sql`
    insert into leads (id, org_id, link_id, click_id, visitor_id, fields, created_at)
    select gen_random_uuid(), ${orgId}, ${id}, gen_random_uuid(), 'a', '{}', ${new Date(NOW)} - n * interval '1 day'
    from generate_series(1, 90) as n`;
  const told: string[] = [];
  const outcome = await verifySample(sql, { now: NOW, size: 3 }, ({ differences }) => {
    told.push(...differences.map(({ unit, metric }) => `${unit} ${metric}`));
  });
  expect(outcome).toEqual({ days: 3, differences: 12 });
  expect(told.toSorted()).toEqual([...Array(6).fill("day leads"), ...Array(6).fill("hour leads")]);
  await drop();
});

describe("a seeded fault is found, reported and repaired:", () => {
  const [at, day] = [new Date(HOUR).toISOString(), new Date(DAY).toISOString()];
  const sql = () => database.sql;
  const faults: [string, () => Promise<unknown>, () => object][] = [
    [
      "a count of an hour that is too high",
      () => sql()`update event_rollups_hourly set count = count + 5 where link_id = ${link.id} and hour = ${at}`,
      () => ({ linkId: link.id, unit: "hour", start: HOUR, metric: "events", value: "purchase", have: 7, should: 2 }),
    ],
    [
      "a sum of values of a day, off by the least there is",
      () => sql()`update event_rollups_daily set value = value + 0.000001 where link_id = ${link.id} and day = ${day}`,
      () => ({ linkId: link.id, unit: "day", start: DAY, metric: "event_value", value: "purchase", should: 0.6 }),
    ],
    [
      "a row of the whole organization that is missing",
      () => sql()`delete from event_rollups_daily
        where org_id = ${link.orgId} and link_id = ${WHOLE_ORGANIZATION} and day = ${day} and name = 'sign-up'`,
      () => ({ linkId: WHOLE_ORGANIZATION, unit: "day", metric: "events", value: "sign-up", have: 0, should: 2 }),
    ],
    [
      "a name that no event has",
      () => sql()`insert into event_rollups_hourly (org_id, link_id, hour, name, lane, count, value)
        values (${link.orgId}, ${link.id}, ${at}, 'refund', 3, 4, 1)`,
      () => ({ linkId: link.id, unit: "hour", metric: "events", value: "refund", have: 4, should: 0 }),
    ],
    [
      "leads of an hour that were counted twice",
      () =>
        sql()`update event_rollups_hourly set count = count * 2 where link_id = ${link.id} and hour = ${at} and name = ''`,
      () => ({ linkId: link.id, unit: "hour", start: HOUR, metric: "leads", dimension: "total", have: 2, should: 1 }),
    ],
    [
      "leads of the whole organization's day that are missing",
      () => sql()`delete from event_rollups_daily
        where org_id = ${link.orgId} and link_id = ${WHOLE_ORGANIZATION} and day = ${day} and name = ''`,
      () => ({ linkId: WHOLE_ORGANIZATION, unit: "day", start: DAY, metric: "leads", have: 0, should: 2 }),
    ],
    [
      "leads that are worth something",
      () => sql()`update event_rollups_daily set value = 5 where link_id = ${link.id} and day = ${day} and name = ''`,
      () => ({ linkId: link.id, unit: "day", start: DAY, metric: "lead_value", have: 5, should: 0 }),
    ],
    [
      "an event that was never counted",
      () => sql()`delete from events where org_id = ${link.orgId} and name = 'sign-up' and occurred_at >= ${at}`,
      () => ({ linkId: WHOLE_ORGANIZATION, unit: "hour", metric: "events", value: "sign-up", have: 1, should: 0 }),
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
});

test("while events and leads are written, checking reports no difference and repairing loses none", async () => {
  const busy = await newLink();
  let isWriting = true;
  const writing = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (isWriting) await record(busy, NOW);
    }),
  );
  for (let round = 0; round < 5; round++) {
    await database.sql`update event_rollups_daily set count = count + 1 where link_id = ${busy.id}`;
    await verify({ orgId: busy.orgId, isRepairing: true });
    expect((await verify({ orgId: busy.orgId })).found).toEqual([]);
  }
  isWriting = false;
  await writing;
  expect((await verify({ orgId: busy.orgId })).found).toEqual([]);
});

test("events past the plan's retention are deleted, and their figures stay and count as correct", async () => {
  await database.sql`update organizations set plan = 'short' where id = ${other.orgId}`;
  const outcome = await deleteExpired({
    sql: database.sql,
    log: createLog(() => undefined),
    now: NOW,
    retentionDays: { short: 0 },
    signal: new AbortController().signal,
  });
  expect(outcome.deleted).toBe(3);
  const [kept] = await database.sql`select count(*)::int as rows from events where org_id = ${other.orgId}`;
  const [figures] = await database.sql`
    select sum(count)::int as count from event_rollups_daily where link_id = ${WHOLE_ORGANIZATION} and org_id = ${other.orgId}`;
  // Nine events and three leads.
  expect({ kept: kept?.rows, counted: figures?.count }).toEqual({ kept: 6, counted: 12 });
  expect((await verify({ orgId: other.orgId })).found).toEqual([]);
});

test("leads outlast the retention of clicks and events, and figures past it are not repaired", async () => {
  const [kept] = await database.sql`select count(*)::int as rows from leads where org_id = ${other.orgId}`;
  expect(kept?.rows).toBe(3);
  const old = new Date(NOW - 2 * DAY_MS).toISOString();
  await database.sql`
    insert into event_rollups_daily (org_id, link_id, day, name, lane, count, value)
    values (${other.orgId}, ${other.id}, date_trunc('day', ${old}::timestamptz, 'UTC'), '', 0, 7, 0)`;
  expect((await verify({ orgId: other.orgId, isRepairing: true })).found).toEqual([]);
  const [figures] = await database.sql`
    select sum(count)::int as leads from event_rollups_daily where link_id = ${other.id} and name = ''`;
  expect(figures?.leads).toBe(3 + 7);
});
