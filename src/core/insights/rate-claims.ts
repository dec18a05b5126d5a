/**
 * Finds the links (or channels) that convert more or fewer of their clicks than the others.
 *
 * Each is compared with all others together, day by day, so that a good weekend or a season favors nobody: on a day
 * with C conversions in total, a link that is like the rest would get its share of the day's clicks of them. The
 * differences add up over the days to a score test (Cochran 1954 and Mantel & Haenszel 1959). From a week on, its
 * spread is estimated from the days themselves if they scatter more than chance explains (McCullagh & Nelder 1989,
 * "Generalized Linear Models", section 4.5). It is never less than the spread of the median group, and Student's t
 * accounts for the small number of days. Events that arrive several at a time thus claim no more than they show. An
 * exact conditional binomial test (Przyborowski & Wilenski 1940) has to agree, because a few conversions are not
 * normally distributed.
 *
 * As many comparisons as there are links would produce a false claim in most workspaces. Holm's procedure (1979, "A
 * simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6) keeps the probability
 * of any false claim in an answer at `CLAIM_LEVEL`, however the comparisons depend on each other.
 */
import { binomialTest, studentTest } from "./statistics/p-values";
import { ratePer } from "./statistics/rates";
import { median } from "./statistics/robust";

export interface DayRate {
  /** Start of the day, Unix milliseconds. */
  at: number;
  clicks: number;
  conversions: number;
}

export interface RateGroup {
  key: string;
  /** What is counted; only groups of the same kind are compared. */
  kind: string;
  /** Days on which its conversions were measured. */
  days: readonly DayRate[];
}

export interface SideRate extends Pick<DayRate, "clicks" | "conversions"> {
  rate: number;
  low: number;
  high: number;
}

export interface RateClaim {
  key: string;
  kind: string;
  isBetter: boolean;
  own: SideRate;
  /** Sum of all others on the same days. */
  others: SideRate;
  /** Number of days compared, those on which both sides had clicks. */
  days: number;
  /** After Holm's correction. */
  pValue: number;
  comparisons: number;
}

/** Probability of any false claim about rates in one answer; other kinds of claims get the rest of 5%. */
export const CLAIM_LEVEL = 0.03;
const GROUP_CLICKS_MIN = 50;
const CONVERSIONS_MIN = 10;
/** Smaller differences are not worth acting on, however certain they are. */
const RATIO_MIN = 1.2;
const SPREAD_DAYS_MIN = 7;

/** Returns the claims, most certain first. With `only`, compares only the group of that key with the others. */
export function compareRates(groups: readonly RateGroup[], only?: string, level = CLAIM_LEVEL): RateClaim[] {
  const ofKind = Map.groupBy(groups, ({ kind }) => kind);
  const totals = new Map([...ofKind].map(([kind, same]) => [kind, totalOf(same)]));
  const pairsOf = (group: RateGroup) => pairsWith(group, without(totals.get(group.kind), group));
  const spreads = new Map(
    [...ofKind].map(([kind, same]) => [kind, Math.max(1, median(same.map((group) => scoreOf(pairsOf(group)).spread)))]),
  );
  const asked = groups.filter(({ key }) => only === undefined || key === only);
  const compared = asked.flatMap((group) => compare(group, pairsOf(group), spreads.get(group.kind)) ?? []);
  const sure = holm(compared, level).filter(isMaterial);
  const isOf = (claim: RateClaim) => (group: RateGroup) => claim.key === group.key && claim.kind === group.kind;
  const better = groups.filter((group) => sure.some((claim) => claim.isBetter && isOf(claim)(group)));
  // Next to an excellent group, all others look poor: a "worse" must also hold without the better groups.
  return sure.filter((claim) => {
    const group = groups.find(isOf(claim));
    const outdone = better.filter(({ kind }) => kind === claim.kind);
    if (claim.isBetter || !group || outdone.length === 0) return true;
    const rivals = (ofKind.get(claim.kind) ?? []).filter((other) => other !== group && !outdone.includes(other));
    const again = compare(group, pairsWith(group, totalOf(rivals)), spreads.get(group.kind));
    return again !== undefined && !again.isBetter && again.pValue <= level && isMaterial(again);
  });
}

/** Clicks and conversions by start of day. */
type Totals = ReadonlyMap<number, Pick<DayRate, "clicks" | "conversions">>;

function totalOf(groups: readonly RateGroup[]): Totals {
  const byDay = new Map<number, { clicks: number; conversions: number }>();
  for (const { days } of groups) {
    for (const { at, clicks, conversions } of days) {
      const sum = byDay.get(at);
      if (sum) {
        sum.clicks += clicks;
        sum.conversions += conversions;
      } else byDay.set(at, { clicks, conversions });
    }
  }
  return byDay;
}

