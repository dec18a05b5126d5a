import type { TransactionSql } from "postgres";

/**
 * Lets restored bio pages lead to the items that they show. An archive has a page's items twice, as its content and as
 * the destinations in its row of links, which was written earlier: other items may have been there by then.
 */
export async function leadToShownItems(tx: TransactionSql, orgId: string): Promise<void> {
  await tx`
    update links set split_targets = shown.targets from bio_pages cross join lateral (
      select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('key', item -> 'key', 'label', item -> 'title',
        'destinationUrl', item -> 'url', 'weight', 0, 'isActive', item -> 'isActive')) order by place), '[]') as targets
      from jsonb_array_elements(items) with ordinality as listed (item, place) where item ->> 'url' is not null
    ) as shown
    where bio_pages.org_id = ${orgId} and links.id = bio_pages.link_id and links.org_id = bio_pages.org_id
      and links.split_targets <> shown.targets`;
}
