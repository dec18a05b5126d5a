/** What `true` and `false` become in a file that a spreadsheet has saved, in the languages of the dashboard. */
export const TRUE_WORDS: readonly string[] = ["true", "wahr", "vrai", "verdadero", "vero", "waar", "verdadeiro"];
export const FALSE_WORDS: readonly string[] = ["false", "falsch", "faux", "falso", "onwaar"];
