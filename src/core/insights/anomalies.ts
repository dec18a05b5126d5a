/**
 * Spikes and drops of a workspace's clicks in words: of the whole, and of parts of it, as its largest links, countries and
 * referrers. What is out of the ordinary is decided by `seasonal.ts`. Where a part stands out together with the whole, it is
 * told as evidence of that one anomaly rather than as another.
 */
import type { ComputedSummary, Level, TrafficAnomaly } from "@/contract/insights";
import { type Bucket, type Deviation, judgeSeries, type Season } from "./seasonal";
import { number, percent, plural, spanOf } from "./words";

export interface Series {
  /** Stable, as ids of anomalies have it. */
  key: string;
  /** As a sentence begins with it. */
  name: string;
  /** What the others are parts of. */
  isWhole: boolean;
  buckets: Bucket[];
}

export interface AnomalyQuestion {
  series: readonly Series[];
  bucketMs: number;
  /** From where on anomalies are told; what the series have before serves for comparison. */
  from: number;
}

export interface Anomalies {
  anomalies: TrafficAnomaly[];
  data: ComputedSummary["data"];
  text: string;
  notes: string[];
}

export const ANOMALIES_MAX = 50;

interface Judged {
  series: Series;
  season: Season;
  deviations: Deviation[];
}

export function findAnomalies({ series, bucketMs, from }: AnomalyQuestion): Anomalies {
  const judgements = series.map((each) => ({ series: each, judgement: judgeSeries(each.buckets, bucketMs, from) }));
  const judged = judgements.flatMap(({ series, judgement }): Judged[] =>
    judgement.ok ? [{ series, ...judgement }] : [],
  );
  const notes = notesOf(
    judgements.flatMap(({ series, judgement }) => (judgement.ok ? [] : [{ series, ...judgement }])),
  );
  if (judged.length === 0) {
    const hasAny = series.some(({ buckets }) => buckets.some(({ count }) => count > 0));
    return { anomalies: [], data: hasAny ? "thin" : "none", text: hasAny ? TOO_THIN : NOTHING, notes };
  }
  const anomalies = told(judged).sort(
    (a, b) => Math.abs(b.score) - Math.abs(a.score) || (a.anomaly.id < b.anomaly.id ? -1 : 1),
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
const TOO_THIN = "There are too few clicks, or too short a history, to tell an anomaly from chance";

function notesOf(unjudged: readonly { series: Series; reason: "short" | "few" }[]): string[] {
  const whole = unjudged.find(({ series }) => series.isWhole);
  const parts = unjudged.filter(({ series }) => !series.isWhole).map(({ series }) => series.name);
  return [
    ...(whole
      ? [`${whole.series.name}: ${whole.reason === "short" ? TOO_SHORT : "fewer than 50 clicks, history included"}`]
      : []),
    ...(parts.length > 0 ? [`Too few clicks, or too short a history, by themselves: ${parts.join(", ")}`] : []),
  ];
}

const TOO_SHORT = "too short a history; it takes two whole weeks";

interface Told {
  anomaly: TrafficAnomaly;
  score: number;
}

function told(judged: readonly Judged[]): Told[] {
  const whole = judged.find(({ series }) => series.isWhole);
  const parts = judged.filter(({ series }) => !series.isWhole);
  const ofWhole = (whole?.deviations ?? []).map((deviation) => {
    const along = parts.flatMap(({ series, deviations }) =>
      evidenceOf(
        series,
        deviations.filter((each) => isSame(each, deviation)),
      ),
    );
    return whole && describe(whole, deviation, along);
  });
  const ofParts = parts.flatMap((part) =>
    part.deviations
      .filter((deviation) => !whole?.deviations.some((wider) => isSame(deviation, wider)))
      .map((deviation) => describe(part, deviation, [])),
  );
  return [...ofWhole, ...ofParts].filter((each) => each !== undefined);
}

/** The same way at the same time. */
const isSame = (one: Deviation, other: Deviation): boolean =>
  one.from < other.to && other.from < one.to && Math.sign(one.score) === Math.sign(other.score);

const evidenceOf = ({ name }: Series, deviations: readonly Deviation[]): string[] =>
  deviations.map(({ count, expected }) => `${name}: ${plural(count, "click")}, about ${number(expected)} expected`);

function describe(judged: Judged, deviation: Deviation, along: string[]): Told {
  const { from, to, count, expected, score } = deviation;
  const { key, name, isWhole } = judged.series;
  const isSpike = score > 0;
  const type = isSpike ? "traffic_spike" : "traffic_drop";
  return {
    score,
    anomaly: {
      id: `${type}:${key}:${new Date(from).toISOString()}`,
      type,
      severity: severityOf(deviation),
      title: `${isSpike ? "Far more" : "Far fewer"} clicks than usual${isWhole ? "" : ` (${name})`}: ${spanOf(from, to)}`,
      summary: `${name} had ${plural(count, "click")} where about ${number(expected)} were to be expected`,
      recommendation: isSpike ? ON_SPIKE : ON_DROP,
      metric: `${plural(count, "click")}, ${number(expected)} expected (${signed(count, expected)})`,
      evidence: [
        `${number(Math.abs(score))} robust deviations ${isSpike ? "above" : "below"} the median of the nearest buckets of the same season (${judged.season})`,
        ...along,
      ],
    },
  };
}

const ON_SPIKE =
  "Look at the referrers and countries of that time in the overview, and at the abuse queue; where the visitors are real, see that the destination bears them";
const ON_DROP =
  "Look whether the links were reachable and led somewhere at that time, and whether a campaign that brought visitors had ended";

function signed(count: number, expected: number): string {
  if (expected === 0) return "from nothing";
  return `${count >= expected ? "+" : "−"}${percent(Math.abs(count - expected) / expected)}`;
}

/** By deviations, and by how far beside what was expected. */
function severityOf({ score, count, expected }: Deviation): Level {
  const isDoubled = count >= 2 * expected || count <= expected / 2;
  if (Math.abs(score) >= 10 && isDoubled) return "high";
  return Math.abs(score) >= 6 ? "medium" : "low";
}
