import { describe, expect, test } from "bun:test";
import { addApp, addDomain, tableState } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import { startTestService } from "@test/support/service";
import type { Link } from "@/contract/links/links";

const service = await startTestService();
const { call, sql } = service;
const ada = await service.register();
const defaultUrl = "https://example.com/";
const appProfileId = await addApp(service, ada.orgId, {});
const links = `/api/v1/organizations/${ada.orgId}/links`;

type Body = Link & Record<string, unknown>;
const patch = (id: string, body: unknown) => call<Body>("PATCH", `${links}/${id}`, { token: ada.token, body });
const read = (id: string) => call<Body>("GET", `${links}/${id}`, { token: ada.token });

const complete = {
  appProfileId,
  title: "Before",
  rules: [{ destinationUrl: "https://example.com/rule" }],
  splitTargets: [{ key: "a", destinationUrl: "https://example.com/a" }],
  deepLinkPayload: { a: 1, b: { c: 2 } },
  utm: { source: "a", medium: "b" },
  marketing: { referralCode: "r" },
  leadCapture: { enabled: false },
  retargetingPixels: [{ provider: "meta" as const, id: "1" }],
  ctaOverlay: { enabled: false },
  startsAt: "2020-01-01T00:00:00.000Z",
  expiresAt: "2099-01-01T00:00:00.000Z",
  maxClicks: 5,
  tags: ["a"],
};
const completeLink = () => service.createLink(ada, { ...complete, defaultUrl });

test("invalid pages stored by earlier versions are left out, and the rest of the link is returned", async () => {
  const { _id } = await completeLink();
  await sql`update links set lead_capture = ${sql.json({ enabled: "yes" })}, cta_overlay = ${sql.json({ mode: "loud" })},
    retargeting_pixels = ${sql.json([{ script: "…" }, ...complete.retargetingPixels])} where id = ${_id}`;
  const { status, body } = await read(_id);
  expect(status).toBe(200);
  expect(body).toMatchObject({ title: "Before", retargetingPixels: complete.retargetingPixels });
  expect([body.leadCapture, body.ctaOverlay]).toEqual([undefined, undefined]);
  expect((await patch(_id, { title: "After" })).status).toBe(200);
});

describe("400", () => {
  test.each([
    ["defaultUrl cleared", { defaultUrl: null }, ["defaultUrl"]],
    ["isActive cleared", { isActive: null }, ["isActive"]],
    ["a destination that is none", { defaultUrl: "ftp://example.com/" }, ["defaultUrl"]],
    ["a rule whose destination is none", { rules: [{ destinationUrl: "x" }] }, ["rules[0].destinationUrl"]],
    ["an end before the start it has", { expiresAt: "2019-01-01T00:00:00Z" }, ["expiresAt"]],
    ["a start after the end it has", { startsAt: "2100-01-01T00:00:00Z" }, ["expiresAt"]],
    ["maxClicks of zero", { maxClicks: 0 }, ["maxClicks"]],
    ["an empty password", { password: "" }, ["password"]],
    ["a list for the body", [], ["body"]],
  ])("%s changes nothing", async (_, body, fields) => {
    const { _id } = await completeLink();
    const before = await tableState(sql);
    expectFailure(await patch(_id, body), 400, fields);
    expect(await tableState(sql)).toEqual(before);
  });

  test("one invalid field prevents the change of the valid ones", async () => {
    const { _id } = await completeLink();
    expectFailure(await patch(_id, { title: "After", tags: [" "] }), 400, ["tags[0]"]);
    expect((await read(_id)).body.title).toBe("Before");
  });

  test("the link's own short URL as its destination or a rule's", async () => {
    const { _id, shortUrl } = await completeLink();
    expectFailure(await patch(_id, { defaultUrl: `${shortUrl}?a=b` }), 400, ["defaultUrl"]);
    expectFailure(await patch(_id, { rules: [{ destinationUrl: shortUrl }] }), 400, ["rules[0].destinationUrl"]);
  });
});

describe("404", () => {
  test("for an unknown or deleted link, and for an invalid id", async () => {
    const { _id } = await completeLink();
    await call("DELETE", `${links}/${_id}`, { token: ada.token });
    for (const id of [_id, Bun.randomUUIDv7(), "x"]) expectFailure(await patch(id, { title: "a" }), 404);
  });
});

