/** Cached samples of where clicks were sent agree with the clicks themselves, whatever has happened to these since. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { and, eq } from "drizzle-orm";
import fc from "fast-check";
import { anonymise } from "@/clicks/erase-visits";
import { deleteExpired } from "@/clicks/retention";
import { moveFigures } from "@/clicks/verdicts";
import type { OrgId } from "@/core/ids";
import { DAY_MS, HOUR_MS } from "@/core/time/time-range";
import { statementsOf } from "@/figures/verify/standstill";
import { mendDay } from "@/figures/verify/verify-day";
import { type DestinationQuery, RoutedSamples } from "@/modules/insights/routed/routed-samples";
import { Copies } from "@/platform/db/copies";
import { clicks } from "@/platform/db/schema/clicks";
import { createLog } from "@/platform/telemetry/log";
import { NOW, type OwnVisit, openAnalytics } from "../analytics/workspace";
import { routedByRows } from "./routed-by-rows";

const SPAN = { from: NOW - 6 * DAY_MS, to: NOW };
const PLENTY = 1_000;

let analytics: Awaited<ReturnType<typeof openAnalytics>>;
let organization: Awaited<ReturnType<typeof analytics.workspace>>;
let orgId: OrgId;
let samples: RoutedSamples;
let other: string;
beforeAll(async () => {
  analytics = await openAnalytics();
});
beforeEach(async () => {
  organization = await analytics.workspace();
  orgId = organization.org as OrgId;
  other = await organization.addLink();
  samples = new RoutedSamples(new Copies());
});
afterAll(() => analytics.close());

interface Asked {
  span?: DestinationQuery["span"];
  /** The most clicks to read of each of the two links. */
  clicksMax?: [number, number];
  includeBots?: boolean;
  conversionsAClick?: number;
}

const queryOf = ({ span = SPAN, clicksMax = [PLENTY, PLENTY], includeBots = false, conversionsAClick = 5 }: Asked) => ({
  links: [organization.link, other].map((linkId, place) => ({ linkId, clicksMax: clicksMax[place] ?? 0 })),
  ...{ span, now: NOW, includeBots, conversionsAClick },
});

/** Expects that both ways of reading return the same, and returns it. */
async function asBothSay(asked: Asked = {}) {
  const query = queryOf(asked);
  const should = inOrder(await routedByRows(analytics.sql, orgId, query));
  expect(inOrder(await samples.read(analytics.sql, orgId, query))).toEqual(should);
  return should;
}

const inOrder = <Row>(rows: readonly Row[]): string[] =>
  rows.map((row) => JSON.stringify(Object.entries(row as object).sort())).sort();

const visitorsOf = async (asked: Asked = {}) =>
  (await samples.read(analytics.sql, orgId, queryOf(asked))).reduce((sum, { visitors }) => sum + visitors, 0);

const routes = [
  { destination: "https://example.com/" },
  { destination: "https://example.com/a", splitKey: "a" },
  { destination: "https://example.com/b", splitKey: "b" },
  { destination: "https://example.com/a", ruleIndex: 1 },
];

const visits = (): fc.Arbitrary<OwnVisit[]> =>
  fc
    .array(
      fc.record({
        // Many share the same instant.
        at: fc
          .integer({ min: 0, max: 7 * 24 * 4 })
          .map((quarter) => new Date(NOW - 1 - (quarter * HOUR_MS) / 4).toISOString()),
        link: fc.constantFrom(organization.link, other),
        visitor: fc.bigInt(0n, 12n).map((number) => number * 0x1_0000_0001n),
        isBot: fc.integer({ min: 0, max: 4 }).map((kind) => kind === 0),
        route: fc.constantFrom(...routes),
      }),
      { minLength: 1, maxLength: 40 },
    )
    .map((all) => all.map(({ route, ...visit }) => ({ ...visit, ...route })));

