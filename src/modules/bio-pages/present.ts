import type { BioPage } from "@/contract/links/bio-pages";
import { entityTag } from "@/http/headers/entity-tag";
import type { LinkRow } from "@/modules/addresses/store";
import type { ShortUrlOf } from "@/platform/link-cache/short-urls";
import type { PageContent, PageRecord } from "./store";

/** Returns the wire form of a bio page, without unset fields. */
export const presentPage = ({ link, page, domain }: PageRecord, shortUrlOf: ShortUrlOf): BioPage => ({
  _id: link.id,
  orgId: link.orgId,
  domainId: link.domainId,
  slug: link.slug,
  url: shortUrlOf(domain, link),
  ...ownPageFields(link, page),
  safety: link.safety,
  createdAt: link.createdAt.toISOString(),
  updatedAt: link.updatedAt.toISOString(),
});

export const pageTag = ({ link, page }: PageRecord): string => entityTag({ id: link.id, ...ownPageFields(link, page) });

/**
 * Returns the fields that a customer sets and may change: those that the record shows, a revision keeps, and changes
 * are reported by.
 */
export const ownPageFields = (link: Pick<LinkRow, "title" | "isActive">, { bio, theme, items }: PageContent) => ({
  title: link.title ?? "",
  bio: bio ?? undefined,
  theme,
  links: items,
  isActive: link.isActive,
});
