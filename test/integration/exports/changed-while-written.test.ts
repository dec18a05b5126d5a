/** An archive of an organization that is changed while the archive is being written, and restored elsewhere. */
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { importArchive } from "@test/support/accounts/archives";
import { addDomain } from "@test/support/accounts/tenants";
import { makeFolderOfFile } from "@test/support/servers/folder-of-file";
import { startTestService } from "@test/support/service";
import { until } from "@test/support/until";
import type { AppProfile } from "@/contract/apps";
import type { Domain } from "@/contract/domains";
import type { BioPage } from "@/contract/links/bio-pages";
import type { Link } from "@/contract/links/links";
import { writeArchive } from "@/platform/archive/write";
import { openDatabase } from "@/platform/db/client";

const [here, there] = [await startTestService(), await startTestService()];
const database = openDatabase(there.databaseUrl, { pool: "tool" });
afterAll(() => database.close());

/**
 * Writes an archive, with a change after the first rows of links, and restores it. Returns the token of an owner who
 * can see it there.
 */
async function restoredWhile(orgId: string, change: () => Promise<void>): Promise<string> {
  const parts: Uint8Array[] = [];
  let isChanged = false;
  for await (const { bytes, name } of writeArchive({ sql: here.sql, orgId, startedAt: Date.now() })) {
    parts.push(bytes);
    if (name !== "tables/links" || isChanged) continue;
    isChanged = true;
    await change();
  }
  const file = join(await makeFolderOfFile(), "archive.tar.gz");
  await Bun.write(file, parts);
  const restored = await importArchive(database, file);
  expect(restored).toMatchObject({ ok: true });
  expect(restored.message).not.toContain("Not imported");
  const owner = await there.register();
  await there.sql`insert into memberships (id, org_id, user_id, role)
    select ${Bun.randomUUIDv7()}, ${orgId}, id, 'owner' from users where email = ${owner.email}`;
  return owner.token;
}

test("a link that is changed between its row and its history can be changed where it is restored", async () => {
  const account = await here.register();
  const { orgId, token } = account;
  const { _id, shortUrl } = await here.createLink(account, { slug: "mid", defaultUrl: "https://example.com/1" });
  const path = `/api/v1/organizations/${orgId}/links/${_id}`;
  const change = (defaultUrl: string) => here.call("PATCH", path, { token, body: { defaultUrl } });
  expect((await change("https://example.com/2")).status).toBe(200);

  const owner = await restoredWhile(orgId, async () => {
    expect((await change("https://example.com/3")).status).toBe(200);
  });
  const asOwner = <Body>(method: string, under = "", body?: object) =>
    there.call<Body>(method, `${path}${under}`, { token: owner, body });
  expect((await asOwner<Link>("GET")).body).toMatchObject({ defaultUrl: "https://example.com/2" });
  const changed = await asOwner<Link>("PATCH", "", { defaultUrl: "https://example.com/4" });
  expect([changed.status, changed.body.defaultUrl]).toEqual([200, "https://example.com/4"]);
  const { body } = await asOwner<{ revisions: { changes: unknown[] }[] }>("GET", "/revisions");
  const to = (from: string, url: string) => [
    expect.objectContaining({ from: `https://example.com/${from}`, to: `https://example.com/${url}` }),
  ];
  expect(body.revisions.slice(0, 2).map(({ changes }) => changes)).toEqual([to("2", "4"), to("1", "2")]);
  expect((await there.visit(new URL(shortUrl).pathname)).headers.get("location")).toBe("https://example.com/4");
});

test("a number that a rule got meanwhile goes to no other rule where the link is restored", async () => {
  const account = await here.register();
  const { orgId, token } = account;
  const rule = (name: string) => ({
    destinationUrl: `https://example.com/${name}`,
    conditions: { query: [{ name: "to", values: [name] }] },
  });
  const defaultUrl = "https://example.com/";
  const { _id } = await here.createLink(account, { slug: "ruled", defaultUrl, rules: [rule("a")] });
  const path = `/api/v1/organizations/${orgId}/links/${_id}`;
  const owner = await restoredWhile(orgId, async () => {
    for (const names of [["a", "b"], ["a", "b", "c"], ["a"]])
      expect((await here.call("PATCH", path, { token, body: { rules: names.map(rule) } })).status).toBe(200);
  });
  const rules = [rule("a"), rule("d")];
  const changed = await there.call<Link>("PATCH", path, { token: owner, body: { rules } });
  expect(changed.body.rules.map(({ number }) => number)).toEqual([undefined, 3]);
});

