export interface OpenedLink {
  title: string;
  destinationUrl: string;
  deepLinkPayload: Record<string, unknown>;
}

/** Returns the link behind a short URL that opened the app, or null if there is no such link. */
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
  return response.ok ? ((await response.json()) as OpenedLink) : null;
}
