/** App profiles and a domain's app: who may write them, what they may contain and what is stored. */
import { describe, expect, test } from "bun:test";
import { addDomain, addMember, tableState } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import { startTestService } from "@test/support/service";
import { APPS_MAX, type AppProfile } from "@/contract/apps";

const service = await startTestService();
const { call, sql } = service;
const ada = await service.register();
const eve = await service.register();
const viewer = await addMember(service, ada.orgId, "viewer");
const member = await addMember(service, ada.orgId, "member");
const { token } = ada;
const home = `/api/v1/organizations/${ada.orgId}`;
const apps = `${home}/apps`;
const domainId = await addDomain(service, ada.orgId, { hostname: "go.ada.test" });
const appConfig = `${home}/domains/${domainId}/app-config`;
const unknown = Bun.randomUUIDv7();

const PRINT = Array.from({ length: 32 }, (_, index) => (index + 160).toString(16)).join(":");
const whole = {
  name: "Acme Shop",
  pathPrefix: "shop/de",
  ios: {
    teamId: "A1B2C3D4E5",
    bundleId: "com.acme.shop",
    appStoreId: "284882215",
    scheme: "acme-shop",
    providerToken: "123456",
    campaignName: "Spring & co. (2026)",
  },
  android: { packageName: "com.acme.shop_de", sha256CertFingerprints: [PRINT.toUpperCase()], scheme: "acme.shop+1" },
  fallback: "web",
  iconUrl: "https://acme.com/icon.png",
  subtitle: "Order ahead, skip the queue",
};

const create = async (body: Record<string, unknown> = {}) => {
  const reply = await call<AppProfile>("POST", apps, { token, body: { name: "App", ...body } });
  expect([reply.status, reply.body]).toEqual([200, expect.any(Object)]);
  return reply.body;
};
const update = (id: string, body: unknown) => call("PATCH", `${apps}/${id}`, { token, body });
const remove = (id: string) => call("DELETE", `${apps}/${id}`, { token });
const configure = (body: unknown) => call("PATCH", appConfig, { token, body });
const changesOf = (resourceId: string) => sql`
  select action, resource_type, actor_email, changes from audit_logs where resource_id = ${resourceId} order by id`;

describe("400", () => {
  const wrong: [field: string, values: unknown[]][] = [
    ["ios.teamId", ["a1b2c3d4e5", "A1B2C3D4E", "A1B2C3D4E5F", "A1B2C3D4É5", " A1B2C3D4E5"]],
    ["ios.bundleId", ["shop", "com.acme.*", "com..acme", ".com.acme", "com.acme_shop", "com.ac/me", "a.".repeat(80)]],
    ["ios.appStoreId", ["", "0", "id", "Id1", "12a", "https://apps.apple.com/app/id284882215", "1".repeat(20)]],
    ["ios.scheme", ["", "1acme", "acme://", "acme:", "ac me", "äcme", "javascript", "JavaScript", "https", "data"]],
    ["ios.providerToken", ["", "12a", "-1", "1".repeat(21)]],
    ["ios.campaignName", ["", " spring", "spring ", "frühling", "a\tb", "a\nb", "`a`", "a".repeat(31)]],
    ["android.packageName", ["shop", "com.1acme", "com.acme-shop", "com.", "1com.acme", "com.acmé", "com.*"]],
    ["android.scheme", ["intent", "file", "market", "ABOUT", "acme/shop"]],
    ["android.sha256CertFingerprints", ["one", {}, new Array(11).fill(PRINT)]],
    ["android.sha256CertFingerprints[0]", [[PRINT.replaceAll(":", "")], [PRINT.slice(3)], [`${PRINT}:00`], [""]]],
    ["fallback", ["app", "", true]],
    [
      "iconUrl",
      ["", "icon.png", "data:image/png;base64,AAAA", "ftp://acme.com/i.png", "https://user:pw@acme.com/i.png"],
    ],
    ["subtitle", ["a".repeat(81), 1]],
    ["ios", ["com.acme.shop", []]],
    ["android", ["com.acme.shop", 1]],
  ];

  test.each(wrong)("for an invalid %s, in a profile and in a domain's app", async (field, values) => {
    const { _id } = await create();
    const before = await tableState(sql);
    for (const value of values) {
      const [outer = "", inner] = field.replace("[0]", "").split(".");
      const body = inner ? { [outer]: { [inner]: value } } : { [outer]: value };
      expectFailure(await call("POST", apps, { token, body: { name: "App", ...body } }), 400, [field]);
      expectFailure(await update(_id, body), 400, [field]);
      expectFailure(await configure(body), 400, [field]);
    }
    expect(await tableState(sql)).toEqual(before);
  });

  test.each(["a b", "robots.txt", "a//b", "a/b/c/d/e", "аpple", "a?b", "..", "a/.."])(
    "for %j as a path prefix",
    async (pathPrefix) => {
      expectFailure(await call("POST", apps, { token, body: { name: "App", pathPrefix } }), 400, ["pathPrefix"]);
    },
  );

  test.each([{}, { name: null }, { name: " " }, { name: "a".repeat(121) }])("for %j as a name", async (body) => {
    expectFailure(await call("POST", apps, { token, body }), 400, ["name"]);
  });

  test("naming all faults together", async () => {
    const body = {
      name: "\t",
      pathPrefix: "robots.txt",
      ios: { scheme: "tel" },
      android: { scheme: "a b" },
      iconUrl: "x",
    };
    const fields = ["android.scheme", "iconUrl", "ios.scheme", "name", "pathPrefix"];
    expectFailure(await call("POST", apps, { token, body }), 400, fields);
  });
});

