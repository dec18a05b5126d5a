/** Links from before slugs were compared in NFKC form, converted by the migration. */
import { beforeAll, describe, expect, test } from "bun:test";
import { startTestService } from "@test/support/service";
import type { AuditLogPage } from "@/contract/accounts/audit-logs";
import type { LinkPreview } from "@/contract/links/link-preview";
import type { Link } from "@/contract/links/links";
import { foldName } from "@/core/names/fold";
import { slugKey } from "@/core/names/slug";

const MIGRATION = "drizzle/migrations/0009_slug_keys.sql";
const LOOK_ALIKES = "drizzle/migrations/0014_look_alikes.sql";
const service = await startTestService();
const { sql } = service;
const ada = await service.register();
const bob = await service.register();
const eve = await service.register();

const migrate = async () => sql.unsafe((await Bun.file(MIGRATION).text()).replaceAll("--> statement-breakpoint", ""));

/** Creates a link as it was stored before the migration. */
async function formerLink(slug: string, account = ada, destination = slug): Promise<Link> {
  const link = await service.createLink(account, { defaultUrl: `https://shop.example.com/${encodeURI(destination)}` });
  await sql`update links set slug = ${slug}, slug_key = ${foldName(slug)} where id = ${link._id}`;
  return link;
}

const keyOf = async ({ _id }: Link) => (await sql`select slug_key from links where id = ${_id}`)[0]?.slug_key;
const destinationAt = async (slug: string) =>
  (await service.visit(`/${encodeURIComponent(slug)}`)).headers.get("location");

test("the migration computes the same key for every letter as the service", async () => {
  const { _id } = await service.createLink(ada, { defaultUrl: "https://shop.example.com/" });
  const letters: string[] = [];
  for (let point = 0x80; point < 0x110000; point++) {
    const letter = point >= 0xd800 && point < 0xe000 ? "" : String.fromCodePoint(point);
    if (/[\p{L}\p{M}\p{Nd}]/u.test(letter) && foldName(letter) !== slugKey(letter)) letters.push(letter);
  }
  expect(letters.length).toBeGreaterThan(2_000);
  const slugs = letters.map((letter) => `a${letter}b`);
  const rows = JSON.stringify(slugs.map((slug, index) => ({ slug, key: foldName(slug), prefix: `p${index}` })));
  await sql`
    insert into links (id, org_id, domain_id, slug, slug_key, path_prefix, prefix_key, default_url)
    select gen_random_uuid(), org_id, domain_id, r.slug, r.key, r.prefix, r.prefix, default_url
    from links, json_to_recordset(${rows}::text::json) as r (slug text, key text, prefix text) where id = ${_id}`;
  await migrate();
  const kept = await sql<{ slug: string; slug_key: string }[]>`
    select slug, slug_key from links where path_prefix ~ '^p[0-9]+$' and unicode_assigned(slug)`;
  // Unicode grows, and Postgres may be one version behind.
  expect(kept.length).toBeGreaterThan(slugs.length - 50);
  expect(kept.filter((row) => row.slug_key !== slugKey(row.slug))).toEqual([]);
});

test("a link is still served, and equivalent slugs now count as taken", async () => {
  const link = await formerLink("ｓｐｒｉｎｇ");
  expect(await destinationAt("ｓｐｒｉｎｇ")).toBe(link.defaultUrl);
  await migrate();
  expect(await keyOf(link)).toBe("spring");
  expect(await destinationAt("ｓｐｒｉｎｇ")).toBe(link.defaultUrl);
  const { status } = await service.call("POST", `/api/v1/organizations/${bob.orgId}/links`, {
    token: bob.token,
    body: { defaultUrl: "https://evil.example/", slug: "spring" },
  });
  expect(status).toBe(409);
});

test("both links with equivalent slugs are still served, and the younger one's audit log has an entry about it", async () => {
  const older = await service.createLink(ada, { defaultUrl: "https://shop.example.com/older", slug: "summer" });
  const younger = await formerLink("ｓｕｍｍｅｒ", bob, "younger");
  await migrate();
  expect([await keyOf(older), await keyOf(younger)]).toEqual(["summer", "ｓｕｍｍｅｒ"]);
  expect(await destinationAt("summer")).toBe(older.defaultUrl);
  expect(await destinationAt("ｓｕｍｍｅｒ")).toBe(younger.defaultUrl);
  expect(await destinationAt("ＳＵＭＭＥＲ")).toBe(younger.defaultUrl);
  expect(await destinationAt("𝐬𝐮𝐦𝐦𝐞𝐫")).toBe(older.defaultUrl);
  const query = `domain=${service.host}&slug=${encodeURIComponent("ｓｕｍｍｅｒ")}`;
  const { body } = await service.call("GET", `/api/v1/resolve?${query}`);
  expect(body.destinationUrl).toBe(younger.defaultUrl);
  const logs = await service.call<AuditLogPage>(
    "GET",
    `/api/v1/organizations/${bob.orgId}/audit-logs?action=link.slug_collision`,
    { token: bob.token },
  );
  expect(logs.body.auditLogs).toMatchObject([
    { resourceType: "link", resourceId: younger._id, actor: { type: "system" }, changes: { slug: {} } },
  ]);
});

