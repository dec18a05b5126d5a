/** What to search for when a short URL was pasted. */
import { readableUrl } from "../ui/readable-url";

/**
 * Returns the slug of a short URL on one of the hosts, because the API searches slugs, but neither hosts nor path
 * prefixes. Returns any other text unchanged.
 */
export function searchedText(typed: string, hosts: readonly string[]): string {
  const url = URL.parse(typed.replace(/^(?:https?:\/\/)?/i, "https://"));
  if (!url || !hosts.includes(url.host)) return typed;
  const [, ...segments] = readableUrl(url.origin + url.pathname).split("/");
  return segments.findLast((segment) => segment !== "") ?? typed;
}
