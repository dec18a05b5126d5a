import { expect, test } from "bun:test";
import { away, type Scenario } from "./away";

const scenarios: Scenario[] = [
  { dependency: "postgres", away: "frozen" },
  { dependency: "postgres", away: "silent" },
  { dependency: "redis", away: "frozen" },
];

test("while dependencies are frozen or silent, cached redirects continue, and every click is counted once", async () => {
  const reports = await away({ scenarios, isOneService: true, awayMs: 2500, baselineMs: 500, perSecond: 100 });
  expect(reports.map(({ scenario }) => scenario)).toEqual(["postgres frozen", "postgres silent", "redis frozen"]);
  for (const report of reports) {
    expect(report).toMatchObject({ redirected: 100, lost: 0, countedTwice: 0 });
    expect(report.clicks).toBeGreaterThan(200);
    // Both are numbers because the service recovered and its clicks were applied; the long run measures how fast.
    expect(report.normalAfterS).toBeNumber();
    expect(report.clicksAfterS).toBeNumber();
  }
}, 240_000);
