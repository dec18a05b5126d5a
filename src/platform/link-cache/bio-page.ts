/** What a bio page shows: read after its row of `links`, so that to load a link costs no more for there being pages. */
import { eq, sql } from "drizzle-orm";
import type { ServedBioPage } from "@/core/routing/link";
import { bioPages, domains, links } from "@/platform/db/schema";
import type { Db } from "@/platform/db/tx";
import type { ShortUrlOf } from "./short-urls";

interface LinkedAddress {
  id: string;
  hostname: string;
  orgId: string | null;
  pathPrefix: string;
  slug: string;
}

/**
 * Of the items' links, but for deleted ones. An address never changes, so that none of those links' changes matters here.
 * The page's columns are written out: Drizzle would name them without their table, as the links' own.
 */
const linkedAddresses = sql<LinkedAddress[]>`(
  select coalesce(json_agg(json_build_object('id', l.id, 'hostname', d.hostname, 'orgId', d.org_id,
    'pathPrefix', l.path_prefix, 'slug', l.slug)), '[]')
  from ${links} l join ${domains} d on d.id = l.domain_id
  where l.org_id = ${bioPages}.org_id and l.kind = 'link' and l.deleted_at is null
    and l.id in (select (item ->> 'linkId')::uuid from jsonb_array_elements(${bioPages}.items) as item))`;

/**
 * As it is now, which may be a version later than the row that was read: then the change of it is on its way, and what was
 * put together of the two is not kept. An item whose link is gone has no `linkUrl`.
 */
export async function readBioPage(db: Db, linkId: string, shortUrlOf: ShortUrlOf): Promise<ServedBioPage> {
  const { bio, theme, items } = bioPages;
  const rows = await db
    .select({ bio, theme, items, linked: linkedAddresses })
    .from(bioPages)
    .where(eq(bioPages.linkId, linkId))
    .limit(1);
  const [row] = rows;
  if (!row) throw new Error("A bio page has no content");
  const urls = new Map(row.linked.map((link) => [link.id, shortUrlOf(link, link)]));
  return {
    kind: "bio",
    bio: row.bio,
    theme: row.theme,
    items: row.items.map((item) => (item.linkId ? { ...item, linkUrl: urls.get(item.linkId) } : item)),
  };
}
