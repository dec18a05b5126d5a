/**
 * Describes spikes and drops in a workspace's clicks, in total and for its parts: its largest links, countries and
 * referrers. `seasonal.ts` computes how unlikely each bucket is, and `anomaly-runs.ts` decides which buckets to
 * report. One cause is reported as one anomaly. It is named after the link that explains it, otherwise after the
 * whole; the other series become its evidence.
 */
import { type ComputedSummary, LEVELS, type Level, type TrafficAnomaly } from "@/contract/analytics/insights";
import { number, plural } from "../plural";
import { type AnomalyRun, causesOf, limitsOf, runsOf } from "./anomaly-runs";
import { type LinkStop, stopInWords } from "./link-stops";
import { type CountBucket, type JudgedBucket, judgeSeries, TOTAL_MIN } from "./seasonal";
import { oneIn, percent, spanOf } from "./words";

export interface Series {
  /** Stable identifier; anomaly ids contain it. */
  key: string;
  /** Name as it appears at the start of a sentence. */
  name: string;
  /** Every kind but `whole` is a part of the whole. */
  kind: "whole" | "link" | "country" | "referrer";
  buckets: CountBucket[];
  /** When people took the link out of use; absent for series of more than one link. */
  stops?: readonly LinkStop[];
}

export interface AnomalyQuestion {
  series: readonly Series[];
  bucketMs: number;
  /** Start of the reported range, Unix milliseconds. Earlier buckets serve only for comparison. */
  from: number;
}

export interface Anomalies {
  anomalies: TrafficAnomaly[];
  data: ComputedSummary["data"];
  text: string;
  notes: string[];
}

const ANOMALIES_MAX = 50;
/** Share of the whole's change that a link must account for to explain it. */
const EXPLAINED_MIN = 0.7;
/** Links that a summary names as stopped; the evidence names all. */
const STOPS_MAX = 3;

interface JudgedSeries {
  series: Series;
  buckets: JudgedBucket[];
}

interface OwnRun extends JudgedSeries {
  run: AnomalyRun;
}

export function findAnomalies({ series, bucketMs, from }: AnomalyQuestion): Anomalies {
  const judgements = series.map((each) => ({ series: each, judgement: judgeSeries(each.buckets, bucketMs, from) }));
  const judged = judgements.flatMap(({ series, judgement }): JudgedSeries[] =>
    judgement.ok ? [{ series, buckets: judgement.buckets }] : [],
  );
  const notes = notesOf(
    judgements.flatMap(({ series, judgement }) => (judgement.ok ? [] : [{ series, ...judgement }])),
  );
  if (judged.length === 0) {
    const hasAny = series.some(({ buckets }) => buckets.some(({ count }) => count > 0));
    return { anomalies: [], data: hasAny ? "thin" : "none", text: hasAny ? TOO_THIN : NOTHING, notes };
  }
  const parts = judged.filter(({ series }) => series.kind !== "whole").length;
  const runs = judged.flatMap((each): OwnRun[] => {
    const limits = limitsOf(each.buckets.length, { isWhole: each.series.kind === "whole", parts });
    return runsOf(each.buckets, bucketMs, limits).map((run) => ({ ...each, run }));
  });
  const anomalies = causesOf(runs)
    .map((cause) => describe(cause, judged))
    .sort(
      (a, b) =>
        LEVELS.indexOf(a.anomaly.severity) - LEVELS.indexOf(b.anomaly.severity) ||
        a.probability - b.probability ||
        (a.anomaly.id < b.anomaly.id ? -1 : 1),
    );
  const count = plural(anomalies.length, "anomaly", "anomalies");
  return {
    anomalies: anomalies.slice(0, ANOMALIES_MAX).map(({ anomaly }) => anomaly),
    data: "enough",
    text: `${anomalies.length === 0 ? "No anomalies" : count} in ${plural(judged.length, "series", "series")} of clicks`,
    notes,
  };
}

