/** What to search for when a short URL was pasted. */

/**
 * Returns the slug of a short URL on one of the hosts, because the API searches slugs, but neither hosts nor path
 * prefixes. Returns any other text unchanged.
 */
export function searchedText(typed: string, hosts: readonly string[]): string {
  const url = URL.parse(/^https?:\/\//i.test(typed) ? typed : `https://${typed}`);
  if (!url || !hosts.includes(url.host)) return typed;
  const slug = url.pathname.split("/").findLast((segment) => segment !== "");
  return slug === undefined ? typed : decoded(slug);
}

function decoded(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}
