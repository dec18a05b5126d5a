import type { LinkPreview } from "@/contract/links/link-preview";
import type { CompiledLink } from "../routing/compiled-link";
import type { VisitorFacts } from "../routing/facts";

export type TracedRule = LinkPreview["ruleTrace"][number];

/**
 * Returns why each rule holds or not, in the order of evaluation. Rules behind the first that holds are evaluated,
 * too; the first one decides the route.
 */
export function traceRules(link: CompiledLink, facts: VisitorFacts): TracedRule[] {
  return link.rules.map(({ index, priority, destinationUrl, conditions }) => {
    const traced = conditions.map(({ field, expected, test, actual }) => ({
      field,
      expected,
      actual: actual(facts) ?? null,
      matched: test(facts),
    }));
    return { index, priority, destinationUrl, matched: traced.every(({ matched }) => matched), conditions: traced };
  });
}
