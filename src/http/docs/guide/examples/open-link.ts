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
  const { hostname, pathname } = new URL(shortUrl);
  const segments = pathname.split("/").filter(Boolean);
  const slug = segments.pop();
  if (!slug) return null;
  const query = new URLSearchParams({ domain: hostname, slug, pathPrefix: segments.join("/"), platform });
  const response = await fetch(`${service}/api/v1/resolve?${query}`);
  return response.ok ? ((await response.json()) as OpenedLink) : null;
}
