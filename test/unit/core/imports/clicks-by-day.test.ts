import { expect, test } from "bun:test";
import { fitDays } from "@/core/imports/clicks-by-day";

const NOW = Date.parse("2026-05-02T09:00:00Z");

test.each([
  ["days come in their order", { "2024-05-03": 1, "2024-05-02": 2 }, 9, { "2024-05-02": 2, "2024-05-03": 1 }, false],
  ["today counts", { "2026-05-02": 1 }, 9, { "2026-05-02": 1 }, false],
  ["a day without clicks is none", { "2024-05-02": 0, "2024-05-03": 1 }, 9, { "2024-05-03": 1 }, false],
  [
    "the latest clicks beyond all are left out",
    { "2024-05-02": 5, "2024-05-03": 5, "2024-05-04": 1 },
    7,
    { "2024-05-02": 5, "2024-05-03": 2 },
    false,
  ],
  ["without clicks there are no days", { "2024-05-02": 5 }, 0, undefined, false],
  ["the future is odd", { "2026-05-03": 1, "2024-05-02": 2 }, 9, { "2024-05-02": 2 }, true],
  ["a day that does not exist is odd", { "2024-02-30": 1 }, 9, undefined, true],
  ["an instant is odd", { "2024-05-02T10:00:00Z": 1 }, 9, undefined, true],
  [
    "a fraction or less than nothing is odd",
    { "2024-05-02": 1.5, "2024-05-03": -1, "2024-05-04": 1 },
    9,
    { "2024-05-04": 1 },
    true,
  ],
])("%s", (_, given, clicks, byDay, hasOdd) => {
  const fitted = fitDays(given, clicks, NOW);
  expect(fitted).toMatchObject({ byDay, hasOdd });
  expect(Object.keys(fitted.byDay ?? {})).toEqual(Object.keys(byDay ?? {}));
});

test("the oldest clicks beyond all are left out where the latest are known to count", () => {
  const fitted = fitDays({ "2024-05-03": 5, "2024-05-02": 5, "2024-05-04": 1 }, 7, NOW, "oldest");
  expect(fitted).toEqual({ byDay: { "2024-05-02": 1, "2024-05-03": 5, "2024-05-04": 1 }, hasOdd: false, told: 11 });
  expect(Object.keys(fitted.byDay ?? {})).toEqual(["2024-05-02", "2024-05-03", "2024-05-04"]);
});
