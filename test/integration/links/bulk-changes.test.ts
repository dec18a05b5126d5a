import { beforeAll, describe, expect, test } from "bun:test";
import { addMember } from "@test/support/accounts/tenants";
import { visitorOf, visitTokenIn } from "@test/support/forms";
import { type Account, startTestService } from "@test/support/service";
import type { AuditLogPage } from "@/contract/accounts/audit-logs";
import type { BulkDeleteResult, BulkUpdateResult } from "@/contract/links/bulk-changes";
import type { LinkWithBlockers } from "@/contract/links/link-lists";
import type { Link, LinkInput } from "@/contract/links/links";

const service = await startTestService();
const ada = await service.register();
const bob = await service.register();
const viewer = await addMember(service, ada.orgId, "viewer");
const home = `/api/v1/organizations/${ada.orgId}`;
const to = (name: string) => `https://example.com/${name}`;

type Details = { error?: string; details?: string[] };
const update = (body: object, { token }: Pick<Account, "token"> = ada) =>
  service.call<BulkUpdateResult & Details>("PATCH", `${home}/links/bulk`, { token, body });
const remove = (body: object) =>
  service.call<BulkDeleteResult & Details>("POST", `${home}/links/bulk-delete`, { token: ada.token, body });
const make = (input: Partial<LinkInput> = {}) => service.createLink(ada, { defaultUrl: to("old"), ...input });
/** Returns the link in the form that responses to changes have. */
async function get({ _id }: Link): Promise<Link> {
  const { body } = await service.call<LinkWithBlockers>("GET", `${home}/links/${_id}`, { token: ada.token });
  const { blockers: _, ...link } = body;
  return link;
}
async function revisionsOf({ _id }: Link): Promise<number> {
  const { body } = await service.call<{ total: number }>("GET", `${home}/links/${_id}/revisions`, { token: ada.token });
  return body.total;
}
const locationOf = async (link: Link) => (await service.visit(link)).headers.get("location");

