import { describe, expect, test } from "bun:test";
import { addApp, addDomain } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import { rawGet } from "@test/support/raw-http/raw-http";
import { startTestService } from "@test/support/service";
import type { Link } from "@/contract/links/links";
import { OWN_SEGMENTS, RESERVED_SEGMENTS } from "@/core/names/reserved";

const service = await startTestService();
const { call, sql } = service;
const ada = await service.register();
const bob = await service.register();
const defaultUrl = "https://example.com/";

type Body = Link & Record<string, unknown>;
const create = (fields: Record<string, unknown>, account = ada) =>
  call<Body>("POST", `/api/v1/organizations/${account.orgId}/links`, {
    token: account.token,
    body: { defaultUrl, ...fields },
  });

describe("400", () => {
  test.each([
    ["an empty slug", ""],
    ["a slug of 191 characters", "a".repeat(191)],
    ["a space", "a b"],
    ["a slash", "a/b"],
    ["an escaped slash", "a%2Fb"],
    ["a question mark", "a?b"],
    ["a fragment", "a#b"],
    ["one dot", "."],
    ["two dots", ".."],
    ["an emoji", "🦊"],
    ["a right-to-left override", "abc\u202ecba"],
    ["an isolate", "a\u2066b"],
    ["a zero-width space", "a\u200bb"],
    ["a variation selector", "a\ufe0f"],
    ["a grapheme joiner", "a\u034fb"],
    ["a Hangul filler", "\uac00\u3164"],
    ["a line break", "a\nb"],
    ["Latin with Cyrillic", "p\u0430ypal"],
    ["Latin with Greek", "\u03b1bc"],
    ["a combining mark at its start", "\u0301a"],
    ["a full-width slash", "a\uff0fb"],
  ])("a slug with %s", async (_, slug) => {
    expectFailure(await create({ slug }), 400, ["slug"]);
  });

  test.each([...RESERVED_SEGMENTS, ...OWN_SEGMENTS])(
    "the reserved word %s, as a slug and as the first segment",
    async (word) => {
      for (const written of [word, word.toUpperCase()]) {
        expectFailure(await create({ slug: written }), 400, ["slug"]);
        expectFailure(await create({ pathPrefix: `${written}/a` }), 400, ["pathPrefix"]);
        expectFailure(await create({ pathPrefix: `/${written}/` }), 400, ["pathPrefix"]);
      }
    },
  );

  test("the words that the product needs are reserved", () => {
    const everywhere = ".well-known robots.txt favicon.ico apple-app-site-association assetlinks.json";
    const here =
      "app api docs health ready metrics internal openapi.json login logout signin signup register dashboard admin " +
      "account settings invite reset-password auth sso oauth mcp assets static import export embed sdk status terms " +
      "privacy abuse security";
    expect(everywhere.split(" ").filter((word) => !RESERVED_SEGMENTS.has(word))).toEqual([]);
    expect([...OWN_SEGMENTS].toSorted()).toEqual(here.split(" ").toSorted());
  });

  test.each([
    ["five segments", "a/b/c/d/e"],
    ["an empty segment", "a//b"],
    ["a segment of 191 characters", "a".repeat(191)],
    ["dots", "a/../b"],
    ["a space", "a b"],
    ["an emoji", "a/🦊"],
    ["256 characters", `${"a".repeat(127)}/${"b".repeat(128)}`],
  ])("a path prefix with %s", async (_, pathPrefix) => {
    expectFailure(await create({ pathPrefix }), 400, ["pathPrefix"]);
  });
});

