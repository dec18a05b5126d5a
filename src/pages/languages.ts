/** Chooses the language of the service's own pages. */
import { preferredOf } from "@/core/languages";
import { LANGUAGES, type Language } from "@/core/page-languages";

/** Picks by `Accept-Language`; English if the visitor prefers none of our languages. */
export const pageLanguageOf = (acceptLanguage: string): Language => preferredOf(acceptLanguage, LANGUAGES) ?? "en";
