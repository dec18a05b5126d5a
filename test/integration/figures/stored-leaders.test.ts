/** Stored leaders and stored days in columns agree with the figures, whatever has happened to these since. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { and, eq } from "drizzle-orm";
import { anonymise } from "@/clicks/erase-visits";
import { moveFigures } from "@/clicks/verdicts";
import type { OrgId } from "@/core/ids";
import { HOUR_MS } from "@/core/time/time-range";
import { buildDays } from "@/figures/columns/build-days";
import { LoadedDays } from "@/figures/columns/loaded-days";
import { LinkLeaders } from "@/figures/read/links/leaders";
import { areLeadersOutdated, storeLeaders } from "@/figures/read/links/stored-leaders";
import { readTopLinks } from "@/figures/read/links/top-links";
import { partsOf } from "@/figures/read/scope";
import { statementsOf } from "@/figures/verify/standstill";
import { mendDay } from "@/figures/verify/verify-day";
import { Copies } from "@/platform/db/copies";
import { clicks } from "@/platform/db/schema/clicks";
import { NOW, openAnalytics } from "../analytics/workspace";

const DAY = "2026-11-18";
const RANGE = {
  from: Date.parse(`${DAY}T00:00:00Z`),
  to: Date.parse("2026-11-20T00:00:00Z"),
  granularity: "day",
} as const;

let analytics: Awaited<ReturnType<typeof openAnalytics>>;
let organization: Awaited<ReturnType<typeof analytics.workspace>>;
let orgId: OrgId;
let links: [string, string];
beforeAll(async () => {
  analytics = await openAnalytics();
});
beforeEach(async () => {
  organization = await analytics.workspace();
  orgId = organization.org as OrgId;
  links = [organization.link, await organization.addLink()];
  await organization.record([
    ...[1n, 2n, 3n].map((visitor) => ({ at: `${DAY}T10:00:00Z`, link: links[0], visitor })),
    ...[4n, 5n].map((visitor) => ({ at: `${DAY}T11:00:00Z`, link: links[1], visitor })),
    { at: "2026-11-19T10:00:00Z", link: links[1], visitor: 1n },
  ]);
  expect(await store()).toBe(2);
});
afterAll(() => analytics.close());

const of = () => ({ now: NOW, days: 30, orgId, clicksMin: 1 });
const store = () => storeLeaders(analytics.sql, of());

/** Returns the clicks of both links as a server reads them that has just started. */
async function told(): Promise<number[]> {
  const scope = { includeBots: false, ...partsOf(RANGE, NOW) };
  const top = await readTopLinks(analytics.sql, { leaders: new LinkLeaders(new Copies()) }, orgId, scope, 10);
  return links.map((link) => top.find(({ linkId }) => linkId === link)?.clicks ?? 0);
}

/** Writes numbers that no service writes, to show whether the day's stored leaders are read. */
const mark = () =>
  analytics.sql`
    update leader_days set clicks = decode(repeat('00000046', length(clicks) / 4), 'hex') where org_id = ${orgId} and day = ${DAY}`;
const MARKED = [70, 71];

const inTransaction = (work: (tx: ReturnType<typeof statementsOf>) => Promise<unknown>) =>
  analytics.sql.begin((tx) => work(statementsOf(tx)));

async function judge(visitor: bigint, verdict: "confirmed" | "dismissed", from: "pending" | "confirmed") {
  const [click] = await analytics.database.db
    .select()
    .from(clicks)
    .where(and(eq(clicks.orgId, orgId), eq(clicks.visitor, visitor)));
  if (!click) throw new Error("The click is there");
  await inTransaction(async (tx) => {
    await tx.run(
      `update clicks set verdict = $3, is_bot = $4::text::boolean where org_id = $1::text::uuid and id = $2::text::uuid`,
      [orgId, click.id, verdict, String(verdict === "confirmed")],
    );
    await moveFigures(tx, [{ click, from }], verdict);
  });
}

/** Does what restoring a dump does: another transaction writes the same rows to other places. */
const restore = () =>
  analytics.sql.begin(async (tx) => {
    for (const table of ["figures_daily", "figures_hourly", "leader_days", "click_days"]) {
      await tx`create temporary table dumped on commit drop as select * from ${tx(table)} where org_id = ${orgId}`;
      await tx`delete from ${tx(table)} where org_id = ${orgId}`;
      await tx`insert into ${tx(table)} select * from dumped`;
      await tx`drop table dumped`;
    }
  });

