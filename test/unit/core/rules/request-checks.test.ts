import { describe, expect, test } from "bun:test";
import type { RoutingRule } from "@/contract/routing";
import {
  decodeRequestFacts,
  encodeRequestFacts,
  keptQueryFaults,
  networksOf,
  queryForRules,
  requestChecksOf,
  requestFactBounds,
} from "@/core/rules/request-checks";

const asking = (...conditions: RoutingRule["conditions"][]) =>
  requestChecksOf(conditions.map((each) => ({ destinationUrl: "https://example.com/", conditions: each })));

const asks = asking(
  { query: [{ name: "src", values: ["tv"] }, { name: "a b" }], addresses: ["10.0.0.0/8", "::1"] },
  { query: [{ name: "src", values: ["radio", "50%"] }], addresses: ["10.1.0.0/16", "10.0.0.0/8"] },
);
if (!asks) throw new Error("These rules ask something");

test.each([
  ["no rule", []],
  ["a rule without conditions", [undefined]],
  ["empty lists", [{ query: [], addresses: [] }]],
  ["other conditions", [{ platform: ["ios" as const], referrers: ["direct"] }]],
])("%s checks nothing of the request", (_, conditions) => expect(asking(...conditions)).toBeNull());

describe("of a query, a click keeps", () => {
  test.each([
    ["the parameters that rules name", "x=1&src=tv&y", "src=tv"],
    ["values that rules list, of others that there was one", "src=print&src=radio", "src=&src=radio"],
    ["each once", "src=tv&src=tv", "src=tv"],
    ["no values where any will do", "a+b=secret", "a%20b="],
    ["what reads alike, in one spelling", "%73rc=50%25", "src=50%25"],
    ["malformed escapes as they stand", "src=50%", "src=50%25"],
    ["no reserved parameters", "pw=tv&wm_referrer=tv", ""],
  ])("%s", (_, query, kept) => expect(queryForRules(asks, query)).toBe(kept));

  test("no more than 1,024 characters", () => {
    const values = Array.from({ length: 90 }, (_, index) => `${index}`.padEnd(250, "x"));
    const many = asking({ query: [{ name: "v", values }] });
    const query = values.map((value) => `v=${value}`).join("&");
    expect(many && queryForRules(many, query).length).toBeLessThanOrEqual(1_024);
  });
});

test.each([
  ["", ""],
  ["src=tv&a b=", "10.1.2.3"],
  ["src=50%25", "::1"],
  ["", "192.0.2.1"],
  ["src=", "no address"],
])("the facts kept of %j from %j decode to the same facts", (query, address) => {
  const facts = { query: queryForRules(asks, query), networks: networksOf(asks, address) };
  const kept = encodeRequestFacts(asks, facts);
  expect(decodeRequestFacts(asks, kept ?? null)).toEqual({ ...facts, networks: facts.networks ?? new Set() });
  expect(kept ?? "").not.toContain(address || "none");
});

describe("to rules other than its own, a click tells", () => {
  const served = asking({ query: [{ name: "src", values: ["tv"] }, { name: "any" }], addresses: ["10.0.0.0/8"] });
  const kept = (query: string, address = "10.1.2.3") =>
    served &&
    (encodeRequestFacts(served, { query: queryForRules(served, query), networks: networksOf(served, address) }) ??
      null);
  const wanting = (name: string, values?: string[]) => asking({ query: [{ name, values }] });

  test.each([
    ["a value that was listed", wanting("src", ["tv"]), "src=tv", "src=tv", "src=tv"],
    ["that it was absent", wanting("src", ["tv", "radio"]), "x=1", "", ""],
    ["nothing of a value that was not listed", wanting("src", ["tv", "radio"]), "src=print", "src=", "src=&src=radio"],
    ["that there was one", wanting("src"), "src=print", "src=", "src="],
    ["nothing of a parameter that no rule named", wanting("ref", ["a"]), "ref=a", "", "ref=&ref=a"],
    ["nothing of values where any would do", wanting("any", ["x"]), "any=y", "any=", "any=&any=x"],
  ])("%s", (_, asks, query, least, most) => {
    if (!asks) throw new Error("These rules ask something");
    const told = requestFactBounds(asks, served, kept(query) ?? null);
    expect([told.least.query, told.most.query]).toEqual([least, most]);
  });

  test("which of the networks in its own rules it was in, and nothing of others", () => {
    const anew = asking({ addresses: ["10.0.0.0/8", "192.0.2.0/24"] });
    if (!anew) throw new Error("These rules ask something");
    const networksFrom = (keptFor: typeof served | undefined, text: string | null) => {
      const { least, most } = requestFactBounds(anew, keptFor, text);
      return [[...(least.networks ?? [])], [...(most.networks ?? [])]];
    };
    expect(networksFrom(served, kept("") ?? null)).toEqual([["10.0.0.0/8"], ["10.0.0.0/8", "192.0.2.0/24"]]);
    expect(networksFrom(served, kept("", "8.8.8.8") ?? null)).toEqual([[], ["192.0.2.0/24"]]);
    expect(networksFrom(null, null)).toEqual([[], ["10.0.0.0/8", "192.0.2.0/24"]]);
    expect(networksFrom(undefined, kept("") ?? null)).toEqual([[], ["10.0.0.0/8", "192.0.2.0/24"]]);
  });
});

describe("what a rule asks of a query is at fault", () => {
  const long = "é".repeat(165);
  const [fits, tooLong] = [`${long}${"x".repeat(29)}`, `${long}${"x".repeat(30)}`];

  test.each([
    ["if no visit keeps a value", [{ name: "src", values: ["tv", fits, tooLong] }], ["query[0].values[2]"]],
    ["if none keeps all parameters", [{ name: "a", values: [fits] }, { name: "b" }], ["query"]],
    [
      "if none keeps a value beside the others",
      [{ name: "a", values: ["tv", fits] }, { name: "b" }],
      ["query[0].values[1]"],
    ],
    ["but not for one parameter that is named twice", [{ name: "src", values: [fits] }, { name: "src" }], []],
    ["but not for parameters with any value", [{ name: "a".repeat(100) }, { name: "b", values: [] }], []],
  ])("%s", (_, query, fields) =>
    expect(keptQueryFaults({ query }).map((fault) => fault.split(":", 1).join())).toEqual(fields),
  );

  test("and what is not is kept, as long as the visit has nothing else that rules name", () => {
    const asks = asking({ query: [{ name: "src", values: [fits, tooLong] }] });
    const kept = [fits, tooLong].map((value) => asks && queryForRules(asks, `src=${encodeURIComponent(value)}`));
    expect(kept).toEqual([`src=${encodeURIComponent(fits)}`, ""]);
  });
});