describe("403", () => {
  test.each([viewer, member])("for changes by viewers and members, who can only read", async (account) => {
    const { _id } = await create();
    const as = { token: account.token };
    expectFailure(await call("POST", apps, { ...as, body: { name: "App" } }), 403);
    expectFailure(await call("PATCH", `${apps}/${_id}`, { ...as, body: { name: "b" } }), 403);
    expectFailure(await call("DELETE", `${apps}/${_id}`, as), 403);
    expectFailure(await call("PATCH", appConfig, { ...as, body: { fallback: "web" } }), 403);
    expect((await call("GET", apps, as)).status).toBe(200);
  });
});

describe("404", () => {
  test.each([unknown, "1", "%00"])("for the profile %s", async (id) => {
    expectFailure(await update(id, { name: "a" }), 404);
    expectFailure(await remove(id), 404);
  });

  test("for an unknown domain and for the shared one", async () => {
    const [shared] = await sql`select id from domains where org_id is null`;
    for (const id of [unknown, "1", shared?.id]) {
      const path = `${home}/domains/${id}/app-config`;
      expectFailure(await call("PATCH", path, { token, body: { fallback: "web" } }), 404);
    }
  });
});

describe("409", () => {
  test("for deleting a profile that links use, with their number; deleted links do not count", async () => {
    const { _id: appProfileId } = await create();
    const [one, two] = await Promise.all(
      ["a", "b"].map(() => service.createLink(ada, { defaultUrl: "https://example.com/", appProfileId })),
    );
    const refused = await remove(appProfileId);
    expectFailure(refused, 409, ["appId"]);
    expect(refused.body.details).toEqual(["appId: 2 links use it"]);
    await call("PATCH", `${home}/links/${one?._id}`, { token, body: { appProfileId: null } });
    expect((await remove(appProfileId)).body.details).toEqual(["appId: 1 link uses it"]);
    await call("PATCH", `${home}/links/${two?._id}`, { token, body: { isArchived: true } });
    expect((await remove(appProfileId)).body.details).toEqual(["appId: 1 link uses it, and is archived"]);
    await call("PATCH", `${home}/links/${one?._id}`, { token, body: { appProfileId } });
    expect((await remove(appProfileId)).body.details).toEqual(["appId: 2 links use it, 1 of them archived"]);
    await call("DELETE", `${home}/links/${one?._id}`, { token });
    await call("DELETE", `${home}/links/${two?._id}`, { token });
    expect((await remove(appProfileId)).body).toEqual({ _id: appProfileId, deleted: true });
  });

  test(`for more than ${APPS_MAX} profiles, however many are made at once`, async () => {
    const bob = await service.register();
    await sql`insert into app_profiles (id, org_id, name)
      select gen_random_uuid(), ${bob.orgId}, 'App' from generate_series(1, ${APPS_MAX - 2})`;
    const post = () =>
      call("POST", `/api/v1/organizations/${bob.orgId}/apps`, { token: bob.token, body: { name: "a" } });
    const replies = await Promise.all(Array.from({ length: 6 }, post));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409, 409, 409]);
  });
});

