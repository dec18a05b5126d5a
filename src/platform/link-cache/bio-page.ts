/**
 * Reads what a bio page shows, after its row of `links`, so that loading a link costs no more because there are bio
 * pages.
 */
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
 * The addresses of the items' links, except deleted ones. An address never changes, so changes of those links do not
 * matter here. The page's columns are written out, because Drizzle would name them without their table, like the
 * links' own.
 */
const linkedAddresses = sql<LinkedAddress[]>`(
  select coalesce(json_agg(json_build_object('id', l.id, 'hostname', d.hostname, 'orgId', d.org_id,
    'pathPrefix', l.path_prefix, 'slug', l.slug)), '[]')
  from ${links} l join ${domains} d on d.id = l.domain_id
  where l.org_id = ${bioPages}.org_id and l.kind = 'link' and l.deleted_at is null
    and l.id in (select (item ->> 'linkId')::uuid from jsonb_array_elements(${bioPages}.items) as item))`;

/**
 * Returns the page's present content. It may be a version later than the row of the link that was read before; then
 * that change's notice is on its way, and the combination of the two is not cached. An item whose link is deleted has
 * no `linkUrl`.
 */
export async function readBioPage(db: Db, linkId: string, shortUrlOf: ShortUrlOf): Promise<ServedBioPage> {
  const { bio, theme, items } = bioPages;
  const rows = await db
    .select({ bio, theme, items, linked: linkedAddresses })
    .from(bioPages)
    .where(eq(bioPages.linkId, linkId))
    .limit(1);
  const [row] = rows;
  if (!row) throw new Error("The bio page's content row is missing");
  const urls = new Map(row.linked.map((link) => [link.id, shortUrlOf(link, link)]));
  return {
    kind: "bio",
    bio: row.bio,
    theme: row.theme,
    items: row.items.map((item) => (item.linkId ? { ...item, linkUrl: urls.get(item.linkId) } : item)),
  };
}
