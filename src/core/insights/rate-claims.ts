/**
 * Which links (or channels) turn more or fewer of their clicks into something than the others do.
 *
 * Each is held against all others together, day by day, so that a good weekend or a season is nobody's merit: on a day with
 * C conversions in all, it would have its share of the day's clicks of them if it were like the rest. The differences add up
 * over the days to a score test (Cochran 1954 and Mantel & Haenszel 1959). From a week on its spread is taken from the days
 * themselves wherever they scatter more than chance (McCullagh & Nelder 1989, "Generalized Linear Models", section 4.5), never
 * less than the median group's and with Student's t for the few days there are; so events that come several at once claim no more than they show. An exact
 * conditional binomial test (Przyborowski & Wilenski 1940) has to agree, since few conversions are not normal.
 *
 * As many comparisons as there are links would make a false claim in most workspaces. Holm's procedure (1979, "A simple
 * sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6) keeps the chance of any false claim
 * of an answer at `CLAIM_LEVEL`, however the comparisons hang together.
 */

import { binomialTest, studentTest } from "./statistics/p-values";
import { ratePer } from "./statistics/rates";
import { median } from "./statistics/robust";

export interface DayRate {
  /** Its start, Unix milliseconds. */
  at: number;
  clicks: number;
  conversions: number;
}

export interface RateGroup {
  key: string;
  /** What is counted; only groups of the same kind are compared. */
  kind: string;
  /** Days on which conversions of it were measured. */
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
  /** Sums up all others on the same days. */
  others: SideRate;
  /** Days with clicks that were compared. */
  days: number;
  /** The p-value is after Holm's correction. */
  pValue: number;
  comparisons: number;
}

/** Of any false claim about rates in one answer; the rest of 5 % is left to what else an answer claims. */
export const CLAIM_LEVEL = 0.03;
const GROUP_CLICKS_MIN = 50;
const CONVERSIONS_MIN = 10;
/** A smaller difference is not worth acting on, however sure it is. */
const RATIO_MIN = 1.2;
const SPREAD_DAYS_MIN = 7;

/** `only` is the requested link. The most certain claims come first. */
export function compareRates(groups: readonly RateGroup[], only?: string, level = CLAIM_LEVEL): RateClaim[] {
  const ofKind = Map.groupBy(groups, ({ kind }) => kind);
  const totals = new Map([...ofKind].map(([kind, same]) => [kind, totalOf(same)]));
  const pairsOf = (group: RateGroup) => pairsWith(group, without(totals.get(group.kind), group));
  const spreads = new Map(
    [...ofKind].map(([kind, same]) => [kind, Math.max(1, median(same.map((group) => scoreOf(pairsOf(group)).spread)))]),
  );
  const asked = groups.filter(({ key }) => only === undefined || key === only);
  const compared = asked.flatMap((group) => compare(group, pairsOf(group), spreads.get(group.kind)) ?? []);
  const sure = holm(compared, level).filter(isWorthIt);
  const isOf = (claim: RateClaim) => (group: RateGroup) => claim.key === group.key && claim.kind === group.kind;
  const better = groups.filter((group) => sure.some((claim) => claim.isBetter && isOf(claim)(group)));
  // The rest looks poor beside one that is excellent: whoever is called worse has to be so without that one, too.
  return sure.filter((claim) => {
    const group = groups.find(isOf(claim));
    const outdone = better.filter(({ kind }) => kind === claim.kind);
    if (claim.isBetter || !group || outdone.length === 0) return true;
    const rivals = (ofKind.get(claim.kind) ?? []).filter((other) => other !== group && !outdone.includes(other));
    const again = compare(group, pairsWith(group, totalOf(rivals)), spreads.get(group.kind));
    return again !== undefined && !again.isBetter && again.pValue <= level && isWorthIt(again);
  });
}

/** Holds clicks and conversions by day. */
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

/** Those that stay sure at the level once it is spread over all of them, with their corrected p-values. */
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

const isWorthIt = ({ own, others }: Pick<RateClaim, "own" | "others">): boolean =>
  Math.max(own.rate, others.rate) >= RATIO_MIN * Math.min(own.rate, others.rate);

type Compared = Omit<RateClaim, "comparisons">;

interface DayPair {
  own: Pick<DayRate, "clicks" | "conversions">;
  others: Pick<DayRate, "clicks" | "conversions">;
}

/** Undefined where there is too little to compare. */
function compare({ key, kind }: RateGroup, pairs: readonly DayPair[], spreadLeast = 1): Compared | undefined {
  const [own, others] = [sideOf(pairs.map((pair) => pair.own)), sideOf(pairs.map((pair) => pair.others))];
  if (Math.min(own.clicks, others.clicks) < GROUP_CLICKS_MIN) return undefined;
  if (own.conversions + others.conversions < CONVERSIONS_MIN) return undefined;
  const { score, pValue } = scoreTest(pairs, spreadLeast);
  const isBetter = own.rate > others.rate;
  // Where the days say otherwise than the sums, neither is believed.
  const isAgreed = Math.sign(score) === Math.sign(own.rate - others.rate);
  return { key, kind, isBetter, own, others, days: pairs.length, pValue: isAgreed ? pValue : 1 };
}

/** Days on which both sides had clicks. */
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

/** `spread` is by how much the days scatter more than chance alone, whose spread is 1. */
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
