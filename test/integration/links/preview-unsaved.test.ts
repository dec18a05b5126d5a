/** Previews of unsaved links, and for many visitors in one request. */
import { beforeAll, describe, expect, test } from "bun:test";
import { startTestService } from "@test/support/service";
import type { LinkPreview } from "@/contract/links/link-preview";
import type { Link } from "@/contract/links/links";

const service = await startTestService();
const ada = await service.register();
const bob = await service.register();
const home = `/api/v1/organizations/${ada.orgId}`;
const to = (name: string) => `https://example.com/${name}`;
const german = { destinationUrl: to("de"), conditions: { countries: ["DE"] } };

const preview = (body: object, { token } = ada) =>
  service.call<LinkPreview & { details: string[] }>("POST", `${home}/links/preview`, { token, body });

let saved: Link;
beforeAll(async () => {
  saved = await service.createLink(ada, {
    slug: "saved",
    title: "Saved",
    defaultUrl: to("default"),
    rules: [german],
    splitTargets: [{ key: "a", destinationUrl: to("a") }],
    password: "sesame",
  });
});

const written = async () => (await service.sql`select count(*)::int as rows, max(version) as version from links`)[0];

describe("an unsaved link", () => {
  test("is the named link with the given changes, and nothing is written", async () => {
    const before = await written();
    const { status, body } = await preview({
      slug: "saved",
      country: "AT",
      link: { rules: [{ ...german, conditions: { countries: ["AT"] } }], password: null, title: null },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ok: true,
      blockers: [],
      route: { kind: "rule", ruleIndex: 0, destinationUrl: to("de") },
    });
    expect(body.link).toMatchObject({ _id: saved._id, shortUrl: saved.shortUrl, passwordProtected: false });
    expect(body.link.title).toBeUndefined();
    expect(await written()).toEqual(before);
    const now = await service.call<Link>("GET", `${home}/links/${saved._id}`, { token: ada.token });
    expect<unknown>(now.body).toEqual({ ...saved, blockers: ["password_required"] });
  });

  test("keeps visitors on the split targets that they have with the saved link", async () => {
    const splitTargets = ["a", "b", "c"].map((key) => ({ key, destinationUrl: to(key) }));
    await service.createLink(ada, { slug: "split", defaultUrl: to("x"), splitTargets });
    const contexts = Array.from({ length: 20 }, (_, index) => ({ visitorId: `v${index}` }));
    const keysOf = (body: LinkPreview) => body.contexts?.map(({ route }) => route.splitKey);
    const saved = keysOf((await preview({ slug: "split", contexts })).body);
    expect(new Set(saved).size).toBeGreaterThan(1);
    expect(keysOf((await preview({ slug: "split", contexts, link: { title: "New" } })).body)).toEqual(saved);
  });

  test("is a new link if none is named, with the app and the blockers that it would have", async () => {
    const ios = { teamId: "ABCDE12345", bundleId: "com.example.app", appStoreId: "123456789" };
    const app = await service.call<{ _id: string }>("POST", `${home}/apps`, {
      token: ada.token,
      body: { name: "App", ios },
    });
    const link = { defaultUrl: to("new"), appProfileId: app.body._id, expiresAt: "2020-01-01", maxClicks: 5 };
    const { status, body } = await preview({ link, platform: "ios", deviceType: "mobile" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ ok: false, blockers: ["expired"], route: { kind: "store", storeSkipped: null } });
    expect(body.link).toMatchObject({ orgId: ada.orgId, defaultUrl: link.defaultUrl, clickCount: 0, maxClicks: 5 });
  });

  test("gets a safety verdict like a saved one", async () => {
    const { body } = await preview({ link: { defaultUrl: "https://paypa1-login.example.com/" } });
    expect(body.safety.status).not.toBe("unknown");
  });
});

test("each context has the values of the request unless it has its own", async () => {
  const { status, body } = await preview({
    slug: "saved",
    password: "sesame",
    country: "DE",
    contexts: [{}, { country: "FR" }, { now: "2030-01-01" }],
  });
  expect([status, body.ok, body.route.kind]).toEqual([200, true, "rule"]);
  expect(body.contexts?.map(({ ok, route, context }) => [ok, route.kind, context.country])).toEqual([
    [true, "rule", "DE"],
    [true, "split", "FR"],
    [true, "rule", "DE"],
  ]);
  expect(body.contexts?.[2]?.context.now).toBe("2030-01-01T00:00:00.000Z");
  expect((await preview({ slug: "saved" })).body.contexts).toBeUndefined();
});

describe("400", () => {
  test.each([
    [{ link: {} }, "link.defaultUrl: required"],
    [{ link: { defaultUrl: "ftp://x" } }, "link.defaultUrl: expected an absolute http or https URL"],
    [
      { slug: "saved", link: { defaultUrl: "http://localhost/saved" } },
      "link.defaultUrl: must not be the link's own short URL",
    ],
    [
      { slug: "saved", link: { rules: [{ destinationUrl: to("x"), conditions: { country: ["DE"] } }] } },
      "did you mean countries?",
    ],
    [
      { slug: "saved", link: { startsAt: "2030-01-01", expiresAt: "2029-01-01" } },
      "link.expiresAt: must be after startsAt",
    ],
    [{ slug: "saved", contexts: [{}, { now: "2026-02-30" }] }, "contexts[1].now: expected a valid date"],
    [{ slug: "saved", contexts: Array(51).fill({}) }, "contexts: expected a list of at most 50"],
  ])("%j", async (body, fault) => {
    const shown = JSON.parse(JSON.stringify(body).replace("http://localhost/saved", saved.shortUrl));
    const reply = await preview(shown);
    expect([reply.status, reply.body.details.join()]).toEqual([400, expect.stringContaining(fault)]);
  });
});

test("404 for another organization's app, and for a user who is not a member", async () => {
  const app = await service.call<{ _id: string }>("POST", `/api/v1/organizations/${bob.orgId}/apps`, {
    token: bob.token,
    body: { name: "Bob's" },
  });
  const link = { defaultUrl: to("x"), appProfileId: app.body._id };
  expect(await preview({ link })).toMatchObject({
    status: 404,
    body: { details: ["link.appProfileId: there is no such app profile"] },
  });
  expect((await preview({ link: { defaultUrl: to("x") } }, bob)).status).toBe(404);
});
