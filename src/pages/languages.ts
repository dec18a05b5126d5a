/** Lists the languages of the service's own pages. */
import { preferredOf } from "@/core/languages";

const LANGUAGES = ["en", "de", "fr", "es", "pt", "it", "nl"] as const;
export type Language = (typeof LANGUAGES)[number];

/** By `Accept-Language`; English where none of ours is wanted. */
export const pageLanguageOf = (acceptLanguage: string): Language => preferredOf(acceptLanguage, LANGUAGES) ?? "en";
