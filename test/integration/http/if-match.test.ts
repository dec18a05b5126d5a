/** Concurrent edits: a change names the version it is based on in `If-Match`, and only the first of two is applied. */
import { describe, expect, test } from "bun:test";
import { addApp, addDomain } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import { startTestService } from "@test/support/service";
import { waitUntilDrained } from "../../support/clicks/drained";

const service = await startTestService();
const { call, sql } = service;
const ada = await service.register();
const { token, orgId } = ada;
const home = `/api/v1/organizations/${orgId}`;
const link = await service.createLink(ada, {
  ...{ defaultUrl: "https://shop.example.com/", externalId: "order-1", utm: { term: "a", source: "b" } },
  rules: [{ destinationUrl: "https://shop.example.com/a", conditions: { platform: ["ios"], countries: ["DE"] } }],
});
const appId = await addApp(service, orgId, {});
const { body: page } = await call<{ _id: string }>("POST", `${home}/bio-pages`, { token, body: { title: "Acme" } });

const domainId = await addDomain(service, orgId, { hostname: "go.acme.test" });

const linkPath = `${home}/links/${link._id}`;
const domainPath = `${home}/domains/${domainId}`;
type Resource = [what: string, path: string, field: string, method: string, changed: string, sentAs?: string];
/**
 * Each resource with a field that accepts any URL, the path that reads it, the method and path that change it, and
 * the field's name in the request if it differs.
 */
const RESOURCES: Resource[] = [
  ["a link", linkPath, "title", "PATCH", linkPath],
  ["a link by its external id", linkPath, "title", "PUT", `${home}/links/by-external-id/order-1`],
  ["a bio page", `${home}/bio-pages/${page._id}`, "title", "PATCH", `${home}/bio-pages/${page._id}`],
  ["an organization", home, "name", "PATCH", home],
  ["single sign-on", `${home}/sso`, "clientId", "PATCH", `${home}/sso`],
  ["an app profile", `${home}/apps/${appId}`, "name", "PATCH", `${home}/apps/${appId}`],
  ["a domain", domainPath, "redirects.notFound", "PATCH", domainPath],
  ["a domain by its default app", domainPath, "appConfig.name", "PATCH", `${domainPath}/app-config`, "name"],
];
/** Reads a field such as `redirects.notFound` from a body, and builds a body with it. */
const valueAt = (body: unknown, field: string): unknown =>
  field.split(".").reduce<unknown>((value, name) => Object(value)[name], body);
const bodyWith = (field: string, value: string): object =>
  Object(field.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), value));
const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1";
const WRITERS = 4;
const ROUNDS = 15;

const read = async (path: string) => {
  const { status, headers, body } = await call("GET", path, { token });
  expect(status).toBe(200);
  return { tag: headers.get("etag") ?? "", body };
};

const apiKey = await service.createApiKey(ada, ["links:read", "links:write"]);
/** Bodies with fields whose keys Postgres keeps in another order, and a password, which is never returned. */
const newLink = () => ({
  ...{ defaultUrl: "https://shop.example.com/", utm: { term: "a", source: "b" }, deepLinkPayload: { b: 1, a: [] } },
  ...{
    rules: [{ destinationUrl: "https://shop.example.com/a", conditions: { platform: ["ios"], countries: ["DE"] } }],
  },
  ...{ password: "open sesame", startsAt: "2030-01-01", tags: ["b", "a"], externalId: crypto.randomUUID() },
});

const newPage = {
  ...{ title: "New", theme: { preset: "dark", text: "#fff" } },
  links: [{ url: "https://shop.example.com/", title: "Shop", icon: "shop" }],
};
const newApp = { name: "New", ios: { teamId: "A1B2C3D4E5", bundleId: "com.acme.new", scheme: "acme" } };

type Creation = [what: string, path: string, body: () => object, read: (id: string) => string, field: string];