describe("PATCH links/bulk", () => {
  test("changes each link like a single update, and the next visit follows the change", async () => {
    const links = [await make({ tags: ["a", "b"] }), await make()];
    for (const link of links) expect(await locationOf(link)).toBe(to("old"));
    const [first, second] = links as [Link, Link];
    const { status, body } = await update({
      ids: [second._id, first._id, second._id],
      changes: { defaultUrl: to("new"), addTags: [" c "], removeTags: ["a"] },
    });
    expect([status, body.errors]).toEqual([200, []]);
    expect(body.updated).toEqual([await get(second), await get(first)]);
    expect(body.updated.map(({ tags }) => tags)).toEqual([["c"], ["b", "c"]]);
    for (const link of links) expect(await locationOf(link)).toBe(to("new"));
    const revisions = await service.call<{ revisions: object[] }>("GET", `${home}/links/${first._id}/revisions`, {
      token: ada.token,
    });
    expect(revisions.body.revisions[0]).toMatchObject({ version: 2 });
    const audit = await service.call<AuditLogPage>("GET", `${home}/audit-logs?action=link.update`, {
      token: ada.token,
    });
    expect(audit.body.auditLogs.map(({ resourceId }) => resourceId).sort()).toEqual([first._id, second._id].sort());
  });

  test("accepts an app whose path a new link could not have on the default domain", async () => {
    const app = { name: "Shop", pathPrefix: "app", ios: { appStoreId: "1" } };
    const made = await service.call<{ _id: string }>("POST", `${home}/apps`, { token: ada.token, body: app });
    const link = await make();
    const { status, body } = await update({ ids: [link._id], changes: { appProfileId: made.body._id } });
    expect([status, body.updated.map(({ appProfileId }) => appProfileId)]).toEqual([200, [made.body._id]]);
  });

  test("changes nothing more when it is sent again", async () => {
    const link = await make();
    const body = { ids: [link._id], changes: { title: "Once" } };
    expect((await update(body)).body.updated).toHaveLength(1);
    const once = await get(link);
    expect((await update(body)).body.updated).toEqual([once]);
    expect(await get(link)).toEqual(once);
  });

  test("leaves links that have the password as they are, and ends no visit to them that is under way", async () => {
    const guarded = { password: "open sesame", leadCapture: { enabled: true } };
    const [first, ...others] = [await make(guarded), await make({ password: "another one" }), await make()] as const;
    const links = [first, ...others];
    const { open, send } = visitorOf(service, "192.0.2.1");
    const path = `/${first.slug}`;
    const pass = visitTokenIn(await (await open(path, { "x-link-password": "open sesame" })).text());
    const body = { ids: links.map(({ _id }) => _id), changes: { password: "open sesame" } };
    expect((await update(body)).body.updated).toHaveLength(3);
    expect(await Promise.all(links.map(revisionsOf))).toEqual([1, 2, 2]);
    expect((await send(path, { wm_pass: pass, email: "ada@example.com" })).status).toBe(303);
    expect((await update(body)).body.updated).toHaveLength(3);
    expect(await Promise.all(links.map(revisionsOf))).toEqual([1, 2, 2]);
  });

  test("reports the place in `ids` also after an id that was sent twice", async () => {
    const link = await make();
    const twice = [link._id, link._id.toUpperCase(), "nonsense", link._id, "other nonsense", "nonsense"];
    const { body } = await update({ ids: twice, expected: 3, changes: { title: "Twice" } });
    expect(body.updated.map(({ _id }) => _id)).toEqual([link._id]);
    expect(body.errors.map(({ index, _id }) => [index, _id])).toEqual([
      [2, "nonsense"],
      [4, "other nonsense"],
    ]);
  });

  test("reports the links that cannot be changed, and changes the others", async () => {
    const late = await make({ startsAt: "2030-01-01" });
    const full = await make({ tags: Array.from({ length: 20 }, (_, index) => `t${index}`) });
    const fine = await make();
    const theirs = await service.createLink(bob, { defaultUrl: to("bob") });
    const { body } = await update({
      ids: [late._id, theirs._id, fine._id, "nonsense", full._id],
      changes: { expiresAt: "2029-01-01", addTags: ["one more"] },
    });
    expect(body.updated.map(({ _id }) => _id)).toEqual([fine._id]);
    expect(body.errors).toEqual([
      expect.objectContaining({ index: 0, _id: late._id, details: ["expiresAt: must be after startsAt"] }),
      { index: 1, _id: theirs._id, error: "There is no such link", details: [] },
      { index: 3, _id: "nonsense", error: "There is no such link", details: [] },
      expect.objectContaining({ index: 4, _id: full._id, details: ["tags: a link has at most 20"] }),
    ]);
    expect((await get(late)).expiresAt).toBeUndefined();
  });

  test("selects links by a filter, if it matches the expected number", async () => {
    const links = [
      await make({ tags: ["season"] }),
      await make({ tags: ["season", "kept"] }),
      await make({ tags: ["season"] }),
    ];
    const filter = { tags: ["season"], excludeTags: ["kept"] };
    const wrong = await update({ filter, expected: 3, changes: { isArchived: true } });
    expect([wrong.status, wrong.body.details]).toEqual([409, ["expected: 2 links are selected"]]);
    const one = await update({ ids: [links[0]?._id], expected: 2, changes: { isArchived: true } });
    expect([one.status, one.body.details]).toEqual([409, ["expected: 1 link is selected"]]);
    expect((await Promise.all(links.map(get))).map(({ isArchived }) => isArchived)).toEqual([false, false, false]);
    const { body } = await update({ filter, expected: 2, changes: { isArchived: true } });
    expect(body.updated.map(({ _id }) => _id)).toEqual([links[2]?._id, links[0]?._id] as string[]);
    expect((await update({ filter, expected: 0, changes: { isArchived: true } })).body).toEqual({
      updated: [],
      errors: [],
    });
  });

  test("trims and normalizes the tags of a filter, and accepts ids in any case", async () => {
    const [plain, kept] = [await make({ tags: ["blend"] }), await make({ tags: ["blend", "caf\u00e9"] })];
    const filter = { tags: [" blend"], excludeTags: [" cafe\u0301 "] };
    const byFilter = await update({ filter, expected: 1, changes: { title: "Plain" } });
    expect(byFilter.body.updated?.map(({ _id }) => _id)).toEqual([plain._id]);
    const byId = await update({ ids: [kept._id.toUpperCase(), kept._id], changes: { title: "Kept" } });
    expect([byId.body.updated.map(({ _id }) => _id), byId.body.errors]).toEqual([[kept._id], []]);
  });

  test("accepts at most a thousand links in one request", async () => {
    const made: string[] = [];
    while (made.length < 1_000) {
      const links = Array.from({ length: 100 }, () => ({ defaultUrl: to("many"), tags: ["many"] }));
      const { body } = await service.call<{ created: Link[] }>("POST", `${home}/links/bulk`, {
        token: ada.token,
        body: { links },
      });
      made.push(...body.created.map(({ _id }) => _id));
    }
    const { body } = await update({ filter: { tags: ["many"] }, expected: 1_000, changes: { isActive: false } });
    expect([body.updated.length, body.errors]).toEqual([1_000, []]);
    await make({ tags: ["many"] });
    const more = await update({ filter: { tags: ["many"] }, expected: 1_000, changes: { isActive: true } });
    expect(more.body.details).toEqual(["filter: selects more than 1000 links; narrow it and send several requests"]);
    expect((await remove({ ids: made })).body).toEqual({ deleted: made, errors: [] });
  });
});