describe("409 for a slug that is taken", () => {
  const pairs: [name: string, first: string, second: string][] = [
    ["the same", "taken", "taken"],
    ["in another case", "CamelCase", "camelcase"],
    ["composed otherwise", "caf\u00e9", "cafe\u0301"],
    ["composed otherwise and in another case", "r\u00e9sum\u00e9", "RE\u0301SUME\u0301"],
    ["sharp s and its capitals", "stra\u00dfe", "STRASSE"],
    ["either sigma", "\u03bb\u03cc\u03b3\u03bf\u03c2", "\u039b\u03cc\u03b3\u03bf\u03c3"],
    ["in fullwidth letters", "width", "ｗｉｄｔｈ"],
    ["in letters of a style", "𝐛𝐨𝐥𝐝", "bold"],
    ["Cyrillic in another case", "\u0432\u0435\u0441\u043d\u0430", "\u0412\u0415\u0421\u041d\u0410"],
  ];

  test.each(pairs)("%s", async (_, first, second) => {
    const { status, body } = await create({ slug: first });
    expect([status, body.slug]).toEqual([201, first.normalize("NFC")]);
    expectFailure(await create({ slug: second }), 409, ["slug"]);
    expectFailure(await create({ slug: first.toUpperCase() }, bob), 409, ["slug"]);
  });

  test("under the same prefix in any case, but not under another", async () => {
    expect((await create({ slug: "shared", pathPrefix: "Summer" })).status).toBe(201);
    expectFailure(await create({ slug: "shared", pathPrefix: "/summer/" }), 409, ["slug"]);
    expect((await create({ slug: "shared", pathPrefix: "winter" })).status).toBe(201);
    expect((await create({ slug: "shared" })).status).toBe(201);
  });

  test("but not for a slug that is only another link's prefix", async () => {
    expect((await create({ slug: "b", pathPrefix: "a" })).status).toBe(201);
    expect((await create({ slug: "a" })).status).toBe(201);
    expect((await create({ slug: "a.b" })).status).toBe(201);
    const { body } = await create({ slug: "c", pathPrefix: "a/b" });
    expect(body.shortUrl).toBe(`http://${service.host}/a/b/c`);
  });

  test("or looks like one that is taken, until that link is deleted", async () => {
    const { body } = await create({ slug: "vacat1on" });
    expectFailure(await create({ slug: "vacation" }, bob), 409, ["slug"]);
    await call("DELETE", `/api/v1/organizations/${ada.orgId}/links/${body._id}`, { token: ada.token });
    expect((await create({ slug: "vacation" }, bob)).status).toBe(201);
  });

  test("by one of twenty simultaneous requests", async () => {
    const slugs = Array.from({ length: 20 }, (_, index) => (index % 2 ? "Contested" : "contested"));
    const replies = await Promise.all(slugs.map((slug, index) => create({ slug }, index % 3 ? ada : bob)));
    const statuses = replies.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([201, ...new Array(19).fill(409)]);
    const [row] = await sql`select count(*)::int as links from links where slug_key = 'contested'`;
    const [written] = await sql`select count(*)::int as revisions from link_revisions r
      join links l on l.id = r.link_id where l.slug_key = 'contested'`;
    expect([row?.links, written?.revisions]).toEqual([1, 1]);
  });
});

describe("201", () => {
  test.each([
    "a",
    "_",
    "-",
    "a.b",
    "__proto__",
    "constructor",
    "toString",
    "2026",
    "x".repeat(190),
    "東京",
    "日本語カナ",
    "한국어",
    "عربي",
    "עברית",
    "हिन्दी",
    "ภาษาไทย",
    "Ελληνικά",
    "résumé",
    "a+b",
    "c++",
    "~ada",
    "go!",
    "ｆｕｌｌ",
  ])("the slug %s is stored in NFC, and served in NFC and NFD", async (slug) => {
    const { status, body } = await create({ slug, pathPrefix: "any" });
    expect([status, body.slug]).toEqual([201, slug.normalize("NFC")]);
    const escaped = encodeURIComponent(slug.normalize("NFC")).replaceAll("%2B", "+");
    expect(body.shortUrl).toBe(`http://${service.host}/any/${escaped}`);
    expect((await service.visit(body)).status).toBe(302);
    expect((await service.visit(`/any/${encodeURIComponent(slug.normalize("NFD"))}`)).status).toBe(302);
  });

  test("special characters are served escaped or unescaped, and stand only for themselves", async () => {
    const { body } = await create({ slug: "Go+Now!~", defaultUrl: "https://shop.example.com/signs" });
    expect(body.shortUrl).toBe(`http://${service.host}/Go+Now!~`);
    for (const path of ["/Go+Now!~", "/go+now!~", "/go%2Bnow%21%7E", "/GO%2bNOW!%7e"]) {
      const reply = await rawGet(service.service.port, path, [`Host: ${service.host}`]);
      const location = reply.headers.find(([name]) => name === "location")?.[1];
      expect([path, reply.status, location]).toEqual([path, 302, "https://shop.example.com/signs"]);
    }
    for (const path of ["/go%20now!~", "/go now!~", "/gonow!~"]) {
      expect((await service.visit(encodeURI(path))).status).toBe(404);
    }
    const { status } = await call(
      "GET",
      `/api/v1/resolve?domain=${service.host}&slug=${encodeURIComponent(body.slug ?? "")}`,
    );
    expect(status).toBe(200);
  });

  test("letters of another width or style lead to the same link", async () => {
    await create({ slug: "style", defaultUrl: "https://shop.example.com/style" });
    for (const slug of ["ｓｔｙｌｅ", "𝐬𝐭𝐲𝐥𝐞", "STYLE"]) {
      const { headers } = await service.visit(`/${encodeURIComponent(slug)}`);
      expect(headers.get("location")).toBe("https://shop.example.com/style");
    }
    expect((await service.visit("/a%EF%BC%8Fb")).status).toBe(400);
  });

  test("generated slugs are unique and have seven characters without look-alikes", async () => {
    const replies = await Promise.all(Array.from({ length: 50 }, () => create({})));
    const slugs = replies.map(({ body }) => body.slug);
    for (const slug of slugs) expect(slug).toMatch(/^[2-9bcdfghjkmnpqrstvwxyz]{7}$/);
    expect(new Set(slugs).size).toBe(50);
  });

  test("slashes around a prefix are removed, and an empty prefix is omitted", async () => {
    expect((await create({ pathPrefix: "//spring/sale//", slug: "x" })).body.pathPrefix).toBe("spring/sale");
    for (const pathPrefix of ["", "/", "///"]) {
      const { status, body } = await create({ pathPrefix });
      expect([status, body.pathPrefix]).toEqual([201, undefined]);
    }
  });

  test("a link without a prefix gets its app's, and a link with a prefix keeps its own", async () => {
    const appProfileId = await addApp(service, ada.orgId, { pathPrefix: "shop/start" });
    expect((await create({ appProfileId })).body.pathPrefix).toBe("shop/start");
    expect((await create({ appProfileId, pathPrefix: "own" })).body.pathPrefix).toBe("own");
    expect((await create({ appProfileId, pathPrefix: "" })).body.pathPrefix).toBeUndefined();
  });
});