function without(totals: Totals = new Map(), { days }: RateGroup): Totals {
  return new Map(
    days.map((own) => {
      const { clicks = 0, conversions = 0 } = totals.get(own.at) ?? {};
      return [own.at, { clicks: clicks - own.clicks, conversions: conversions - own.conversions }];
    }),
  );
}

/** Returns the claims that hold at the level by Holm's procedure, with corrected p-values. */
function holm<Claim extends { pValue: number }>(claims: readonly Claim[], level: number) {
  let least = 0;
  return claims
    .toSorted((a, b) => a.pValue - b.pValue)
    .map((claim, rank) => {
      least = Math.max(least, Math.min(1, claim.pValue * (claims.length - rank)));
      return { ...claim, pValue: least, comparisons: claims.length };
    })
    .filter(({ pValue }) => pValue <= level);
}

const isMaterial = ({ own, others }: Pick<RateClaim, "own" | "others">): boolean =>
  Math.max(own.rate, others.rate) >= RATIO_MIN * Math.min(own.rate, others.rate);

type Compared = Omit<RateClaim, "comparisons">;

interface DayPair {
  own: Pick<DayRate, "clicks" | "conversions">;
  others: Pick<DayRate, "clicks" | "conversions">;
}

/** Returns undefined if there is too little to compare. */
function compare({ key, kind }: RateGroup, pairs: readonly DayPair[], spreadLeast = 1): Compared | undefined {
  const [own, others] = [sideOf(pairs.map((pair) => pair.own)), sideOf(pairs.map((pair) => pair.others))];
  if (Math.min(own.clicks, others.clicks) < GROUP_CLICKS_MIN) return undefined;
  if (own.conversions + others.conversions < CONVERSIONS_MIN) return undefined;
  const { score, pValue } = scoreTest(pairs, spreadLeast);
  const isBetter = own.rate > others.rate;
  // If the days contradict the sums, believe neither.
  const isAgreed = Math.sign(score) === Math.sign(own.rate - others.rate);
  return { key, kind, isBetter, own, others, days: pairs.length, pValue: isAgreed ? pValue : 1 };
}

/** Returns the days on which both sides had clicks. */
const pairsWith = ({ days }: RateGroup, rivals: Totals): DayPair[] =>
  days
    .map((own) => ({ own, others: rivals.get(own.at) ?? NOTHING }))
    .filter(({ own, others }) => own.clicks > 0 && others.clicks > 0);

const NOTHING = { clicks: 0, conversions: 0 };

export function sideOf(days: readonly DayPair["own"][]): SideRate {
  const clicks = days.reduce((sum, day) => sum + day.clicks, 0);
  const conversions = days.reduce((sum, day) => sum + day.conversions, 0);
  const { rate, low, high } = ratePer(conversions, clicks);
  return { clicks, conversions, rate, low, high };
}

function scoreTest(pairs: readonly DayPair[], spreadLeast: number): { score: number; pValue: number } {
  const { score, variance, spread, expected, all } = scoreOf(pairs);
  if (variance <= 0) return { score, pValue: 1 };
  const exact = binomialTest(score + expected, all, expected / all);
  if (pairs.length < SPREAD_DAYS_MIN) return { score, pValue: exact };
  const t = score / Math.sqrt(Math.max(spread, spreadLeast) * variance);
  return { score, pValue: Math.max(exact, studentTest(t, pairs.length - 1)) };
}

/** `spread` is the ratio of the days' scatter to that of chance alone. */
function scoreOf(pairs: readonly DayPair[]) {
  const days = pairs.map(({ own, others }) => {
    const share = own.clicks / (own.clicks + others.clicks);
    const all = own.conversions + others.conversions;
    return { beyond: own.conversions - share * all, variance: all * share * (1 - share), all };
  });
  const total = (of: (day: (typeof days)[number]) => number) => days.reduce((sum, day) => sum + of(day), 0);
  const [score, variance, all] = [total(({ beyond }) => beyond), total((day) => day.variance), total((day) => day.all)];
  const own = pairs.reduce((sum, pair) => sum + pair.own.conversions, 0);
  const scatter = total((day) => (day.beyond - (variance > 0 ? (day.variance * score) / variance : 0)) ** 2);
  const spread = variance > 0 && pairs.length > 1 ? (scatter / variance) * (pairs.length / (pairs.length - 1)) : 1;
  return { score, variance, all, expected: own - score, spread };
}
