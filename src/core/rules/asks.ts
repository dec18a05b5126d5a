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
