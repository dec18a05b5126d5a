/**
 * A rule's number in figures. It never changes, wherever the rule moves, and no other rule of its link ever gets it. A
 * rule that is stored without one has its position as its number, like all rules of former releases.
 */
import type { RoutingRule } from "@/contract/routing";

type Numbered = Pick<RoutingRule, "number">;

/** Returns the number of the rule at this position. */
export const numberAt = (rules: readonly Numbered[], index: number): number => rules[index]?.number ?? index;

/** Returns the position of the rule with this number, or -1 if the link no longer has it. */
export const positionOf = (rules: readonly Numbered[], number: number): number =>
  rules.findIndex((_, index) => numberAt(rules, index) === number);

/** Returns the rules with their numbers. */
export const withNumbers = (rules: readonly RoutingRule[]): RoutingRule[] =>
  rules.map((rule, index) => ({ number: numberAt(rules, index), ...rule }));

/** Returns the rules of a new link, whose numbers are their positions. */
export const withoutNumbers = (rules: readonly RoutingRule[]): RoutingRule[] =>
  rules.map(({ number: _, ...rule }) => rule);

export interface KeptNumbers {
  /** As stored: without the numbers that equal positions. */
  rules: RoutingRule[];
  /** Greater than every number that the link has ever had. */
  nextRuleNumber: number;
}

/** By what a rule without a number is recognized as one that the link has: all of it, then parts of it. */
const LIKENESSES: readonly ((rule: RoutingRule) => string)[] = [
  ({ conditions = {}, destinationUrl }) => textOf([conditions, destinationUrl]),
  ({ conditions = {} }) => textOf(conditions),
  ({ destinationUrl }) => destinationUrl,
];

/**
 * Gives the rules of a change their numbers. A rule keeps the number it is sent with, unless the link never had it or
 * an earlier rule has it. Each other rule takes that of a like rule of the link; what is left gets new numbers.
 */
export function keepNumbers(
  sent: readonly RoutingRule[],
  standing: readonly RoutingRule[],
  nextRuleNumber: number,
): KeptNumbers {
  const known = standing.map((rule, index) => ({ rule, number: numberAt(standing, index) }));
  let next = Math.max(nextRuleNumber, ...known.map(({ number }) => number + 1));
  const numbers = new Map<number, number>();
  const taken = new Set<number>();
  const give = (place: number, number: number) => {
    numbers.set(place, number);
    taken.add(number);
  };
  for (const [place, { number }] of sent.entries())
    if (number !== undefined && number < next && !taken.has(number)) give(place, number);
  for (const likenessOf of LIKENESSES) {
    const free = known.filter(({ number }) => !taken.has(number));
    const alike = Map.groupBy(free, ({ rule }) => likenessOf(rule));
    for (const [place, rule] of sent.entries()) {
      const like = numbers.has(place) ? undefined : alike.get(likenessOf(rule))?.shift();
      if (like) give(place, like.number);
    }
  }
  const rules = withoutNumbers(sent).map((rule, place) => {
    const number = numbers.get(place) ?? next++;
    return number === place ? rule : { number, ...rule };
  });
  return { rules, nextRuleNumber: numbers.size < sent.length ? next : nextRuleNumber };
}

/** Ignores the order of fields, which Postgres does not keep. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, part) =>
    part !== null && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
