import { escapeSegment } from "@/core/names/slug";
import type { domains, links } from "../db/schema";

export type ShortUrlOf = (
  domain: Pick<typeof domains.$inferSelect, "hostname" | "orgId">,
  link: Pick<typeof links.$inferSelect, "pathPrefix" | "slug"> & { formerHostname?: string | null },
) => string;

/**
 * Returns the function that makes short URLs: with the scheme of the service's own origin on the shared domain,
 * always with https on custom domains, including the former one of a deleted link.
 */
export function shortUrls(baseUrl: string): ShortUrlOf {
  const { protocol } = new URL(baseUrl);
  return ({ orgId, hostname }, { pathPrefix, slug, formerHostname }) => {
    const isShared = orgId === null && !formerHostname;
    const origin = `${isShared ? protocol : "https:"}//${formerHostname ?? hostname}`;
    const path = [...pathPrefix.split("/"), slug].filter(Boolean).map(escapeSegment).join("/");
    return `${origin}/${path}`;
  };
}
