/** What keeps failing is logged at once, and then less and less often. */
import { describe, expect, test } from "bun:test";
import { createFailureLog } from "@/platform/telemetry/failure-log";
import { throttleReports } from "@/platform/telemetry/throttle-reports";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** Reports once a second for each of the spans, with a second of its own between two. */
function saidIn(spans: readonly { fromMs: number; toMs: number }[]) {
  const said: { atS: number; unsaid: number }[] = [];
  let nowMs = 0;
  const report = throttleReports<number>(
    10 * SECOND_MS,
    (atS, unsaid) => said.push({ atS, unsaid }),
    () => nowMs,
  );
  for (const { fromMs, toMs } of spans)
    for (nowMs = fromMs; nowMs <= toMs; nowMs += SECOND_MS) report(nowMs / SECOND_MS);
  return said;
}

describe("a failure that lasts", () => {
  const HOUR = { fromMs: 0, toMs: 60 * MINUTE_MS };

  test("is reported at once, after 10 s, 20 s, and so on, and at least every ten minutes", () => {
    expect(saidIn([HOUR]).map(({ atS }) => atS)).toEqual([0, 10, 30, 70, 150, 310, 630, 1230, 1830, 2430, 3030]);
  });

  test("is reported with how often it was left out", () => {
    const said = saidIn([HOUR]);
    expect(said.slice(0, 4).map(({ unsaid }) => unsaid)).toEqual([0, 9, 19, 39]);
  });
});

test("a failure after a quiet interval is a new one", () => {
  const said = saidIn([
    { fromMs: 0, toMs: 20 * MINUTE_MS },
    { fromMs: 20 * MINUTE_MS + 10 * SECOND_MS, toMs: 20 * MINUTE_MS + 20 * SECOND_MS },
  ]);
  expect(said.slice(-2).map(({ atS }) => atS)).toEqual([1210, 1220]);
});

test("a pause shorter than the interval ends nothing", () => {
  const said = saidIn([
    { fromMs: 0, toMs: 40 * SECOND_MS },
    { fromMs: 49 * SECOND_MS, toMs: 60 * SECOND_MS },
  ]);
  expect(said.map(({ atS }) => atS)).toEqual([0, 10, 30]);
});

test("of visits that fail because Postgres is away, as few are logged in full, and each has a line", () => {
  const lines: Record<string, unknown>[] = [];
  let nowMs = 0;
  const failed = createFailureLog({ warn: (_, fields = {}) => lines.push(fields) }, "failed", () => nowMs);
  const error = Object.assign(new Error("no"), { code: "ECONNREFUSED" });
  for (; nowMs < 60 * MINUTE_MS; nowMs += SECOND_MS) failed("id", error);
  expect(lines).toHaveLength(3600);
  expect(lines.filter((line) => "error" in line)).toHaveLength(11);
});
