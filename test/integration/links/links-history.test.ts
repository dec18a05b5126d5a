/** What a change of a link leaves: revisions, audit entries and, after a deletion, a free slug. */
import { describe, expect, test } from "bun:test";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { expectFailure } from "@test/support/failure";
import { startTestService } from "@test/support/service";
import type { Link } from "@/contract/links/links";
import type { RevisionPage } from "@/contract/links/revisions";

const service = await startTestService();
const { call, sql } = service;
const ada = await service.register();
const defaultUrl = "https://example.com/";
const links = `/api/v1/organizations/${ada.orgId}/links`;

const patch = (id: string, body: unknown) => call<Link>("PATCH", `${links}/${id}`, { token: ada.token, body });
const remove = (id: string) => call("DELETE", `${links}/${id}`, { token: ada.token });
const revisionsOf = (id: string) =>
  sql`select version, changed_by, changes, snapshot from link_revisions where link_id = ${id} order by version`;
/** Returns the revisions as the API shows them, oldest first. */
const toldOf = async (id: string) =>
  (await call<RevisionPage>("GET", `${links}/${id}/revisions`, { token: ada.token })).body.revisions.toReversed();
const auditOf = (id: string) =>
  sql`select action, resource_type, actor_type, actor_id, actor_email, ip, user_agent, changes from audit_logs
    where org_id = ${ada.orgId} and resource_id = ${id} order by id`;
const userId = async () => String((await sql`select id from users where email = ${ada.email}`)[0]?.id);

describe("a revision", () => {
  test("is written for the creation and each change, with the user, the changes and a snapshot", async () => {
    const { _id } = await service.createLink(ada, { defaultUrl, title: "One", tags: ["a"] });
    await patch(_id, { title: "Two", isActive: false });
    await patch(_id, { title: null });
    const revisions = await toldOf(_id);
    expect(revisions.map(({ version }) => version)).toEqual([1, 2, 3]);
    expect(new Set(revisions.map(({ changedBy }) => changedBy))).toEqual(new Set([await userId()]));
    const [created, changed, cleared] = revisions;
    expect(created?.changes).toContainEqual({ field: "title", from: null, to: "One" });
    expect(created?.changes).toContainEqual({ field: "defaultUrl", from: null, to: defaultUrl });
    expect(changed?.changes).toEqual([
      { field: "title", from: "One", to: "Two" },
      { field: "isActive", from: true, to: false },
    ]);
    expect(cleared?.changes).toEqual([{ field: "title", from: "Two", to: null }]);
    expect(changed?.snapshot).toMatchObject({ title: "Two", isActive: false, tags: ["a"], defaultUrl });
    expect(cleared?.snapshot).not.toHaveProperty("title");
  });

  test("names the API key that created the link", async () => {
    const keys = `/api/v1/organizations/${ada.orgId}/api-keys`;
    const made = await call<{ _id: string; key: string }>("POST", keys, {
      token: ada.token,
      body: { name: "server", scopes: ["links:write"] },
    });
    const { body } = await call<Link>("POST", "/api/v1/links", { apiKey: made.body.key, body: { defaultUrl } });
    const [revision] = await revisionsOf(body._id);
    const [entry] = await auditOf(body._id);
    expect(revision?.changed_by).toBe(made.body._id);
    expect([entry?.actor_type, entry?.actor_id, entry?.actor_email]).toEqual(["apiKey", made.body._id, null]);
  });
});

describe("an audit entry", () => {
  test("is written for creation, change and deletion, with the user and their address", async () => {
    const headers = { "user-agent": "history test" };
    const created = await call<Link>("POST", links, { token: ada.token, headers, body: { defaultUrl } });
    const { _id } = created.body;
    await patch(_id, { tags: ["x"] });
    await remove(_id);
    const entries = await auditOf(_id);
    expect(entries.map(({ action, resource_type }) => [action, resource_type])).toEqual([
      ["link.create", "link"],
      ["link.update", "link"],
      ["link.delete", "link"],
    ]);
    const [first, second] = entries;
    expect([first?.actor_type, first?.actor_id, first?.actor_email]).toEqual(["user", await userId(), ada.email]);
    expect([first?.ip, first?.user_agent]).toEqual(["127.0.0.1", "history test"]);
    expect(second?.changes).toEqual({ tags: { from: [], to: ["x"] } });
  });

  test("is not written for requests that fail or change nothing", async () => {
    const count = async () => Number((await sql`select count(*)::int as entries from audit_logs`)[0]?.entries);
    const { _id } = await service.createLink(ada, { defaultUrl, slug: "once" });
    const before = await count();
    await call("POST", links, { token: ada.token, body: { defaultUrl, slug: "once" } });
    await patch(_id, { defaultUrl: "x" });
    await patch(_id, {});
    await remove(Bun.randomUUIDv7());
    expect(await count()).toBe(before);
  });
});

