/**
 * Bio pages as members edit them: what they may contain, whose they are, and how they share a domain's slugs with
 * links.
 */
import { describe, expect, test } from "bun:test";
import { addDomain, addMember, tableState } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import { type Account, startTestService } from "@test/support/service";
import { BIO_PAGES_MAX, type BioPage } from "@/contract/links/bio-pages";
import type { Link } from "@/contract/links/links";

const service = await startTestService();
const { call, sql } = service;
const ada = await service.register();
const eve = await service.register();
const viewer = await addMember(service, ada.orgId, "viewer");
const member = await addMember(service, ada.orgId, "member");
const domainId = await addDomain(service, ada.orgId, { hostname: "go.ada.test" });
const link = await service.createLink(ada, { defaultUrl: "https://example.com/linked", slug: "linked" });
const foreign = await service.createLink(eve, { defaultUrl: "https://example.com/" });
const unknown = Bun.randomUUIDv7();

const ask = (method: string, rest: string, body?: unknown, account: Account = ada) =>
  call<BioPage & Record<string, unknown>>(method, `/api/v1/organizations/${account.orgId}/bio-pages${rest}`, {
    token: account.token,
    body,
  });
const post = (body: Record<string, unknown> = {}, account = ada) => ask("POST", "", { title: "Ada", ...body }, account);
const create = async (body: Record<string, unknown> = {}) => {
  const reply = await post(body);
  expect([reply.status, reply.body]).toEqual([200, expect.any(Object)]);
  return reply.body as BioPage;
};
const patch = async (id: string, body: Record<string, unknown>) => {
  const reply = await ask("PATCH", `/${id}`, body);
  expect([reply.status, reply.body]).toEqual([200, expect.any(Object)]);
  return reply.body as BioPage;
};
const remove = (id: string) => ask("DELETE", `/${id}`);
const postLink = (slug: string, account = ada) =>
  call<Link>("POST", `/api/v1/organizations/${account.orgId}/links`, {
    token: account.token,
    body: { defaultUrl: "https://example.com/", slug },
  });
const url = "https://example.com/";

