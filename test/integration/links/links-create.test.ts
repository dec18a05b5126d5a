import { describe, expect, test } from "bun:test";
import { tableState } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import { startTestService } from "@test/support/service";
import type { Link } from "@/contract/links/links";

const service = await startTestService();
const { call, sql } = service;
const ada = await service.register();
const path = `/api/v1/organizations/${ada.orgId}/links`;
const defaultUrl = "https://example.com/";
const destinationUrl = defaultUrl;

type Body = Link & Record<string, unknown>;
const create = (body: unknown) => call<Body>("POST", path, { token: ada.token, body });
const levels = (count: number): unknown => (count === 0 ? 1 : { a: levels(count - 1) });
/** Returns an object whose JSON has that many bytes. */
const bytes = (length: number) => ({ a: "x".repeat(length - '{"a":""}'.length) });

describe("400 names the invalid field:", () => {
  const destinations: [name: string, url: string][] = [
    ["no URL", "example"],
    ["a path", "/path"],
    ["a URL without its scheme", "//example.com/"],
    ["ftp", "ftp://example.com/"],
    ["javascript", "javascript:alert(1)"],
    ["javascript behind a line break", "java\nscript:alert(1)"],
    ["data", "data:text/html,<h1>"],
    ["an app's scheme", "myapp://home"],
    ["a scheme without a host", "https://"],
    ["a user name", "https://user@example.com/"],
    ["a user name and password", "https://user:secret@example.com/"],
    ["a port that is none", "https://example.com:99999/"],
    ["a host that is none", "https://exa mple.com/"],
    ["2,049 characters", `https://example.com/${"a".repeat(2029)}`],
    ["more than 2,048 characters once escaped", `https://example.com/${"ä".repeat(400)}`],
  ];
  test.each(destinations)("a destination that is %s, in any field", async (_, url) => {
    const places = {
      defaultUrl: url,
      rules: [{ destinationUrl }, { destinationUrl: url }],
      splitTargets: [{ key: "a", destinationUrl: url }],
      ctaOverlay: { enabled: true, buttonUrl: url },
    };
    const fields = ["defaultUrl", "rules[1].destinationUrl", "splitTargets[0].destinationUrl", "ctaOverlay.buttonUrl"];
    expectFailure(await create(places), 400, fields);
  });

  test.each<[string, Record<string, unknown>, string[]]>([
    ["a title of 256 characters", { title: "a".repeat(256) }, ["title"]],
    ["51 rules", { rules: new Array(51).fill({ destinationUrl }) }, ["rules"]],
    [
      "21 split targets",
      { splitTargets: Array.from({ length: 21 }, (_, index) => ({ key: `${index}`, destinationUrl })) },
      ["splitTargets"],
    ],
    [
      "a split key twice",
      {
        splitTargets: [
          { key: "a", destinationUrl },
          { key: "a", destinationUrl },
        ],
      },
      ["splitTargets[1].key"],
    ],
    ["an overlay's button without a text for URL", { ctaOverlay: { buttonUrl: 5 } }, ["ctaOverlay.buttonUrl"]],
    ["21 tags", { tags: Array.from({ length: 21 }, (_, index) => `${index}`) }, ["tags"]],
    ["a tag of 51 characters", { tags: ["a", "b".repeat(51)] }, ["tags[1]"]],
    ["an empty tag", { tags: [""] }, ["tags[0]"]],
    ["a blank tag", { tags: ["a", " "] }, ["tags[1]"]],
    ["maxClicks of zero", { maxClicks: 0 }, ["maxClicks"]],
    ["maxClicks past a billion", { maxClicks: 1_000_000_001 }, ["maxClicks"]],
    ["a password of three characters", { password: "abc" }, ["password"]],
    ["a password of 129 characters", { password: "a".repeat(129) }, ["password"]],
    [
      "a start that is its end",
      { startsAt: "2030-01-01T00:00:00Z", expiresAt: "2030-01-01T01:00:00+01:00" },
      ["expiresAt"],
    ],
    ["a start after its end", { startsAt: "2030-01-02T00:00:00Z", expiresAt: "2030-01-01T00:00:00Z" }, ["expiresAt"]],
    ["the 30th of February", { startsAt: "2030-02-30T00:00:00Z" }, ["startsAt"]],
    ["an end in the year 10000", { expiresAt: "9999-12-31T23:59:59-14:00" }, ["expiresAt"]],
    ["a start in the year 0", { startsAt: "0000-01-01T00:00:00Z" }, ["startsAt"]],
    ["a fraction of a minute", { startsAt: "2030-01-01T00:00.5Z" }, ["startsAt"]],
    ["an end without an offset", { expiresAt: "2030-01-01T00:00:00" }, ["expiresAt"]],
    [
      "an hour there is not",
      { rules: [{ destinationUrl, conditions: { startTime: "24:00" } }] },
      ["rules[0].conditions.startTime"],
    ],
    [
      "a day of the week there is not",
      { rules: [{ destinationUrl, conditions: { daysOfWeek: [0, 7] } }] },
      ["rules[0].conditions.daysOfWeek[1]"],
    ],
    [
      "several faults at once",
      { defaultUrl: "x", tags: [" "], title: "a", startsAt: "2030-02-30T00:00:00Z" },
      ["defaultUrl", "startsAt", "tags[0]"],
    ],
  ])("%s", async (_, fields, names) => {
    expectFailure(await create({ defaultUrl, ...fields }), 400, names);
  });

  test("a payload over 16 KB or 32 levels", async () => {
    const field = "deepLinkPayload";
    expectFailure(await create({ defaultUrl, [field]: bytes(16 * 1024 + 1) }), 400, [field]);
    expectFailure(await create({ defaultUrl, [field]: levels(33) }), 400, [field]);
    expect<unknown>((await create({ defaultUrl, [field]: bytes(16 * 1024) })).body[field]).toEqual(bytes(16 * 1024));
    expect<unknown>((await create({ defaultUrl, [field]: levels(32) })).body[field]).toEqual(levels(32));
  });

  test("a destination that is the link's own short URL, however it is written", async () => {
    const own = (slug: string) => `http://${service.host}/${slug}`;
    const ways = [own("loop"), own("LOOP"), own("/loop//"), own("%6Coop?a=b#c"), own("%EF%BD%8Coop")];
    for (const url of [...ways, `https://${service.host}/loop`]) {
      const places = {
        slug: "loop",
        defaultUrl: url,
        rules: [{ destinationUrl: url }],
        splitTargets: [{ key: "a", destinationUrl: url }],
        ctaOverlay: { buttonUrl: url },
      };
      const fields = [
        "ctaOverlay.buttonUrl",
        "defaultUrl",
        "rules[0].destinationUrl",
        "splitTargets[0].destinationUrl",
      ];
      expectFailure(await create(places), 400, fields);
    }
    expect((await create({ slug: "loop", defaultUrl: own("loop-not") })).status).toBe(201);
  });

  test("nothing is written", async () => {
    const before = await tableState(sql);
    await create({ defaultUrl, tags: [" "] });
    await create({ defaultUrl: `http://${service.host}/own`, slug: "own" });
    await create({ defaultUrl, startsAt: "2030-01-02T00:00:00Z", expiresAt: "2030-01-01T00:00:00Z" });
    expect(await tableState(sql)).toEqual(before);
  });
});