const NOTHING = "No whole hour or day had clicks, so there is nothing to compare";
const TOO_THIN = "There are too few clicks, or too short a history, to distinguish an anomaly from chance";

function notesOf(unjudged: readonly { series: Series; reason: "short" | "few" }[]): string[] {
  const whole = unjudged.find(({ series }) => series.kind === "whole");
  const parts = unjudged.filter(({ series }) => series.kind !== "whole").map(({ series }) => series.name);
  return [
    ...(whole ? [`${whole.series.name}: ${whole.reason === "short" ? TOO_SHORT : TOO_FEW}`] : []),
    ...(parts.length > 0
      ? [`Not compared separately, with too few clicks or too short a history: ${parts.join(", ")}`]
      : []),
  ];
}

const TOO_SHORT = "the history is too short; two whole weeks are needed";
const TOO_FEW = `fewer than ${TOTAL_MIN} clicks in whole hours or days, including the history`;

/** A series' clicks in a span of time, and the clicks that were expected. */
interface Change {
  series: Series;
  count: number;
  expected: number;
}

function describe(cause: readonly OwnRun[], judged: readonly JudgedSeries[]) {
  const from = Math.min(...cause.map(({ run }) => run.from));
  const to = Math.max(...cause.map(({ run }) => run.to));
  const subject = subjectOf(cause, judged, { from, to });
  const own = cause.find(({ series }) => series === subject.series) ?? strongest(cause);
  const { direction } = own.run;
  const type = direction === "spike" ? "traffic_spike" : "traffic_drop";
  const { key, name, kind } = subject.series;
  const others = judged
    .filter(({ series }) => series !== subject.series)
    .filter(({ series }) => series.kind === "whole" || cause.some((each) => each.series === series))
    .map((each) => changeOf(each, { from, to }));
  const probability = Math.min(...cause.map(({ run }) => run.peak.probability));
  const stopped = direction === "drop" ? stoppedIn(judged, { from, to }) : [];
  const isIntended = stopped.length > 0 && isExplained(subject, cause, stopped);
  const anomaly: TrafficAnomaly = {
    id: `${type}:${key}:${new Date(from).toISOString()}`,
    type,
    severity: isIntended ? "low" : severityOf(subject, probability),
    title: `${direction === "spike" ? "Far more" : "Far fewer"} clicks than usual${kind === "whole" ? "" : ` (${name})`}: ${spanOf(from, to)}`,
    summary: [
      `${name} had ${plural(subject.count, "click")}; about ${number(subject.expected)} were expected`,
      ...(isIntended ? stopped.slice(0, STOPS_MAX).map(({ text }) => text) : []),
    ].join(". "),
    recommendation: direction === "spike" ? ON_SPIKE : isIntended ? ON_STOP : ON_DROP,
    metric: `${plural(subject.count, "click")}, ${number(subject.expected)} expected (${signed(subject)})`,
    evidence: [...evidenceOf(own, cause, judged), ...stopped.map(({ text }) => text), ...others.map(inWords)],
  };
  return { probability, anomaly };
}

/** A link that lost clicks while it was out of use. */
interface StoppedLink extends Change {
  text: string;
}

/** Returns the links that people had taken out of use for at least half of a span, and that lost clicks in it. */
function stoppedIn(judged: readonly JudgedSeries[], span: { from: number; to: number }): StoppedLink[] {
  return judged.flatMap((each) => {
    const stop = each.series.stops?.find(({ from, to }) => {
      const sharedMs = Math.min(to, span.to) - Math.max(from, span.from);
      return sharedMs >= (span.to - span.from) / 2;
    });
    const change = changeOf(each, span);
    if (!stop || change.count >= change.expected) return [];
    return [{ ...change, text: `${each.series.name} ${stopInWords(stop)}` }];
  });
}

