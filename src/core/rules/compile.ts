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

/** The rules in the order they are asked: by ascending priority, ties as they stand. */
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

/** A rule without conditions holds for everyone. */
export function holds({ conditions }: CompiledRule, facts: VisitorFacts): boolean {
  for (const condition of conditions) if (!condition.test(facts)) return false;
  return true;
}

/** What has to be known to decide the rules. Those behind one that holds for everyone are never asked. */
export function needsOf(rules: readonly CompiledRule[]): number {
  let needs = 0;
  for (const { conditions } of rules) {
    if (conditions.length === 0) break;
    for (const condition of conditions) needs |= condition.needs;
  }
  return needs;
}
