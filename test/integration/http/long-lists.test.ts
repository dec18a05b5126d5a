/** Lists of thousands: what is read for one page of them, and what totals show beyond the number that is counted. */
import { beforeAll, describe, expect, test } from "bun:test";
import { readingOf, settleTables } from "@test/support/plans";
import { startTestService } from "@test/support/service";
import type { AuditLogPage } from "@/contract/accounts/audit-logs";
import type { OrgId } from "@/core/ids";
import { listAuditLogs } from "@/modules/audit-logs/store";
import { listPages } from "@/modules/bio-pages/store";
import { ledgerCsv } from "@/modules/imports/ledger";
import { leadsAfter, listLeads } from "@/modules/leads/store";
import { listLinks } from "@/modules/links/list";
import type { LinkListFilter } from "@/modules/links/list-sources";
import { listRevisions } from "@/modules/links/store";
import { listDeliveries } from "@/modules/webhooks/delivery-store";
import type { Drizzle } from "@/platform/db/client";
import { COUNTED_MAX, type Paging } from "@/platform/db/read-page";

const ROWS = 3_000;
const ENTRIES = COUNTED_MAX + 510;
const PAGE = 25;
const LEDGER_ROWS = 7_000;
const DEEP = { page: 100, limit: PAGE };

const TABLES = [
  ...["links", "listed_links", "link_tags", "bio_pages", "audit_logs"],
  ...["leads", "webhook_deliveries", "link_revisions", "import_rows"],
];

const service = await startTestService();
const { sql } = service;
const ada = await service.register();
const orgId = ada.orgId as OrgId;
const link = await service.createLink(ada, { defaultUrl: "https://example.com/", slug: "first" });
const webhookId = Bun.randomUUIDv7();
const importId = Bun.randomUUIDv7();

beforeAll(async () => {
  await sql`
    insert into links (id, org_id, domain_id, kind, slug, slug_key, title, default_url, tags)
    select gen_random_uuid(), org_id, domain_id, case when n % 10 = 0 then 'bio_page' else 'link' end, 's' || n, 's' || n,
      'Title ' || n || case when n % 2 = 0 then ' common' else '' end || case when n % 100 = 1 then ' seldom für ニュース' else '' end,
      'https://example.com/' || n, case when n % 10 < 8 then '{busy}' else '{rare}' end::text[]
    from links, generate_series(1, ${ROWS}) as n where links.id = ${link._id}`;
  await sql`insert into bio_pages (link_id, org_id, theme, items)
    select id, org_id, '{}', '[]' from links where kind = 'bio_page'`;
  await sql`
    insert into audit_logs (id, org_id, action, resource_type, resource_id, actor_type, actor_email, created_at)
    select gen_random_uuid(), ${orgId}, 'thing.' || n % 4, 'thing', 'x', 'user', n % 3 || '@example.com',
      now() - n * interval '1 minute' from generate_series(1, ${ENTRIES}) as n`;
  await sql`
    insert into leads (id, org_id, link_id, click_id, visitor_id, fields, created_at)
    select gen_random_uuid(), ${orgId}, ${link._id}, gen_random_uuid(), n % 9, '{}', now() - n * interval '1 minute'
    from generate_series(1, ${ROWS}) as n`;
  await sql`
    insert into webhook_deliveries (id, org_id, webhook_id, event, message_id, body, status)
    select gen_random_uuid(), ${orgId}, ${webhookId}, 'click', gen_random_uuid(), '{}', 'delivered'
    from generate_series(1, ${ROWS})`;
  await sql`
    insert into link_revisions (id, org_id, link_id, version, changes, snapshot)
    select gen_random_uuid(), ${orgId}, ${link._id}, n, '[]', '{}' from generate_series(2, ${ROWS}) as n`;
  await sql`insert into imports (id, org_id, file, options, actor, status)
    values (${importId}, ${orgId}, '{}', '{}', '{}', 'done')`;
  await sql`
    insert into import_rows (import_id, org_id, row, part, address, result)
    select ${importId}, ${orgId}, n / 2, n % 2, 'acme.ly/' || n, 'created' from generate_series(2, ${LEDGER_ROWS + 1}) as n`;
  await settleTables(service, TABLES);
});