test.each([
  ["short URL", { shortUrl: `https://${service.host}/ｍｏｎｓｏｏｎ` }],
  ["slug on its domain", { domain: service.host, slug: "ｍｏｎｓｏｏｎ" }],
  ["slug", { slug: "ｍｏｎｓｏｏｎ" }],
])("a preview by the %s of another organization's younger link never shows the caller's older one", async (_, body) => {
  const home = `/api/v1/organizations/${ada.orgId}`;
  const own = { defaultUrl: "https://shop.example.com/older", slug: "monsoon" };
  await service.call("POST", `${home}/links`, { token: ada.token, body: own });
  const theirs = await formerLink("ｍｏｎｓｏｏｎ", bob, "younger");
  await migrate();
  expect(await destinationAt("ｍｏｎｓｏｏｎ")).toBe(theirs.defaultUrl);
  expect((await service.call("POST", `${home}/links/preview`, { token: ada.token, body })).status).toBe(404);
  const older = await service.call<LinkPreview>("POST", `${home}/links/preview`, {
    token: ada.token,
    body: { slug: "monsoon" },
  });
  expect([older.status, older.body.link.defaultUrl]).toEqual([200, own.defaultUrl]);
  await service.call("DELETE", `/api/v1/organizations/${bob.orgId}/links/${theirs._id}`, { token: bob.token });
});

describe("the younger of two links with equivalent slugs", () => {
  const home = `/api/v1/organizations/${eve.orgId}`;
  const { token } = eve;
  let older: Link;
  let younger: Link;
  beforeAll(async () => {
    older = await service.createLink(eve, { defaultUrl: "https://shop.example.com/older", slug: "winter" });
    younger = await formerLink("ｗｉｎｔｅｒ", eve, "younger");
    await migrate();
  });

  test.each([
    ["its short URL", { shortUrl: `https://${service.host}/ｗｉｎｔｅｒ` }],
    ["its slug on its domain", { domain: service.host, slug: "ｗｉｎｔｅｒ" }],
    ["its slug", { slug: "ｗｉｎｔｅｒ" }],
    ["its slug in capitals", { slug: "ＷＩＮＴＥＲ" }],
  ])("is found for a preview by %s", async (_, body) => {
    const reply = await service.call<LinkPreview>("POST", `${home}/links/preview`, { token, body });
    expect([reply.status, reply.body.link._id]).toEqual([200, younger._id]);
  });

  test.each(["winter", "WINTER", "𝐰𝐢𝐧𝐭𝐞𝐫"])("does not affect the older one's slug (%s)", async (slug) => {
    const { body } = await service.call<LinkPreview>("POST", `${home}/links/preview`, { token, body: { slug } });
    expect(body.link._id).toBe(older._id);
  });

  test("is shown on a bio page together with the older one", async () => {
    const items = [older, younger].map(({ _id }, index) => ({ title: `Item ${index}`, linkId: _id }));
    const page = { title: "Both", slug: "both-winters", links: items };
    expect((await service.call("POST", `${home}/bio-pages`, { token, body: page })).status).toBe(200);
    // The first visit waits for both links, the second finds them in the cache.
    for (let look = 0; look < 2; look++) {
      const html = await (await service.visit("/both-winters")).text();
      expect(html).toContain(`${service.host}/winter"`);
      expect(html).toContain(`${service.host}/${encodeURIComponent("ｗｉｎｔｅｒ")}"`);
    }
  });
});

test("stored look-alikes on the shared domain are all still served, and new ones are refused", async () => {
  const older = await service.createLink(ada, { defaultUrl: "https://shop.example.com/1", slug: "autumn-sale" });
  const younger = await service.createLink(bob, { defaultUrl: "https://shop.example.com/2" });
  await sql`update links set slug = 'autumn-sa1e', slug_key = 'autumn-sa1e' where id = ${younger._id}`;
  await sql`update links set look_alike_key = null`;
  const [, fill = ""] = (await Bun.file(LOOK_ALIKES).text()).split("--> statement-breakpoint");
  await sql.unsafe(fill);
  const kept = await sql`
    select id, look_alike_key from links where id in (${older._id}, ${younger._id}) order by created_at`;
  expect([...kept]).toEqual([
    { id: older._id, look_alike_key: "auturnn-sale" },
    { id: younger._id, look_alike_key: null },
  ]);
  expect([await destinationAt("autumn-sale"), await destinationAt("autumn-sa1e")]).toEqual([
    older.defaultUrl,
    younger.defaultUrl,
  ]);
  const { status } = await service.call("POST", `/api/v1/organizations/${bob.orgId}/links`, {
    token: bob.token,
    body: { defaultUrl: "https://evil.example/", slug: "auturnn-sale" },
  });
  expect(status).toBe(409);
  const [told] =
    await sql`select org_id from audit_logs where resource_id = ${younger._id} and action = 'link.slug_collision'`;
  expect(told?.org_id).toBe(bob.orgId);
});
