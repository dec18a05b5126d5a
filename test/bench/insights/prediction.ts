/** Measures the percentage of futures within the predicted interval, and the error of its middle. */
import { FUTURE_SHAPES, makeFuture } from "@test/support/statistics/futures";
import { seeded } from "@test/support/statistics/random";
import { project, wholeNumbers } from "@/core/insights/projection";

export function measurePrediction(histories: number): void {
  console.log(
    "\nPrediction of 30 days from 30: futures inside the interval (target 70 to 90%) · median error · half the width",
  );
  for (const shape of FUTURE_SHAPES) {
    const random = seeded(shape.length);
    const found = Array.from({ length: histories }, () => {
      const { days, truth } = makeFuture(random, shape);
      const projected = project(days, 30) ?? { low: 0, middle: 0, high: 0 };
      return { truth, ...wholeNumbers(projected) };
    });
    const held = found.filter(({ truth, low, high }) => truth >= low && truth <= high).length;
    const error = middle(found.map((each) => each.middle / Math.max(1, each.truth) - 1));
    const width = middle(found.map((each) => (each.high - each.low) / 2 / Math.max(1, each.middle)));
    console.log(
      `  ${shape.padEnd(9)} ${((100 * held) / histories).toFixed(0)}% · ${(100 * error).toFixed(0)}% · ±${(100 * width).toFixed(0)}%`,
    );
  }
}

const middle = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