/** Whether the stopped links account for the subject's loss, and no other link stands out as well. */
function isExplained({ series, count, expected }: Change, cause: readonly OwnRun[], stopped: readonly StoppedLink[]) {
  const isStopped = (one: Series) => stopped.some((each) => each.series === one);
  if (!cause.every((each) => each.series.kind !== "link" || isStopped(each.series))) return false;
  if (series.kind === "link" || series.stops) return isStopped(series);
  const lost = stopped.reduce((sum, each) => sum + each.expected - each.count, 0);
  return lost >= EXPLAINED_MIN * (expected - count);
}

const strongest = (cause: readonly OwnRun[]): OwnRun =>
  cause.reduce((least, each) => (each.run.peak.probability < least.run.peak.probability ? each : least));

/**
 * Returns the link that explains the whole's anomaly, otherwise the whole if it stands out itself, otherwise the
 * least likely link or other part.
 */
function subjectOf(
  cause: readonly OwnRun[],
  judged: readonly JudgedSeries[],
  span: { from: number; to: number },
): Change {
  const whole = cause.find(({ series }) => series.kind === "whole");
  const links = cause.filter(({ series }) => series.kind === "link");
  if (!whole) return changeOf(strongest(links.length > 0 ? links : cause), span);
  const all = changeOf(whole, span);
  const change = all.count - all.expected;
  const largest = judged
    .filter(({ series }) => series.kind === "link")
    .map((each) => changeOf(each, span))
    .toSorted((a, b) => (b.count - b.expected - a.count + a.expected) * Math.sign(change))
    .at(0);
  return largest && (largest.count - largest.expected) / change >= EXPLAINED_MIN ? largest : all;
}

function changeOf({ series, buckets }: JudgedSeries, { from, to }: { from: number; to: number }): Change {
  const own = buckets.filter(({ at }) => at >= from && at < to);
  const sum = (metric: "count" | "expected") => own.reduce((total, each) => total + each[metric], 0);
  return { series, count: sum("count"), expected: sum("expected") };
}

function evidenceOf(
  { run, series, buckets }: OwnRun,
  cause: readonly OwnRun[],
  judged: readonly JudgedSeries[],
): string[] {
  const { peak } = run;
  const compared = judged.reduce((sum, each) => sum + each.buckets.length, 0);
  const lengthMs = (buckets[1]?.at ?? 0) - (buckets[0]?.at ?? 0);
  const when = spanOf(peak.at, peak.at + lengthMs);
  const of = cause.length > 1 || judged.length > 1 ? `${series.name}, ` : "";
  return [
    `${of}${when}: ${plural(peak.count, "click")}; the level, trend and weekly pattern of the surrounding weeks ` +
      `suggest ${number(peak.expected)}${peak.usual.length > 0 ? ` (${peak.usual.map(number).join(", ")} at the same time in the nearest weeks)` : ""}`,
    `By chance, this happens ${oneIn(peak.probability)} (negative-binomial regression, k = ${number(peak.k)}); the ` +
      `limit allows for all ${number(compared)} comparisons of this answer`,
  ];
}

const inWords = (change: Change): string =>
  `${change.series.name}: ${plural(change.count, "click")}, about ${number(change.expected)} expected`;

const ON_SPIKE =
  "Check the referrers and countries of that time in the overview, and the abuse queue. If the visitors are real, " +
  "make sure that the destination can handle them";
const ON_STOP =
  "If that was intended, there is nothing to do. Otherwise let it serve again, or create it again if it was deleted";
const ON_DROP =
  "Check that the links worked and led to the right place at that time, and whether a campaign that brought " +
  "visitors had ended";

function signed({ count, expected }: Change): string {
  if (expected < 0.5) return "from almost nothing";
  return `${count >= expected ? "+" : "−"}${percent(Math.abs(count - expected) / expected)}`;
}

const SURE = 1e-6;

/** Rates how far the count is from the expected one, and how certain that is. */
function severityOf({ count, expected }: Change, probability: number): Level {
  const isDoubled = count >= 2 * expected || count <= expected / 2;
  if (!isDoubled) return "low";
  return probability <= SURE ? "high" : "medium";
}
