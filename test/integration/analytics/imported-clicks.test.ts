/** Clicks that imported links had before their import, in an organization with many such links. */
import { expect, test } from "bun:test";
import { runImport } from "@test/support/outside/imports";
import { startTestService } from "@test/support/service";
import type { OrgId } from "@/core/ids";
import { importedClicksReader } from "@/modules/analytics/imported-clicks";

const service = await startTestService();
const shared: string = (await service.sql`select id from domains where org_id is null`)[0]?.id;

const range = { from: Date.UTC(2024, 4, 1), to: Date.UTC(2024, 5, 1) };

const importLinks = (account: Awaited<ReturnType<typeof service.register>>, ...slugs: string[]) =>
  runImport(service, account, {
    text: ["slug,url,clicks", ...slugs.map((slug) => `${slug},https://acme.com/,5`)].join("\n"),
    options: { domainMap: { "*": shared } },
  });

test("the sum over many links is cached for a minute, also if the clock is set back meanwhile; sums over few links or with filters are not", async () => {
  let now = Date.now();
  const [many, few] = await Promise.all([service.register(), service.register()]);
  const read = importedClicksReader({ sql: service.sql, clock: () => now, rememberedFromLinks: 2 });
  const countOf = async ({ orgId }: { orgId: string }, filters = {}) =>
    (await read(orgId as OrgId, filters, range)).clicksBefore?.count;
  await importLinks(many, "before-a", "before-b");
  await importLinks(few, "before-c");
  expect([await countOf(many), await countOf(few)]).toEqual([10, 5]);
  await service.sql`update links set clicks_before = 100 where slug in ('before-a', 'before-c')`;
  expect([await countOf(many), await countOf(few), await countOf(many, { domainId: [shared] })]).toEqual([
    10, 100, 105,
  ]);
  now += 60_000;
  expect(await countOf(many)).toBe(105);
  await service.sql`update links set clicks_before = 200 where slug = 'before-a'`;
  now -= 3_600_000;
  expect(await countOf(many)).toBe(105);
  now += 60_000;
  expect(await countOf(many)).toBe(205);
});

test("so are the days, for each range and filter separately", async () => {
  let now = Date.now();
  const account = await service.register();
  const orgId = account.orgId as OrgId;
  const read = importedClicksReader({ sql: service.sql, clock: () => now, rememberedFromLinks: 2 });
  const daysIn = async (filters = {}, span = range) => (await read(orgId, filters, span)).clicksBefore?.byDay;
  await importLinks(account, "days-a", "days-b");
  await service.sql`
    insert into former_click_days (org_id, link_id, import_id, days, counts, total, last_day)
    select org_id, id, id, '{2024-05-02,2024-06-02}', '{1,2}', 3, '2024-06-02' from links where org_id = ${orgId}`;
  expect(await daysIn()).toEqual([{ date: "2024-05-02", count: 2 }]);
  await service.sql`update former_click_days set counts = '{2,2}', total = 4 where org_id = ${orgId}`;
  const changed = [{ date: "2024-05-02", count: 4 }];
  expect(await daysIn()).toEqual([{ date: "2024-05-02", count: 2 }]);
  expect(await daysIn({ domainId: [shared] })).toEqual(changed);
  expect(await daysIn({}, { from: range.from, to: Date.UTC(2024, 6, 1) })).toEqual([
    ...changed,
    { date: "2024-06-02", count: 4 },
  ]);
  await service.sql`update former_click_days set counts = '{3,2}', total = 5 where org_id = ${orgId}`;
  expect(await daysIn({ domainId: [shared] })).toEqual(changed);
  now += 60_000;
  expect(await daysIn()).toEqual([{ date: "2024-05-02", count: 6 }]);
});
