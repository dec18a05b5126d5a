/** Languages by BCP 47 tag, and guesses at the language meant by other text. */
import { foldName } from "../names/fold";
import { isCountry, recognizeCountry } from "./countries";

const NAMING_LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl"];
/** All two-letter tags; the names of languages that have one are searched. */
const TWO_LETTERS = [..."abcdefghijklmnopqrstuvwxyz"].flatMap((first) =>
  [..."abcdefghijklmnopqrstuvwxyz"].map((second) => first + second),
);

const ENGLISH_NAMES = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

/** Returns what is wrong, as the text after a field's name, or undefined. Ignores case, and accepts `_` for `-`. */
export function languageFault(text: string): string | undefined {
  const tag = text.replaceAll("_", "-");
  const meant = languageMeant(tag);
  if (meant === undefined) return "expected a BCP 47 language tag, like en or en-GB";
  return meant.toLowerCase() === tag.toLowerCase()
    ? undefined
    : `${JSON.stringify(text)} is not the language tag that browsers send; did you mean ${meant}?`;
}

/** Returns a valid tag in its canonical form, or else a guess. */
function languageMeant(tag: string): string | undefined {
  const canonical = canonicalOf(tag);
  const { language, region } = canonical ?? {};
  if (!canonical || !language || !isLanguage(language)) return byName(tag);
  if (region === undefined || /^\d{3}$/.test(region) || isCountry(region)) return canonical.toString();
  const country = recognizeCountry(region);
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

/** Finds a language by its name, or else the main language of the country with this code: Japanese for `jp`. */
function byName(text: string): string | undefined {
  const named = names().get(foldName(text.trim()));
  if (named) return named;
  const country = /^[a-z]{2}$/i.test(text) ? recognizeCountry(text) : undefined;
  return country && new Intl.Locale(`und-${country}`).maximize().language;
}

/** Built on the first search by name: about a thousand entries. */
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
