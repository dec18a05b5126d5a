import type { BioPage } from "@/contract/links/bio-pages";
import { entityTag, withTag } from "@/http/headers/entity-tag";
import type { LinkRow } from "@/modules/addresses/store";
import type { ShortUrlOf } from "@/platform/link-cache/short-urls";
import type { PageContent, PageRecord } from "./store";

/** Returns the wire form of a bio page with its tag, without unset fields. */
export function presentPage(record: PageRecord, shortUrlOf: ShortUrlOf): BioPage {
  const { link, page, domain } = record;
  const shown = {
    _id: link.id,
    orgId: link.orgId,
    domainId: link.domainId,
    slug: link.slug,
    url: shortUrlOf(domain, link),
    ...ownPageFields(link, page),
    safety: link.safety,
    createdAt: link.createdAt.toISOString(),
    updatedAt: link.updatedAt.toISOString(),
  };
  return withTag(shown, () => pageTag(record));
}

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