const complete = {
  title: "Spring sale",
  slug: "Spring-Sale_1.0",
  pathPrefix: "Offers/2026",
  defaultUrl: "https://example.com/sale?a=b#top",
  rules: [
    { priority: 5, destinationUrl: "https://example.com/ios", conditions: { platform: ["ios"], minOsVersion: "17.2" } },
    { destinationUrl: "https://example.com/all" },
  ],
  splitTargets: [
    { key: "a", label: "A", destinationUrl: "https://example.com/a", weight: 3, isActive: true },
    { key: "b", destinationUrl: "https://example.com/b", weight: 0, isActive: false },
  ],
  deepLinkPayload: { screen: "sale", id: 5, nested: { list: [1, null, "x"] } },
  utm: { source: "mail", medium: "email", campaign: "spring", term: "", content: "🦊" },
  marketing: { referralCode: "r", affiliateId: "a", couponCode: "c", promoCode: "p", appendToDestination: true },
  leadCapture: { enabled: false, title: "Sign up" },
  retargetingPixels: [{ provider: "meta", id: "1" }],
  ctaOverlay: { enabled: false, buttonUrl: "https://example.com/cta" },
  social: { title: "Sale", description: "Zeile 1\nZeile 2", imageUrl: "https://example.com/sale.png" },
  startsAt: "2020-01-01T00:00:00.000Z",
  expiresAt: "2099-01-01T00:00:00.000Z",
  maxClicks: 1_000_000_000,
  tags: ["spring", "sale"],
  externalId: "campaign-7",
  notes: "On the red flyers",
};

