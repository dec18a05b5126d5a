/** Readable names of the values in figures. */
import { positionOf } from "@/core/rules/rule-numbers";
import { rulePlace } from "@/core/rules/rule-order";
import type { Link } from "../links/queries";
import { decodedUrl } from "../ui/readable-url";
import { countryName, languageName } from "./display-names";
import type { BreakdownBy } from "./queries";
import { analyticsWords as words } from "./words";

const isDevice = (text: string): text is keyof typeof words.analytics.devices =>
  Object.hasOwn(words.analytics.devices, text);

/** The value under which each dimension counts clicks that have none. A rule is named below, a tag is never missing. */
const BLANKS: Partial<Record<Named, "unknown" | "direct" | "none">> = {
  ...{ country: "unknown", region: "unknown", city: "unknown", language: "unknown" },
  ...{ device: "unknown", browser: "unknown", os: "unknown", destination: "unknown", domain: "unknown" },
  referrer: "direct",
  ...{ utmSource: "none", utmMedium: "none", utmCampaign: "none", utmTerm: "none", utmContent: "none", split: "none" },
};

type Named = Exclude<BreakdownBy, "hourOfWeek">;

/**
 * Visitors choose many values, so a value is looked up only among those of its dimension. `rules` are those of the link
 * that the figures are of: across links, each rule counts under its number.
 */
export function valueName(by: Named, value: string, rules?: Link["rules"]): string {
  const { analytics } = words;
  if (by === "rule") return value === "none" ? analytics.noRule : ruleName(Number(value), rules);
  const blank = BLANKS[by];
  if (blank !== undefined && value === blank) return analytics[blank];
  if (by === "country") return countryName(value);
  if (by === "language") return languageName(value);
  if (by === "destination") return decodedUrl(value);
  if (by === "device" && isDevice(value)) return analytics.devices[value];
  return value;
}

/** Returns the name that people know a rule by: its place now. Without the rules, it is named by its number. */
function ruleName(number: number, rules: Link["rules"] | undefined): string {
  const { analytics } = words;
  const index = rules ? positionOf(rules, number) : number;
  return index < 0 ? analytics.deletedRule(number) : analytics.rule(rulePlace(rules, index));
}
