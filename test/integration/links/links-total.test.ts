/** The total of a long list, which is an estimate, after a change of most of its links. */
import { expect, test } from "bun:test";
import { settleTables } from "@test/support/plans";
import { startTestService } from "@test/support/service";

const LINKS = 12_000;
const CHANGED = 10_000;
/** Of the true total. */
const DEVIATION_MAX = 0.1;

const service = await startTestService();
const { call, sql } = service;
const ada = await service.register();
const home = `/api/v1/organizations/${ada.orgId}/links`;
const link = await service.createLink(ada, { defaultUrl: "https://example.com/" });

test("stays near the number of links, before Postgres has counted them again", async () => {
  await sql`
    insert into links (id, org_id, domain_id, kind, slug, slug_key, title, default_url)
    select gen_random_uuid(), org_id, domain_id, 'link', 's' || n, 's' || n, 'Title ' || n, 'https://example.com/' || n
    from links, generate_series(2, ${LINKS}) as n where links.id = ${link._id}`;
  await settleTables(service, ["links", "listed_links", "link_tags"]);
  // What bulk changes do, in one statement.
  await sql`update links set is_active = false where id in (select id from links where kind = 'link' limit ${CHANGED})`;
  const { body } = await call<{ total: number; totalIsEstimate?: boolean }>("GET", home, ada);
  expect(body.totalIsEstimate).toBe(true);
  expect(Math.abs(body.total - LINKS) / LINKS).toBeLessThan(DEVIATION_MAX);
});