describe("200", () => {
  test("a profile is stored as given and recorded in the audit log", async () => {
    const { _id, createdAt, updatedAt, ...kept } = await create(whole);
    expect(kept as unknown).toEqual(whole);
    expect(updatedAt).toBe(createdAt);
    const [entry] = await changesOf(_id);
    expect(entry).toMatchObject({ action: "app.create", resource_type: "app", actor_email: ada.email });
    expect(entry?.changes.ios).toEqual({ from: null, to: whole.ios });
  });

  test("a profile with only a name falls back to stores, and has no unset fields", async () => {
    const { _id, createdAt, updatedAt, ...kept } = await create({ name: "  App ", pathPrefix: "/" });
    expect(kept as unknown).toEqual({ name: "App", fallback: "store" });
  });

  test("different spellings of a value are stored in one form", async () => {
    const made = await create({
      pathPrefix: "/Cafe\u0301/",
      ios: { appStoreId: "id284882215" },
      android: { sha256CertFingerprints: [PRINT, PRINT.toUpperCase()] },
      iconUrl: "HTTPS://ACME.com/ä.png",
    });
    expect(made).toMatchObject({
      pathPrefix: "Café",
      ios: { appStoreId: "284882215" },
      android: { sha256CertFingerprints: [PRINT.toUpperCase()] },
      iconUrl: "https://acme.com/%C3%A4.png",
    });
  });

  test("unknown fields are dropped, at any depth", async () => {
    const made = await create({ _id: unknown, orgId: eve.orgId, ios: { bundleId: "com.a", evil: 1 }, evil: {} });
    expect(made).toMatchObject({ ios: { bundleId: "com.a" } });
    expect(made.ios as unknown).toEqual({ bundleId: "com.a" });
    expect([made._id === unknown, "orgId" in made, "evil" in made]).toEqual([false, false, false]);
    const [row] = await sql`select org_id, ios from app_profiles where id = ${made._id}`;
    expect(row).toEqual({ org_id: ada.orgId, ios: { bundleId: "com.a" } });
  });

  test("a change merges at the top level and replaces nested objects; null clears a field", async () => {
    const { _id } = await create(whole);
    const changed = await update(_id, { ios: { scheme: "acme" }, pathPrefix: null, iconUrl: null, fallback: null });
    expect(changed.status).toBe(200);
    const { createdAt, updatedAt, ...kept } = changed.body;
    expect(kept).toEqual({
      _id,
      name: "Acme Shop",
      ios: { scheme: "acme" },
      android: whole.android,
      fallback: "store",
      subtitle: whole.subtitle,
    });
    expect(Date.parse(String(updatedAt))).toBeGreaterThanOrEqual(Date.parse(String(createdAt)));
    const [, entry] = await changesOf(_id);
    expect(entry?.changes).toEqual({
      ios: { from: whole.ios, to: { scheme: "acme" } },
      pathPrefix: { from: "shop/de", to: null },
      iconUrl: { from: whole.iconUrl, to: null },
      fallback: { from: "web", to: "store" },
    });
  });

  test("a change to the current values writes nothing, not even to the audit log", async () => {
    const { _id } = await create(whole);
    const before = await tableState(sql);
    const ios = Object.fromEntries(Object.entries(whole.ios).reverse());
    expect((await update(_id, { ...whole, ios })).status).toBe(200);
    expect((await update(_id, {})).status).toBe(200);
    expect(await tableState(sql)).toEqual(before);
  });

  test("a deleted profile is gone, and the audit log has its former values", async () => {
    const { _id } = await create(whole);
    expect((await remove(_id)).body).toEqual({ _id, deleted: true });
    expectFailure(await remove(_id), 404);
    const [, entry] = await changesOf(_id);
    expect([entry?.action, entry?.changes.name]).toEqual(["app.delete", { from: "Acme Shop", to: null }]);
  });

  test("the list has only the organization's own profiles, newest first, in pages", async () => {
    const bob = await service.register();
    const own = `/api/v1/organizations/${bob.orgId}/apps`;
    for (const name of ["first", "second", "third"]) await call("POST", own, { token: bob.token, body: { name } });
    const list = async (query: string) => (await call(`GET`, `${own}${query}`, { token: bob.token })).body;
    const names = (body: Record<string, unknown>) => (body.apps as AppProfile[]).map(({ name }) => name);
    const all = await list("");
    expect([names(all), all.page, all.limit, all.total, all.totalPages]).toEqual([
      ["third", "second", "first"],
      1,
      25,
      3,
      1,
    ]);
    expect(names(await list("?page=2&limit=2"))).toEqual(["first"]);
    expect((await list("?page=2&limit=2")).totalPages).toBe(2);
  });

  test("a domain's app is merged, cleared and recorded in the audit log, also on an unverified domain", async () => {
    await sql`update domains set is_verified = false where id = ${domainId}`;
    const { name: _, pathPrefix: __, ...target } = whole;
    const set = await configure(target);
    expect([set.status, set.body._id, set.body.appConfig]).toEqual([200, domainId, target]);
    const cleared = await configure({ ios: null, fallback: null, evil: 1 });
    const { android, iconUrl, subtitle } = whole;
    expect(cleared.body.appConfig).toEqual({ android, iconUrl, subtitle });
    expect((await configure({ name: " Shop ", subtitle: " " })).body.appConfig).toEqual({
      name: "Shop",
      android,
      iconUrl,
    });
    expect((await configure({ name: null })).body.appConfig).toEqual({ android, iconUrl });
    const before = await tableState(sql);
    expect((await configure({ ios: null })).status).toBe(200);
    expect(await tableState(sql)).toEqual(before);
    const told = await changesOf(domainId);
    expect(told.map(({ action }) => action)).toEqual(new Array(4).fill("domain.app_config"));
    expect(told[1]?.changes).toEqual({
      ios: { from: whole.ios, to: null },
      fallback: { from: "web", to: null },
    });
  });
});
