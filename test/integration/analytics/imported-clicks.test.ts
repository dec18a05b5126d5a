/** Clicks that imported links had before their import, in an organization with many such links. */
import { expect, test } from "bun:test";
import { runImport } from "@test/support/outside/imports";
import { startTestService } from "@test/support/service";
import type { OrgId } from "@/core/ids";
import { importedClicksReader } from "@/modules/analytics/imported-clicks";

const service = await startTestService();
const shared: string = (await service.sql`select id from domains where org_id is null`)[0]?.id;

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
    (await read(orgId as OrgId, filters)).clicksBefore?.count;
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
