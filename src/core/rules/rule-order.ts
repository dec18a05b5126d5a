/**
 * People count a link's rules from 1 in the order of evaluation: so do the dashboard and all texts. Fields of the API
 * name a rule by its position in the link, from 0, and figures by its number (`rule-numbers`).
 */
import type { RoutingRule } from "@/contract/routing";

type Prioritized = Pick<RoutingRule, "priority">;

/** Returns the rules in the order of evaluation, each with its position in the link. */
export const inEvaluationOrder = <Rule extends Prioritized>(rules: readonly Rule[]): { rule: Rule; index: number }[] =>
  rules
    .map((rule, index) => ({ rule, index }))
    .sort((one, other) => (one.rule.priority ?? 0) - (other.rule.priority ?? 0));

/**
 * Returns a rule's place for people. Without the rules, or for one that the link no longer has, counts by its
 * position.
 */
export function rulePlace(rules: readonly Prioritized[] | undefined, index: number): number {
  const place = inEvaluationOrder(rules ?? []).findIndex((each) => each.index === index);
  return (place < 0 ? index : place) + 1;
}
