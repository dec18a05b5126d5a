/** The shapes that are tried for a daily count: how common each is, and how it may continue. */
export interface Shape {
  kind: "steady" | "rising" | "falling";
  /** Logarithm of its share among all shapes. */
  prior: number;
  /** First day of the shape; the days before it have a level of their own. */
  since: number;
  /** Returns the logarithm of its height on a day, which may be after the last one. */
  at(day: number): number;
  /**
   * Standard deviation of its slope per day: it represents all slopes up to the next ones tried. Omitted if
   * negligible.
   */
  slopeDeviation?: number;
  futures: readonly Future[];
}

/** One way in which a shape may continue. Its days do not show which one it is. */
export interface Future {
  /** Probability among the futures of the shape. */
  share: number;
  /** Height after the last day; that of the shape if omitted. */
  at?(day: number): number;
  /** Set if the level of the days before the shape comes back, instead of the shape or besides what is left of it. */
  before?: "instead" | "besides";
}

/**
 * Shares of shapes that grow or decline exponentially, in a straight line, change level once, fade after they begin,
 * or stand out for a few days.
 */
const SHARES = { exponential: 0.25, linear: 0.1, change: 0.1, fading: 0.1, burst: 0.05 };
/** In fewer days, chance hides trends: the fewer, the larger the share of steady shapes that are taken for trends. */
const TREND_DAYS = 28;
const STEP = 0.15;
const [DECLINE_MAX, GROWTH_MAX] = [6, 3];
const RATIOS = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.25, 1.4, 1.6, 1.8, 2, 2.25, 2.5, 2.8, 3.2, 4, 6, 10];
const FADES = [-0.3, -0.2, -0.14, -0.1, -0.07, -0.05];
const DAMPING = 0.97;
/** Shares of growth that is damped after the last day, and of growth and decline that stop there. */
const [DAMPED, STOPPED] = [0.05, { rising: 0.15, falling: 0.25 }];
/** Lowest height of a straight line, as a share of the first day's. */
const HEIGHT_MIN = 0.005;
/** Days needed to know a level. */
const SIDE_MIN = 3;
/** A new level may be that of a few days only: the share that ends, for one of `SIDE_MIN` days, and how fast it falls. */
const [BACK_MAX, BACK_DAYS] = [0.5, 10];
/** Share of fading launches after which the level before them comes back. */
const FADED = 0.9;
/** Logarithms of what is left of a burst a day later. */
const ENDS = [-1.4, -0.7, -0.35];
/** Share of bursts that happen again: once, or each week if their weekday was not seen without one. */
const [AGAIN, WEEKLY] = [0.25, 0.5];
const WEEK = 7;

export const STEADY: Shape = {
  kind: "steady",
  prior: Math.log(1 - Object.values(SHARES).reduce((sum, share) => sum + share, 0)),
  since: 0,
  at: () => 0,
  futures: [{ share: 1 }],
};

export function shapesOf(days: number): Shape[] {
  const steady = Math.exp(STEADY.prior);
  const hidden = steady * Math.max(0, 1 - (days / TREND_DAYS) ** 2);
  return [
    { ...STEADY, prior: Math.log(steady - hidden) },
    ...exponential(days, SHARES.exponential + hidden),
    ...linear(days),
    ...changed(days),
  ];
}

function exponential(days: number, whole: number): Shape[] {
  const changes = Array.from(
    { length: Math.round((DECLINE_MAX + GROWTH_MAX) / STEP) + 1 },
    (_, index) => index * STEP - DECLINE_MAX,
  )
    .filter((change) => Math.abs(change) > STEP / 2)
    .map((change) => ({ change, weight: Math.exp(-Math.abs(change)) }));
  const sum = changes.reduce((total, { weight }) => total + weight, 0);
  return changes.map(({ change, weight }): Shape => {
    const kind = change > 0 ? "rising" : "falling";
    const at = (day: number) => (change * day) / days;
    const damped = { share: DAMPED, at: (day: number) => at(slowed(day, days)) };
    return {
      kind,
      prior: Math.log((whole * weight) / sum),
      since: 0,
      at,
      slopeDeviation: STEP / Math.sqrt(12) / days,
      futures: trending(at, days, kind, kind === "rising" ? [damped] : []),
    };
  });
}

/** Slows down the days after the last one. */
const slowed = (day: number, days: number): number =>
  days - 1 + (DAMPING * (1 - DAMPING ** (day - days + 1))) / (1 - DAMPING);

/** A trend continues for as long as it has been seen, unless it stops at once. */
function trending(at: Shape["at"], days: number, kind: "rising" | "falling", others: readonly Future[] = []): Future[] {
  const stopped = STOPPED[kind];
  const share = 1 - stopped - others.reduce((sum, each) => sum + each.share, 0);
  return [
    { share, at: (day) => at(Math.min(day, 2 * days - 1)) },
    { share: stopped, at: () => at(days - 1) },
    ...others,
  ];
}

function linear(days: number): Shape[] {
  return RATIOS.map((ratio) => {
    const kind = ratio > 1 ? "rising" : "falling";
    const at = (day: number) => Math.log(Math.max(HEIGHT_MIN, 1 + ((ratio - 1) * day) / Math.max(1, days - 1)));
    const prior = Math.log(SHARES.linear / RATIOS.length);
    return { kind, prior, since: 0, at, futures: trending(at, days, kind) };
  });
}

function changed(days: number): Shape[] {
  const count = Math.max(0, days - 2 * SIDE_MIN + 1);
  return Array.from({ length: count }, (_, index) => index + SIDE_MIN).flatMap((since): Shape[] => {
    const back = BACK_MAX * Math.exp(-(days - since - SIDE_MIN) / BACK_DAYS);
    return [
      {
        kind: "steady",
        prior: Math.log(SHARES.change / count),
        since,
        at: () => 0,
        futures: [{ share: 1 - back }, { share: back, before: "instead" }],
      },
      ...FADES.map((slope) => ({
        kind: "falling" as const,
        prior: Math.log(SHARES.fading / count / FADES.length),
        since,
        at: (day: number) => slope * (day - since),
        futures: [{ share: 1 - FADED }, { share: FADED, before: "besides" as const }],
      })),
    ];
  });
}

/** Returns the shapes of a level that one day exceeded `times` times, each with what is left of that on later days. */
export function burstsOf(days: number, { day: burst, times }: { day: number; times: number }): Shape[] {
  const prior = Math.log(SHARES.burst / days / (1 + ENDS.length));
  const isSeen = burst >= WEEK || burst + WEEK < days;
  const [share, period] = isSeen ? [AGAIN, days - burst] : [WEEKLY, WEEK];
  return [Number.NEGATIVE_INFINITY, ...ENDS].map((end): Shape => {
    const excess = (day: number) => {
      if (day < burst) return 0;
      return day === burst ? times - 1 : (times - 1) * Math.exp(end * (day - burst));
    };
    const repeated = (day: number) => {
      const periods = isSeen ? 1 : Math.floor(day / period);
      return Array.from({ length: periods }, (_, index) => excess(day - (index + 1) * period));
    };
    const again = (day: number) => Math.log(repeated(day).reduce((sum, each) => sum + each, 1 + excess(day)));
    const at = (day: number) => Math.log(1 + excess(day));
    return { kind: "steady", prior, since: 0, at, futures: [{ share: 1 - share }, { share, at: again }] };
  });
}
