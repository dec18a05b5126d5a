/** Languages of the service's own pages and of the dashboard. */
export const LANGUAGES = ["en", "de", "fr", "es", "pt", "it", "nl"] as const;
export type Language = (typeof LANGUAGES)[number];