describe("200", () => {
  test("a blank title removes the title, and sent again it changes nothing", async () => {
    const { _id } = await completeLink();
    const first = await patch(_id, { title: " " });
    expect([first.status, Object.keys(first.body).includes("title")]).toEqual([200, false]);
    expect((await patch(_id, { title: " " })).body).toEqual(first.body);
  });

  test("absent fields stay unchanged", async () => {
    const link = await completeLink();
    const { status, body } = await patch(link._id, { title: "After" });
    expect(status).toBe(200);
    expect<unknown>({ ...body, updatedAt: "" }).toEqual({ ...link, title: "After", updatedAt: "" });
    expect<unknown>((await read(link._id)).body).toEqual({ ...body, blockers: [] });
  });

  const emptied: Record<string, unknown> = { rules: [], splitTargets: [], retargetingPixels: [], tags: [] };
  test.each(Object.keys(complete))("null clears %s and nothing else", async (field) => {
    const link = await completeLink();
    const { status, body } = await patch(link._id, { [field]: null });
    expect(status).toBe(200);
    const safety = { ...link.safety, checkedAt: body.safety.checkedAt };
    const expected: Record<string, unknown> = { ...link, [field]: emptied[field], safety, updatedAt: body.updatedAt };
    expect<unknown>(body).toEqual(JSON.parse(JSON.stringify(expected)));
  });

  test("lists and objects are replaced, not merged", async () => {
    const { _id } = await completeLink();
    const changes = {
      rules: [{ destinationUrl: "https://example.com/other", priority: 3 }],
      splitTargets: [{ key: "b", destinationUrl: "https://example.com/b" }],
      deepLinkPayload: { z: 1 },
      utm: { term: "t" },
      marketing: {},
      tags: ["b", "c"],
    };
    const { body } = await patch(_id, changes);
    for (const [field, value] of Object.entries(changes)) expect(body[field]).toEqual(value);
  });

  test("the short URL never changes", async () => {
    const domainId = await addDomain(service, ada.orgId, { hostname: "go.elsewhere.test" });
    const link = await completeLink();
    for (const body of [
      { domainId, slug: "elsewhere", pathPrefix: "moved", title: "a" },
      { domainId: null, slug: null, pathPrefix: null, title: "b" },
      { domainId: "no id", slug: "api", pathPrefix: "a/b/c/d", title: "c" },
    ]) {
      const reply = await patch(link._id, body);
      expect([reply.status, reply.body.title]).toEqual([200, body.title]);
      expect(reply.body.shortUrl).toBe(link.shortUrl);
      expect([reply.body.domainId, reply.body.slug, reply.body.pathPrefix]).toEqual([
        link.domainId,
        link.slug,
        undefined,
      ]);
    }
  });

  test("an empty change, or one to the current values, writes nothing", async () => {
    const { _id } = await completeLink();
    const before = await tableState(sql);
    for (const body of [
      {},
      complete,
      { defaultUrl: "https://EXAMPLE.com" },
      { slug: "x" },
      { unknown: 1 },
      { isActive: true },
    ]) {
      expect((await patch(_id, body)).status).toBe(200);
    }
    expect(await tableState(sql)).toEqual(before);
  });

  test("an app profile's id in capitals is the same id, and is returned as it is stored", async () => {
    const link = await service.createLink(ada, { defaultUrl, appProfileId: appProfileId.toUpperCase() });
    expect(link.appProfileId).toBe(appProfileId);
    const { status, body } = await patch(link._id, { appProfileId: appProfileId.toUpperCase() });
    expect([status, body.updatedAt]).toEqual([200, link.updatedAt]);
  });

  test("simultaneous changes of one link are applied one after the other, and none is lost", async () => {
    const { _id } = await completeLink();
    const changes = Array.from({ length: 10 }, (_, index) =>
      index % 2 ? { title: `Title ${index}` } : { tags: [`tag ${index}`] },
    );
    const replies = await Promise.all(changes.map((body) => patch(_id, body)));
    expect(replies.map(({ status }) => status)).toEqual(changes.map(() => 200));
    const revisions = await sql`select version from link_revisions where link_id = ${_id} order by version`;
    expect(revisions.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    const { body } = await read(_id);
    expect([body.title, body.tags[0]]).toEqual([
      expect.stringMatching(/^Title \d$/),
      expect.stringMatching(/^tag \d$/),
    ]);
  });

  test("the very next visit follows the change", async () => {
    const link = await service.createLink(ada, { defaultUrl: "https://example.com/0" });
    for (let round = 1; round <= 20; round++) {
      await service.visit(link);
      await patch(link._id, { defaultUrl: `https://example.com/${round}` });
      expect((await service.visit(link)).headers.get("location")).toBe(`https://example.com/${round}`);
    }
    await patch(link._id, { isActive: false });
    expect((await service.visit(link)).status).toBe(404);
    await patch(link._id, { isActive: true });
    expect((await service.visit(link)).status).toBe(302);
  });
});
