/** Visits of a log, counted by link and day. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { LoggedClicks } from "@/modules/imports/job/logged-clicks";

test("visits are counted by link and day, in whatever order they come", () => {
  const day = fc.date({ min: new Date(0), max: new Date(Date.UTC(2100, 0, 1)), noInvalidDate: true });
  const days = fc.array(day, { minLength: 1, maxLength: 5 });
  const visits = days.chain((known) =>
    fc.array(fc.tuple(fc.constantFrom("a", "A", "b", "", "größe"), fc.constantFrom(...known)), { maxLength: 200 }),
  );
  fc.assert(
    fc.property(visits, (all) => {
      const clicks = new LoggedClicks();
      const expected: Record<string, Record<string, number>> = {};
      for (const [keyword, time] of all) {
        const text = time.toISOString().slice(0, 19).replace("T", " ");
        clicks.add(keyword, text);
        const [counts, day] = [expected[keyword] ?? {}, text.slice(0, 10)];
        expected[keyword] = { ...counts, [day]: (counts[day] ?? 0) + 1 };
      }
      for (const keyword of ["a", "A", "b", "", "größe"]) expect(clicks.of(keyword)).toEqual(expected[keyword]);
    }),
  );
});

test("a visit at no time is not counted", () => {
  const clicks = new LoggedClicks();
  for (const time of ["0000-00-00 00:00:00", "2023-02-29 00:00:00", "", "now", "2200-01-01 00:00:00"])
    clicks.add("a", time);
  expect(clicks.of("a")).toBeUndefined();
  clicks.add("a", "2023-02-28 23:59:59");
  clicks.add("a", "2023-03-01 00:00:00");
  expect(clicks.of("a")).toEqual({ "2023-02-28": 1, "2023-03-01": 1 });
});