const asked = (): fc.Arbitrary<Asked> =>
  fc.record({
    span: fc
      .tuple(fc.integer({ min: 0, max: 7 * 24 }), fc.integer({ min: 0, max: 7 * 24 }), fc.boolean())
      .map(([one, two, isWhole]) => {
        const hour = (hours: number) => NOW - hours * HOUR_MS - (isWhole ? NOW % HOUR_MS : 0);
        return { from: hour(Math.max(one, two) + 1), to: hour(Math.min(one, two)) };
      }),
    clicksMax: fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 60 })),
    includeBots: fc.boolean(),
    conversionsAClick: fc.integer({ min: 0, max: 5 }),
  });

const inTransaction = (work: (tx: ReturnType<typeof statementsOf>) => Promise<unknown>) =>
  analytics.sql.begin((tx) => work(statementsOf(tx)));

const anyClick = async (skip: number) => {
  const [click] = await analytics.database.db
    .select()
    .from(clicks)
    .where(and(eq(clicks.orgId, orgId), eq(clicks.isBot, false)))
    .orderBy(clicks.id)
    .offset(skip)
    .limit(1);
  return click;
};

async function confirm(skip: number): Promise<void> {
  const click = await anyClick(skip);
  if (!click) return;
  await inTransaction(async (tx) => {
    await tx.run(
      "update clicks set verdict = 'confirmed', is_bot = true where org_id = $1::text::uuid and id = $2::text::uuid",
      [orgId, click.id],
    );
    await moveFigures(tx, [{ click, from: "pending" }], "confirmed");
  });
}

async function erase(skip: number): Promise<void> {
  const click = await anyClick(skip);
  if (!click) return;
  const { linkId, visitor, occurredAt } = click;
  const hour = {
    table: "clicks",
    linkId,
    visitor,
    hour: occurredAt.getTime() - (occurredAt.getTime() % HOUR_MS),
  } as const;
  const secret = { keyed: new Bun.CryptoHasher("sha256", "secret") };
  const nobody = 1_000n + BigInt(skip);
  await inTransaction((tx) => anonymise(tx, orgId, hour, { nobody, secret: { ...secret, rotation: "none" } }));
}

/** Records a lead, or an event that names the click as written or in capitals. */
async function convert(skip: number): Promise<void> {
  const click = await anyClick(skip);
  if (!click) return;
  const { id, linkId, occurredAt } = click;
  const at = new Date(occurredAt.getTime() + 1);
  if (skip % 3 === 0) {
    await analytics.sql`
      insert into leads (id, org_id, link_id, click_id, visitor_id, fields, created_at)
      values (${Bun.randomUUIDv7()}, ${orgId}, ${linkId}, ${id}, 'somebody', '{}', ${at}) on conflict do nothing`;
    return;
  }
  const named = skip % 3 === 1 ? id : id.toUpperCase();
  await analytics.sql`
    insert into events (id, occurred_at, org_id, link_id, name, value, visitor_id)
    values (${Bun.randomUUIDv7()}, ${at}, ${orgId}, ${linkId}, 'sale', 1, ${named})`;
}

