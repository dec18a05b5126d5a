/**
 * Links that are written while what they were checked against is changed: their app deleted, their domain put to use.
 */
import { describe, expect, test } from "bun:test";
import { addDomain } from "@test/support/accounts/tenants";
import { waitUntilBlocked, whileLocked } from "@test/support/servers/lock-waits";
import { startTestService } from "@test/support/service";
import type { AppProfile } from "@/contract/apps";
import type { BioPage } from "@/contract/links/bio-pages";
import type { Link } from "@/contract/links/links";

const service = await startTestService();
const { call, sql } = service;
const ada = await service.register();
const { token } = ada;
const home = `/api/v1/organizations/${ada.orgId}`;
const defaultUrl = "https://example.com/";
const send = <Body = Link>(method: string, path: string, body: object) =>
  call<Body & { details?: string[] }>(method, `${home}${path}`, { token, body });

describe("404 for an app profile that is deleted while a link is", () => {
  const deletedDuring = async <Started extends object>(waiting: number, during: (appProfileId: string) => Started) => {
    const { body: app } = await send<AppProfile>("POST", "/apps", { name: "Short-lived" });
    return whileLocked(sql, `delete from app_profiles where id = '${app._id}'`, async () => {
      const started = during(app._id);
      await waitUntilBlocked(sql, waiting);
      return started;
    });
  };
  const GONE = [404, ["appProfileId: there is no such app profile"]];

  test("created, and neither the link nor its history is stored", async () => {
    const started = await deletedDuring(2, (appProfileId) => ({
      one: send("POST", "/links", { defaultUrl, appProfileId, slug: "nameless", externalId: "nameless" }),
      many: send<{ created: Link[]; errors: object[] }>("POST", "/links/bulk", {
        links: [
          { defaultUrl, slug: "named" },
          { defaultUrl, appProfileId },
        ],
      }),
    }));
    const one = await started.one;
    expect([one.status, one.body.details]).toEqual(GONE);
    expect(await sql`select from links where slug = 'nameless'`).toHaveLength(0);
    expect(await sql`select from link_revisions where snapshot::text like '%nameless%'`).toHaveLength(0);
    const { created, errors } = (await started.many).body;
    expect([created.map(({ slug }) => slug), errors]).toEqual([
      ["named"],
      [{ index: 1, error: "There is no such app profile", details: GONE[1] }],
    ]);
  });

  test("changed, and the link stays as it was", async () => {
    const link = await service.createLink(ada, { defaultUrl });
    const started = await deletedDuring(1, (appProfileId) => ({
      change: send("PATCH", `/links/${link._id}`, { title: "New", appProfileId }),
    }));
    const { status, body } = await started.change;
    expect([status, body.details]).toEqual(GONE);
    const { body: after } = await call<Link>("GET", `${home}/links/${link._id}`, { token });
    expect([after.title, after.appProfileId]).toEqual([undefined, undefined]);
  });
});

test("a domain that starts to serve the dashboard refuses links and bio pages being created on its paths", async () => {
  const domainId = await addDomain(service, ada.orgId, { hostname: "go.ada.test" });
  const lock = `select from domains where id = '${domainId}' for update;
    update domains set dashboard = '{"enabled": true}' where id = '${domainId}'`;
  const { link, page, other } = await whileLocked(sql, lock, async () => {
    const started = {
      link: send("POST", "/links", { defaultUrl, domainId, slug: "app" }),
      page: send<BioPage>("POST", "/bio-pages", { domainId, slug: "API", title: "Ada" }),
      other: send("POST", "/links", { defaultUrl, domainId, slug: "apps" }),
    };
    await waitUntilBlocked(sql, 3);
    return started;
  });
  const replies = [await link, await page, await other];
  expect(replies.map(({ status, body }) => [status, body.details])).toEqual([
    [400, ["slug: this word is reserved on go.ada.test"]],
    [400, ["slug: this word is reserved on go.ada.test"]],
    [201, undefined],
  ]);
});

test("a link gets an address or an external id that becomes free while it is created", async () => {
  const domainId = await addDomain(service, ada.orgId, { hostname: "free.ada.test" });
  const links = [
    { slug: "on-own-domain", domainId },
    { slug: "on-shared-domain" },
    { slug: "with-an-id", externalId: "freed" },
  ];
  for (const { slug, externalId = null } of links) {
    const inTheWay = { defaultUrl, ...links.find((link) => link.slug === slug) };
    await service.createLink(ada, { ...inTheWay, ...(externalId && { slug: "another" }) });
    // Behind the statement that inserts nothing, and before the next that looks for what is in the way.
    await sql.unsafe(`
      create function free_address() returns trigger language plpgsql as $$ begin
        update links set deleted_at = now() where (slug = '${slug}' or external_id = '${externalId}') and org_id = '${ada.orgId}';
        return null; end $$;
      create trigger free_address after insert on links for each statement execute function free_address()`);
    const created = send("POST", "/links", inTheWay);
    const { status, body } = await created.finally(() => sql`drop function free_address cascade`);
    expect([status, body.slug]).toEqual([201, slug]);
  }
});