/** Each way to create a resource, the path that reads and changes it, and a field that accepts any URL. */
const CREATIONS: Creation[] = [
  ["a link", `${home}/links`, newLink, (id) => `${home}/links/${id}`, "title"],
  ["a bio page", `${home}/bio-pages`, () => newPage, (id) => `${home}/bio-pages/${id}`, "title"],
  ["an app profile", `${home}/apps`, () => newApp, (id) => `${home}/apps/${id}`, "name"],
  [
    "a domain",
    `${home}/domains`,
    () => ({ hostname: "new.acme.test" }),
    (id) => `${home}/domains/${id}`,
    "redirects.notFound",
  ],
  ["an organization", "/api/v1/organizations", () => ({ name: "New" }), (id) => `/api/v1/organizations/${id}`, "name"],
];

describe.each(CREATIONS)("creating %s", (_, path, body, placeOf, field) => {
  test("returns the tag with which it can be changed at once", async () => {
    const made = await call<{ _id: string }>("POST", path, { token, body: body() });
    const tag = made.headers.get("etag") ?? "";
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    expect((await read(placeOf(made.body._id))).tag).toBe(tag);
    const change = { token, body: bodyWith(field, "https://acme.example/at-once"), headers: { "if-match": tag } };
    expect((await call("PATCH", placeOf(made.body._id), change)).status).toBe(200);
    expectFailure(await call("PATCH", placeOf(made.body._id), change), 412);
  });
});

test("creating a link with an API key, or by an external id, returns its tag", async () => {
  const byKey = await call<{ _id: string }>("POST", "/api/v1/links", { apiKey, body: newLink() });
  expect(byKey.headers.get("etag")).toBe((await read(`${home}/links/${byKey.body._id}`)).tag);
  const { externalId, ...body } = newLink();
  const byId = await call<{ _id: string }>("PUT", `${home}/links/by-external-id/${externalId}`, { token, body });
  expect([byId.status, byId.headers.get("etag")]).toEqual([201, (await read(`${home}/links/${byId.body._id}`)).tag]);
});

test("repeating a creation with an Idempotency-Key returns the tag that the link had then", async () => {
  const options = { apiKey, body: newLink(), headers: { "idempotency-key": "tagged" } };
  const made = await call<{ _id: string }>("POST", "/api/v1/links", options);
  const tag = made.headers.get("etag") ?? "";
  await call("PATCH", `${home}/links/${made.body._id}`, { token, body: { title: "Changed since" } });
  const again = await call("POST", "/api/v1/links", options);
  expect([again.body._id, again.headers.get("etag")]).toEqual([made.body._id, tag]);
  expect((await read(`${home}/links/${made.body._id}`)).tag).not.toBe(tag);
});

test("changing the theme and links of a bio page returns its tag, in whatever order their fields are sent", async () => {
  const made = await call<{ _id: string }>("POST", `${home}/bio-pages`, { token, body: newPage });
  const path = `${home}/bio-pages/${made.body._id}`;
  for (const theme of [
    { preset: "dark", text: "#fff", accent: "#fa0" },
    { accent: "#fa0", text: "#eee", preset: "dark" },
  ]) {
    const links = [{ url: "https://shop.example.com/", title: theme.text }];
    const { headers } = await call("PATCH", path, { token, body: { theme, links } });
    expect(headers.get("etag")).toBe((await read(path)).tag);
  }
});

describe.each<[what: string, field: string, created: () => Promise<string>]>([
  [
    "a link",
    "title",
    async () => `${home}/links/${(await service.createLink(ada, { defaultUrl: "https://example.com/" }))._id}`,
  ],
  [
    "a bio page",
    "title",
    async () => {
      const { body } = await call("POST", `${home}/bio-pages`, { token, body: { title: "Short-lived" } });
      return `${home}/bio-pages/${body._id}`;
    },
  ],
  ["an app profile", "name", async () => `${home}/apps/${await addApp(service, orgId, { pathPrefix: "short" })}`],
  [
    "a domain",
    "redirects.notFound",
    async () => `${home}/domains/${await addDomain(service, orgId, { hostname: "short.acme.test" })}`,
  ],
])("deleting %s", (_, field, created) => {
  test("is refused with 412 if it was changed in between, and not with the current tag", async () => {
    const path = await created();
    const remove = (ifMatch: string) => call("DELETE", path, { token, headers: { "if-match": ifMatch } });
    const { tag } = await read(path);
    const body = bodyWith(field, "https://acme.example/meanwhile");
    expect((await call("PATCH", path, { token, body })).status).toBe(200);
    const refused = await remove(tag);
    expectFailure(refused, 412, []);
    expectFailure(await remove("no tag"), 400, ["If-Match"]);
    const after = await read(path);
    expect([valueAt(after.body, field), refused.headers.get("etag")]).toEqual([
      "https://acme.example/meanwhile",
      after.tag,
    ]);
    expect((await remove(after.tag)).status).toBe(200);
    expectFailure(await remove(after.tag), 404);
  });
});