describe("on the shared domain, 409 for a slug that looks like one already taken", () => {
  test.each([
    ["a digit for a letter", "paypal", "paypa1"],
    ["a capital i for an l", "apple", "appIe"],
    ["what is written so by whoever passes it on", "google", "googie"],
    ["a zero for an o", "office", "0ffice"],
    ["rn for m", "modem", "modern"],
    ["Cyrillic letters alone", "cope", "\u0441\u043e\u0440\u0435"],
    ["Cyrillic letters whose capitals are Latin ones", "bohemkt", "\u0432\u043e\u043d\u0435\u043c\u043a\u0442"],
    ["Greek letters alone", "vuvo", "\u03bd\u03c5\u03bd\u03bf"],
    ["Cyrillic first", "\u0441\u0443\u0440", "cyp"],
  ])("%s", async (_, first, second) => {
    expect((await create({ slug: first })).status).toBe(201);
    const reply = await create({ slug: second }, bob);
    expectFailure(reply, 409, ["slug"]);
    expect(Object(reply.body).error).toBe("This slug looks too similar to one already used on its domain");
    expectFailure(await create({ slug: first }, bob), 409, ["slug"]);
  });

  test("also in bulk and for bio pages, but only under the same or a similar prefix", async () => {
    await create({ slug: "login-help", pathPrefix: "team" });
    expect((await create({ slug: "1ogin-help" }, bob)).status).toBe(201);
    expectFailure(await create({ slug: "1ogin-help", pathPrefix: "tearn" }, bob), 409, ["slug"]);
    const bulk = await call("POST", `/api/v1/organizations/${bob.orgId}/links/bulk`, {
      token: bob.token,
      body: {
        links: [
          { defaultUrl, slug: "login-he1p", pathPrefix: "team" },
          { defaultUrl, slug: "other-he1p" },
        ],
      },
    });
    expect(bulk.body).toMatchObject({ created: [{ slug: "other-he1p" }], errors: [{ index: 0 }] });
    const page = await call("POST", `/api/v1/organizations/${bob.orgId}/bio-pages`, {
      token: bob.token,
      body: { title: "Bob", slug: "Iogin-help" },
    });
    expectFailure(page, 409, ["slug"]);
  });

  test("by one of twenty simultaneous requests for similar slugs", async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        create({ slug: index % 2 ? "bi11ing" : "billing" }, index % 3 ? ada : bob),
      ),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...new Array(19).fill(409)]);
  });

  test("but not on an organization's own domain", async () => {
    const domainId = await addDomain(service, ada.orgId, { hostname: "slugs.acme.com" });
    for (const slug of ["mail", "mall", "ma1l"]) expect((await create({ slug, domainId })).status).toBe(201);
    expectFailure(await create({ slug: "MALL", domainId }), 409, ["slug"]);
  });
});
