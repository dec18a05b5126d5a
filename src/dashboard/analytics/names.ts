/** Readable names of the values in figures. */
import { words } from "../words";
import type { BreakdownBy } from "./queries";

const language = document.documentElement.lang || "en";
const regions = new Intl.DisplayNames(language, { type: "region" });
const languages = new Intl.DisplayNames(language, { type: "language" });

/** Returns an unknown code unchanged. */
const named = (names: Intl.DisplayNames, code: string): string => {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
};

export const countryName = (code: string): string => named(regions, code);
const languageName = (code: string): string => named(languages, code);

const isDevice = (text: string): text is keyof typeof words.analytics.devices =>
  Object.hasOwn(words.analytics.devices, text);

const NONE: Record<string, () => string> = {
  unknown: () => words.analytics.unknown,
  direct: () => words.analytics.direct,
  none: () => words.analytics.none,
};

export function valueName(by: BreakdownBy | "linkId" | "domainId", value: string): string {
  const { analytics } = words;
  if (by === "rule") return value === "none" ? analytics.noRule : analytics.rule(Number(value) + 1);
  const none = NONE[value];
  if (none) return none();
  if (by === "country") return countryName(value);
  if (by === "language") return languageName(value);
  if (by === "device" && isDevice(value)) return analytics.devices[value];
  return value;
}