test("a link that took the address, the former id or the external id of an earlier one has it where it is restored", async () => {
  const account = await here.register();
  const { orgId, token } = account;
  const links = `/api/v1/organizations/${orgId}/links`;
  const create = (name: string, input: object) =>
    here.createLink(account, { defaultUrl: `https://example.com/${name}`, ...input });
  const former = await create("former", { slug: "moved", externalId: "spring" });
  const owner = await create("owner", { slug: "owner", externalId: "summer" });
  const imported = await create("imported", { slug: "imported" });
  const fromElsewhere = (id: string) =>
    here.sql`update links set imported_source = 'bitly', imported_id = 'acme.ly/autumn' where id = ${id}`;
  await fromElsewhere(imported._id);
  // The first part of an archive has a hundred links: those that come later are in the next.
  const others = Array.from({ length: 100 }, (_, index) => ({ defaultUrl: `https://example.com/others/${index}` }));
  expect((await here.call("POST", `${links}/bulk`, { token, body: { links: others } })).status).toBe(200);

  const made: Link[] = [];
  const restored = await restoredWhile(orgId, async () => {
    for (const { _id } of [former, imported])
      expect((await here.call("DELETE", `${links}/${_id}`, { token })).status).toBe(200);
    const without = await here.call("PATCH", `${links}/${owner._id}`, { token, body: { externalId: null } });
    expect(without.status).toBe(200);
    made.push(await create("later", { slug: "moved", externalId: "spring" }));
    made.push(await create("new-owner", { slug: "new-owner", externalId: "summer" }));
    made.push(await create("again", { slug: "again" }));
    await fromElsewhere(made.at(-1)?._id ?? "");
  });

  const read = async (id: string) => (await there.call<Link>("GET", `${links}/${id}`, { token: restored })).body;
  const wanted = [{ externalId: "spring" }, { externalId: "summer" }, { importedFrom: { id: "acme.ly/autumn" } }];
  for (const [place, { _id, slug, defaultUrl }] of made.entries())
    expect(await read(_id)).toMatchObject({ slug, defaultUrl, ...wanted[place] });
  expect((await read(owner._id)).externalId).toBeUndefined();
  const statuses = [former, imported, owner].map(
    async ({ _id }) => (await there.call("GET", `${links}/${_id}`, { token: restored })).status,
  );
  expect(await Promise.all(statuses)).toEqual([404, 404, 200]);
  expect((await there.visit("/moved")).headers.get("location")).toBe("https://example.com/later");
});

test("a domain that was deleted and added again is restored as it is now, with its links", async () => {
  const account = await here.register();
  const { orgId, token } = account;
  const home = `/api/v1/organizations/${orgId}`;
  const hostname = `go.${orgId}.test`;
  const former = await addDomain(here, orgId, { hostname });
  const lost = await here.createLink(account, {
    domainId: former,
    slug: "spring",
    defaultUrl: "https://example.com/1",
  });
  const others = Array.from({ length: 100 }, (_, index) => ({ defaultUrl: `https://example.com/others/${index}` }));
  expect((await here.call("POST", `${home}/links/bulk`, { token, body: { links: others } })).status).toBe(200);

  const made: Link[] = [];
  const owner = await restoredWhile(orgId, async () => {
    expect((await here.call("DELETE", `${home}/links/${lost._id}`, { token })).status).toBe(200);
    expect((await here.call("DELETE", `${home}/domains/${former}`, { token })).status).toBe(200);
    const domainId = await addDomain(here, orgId, { hostname });
    made.push(await here.createLink(account, { domainId, slug: "spring", defaultUrl: "https://example.com/2" }));
  });

  const domains = await there.call<Domain[]>("GET", `${home}/domains`, { token: owner });
  expect(domains.body).toMatchObject([{ hostname, isVerified: true }]);
  expect(domains.body.map(({ _id }) => _id)).not.toContain(former);
  const visit = () => there.visit("/spring", { host: hostname });
  await until(async () => (await visit()).status === 302);
  expect((await visit()).headers.get("location")).toBe("https://example.com/2");
  const read = (id = "") => there.call<Link>("GET", `${home}/links/${id}`, { token: owner });
  expect((await read(made[0]?._id)).body).toMatchObject({ shortUrl: made[0]?.shortUrl });
  expect((await read(lost._id)).status).toBe(404);
});

