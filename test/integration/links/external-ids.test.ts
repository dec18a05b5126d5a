/** Links under an id that their owner chooses. */
import { describe, expect, test } from "bun:test";
import { expectFailure } from "@test/support/failure";
import { visitorOf, visitTokenIn } from "@test/support/forms";
import { waitUntilBlocked, whileLocked } from "@test/support/servers/lock-waits";
import { startTestService } from "@test/support/service";
import type { BulkLinkResult } from "@/contract/links/bulk-links";
import type { Link } from "@/contract/links/links";
import { ENTITLEMENTS } from "@/core/entitlements";

const service = await startTestService();
const ada = await service.register();
const eve = await service.register();
const home = `/api/v1/organizations/${ada.orgId}/links`;
const defaultUrl = "https://example.com/";
const put = (id: string, body: object, account = ada, headers?: Record<string, string>) =>
  service.call<Link>("PUT", `/api/v1/organizations/${account.orgId}/links/by-external-id/${encodeURIComponent(id)}`, {
    ...{ token: account.token, body, headers },
  });
const putNew = (id: string, body: object) => put(id, body, ada, { "if-none-match": "*" });
const revisionsOf = async ({ _id }: Link) =>
  (await service.call<{ total: number }>("GET", `${home}/${_id}/revisions`, ada)).body.total;

describe("409", () => {
  test("for a second link with the id, whether created or changed, singly or in bulk", async () => {
    const first = await service.createLink(ada, { defaultUrl, externalId: "taken" });
    const second = await service.createLink(ada, { defaultUrl, notes: "none yet" });
    const body = { defaultUrl, externalId: "taken" };
    expectFailure(await service.call("POST", home, { ...ada, body }), 409, ["externalId"]);
    expectFailure(await service.call("POST", home, { ...ada, body: { ...body, slug: "own" } }), 409, ["externalId"]);
    expectFailure(await service.call("PATCH", `${home}/${second._id}`, { ...ada, body }), 409, ["externalId"]);
    const links = [body, { defaultUrl, externalId: "twice" }, { defaultUrl, externalId: "twice" }];
    const bulk = await service.call<BulkLinkResult>("POST", `${home}/bulk`, { ...ada, body: { links } });
    expect(bulk.body.created.map(({ externalId }) => externalId)).toEqual(["twice"]);
    expect(bulk.body.errors.map(({ index, details }) => [index, details])).toEqual([
      [0, ["externalId: already in use"]],
      [2, ["externalId: already in use"]],
    ]);
    expect((await put("taken", { defaultUrl }, eve)).status).toBe(201);
    await service.call("DELETE", `${home}/${first._id}`, ada);
    expect((await service.call("PATCH", `${home}/${second._id}`, { ...ada, body })).status).toBe(200);
  });
});

describe("400", () => {
  test.each([
    ["another id in the body", "a", { defaultUrl, externalId: "b" }, ["externalId"]],
    ["an id that is too long", "x".repeat(256), { defaultUrl }, ["externalId"]],
    ["no destination", "none", {}, ["defaultUrl"]],
    ["notes that are too long", "long", { defaultUrl, notes: "n".repeat(2_001) }, ["notes"]],
  ])("%s", async (_, id, body, fields) => {
    expectFailure(await put(id, body), 400, fields);
  });

  test("a path that is not UTF-8, which is no id", async () => {
    const path = `${home}/by-external-id/%E0%A4%A`;
    expectFailure(await service.call("PUT", path, { ...ada, body: { defaultUrl } }), 400, ["externalId"]);
  });

  test("tags in If-None-Match, which only takes *", async () => {
    expectFailure(await put("tagged", { defaultUrl }, ada, { "if-none-match": '"a"' }), 400, ["If-None-Match"]);
    expect((await put("tagged", { defaultUrl })).status).toBe(201);
  });
});

