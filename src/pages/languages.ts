/** Chooses the language of the service's own pages. */
import { preferredOf } from "@/core/languages";
import { LANGUAGES, type Language } from "@/core/page-languages";

/** By `Accept-Language`; English where none of ours is wanted. */
export const pageLanguageOf = (acceptLanguage: string): Language => preferredOf(acceptLanguage, LANGUAGES) ?? "en";
