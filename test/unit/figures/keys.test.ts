import { expect, test } from "bun:test";
import { CLICK_DIMENSION_NAMES, CLICK_DIMENSIONS, mapDimensions } from "@/figures/dimensions";
import { codeOf, dimensionOf, figureCode, figureKey, metricOf, rollupDimensionOf, valueIdOf } from "@/figures/keys";
import { namedCounts, rollUp } from "@/figures/write/rollup";
import { ROLLUP_METRICS } from "@/platform/db/figure-constants";

test("a key contains the value and the dimension, up to the largest of each", () => {
  for (const [valueId, code] of [
    [0, 0],
    [1, 9],
    [2 ** 26 - 2, 63],
  ] as const) {
    const key = figureKey(valueId, code);
    expect(key).toBeLessThan(2 ** 32);
    expect([valueIdOf(key), codeOf(key)]).toEqual([valueId, code]);
  }
});

test("every dimension of every metric has a code that decodes to both; totals have none", () => {
  const at = Date.UTC(2026, 10, 21);
  const visits = (["click", "open"] as const).flatMap((kind) =>
    [false, true].map((isBot) => ({
      record: { kind, at, orgId: "o", linkId: "l" },
      hour: at,
      visitor: { high: 0, low: 1 },
      isBot,
      platform: "ios",
      known: { values: mapDimensions(() => "x") },
    })),
  );
  const { values, days } = rollUp(visits);
  const counts = days[0] && namedCounts(days[0], values);
  const codes = new Set<number>();
  for (const metric of ROLLUP_METRICS) {
    for (const dimension of Object.keys(counts?.[metric] ?? {})) {
      const code = figureCode(metric, dimension);
      if (dimension === "total") {
        expect(code).toBeUndefined();
        continue;
      }
      const name = dimensionOf(code ?? -1);
      codes.add(code ?? -1);
      expect([metricOf(name, metric.startsWith("bot_")), rollupDimensionOf(name)]).toEqual([
        metric,
        dimension as ReturnType<typeof rollupDimensionOf>,
      ]);
    }
  }
  expect(codes.size).toBe(CLICK_DIMENSION_NAMES.length + 2);
});

test("the codes of dimensions never change, because they are stored", () => {
  expect(mapDimensions((name) => CLICK_DIMENSIONS[name].code)).toEqual({
    ...{ platform: 0, country: 1, city: 2, device: 3, browser: 4, os: 5, referrer: 6, language: 7, region: 10 },
    ...{ utmSource: 11, utmMedium: 12, utmCampaign: 13, utmTerm: 14, utmContent: 15 },
    ...{ rule: 16, split: 17, destination: 18, domain: 19 },
  });
});