describe("201", () => {
  test("returns the whole link, which reads the same with a session and with an API key", async () => {
    const { status, body } = await create({ ...complete, password: "open sesame" });
    expect(status).toBe(201);
    expect<unknown>(body).toEqual({
      ...complete,
      _id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/),
      orgId: ada.orgId,
      domainId: body.domainId,
      shortUrl: `http://${service.host}/Offers/2026/Spring-Sale_1.0`,
      passwordProtected: true,
      isActive: true,
      isArchived: false,
      clickCount: 0,
      safety: { status: "unknown", reasons: [], checkedAt: expect.any(String) },
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: body.createdAt,
    });
    const apiKey = await service.createApiKey(ada, ["links:read"]);
    const read: Body = { ...body, blockers: ["password_required"] };
    expect((await call<Body>("GET", `${path}/${body._id}`, { token: ada.token })).body).toEqual(read);
    expect((await call<Body>("GET", `/api/v1/links/${body._id}`, { apiKey })).body).toEqual(read);
  });

  test("with an API key, for the key's organization", async () => {
    const apiKey = await service.createApiKey(ada, ["links:write"]);
    const { status, body } = await call<Body>("POST", "/api/v1/links", {
      apiKey,
      body: { defaultUrl, slug: "by-key" },
    });
    expect([status, body.orgId, body.slug]).toEqual([201, ada.orgId, "by-key"]);
  });

  test("with only a destination", async () => {
    const { body } = await create({ defaultUrl: "HTTPS://EXAMPLE.com" });
    expect(Object.keys(body).toSorted()).toEqual(
      ["_id", "clickCount", "createdAt", "defaultUrl", "domainId", "isActive", "isArchived", "orgId"].concat([
        "passwordProtected",
        "retargetingPixels",
        "rules",
        "safety",
        "shortUrl",
        "slug",
        "splitTargets",
        "tags",
        "updatedAt",
      ]),
    );
    expect(body.defaultUrl).toBe("https://example.com/");
  });

  test("null is the same as absent", async () => {
    const fields = Object.keys(complete).filter((field) => field !== "defaultUrl");
    const nothing = Object.fromEntries(
      [...fields, "domainId", "appProfileId", "password"].map((field) => [field, null]),
    );
    const { status, body } = await create({ defaultUrl, ...nothing });
    expect(status).toBe(201);
    expect(Object.keys(body)).not.toContain("title");
    expect([body.tags, body.rules, body.passwordProtected]).toEqual([[], [], false]);
  });

  test.each(["", " ", "\t\u3000"])("the title %j is none", async (title) => {
    const { status, body } = await create({ defaultUrl, title });
    expect([status, Object.keys(body).includes("title")]).toEqual([201, false]);
  });

  test("inactive from the start", async () => {
    const { body } = await create({ defaultUrl, isActive: false, slug: "asleep" });
    expect(body.isActive).toBe(false);
    expect((await service.visit("/asleep")).status).toBe(404);
  });

  test.each([
    ["a host in capitals and a default port", "HTTPS://Example.COM:443/A?b=C#D", "https://example.com/A?b=C#D"],
    [
      "letters beyond ASCII",
      "https://bücher.example/straße?q=ä#ö",
      "https://xn--bcher-kva.example/stra%C3%9Fe?q=%C3%A4#%C3%B6",
    ],
    ["dots in its path", "https://example.com/a/../b/./c", "https://example.com/b/c"],
    ["spaces around it", "  https://example.com/a b  ", "https://example.com/a%20b"],
    ["line breaks within it", "https://example.com/a\r\nb: c", "https://example.com/ab:%20c"],
    ["backslashes", "https:\\\\example.com\\a", null],
    ["quotes and brackets", 'https://example.com/"<>', "https://example.com/%22%3C%3E"],
    ["an IPv6 host", "http://[::1]:8080/", "http://[::1]:8080/"],
    ["a number for a host", "http://2130706433/", "http://127.0.0.1/"],
    ["2,048 characters", `https://example.com/${"a".repeat(2028)}`, `https://example.com/${"a".repeat(2028)}`],
  ])("a destination with %s is normalised", async (_, url, normalised) => {
    const { status, body } = await create({ defaultUrl: url, rules: [{ destinationUrl: url }] });
    if (normalised === null) return expect(status).toBe(400);
    expect([status, body.defaultUrl, body.rules[0]?.destinationUrl]).toEqual([201, normalised, normalised]);
  });

  test("tags are trimmed, normalised and stored once each, in order", async () => {
    const { body } = await create({ defaultUrl, tags: [" b ", "a", "b", "cafe\u0301", "caf\u00e9", "B"] });
    expect(body.tags).toEqual(["b", "a", "caf\u00e9", "B"]);
  });

  test("values at the limits are accepted", async () => {
    const { status, body } = await create({
      defaultUrl,
      title: "a".repeat(255),
      tags: Array.from({ length: 20 }, (_, index) => `${index}`.padStart(50, "x")),
      rules: new Array(50).fill({ destinationUrl }),
      splitTargets: Array.from({ length: 20 }, (_, index) => ({ key: `${index}`, destinationUrl, weight: 1_000_000 })),
      maxClicks: 1,
    });
    expect([status, body.tags.length, body.rules.length, body.splitTargets.length]).toEqual([201, 20, 50, 20]);
  });
});

