import { escapeSegment } from "@/core/names/slug";
import type { domains, links } from "../db/schema";

export type ShortUrlOf = (
  domain: Pick<typeof domains.$inferSelect, "hostname" | "orgId">,
  link: Pick<typeof links.$inferSelect, "pathPrefix" | "slug">,
) => string;

/** The shared domain speaks the scheme of the service's own origin; custom domains are always https. */
export const shortUrls =
  (baseUrl: string): ShortUrlOf =>
  (domain, { pathPrefix, slug }) => {
    const origin =
      domain.orgId === null ? `${new URL(baseUrl).protocol}//${domain.hostname}` : `https://${domain.hostname}`;
    const path = [...pathPrefix.split("/"), slug].filter(Boolean).map(escapeSegment).join("/");
    return `${origin}/${path}`;
  };
