/** Which dry runs may rest in a process, and for how long their plans are good. */
import { expect, test } from "bun:test";
import { RestingDryRuns } from "@/modules/imports/job/resting";

const planner = (records: number) => ({ planned: () => records });

test("a dry run goes on once with what it has planned", () => {
  const resting = new RestingDryRuns();
  const one = planner(1_000);
  expect(resting.keep("one", one)).toBe(true);
  expect(resting.take("one", 1_000)).toBe(one);
  expect(resting.take("one", 1_000)).toBeUndefined();
});

test("a plan that goes beyond what the database knows of is not used", () => {
  const resting = new RestingDryRuns();
  resting.keep("one", planner(2_000));
  expect(resting.take("one", 1_000)).toBeUndefined();
});

test("there is room for a million records; whoever exceeds it finds out", () => {
  const resting = new RestingDryRuns();
  expect(resting.keep("one", planner(600_000))).toBe(true);
  expect(resting.keep("two", planner(400_001))).toBe(false);
  expect(resting.take("two", 400_001)).toBeUndefined();
  expect(resting.keep("three", planner(400_000))).toBe(true);
  resting.clear();
  expect(resting.keep("two", planner(400_001))).toBe(true);
});