/**
 * Moves a click to that link and recounts the day: its total stays the same, and all its figures belong to one
 * writer.
 */
async function moveClick(to: string): Promise<void> {
  await analytics.sql`
    update clicks set link_id = ${to} where org_id = ${orgId} and visitor = 3 and occurred_at < ${`${DAY}T23:00:00Z`}`;
  await mendDay(analytics.sql, orgId, RANGE.from);
}

/**
 * Makes the stored version match by chance, as if the restored rows had got exactly the row numbers it was stored
 * for.
 */
const agreeByChance = (table: "leader_days" | "click_days") => analytics.sql`
  update ${analytics.sql(table)} as stored
  set version = regexp_replace(version, '(0[ .])[0-9]+( ?)\\([0-9]+,[0-9]+\\)', '\\1' || figures.xmin::text || '\\2' || figures.ctid::text)
  from figures_daily as figures
  where stored.org_id = ${orgId} and stored.day = ${DAY} and figures.org_id = ${orgId} and figures.day = ${DAY}
    and figures.link_id = '00000000-0000-0000-0000-000000000000' and not figures.is_bot`;

describe("stored leaders", () => {
  test("are read by a server that has just started", async () => {
    expect(await told()).toEqual([3, 3]);
    await mark();
    expect(await told()).toEqual(MARKED);
  });

  test("are outdated by a verdict and by its reversal", async () => {
    await mark();
    await judge(1n, "confirmed", "pending");
    expect(await told()).toEqual([2, 3]);
    expect(await store()).toBe(1);
    expect(await told()).toEqual([2, 3]);
    await mark();
    await judge(1n, "dismissed", "confirmed");
    expect(await told()).toEqual([3, 3]);
    expect(await store()).toBe(1);
    expect(await told()).toEqual([3, 3]);
  });

  test("are outdated by two changes that leave the day's total unchanged", async () => {
    await mark();
    await judge(2n, "confirmed", "pending");
    await organization.record([{ at: `${DAY}T12:00:00Z`, link: links[1], visitor: 9n }]);
    expect(await told()).toEqual([2, 4]);
  });

  test("are outdated by an erasure, although it does not change them", async () => {
    await mark();
    const hour = { table: "clicks", linkId: links[0], hour: RANGE.from + 10 * HOUR_MS, visitor: 2n } as const;
    const secret = { keyed: new Bun.CryptoHasher("sha256", "secret"), rotation: "none" } as const;
    await inTransaction((tx) => anonymise(tx, orgId, hour, { nobody: 77n, secret }));
    expect(await areLeadersOutdated(analytics.sql, of())).toBe(true);
    expect(await told()).toEqual([3, 3]);
    expect(await store()).toBe(1);
    expect(await told()).toEqual([3, 3]);
  });

  test("are outdated by a repair of the figures", async () => {
    await mark();
    await moveClick(links[1]);
    expect(await told()).toEqual([2, 4]);
    expect(await store()).toBe(1);
    expect(await told()).toEqual([2, 4]);
  });

  test("that are outdated in a restored dump are not used, before or after leaders are stored again", async () => {
    await mark();
    await judge(1n, "confirmed", "pending");
    await organization.record([{ at: `${DAY}T12:00:00Z`, link: links[1], visitor: 9n }]);
    await restore();
    expect(await told()).toEqual([2, 4]);
    expect(await store()).toBe(2);
    expect(await told()).toEqual([2, 4]);
  });

  test("are not used for restored figures whose row versions match by chance", async () => {
    await moveClick(links[1]);
    await store();
    expect(await told()).toEqual([2, 4]);
    await moveClick(links[0]);
    await restore();
    await agreeByChance("leader_days");
    expect(await told()).toEqual([3, 3]);
    expect(await store()).toBe(2);
  });
});

test("days in columns are not used for restored figures whose row versions match by chance", async () => {
  await moveClick(links[1]);
  expect(await buildDays(analytics.sql, { now: NOW, orgId, clicksMin: 1 })).toMatchObject({ days: 2 });
  await moveClick(links[0]);
  await restore();
  await agreeByChance("click_days");
  const day = { from: new Date(RANGE.from).toISOString(), to: new Date(RANGE.from + 24 * HOUR_MS).toISOString() };
  const filters = { linkId: [links[1]], country: ["unknown"] };
  const { totalClicks } = await organization
    .bounded({ columns: new LoadedDays(new Copies()) })
    .filtered(orgId, { ...day, filters });
  expect(totalClicks).toBe(2);
});