describe("a page is found through indexes, and only its own rows are fetched:", () => {
  const first = { page: 1, limit: PAGE };
  const listed = (db: Drizzle, filter: LinkListFilter, paging: Paging) =>
    listLinks(db, orgId, { filter, order: { sort: "createdAt", order: "desc" }, now: new Date(), ...paging });
  const busiest = { action: "thing.1", resourceType: "thing", actorEmail: "1@example.com" };
  const from = new Date(Date.now() - 86_400_000);
  const cases: [name: string, table: string, ask: (db: Drizzle) => Promise<unknown>][] = [
    ["links", "links", (db) => listed(db, {}, first)],
    ["links, deep", "links", (db) => listed(db, {}, DEEP)],
    ["links by tag", "links", (db) => listed(db, { tags: ["rare"] }, first)],
    ["links by tag, deep", "links", (db) => listed(db, { tags: ["busy"] }, { ...DEEP, page: 80 })],
    ["links by a common text", "links", (db) => listed(db, { search: "COMMON" }, first)],
    ["links by a seldom text", "links", (db) => listed(db, { search: "seldom" }, first)],
    ["links by letters beyond ASCII", "links", (db) => listed(db, { search: "ニュース" }, first)],
    ["links by a common text in a busy tag", "links", (db) => listed(db, { search: "common", tags: ["busy"] }, first)],
    ["bio pages", "links", (db) => listPages(db, orgId, { ...first, page: 4 })],
    ["audit entries", "audit_logs", (db) => listAuditLogs(db, orgId, {}, DEEP)],
    ["audit entries of an action", "audit_logs", (db) => listAuditLogs(db, orgId, { action: "thing.1" }, first)],
    ["audit entries of a type", "audit_logs", (db) => listAuditLogs(db, orgId, { resourceType: "thing" }, DEEP)],
    [
      "audit entries of a person",
      "audit_logs",
      (db) => listAuditLogs(db, orgId, { actorEmails: ["1@example.com"] }, DEEP),
    ],
    ["audit entries of a time", "audit_logs", (db) => listAuditLogs(db, orgId, { from, to: new Date() }, first)],
    ["audit entries by all filters", "audit_logs", (db) => listAuditLogs(db, orgId, { ...busiest, from }, first)],
    [
      "audit entries there are none of",
      "audit_logs",
      (db) => listAuditLogs(db, orgId, { ...busiest, action: "no" }, first),
    ],
    ["leads", "leads", (db) => listLeads(db, orgId, link._id, DEEP)],
    ["deliveries", "webhook_deliveries", (db) => listDeliveries(db, orgId, { webhookId, status: "delivered" }, DEEP)],
    ["revisions", "link_revisions", (db) => listRevisions(db, orgId, link._id, DEEP)],
  ];
  test.each(cases)("%s", async (name, table, ask) => {
    const { fetched, indexed, whole } = await readingOf(service.databaseUrl, ask);
    expect(whole).toEqual([]);
    expect(fetched[table] ?? 0).toBeLessThanOrEqual(PAGE + 1);
    expect(indexed).toBeLessThanOrEqual(COUNTED_MAX + 1);
    // A search reads a sample of the narrow rows, and the rows it finds.
    expect(fetched.listed_links ?? 0).toBeLessThanOrEqual(name.includes("common") ? ROWS : 1_100);
  });

  test("the ledger of an import as CSV, from where the previous rows ended", async () => {
    const { fetched } = await readingOf(service.databaseUrl, async (db) => {
      let rows = 0;
      for await (const some of ledgerCsv(db, orgId, importId).chunks) rows += some.length;
      expect(rows).toBe(LEDGER_ROWS);
    });
    expect(fetched.import_rows).toBe(LEDGER_ROWS);
  });

  test("leads of an export, from where the previous batch ended", async () => {
    const { fetched } = await readingOf(service.databaseUrl, async (db) => {
      const rows = await leadsAfter(db, orgId, link._id, undefined, 1_000);
      await leadsAfter(db, orgId, link._id, rows.at(-1), 100);
    });
    expect(fetched.leads).toBeLessThan(1_150);
  });
});

