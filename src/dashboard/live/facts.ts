/** Describes the facts of a click. */
import { positionOf } from "@/core/rules/rule-numbers";
import { rulePlace } from "@/core/rules/rule-order";
import { countryName } from "../analytics/display-names";
import type { Clicked } from "../links/clicked";
import type { Click } from "./queries";
import { liveWords as words } from "./words";

export function placeOf({ city, country }: Pick<Click, "city" | "country">): string {
  const { live } = words;
  if (!country) return city ?? live.unknownPlace;
  return city ? live.place(city, countryName(country)) : countryName(country);
}

interface Machine {
  os?: string | undefined;
  browser?: string | undefined;
  platform: string;
}

export const machineOf = ({ os, browser, platform }: Machine): string =>
  os && browser ? words.live.machine(os, browser) : (os ?? browser ?? platform);

export const clickedName = ({ name, isDeleted }: Pick<Clicked, "name" | "isDeleted">): string =>
  name ?? (isDeleted ? words.live.deleted : "…");

/**
 * A rule is named by its place now, wherever it was when it decided. On a bio page, the visitor decides: the text is the
 * chosen item's, as it was then if the page no longer has it.
 */
export function decidedBy(
  { kind, ruleIndex, ruleNumber, splitKey, splitLabel }: Click["route"],
  { link, page }: Pick<Clicked, "link" | "page">,
): string {
  const { live } = words;
  if (kind === "rule" && ruleIndex !== null && ruleNumber !== null) {
    const index = link ? positionOf(link.rules, ruleNumber) : ruleIndex;
    return index < 0 ? live.deletedRule : live.rule(rulePlace(link?.rules, index));
  }
  if (kind === "split" && splitKey !== null) {
    const item = page?.links.find(({ key }) => key === splitKey);
    return item?.title || splitLabel || live.split(splitKey);
  }
  return kind === "store" ? live.store : live.default;
}

export const hostOf = (url: string): string => URL.parse(url)?.host || url;

const isReason = (text: string): text is keyof typeof words.live.reasons => Object.hasOwn(words.live.reasons, text);

export const reasonName = (reason: string): string => (isReason(reason) ? words.live.reasons[reason] : reason);
