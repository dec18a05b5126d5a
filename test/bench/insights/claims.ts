/**
 * Measures how often insights claim anything about identical links, and how often they find one that converts better.
 */
import { drawsOf, factsOf, type Shape } from "@test/support/statistics/histories";
import { findInsights } from "@/core/insights/campaign-insights";

const EQUAL: Shape = { links: 20, days: 29, clicks: 40, rate: () => 0.05 };
const SHAPES: [string, Shape][] = [
  ["20 equal links, by pure chance", EQUAL],
  ["20 equal links, few clicks", { ...EQUAL, clicks: 5, rate: () => 0.02 }],
  ["20 equal links, days as of real traffic (k = 20)", { ...EQUAL, k: 20 }],
  ["20 equal links, events in bursts", { ...EQUAL, k: 20, burst: 4 }],
  ["20 equal links, five days", { ...EQUAL, days: 5, clicks: 100 }],
  ["2 equal links", { ...EQUAL, links: 2, k: 20 }],
];
const BETTER = [1.5, 2];

export function measureClaims(histories: number): void {
  console.log("\nInsights: share of equal workspaces with any claim (at most 5%)");
  for (const [name, shape] of SHAPES) {
    console.log(`  ${name}: ${share(histories, shape, (ids) => ids.length > 0)}`);
  }
  for (const better of BETTER) {
    const shape = { ...EQUAL, k: 20, rate: (link: number) => (link === 3 ? 0.05 * better : 0.05) };
    const isFound = (ids: string[]) => ids.includes("opportunity:converts_well:link-3");
    console.log(
      `  one link of 20 converts ×${better}, 40 clicks per day: found in ${share(histories, shape, isFound)}`,
    );
  }
}

function share(histories: number, shape: Shape, isSo: (ids: string[]) => boolean): string {
  const found = Array.from({ length: histories }, (_, seed) => {
    const { insights } = findInsights(factsOf(drawsOf(seed * 7_919 + 1), shape));
    return insights.filter(({ type }) => type !== "setup").map(({ id }) => id);
  });
  return `${((100 * found.filter(isSo).length) / histories).toFixed(1)}%`;
}
