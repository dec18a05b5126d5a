/**
 * Separate from `routing.ts`, so that the click worker, which validates no schemas, does not load the code that does.
 */
export const PLATFORMS = ["ios", "android", "desktop", "other"] as const;
export type Platform = (typeof PLATFORMS)[number];
