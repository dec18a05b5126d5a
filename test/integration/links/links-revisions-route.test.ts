/** Reading a link's history; `links-history.test.ts` tests what is written into it. */
import { describe, expect, test } from "bun:test";
import { addMember } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import { startTestService } from "@test/support/service";
import type { Link } from "@/contract/links/links";
import type { RevisionPage } from "@/contract/links/revisions";

const service = await startTestService();
const { call, sql } = service;
const ada = await service.register();
const eve = await service.register();
const { token } = ada;
const links = `/api/v1/organizations/${ada.orgId}/links`;
const defaultUrl = "https://example.com/";

const historyOf = (id: string, query = "", by = token) =>
  call<RevisionPage & Record<string, unknown>>("GET", `${links}/${id}/revisions${query}`, { token: by });
const change = (id: string, body: unknown) => call<Link>("PATCH", `${links}/${id}`, { token, body });

describe("404", () => {
  test("for a link that is unknown, deleted or another organization's, and for an invalid id", async () => {
    const deleted = await service.createLink(ada, { defaultUrl });
    await call("DELETE", `${links}/${deleted._id}`, { token });
    const foreign = await service.createLink(eve, { defaultUrl });
    for (const id of [Bun.randomUUIDv7(), foreign._id, deleted._id, "x"]) expectFailure(await historyOf(id), 404);
  });

  test("for a user who is not a member", async () => {
    const { _id } = await service.createLink(ada, { defaultUrl });
    expectFailure(await historyOf(_id, "", eve.token), 404);
  });
});

describe("400", () => {
  test.each([["page"], ["limit"]])("names %s if it is out of range", async (name) => {
    const { _id } = await service.createLink(ada, { defaultUrl });
    expectFailure(await historyOf(_id, `?${name}=0`), 400, [name]);
  });
});

describe("200", () => {
  test("lists revisions newest first, with the user, the time, the changes and the link after them", async () => {
    const { _id } = await service.createLink(ada, { defaultUrl, title: "One", slug: "told" });
    const { body: changed } = await change(_id, { title: "Two", tags: ["a"] });
    await change(_id, {});
    await change(_id, { title: null });
    const [user] = await sql`select id from users where email = ${ada.email}`;
    const { status, body } = await historyOf(_id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ page: 1, limit: 25, total: 3, totalPages: 1 });
    expect(body.revisions.map(({ version }) => version)).toEqual([3, 2, 1]);
    const [cleared, second, first] = body.revisions;
    expect(cleared?.changes).toEqual([{ field: "title", from: "Two", to: null }]);
    expect(cleared?.snapshot).not.toHaveProperty("title");
    expect(second).toEqual({
      _id: expect.any(String),
      version: 2,
      changedBy: String(user?.id),
      changedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      changes: [
        { field: "title", from: "One", to: "Two" },
        { field: "tags", from: [], to: ["a"] },
      ],
      snapshot: expect.objectContaining({ slug: "told", title: "Two", tags: changed.tags, defaultUrl }),
    });
    expect(first?.changes).toContainEqual({ field: "slug", from: null, to: "told" });
  });

  test("lists each field of a created link, in the order of the fields of links", async () => {
    const made = { title: "One", slug: "made", tags: ["a", "b"], rules: [], utm: { source: "mail" }, maxClicks: 5 };
    const { _id, domainId } = await service.createLink(ada, { ...made, defaultUrl, expiresAt: "2031-01-01T00:00:00Z" });
    const { body } = await historyOf(_id);
    const { slug, title, rules, utm, maxClicks, tags } = made;
    const fields = {
      ...{ slug, domainId, title, isArchived: false, defaultUrl, rules, splitTargets: [], utm, retargetingPixels: [] },
      ...{ expiresAt: "2031-01-01T00:00:00.000Z", maxClicks, tags, isActive: true, passwordProtected: false },
    };
    expect(body.revisions.map(({ changes }) => changes)).toEqual([
      Object.entries(fields).map(([field, to]) => ({ field, from: null, to })),
    ]);
  });

  test("returns the changes of a creation as stored, if they were stored beside the snapshot", async () => {
    const { _id } = await service.createLink(ada, { defaultUrl, title: "One" });
    const changes = [{ field: "title", from: null, to: "One" }];
    await sql`update link_revisions set changes = ${sql.json(changes)} where link_id = ${_id}`;
    expect((await historyOf(_id)).body.revisions[0]?.changes).toEqual(changes);
  });

  test("a version of a former release, which had no archive, can be restored", async () => {
    const { _id } = await service.createLink(ada, { defaultUrl, title: "One" });
    await change(_id, { title: "Two", isArchived: true });
    await sql`update link_revisions set snapshot = snapshot - 'isArchived' where link_id = ${_id} and version = 1`;
    const snapshot = (await historyOf(_id)).body.revisions.at(-1)?.snapshot ?? {};
    // As clients do: what a version lacks is cleared.
    const { status, body } = await change(_id, { title: snapshot.title, isArchived: snapshot.isArchived ?? null });
    expect([status, body.title, body.isArchived]).toEqual([200, "One", false]);
  });

  test("returns pages", async () => {
    const { _id } = await service.createLink(ada, { defaultUrl });
    for (const title of ["a", "b", "c", "d"]) await change(_id, { title });
    const { body } = await historyOf(_id, "?page=2&limit=2");
    expect(body).toMatchObject({ page: 2, limit: 2, total: 5, totalPages: 3 });
    expect(body.revisions.map(({ version }) => version)).toEqual([3, 2]);
    expect((await historyOf(_id, "?page=9")).body.revisions).toEqual([]);
  });

  test("returns only the link's own revisions, for a viewer as well", async () => {
    const viewer = await addMember(service, ada.orgId, "viewer");
    const { _id } = await service.createLink(ada, { defaultUrl, title: "mine" });
    await service.createLink(ada, { defaultUrl, title: "another" });
    const { body } = await historyOf(_id, "", viewer.token);
    expect(body.revisions.map(({ snapshot }) => snapshot.title)).toEqual(["mine"]);
  });

  test("names the API key that made a change, and no one for a change by the service itself", async () => {
    const keys = `/api/v1/organizations/${ada.orgId}/api-keys`;
    const made = { name: "server", scopes: ["links:write"] };
    const key = await call<{ _id: string; key: string }>("POST", keys, { token, body: made });
    const { body } = await call<Link>("POST", "/api/v1/links", { apiKey: key.body.key, body: { defaultUrl } });
    expect((await historyOf(body._id)).body.revisions[0]?.changedBy).toBe(key.body._id);
    await sql`update link_revisions set changed_by = null where link_id = ${body._id}`;
    expect((await historyOf(body._id)).body.revisions[0]?.changedBy).toBeNull();
  });

  test("contains neither a password nor its hash", async () => {
    const { _id } = await service.createLink(ada, { defaultUrl, password: "hunter-gatherer" });
    await change(_id, { password: "gatherer-hunter" });
    const text = JSON.stringify((await historyOf(_id)).body);
    expect(text).toContain('"passwordProtected":true');
    for (const secret of ["hunter-", "gatherer", "argon2", "passwordHash"]) expect(text).not.toContain(secret);
  });
});