describe("PUT", () => {
  test.each(["order-7", "a/b?c#d %", "ключ 🔑"])(
    "%s creates a link, then changes it, and changes nothing the third time",
    async (id) => {
      const made = await put(id, { defaultUrl, title: "One", tags: ["a"] });
      expect([made.status, made.body.externalId, made.body.isArchived]).toEqual([201, id, false]);
      const changed = await put(id, { defaultUrl: `${defaultUrl}2`, slug: "ignored", notes: "new", externalId: id });
      expect([changed.status, changed.body._id, changed.body.slug]).toEqual([200, made.body._id, made.body.slug]);
      expect(changed.body).toMatchObject({ defaultUrl: `${defaultUrl}2`, title: "One", tags: ["a"], notes: "new" });
      expect(await put(id, { defaultUrl: `${defaultUrl}2` })).toMatchObject({ status: 200, body: changed.body });
      expect(await revisionsOf(made.body)).toBe(2);
    },
  );

  test("with the password that the link has changes nothing, and ends no visit that is under way", async () => {
    const body = { defaultUrl, password: "open sesame", leadCapture: { enabled: true } };
    const made = await put("guarded", body);
    const { open, send } = visitorOf(service, "192.0.2.1");
    const path = `/${made.body.slug}`;
    const pass = visitTokenIn(await (await open(path, { "x-link-password": "open sesame" })).text());
    expect(await put("guarded", body)).toMatchObject({ status: 200, body: { updatedAt: made.body.updatedAt } });
    expect(await revisionsOf(made.body)).toBe(1);
    expect((await send(path, { wm_pass: pass, email: "ada@example.com" })).status).toBe(303);
    expect((await put("guarded", { ...body, password: "another one" })).status).toBe(200);
    expect(await revisionsOf(made.body)).toBe(2);
    expect((await open(path, { "x-link-password": "open sesame" })).status).toBe(403);
    expect((await open(path, { "x-link-password": "another one" })).status).toBe(200);
  });

  test("creates one link when it is sent ten times at once", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => put("race", { defaultUrl })));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body._id)).size).toBe(1);
  });

  test("with If-None-Match: * only creates: of ten at once, nine get 412 and change nothing", async () => {
    const titles = Array.from({ length: 10 }, (_, place) => `Writer ${place}`);
    const answers = await Promise.all(titles.map((title) => putNew("only-new", { defaultUrl, title })));
    const made = answers.filter(({ status }) => status === 201);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(412)]);
    expectFailure(await putNew("only-new", { defaultUrl, title: "Late" }), 412);
    expect(await put("only-new", { defaultUrl })).toMatchObject({ status: 200, body: { title: made[0]?.body.title } });
  });

  const duringPut = (id: string, changed: string, body: object) =>
    whileLocked(service.sql, changed, async () => {
      const started = { answer: put(id, body) };
      await waitUntilBlocked(service.sql, 1);
      return started;
    });

  test("changes the link that another request creates with the last one of the plan", async () => {
    const bob = await service.register();
    await service.sql`update organizations set plan = 'free' where id = ${bob.orgId}`;
    const { links: max } = ENTITLEMENTS.free;
    await service.sql`insert into links (id, org_id, domain_id, slug, slug_key, default_url)
      select gen_random_uuid(), ${bob.orgId}, (select id from domains where org_id is null), slug, slug, ${defaultUrl}
      from (select 'full-' || place as slug from generate_series(1, ${(max ?? 0) - 1}::int) as place) as slugs`;
    const answers = await Promise.all(Array.from({ length: 5 }, () => put("last", { defaultUrl }, bob)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201]);
    expect((await put("one-too-many", { defaultUrl }, bob)).status).toBe(429);
  });

  test("creates the link that is deleted while it is being changed", async () => {
    const { body: first } = await put("fleeting", { defaultUrl, title: "Before" });
    const deletion = `update links set deleted_at = now() where id = '${first._id}'`;
    const { status, body } = await (await duringPut("fleeting", deletion, { defaultUrl, title: "After" })).answer;
    expect([status, body.title, body._id === first._id]).toEqual([201, "After", false]);
    expect((await put("fleeting", { defaultUrl })).body._id).toBe(body._id);
  });

  test("changes the link that takes the id of the one that is being changed", async () => {
    const { body: first } = await put("moved", { defaultUrl });
    const second = await service.createLink(ada, { defaultUrl });
    const move = `update links set external_id = null where id = '${first._id}';
      update links set external_id = 'moved' where id = '${second._id}'`;
    const { status, body } = await (await duringPut("moved", move, { defaultUrl, title: "After" })).answer;
    expect([status, body._id, body.title]).toEqual([200, second._id, "After"]);
  });

  test("returns 404 for an app profile that there is not", async () => {
    const appProfileId = "0198f2b0-6b5e-7c3a-9d4e-5f6a7b8c9d0e";
    expectFailure(await put("appless", { defaultUrl, appProfileId }), 404, ["appProfileId"]);
    expect((await put("appless", { defaultUrl })).status).toBe(201);
    expectFailure(await put("appless", { defaultUrl, appProfileId }), 404, ["appProfileId"]);
  });

  test("returns 409 for a slug that is taken", async () => {
    await service.createLink(ada, { defaultUrl, slug: "mine" });
    expectFailure(await put("slugged", { defaultUrl, slug: "mine" }), 409, ["slug"]);
  });
});
