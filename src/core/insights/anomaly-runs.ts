/**
 * Which buckets are told of, and as how many anomalies. In a normal workspace at most 5 of 100 ranges by day, and 10 of 100
 * by hour, are to be told of any: that chance is shared out among all that is looked at (Bonferroni), most of it to the
 * whole, and more to spikes than to drops, which stand out more. What follows one another is one run, and runs of one
 * direction at the same time are one cause.
 */
import type { JudgedBucket } from "./seasonal";

export interface AnomalyRun {
  from: number;
  to: number;
  direction: "spike" | "drop";
  /** The run's least likely bucket. */
  peak: JudgedBucket;
}

/** The chance that a whole range is told of one, by whom it is spent; measured by `bun run bench insights`. */
const CHANCES = {
  whole: { spike: 0.035, drop: 0.01 },
  parts: { spike: 0.011, drop: 0.004 },
} as const;
const CHANGE_MIN = 10;
const CHANGE_SHARE_MIN = 0.3;
/** A bucket beside a run belongs to it from here on. */
const BESIDE = 0.05;

export interface RunLimits {
  spike: number;
  drop: number;
}

/** How unlikely a bucket of a series has to be. */
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

/** Groups runs of one direction that touch in time, over all series, in order of time. */
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