describe("400", () => {
  const wrong: [field: string, body: Record<string, unknown>][] = [
    ["title", { title: "" }],
    ["title", { title: " \t" }],
    ["title", { title: null }],
    ["title", { title: "a".repeat(121) }],
    ["bio", { bio: "a".repeat(501) }],
    ["isActive", { isActive: "yes" }],
    ["theme.background", { theme: { background: "red" } }],
    ["theme.accent", { theme: { accent: "#12345" } }],
    ["theme.text", { theme: { text: "#ggg" } }],
    ["theme.preset", { theme: { preset: "neon" } }],
    ["theme.font", { theme: { font: "Comic Sans" } }],
    ["theme.buttonStyle", { theme: { buttonStyle: "neon" } }],
    ["theme.buttonShape", { theme: { buttonShape: "star" } }],
    ["theme.avatarUrl", { theme: { avatarUrl: "javascript:alert(1)" } }],
    ["theme.avatarUrl", { theme: { avatarUrl: "https://user:pw@acme.com/ada.jpg" } }],
    ["theme.coverUrl", { theme: { coverUrl: "data:image/png;base64,AAAA" } }],
    ["theme.backgroundEnd", { theme: { backgroundEnd: "sunset" } }],
    ["links[0].display", { links: [{ title: "a", url, display: "banner" }] }],
    ["links[0].url", { links: [{ title: "a", url, display: "heading" }] }],
    ["links[0].url", { links: [{ title: "a", linkId: link._id, display: "heading" }] }],
    ["links[0].icon", { links: [{ title: "a", icon: "shop", display: "heading" }] }],
    ["links[0].imageUrl", { links: [{ title: "a", imageUrl: url, display: "heading" }] }],
    ["links[0].title", { links: [{ title: " ", display: "heading" }] }],
    ["links[0].imageUrl", { links: [{ title: "a", url, display: "card" }] }],
    ["links[0].imageUrl", { links: [{ title: "a", url, imageUrl: "javascript:alert(1)" }] }],
    ["links[0].imageUrl", { links: [{ title: "a", url, imageUrl: "https://user:pw@example.com/a.jpg" }] }],
    ["theme", { theme: "dark" }],
    ["links", { links: {} }],
    ["links", { links: new Array(51).fill({ title: "a", url }) }],
    ["links[0].title", { links: [{ title: " ", url }] }],
    ["links[0].title", { links: [{ title: "a".repeat(121), url }] }],
    ["links[0].icon", { links: [{ title: "a", url, icon: "i".repeat(33) }] }],
    [
      "links[2].url",
      {
        links: [
          { title: "a", url },
          { title: "b", url },
          { title: "c", url, linkId: link._id },
        ],
      },
    ],
    ["links[0].url", { links: [{ title: "neither" }] }],
    ["links[0].url", { links: [{ title: "a", url: "example.com" }] }],
    ["links[0].url", { links: [{ title: "a", url: "javascript:alert(1)" }] }],
    ["links[0].url", { links: [{ title: "a", url: "https://user:pw@example.com/" }] }],
    ["links[0].url", { links: [{ title: "a", url: `https://example.com/${"é".repeat(1000)}` }] }],
    [
      "links[1].key",
      {
        links: [
          { title: "a", url, key: "same" },
          { title: "b", url, key: "same" },
        ],
      },
    ],
  ];

  test.each(wrong)("for an invalid %s, on creation and on change", async (field, body) => {
    const { _id } = await create();
    const before = await tableState(sql);
    expectFailure(await post(body), 400, [field]);
    expectFailure(await ask("PATCH", `/${_id}`, body), 400, [field]);
    expect(await tableState(sql)).toEqual(before);
  });

  test("naming all invalid fields at once", async () => {
    const links = [{ title: " ", url: "x" }, { title: "b" }];
    const fields = ["links[0].title", "links[0].url", "links[1].url", "title"];
    expectFailure(await post({ title: " ", links }), 400, fields);
  });

  test.each(["a b", "api", "a/b", "🦊", "аpple", ".."])("for %j as a slug", async (slug) => {
    expectFailure(await post({ slug }), 400, ["slug"]);
  });

  test("without a title", async () => {
    expectFailure(await ask("POST", "", { slug: "untitled" }), 400, ["title"]);
  });

  test("for an item that leads to the page itself", async () => {
    const loop = [{ title: "a", url: `http://${service.host}/LOOP/?a=1#b` }];
    expectFailure(await post({ slug: "loop", links: loop }), 400, ["links[0].url"]);
    const page = await create({ slug: "loop" });
    expectFailure(await ask("PATCH", `/${page._id}`, { links: loop }), 400, ["links[0].url"]);
  });

  test("on a domain that is not verified", async () => {
    const unverified = await addDomain(service, ada.orgId, { hostname: "new.ada.test", isVerified: false });
    expectFailure(await post({ domainId: unverified }), 400, ["domainId"]);
  });
});

describe("403", () => {
  test("for changes by viewers, who can only read", async () => {
    const { _id } = await create();
    expectFailure(await post({}, viewer), 403);
    expectFailure(await ask("PATCH", `/${_id}`, { title: "b" }, viewer), 403);
    expectFailure(await ask("DELETE", `/${_id}`, undefined, viewer), 403);
    expect((await ask("GET", "", undefined, viewer)).status).toBe(200);
    expect((await ask("GET", `/${_id}`, undefined, viewer)).status).toBe(200);
    expect((await post({}, member)).status).toBe(200);
  });
});

