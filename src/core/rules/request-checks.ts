/**
 * What a link's rules check in the request itself: query parameters and networks. A redirect determines nothing
 * beyond that, and a click stores nothing beyond that: of the query the parameters that rules name, with values only
 * where rules list them; of the address only which of the rules' networks contain it. So a click can be routed again
 * without the query and the address.
 */
import type { RoutingRule, RuleConditions } from "@/contract/routing";
import { contains, mapAddress, type Network, parseNetwork } from "../networks";
import { encodeValue, parametersOf } from "../query";
import type { VisitorFacts } from "../routing/facts";

export interface RequestChecks {
  /** The values that rules list, by parameter name. */
  parameters: ReadonlyMap<string, ReadonlySet<string>>;
  networks: readonly Network[];
}

type AskedFacts = Pick<VisitorFacts, "query" | "networks">;

const PARAMETERS_MAX = 64;
const QUERY_LENGTH_MAX = 1_024;

/** Returns null if the rules check neither, as nearly all do. */
export function requestChecksOf(rules: readonly RoutingRule[]): RequestChecks | null {
  const parameters = new Map<string, Set<string>>();
  const networks = new Map<string, Network>();
  for (const { conditions } of rules) {
    for (const { name, values = [] } of conditions?.query ?? []) {
      parameters.set(name, new Set([...(parameters.get(name) ?? []), ...values]));
    }
    for (const text of conditions?.addresses ?? []) {
      const network = parseNetwork(text);
      if (network) networks.set(text, network);
    }
  }
  if (parameters.size === 0 && networks.size === 0) return null;
  return { parameters, networks: [...networks.values()] };
}

/**
 * Returns the parameters that rules name, without values that no rule lists. Rules are evaluated on this query only,
 * so its bounds apply to them as well.
 */
export function queryForRules({ parameters }: RequestChecks, query: string): string {
  if (query === "" || parameters.size === 0) return "";
  const kept = new Set<string>();
  let length = 0;
  for (const { name, value } of parametersOf(query)) {
    const listed = parameters.get(name);
    if (!listed) continue;
    const text = keptText(name, listed.has(value) ? value : "");
    length += text.length + 1;
    if (length > QUERY_LENGTH_MAX || kept.size === PARAMETERS_MAX) break;
    kept.add(text);
  }
  return [...kept].join("&");
}

/**
 * Returns the parameters that `queryForRules` keeps, with the values that the visitor sent. Rules hold for both alike;
 * this one tells people what was sent.
 */
export function queryAsSent(checks: RequestChecks, query: string): string {
  const kept = new Set(queryForRules(checks, query).split("&"));
  return parametersOf(query)
    .filter(({ name, value }) => kept.has(keptText(name, checks.parameters.get(name)?.has(value) ? value : "")))
    .map(({ name, value }) => keptText(name, value))
    .join("&");
}

const keptText = (name: string, value: string): string => `${encodeValue(name)}=${encodeValue(value)}`;

/**
 * Returns the faults in a rule's query that keep visits from matching it: parameters and values that are too long to be
 * kept. Each begins with what it concerns, such as `query[0].values[1]`.
 */
export function keptQueryFaults({ query = [] }: RuleConditions): string[] {
  const lengths = query.map(({ name, values }) =>
    (values?.length ? values : [""]).map((value) => keptText(name, value).length + 1),
  );
  const leastOf = new Map<string, number>();
  for (const [place, { name }] of query.entries())
    leastOf.set(name, Math.max(leastOf.get(name) ?? 0, Math.min(...(lengths[place] ?? []))));
  const least = leastOf.values().reduce((sum, each) => sum + each, 0);
  if (least > QUERY_LENGTH_MAX) return [`query: ${TOO_LONG}`];
  return query.flatMap(({ name }, place) => {
    const others = least - (leastOf.get(name) ?? 0);
    const isLong = (length: number) => others + length > QUERY_LENGTH_MAX;
    return (lengths[place] ?? []).flatMap((length, at) =>
      isLong(length) ? [`query[${place}].values[${at}]: ${TOO_LONG}`] : [],
    );
  });
}

const TOO_LONG = `no visit could match: the parameters of a rule take at most ${QUERY_LENGTH_MAX.toLocaleString("en")} characters once escaped`;

/**
 * Returns those of the rules' networks that contain the address; undefined if the rules have none or the address is
 * invalid.
 */
export function networksOf({ networks }: RequestChecks, address: string): ReadonlySet<string> | undefined {
  const candidate = networks.length === 0 ? undefined : mapAddress(address);
  if (candidate === undefined) return undefined;
  return new Set(networks.filter((network) => contains(network, candidate)).map(({ text }) => text));
}

/**
 * Encodes both for a click: the indexes of the networks, a space, the query. Returns undefined if there is nothing to
 * store.
 */
export function encodeRequestFacts({ networks }: RequestChecks, facts: AskedFacts): string | undefined {
  const places = networks.flatMap(({ text }, place) => (facts.networks?.has(text) ? [place] : []));
  return places.length === 0 && facts.query === "" ? undefined : `${places.join()} ${facts.query}`;
}

/** Restores the facts. The rules must be those for which the click was stored. */
export function decodeRequestFacts({ networks }: RequestChecks, kept: string | null): AskedFacts {
  const [places = "", query = ""] = kept?.split(" ") ?? [];
  const texts = places.split(",").flatMap((place) => (place === "" ? [] : (networks[Number(place)]?.text ?? [])));
  return { query, networks: new Set(texts) };
}

/**
 * Returns what a click says about its request to rules other than those it was stored for. `least` holds in any case;
 * `most` adds what may have been there as well. Conditions only test for presence, so if the rules lead to the same
 * place with both, they certainly lead there. `keptFor` are the rules that served the click: null if they checked
 * nothing, undefined if they are unknown.
 */
export function requestFactBounds(
  asks: RequestChecks,
  keptFor: RequestChecks | null | undefined,
  kept: string | null,
): { least: AskedFacts; most: AskedFacts } {
  const least = keptFor ? decodeRequestFacts(keptFor, kept) : { query: "", networks: new Set<string>() };
  const asked = new Set(keptFor?.networks.map(({ text }) => text));
  const networks = asks.networks.map(({ text }) => text).filter((text) => !asked.has(text));
  const query = [least.query, ...unrecordedParameters(asks, keptFor, least.query)].filter(Boolean).join("&");
  return { least, most: { query, networks: new Set([...(least.networks ?? []), ...networks]) } };
}

/**
 * Returns parameters that nobody looked for, and values that were not recorded: parameters with such a value are
 * stored without one.
 */
function unrecordedParameters(asks: RequestChecks, keptFor: RequestChecks | null | undefined, query: string): string[] {
  const present = parametersOf(query);
  return [...asks.parameters].flatMap(([name, values]) => {
    const told = keptFor?.parameters.get(name);
    const isUntold = told === undefined || present.some((each) => each.name === name && each.value === "");
    if (!isUntold) return [];
    const others = [...values].filter((value) => !told?.has(value));
    return [...(told === undefined ? [""] : []), ...others].map(
      (value) => `${encodeValue(name)}=${encodeValue(value)}`,
    );
  });
}
