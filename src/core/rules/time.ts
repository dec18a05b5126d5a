/**
 * Conditions on the visitor's wall clock. `startTime` is inclusive, `endTime` exclusive. A start without an end lasts
 * until midnight, and an end without a start begins at midnight; a start equal to its end covers the whole day. A
 * start after its end wraps around midnight, and then `daysOfWeek` refers to the day on which the window began.
 */
import type { RuleConditions } from "@/contract/routing";
import { NEEDS, type VisitorFacts } from "../routing/facts";
import type { Condition } from "./conditions";

const TIME_NEEDS = NEEDS.time | NEEDS.geography;

interface Window {
  start: number;
  end: number;
  wraps: boolean;
}

export const TIME_CONDITIONS = {
  startTime: (rule: RuleConditions) => endCondition("startTime", rule.startTime, startTest(windowOf(rule))),
  endTime: (rule: RuleConditions) => endCondition("endTime", rule.endTime, endTest(windowOf(rule))),
  daysOfWeek: (rule: RuleConditions) => dayCondition(rule.daysOfWeek, windowOf(rule)),
};

function windowOf({ startTime, endTime }: RuleConditions): Window {
  const start = startTime === undefined ? 0 : minuteOf(startTime);
  const end = endTime === undefined ? 1_440 : minuteOf(endTime);
  if (start === end) return { start: 0, end: 1_440, wraps: false };
  return { start, end, wraps: start > end };
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}

type TimeTest = (facts: VisitorFacts) => boolean;

/**
 * If a window wraps, neither of its ends can fail by itself, so both conditions carry the result of the whole window.
 */
function startTest({ start, end, wraps }: Window): TimeTest {
  return wraps ? outside(end, start) : ({ minuteOfDay }) => minuteOfDay >= start;
}

function endTest({ start, end, wraps }: Window): TimeTest {
  return wraps ? outside(end, start) : ({ minuteOfDay }) => minuteOfDay < end;
}

const outside =
  (from: number, to: number): TimeTest =>
  ({ minuteOfDay }) =>
    minuteOfDay < from || minuteOfDay >= to;

function endCondition(field: "startTime" | "endTime", expected: string | undefined, test: TimeTest): Condition | null {
  if (expected === undefined) return null;
  return { field, expected, needs: TIME_NEEDS, test, actual: ({ minuteOfDay }) => clock(minuteOfDay) };
}

function dayCondition(expected: number[] | undefined, { end, wraps }: Window): Condition | null {
  if (!expected?.length) return null;
  const dayOf = ({ minuteOfDay, dayOfWeek }: VisitorFacts) =>
    wraps && minuteOfDay < end ? (dayOfWeek + 6) % 7 : dayOfWeek;
  return {
    field: "daysOfWeek",
    expected,
    needs: TIME_NEEDS,
    test: (facts) => expected.includes(dayOf(facts)),
    actual: dayOf,
  };
}

function clock(minuteOfDay: number): string {
  const pad = (part: number) => String(part).padStart(2, "0");
  return `${pad(Math.floor(minuteOfDay / 60))}:${pad(minuteOfDay % 60)}`;
}