describe("404", () => {
  test.each([unknown, "1", "%00"])("for the page %s", async (id) => {
    expectFailure(await ask("GET", `/${id}`), 404);
    expectFailure(await ask("PATCH", `/${id}`, { title: "a" }), 404);
    expectFailure(await remove(id), 404);
  });

  test("for a page that is deleted", async () => {
    const { _id } = await create();
    expect((await remove(_id)).body).toEqual({ _id, deleted: true } as never);
    for (const [method, body] of [["GET"], ["PATCH", { title: "a" }], ["DELETE"]] as const) {
      expectFailure(await ask(method, `/${_id}`, body), 404);
    }
  });

  test("for a link id in page requests, and a page id in link requests", async () => {
    expectFailure(await ask("GET", `/${link._id}`), 404);
    expectFailure(await ask("PATCH", `/${link._id}`, { title: "a" }), 404);
    expectFailure(await remove(link._id), 404);
    const { _id } = await create();
    const apiKey = await service.createApiKey(ada, ["links:read", "qr:read"]);
    const of = `/api/v1/organizations/${ada.orgId}/links/${_id}`;
    const asked: [method: string, path: string, body?: unknown][] = [
      ["GET", of],
      ["PATCH", of, { title: "a" }],
      ["DELETE", of],
      ["GET", `${of}/revisions`],
      ["GET", `${of}/qrcode`],
      ["POST", `${of}/safety/rescan`],
    ];
    const before = await tableState(sql);
    for (const [method, path, body] of asked) {
      expectFailure(await call(method, path, { token: ada.token, body }), 404);
    }
    expectFailure(await call("GET", `/api/v1/links/${_id}`, { apiKey }), 404);
    expectFailure(await call("GET", `/api/v1/links/${_id}/qrcode`, { apiKey }), 404);
    expect(await tableState(sql)).toEqual(before);
  });

  test.each([
    ["another's link", foreign._id],
    ["no link", unknown],
    ["no id", "1"],
  ])("for an item of %s", async (_, linkId) => {
    const { _id } = await create();
    const links = [{ title: "a", linkId }];
    expectFailure(await post({ links }), 404);
    expectFailure(await ask("PATCH", `/${_id}`, { links }), 404);
  });

  test("for an item that refers to a bio page or a deleted link", async () => {
    const page = await create();
    expectFailure(await post({ links: [{ title: "a", linkId: page._id }] }), 404);
    const gone = await service.createLink(ada, { defaultUrl: url });
    await call("DELETE", `/api/v1/organizations/${ada.orgId}/links/${gone._id}`, { token: ada.token });
    expectFailure(await post({ links: [{ title: "a", linkId: gone._id }] }), 404);
  });

  test.each([unknown, "1"])("for the domain %s", async (id) => {
    expectFailure(await post({ domainId: id }), 404);
  });

  test("for another organization's domain", async () => {
    expectFailure(await post({ domainId }, eve), 404);
  });

  test("from preview and resolve, which only know links", async () => {
    const page = await create({ slug: "not-a-link", links: [{ title: "a", url }] });
    for (const body of [{ shortUrl: page.url }, { slug: "not-a-link" }, { slug: "not-a-link", domain: service.host }]) {
      const preview = `/api/v1/organizations/${ada.orgId}/links/preview`;
      expectFailure(await call("POST", preview, { token: ada.token, body }), 404);
    }
    for (let time = 0; time < 2; time++) {
      expectFailure(await call("GET", `/api/v1/resolve?domain=${service.host}&slug=not-a-link`), 404);
      expect((await service.visit("/not-a-link")).status).toBe(200);
    }
  });
});

describe("409", () => {
  test("for a page with a link's slug, and a link with a page's slug", async () => {
    await postLink("link-first");
    expectFailure(await post({ slug: "Link-First" }), 409, ["slug"]);
    await create({ slug: "page-first" });
    expectFailure(await postLink("Page-First"), 409, ["slug"]);
    expectFailure(await post({ slug: "page-first" }, eve), 409, ["slug"]);
  });

  test("for all but one of the links and pages that request a slug at the same time", async () => {
    for (let round = 0; round < 5; round++) {
      const slug = `raced-${round}`;
      const replies = await Promise.all([post({ slug }), postLink(slug), post({ slug }, eve), postLink(slug, eve)]);
      const won = replies.filter(({ status }) => status < 300);
      expect([won.length, replies.filter(({ status }) => status === 409).length]).toEqual([1, 3]);
    }
  });

  test("for the deletion of a domain in use, with the number of its links and pages", async () => {
    const busy = await addDomain(service, ada.orgId, { hostname: "busy.ada.test" });
    const path = `/api/v1/organizations/${ada.orgId}/domains/${busy}`;
    const pages = [await create({ domainId: busy }), await create({ domainId: busy })];
    const onDomain = await service.createLink(ada, { defaultUrl: url, domainId: busy });
    const refused = await call("DELETE", path, { token: ada.token });
    expectFailure(refused, 409, ["bioPages", "links"]);
    expect(refused.body.details).toEqual(["links: 1 live link uses it", "bioPages: 2 bio pages use it"]);
    await call("DELETE", `/api/v1/organizations/${ada.orgId}/links/${onDomain._id}`, { token: ada.token });
    expectFailure(await call("DELETE", path, { token: ada.token }), 409, ["bioPages"]);
    for (const { _id } of pages) await remove(_id);
    expect((await call("DELETE", path, { token: ada.token })).status).toBe(200);
  });

  test(`for more than ${BIO_PAGES_MAX} pages, however many are made at once`, async () => {
    const bob = await service.register();
    await sql`
      with made as (
        insert into links (id, org_id, domain_id, kind, slug, slug_key, default_url, title)
        select gen_random_uuid(), ${bob.orgId}, (select id from domains where org_id is null), 'bio_page',
          'bob-' || number, 'bob-' || number, 'https://example.com/', 'Bob'
        from generate_series(1, ${BIO_PAGES_MAX - 2}) as number returning id)
      insert into bio_pages (link_id, org_id, theme, items) select id, ${bob.orgId}, '{}', '[]' from made`;
    const replies = await Promise.all(Array.from({ length: 6 }, () => post({}, bob)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409, 409, 409]);
  });
});

