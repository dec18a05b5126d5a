/** Measures the percentage of futures within the predicted interval, and the error of its middle. */
import { CHANGING_SHAPES, FUTURE_SHAPES, type FutureShape, makeFuture } from "@test/support/statistics/futures";
import { seeded } from "@test/support/statistics/random";
import { project, wholeNumbers } from "@/core/insights/projection";

const LENGTHS = [7, 14, 30];
const SHAPES = [...new Set([...FUTURE_SHAPES, ...CHANGING_SHAPES])];

export function measurePrediction(histories: number): void {
  for (const days of LENGTHS) {
    console.log(
      `\nPrediction of ${days} days from ${days}: futures inside the interval (target: at least 80%; steady and weekly ` +
        "months at most 90%) · median error · half the width",
    );
    for (const shape of SHAPES) measureShape(shape, days, histories);
  }
}

function measureShape(shape: FutureShape, length: number, histories: number): void {
  const random = seeded(shape.length);
  const found = Array.from({ length: histories }, () => {
    const { days, truth } = makeFuture(random, shape, length, length);
    const projected = project(days, length) ?? { low: 0, middle: 0, high: 0 };
    return { truth, ...wholeNumbers(projected) };
  });
  const held = found.filter(({ truth, low, high }) => truth >= low && truth <= high).length;
  const error = middle(found.map((each) => each.middle / Math.max(1, each.truth) - 1));
  const width = middle(found.map((each) => (each.high - each.low) / 2 / Math.max(1, each.middle)));
  console.log(
    `  ${shape.padEnd(11)} ${((100 * held) / histories).toFixed(0)}% · ${(100 * error).toFixed(0)}% · ±${(100 * width).toFixed(0)}%`,
  );
}

const middle = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
