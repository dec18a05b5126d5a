/**
 * What a visitor's name-like facts are: the one list from which the conditions of rules, what a preview and `resolve` are
 * told, the facts of the evaluator and the check for rules out of reach follow. Whoever adds one is led by the compiler to
 * where it is found out (`edge/visitor-facts.ts`) and where a click keeps it (`core/replay.ts`).
 *
 * What is compared otherwise (platform, versions, languages, time) stands in `routing.ts` and has an entry of its own
 * wherever something is listed by `keyof RuleConditions`.
 */
interface NameFactEntry {
  /** The rule's field that lists the names it holds for. */
  condition: string;
  /** What has to be looked up to know it; `core/routing/facts` has the bit. */
  needs: "userAgent" | "geography";
  /** Describes the condition. */
  says: string;
  /** Of one value, where it is stated. */
  statedAs: string;
  /** Which values there are, where that is known; `http/formats` checks them in requests. */
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

/** The entry as its interface has it, for what reads more than one. */
export const nameFact = (name: NameFact): NameFactEntry & { condition: NameCondition } => NAME_FACTS[name];

/** Builds one value for each fact. */
export const byNameFact = <Value>(make: (fact: NameFact) => Value) =>
  Object.fromEntries(NAME_FACT_NAMES.map((fact) => [fact, make(fact)])) as Record<NameFact, Value>;

/** One value for each condition on names. */
export const byNameCondition = <Value>(make: (condition: NameCondition, fact: NameFact) => Value) =>
  Object.fromEntries(
    NAME_FACT_NAMES.map((fact) => [nameFact(fact).condition, make(nameFact(fact).condition, fact)]),
  ) as Record<NameCondition, Value>;
