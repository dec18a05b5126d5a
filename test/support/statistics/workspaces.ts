/** Generates workspaces with or without a planted anomaly: several links, countries and referrers, by day or hour. */
import type { AnomalyQuestion, Series } from "@/core/insights/anomalies";
import { DAY_MS, HOUR_MS } from "@/core/time/time-range";
import type { Random } from "./random";

export interface WorkspaceShape {
  granularity: "day" | "hour";
  /** Length of history and range together. */
  days: number;
  /** Mean clicks per day of all links together. */
  volume: number;
  /** Dispersion of the negative binomial distribution; infinite gives Poisson. */
  k: number;
  links: number;
}

export type Planted = { times: number; of: "whole" | "link" } | undefined;

/** Factors by day of the week, from Sunday. */
const SEASONS = [
  [1, 1, 1, 1, 1, 1, 1],
  [0.3, 1, 1.1, 1.05, 1, 0.95, 0.35],
  [1.3, 0.9, 0.9, 0.95, 1, 1.1, 1.4],
  [0.6, 1.4, 0.8, 1, 1.2, 0.9, 0.5],
] as const;
const RANGE_DAYS = { day: 30, hour: 3 } as const;
const VALUES = [0.5, 0.3, 0.1];

export interface Workspace {
  question: AnomalyQuestion;
  /** Start of the bucket with the planted anomaly, in Unix milliseconds. */
  at: number | undefined;
}

/**
 * In half of the workspaces all links share the random variation of a bucket; in the other half each link varies
 * independently. The planted anomaly is in one bucket of the range, but never the first: the buckets before a first
 * click are no drop.
 */
export function makeWorkspace(random: Random, shape: WorkspaceShape, planted?: Planted): Workspace {
  const { granularity, days, volume, k } = shape;
  const bucketMs = granularity === "day" ? DAY_MS : HOUR_MS;
  const start = Date.UTC(2026, 0, 4) + random.whole(7) * DAY_MS;
  const season = SEASONS[random.whole(SEASONS.length)] ?? SEASONS[0];
  const peak = 10 + random.whole(10);
  const isShared = random.uniform() < 0.5;
  const shares = sharesOf(shape.links);
  const length = (days * DAY_MS) / bucketMs;
  const rangeLength = Math.min(length, (RANGE_DAYS[granularity] * DAY_MS) / bucketMs);
  const at = planted ? length - 1 - random.whole(rangeLength - 1) : undefined;
  const counts = Array.from({ length }, (_, index) => {
    const time = start + index * bucketMs;
    const weekday = season[new Date(time).getUTCDay()] ?? 1;
    const mean = granularity === "day" ? volume * weekday : (volume / 24) * weekday * hourly(time, peak);
    const common = isShared ? random.negativeBinomial(1e6, k) / 1e6 : 1;
    return shares.map((share, link) => {
      const count = random.negativeBinomial(mean * share * common, isShared ? Number.POSITIVE_INFINITY : k);
      return index === at && planted && (planted.of === "whole" || link === 0) ? count * planted.times : count;
    });
  });
  const series = (key: string, kind: Series["kind"], of: (links: readonly number[]) => number): Series => ({
    ...{ key, name: key, kind },
    buckets: counts.map((links, index) => ({ at: start + index * bucketMs, count: of(links) })),
  });
  const sum = (links: readonly number[]) => links.reduce((total, count) => total + count, 0);
  const ofLinks = shares.map((_, link) => series(`link${link}`, "link", (links) => links[link] ?? 0));
  const ofValues = (kind: "country" | "referrer") =>
    VALUES.map((share) => series(`${kind}${share}`, kind, (links) => binomial(random, sum(links), share)));
  const values = granularity === "day" ? [...ofValues("country"), ...ofValues("referrer")] : [];
  return {
    question: {
      series: [series("all", "whole", sum), ...ofLinks, ...values],
      bucketMs,
      from: start + (length - rangeLength) * bucketMs,
    },
    at: at === undefined ? undefined : start + at * bucketMs,
  };
}

/** Returns shares with sum 1, each two thirds of the one before. */
function sharesOf(links: number): number[] {
  const raw = Array.from({ length: links }, (_, index) => (2 / 3) ** index);
  const sum = raw.reduce((total, each) => total + each, 0);
  return raw.map((each) => each / sum);
}

/** Returns the factor for an hour of the day: about 1 on average, lower at night. */
function hourly(at: number, peak: number): number {
  const hour = (at % DAY_MS) / HOUR_MS;
  const away = Math.min(Math.abs(hour - peak), 24 - Math.abs(hour - peak));
  return 0.25 + 1.8 * Math.exp(-((away / 5.5) ** 2));
}

function binomial(random: Random, count: number, share: number): number {
  if (count > 200) {
    const spread = Math.sqrt(count * share * (1 - share));
    return Math.max(0, Math.min(count, Math.round(count * share + spread * random.normal())));
  }
  let hits = 0;
  for (let each = 0; each < count; each++) if (random.uniform() < share) hits++;
  return hits;
}