describe.each(RESOURCES)("%s", (_, path, field, method, changed, sentAs = field) => {
  const change = (value: string, ifMatch?: string) =>
    call(method, changed, {
      token,
      body: { ...(method === "PUT" && { defaultUrl: "https://shop.example.com/" }), ...bodyWith(sentAs, value) },
      ...(ifMatch !== undefined && { headers: { "if-match": ifMatch } }),
    });

  test("a change with the current tag is applied, and returns the new tag", async () => {
    const { tag } = await read(path);
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    const answer = await change("https://acme.example/first", tag);
    expect([answer.status, valueAt(answer.body, field)]).toEqual([200, "https://acme.example/first"]);
    const after = await read(path);
    expect(after.tag).not.toBe(tag);
    expect(answer.headers.get("etag")).toBe(after.tag);
    expect((await change("https://acme.example/first", after.tag)).headers.get("etag")).toBe(after.tag);
  });

  test("a change with an outdated tag is refused with 412, and returns the current tag", async () => {
    const { tag } = await read(path);
    expect((await change(`https://acme.example/second/${method}`)).status).toBe(200);
    const refused = await change("https://acme.example/third", tag);
    expectFailure(refused, 412, []);
    expect(refused.body.error).toMatch(/^Someone else changed this .+ after you read it; read it again$/);
    const after = await read(path);
    expect(valueAt(after.body, field)).toBe(`https://acme.example/second/${method}`);
    expect(refused.headers.get("etag")).toBe(after.tag);
  });

  test("one matching tag in a list is enough, a weak tag never matches, and * always does", async () => {
    expect((await change("https://acme.example/fourth", `"other", ${(await read(path)).tag}`)).status).toBe(200);
    expect((await change("https://acme.example/fifth", "*")).status).toBe(200);
    expectFailure(await change("https://acme.example/sixth", `W/${(await read(path)).tag}`), 412);
    expect(valueAt((await read(path)).body, field)).toBe("https://acme.example/fifth");
  });

  test("an invalid list of tags is refused with 400", async () => {
    const { tag } = await read(path);
    for (const text of [
      "",
      ",",
      "none",
      '"open',
      tag.slice(1),
      `${tag} ${tag}`,
      `*, ${tag}`,
      `w/${tag}`,
      '"a"b',
      '"a\tb"',
    ])
      expectFailure(await change("https://acme.example/seventh", text), 400, ["If-Match"]);
    expect((await read(path)).tag).toBe(tag);
  });

  test("of several simultaneous changes, exactly one is applied", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { tag } = await read(path);
      const values = Array.from({ length: WRITERS }, (_, writer) => `https://acme.example/${round}/${writer}`);
      const answers = await Promise.all(values.map((value) => change(value, tag)));
      const made = values.filter((_, writer) => answers[writer]?.status === 200);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(WRITERS - 1).fill(412)]);
      expect(valueAt((await read(path)).body, field)).toBe(String(made[0]));
    }
  });
});

test("a new password or secret changes the tag, although neither is returned", async () => {
  const [before, sso] = [await read(linkPath), await read(`${home}/sso`)];
  await call("PATCH", linkPath, { token, body: { password: "open sesame" } });
  const first = await read(linkPath);
  expect(first.tag).not.toBe(before.tag);
  await call("PATCH", linkPath, { token, body: { password: "open barley" } });
  expect((await read(linkPath)).tag).not.toBe(first.tag);
  await call("PATCH", `${home}/sso`, { token, body: { clientSecret: "one" } });
  const kept = await read(`${home}/sso`);
  expect(kept.tag).not.toBe(sso.tag);
  await call("PATCH", `${home}/sso`, { token, body: { clientSecret: "two" } });
  expect((await read(`${home}/sso`)).tag).not.toBe(kept.tag);
});

