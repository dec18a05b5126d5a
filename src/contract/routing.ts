/** Routing rules, split targets and what is added to a link's destination. */
import { type Static, Type } from "@sinclair/typebox";
import { byNameCondition, nameFact } from "./facts";
import { PLATFORMS } from "./platforms";
import {
  destination,
  FORMATS,
  flag,
  instantAsSent,
  instantInput,
  integer,
  list,
  oneOf,
  optional,
  shape,
  text,
  withExample,
} from "./schema";

const timeOfDay = optional(
  Type.String({
    pattern: "^([01]\\d|2[0-3]):[0-5]\\d$",
    error: "expected HH:mm",
    examples: ["09:00"],
  }),
);
const osVersion = optional(
  Type.String({
    pattern: "^\\d{1,9}(\\.\\d{1,9}){0,5}$",
    error: "expected a version like 17 or 17.4.1",
    examples: ["17.4"],
  }),
);

/** Limit of the names that a condition lists, of which any may match. */
export const CONDITION_NAMES_MAX = 100;

const names = (description: string, format?: string) =>
  optional(list({ ...text(100, 1), ...(format && { format }) }, CONDITION_NAMES_MAX, description));

const PARAMETERS_MAX = 20;
const parameters = (format?: string) =>
  optional(
    list(
      shape(
        {
          name: { ...text(100, 1, "Name of a query parameter, compared exactly"), ...(format && { format }) },
          values: optional(list(text(255, 1), 100, "Any of these, compared exactly; leave out to match any value")),
        },
        format ? { additionalProperties: Type.Unknown(), namesKept: "all" } : {},
      ),
      PARAMETERS_MAX,
      "Query parameters of the visit; all of them must match",
    ),
  );

const REFERRERS = "Hosts of referring pages, their subdomains included; `direct` for visits without a referrer";
const ADDRESSES = "IP addresses or networks in CIDR notation, like `203.0.113.0/24`";
const AFTER = "Matches from this instant on";
const BEFORE = "Matches until this instant, which is excluded";

const LANGUAGES = "BCP 47: `en` matches `en-US`, while `en-GB` matches only itself";

const conditionFields = {
  platform: optional(list(oneOf(PLATFORMS), 4)),
  ...byNameCondition((_, fact) => names(nameFact(fact).says)),
  languages: names(LANGUAGES),
  minOsVersion: osVersion,
  maxOsVersion: osVersion,
  startTime: timeOfDay,
  endTime: timeOfDay,
  daysOfWeek: optional(list(integer(0, 6), 7, "0 is Sunday")),
  after: optional(instantAsSent(AFTER)),
  before: optional(instantAsSent(BEFORE)),
  query: parameters(),
  referrers: names(REFERRERS),
  addresses: names(ADDRESSES),
};
export const RuleConditions = shape(conditionFields);
export type RuleConditions = Static<typeof RuleConditions>;

/** Refuses unlisted fields: dropping a condition would make the rule apply to everyone. */
const RuleConditionsInput = shape(
  {
    ...conditionFields,
    ...byNameCondition((_, fact) => {
      const { says, format } = nameFact(fact);
      return names(says, format && FORMATS[format]);
    }),
    languages: names(LANGUAGES, FORMATS.language),
    after: optional(instantInput(AFTER)),
    before: optional(instantInput(BEFORE)),
    query: parameters(FORMATS.parameter),
    referrers: names(REFERRERS, FORMATS.referrer),
    addresses: names(ADDRESSES, FORMATS.network),
  },
  { additionalProperties: Type.Unknown(), namesKept: "all" },
);

const priority = optional(integer(-1_000_000, 1_000_000, "Lower numbers come first; equal ones keep their order"));
const number = optional(
  integer(
    0,
    2_147_483_647,
    "Given by the service: what figures and filters know the rule by, wherever it moves. No other rule of the link ever " +
      "gets it. Absent as long as it is the rule's position in the list, from 0. Send it back when you change the rules; a " +
      "rule without it is recognized by its conditions and destination. Ignored for a new link, and if the link never had it",
  ),
);
const ruleOptions = {
  $id: "RoutingRule",
  examples: [
    {
      priority: 10,
      destinationUrl: "https://shop.example.com/de/app",
      conditions: { platform: ["ios" as const, "android" as const], countries: ["DE", "AT"], minOsVersion: "16.0" },
    },
  ],
};
export const RoutingRule = shape(
  { number, priority, destinationUrl: text(2048, 1), conditions: optional(RuleConditions) },
  ruleOptions,
);
export type RoutingRule = Static<typeof RoutingRule>;

/** Input schema of `RoutingRule`; the OpenAPI document shows both as one. */
export const RoutingRuleInput = shape(
  { number, priority, destinationUrl: destination(), conditions: optional(RuleConditionsInput) },
  { ...ruleOptions, additionalProperties: Type.Unknown(), namesKept: "near" },
);

const targetFields = {
  key: withExample("a", text(64, 1, "Name of the target; unique within the link")),
  label: optional(withExample("New landing page", text(200))),
  weight: optional(withExample(50, integer(0, 1_000_000, "Share among the active targets; defaults to 1"))),
  isActive: optional(flag()),
};
const targetExample = "https://shop.example.com/landing-a";
export const SplitTarget = shape(
  { ...targetFields, destinationUrl: withExample(targetExample, text(2048, 1)) },
  { $id: "SplitTarget" },
);
export type SplitTarget = Static<typeof SplitTarget>;

/** Input schema of `SplitTarget`; the OpenAPI document shows both as one. */
export const SplitTargetInput = shape(
  { ...targetFields, destinationUrl: withExample(targetExample, destination()) },
  { $id: "SplitTarget", additionalProperties: Type.Unknown(), namesKept: "near" },
);

export const UTM_LENGTH_MAX = 255;

export const Utm = shape(
  {
    source: optional(withExample("newsletter", text(UTM_LENGTH_MAX))),
    medium: optional(withExample("email", text(UTM_LENGTH_MAX))),
    campaign: optional(withExample("spring-sale", text(UTM_LENGTH_MAX))),
    term: optional(text(UTM_LENGTH_MAX)),
    content: optional(text(UTM_LENGTH_MAX)),
  },
  { $id: "Utm" },
);
export type Utm = Static<typeof Utm>;

export const MarketingAttribution = shape(
  {
    referralCode: optional(withExample("ada-7", text(255))),
    affiliateId: optional(text(255)),
    couponCode: optional(text(255)),
    promoCode: optional(text(255)),
    appendToDestination: optional(flag()),
  },
  { $id: "MarketingAttribution" },
);
export type MarketingAttribution = Static<typeof MarketingAttribution>;

/** The app behind a link: the parts of an app profile or a domain's `appConfig` that the store fallback needs. */
export interface AppTarget {
  ios?: {
    appStoreId?: string;
    bundleId?: string;
    scheme?: string;
    providerToken?: string;
    campaignName?: string;
  };
  android?: { packageName?: string; scheme?: string };
  fallback: "store" | "web";
  /** The source of the name and icon that pages show: `apps/<id>` or `domains/<id>`. */
  face?: string;
}
