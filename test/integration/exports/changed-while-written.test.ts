/** An archive of an organization that is changed while the archive is being written, and restored elsewhere. */
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { makeQuickFolder } from "@test/support/servers/quick-folder";
import { startTestService } from "@test/support/service";
import { importOrganization } from "@/admin/import-organization";
import type { Link } from "@/contract/links/links";
import { writeArchive } from "@/platform/archive/write";
import { openDatabase } from "@/platform/db/client";

const [here, there] = [await startTestService(), await startTestService()];
const database = openDatabase(there.databaseUrl, { pool: "tool" });
afterAll(() => database.close());

test("a link that is changed between its row and its history can be changed where it is restored", async () => {
  const account = await here.register();
  const { orgId, token } = account;
  const { _id, shortUrl } = await here.createLink(account, { slug: "mid", defaultUrl: "https://example.com/1" });
  const path = `/api/v1/organizations/${orgId}/links/${_id}`;
  const change = (defaultUrl: string) => here.call("PATCH", path, { token, body: { defaultUrl } });
  expect((await change("https://example.com/2")).status).toBe(200);

  const parts: Uint8Array[] = [];
  for await (const { bytes, name } of writeArchive({ sql: here.sql, orgId, startedAt: Date.now() })) {
    parts.push(bytes);
    if (name === "tables/links") expect((await change("https://example.com/3")).status).toBe(200);
  }
  const file = join(await makeQuickFolder(), "archive.tar.gz");
  await Bun.write(file, parts);
  const restored = await importOrganization(database, file);
  expect(restored).toMatchObject({ ok: true });
  expect(restored.message).not.toContain("Not imported");

  const owner = await there.register();
  await there.sql`insert into memberships (id, org_id, user_id, role)
    select ${Bun.randomUUIDv7()}, ${orgId}, id, 'owner' from users where email = ${owner.email}`;
  const asOwner = <Body>(method: string, under = "", body?: object) =>
    there.call<Body>(method, `${path}${under}`, { token: owner.token, body });
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
