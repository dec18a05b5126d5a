/** A proxy that compresses an answer makes a weak tag of its own, which the service would never take for it. */
export const strongTag = (told: string | null): string => (told ?? "").replace(/^W\//, "");
