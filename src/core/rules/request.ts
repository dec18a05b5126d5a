/** Conditions on the request itself: its query, the referring page, its address and its time. */
import type { RuleConditions } from "@/contract/routing";
import { sentHostname } from "../names/hostname";
import { parseNetwork } from "../networks";
import { parametersOf } from "../query";
import { NEEDS } from "../routing/facts";
import { parseInstant } from "../time/instant";
import type { Condition } from "./conditions";

export const REQUEST_CONDITIONS = {
  after: ({ after }: RuleConditions) => instantCondition("after", after, (at, bound) => at >= bound),
  before: ({ before }: RuleConditions) => instantCondition("before", before, (at, bound) => at < bound),
  query: ({ query }: RuleConditions) => queryCondition(query),
  referrers: ({ referrers }: RuleConditions) => referrerCondition(referrers),
  addresses: ({ addresses }: RuleConditions) => addressCondition(addresses),
};

type AcceptsInstant = (at: number, bound: number) => boolean;

/** A bound that cannot be parsed holds for nobody. */
function instantCondition(field: "after" | "before", text: string | undefined, accepts: AcceptsInstant) {
  if (text === undefined) return null;
  const bound = parseInstant(text);
  return {
    field,
    expected: text,
    needs: NEEDS.instant,
    test: ({ at }) => at !== undefined && bound !== undefined && accepts(at, bound),
    actual: ({ at }) => (at === undefined ? undefined : new Date(at).toISOString()),
  } satisfies Condition;
}

/** All parameters have to be present, each with one of its values if it lists any. */
function queryCondition(expected: RuleConditions["query"]): Condition | null {
  if (!expected?.length) return null;
  const wanted = expected.map(({ name, values }) => ({ name, values: values?.length ? new Set(values) : null }));
  const names = new Set(wanted.map(({ name }) => name));
  return {
    field: "query",
    expected,
    needs: NEEDS.query,
    test: ({ query }) => {
      if (query === "") return false;
      const present = parametersOf(query);
      return wanted.every(({ name, values }) =>
        present.some((parameter) => parameter.name === name && (values === null || values.has(parameter.value))),
      );
    },
    actual: ({ query }) => {
      const present = parametersOf(query).filter(({ name }) => names.has(name));
      return present.length > 0 ? present : undefined;
    },
  };
}

function referrerCondition(expected: string[] | undefined): Condition | null {
  if (!expected?.length) return null;
  const hosts = expected.map(sentHostname);
  return {
    field: "referrers",
    expected,
    needs: NEEDS.referrer,
    test: ({ referrer }) => referrer !== undefined && hosts.some((host) => isHostOrSubdomain(referrer, host)),
    actual: ({ referrer }) => referrer,
  };
}

export const isHostOrSubdomain = (host: string, domain: string): boolean =>
  host === domain || (host.endsWith(domain) && host.charAt(host.length - domain.length - 1) === ".");

function addressCondition(expected: string[] | undefined): Condition | null {
  if (!expected?.length) return null;
  const networks = expected.filter((text) => parseNetwork(text));
  return {
    field: "addresses",
    expected,
    needs: NEEDS.networks,
    test: (facts) => networks.some((network) => facts.networks?.has(network)),
    actual: (facts) => facts.networks && networks.filter((network) => facts.networks?.has(network)),
  };
}
