/**
 * `bun run bench reads [--clicks=10000000] [--links=200000] [--leads=500000] [--audits=1000000] [--requests=20]
 * [--only=…]`: measures what people wait for when they read figures and lists of a large workspace. Prints the
 * slowest request of each kind next to its target. Reuses the data that `bench:analytics` and `bench lists` loaded.
 */
import { cpus, loadavg } from "node:os";
import { analyticsOptions, measureAnalytics } from "./analytics/main";
import { measureLists } from "./lists/main";
import type { Measured } from "./measured";

/** The kinds of requests, and which route names belong to them; the first match counts. */
const QUESTIONS: readonly [question: string, of: RegExp][] = [
  ["overview, compared with the range before", /^overview, .* compared$/],
  ["overview, several filters", /^overview, .* filters$/],
  ["overview, one filter", /^overview, 90 days, (country|city|tag|campaign|device|rare term)$/],
  ["overview, no filter, or a link", /^overview/],
  ["top-links", /^top-links/],
  ["insights", /^insights/],
  ["best-destination", /^best-destination/],
  ["broken-campaigns", /^broken-campaigns/],
  ["anomalies, conversion-prediction", /^(anomalies|conversion-prediction)/],
  ["analytics/clicks, any filter", /^clicks/],
  ["analytics/unserved", /^unserved/],
  ["links, page 1", /^links page 1$/],
  ["links, a deep page, by tag", /^links (page|by)/],
  ["links, search", /^links search/],
  ["audit logs, any filter", /^audit logs/],
  ["leads/export.csv", /leads as CSV$/],
  ["other lists", /./],
];

export async function measureReads(args: string[]): Promise<void> {
  const startedAt = performance.now();
  const figures = await measureAnalytics(analyticsOptions(args));
  if (!figures) return;
  const measured = [...figures, ...(await measureLists(args.filter((arg) => !arg.startsWith("--folder"))))];
  const asked = Map.groupBy(
    measured.filter(({ wantedMs }) => !Number.isNaN(wantedMs)),
    ({ name }) => QUESTIONS.find(([, of]) => of.test(name))?.[0],
  );
  const took = `${((performance.now() - startedAt) / 60_000).toFixed(1)} min, ${cpus().length} cores, load average ${loadavg()[1]?.toFixed(1)}`;
  console.log(`\nWanted and measured: p95 in ms of the slowest of each kind, and its quickest request (${took})`);
  console.table(
    QUESTIONS.flatMap(([question]) => {
      const slowest = slowestOf(asked.get(question) ?? []);
      return slowest ? [rowOf(question, slowest)] : [];
    }),
  );
}

const rowOf = (question: string, { name, status, wantedMs, bestMs, p95Ms, cpuMs }: Measured) => ({
  ...{ question, wanted: wantedMs, measured: p95Ms, "": p95Ms > wantedMs ? "over" : "", best: bestMs },
  ...{ "CPU ms": cpuMs, "asked as": name, status },
});

/** Returns the route with the highest p95 relative to its target. */
const slowestOf = (rows: readonly Measured[]): Measured | undefined =>
  rows.toSorted((a, b) => b.p95Ms / b.wantedMs - a.p95Ms / a.wantedMs)[0];