describe("a deletion", () => {
  test("returns 404 for an unknown or already deleted link, and for an invalid id", async () => {
    const { _id } = await service.createLink(ada, { defaultUrl });
    expect((await remove(_id)).body).toEqual({ _id, deleted: true });
    for (const id of [_id, Bun.randomUUIDv7(), "x"]) expectFailure(await remove(id), 404);
  });

  test("stops serving the link immediately and removes it everywhere", async () => {
    const link = await service.createLink(ada, { defaultUrl, slug: "short-lived" });
    const apiKey = await service.createApiKey(ada, ["links:read"]);
    expect((await service.visit(link)).status).toBe(302);
    await remove(link._id);
    expect((await service.visit(link)).status).toBe(404);
    expectFailure(await call("GET", `${links}/${link._id}`, { token: ada.token }), 404);
    expectFailure(await call("GET", `/api/v1/links/${link._id}`, { apiKey }), 404);
    expectFailure(await patch(link._id, { title: "a" }), 404);
    expectFailure(await call("POST", `${links}/preview`, { token: ada.token, body: { slug: link.slug } }), 404);
    expectFailure(await call("GET", `/api/v1/resolve?domain=${service.host}&slug=${link.slug}`), 404);
    const listed = await call<{ total: number }>("GET", `${links}?search=short-lived`, { token: ada.token });
    expect(listed.body.total).toBe(0);
  });

  test("frees the slug for any organization, and the new link is served", async () => {
    const bob = await service.register();
    for (let round = 1; round <= 5; round++) {
      const account = round % 2 ? ada : bob;
      const link = await service.createLink(account, { defaultUrl: `https://example.com/${round}`, slug: "Again" });
      expect((await service.visit("/again")).headers.get("location")).toBe(`https://example.com/${round}`);
      await call("DELETE", `/api/v1/organizations/${account.orgId}/links/${link._id}`, { token: account.token });
      expect((await service.visit("/again")).status).toBe(404);
    }
  });

  test("succeeds for exactly one of several simultaneous requests", async () => {
    const { _id } = await service.createLink(ada, { defaultUrl });
    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => remove(_id)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404, 404]);
    expect((await auditOf(_id)).map(({ action }) => action)).toEqual(["link.create", "link.delete"]);
  });

  test("keeps the link's history", async () => {
    const { _id } = await service.createLink(ada, { defaultUrl });
    await remove(_id);
    expect((await revisionsOf(_id)).length).toBeGreaterThan(0);
  });
});

test("a link's password appears in no response, log or table", async () => {
  const [first, second] = ["hunter-and-gatherer", "gatherer-and-hunter"];
  const link = await service.createLink(ada, { defaultUrl, slug: "secret", password: first });
  const answers: unknown[] = [link];
  answers.push((await patch(link._id, { password: second })).body);
  await service.visit(link, { "x-link-password": second });
  await service.visit(`/secret?pw=${second}`);
  await service.visit(`/secret?pw=${first}`);
  answers.push((await call("GET", links, { token: ada.token })).body);
  const preview = { slug: "secret", password: second };
  answers.push((await call("POST", `${links}/preview`, { token: ada.token, body: preview })).body);
  await call("GET", `/api/v1/resolve?domain=${service.host}&slug=secret&password=${second}`);
  answers.push((await patch(link._id, { password: null })).body);
  await waitUntilDrained(service.service);

  const revisions = await toldOf(link._id);
  expect(revisions.map(({ changes }) => changes.filter(({ field }) => /password/i.test(field)))).toEqual([
    [{ field: "passwordProtected", from: null, to: true }],
    [{ field: "password", from: "set", to: "replaced" }],
    [{ field: "passwordProtected", from: true, to: false }],
  ]);
  const tables = await sql<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`;
  const contents = await Promise.all(
    tables.map(async ({ name }) =>
      String((await sql`select coalesce(string_agg(t::text, ''), '') as text from ${sql(name)} t`)[0]?.text),
    ),
  );
  const places = { answers: JSON.stringify(answers), log: service.logged(), tables: contents.join() };
  for (const [place, text] of Object.entries(places)) {
    expect([place, text.includes(first) || text.includes(second)]).toEqual([place, false]);
  }
  expect(places.answers + JSON.stringify(revisions)).not.toContain("argon2");
  expect(JSON.stringify(await auditOf(link._id))).not.toContain("argon2");
});