describe("200", () => {
  test("with all given fields, normalised, and no unknown ones", async () => {
    const page = await create({
      slug: "Whole",
      title: " Ada & sons ",
      bio: " We make\nthings. ",
      theme: { preset: "dark", background: "#123", text: "#fefefe", accent: "#FFB300", font: "serif", script: "x" },
      links: [
        { title: " Shop ", url: "HTTPS://Shop.Example.com/ä", icon: "shop" },
        { title: "Linked", linkId: link._id.toUpperCase(), isActive: false, key: "mine", url: null },
      ],
      orgId: eve.orgId,
      safety: { status: "safe" },
    });
    expect(page).toEqual({
      _id: expect.any(String),
      orgId: ada.orgId,
      domainId: expect.any(String),
      slug: "Whole",
      url: `http://${service.host}/Whole`,
      title: "Ada & sons",
      bio: "We make\nthings.",
      theme: { preset: "dark", background: "#123", text: "#fefefe", accent: "#FFB300", font: "serif" },
      links: [
        {
          key: expect.stringMatching(/^[a-z0-9]{7}$/),
          title: "Shop",
          url: "https://shop.example.com/%C3%A4",
          icon: "shop",
          isActive: true,
        },
        { key: expect.stringMatching(/^[a-z0-9]{7}$/), title: "Linked", linkId: link._id, isActive: false },
      ],
      isActive: true,
      safety: { status: "unknown", reasons: [], checkedAt: expect.any(String) },
      createdAt: expect.any(String),
      updatedAt: page.createdAt,
    });
    expect((await ask("GET", `/${page._id}`)).body).toEqual(page as never);
  });

  test("with headings, images and a gradient, whose changes the audit log records", async () => {
    const links = [
      { title: " New ", display: "heading" },
      { title: "Shop", url, imageUrl: "HTTPS://Example.com/ä.jpg", display: "card" },
      { title: "Linked", linkId: link._id, imageUrl: "https://example.com/b.jpg" },
      { title: "Old", display: "heading", isActive: false },
    ];
    const page = await create({ theme: { background: "#fff", backgroundEnd: "#FDA" }, links });
    const key = expect.stringMatching(/^[a-z0-9]{7}$/);
    expect([page.theme, page.links]).toEqual([
      { background: "#fff", backgroundEnd: "#FDA" },
      [
        { key, title: "New", display: "heading", isActive: true },
        { key, title: "Shop", url, imageUrl: "https://example.com/%C3%A4.jpg", display: "card", isActive: true },
        { key, title: "Linked", linkId: link._id, imageUrl: "https://example.com/b.jpg", isActive: true },
        { key, title: "Old", display: "heading", isActive: false },
      ],
    ]);
    const [first, shop] = page.links;
    const after = await patch(page._id, { links: [{ title: "Newest", display: "heading", key: first?.key }, shop] });
    expect(after.links.map((item) => item.key)).toEqual([first?.key, shop?.key] as string[]);
    const [entry] = await sql`
      select changes from audit_logs where resource_id = ${page._id} and action = 'bio_page.update'`;
    expect(entry?.changes).toEqual({ links: { from: page.links, to: after.links } });
  });

  test("without an icon if it is blank", async () => {
    const { _id, links } = await create({ links: [{ title: "Shop", url, icon: " " }] });
    expect(links).toEqual([{ key: expect.any(String), title: "Shop", url, isActive: true }]);
    expect((await ask("GET", `/${_id}`)).body.links).toEqual(links);
  });

  test("with a generated slug and otherwise empty fields if only a title is given", async () => {
    const page = await create();
    expect(page.slug).toMatch(/^[a-z0-9]{7}$/);
    expect([page.links, page.theme, page.isActive, "bio" in page]).toEqual([[], {}, true, false]);
  });

  test("on the organization's own domain", async () => {
    expect(await create({ domainId, slug: "about" })).toMatchObject({ domainId, url: "https://go.ada.test/about" });
  });

  test("lists bio pages newest first and paginated, without links or other organizations' pages", async () => {
    const bob = await service.register();
    await service.createLink(bob, { defaultUrl: url });
    const made = [];
    for (const title of ["one", "two", "three"]) made.push((await post({ title }, bob)).body);
    const list = async (query: string) => (await ask("GET", query, undefined, bob)).body;
    expect(await list("?limit=2")).toEqual({
      bioPages: [made[2], made[1]],
      ...{ page: 1, limit: 2, total: 3, totalPages: 2 },
    } as never);
    expect((await list("?limit=2&page=2")).bioPages).toEqual([made[0]]);
    const links = await call<{ total: number }>("GET", `/api/v1/organizations/${bob.orgId}/links`, {
      token: bob.token,
    });
    expect(links.body.total).toBe(1);
    const usage = await call("GET", `/api/v1/organizations/${bob.orgId}/usage`, { token: bob.token });
    expect(usage.body.links).toMatchObject({ used: 1 });
  });

  test("changes only the given fields; null clears one; slug and domain stay", async () => {
    const page = await create({ bio: "words", theme: { preset: "dark" }, links: [{ title: "a", url }] });
    const { updatedAt: _, ...kept } = page;
    expect(await patch(page._id, { title: "New", slug: "other", domainId })).toMatchObject({ ...kept, title: "New" });
    expect(await patch(page._id, { theme: { accent: "#fff" } })).toMatchObject({ theme: { accent: "#fff" } });
    const cleared = await patch(page._id, { bio: null, theme: null, links: null });
    expect([cleared.theme, cleared.links, "bio" in cleared]).toEqual([{}, [], false]);
    expect(await patch(page._id, { isActive: false })).toMatchObject({ isActive: false, title: "New" });
  });

  test("keeps an item's key if the change sends it or leads to the same destination", async () => {
    const links = ["a", "b", "c"].map((name) => ({ title: name, url: url + name }));
    const page = await create({ links: [...links, { title: "d", linkId: link._id }] });
    const [a, b, c, d] = page.links.map(({ key }) => key);
    const after = await patch(page._id, {
      links: [
        { title: "linked", linkId: link._id },
        { title: "b, elsewhere", url: `${url}elsewhere`, key: b },
        { title: "b, anew", url: `${url}b` },
        { title: "c", url: `${url}c`, key: "unknown" },
        { title: "c twice", url: `${url}c` },
      ],
    });
    const keys = after.links.map(({ key }) => key);
    expect([keys[0], keys[1], keys[3]]).toEqual([d, b, c] as string[]);
    expect([a, b, c, d]).not.toContain(keys[2]);
    expect([a, b, c, d]).not.toContain(keys[4]);
    expect(new Set(keys).size).toBe(5);
  });

  test("keeps an existing item of a deleted link, but refuses a new one", async () => {
    const gone = await service.createLink(ada, { defaultUrl: url });
    const page = await create({ links: [{ title: "gone", linkId: gone._id }] });
    await call("DELETE", `/api/v1/organizations/${ada.orgId}/links/${gone._id}`, { token: ada.token });
    const after = await patch(page._id, { links: [...page.links, { title: "b", url }] });
    expect(after.links.map(({ title }) => title)).toEqual(["gone", "b"]);
    await patch(page._id, { links: [] });
    expectFailure(await ask("PATCH", `/${page._id}`, { links: [{ title: "gone", linkId: gone._id }] }), 404);
  });

  test("frees the slug when the page is deleted", async () => {
    const page = await create({ slug: "freed" });
    await remove(page._id);
    expect((await postLink("freed")).status).toBe(201);
  });
});

describe("the audit log", () => {
  const entriesOf = (id: string) => sql`
    select action, resource_type, actor_email, changes from audit_logs where resource_id = ${id} order by id`;

  test("records each change with old and new values, and nothing if nothing changed", async () => {
    const page = await create({ slug: "audited", links: [{ title: "a", url }] });
    await patch(page._id, { title: "Ada" });
    await patch(page._id, { links: page.links });
    await patch(page._id, { title: "New" });
    await remove(page._id);
    const entries = await entriesOf(page._id);
    expect(entries.map(({ action }) => action)).toEqual(["bio_page.create", "bio_page.update", "bio_page.delete"]);
    expect(entries[0]).toMatchObject({
      resource_type: "bio_page",
      actor_email: ada.email,
      changes: { slug: { from: null, to: "audited" }, links: { from: null, to: page.links } },
    });
    expect(entries[1]?.changes).toEqual({ title: { from: "Ada", to: "New" } });
    expect(entries[2]?.changes).toMatchObject({ title: { from: "New", to: null } });
  });
});