describe("a creation", () => {
  test("returns every field as a later read does", async () => {
    const { status, body } = await create({
      ...complete,
      slug: "read-back",
      externalId: "read-back",
      password: "sesame",
      notes: "n",
      isArchived: true,
    });
    expect(status).toBe(201);
    const { body: read } = await call<Body>("GET", `${path}/${body._id}`, { token: ada.token });
    expect<unknown>(read).toEqual({ ...body, blockers: ["password_required"] });
  });

  test("is stored entirely or not at all, with or without a webhook", async () => {
    await sql.unsafe(`
      create function refuse_audit() returns trigger language plpgsql as $$
      begin if new.changes -> 'title' ->> 'to' = 'refused' then raise exception 'refused'; end if; return new; end $$;
      create trigger refuse_audit before insert on audit_logs for each row execute function refuse_audit()`);
    const before = await tableState(sql);
    expect((await create({ defaultUrl, title: "refused", tags: ["a"] })).status).toBe(500);
    expect(await tableState(sql)).toEqual(before);
    const webhook = await call("POST", `/api/v1/organizations/${ada.orgId}/webhooks`, {
      token: ada.token,
      body: { url: "https://hooks.example.com/", events: ["link.created"] },
    });
    expect(webhook.status).toBe(200);
    const listening = await tableState(sql);
    expect((await create({ defaultUrl, title: "refused" })).status).toBe(500);
    expect(await tableState(sql)).toEqual(listening);
    const { body } = await create({ defaultUrl, title: "told" });
    const [told] = await sql`
      select count(*)::int as deliveries, (select count(*)::int from link_revisions where link_id = ${body._id}) as revisions,
        (select count(*)::int from audit_logs where resource_id = ${body._id}) as entries
      from webhook_deliveries where body::jsonb -> 'data' ->> '_id' = ${body._id}`;
    expect(told).toEqual({ deliveries: 1, revisions: 1, entries: 1 });
  });
});
