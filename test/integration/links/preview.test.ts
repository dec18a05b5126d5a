import { describe, expect, test } from "bun:test";
import { addApp, addDomain, tableState } from "@test/support/accounts/tenants";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { expectFailure } from "@test/support/failure";
import { startTestService } from "@test/support/service";
import type { LinkPreview } from "@/contract/links/link-preview";
import type { LinkInput } from "@/contract/links/links";

const NOW = Date.parse("2026-06-10T12:00:00.000Z");
const service = await startTestService({ clock: () => NOW });
const { sql } = service;
const ada = await service.register();
const defaultUrl = "https://example.com/";
const create = (input: Partial<LinkInput>) => service.createLink(ada, { defaultUrl, ...input });
const preview = (body: unknown) =>
  service.call<LinkPreview & Record<string, unknown>>("POST", `/api/v1/organizations/${ada.orgId}/links/preview`, {
    token: ada.token,
    body,
  });
const known = await create({ slug: "Known", pathPrefix: "a", title: "Known", deepLinkPayload: { screen: "home" } });

describe("400", () => {
  test.each([
    ["nothing that identifies a link", {}, ["shortUrl"]],
    ["a domain alone", { domain: service.host }, ["shortUrl"]],
    ["a short URL without a path", { shortUrl: "https://go.example.com" }, ["shortUrl"]],
    ["a short URL that is none", { shortUrl: "https://" }, ["shortUrl"]],
    ["a short URL with a broken escape", { shortUrl: `${service.host}/%zz` }, ["shortUrl"]],
    ["an unknown platform", { slug: "a", platform: "windows" }, ["platform"]],
    ["an instant that is none", { slug: "a", now: "tomorrow" }, ["now"]],
    ["a day that does not exist", { slug: known.slug, pathPrefix: "a", now: "2026-02-30T00:00:00Z" }, ["now"]],
    ["an offset of more than a day", { slug: "a", timezoneOffsetMinutes: 1441 }, ["timezoneOffsetMinutes"]],
    ["a flag that is text", { slug: "a", randomizeVisitor: "true" }, ["randomizeVisitor"]],
  ])("%s", async (_, body, fields) => {
    expectFailure(await preview(body), 400, fields);
  });
});

describe("404", () => {
  test.each([
    ["an unknown slug", { slug: "nothing" }],
    ["a slug without its prefix", { slug: "known" }],
    ["another domain", { domain: "example.com", slug: "known", pathPrefix: "a" }],
    ["a short URL elsewhere", { shortUrl: "https://example.com/a/known" }],
    ["an empty short URL's slug", { shortUrl: `http://${service.host}/known` }],
  ])("%s", async (_, body) => {
    expectFailure(await preview(body), 404);
  });
});

describe("a link is found by", () => {
  test.each([
    ["its short URL", { shortUrl: known.shortUrl }],
    ["its short URL with a query and fragment", { shortUrl: `${known.shortUrl}?a=b#c` }],
    ["its short URL without scheme", { shortUrl: `${service.host}/a/Known` }],
    ["its short URL by another scheme and case", { shortUrl: `HTTPS://${service.host.toUpperCase()}/A/KNOWN/` }],
    ["domain, prefix and slug", { domain: service.host, pathPrefix: "a", slug: "known" }],
    ["prefix and slug", { pathPrefix: "/A/", slug: "KNOWN" }],
    ["its short URL before all else", { shortUrl: known.shortUrl, slug: "nothing", domain: "example.com" }],
  ])("%s", async (_, body) => {
    const reply = await preview(body);
    expect([reply.status, reply.body.link._id]).toEqual([200, known._id]);
  });
});

