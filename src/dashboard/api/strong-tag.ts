/**
 * Removes the weak prefix from an entity tag. A proxy that compresses the response adds it, and the service accepts
 * no weak tag in `If-Match`.
 */
export const strongTag = (told: string | null): string => (told ?? "").replace(/^W\//, "");
