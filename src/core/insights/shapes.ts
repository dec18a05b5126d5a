/** The shapes that are tried for a daily count, each with how common it is. */
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
}

/**
 * Shares of shapes that grow or decline exponentially, in a straight line, change level once, or fade after they
 * begin.
 */
const SHARES = { exponential: 0.25, linear: 0.1, change: 0.1, fading: 0.1 };
const STEP = 0.15;
const [DECLINE_MAX, GROWTH_MAX] = [6, 3];
const RATIOS = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.25, 1.4, 1.6, 1.8, 2, 2.25, 2.5, 2.8, 3.2, 4, 6, 10];
const FADES = [-0.3, -0.2, -0.14, -0.1, -0.07, -0.05];
const DAMPING = 0.97;
/** Share of growth that continues in full; the rest is damped. */
const UNDAMPED = 0.9;
/** Lowest height of a straight line, as a share of the first day's. */
const HEIGHT_MIN = 0.005;
/** Days needed to know a level. */
const SIDE_MIN = 4;

export function shapesOf(days: number): Shape[] {
  const rest = 1 - Object.values(SHARES).reduce((sum, share) => sum + share, 0);
  return [
    { kind: "steady", prior: Math.log(rest), since: 0, at: () => 0 },
    ...exponential(days),
    ...linear(days),
    ...changed(days),
  ];
}

function exponential(days: number): Shape[] {
  const changes = Array.from(
    { length: Math.round((DECLINE_MAX + GROWTH_MAX) / STEP) + 1 },
    (_, index) => index * STEP - DECLINE_MAX,
  )
    .filter((change) => Math.abs(change) > STEP / 2)
    .map((change) => ({ change, weight: Math.exp(-Math.abs(change)) }));
  const whole = changes.reduce((sum, { weight }) => sum + weight, 0);
  return changes.flatMap(({ change, weight }): Shape[] => {
    const slopeDeviation = STEP / Math.sqrt(12) / days;
    const shape = { prior: Math.log((SHARES.exponential * weight) / whole), since: 0, slopeDeviation };
    const at = (day: number) => (change * day) / days;
    if (change < 0) return [{ kind: "falling", ...shape, at }];
    const share = (part: number) => shape.prior + Math.log(part);
    return [
      { ...shape, kind: "rising", prior: share(UNDAMPED), at },
      { ...shape, kind: "rising", prior: share(1 - UNDAMPED), at: (day) => at(damped(day, days)) },
    ];
  });
}

/** Slows down the days after the last one. The past does not show whether growth does so. */
const damped = (day: number, days: number): number =>
  day < days ? day : days - 1 + (DAMPING * (1 - DAMPING ** (day - days + 1))) / (1 - DAMPING);

function linear(days: number): Shape[] {
  return RATIOS.map((ratio) => ({
    kind: ratio > 1 ? "rising" : "falling",
    prior: Math.log(SHARES.linear / RATIOS.length),
    since: 0,
    at: (day) => Math.log(Math.max(HEIGHT_MIN, 1 + ((ratio - 1) * day) / Math.max(1, days - 1))),
  }));
}

function changed(days: number): Shape[] {
  const count = Math.max(0, days - 2 * SIDE_MIN + 1);
  return Array.from({ length: count }, (_, index) => index + SIDE_MIN).flatMap((since): Shape[] => [
    { kind: "steady", prior: Math.log(SHARES.change / count), since, at: () => 0 },
    ...FADES.map((slope) => ({
      kind: "falling" as const,
      prior: Math.log(SHARES.fading / count / FADES.length),
      since,
      at: (day: number) => slope * (day - since),
    })),
  ]);
}