describe("200", () => {
  test("returns whether, where and why a visitor is sent, with the link and its payload", async () => {
    const { status, body } = await preview({
      shortUrl: known.shortUrl,
      platform: "ios",
      language: "de-AT",
      visitorId: "v",
    });
    expect(status).toBe(200);
    expect<unknown>(body).toEqual({
      ok: true,
      blockers: [],
      context: {
        platform: "ios",
        languages: ["de-AT"],
        minuteOfDay: 720,
        dayOfWeek: 3,
        now: "2026-06-10T12:00:00.000Z",
        query: "",
        referrer: "direct",
        visitorId: "v",
      },
      link: known,
      route: {
        kind: "default",
        ruleIndex: null,
        splitKey: null,
        destinationUrl: defaultUrl,
        storeSkipped: { reason: "no_app", note: "The shared domain has no app; name `appProfileId`" },
      },
      ruleTrace: [],
      blockedUrl: null,
      safety: { status: "unknown", reasons: [], checkedAt: expect.any(String) },
      deepLinkPayload: { screen: "home" },
    });
  });

  test("traces each condition of each rule, in the order in which the rules apply", async () => {
    const rules = [
      { priority: 2, destinationUrl: "https://example.com/late", conditions: { platform: ["ios" as const] } },
      {
        priority: 1,
        destinationUrl: "https://example.com/first",
        conditions: { countries: ["DE"], minOsVersion: "17" },
      },
      { priority: 3, destinationUrl: "https://example.com/all" },
    ];
    const { slug } = await create({ rules });
    const { body } = await preview({ slug, platform: "ios", osVersion: "17.1", country: "FR" });
    expect<unknown>(body.route).toEqual({
      kind: "rule",
      ruleIndex: 0,
      splitKey: null,
      destinationUrl: "https://example.com/late",
      storeSkipped: expect.objectContaining({ reason: "no_app" }),
    });
    expect(body.ruleTrace.map(({ index, priority, matched }) => [index, priority, matched])).toEqual([
      [1, 1, false],
      [0, 2, true],
      [2, 3, true],
    ]);
    expect(body.ruleTrace[0]?.conditions.toSorted((a, b) => a.field.localeCompare(b.field))).toEqual([
      { field: "countries", expected: ["DE"], actual: "FR", matched: false },
      { field: "minOsVersion", expected: "17", actual: "17.1", matched: true },
    ]);
    expect(body.ruleTrace[2]?.conditions).toEqual([]);
  });

  test("the query of the short URL counts, unless another is given", async () => {
    const rules = [
      { destinationUrl: "https://example.com/tv", conditions: { query: [{ name: "src", values: ["tv"] }] } },
    ];
    const { shortUrl } = await create({ rules });
    const lead = async (body: object) => (await preview(body)).body.route.destinationUrl;
    expect(await lead({ shortUrl: `${shortUrl}?src=tv&a=%20b#part` })).toBe("https://example.com/tv?src=tv&a=%20b");
    expect(await lead({ shortUrl: `${shortUrl}?src=tv`, query: "src=radio" })).toBe(`${defaultUrl}?src=radio`);
    expect(await lead({ shortUrl: `${shortUrl}?src=tv`, query: "" })).toBe(defaultUrl);
  });

  test("a condition on an unknown value fails, and the value is shown as unknown", async () => {
    const { slug } = await create({ rules: [{ destinationUrl: defaultUrl, conditions: { browsers: ["Chrome"] } }] });
    const [rule] = (await preview({ slug })).body.ruleTrace;
    expect(rule?.matched).toBe(false);
    expect(rule?.conditions[0]?.actual ?? null).toBeNull();
  });

  test.each([
    ["a browser east of UTC says a negative offset", -120, 14 * 60, 3],
    ["a browser west of UTC says a positive offset", 300, 7 * 60, 3],
    ["the day turns with the offset", 750, 23 * 60 + 30, 2],
  ])("%s", async (_, timezoneOffsetMinutes, minuteOfDay, dayOfWeek) => {
    const { body } = await preview({ shortUrl: known.shortUrl, timezoneOffsetMinutes });
    expect(body.context).toMatchObject({ minuteOfDay, dayOfWeek });
  });

  test("now is the time that startsAt and expiresAt are compared with", async () => {
    const { slug } = await create({ startsAt: "2026-07-01T00:00:00Z", expiresAt: "2026-08-01T00:00:00Z" });
    const at = async (now: string) => (await preview({ slug, now })).body.blockers;
    expect(await at("2026-06-30T23:59:59.999Z")).toEqual(["not_started"]);
    expect(await at("2026-07-01T02:00:00+02:00")).toEqual([]);
    expect(await at("2026-08-01T00:00:00Z")).toEqual(["expired"]);
  });

  test("with the password that the short URL carries, as for a visitor", async () => {
    const link = await create({ password: "open sesame" });
    const inQuery = async (query: string) => (await preview({ slug: link.slug, query })).body.blockers;
    expect(await inQuery("a=1&pw=open+sesame")).toEqual([]);
    expect(await inQuery("password=open%20sesame")).toEqual([]);
    expect(await inQuery("pw=wrong")).toEqual(["password_incorrect"]);
    expect(await inQuery("pw=")).toEqual(["password_required"]);
    expect((await preview({ slug: link.slug, query: "pw=wrong", password: "open sesame" })).body.blockers).toEqual([]);
    const { body } = await preview({
      shortUrl: `${link.shortUrl}?pw=wrong`,
      contexts: [{ query: "pw=open%20sesame&b=2" }, { query: "" }, {}],
    });
    expect(body.blockers).toEqual(["password_incorrect"]);
    expect(body.contexts?.map(({ blockers }) => blockers.join())).toEqual([
      "",
      "password_required",
      "password_incorrect",
    ]);
  });

  test("with a missing, wrong or right password", async () => {
    const { slug } = await create({ password: "open sesame" });
    expect((await preview({ slug })).body.blockers).toEqual(["password_required"]);
    expect((await preview({ slug, password: "wrong" })).body.blockers).toEqual(["password_incorrect"]);
    const right = await preview({ slug, password: "open sesame" });
    expect([right.body.ok, right.body.blockers]).toEqual([true, []]);
    expect(JSON.stringify(right.body)).not.toContain("sesame");
  });

  test("a blocked link still shows its route", async () => {
    const { slug } = await create({ isActive: false, expiresAt: "2020-01-01T00:00:00Z", password: "open sesame" });
    const { body } = await preview({ slug, password: "wrong" });
    expect([body.ok, body.blockers]).toEqual([false, ["inactive", "expired", "password_incorrect"]]);
    expect(body.route.destinationUrl).toBe(defaultUrl);
  });

  test("randomizeVisitor draws a target by weight, and a visitor keeps the same target", async () => {
    const target = (key: string, weight: number) => ({ key, weight, destinationUrl: `https://${key}.example.com/` });
    const { slug } = await create({ splitTargets: [target("a", 1), target("b", 1), target("never", 0)] });
    const keysOf = async (body: Record<string, unknown>) =>
      new Set(
        await Promise.all(
          Array.from({ length: 40 }, async () => (await preview({ slug, ...body })).body.route.splitKey),
        ),
      );
    expect(await keysOf({ randomizeVisitor: true, visitorId: "v" })).toEqual(new Set(["a", "b"]));
    expect((await keysOf({ visitorId: "v" })).size).toBe(1);
    expect((await keysOf({ randomizeVisitor: false })).size).toBe(1);
  });

  test("a phone is routed to the store, without a token", async () => {
    const appProfileId = await addApp(service, ada.orgId, { android: { packageName: "com.example.app" } });
    const { slug } = await create({ appProfileId, slug: "store" });
    const { body } = await preview({ slug, platform: "android", deviceType: "mobile" });
    expect<unknown>(body.route).toEqual({
      kind: "store",
      ruleIndex: null,
      splitKey: null,
      destinationUrl: "https://play.google.com/store/apps/details?id=com.example.app",
      storeSkipped: null,
    });
  });

  describe("says why a visitor is not sent to a store:", async () => {
    const eve = await service.register();
    const [android, pathPrefix] = [{ packageName: "com.example.app" }, "get-app"];
    const app = await addApp(service, eve.orgId, { android, pathPrefix });
    const web = await addApp(service, eve.orgId, { android, pathPrefix, fallback: "web" });
    const empty = await addApp(service, eve.orgId, { pathPrefix });
    const gone = await addApp(service, eve.orgId, { android, pathPrefix });
    const domainId = await addDomain(service, eve.orgId, { hostname: "go.eve.test" });
    const rule = { destinationUrl: "https://example.com/rule" };
    const split = { key: "a", destinationUrl: "https://example.com/a", weight: 1 };
    const phone = { platform: "android", deviceType: "mobile" };

    test.each<[string, Partial<LinkInput>, object, string, string]>([
      ["the shared domain", {}, phone, "no_app", "The shared domain has no app; name `appProfileId`"],
      ["a domain of its own without an app", { domainId }, phone, "no_app", "app-config names no app"],
      ["an app profile that names no app", { appProfileId: empty }, phone, "no_app", "give it `ios` or `android`"],
      ["an app profile that is gone", { appProfileId: gone }, phone, "no_app", "was deleted"],
      ["an app that prefers the web", { appProfileId: web }, phone, "web_fallback", "`fallback` is `web`"],
      ["a rule", { appProfileId: app, rules: [rule] }, phone, "rule", "Rule 1"],
      ["a split", { appProfileId: app, splitTargets: [split] }, phone, "split", "split targets"],
      ["no platform", { appProfileId: app }, {}, "platform", "set `platform`"],
      ["a computer", { appProfileId: app }, { platform: "desktop" }, "platform", "not `desktop`"],
      ["a television", { appProfileId: app }, { ...phone, deviceType: "smarttv" }, "device", "not `smarttv`"],
      ["an app without an id there", { appProfileId: app }, { platform: "ios" }, "no_store_id", "`ios.appStoreId`"],
    ])("%s", async (_, input, visitor, reason, part) => {
      const { shortUrl } = await service.createLink(eve, { defaultUrl, ...input });
      if (input.appProfileId === gone) await sql`delete from app_profiles where id = ${gone}`;
      const { body } = await service.call<LinkPreview>("POST", `/api/v1/organizations/${eve.orgId}/links/preview`, {
        token: eve.token,
        body: { shortUrl, ...visitor },
      });
      expect(body.route.storeSkipped).toEqual({ reason: expect.stringContaining(reason), note: expect.any(String) });
      expect(body.route.storeSkipped?.note).toContain(part);
    });
  });

  test.each([
    ["behind 64 others that rules name", Array.from({ length: 64 }, (_, index) => `p${index % 8}=${index >> 3}`)],
    [
      "behind 1,024 characters that rules name",
      [`p0=${"x".repeat(240)}`, "p1", ..."23456".split("").map((n) => `p${n}=${"y".repeat(250)}`)],
    ],
  ])("a parameter %s is not read, as in a visit", async (_, before) => {
    const parameters = Array.from({ length: 8 }, (_, name) => ({
      name: `p${name}`,
      values: [...Array.from({ length: 8 }, (_, value) => `${value}`), "x".repeat(240), "y".repeat(250)],
    }));
    const named = parameters.map((parameter, index) => ({
      destinationUrl: `https://example.com/${index}`,
      conditions: { query: [parameter, { name: "never" }] },
    }));
    const last = { destinationUrl: "https://example.com/tv", conditions: { query: [{ name: "src", values: ["tv"] }] } };
    const { slug } = await create({ rules: [...named, last] });
    const routed = async (query: string) => {
      const [{ body }, visit] = await Promise.all([preview({ slug, query }), service.visit(`/${slug}?${query}`)]);
      expect(new URL(visit.headers.get("location") ?? "").pathname).toBe(new URL(body.route.destinationUrl).pathname);
      return body.route.ruleIndex;
    };
    expect(await routed("src=tv")).toBe(8);
    expect(await routed([...before, "src=tv"].join("&"))).toBeNull();
  });

  test("the trace has the value that a visitor sent, though no rule lists it", async () => {
    const rules = [
      { destinationUrl: "https://example.com/tv", conditions: { query: [{ name: "src", values: ["tv"] }] } },
    ];
    const { slug } = await create({ rules });
    const { body } = await preview({ slug, query: "a=1&src=radio" });
    expect(body.ruleTrace[0]?.conditions[0]?.actual).toEqual([{ name: "src", value: "radio" }]);
    expect(body.context).toMatchObject({ query: "a=1&src=radio" });
  });

  test("a slug alone finds the oldest of the links with it on several domains", async () => {
    const domainId = await addDomain(service, ada.orgId, { hostname: "go.ada.test" });
    const first = await create({ slug: "several", domainId });
    const second = await create({ slug: "several" });
    expect((await preview({ slug: "several" })).body.link._id).toBe(first._id);
    expect((await preview({ slug: "several", domain: "go.ada.test" })).body.link._id).toBe(first._id);
    expect((await preview({ slug: "several", domain: service.host })).body.link._id).toBe(second._id);
  });
});

test("a preview writes nothing and fetches nothing", async () => {
  const fetched: string[] = [];
  const target = Bun.serve({
    port: 0,
    fetch(request) {
      fetched.push(request.url);
      return new Response();
    },
  });
  const { slug } = await create({ defaultUrl: `http://localhost:${target.port}/`, maxClicks: 1 });
  await waitUntilDrained(service.service);
  const before = await tableState(sql);
  for (let round = 1; round <= 5; round++) await preview({ slug, platform: "ios", visitorId: `${round}` });
  await waitUntilDrained(service.service);
  expect(await tableState(sql)).toEqual(before);
  await target.stop(true);
  expect(fetched).toEqual([]);
});
