import { escapeSegment } from "@/core/names/slug";
import type { domains, links } from "../db/schema";

export type ShortUrlOf = (
  domain: Pick<typeof domains.$inferSelect, "hostname" | "orgId">,
  link: Pick<typeof links.$inferSelect, "pathPrefix" | "slug">,
) => string;

/**
 * Returns the function that makes short URLs: with the scheme of the service's own origin on the shared domain,
 * always with https on custom domains.
 */
export function shortUrls(baseUrl: string): ShortUrlOf {
  const { protocol } = new URL(baseUrl);
  return (domain, { pathPrefix, slug }) => {
    const origin = `${domain.orgId === null ? protocol : "https:"}//${domain.hostname}`;
    const path = [...pathPrefix.split("/"), slug].filter(Boolean).map(escapeSegment).join("/");
    return `${origin}/${path}`;
  };
}
