/** Chooses the language of the service's own pages. */
import { preferredOf } from "@/core/headers/accept-language";
import { LANGUAGES, type Language } from "@/core/pages/page-languages";

/** Picks by `Accept-Language`; English if the visitor prefers none of our languages. */
export const pageLanguageOf = (acceptLanguage: string): Language => preferredOf(acceptLanguage, LANGUAGES) ?? "en";
