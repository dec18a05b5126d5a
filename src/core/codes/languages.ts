/** Knows languages by their BCP 47 tags, and guesses which one someone meant who wrote something else. */
import { foldName } from "../names/fold";
import { countryMeant, isCountry } from "./countries";

const NAMING_LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl"];
/** Languages with a tag of two letters: those whose names are looked for. */
const TWO_LETTERS = [..."abcdefghijklmnopqrstuvwxyz"].flatMap((first) =>
  [..."abcdefghijklmnopqrstuvwxyz"].map((second) => first + second),
);

const ENGLISH_NAMES = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

/** What is wrong, to stand behind a field's name, or undefined. Case does not count, and `_` is taken for `-`. */
export function languageFault(text: string): string | undefined {
  const tag = text.replaceAll("_", "-");
  const meant = languageMeant(tag);
  if (meant === undefined) return "expected a BCP 47 language tag, like en or en-GB";
  return meant.toLowerCase() === tag.toLowerCase()
    ? undefined
    : `${JSON.stringify(text)} is not the language tag that browsers send; did you mean ${meant}?`;
}

/** The tag itself, in its usual form, where it is one. */
function languageMeant(tag: string): string | undefined {
  const canonical = canonicalOf(tag);
  const { language, region } = canonical ?? {};
  if (!canonical || !language || !isLanguage(language)) return byName(tag);
  if (region === undefined || /^\d{3}$/.test(region) || isCountry(region)) return canonical.toString();
  const country = countryMeant(region);
  return country && new Intl.Locale(canonical, { region: country }).toString();
}

function canonicalOf(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const isLanguage = (language: string): boolean => ENGLISH_NAMES.of(language) !== undefined;

/** By the language's name, else the language that is spoken in the country of this code: `jp` for Japanese. */
function byName(text: string): string | undefined {
  const named = names().get(foldName(text.trim()));
  if (named) return named;
  const country = /^[a-z]{2}$/i.test(text) ? countryMeant(text) : undefined;
  return country && new Intl.Locale(`und-${country}`).maximize().language;
}

/** Made when a name is first looked for: some thousand entries. */
let known: Map<string, string> | undefined;

function names(): Map<string, string> {
  known ??= new Map(
    NAMING_LANGUAGES.toReversed().flatMap((language) => {
      const display = new Intl.DisplayNames(language, { type: "language", fallback: "none" });
      return TWO_LETTERS.flatMap((tag) => {
        const name = display.of(tag);
        const [current] = Intl.getCanonicalLocales(tag);
        return name && current ? [[foldName(name), current] as const] : [];
      });
    }),
  );
  return known;
}