test("single sign-on has a tag before it is set up, and the first change can name it", async () => {
  const eve = await service.register();
  const path = `/api/v1/organizations/${eve.orgId}/sso`;
  const { headers } = await call("GET", path, eve);
  const ifMatch = { "if-match": headers.get("etag") ?? "" };
  expectFailure(
    await call("PATCH", path, { ...eve, body: { clientId: "a" }, headers: { "if-match": '"other"' } }),
    412,
  );
  expect((await call("PATCH", path, { ...eve, body: { clientId: "a" }, headers: ifMatch })).status).toBe(200);
  expectFailure(await call("PATCH", path, { ...eve, body: { clientId: "b" }, headers: ifMatch }), 412);
});

test("clicks and checks of destinations do not change the tag", async () => {
  const made = await service.createLink(ada, { defaultUrl: "https://shop.example.com/" });
  const path = `${home}/links/${made._id}`;
  const { tag } = await read(path);
  await service.visit(made, { "user-agent": IPHONE });
  await waitUntilDrained(service.service);
  await sql`update links set version = version + 1, updated_at = now() where id = ${made._id}`;
  const after = await read(path);
  expect([after.body.clickCount, after.tag]).toEqual([1, tag]);
});

test("a domain's tag covers its dashboard settings, and all changes to the domain check it", async () => {
  const { tag } = await read(domainPath);
  const headers = { "if-match": tag };
  const path = `${domainPath}/dashboard`;
  const { headers: told } = await call("PATCH", path, { token, body: { isPrimary: true }, headers });
  const after = await read(domainPath);
  expect([after.tag === tag, told.get("etag")]).toEqual([false, after.tag]);
  expectFailure(await call("PATCH", path, { token, body: { isPrimary: false }, headers }), 412);
  expectFailure(await call("PATCH", domainPath, { token, body: {}, headers }), 412);
  expect((await read(domainPath)).body.dashboard).toEqual({ enabled: false, isPrimary: true });
  // Does what the daily check of the domain's DNS record does.
  await sql`update domains set verified_at = now(), updated_at = now(), missing_since = now() where id = ${domainId}`;
  expect((await read(domainPath)).tag).toBe(after.tag);
});

test("a request with an API key reads the same tag", async () => {
  const { headers } = await call("GET", `/api/v1/links/${link._id}`, { apiKey });
  expect(headers.get("etag")).toBe((await read(linkPath)).tag);
});

test("If-Match with an unknown external id creates no link", async () => {
  const path = `${home}/links/by-external-id/order-none`;
  const body = { defaultUrl: "https://shop.example.com/" };
  expectFailure(await call("PUT", path, { token, body, headers: { "if-match": "*" } }), 412, []);
  expect((await call("PUT", path, { token, body })).status).toBe(201);
});

test("invalid fields are reported before an outdated tag, and a non-member gets 404", async () => {
  const headers = { "if-match": '"other"' };
  expectFailure(await call("PATCH", linkPath, { token, body: { maxClicks: 0 }, headers }), 400, ["maxClicks"]);
  const stranger = await service.register();
  expectFailure(await call("PATCH", linkPath, { token: stranger.token, body: { title: "Mine" }, headers }), 404);
});

test("CORS allows a dashboard on another host to send the tag and read it", async () => {
  const asked = { origin: service.url, "access-control-request-method": "PATCH" };
  const preflight = await fetch(`${service.url}${linkPath}`, { method: "OPTIONS", headers: asked });
  expect(preflight.headers.get("access-control-allow-headers")?.split(", ")).toContain("If-Match");
  const { headers } = await call("GET", linkPath, { token, headers: { origin: service.url } });
  expect(headers.get("access-control-expose-headers")?.split(", ")).toContain("ETag");
});
