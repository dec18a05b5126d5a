/**
 * Creates hundreds of thousands of realistic links of one organization, inserted by SQL directly into the table and
 * marked as checked for safety.
 */
import type { Sql } from "postgres";

export interface LinkOwner {
  orgId: string;
  domainId: string;
}

/**
 * Every fourth link, starting with the first, has a split of two; every fifth link, starting with the second, has a
 * rule for iOS unless it has a split.
 */
export const SPLIT_EVERY = 4;
export const RULE_EVERY = 5;
export const isSplit = (index: number): boolean => index % SPLIT_EVERY === 0;
export const hasRule = (index: number): boolean => index % RULE_EVERY === 1 && !isSplit(index);

/** Inserts the links and returns their ids in the order of their numbers. */
export async function makeBenchLinks(sql: Sql, { orgId, domainId }: LinkOwner, count: number): Promise<string[]> {
  await sql.unsafe(
    `insert into links (id, org_id, domain_id, slug, slug_key, title, default_url, utm, rules, split_targets, tags, created_at, safety_checked_at)
     select gen_random_uuid(), $1, $2, slug, slug, 'Bench ' || n, 'https://example.com/landing/' || n,
       jsonb_build_object('source', 'bench', 'medium', 'load', 'campaign', 'c' || n % 500),
       case when n % ${RULE_EVERY} = 1 and n % ${SPLIT_EVERY} <> 0 then '[{"priority": 1,
         "destinationUrl": "https://example.com/ios", "conditions": {"platform": ["ios"]}}]'::jsonb else '[]' end,
       case when n % ${SPLIT_EVERY} = 0 then jsonb_build_array(
         jsonb_build_object('key', 'a', 'weight', 50, 'destinationUrl', 'https://example.com/a/' || n),
         jsonb_build_object('key', 'b', 'weight', 50, 'destinationUrl', 'https://example.com/b/' || n)) else '[]' end,
       array['topic-' || n % 400], now() - interval '91 days', now()
     from generate_series(0, ${count - 1}) as n, lateral (select 'bench-' || n as slug) as s`,
    [orgId, domainId],
  );
  const rows = await sql<{ id: string }[]>`
    select id from links where org_id = ${orgId} order by substring(slug from 7)::int`;
  return rows.map(({ id }) => id);
}
