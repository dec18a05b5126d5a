/**
 * A flood of made-up values: figures stay small, their totals exact, and checking, reviewing and mending them still
 * works.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { NOW, openAnalytics } from "@test/integration/analytics/workspace";
import { storedCells } from "@test/support/figures";
import { eq } from "drizzle-orm";
import { moveFigures } from "@/clicks/verdicts";
import type { ReviewStatus } from "@/contract/analytics/abuse";
import { REST_VALUE } from "@/figures/dimensions";
import { verifyFigures } from "@/figures/verify/verify";
import type { CounterDifference } from "@/figures/verify/verify-counters";
import type { Difference } from "@/figures/verify/verify-day";
import { LISTED_MAX } from "@/figures/write/value-bound";
import { WHOLE_ORGANIZATION } from "@/platform/db/figure-constants";
import { clicks } from "@/platform/db/schema/clicks";
import { statementsOn } from "@/platform/db/statements";

const MADE_UP = 1_200;
const REAL = 120;
const BATCHES = 3;

type Analytics = Awaited<ReturnType<typeof openAnalytics>>;
let analytics: Analytics;
let workspace: Awaited<ReturnType<Analytics["workspace"]>>;

beforeAll(async () => {
  analytics = await openAnalytics();
  workspace = await analytics.workspace();
  const links = [workspace.link, await workspace.addLink()];
  for (let batch = 0; batch < BATCHES; batch++) {
    const terms = [
      ...Array.from({ length: MADE_UP / BATCHES }, () => crypto.randomUUID()),
      ...Array(REAL / BATCHES).fill("shoes"),
    ];
    await workspace.record(
      terms.map((term, index) => ({
        link: links[index % 2],
        at: new Date(NOW - (1 + (index % 3)) * 3_600_000).toISOString(),
        visitor: BigInt(index),
        utm: { term },
        referrer: index % 2 === 0 ? "" : `${term}.example.com`,
      })),
    );
  }
});
afterAll(() => analytics.close());

async function verify(isRepairing = false) {
  const found: (Difference | CounterDifference)[] = [];
  const onDifference = (difference: Difference | CounterDifference) => found.push(difference);
  const summary = await verifyFigures(analytics.sql, {
    span: {},
    orgId: workspace.org,
    isRepairing,
    onDifference,
  });
  return { found, summary };
}

async function termsOf(linkId: string) {
  const cells = await storedCells(analytics.sql, workspace.org);
  return cells.filter((cell) => cell.linkId === linkId && cell.unit === "day" && cell.dimension === "utmTerm");
}

const sum = (cells: { count: number }[]) => cells.reduce((total, { count }) => total + count, 0);
const isRest = ({ value }: { value: string }) => value === REST_VALUE;

test("a row lists values up to its limit, and counts the rest together", async () => {
  const ofLink = await termsOf(workspace.link);
  expect(ofLink).toHaveLength(LISTED_MAX.link + 1);
  expect(ofLink.find(({ value }) => value === "shoes")?.count).toBe(REAL / 2);
  expect(sum(ofLink)).toBe((MADE_UP + REAL) / 2);
  const ofAll = await termsOf(WHOLE_ORGANIZATION);
  expect(ofAll.find(({ value }) => value === "shoes")?.count).toBe(REAL);
  expect(ofAll.find(isRest)?.count).toBeGreaterThan(0);
  expect(sum(ofAll)).toBe(MADE_UP + REAL);
});

test("values that no figures list have no number", async () => {
  const counted = new Set(
    (await storedCells(analytics.sql, workspace.org)).map(({ dimension, value }) => `${dimension} ${value}`),
  );
  const numbered = await analytics.sql<{ value: string }[]>`
    select value from figure_values where dimension = 14 and value not in ('', ${REST_VALUE})`;
  expect(numbered.filter(({ value }) => !counted.has(`utmTerm ${value}`))).toEqual([]);
  expect(numbered.length).toBeLessThanOrEqual(2 * LISTED_MAX.link + 2);
});

test("an overview shows the real term, and counts the rest as other", async () => {
  const { byUtmTerm, totalClicks } = await workspace.overview();
  expect(totalClicks).toBe(MADE_UP + REAL);
  expect(byUtmTerm).toContainEqual({ utmTerm: "shoes", count: REAL });
  expect(byUtmTerm).toContainEqual({ utmTerm: "other", count: expect.any(Number), isOther: true });
});

test("the check of figures finds no difference", async () => {
  expect((await verify()).found).toEqual([]);
});

/** Changes the verdict on a click as a reviewer does. */
async function judge(row: typeof clicks.$inferSelect, from: ReviewStatus, to: Exclude<ReviewStatus, "pending">) {
  await analytics.database.db.transaction(async (tx) => {
    await tx.update(clicks).set({ verdict: to }).where(eq(clicks.id, row.id));
    await moveFigures(statementsOn(tx), [{ click: row, from }], to);
  });
}

test("verdicts subtract clicks from the value or the rest that counted them, and add them back", async () => {
  const listed = new Set((await termsOf(workspace.link)).map(({ value }) => value));
  const rows = (await analytics.database.db.select().from(clicks)).filter(({ linkId }) => linkId === workspace.link);
  const isListed = ({ utmTerm }: (typeof rows)[number]) => listed.has(utmTerm ?? "");
  const judged = [
    ...rows.filter(({ utmTerm }) => utmTerm === "shoes").slice(0, 1),
    ...rows.filter((row) => row.utmTerm !== "shoes" && isListed(row)).slice(0, 2),
    ...rows.filter((row) => !isListed(row)).slice(0, 2),
  ];
  expect(judged).toHaveLength(5);
  const rest = async () => sum((await termsOf(workspace.link)).filter(isRest));
  const before = await rest();
  for (const row of judged) await judge(row, "pending", "confirmed");
  expect(await rest()).toBe(before - 2);
  expect((await workspace.overview()).totalClicks).toBe(MADE_UP + REAL - judged.length);
  expect((await verify()).found).toEqual([]);
  for (const row of judged) await judge(row, "confirmed", "dismissed");
  expect((await workspace.overview()).totalClicks).toBe(MADE_UP + REAL);
  expect((await verify()).found).toEqual([]);
});

test("damage is found despite the rest, and repaired within the limit", async () => {
  await analytics.sql`
    update figures_daily set counts = '' where org_id = ${workspace.org} and link_id = ${workspace.link} and writer = 1`;
  const { found } = await verify();
  expect(found).toContainEqual(expect.objectContaining({ unit: "day", linkId: workspace.link, dimension: "utmTerm" }));
  expect((await verify(true)).summary.mended).toBeGreaterThan(0);
  expect((await verify()).found).toEqual([]);
  const ofLink = await termsOf(workspace.link);
  expect(ofLink).toHaveLength(LISTED_MAX.link + 1);
  expect(sum(ofLink)).toBe((MADE_UP + REAL) / 2);
});
