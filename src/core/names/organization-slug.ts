const WORDS_MAX = 40;

/**
 * Builds a readable slug, made unique by the random end of the id. Called once: renaming the organization keeps its
 * slug.
 */
export function organizationSlug(name: string, orgId: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words = plain.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  return [words.slice(0, WORDS_MAX), orgId.slice(-8)].filter(Boolean).join("-");
}