describe("cached samples of where clicks were sent", () => {
  test("agree with the clicks' rows after any sequence of changes and queries", async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("record" as const), visits: visits() }),
      fc.record({
        kind: fc.constantFrom("confirm" as const, "erase" as const, "convert" as const, "mend" as const),
        skip: fc.nat(20),
      }),
    );
    const script = fc.array(fc.tuple(step, fc.array(asked(), { minLength: 1, maxLength: 3 })), {
      minLength: 4,
      maxLength: 8,
    });
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const [steps = []] = fc.sample(script, { numRuns: 1, seed });
      await organization.record(fc.sample(visits(), { numRuns: 4, seed }).flat());
      for (const [change, questions] of steps) {
        if (change.kind === "record") await organization.record(change.visits);
        else if (change.kind === "confirm") await confirm(change.skip);
        else if (change.kind === "erase") await erase(change.skip);
        else if (change.kind === "convert") await convert(change.skip);
        else await mendDay(analytics.sql, orgId, NOW - (NOW % DAY_MS) - (change.skip % 7) * DAY_MS);
        for (const question of questions) await asBothSay(question);
        await asBothSay();
      }
    }
  }, 240_000);

  test("count visitors for the split target that they got first, not for one that was added later", async () => {
    const at = (days: number) => new Date(NOW - days * DAY_MS).toISOString();
    const visit = (visitor: bigint, days: number, splitKey: string) => ({
      ...{ visitor, at: at(days), splitKey, destination: `https://example.com/${splitKey}` },
    });
    await organization.record([visit(1n, 4, "a"), visit(2n, 4, "b"), visit(1n, 2, "c"), visit(3n, 2, "c")]);
    await organization.record([visit(2n, 1, "b"), visit(1n, 1, "c"), visit(4n, 1, "a")]);
    const rows = await samples.read(analytics.sql, orgId, queryOf({}));
    const found = rows.map(({ splitKey, day, visitors, clicks }) => [splitKey, (NOW - day) / DAY_MS, visitors, clicks]);
    expect(found.map(([key, days, ...rest]) => [key, Math.floor(Number(days)), ...rest]).sort()).toEqual([
      ["a", 1, 1, 1],
      ["a", 4, 1, 1],
      ["b", 4, 1, 2],
      ["c", 2, 1, 3],
    ]);
    await asBothSay();
  });

  test("are read once for past days and hours, and every time for the current hour", async () => {
    await organization.record([
      { at: new Date(NOW - 3 * DAY_MS).toISOString(), visitor: 1n },
      { at: new Date(NOW - 2 * HOUR_MS).toISOString(), visitor: 2n },
      { at: new Date(NOW - 1).toISOString(), visitor: 3n },
    ]);
    expect(await visitorsOf()).toBe(3);
    // No service deletes clicks like this; it shows that the samples are read.
    await analytics.sql`delete from clicks where org_id = ${orgId}`;
    expect(await visitorsOf()).toBe(2);
    expect(await visitorsOf({ includeBots: true })).toBe(0);
    samples.forget();
    expect(await visitorsOf()).toBe(0);
  });

  test("are read again only for a day that gets a late click", async () => {
    const at = (days: number) => new Date(NOW - days * DAY_MS).toISOString();
    await organization.record([1n, 2n, 3n].map((visitor) => ({ at: at(Number(visitor)), visitor })));
    expect(await visitorsOf()).toBe(3);
    await analytics.sql`delete from clicks where org_id = ${orgId} and visitor <> 2`;
    await organization.record([{ at: at(2), visitor: 9n, link: other }]);
    expect(await visitorsOf()).toBe(4);
    await analytics.sql`delete from clicks where org_id = ${orgId}`;
    await organization.record([{ at: at(2), visitor: 10n }]);
    expect(await visitorsOf()).toBe(3);
  });

  test("leave out clicks that the plan no longer retains", async () => {
    await organization.record(
      [1, 4].map((days) => ({ at: new Date(NOW - days * DAY_MS).toISOString(), visitor: 1n + BigInt(days) })),
    );
    expect(await visitorsOf()).toBe(2);
    await analytics.sql`update organizations set plan = 'short' where id = ${orgId}`;
    const log = createLog(() => undefined);
    const { signal } = new AbortController();
    await deleteExpired({ sql: analytics.sql, log, now: NOW, retentionDays: { short: 2 }, signal });
    expect(await visitorsOf()).toBe(1);
    await asBothSay();
  });

  test("are separate for each organization", async () => {
    await organization.record([{ at: new Date(NOW - DAY_MS).toISOString(), visitor: 1n }]);
    expect(await visitorsOf()).toBe(1);
    const { org } = await analytics.workspace();
    expect(await samples.read(analytics.sql, org as OrgId, queryOf({}))).toEqual([]);
  });
});
