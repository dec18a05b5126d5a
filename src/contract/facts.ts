/**
 * The name-like facts of a visitor. This one list determines the conditions of rules, the inputs of previews and
 * `resolve`, the evaluator's facts and the check for unreachable rules. When a fact is added, the compiler points to
 * where it has to be determined (`edge/visitor-facts.ts`) and to its bits in the search for rules (`core/rules/marks.ts`).
 * Name it like its column in `clicks`, from which a click is routed again; if there is none, add one.
 *
 * Facts that are compared otherwise (platform, versions, languages, time) are in `routing.ts`, and have an entry of
 * their own wherever something is listed by `keyof RuleConditions`.
 */
interface NameFactEntry {
  /** The field of a rule that lists the names for which it holds. */
  condition: string;
  /** What has to be looked up to determine the fact; `core/routing/facts` has the bit. */
  needs: "userAgent" | "geography";
  /** Description of the condition. */
  says: string;
  /** Description of a single stated value. */
  statedAs: string;
  /** The set of valid values, where there is one; `http/body/formats` checks them in requests. */
  format?: "country";
}

export const NAME_FACTS = {
  deviceType: {
    condition: "deviceTypes",
    needs: "userAgent",
    says: "mobile, tablet, desktop, console, wearable, smarttv, embedded or xr",
    statedAs: "mobile, tablet, desktop, console, wearable, smarttv, embedded or xr",
  },
  browser: {
    condition: "browsers",
    needs: "userAgent",
    says: "Browser names, like `Chrome` or `Mobile Safari`",
    statedAs: "Like `Mobile Safari`",
  },
  deviceVendor: {
    condition: "deviceVendors",
    needs: "userAgent",
    says: "Like `Apple` or `Samsung`",
    statedAs: "Like `Apple`",
  },
  deviceModel: {
    condition: "deviceModels",
    needs: "userAgent",
    says: "Like `iPhone` or `SM-S911B`",
    statedAs: "Like `iPhone`",
  },
  country: {
    condition: "countries",
    needs: "geography",
    says: "ISO 3166-1 alpha-2 codes",
    statedAs: "ISO 3166-1 alpha-2 code",
    format: "country",
  },
  region: { condition: "regions", needs: "geography", says: "Region or state names", statedAs: "Region or state" },
  city: { condition: "cities", needs: "geography", says: "City names", statedAs: "City" },
} as const satisfies Record<string, NameFactEntry>;

export type NameFact = keyof typeof NAME_FACTS;
export type NameCondition = (typeof NAME_FACTS)[NameFact]["condition"];

const isNameFact = (name: string): name is NameFact => name in NAME_FACTS;
export const NAME_FACT_NAMES: readonly NameFact[] = Object.keys(NAME_FACTS).filter(isNameFact);

/** Returns the entry typed as its interface, for code that reads several entries. */
export const nameFact = (name: NameFact): NameFactEntry & { condition: NameCondition } => NAME_FACTS[name];

export const byNameFact = <Value>(make: (fact: NameFact) => Value) =>
  Object.fromEntries(NAME_FACT_NAMES.map((fact) => [fact, make(fact)])) as Record<NameFact, Value>;

/** Builds one value for each condition on names. */
export const byNameCondition = <Value>(make: (condition: NameCondition, fact: NameFact) => Value) =>
  Object.fromEntries(
    NAME_FACT_NAMES.map((fact) => [nameFact(fact).condition, make(nameFact(fact).condition, fact)]),
  ) as Record<NameCondition, Value>;