test.each([
  ["before the archive was begun", false],
  ["while the archive is written", true],
])(
  "a domain that was deleted %s and got its former id back is restored as it is now, with its links",
  async (_, isLate) => {
    const account = await here.register();
    const { orgId, token } = account;
    const home = `/api/v1/organizations/${orgId}`;
    const hostname = `again.${orgId}.test`;
    const former = await addDomain(here, orgId, { hostname });
    const lost = await here.createLink(account, {
      domainId: former,
      slug: "spring",
      defaultUrl: "https://example.com/1",
    });
    const others = Array.from({ length: 100 }, (_, index) => ({ defaultUrl: `https://example.com/others/${index}` }));
    expect((await here.call("POST", `${home}/links/bulk`, { token, body: { links: others } })).status).toBe(200);
    await addDomain(here, orgId, { hostname: `younger.${orgId}.test` });
    const remove = async () => {
      expect((await here.call("DELETE", `${home}/links/${lost._id}`, { token })).status).toBe(200);
      expect((await here.call("DELETE", `${home}/domains/${former}`, { token })).status).toBe(200);
    };
    if (!isLate) await remove();

    const made: Link[] = [];
    const owner = await restoredWhile(orgId, async () => {
      if (isLate) await remove();
      const { body } = await here.call<Domain>("POST", `${home}/domains`, { token, body: { hostname } });
      expect(body._id).toBe(former);
      await here.sql`update domains set is_verified = true, verification_token = 'new' where id = ${former}`;
      made.push(
        await here.createLink(account, { domainId: former, slug: "spring", defaultUrl: "https://example.com/2" }),
      );
    });

    const [restored] = await there.sql`select verification_token as token from domains where id = ${former}`;
    expect(restored?.token).toBe("new");
    const visit = () => there.visit("/spring", { host: hostname });
    await until(async () => (await visit()).status === 302);
    expect((await visit()).headers.get("location")).toBe("https://example.com/2");
    const read = (id = "") => there.call<Link>("GET", `${home}/links/${id}`, { token: owner });
    expect((await read(made[0]?._id)).body).toMatchObject({ shortUrl: made[0]?.shortUrl });
    expect((await read(lost._id)).status).toBe(404);
  },
);

test("a bio page whose items are changed between its row and its content leads to the items that it shows", async () => {
  const account = await here.register();
  const { orgId, token } = account;
  const home = `/api/v1/organizations/${orgId}`;
  const asked = (method: string, under: string, names: string[]) =>
    here.call<BioPage>(method, `${home}/bio-pages${under}`, {
      token,
      body: {
        slug: "page",
        title: "Acme",
        links: names.map((title) => ({ title, url: `https://example.com/${title}` })),
      },
    });
  const { body: page } = await asked("POST", "", ["first"]);
  const owner = await restoredWhile(orgId, async () => {
    expect((await asked("PATCH", `/${page._id}`, ["second", "third"])).status).toBe(200);
  });
  const restored = await there.call<BioPage>("GET", `${home}/bio-pages/${page._id}`, { token: owner });
  const follow = async ({ key }: BioPage["links"][number]) =>
    (await there.visit(`/page?item=${key}`)).headers.get("location");
  expect(restored.body.links.map(({ title }) => title)).toEqual(["second", "third"]);
  expect(await Promise.all(restored.body.links.map(follow))).toEqual(
    ["second", "third"].map((name) => `https://example.com/${name}`),
  );
});

test("an app that is added meanwhile is restored with the links that name it", async () => {
  const account = await here.register();
  const { orgId, token } = account;
  const home = `/api/v1/organizations/${orgId}`;
  const others = Array.from({ length: 100 }, (_, index) => ({ defaultUrl: `https://example.com/others/${index}` }));
  expect((await here.call("POST", `${home}/links/bulk`, { token, body: { links: others } })).status).toBe(200);
  const made: Link[] = [];
  const owner = await restoredWhile(orgId, async () => {
    const input = { name: "Shop", ios: { appStoreId: "123456789", scheme: "acme" } };
    const { status, body } = await here.call<AppProfile>("POST", `${home}/apps`, { token, body: input });
    expect(status).toBe(200);
    made.push(await here.createLink(account, { appProfileId: body._id, defaultUrl: "https://example.com/" }));
  });
  const { appProfileId = "" } = made[0] ?? {};
  const { body } = await there.call<{ apps: AppProfile[] }>("GET", `${home}/apps`, { token: owner });
  expect(body.apps).toMatchObject([{ _id: appProfileId, name: "Shop", ios: { scheme: "acme" } }]);
  const link = await there.call<Link>("GET", `${home}/links/${made[0]?._id}`, { token: owner });
  expect(link.body).toMatchObject({ appProfileId });
});
