export interface OpenedLink {
  title: string;
  destinationUrl: string;
  deepLinkPayload: Record<string, unknown>;
}

/**
 * Returns the link behind a short URL that opened the app, or null if there is no such link (any more). Throws if
 * Waymark could not say: for lack of a password (403), or because it is busy.
 */
export async function openLink(
  service: string,
  shortUrl: string,
  platform: "ios" | "android",
): Promise<OpenedLink | null> {
  const { hostname, pathname, search } = new URL(shortUrl);
  const segments = pathname.split("/").filter(Boolean).map(decodeURIComponent);
  const slug = segments.pop();
  if (!slug) return null;
  const asked = { domain: hostname, slug, pathPrefix: segments.join("/"), platform, query: search.slice(1) };
  const response = await fetch(`${service}/api/v1/resolve?${new URLSearchParams(asked)}`);
  if (response.status === 404 || response.status === 410) return null;
  if (!response.ok) throw new Error(`Waymark returned ${response.status}`);
  return (await response.json()) as OpenedLink;
}
