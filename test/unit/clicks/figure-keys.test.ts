import { expect, test } from "bun:test";
import { rollUp } from "@/clicks/rollup";
import {
  codeOf,
  FIGURE_DIMENSIONS,
  figureCode,
  figureKey,
  metricOf,
  rollupDimensionOf,
  valueIdOf,
} from "@/platform/db/figure-keys";
import { ROLLUP_METRICS } from "@/platform/db/schema/clicks";

test("keys tell value and dimension, up to the greatest", () => {
  for (const [valueId, code] of [
    [0, 0],
    [1, 9],
    [2 ** 28 - 1, 15],
  ] as const) {
    const key = figureKey(valueId, code);
    expect(key).toBeLessThan(2 ** 32);
    expect([valueIdOf(key), codeOf(key)]).toEqual([valueId, code]);
  }
});

test("every dimension of every metric has a code that tells both again; totals have none", () => {
  const at = Date.UTC(2026, 10, 21);
  const visits = (["click", "open"] as const).flatMap((kind) =>
    [false, true].map((isBot) => ({
      record: { kind, at, orgId: "o", linkId: "l" },
      hour: at,
      visitor: 1n,
      isBot,
      platform: "ios",
      agent: {},
      place: {},
      language: "",
      referrer: "",
    })),
  );
  const [group] = rollUp(visits).days;
  const codes = new Set<number>();
  for (const metric of ROLLUP_METRICS) {
    for (const dimension of Object.keys(group?.counts[metric] ?? {})) {
      const code = figureCode(metric, dimension);
      if (dimension === "total") {
        expect(code).toBeUndefined();
        continue;
      }
      const name = FIGURE_DIMENSIONS[code ?? -1];
      if (!name) throw new Error(`${metric} ${dimension} has no code`);
      codes.add(code ?? -1);
      expect([metricOf(name, metric.startsWith("bot_")), rollupDimensionOf(name)]).toEqual([
        metric,
        dimension as ReturnType<typeof rollupDimensionOf>,
      ]);
    }
  }
  expect(codes.size).toBe(FIGURE_DIMENSIONS.length);
});