describe("POST links/bulk-delete", () => {
  let links: Link[];
  beforeAll(async () => {
    links = [await make({ tags: ["gone"] }), await make({ tags: ["gone"] })];
  });

  test("stops serving the links immediately, and reports them as unknown the second time", async () => {
    for (const link of links) expect(await locationOf(link)).toBe(to("old"));
    const ids = links.map(({ _id }) => _id);
    expect((await remove({ filter: { tags: ["gone"] }, expected: 2 })).body).toEqual({
      deleted: ids.toReversed(),
      errors: [],
    });
    for (const link of links) expect((await service.visit(link)).status).toBe(404);
    const again = await remove({ ids });
    expect([again.status, again.body.deleted, again.body.errors.map(({ error }) => error)]).toEqual([
      ...[200, [], ["There is no such link", "There is no such link"]],
    ]);
    const audit = await service.call<AuditLogPage>(
      "GET",
      `${home}/audit-logs?action=link.delete&resourceId=${ids[0]}`,
      {
        token: ada.token,
      },
    );
    expect(audit.body.auditLogs.length).toBeGreaterThanOrEqual(1);
  });
});

describe("400", () => {
  const changes = { title: "x" };
  test.each([
    [{ changes }, "ids: send either ids or a filter"],
    [{ ids: [], filter: {}, changes }, "ids: send either ids or a filter"],
    [{ filter: {}, changes }, "expected: required with a filter"],
    [{ filter: { tag: ["a"] }, expected: 1, changes }, "filter.tag: there is no such field; did you mean tags?"],
    [{ ids: [], changes: { slug: "x" } }, "changes.slug: there is no such field"],
    [{ ids: [], changes: { externalId: "x" } }, "changes.externalId: there is no such field"],
    [{ ids: [], changes: { defaultUrl: "no URL" } }, "changes.defaultUrl: expected an absolute http or https URL"],
    [
      { ids: [], changes: { tags: ["a"], addTags: ["b"] } },
      "changes.tags: send either tags, or addTags and removeTags",
    ],
    [{ ids: [], changes: { addTags: [" "] } }, "changes.tags[0]: must not be blank"],
    [{ ids: Array(1_001).fill("x"), changes }, "ids: expected a list of at most 1000"],
  ])("%j", async (body, fault) => {
    const reply = await update(body);
    expect([reply.status, reply.body.details?.join()]).toEqual([400, expect.stringContaining(fault)]);
  });
});

test("PATCH links/bulk returns 403 for a viewer and 404 for another organization's app", async () => {
  expect((await update({ ids: [], changes: {} }, viewer)).status).toBe(403);
  const app = await service.call("POST", `/api/v1/organizations/${bob.orgId}/apps`, {
    token: bob.token,
    body: { name: "B" },
  });
  const reply = await update({ ids: [], changes: { appProfileId: app.body._id } });
  expect([reply.status, reply.body.details]).toEqual([404, ["changes.appProfileId: there is no such app profile"]]);
});
