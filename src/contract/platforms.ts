/** Stands apart from `routing.ts`, so that the click worker, which checks no shapes, does not load what checks them. */
export const PLATFORMS = ["ios", "android", "desktop", "other"] as const;
export type Platform = (typeof PLATFORMS)[number];
