/**
 * Creates the large workspace whose lists are measured, by SQL directly in the tables: links among those of many
 * small workspaces, leads, audit entries, and deliveries. Rows depend only on their numbers, except for their
 * creation times.
 */
import type { Sql } from "postgres";

export interface Sizes {
  links: number;
  leads: number;
  audits: number;
  deliveries: number;
  /** Number of each of the other kinds of resources. */
  others: number;
  /** Number of additional small workspaces, each with 50 links and 200 audit entries. */
  neighbours: number;
}

/** Ids of the link and the webhook that have the most dependent rows. */
export interface Made {
  leadLinkId: string;
  revisedLinkId: string;
  webhookId: string;
}

export const BUSY_TAG = "evergreen";
export const RARE_TAG = "topic-17";
export const BUSY_ACTOR = "robot@example.com";

/** Returns an SQL expression for the UUIDv7 of row `n`, `apartMs` milliseconds before that of the next row. */
const idOf = (apartMs: number, count: number) =>
  `(lpad(to_hex((extract(epoch from now()) * 1000)::bigint - (${count} - n) * ${apartMs}), 12, '0') || '7'
    || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text || 'id'), 1, 15))::uuid`;

const WORDS =
  "'{spring,summer,autumn,winter,sale,launch,newsletter,podcast,shoes,coats,garden,kitchen,travel,music,coffee,bicycle}'::text[]";
const word = (salt: string) => `(${WORDS})[1 + abs(hashtext(n::text || '${salt}')) % 16]`;
/** One in 25 titles has Japanese words, and another one in 25 French ones. */
const beyondAscii = "case n % 25 when 7 then '最新ニュース速報 ' when 11 then 'Prêt-à-porter d''été ' else '' end";
const topic = (salt: string) => `'topic-' || abs(hashtext(n::text || '${salt}')) % 400`;

export async function makeLists(sql: Sql, orgId: string, sizes: Sizes): Promise<Made> {
  await makeNeighbours(sql, sizes.neighbours);
  await makeLinks(sql, orgId, sizes.links, "");
  const [newest] = await sql<{ id: string }[]>`select id from links where org_id = ${orgId} order by id desc limit 1`;
  const linkId = newest?.id ?? "";
  const webhookId = Bun.randomUUIDv7();
  await makeLeads(sql, orgId, linkId, sizes.leads);
  await makeAudits(sql, orgId, sizes.audits);
  await makeDeliveries(sql, orgId, webhookId, sizes.deliveries);
  await makeOthers(sql, orgId, linkId, sizes.others);
  await settleChecks(sql);
  await sql`vacuum analyze`;
  return { leadLinkId: linkId, revisedLinkId: linkId, webhookId };
}

/** Marks all links as checked, because otherwise the server would check 300,000 links during the measurement. */
const settleChecks = (sql: Sql) => sql`
  update links set safety_checked_at = now(), destinations_checked_at = now(), destinations_ask_at = null`;

async function makeNeighbours(sql: Sql, count: number): Promise<void> {
  await sql.unsafe(`insert into organizations (id, name, slug, plan)
    select ${idOf(60_000, count)}, 'Neighbour ' || n, 'neighbour-' || n, 'unlimited' from generate_series(1, ${count}) as n`);
  await sql.unsafe(
    `insert into links (id, org_id, domain_id, slug, slug_key, title, default_url, tags, created_at)
     select ${idOf(2_000, 50 * count)}, o.id, d.id, slug, slug, ${word("a")} || ' ' || ${word("b")} || ' ' || n,
       'https://example.org/' || ${word("c")} || '/' || n, array['${BUSY_TAG}', ${topic("t")}],
       now() - (${50 * count} - n) * interval '2 seconds'
     from (select id from domains where org_id is null) as d, generate_series(1, ${50 * count}) as n,
       lateral (select 'neighbour-' || n as slug) as s,
       lateral (select id from organizations where slug = 'neighbour-' || (1 + n % ${count})) as o`,
  );
  await sql.unsafe(
    `insert into audit_logs (id, org_id, action, resource_type, resource_id, actor_type, actor_email, created_at)
     select ${idOf(500, 200 * count)}, o.id, 'link.create', 'link', n::text, 'user', 'someone@example.org',
       now() - (${200 * count} - n) * interval '500 milliseconds'
     from generate_series(1, ${200 * count}) as n,
       lateral (select id from organizations where slug = 'neighbour-' || (1 + n % ${count})) as o`,
  );
}

/** Three in five links have the common tag; all have two rarer ones. */
async function makeLinks(sql: Sql, orgId: string, count: number, salt: string): Promise<void> {
  await sql.unsafe(
    `insert into links (id, org_id, domain_id, slug, slug_key, title, default_url, tags, utm, rules, created_at)
     select ${idOf(1_000, count)}, $1, d.id, slug, slug,
       ${word(`${salt}a`)} || ' ' || ${word(`${salt}b`)} || ' ' || ${beyondAscii} || ${word(`${salt}c`)} || ' ' || n,
       'https://shop.example.com/' || ${word(`${salt}d`)} || '/' || md5(n::text) || '?variant=' || n % 40,
       array[${topic("t")}, ${topic("u")}] || case when n % 5 < 3 then array['${BUSY_TAG}'] else '{}' end,
       jsonb_build_object('source', ${word(`${salt}s`)}, 'medium', 'email', 'campaign', ${word(`${salt}k`)}),
       case when n % 4 = 0 then '[{"priority": 1, "destinationUrl": "https://example.com/ios",
         "conditions": {"platform": ["ios"]}}]'::jsonb else '[]' end,
       now() - (${count} - n) * interval '1 second'
     from (select id from domains where org_id is null) as d, generate_series(1, ${count}) as n,
       lateral (select ${word(`${salt}z`)} || '-' || n as slug) as s`,
    [orgId],
  );
  await sql`
    insert into link_counters (org_id, link_id, writer, clicks)
    select org_id, id, writer, abs(hashtext(id::text)) % 1000 from links, generate_series(1, 2) as writer
    where org_id = ${orgId}`;
}

