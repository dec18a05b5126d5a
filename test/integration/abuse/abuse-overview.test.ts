/**
 * Overviews to the millisecond while clicks arrive and verdicts are given, each compared with a recount of the raw
 * rows.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { REVIEW_STATUSES } from "@/contract/analytics/abuse";
import { HOUR_MS } from "@/core/time/time-range";
import { COUNTED } from "@/platform/db/figure-constants";
import { openTraffic } from "./traffic";

const START = Date.parse("2026-11-10T22:00:00Z");
/** The hours span midnight and are few, so that the same ones are read and changed repeatedly. */
const HOURS = 4;
const UNITS_MS = [1, 60_000, HOUR_MS];

let traffic: Awaited<ReturnType<typeof openTraffic>>;
beforeAll(async () => {
  traffic = await openTraffic();
});
afterAll(() => traffic.close());

const instant = fc
  .tuple(fc.integer({ min: 0, max: HOURS * HOUR_MS }), fc.constantFrom(...UNITS_MS))
  .map(([after, unit]) => START + after - (after % unit));

const clicks = fc.array(
  fc.record({
    at: instant.map((at) => new Date(at).toISOString()),
    visitor: fc.bigInt({ min: -9n, max: 9n }),
    country: fc.constantFrom("AT", "DE", undefined),
    isSuspect: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
);

const step = fc.record({
  clicks,
  server: fc.nat({ max: 1 }),
  isOnSecond: fc.boolean(),
  reviews: fc.array(fc.record({ of: fc.nat(), status: fc.constantFrom(...REVIEW_STATUSES) }), { maxLength: 3 }),
  asked: fc.array(fc.record({ ends: fc.tuple(instant, instant), isOfLink: fc.boolean(), includeBots: fc.boolean() }), {
    minLength: 2,
    maxLength: 4,
  }),
});

test("an overview equals a recount of the rows, whatever was written and reviewed since the last one", async () => {
  const { org, link, addLink, server, review, overview } = await traffic.workspace();
  const second = await addLink();
  const servers = [await server(), await server()];
  const suspects: string[] = [];
  for (const { clicks, server, isOnSecond, reviews, asked } of fc.sample(step, { seed: 20_261_121, numRuns: 40 })) {
    const ids = await servers[server]?.(clicks.map((click) => ({ ...click, link: isOnSecond ? second : link })));
    suspects.push(...(ids ?? []).filter((_, index) => clicks[index]?.isSuspect));
    for (const { of, status } of suspects.length > 0 ? reviews : []) {
      await review(suspects[of % suspects.length] ?? "", status);
    }
    for (const { ends, isOfLink, includeBots } of asked) {
      const [from, to] = [Math.min(...ends), Math.max(...ends) + 1].map((at) => new Date(at).toISOString());
      const query = { from, to, includeBots, ...(isOfLink && { linkId: link }) };
      const { totalClicks, uniqueVisitors, byCountry } = await overview(query);
      const countries = Object.fromEntries(byCountry.map(({ country, count }) => [country, count]));
      expect({ query, totalClicks, uniqueVisitors, countries }).toEqual({ query, ...(await recount(org, query)) });
    }
  }
});

interface Query {
  from?: string;
  to?: string;
  includeBots: boolean;
  linkId?: string;
}

async function recount(org: string, { from = "", to = "", includeBots, linkId }: Query) {
  const { sql } = traffic;
  const rows = await sql<{ visitor: string; country: string }[]>`
    select visitor::text as visitor, coalesce(country, 'unknown') as country from clicks
    where org_id = ${org} and occurred_at >= ${from} and occurred_at < ${to} and ${sql.unsafe(COUNTED)}
      ${linkId === undefined ? sql`` : sql`and link_id = ${linkId}`} ${includeBots ? sql`` : sql`and not is_bot`}`;
  const countries = Map.groupBy(rows, ({ country }) => country);
  return {
    totalClicks: rows.length,
    uniqueVisitors: new Set(rows.map(({ visitor }) => visitor)).size,
    countries: Object.fromEntries([...countries].map(([country, alike]) => [country, alike.length])),
  };
}
