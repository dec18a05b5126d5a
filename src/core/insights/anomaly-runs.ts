/**
 * Decides which buckets are reported, and groups them into anomalies. In workspaces with normal traffic, at most 5 of
 * 100 ranges by day and 10 of 100 by hour should report any. That probability is divided among all comparisons
 * (Bonferroni): most of it goes to the whole, and more to spikes than to drops, because spikes stand out more.
 * Consecutive buckets form one run; runs in the same direction at the same time share one cause.
 */
import type { JudgedBucket } from "./seasonal";

export interface AnomalyRun {
  from: number;
  to: number;
  direction: "spike" | "drop";
  /** The least likely bucket of the run. */
  peak: JudgedBucket;
}

/**
 * Probability that a range of normal traffic reports such an anomaly, divided among whole and parts, spikes and
 * drops; measured by `bun run bench insights`.
 */
const CHANCES = {
  whole: { spike: 0.035, drop: 0.01 },
  parts: { spike: 0.011, drop: 0.004 },
} as const;
const CHANGE_MIN = 10;
const CHANGE_SHARE_MIN = 0.3;
/** Largest probability at which a bucket next to a run still belongs to it. */
const BESIDE = 0.05;

export interface RunLimits {
  spike: number;
  drop: number;
}

/** Returns the probabilities at or below which a bucket of a series is reported. */
export function limitsOf(buckets: number, { isWhole, parts }: { isWhole: boolean; parts: number }): RunLimits {
  const { spike, drop } = isWhole ? CHANCES.whole : CHANCES.parts;
  const tests = Math.max(1, buckets) * (isWhole ? 1 : Math.max(1, parts));
  return { spike: spike / tests, drop: drop / tests };
}

export function runsOf(buckets: readonly JudgedBucket[], lengthMs: number, limits: RunLimits): AnomalyRun[] {
  const runs: { first: number; last: number; direction: AnomalyRun["direction"] }[] = [];
  for (const [index, bucket] of buckets.entries()) {
    const direction = directionOf(bucket);
    if (!direction || !isTold(bucket, limits[direction])) continue;
    const last = runs.at(-1);
    const between = last ? buckets.slice(last.last + 1, index) : [];
    if (last?.direction === direction && between.every((each) => !isAgainst(each, direction))) last.last = index;
    else runs.push({ first: index, last: index, direction });
  }
  return runs.map((run) => whole(buckets, lengthMs, run));
}

const directionOf = ({ count, expected }: JudgedBucket): AnomalyRun["direction"] | undefined =>
  count === expected ? undefined : count > expected ? "spike" : "drop";

function isTold({ count, expected, probability }: JudgedBucket, limit: number): boolean {
  const change = Math.abs(count - expected);
  return probability <= limit && change >= CHANGE_MIN && change >= CHANGE_SHARE_MIN * expected;
}

const isAgainst = (bucket: JudgedBucket, direction: AnomalyRun["direction"]): boolean => {
  const own = directionOf(bucket);
  return own !== undefined && own !== direction;
};

function whole(
  buckets: readonly JudgedBucket[],
  lengthMs: number,
  { first, last, direction }: { first: number; last: number; direction: AnomalyRun["direction"] },
): AnomalyRun {
  const belongs = (bucket: JudgedBucket | undefined) =>
    bucket !== undefined && directionOf(bucket) === direction && bucket.probability <= BESIDE;
  let [start, end] = [first, last];
  while (belongs(buckets[start - 1])) start--;
  while (belongs(buckets[end + 1])) end++;
  const own = buckets.slice(start, end + 1);
  const peak = own.reduce((least, each) => (each.probability < least.probability ? each : least));
  return { from: own[0]?.at ?? 0, to: (own.at(-1)?.at ?? 0) + lengthMs, direction, peak };
}

/** Groups runs in one direction that overlap or touch in time, across all series, ordered by time. */
export function causesOf<Owned extends { run: AnomalyRun }>(runs: readonly Owned[]): Owned[][] {
  const causes: Owned[][] = [];
  for (const each of runs.toSorted((a, b) => a.run.from - b.run.from || a.run.to - b.run.to)) {
    const cause = causes.find((others) => others.some(({ run }) => isSame(run, each.run)));
    if (cause) cause.push(each);
    else causes.push([each]);
  }
  return causes;
}

const isSame = (one: AnomalyRun, other: AnomalyRun): boolean =>
  one.direction === other.direction && one.from <= other.to && other.from <= one.to;