async function makeLeads(sql: Sql, orgId: string, linkId: string, count: number): Promise<void> {
  await sql.unsafe(
    `insert into leads (id, org_id, link_id, click_id, visitor_id, fields, created_at)
     select ${idOf(1_000, count)}, $1, $2, gen_random_uuid(), substr(md5(n::text), 1, 16),
       jsonb_build_object('name', ${word("f")} || ' ' || n, 'email', n || '@example.com', 'note', md5(n::text)),
       now() - (${count} - n) * interval '1 second'
     from generate_series(1, ${count}) as n`,
    [orgId, linkId],
  );
}

/** Six in ten entries are about links, and two in three are by one robot; the others are by 50 people. */
async function makeAudits(sql: Sql, orgId: string, count: number): Promise<void> {
  await sql.unsafe(
    `insert into audit_logs
       (id, org_id, action, resource_type, resource_id, actor_type, actor_id, actor_email, ip, user_agent, changes, created_at)
     select ${idOf(500, count)}, $1, resource || '.' || verb, resource, md5(n::text)::uuid::text, 'user',
       md5(actor)::uuid, actor, '203.0.113.9', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36',
       '{"title": {"from": "spring sale", "to": "summer sale"}}', now() - (${count} - n) * interval '500 milliseconds'
     from generate_series(1, ${count}) as n,
       lateral (select
         (array['link', 'link', 'link', 'link', 'link', 'link', 'bio_page', 'domain', 'webhook', 'api_key'])[1 + n % 10] as resource,
         (array['create', 'update', 'update', 'delete'])[1 + n / 10 % 4] as verb,
         case when n % 3 < 2 then '${BUSY_ACTOR}' else 'member-' || n % 50 || '@example.com' end as actor) as drawn`,
    [orgId],
  );
}

async function makeDeliveries(sql: Sql, orgId: string, webhookId: string, count: number): Promise<void> {
  await sql`
    insert into webhooks (id, org_id, url, events, secret, secret_hint)
    values (${webhookId}, ${orgId}, 'https://hooks.example.com/', '{click}', '\\x00', 'abcd')`;
  await sql.unsafe(
    `insert into webhook_deliveries
       (id, org_id, webhook_id, event, message_id, body, status, attempts, response_status, created_at, delivered_at)
     select ${idOf(200, count)}, $1, $2, 'click', gen_random_uuid(), '{"data": "' || repeat(md5(n::text), 20) || '"}',
       case when n % 5 = 0 then 'failed' else 'delivered' end, 1, 200,
       now() - (${count} - n) * interval '200 milliseconds', now()
     from generate_series(1, ${count}) as n`,
    [orgId, webhookId],
  );
}

async function makeOthers(sql: Sql, orgId: string, linkId: string, count: number): Promise<void> {
  const from = `from generate_series(1, ${count}) as n`;
  await sql.unsafe(
    `insert into link_revisions (id, org_id, link_id, version, changes, snapshot)
     select ${idOf(1_000, count)}, $1, $2, n, '[]', jsonb_build_object('title', repeat(md5(n::text), 40)) ${from}`,
    [orgId, linkId],
  );
  await sql.unsafe(
    `insert into api_keys (id, org_id, name, prefix, hash, scopes)
     select ${idOf(1_000, count)}, $1, 'Key ' || n, 'wm_live_', sha256(n::text::bytea), '{links:read}' ${from}`,
    [orgId],
  );
  await sql.unsafe(
    `insert into users (id, email, name, password_hash)
     select ${idOf(1_000, count)}, 'member-' || n || '@example.com', 'Member ' || n, 'x' ${from}`,
  );
  await sql`
    insert into memberships (id, org_id, user_id, role)
    select id, ${orgId}, id, 'viewer' from users where email like 'member-%'`;
  await sql.unsafe(
    `insert into reports (id, org_id, name, filters, metrics)
     select ${idOf(1_000, count)}, $1, 'Report ' || n, '{"period": "7d"}', '{clicks}' ${from}`,
    [orgId],
  );
  await sql.unsafe(
    `with pages as (
       insert into links (id, kind, org_id, domain_id, slug, slug_key, title, default_url)
       select ${idOf(1_000, count)}, 'bio_page', $1, d.id, 'bio-' || n, 'bio-' || n, 'Page ' || n, 'https://example.com/'
       from (select id from domains where org_id is null) as d, generate_series(1, ${count}) as n returning id)
     insert into bio_pages (link_id, org_id, theme, items) select id, $1, '{"preset": "light"}', '[]' from pages`,
    [orgId],
  );
}
