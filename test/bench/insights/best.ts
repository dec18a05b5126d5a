/**
 * Measures how often a winner is declared on any of 30 days among equal targets, and when one is better; and the same
 * for 120 days of a range that moves along.
 */
import { type Arms, drawArms } from "@test/support/statistics/arms";
import { seeded } from "@test/support/statistics/random";
import { bestDestination } from "@/core/insights/best-destination";

const SHAPES: Omit<Arms, "better">[] = [
  { arms: 2, visitors: 20, rate: 0.1 },
  { arms: 2, visitors: 200, rate: 0.05 },
  { arms: 2, visitors: 2_000, rate: 0.02 },
  { arms: 2, visitors: 200, rate: 0.3 },
  { arms: 4, visitors: 200, rate: 0.05 },
];

/** Lengths of ranges that move along, in days. */
const MOVING = [1, 2, 7, 14, 30];

export function measureBest(histories: number): void {
  console.log(
    "\nBest destination, checked daily for 30 days: high-confidence winner among equals (at most 5%) · when one is better",
  );
  for (const shape of SHAPES) {
    const told = [1, 1.25, 1.5].map((better) => `×${better} ${rate(histories, { ...shape, better })}`);
    console.log(
      `  ${shape.arms} targets, ${shape.visitors} visitors per day, ${100 * shape.rate}%: ${told.join(" · ")}`,
    );
  }
  console.log("\nThe same for 120 days of a range that moves along, by its length in days");
  for (const shape of SHAPES.slice(1)) {
    const told = MOVING.map((rangeDays) => {
      const moving = { ...shape, days: 120, rangeDays };
      return `${rangeDays}: ${rate(histories, { ...moving, better: 1 })}, ×1.5 ${rate(histories, { ...moving, better: 1.5 })}`;
    });
    console.log(
      `  ${shape.arms} targets, ${shape.visitors} visitors per day, ${100 * shape.rate}%: ${told.join(" · ")}`,
    );
  }
}

function rate(histories: number, shape: Arms): string {
  const random = seeded(shape.visitors + shape.arms);
  const won = Array.from({ length: histories }, () => drawArms(random, shape)).filter((days) =>
    days.some((arms) => bestDestination(arms).candidates.some(({ confidence }) => confidence === "high")),
  ).length;
  return `${((100 * won) / histories).toFixed(1)}%`;
}
