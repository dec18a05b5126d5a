/**
 * What the rules of a link ask of the request itself: query parameters and networks. A redirect finds out no more than
 * that, and a click keeps no more: of a query the parameters that rules name, with their values where rules list them; of an
 * address no more than which of the rules' networks it is in. So a click can be routed again without either.
 */
import type { RoutingRule } from "@/contract/routing";
import { contains, mapAddress, type Network, parseNetwork } from "../networks";
import { encodeValue, parametersOf } from "../query";
import type { VisitorFacts } from "../routing/facts";

export interface RuleAsks {
  /** The values that rules list, by the name of a parameter. */
  parameters: ReadonlyMap<string, ReadonlySet<string>>;
  networks: readonly Network[];
}

type AskedFacts = Pick<VisitorFacts, "query" | "networks">;

const PARAMETERS_MAX = 64;
const QUERY_LENGTH_MAX = 1_024;

/** Null for rules that ask neither, as nearly all. */
export function asksOf(rules: readonly RoutingRule[]): RuleAsks | null {
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

/** The parameters that rules name; a value that none lists is left out. Rules are asked about these, never about more. */
export function askedQuery({ parameters }: RuleAsks, query: string): string {
  if (query === "" || parameters.size === 0) return "";
  const kept = new Set<string>();
  let length = 0;
  for (const { name, value } of parametersOf(query)) {
    const listed = parameters.get(name);
    if (!listed) continue;
    const text = `${encodeValue(name)}=${listed.has(value) ? encodeValue(value) : ""}`;
    length += text.length + 1;
    if (length > QUERY_LENGTH_MAX || kept.size === PARAMETERS_MAX) break;
    kept.add(text);
  }
  return [...kept].join("&");
}

/** The rules' networks that hold the address; undefined for what is no address. */
export function networksOf({ networks }: RuleAsks, address: string): ReadonlySet<string> | undefined {
  const candidate = networks.length === 0 ? undefined : mapAddress(address);
  if (candidate === undefined) return undefined;
  return new Set(networks.filter((network) => contains(network, candidate)).map(({ text }) => text));
}

/** How a click keeps both: the networks by their places, a space, the query. Undefined where there is nothing to keep. */
export function keptOf({ networks }: RuleAsks, facts: AskedFacts): string | undefined {
  const places = networks.flatMap(({ text }, place) => (facts.networks?.has(text) ? [place] : []));
  return places.length === 0 && facts.query === "" ? undefined : `${places.join()} ${facts.query}`;
}

/** The facts again, by the rules that the click was kept for. */
export function factsOfKept({ networks }: RuleAsks, kept: string | null): AskedFacts {
  const [places = "", query = ""] = kept?.split(" ") ?? [];
  const texts = places.split(",").flatMap((place) => (place === "" ? [] : (networks[Number(place)]?.text ?? [])));
  return { query, networks: new Set(texts) };
}

/**
 * What a click tells of a request to rules that it was not kept for: `least` holds in any case, `most` is what may have been
 * besides. Conditions ask for presence alone, so rules that lead to the same place by both lead there for certain. `keptFor`:
 * the rules that served the click; null for rules that asked nothing, undefined where nobody knows them.
 */
export function askedAnew(
  asks: RuleAsks,
  keptFor: RuleAsks | null | undefined,
  kept: string | null,
): { least: AskedFacts; most: AskedFacts } {
  const least = keptFor ? factsOfKept(keptFor, kept) : { query: "", networks: new Set<string>() };
  const asked = new Set(keptFor?.networks.map(({ text }) => text));
  const networks = asks.networks.map(({ text }) => text).filter((text) => !asked.has(text));
  const query = [least.query, ...mayHaveBeen(asks, keptFor, least.query)].filter(Boolean).join("&");
  return { least, most: { query, networks: new Set([...(least.networks ?? []), ...networks]) } };
}

/** Parameters that nobody looked for, and values that were not told apart: those stand there without one. */
function mayHaveBeen(asks: RuleAsks, keptFor: RuleAsks | null | undefined, query: string): string[] {
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
