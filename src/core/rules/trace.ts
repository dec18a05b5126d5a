import type { LinkPreview } from "@/contract/links/link-preview";
import type { CompiledLink } from "../routing/compiled-link";
import type { VisitorFacts } from "../routing/facts";

export type TracedRule = LinkPreview["ruleTrace"][number];

/**
 * Why each rule holds or not, in the order they are asked. A rule behind the first that holds is judged all the same; the
 * first is the route's.
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
