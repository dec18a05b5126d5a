/** Names of countries and languages, in the language of the page. */
import { pageLanguage } from "../ui/format";

const regions = new Intl.DisplayNames(pageLanguage, { type: "region" });
const languages = new Intl.DisplayNames(pageLanguage, { type: "language" });

export const countryName = (code: string): string => named(regions, code);
export const languageName = (code: string): string => named(languages, code);

/** Returns an unknown code unchanged. */
function named(names: Intl.DisplayNames, code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}