describe("a search finds exactly the links that match its text and tags:", () => {
  const texts = ["common", "seldom", "ニュース", "ース", "ニ", "FÜR", "ür ニュ", "é", "00fc", "30cb", "%ü", "s2", "e2"];
  const filters: Pick<LinkListFilter, "tags" | "excludeTags">[] = [
    ...[{}, { tags: ["busy"] }, { tags: ["rare"] }, { tags: ["busy", "rare"] }],
    ...[{ excludeTags: ["busy"] }, { excludeTags: ["rare", 'b"u,sy'] }, { tags: ["busy"], excludeTags: ["rare"] }],
  ];
  test.each(texts)("%s", async (search) => {
    for (const filter of filters) {
      const { tags = [], excludeTags = [] } = filter;
      const rows = await sql<{ slug: string; text: string; tags: string[] }[]>`
        select slug, lower(title || E'\n' || slug || E'\n' || default_url) as text, tags from links
        where kind = 'link' and org_id = ${orgId} and title is not null`;
      const hasText = search.length > 2 || !/^\w+$/.test(search) ? containing : beginningAWord;
      const found = rows.filter(
        (row) =>
          hasText(row.text, search.toLowerCase()) &&
          tags.every((tag) => row.tags.includes(tag)) &&
          !excludeTags.some((tag) => row.tags.includes(tag)),
      );
      const order = { sort: "createdAt", order: "desc" } as const;
      const page = { page: 1, limit: ROWS };
      const answer = await listLinks(service.db, orgId, {
        filter: { search, ...filter },
        order,
        now: new Date(),
        ...page,
      });
      const slugs = answer.rows.map(({ link }) => link.slug).filter((slug) => slug !== link.slug);
      expect([search, filter, slugs.sort()]).toEqual([search, filter, found.map(({ slug }) => slug).sort()]);
    }
  });
  const containing = (text: string, part: string) => text.includes(part);
  const beginningAWord = (text: string, part: string) => new RegExp(`(^|[^a-z0-9])${part}`).test(text);
});

describe("a total beyond the counting limit", () => {
  const list = async (query: string) => {
    const path = `/api/v1/organizations/${orgId}/audit-logs?${query}`;
    return (await service.call<AuditLogPage>("GET", path, { token: ada.token })).body;
  };

  test("is an estimate and marked as one", async () => {
    const { total, totalPages, totalIsEstimate } = await list("resourceType=thing&limit=100");
    expect(totalIsEstimate).toBe(true);
    expect(total).toBeGreaterThan(COUNTED_MAX);
    expect(Math.abs(total - ENTRIES)).toBeLessThan(ENTRIES / 4);
    expect(totalPages).toBe(Math.ceil(total / 100));
  });

  test("leads a client that reads all pages to the last row, where it is exact", async () => {
    const seen = new Set<string>();
    let last = await list("resourceType=thing&limit=100");
    for (let page = 1; page <= last.totalPages; page++) {
      last = await list(`resourceType=thing&limit=100&page=${page}`);
      for (const { _id } of last.auditLogs) seen.add(_id);
      if (last.totalIsEstimate) expect(last.total).toBeGreaterThan(seen.size);
    }
    expect(seen.size).toBe(ENTRIES);
    expect([last.total, last.totalIsEstimate]).toEqual([ENTRIES, undefined]);
  });

  test("on a page past the end is at most the number of rows that fit before that page", async () => {
    const { auditLogs, total } = await list("resourceType=thing&limit=100&page=107");
    expect(auditLogs).toEqual([]);
    expect(total).toBeLessThanOrEqual(106 * 100);
    expect((await list("action=thing.1&limit=100&page=900")).total).toBe(ENTRIES / 4 + 0.5);
  });
});
