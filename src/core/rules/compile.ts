import type { RoutingRule } from "@/contract/routing";
import type { VisitorFacts } from "../routing/facts";
import { type Condition, conditionsOf } from "./conditions";

export interface CompiledRule {
  /** Position in the link's rules. */
  index: number;
  priority: number;
  destinationUrl: string;
  conditions: readonly Condition[];
}

/** Returns the rules in the order of evaluation: by ascending priority, ties in their original order. */
export function compileRules(rules: readonly RoutingRule[]): CompiledRule[] {
  return rules
    .map((rule, index) => ({
      index,
      priority: rule.priority ?? 0,
      destinationUrl: rule.destinationUrl,
      conditions: conditionsOf(rule.conditions ?? {}),
    }))
    .sort((a, b) => a.priority - b.priority);
}

/** True if all conditions hold; a rule without conditions holds for everyone. */
export function matchesRule({ conditions }: CompiledRule, facts: VisitorFacts): boolean {
  for (const condition of conditions) if (!condition.test(facts)) return false;
  return true;
}

/** Returns the facts needed to decide the rules. Rules behind one that holds for everyone are never evaluated. */
export function needsOf(rules: readonly CompiledRule[]): number {
  let needs = 0;
  for (const { conditions } of rules) {
    if (conditions.length === 0) break;
    for (const condition of conditions) needs |= condition.needs;
  }
  return needs;
}
