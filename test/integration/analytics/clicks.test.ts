/** Single clicks and why each led where it did, from the visit over HTTP to the response of the API. */
import { beforeAll, describe, expect, test } from "bun:test";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { type Account, CLIENT_HEADER, startTestService } from "@test/support/service";
import type { BreakdownAnswer } from "@/contract/analytics/breakdown";
import type { ClickDetail, ClickPage } from "@/contract/analytics/clicks";
import type { OverviewAnswer } from "@/contract/analytics/overview";
import type { BioPage } from "@/contract/links/bio-pages";
import type { Link, LinkInput } from "@/contract/links/links";
import { createCsvReader } from "@/core/csv/reader";

const service = await startTestService();
const { sql } = service;
const ada = await service.register();
const eve = await service.register();
const home = `/api/v1/organizations/${ada.orgId}`;
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 Version/17.4 Mobile/15E148 Safari/604.1";
const LINUX = "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0";
const to = (name: string) => `https://example.com/${name}`;

const ask = <Body>(path: string, { token }: Account = ada) => service.call<Body>("GET", path, { token });
const list = async (query = "") => (await ask<ClickPage>(`${home}/analytics/clicks?${query}`)).body;
const detail = async (id: string) => (await ask<ClickDetail>(`${home}/analytics/clicks/${id}`)).body;
const change = (link: Link, body: object) =>
  service.call("PATCH", `${home}/links/${link._id}`, { token: ada.token, body });

let addresses = 0;
const visit = (link: Link, headers: Record<string, string> = {}) =>
  service.visit(link, { "user-agent": LINUX, [CLIENT_HEADER]: `81.2.69.${++addresses % 250}`, ...headers });

let ruled: Link;
let split: Link;
let newest: string[];
beforeAll(async () => {
  const rules: LinkInput["rules"] = [
    { priority: 2, destinationUrl: to("german"), conditions: { languages: ["de"] } },
    { priority: 1, destinationUrl: to("phone"), conditions: { platform: ["ios"], countries: ["GB"] } },
  ];
  ruled = await service.createLink(ada, { slug: "ruled", defaultUrl: to("ruled"), rules, tags: ["spring"] });
  const splitTargets = ["a", "b"].map((key) => ({ key, destinationUrl: to(key) }));
  split = await service.createLink(ada, { slug: "split", defaultUrl: to("split"), splitTargets });
  await visit(ruled, { "user-agent": IPHONE, "accept-language": "en-GB,de;q=0.9,fr;q=0.5" });
  await visit(ruled, { "accept-language": "en-GB,de;q=0.9,fr;q=0.5" });
  await visit(ruled, { "accept-language": "en" });
  await change(ruled, { rules: [], defaultUrl: to("changed") });
  await visit(ruled);
  for (let times = 0; times < 6; times++) await visit(split);
  await visit(split, { "user-agent": "curl/8.0" });
  await waitUntilDrained(service.service);
  newest = (await sql`select id from clicks where not is_bot order by occurred_at desc, id desc`).map(({ id }) => id);
});

describe("a list of clicks", () => {
  test("is complete over all pages, newest first", async () => {
    const ids: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page: ClickPage = await list(`limit=3${cursor && `&cursor=${cursor}`}`);
      ids.push(...page.clicks.map(({ _id }) => _id));
      cursor = page.nextCursor;
    }
    expect(ids).toEqual(newest);
    expect(newest).toHaveLength(10);
  });

  test.each([
    ["the link", () => `linkId=${split._id}`, 6],
    ["bots", () => `linkId=${split._id}&includeBots=true`, 7],
    ["a tag that links have now", () => "tag=spring", 4],
    ["a tag that none has", () => "tag=autumn", 0],
    ["what is known of the visitor", () => "platform=ios&country=GB&os=iOS&referrer=direct&utmSource=none", 1],
    ["the rule", () => "rule=0", 1],
    ["no rule", () => `rule=none&linkId=${ruled._id}`, 2],
    ["the destination", () => `destination=${to("changed")}`, 1],
    ["the domain", () => `domainId=${split.domainId}`, 10],
    ["any of several links", () => `linkId=${split._id}&linkId=${ruled._id}`, 10],
    ["one link, written in two ways", () => `linkId=${split._id}&linkId=${split._id.toUpperCase()}`, 6],
    ["any value of a field, and all fields", () => `rule=0&rule=none&destination=${to("changed")}&tag=x&tag=spring`, 1],
    ["a range that has ended", () => "to=2026-01-01T00:00:00Z", 0],
  ])("is filtered by %s", async (_, query, count) => {
    expect((await list(query())).clicks).toHaveLength(count);
  });

  test("is also a CSV file, with the same filters and without IP addresses", async () => {
    const csv = async (query: string) => {
      const { body, headers } = await ask<string>(`${home}/analytics/clicks/export.csv?${query}`);
      expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
      const reader = createCsvReader();
      const [names = [], ...records] = reader.push(body);
      return records.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index]])));
    };
    const all = await csv("");
    expect(all.map(({ _id }) => _id)).toEqual(newest);
    expect(await csv(`linkId=${split._id}&includeBots=true`)).toHaveLength(7);
    expect(await csv(`linkId=${split._id}&linkId=${split._id.toUpperCase()}`)).toHaveLength(6);
    expect(await csv("platform=ios")).toEqual([
      expect.objectContaining({
        linkId: ruled._id,
        country: "GB",
        language: "en-GB",
        os: "iOS",
        routeKind: "rule",
        isBot: "false",
      }),
    ]);
    expect(JSON.stringify(all)).not.toContain("81.2.69");
    expect(Object.keys(all[0] ?? {}).filter((name) => /addr|\bip\b/i.test(name))).toEqual([]);
  });

  test("and an overview accept ids in upper case", async () => {
    const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const range = `from=${at(-1)}&to=${at(1)}`;
    const overview = async (query: string) => (await ask(`${home}/analytics/overview?${range}&${query}`)).body;
    const [once, twice] = [`linkId=${split._id}`, `linkId=${split._id.toUpperCase()}&linkId=${split._id}`];
    expect(await overview(twice)).toEqual(await overview(once));
  });

  test("refuses an invalid cursor, an invalid rule and an unknown link", async () => {
    for (const [query, status] of [
      ["cursor=bm9uZQ", 400],
      ["rule=first", 400],
      [`linkId=${eve.orgId}`, 404],
    ]) {
      expect((await ask(`${home}/analytics/clicks?${query}`)).status).toBe(Number(status));
    }
  });

  test("searches a limited number of clicks per request, and continues there with the cursor", async () => {
    const { linkId } = await detail(newest[0] ?? "");
    await sql`
      insert into clicks (id, occurred_at, org_id, link_id, visitor, platform, route_kind, destination_url, is_bot,
        bot_reasons, spam_score, country)
      select gen_random_uuid(), now() - interval '1 day' - number * interval '1 second', ${ada.orgId}, ${linkId}, number,
        'other', 'default', '', false, '{}', 0, case number when 6000 then 'NZ' end
      from generate_series(1, 6000) as number`;
    const first = await list("country=NZ");
    expect([first.clicks.length, first.nextCursor === null]).toEqual([0, false]);
    const second = await list(`country=NZ&cursor=${first.nextCursor}`);
    expect([second.clicks.length, second.nextCursor]).toEqual([1, null]);
    await sql`delete from clicks where occurred_at < now() - interval '12 hours'`;
  });
});

describe("the detail of a click explains", () => {
  test("which rule matched, although the link has none now, without any IP address", async () => {
    const [click] = (await list("rule=1")).clicks;
    const told = await detail(click?._id ?? "");
    expect(told).toMatchObject({
      languages: ["en-GB", "de"],
      linkVersion: 1,
      route: { kind: "rule", ruleIndex: 1, splitKey: null, destinationUrl: to("phone") },
      why: { basis: "version", version: 1, isSame: true, text: "Rule 1 is the first whose conditions all match" },
    });
    expect(told.localTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/);
    expect(told.why.route).toEqual(told.route);
    expect(told.why.ruleTrace).toMatchObject([
      {
        index: 1,
        matched: true,
        conditions: [
          { actual: "ios", matched: true },
          { field: "countries", actual: "GB", matched: true },
        ],
      },
      {
        index: 0,
        matched: true,
        conditions: [{ field: "languages", expected: ["de"], actual: ["en-GB", "de"], matched: true }],
      },
    ]);
    expect(JSON.stringify(told)).not.toMatch(/81\.2\.69|address/i);
  });

  test.each([
    ["a rule's second language", "rule=0", "Rule 2 is the first whose conditions all match"],
    ["that no rule held", "destination=https://example.com/ruled", /^No rule matches, and neither .* the default/],
    ["that there were none", "destination=https://example.com/changed", /^The link has no rules, and neither/],
  ])("%s", async (_, query, text) => {
    const { clicks } = await list(query);
    const { why, route } = await detail(clicks[0]?._id ?? "");
    expect(why).toMatchObject({ basis: "version", isSame: true, text: expect.stringMatching(text), route });
  });

  test("which target the split assigned", async () => {
    const [newestOfSplit] = (await list(`linkId=${split._id}`)).clicks;
    const { why, route } = await detail(newestOfSplit?._id ?? "");
    expect(["a", "b"]).toContain(route.splitKey ?? "");
    const text = `The link has no rules; the split assigns this visitor to “${route.splitKey}”`;
    expect(why).toMatchObject({ basis: "version", isSame: true, text: expect.stringContaining(text), route });
    expect((await list(`split=${route.splitKey}`)).clicks.map(({ _id }) => _id)).toContain(newestOfSplit?._id ?? "");
  });

  test("by time if the click has no version, and that no history is left", async () => {
    const id = newest.at(-1) ?? "";
    await sql`update clicks set link_version = null, utc_offset = null, languages = null where id = ${id}`;
    const told = await detail(id);
    expect([told.why.basis, told.why.version, told.why.isSame, told.localTime]).toEqual(["time", 1, true, undefined]);
    await sql`update link_revisions set org_id = ${eve.orgId} where link_id = ${ruled._id}`;
    expect((await detail(id)).why).toMatchObject({ basis: "none", version: null, route: null, isSame: null });
    await sql`update link_revisions set org_id = ${ada.orgId} where link_id = ${ruled._id}`;
  });

  test("what is still known after the visitors were erased", async () => {
    const splitTargets = ["a", "b"].map((key) => ({ key, destinationUrl: to(key) }));
    const link = await service.createLink(ada, { defaultUrl: to("erased"), splitTargets });
    for (let times = 0; times < 12; times++) await visit(link);
    const rules = [{ destinationUrl: to("recent"), conditions: { minOsVersion: "17" } }];
    const recent = await service.createLink(ada, { defaultUrl: to("erased"), rules });
    await visit(recent, { "user-agent": IPHONE });
    await waitUntilDrained(service.service);
    const clicksOf = async ({ _id }: Link) => (await list(`linkId=${_id}`)).clicks;
    for (const { visitorId } of [...(await clicksOf(link)), ...(await clicksOf(recent))]) {
      const { status } = await service.call("POST", `${home}/privacy/erase`, { token: ada.token, body: { visitorId } });
      expect(status).toBe(200);
    }
    const ofSplit = await clicksOf(link);
    expect(ofSplit).toHaveLength(12);
    for (const { _id, route } of ofSplit) {
      const text = expect.stringContaining(`assigns this visitor to “${route.splitKey}”`);
      expect((await detail(_id)).why).toMatchObject({ basis: "version", isSame: true, text, route });
    }
    const [ofRule] = await clicksOf(recent);
    const { route, why } = await detail(ofRule?._id ?? "");
    expect(route).toMatchObject({ kind: "rule", destinationUrl: to("recent") });
    expect(why).toEqual({
      basis: "version",
      version: 1,
      text: "What the rules check was erased with the visitor's data",
      isSame: null,
      route: null,
      ruleTrace: [],
    });
  });

  test("the title that an item of a bio page had, also once the item and the page are deleted", async () => {
    const pages = `${home}/bio-pages`;
    const links = ["Shop", "Blog"].map((title) => ({ title, url: to(title.toLowerCase()) }));
    const body = { slug: "ada", title: "Ada", links };
    const { body: page } = await service.call<BioPage>("POST", pages, { token: ada.token, body });
    for (const { key } of page.links) await service.visit(`/ada?item=${key}`, { "user-agent": LINUX });
    await waitUntilDrained(service.service);
    const clicks = async () => (await list(`linkId=${page._id}`)).clicks;
    const labels = async () => (await clicks()).map(({ route }) => route.splitLabel).toSorted();
    expect(await labels()).toEqual(["Blog", "Shop"]);
    const at = `${pages}/${page._id}`;
    const changed = await service.call("PATCH", at, { token: ada.token, body: { links: links.slice(0, 1) } });
    expect([changed.status, await labels()]).toEqual([200, ["Blog", "Shop"]]);
    expect((await service.call("DELETE", at, { token: ada.token })).status).toBe(200);
    expect(await labels()).toEqual(["Blog", "Shop"]);
    for (const { _id, route } of await clicks())
      expect((await detail(_id)).route.splitLabel).toBe(route.splitLabel ?? "none");
  });

  test("what targets were last called in figures of their link, also once they are gone, but not among all links", async () => {
    const target = (key: string, label?: string) => ({ key, label, destinationUrl: to(key), weight: 1 });
    const link = await service.createLink(ada, {
      defaultUrl: to("default"),
      splitTargets: [target("a", "Former"), target("b"), target("none", "Nobody")],
    });
    for (let visits = 0; visits < 40; visits++) await visit(link);
    await waitUntilDrained(service.service);
    await change(link, { splitTargets: [target("a", "Short form"), target("b")] });
    expect((await change(link, { splitTargets: [target("b")] })).status).toBe(200);
    const named = [
      { split: "a", label: "Short form", count: expect.any(Number) },
      { split: "b", count: expect.any(Number) },
      { split: "none", count: expect.any(Number) },
    ];
    const rowsOf = async (query: string) => {
      const { bySplit = [], previous } = await ask<OverviewAnswer>(`${home}/analytics/overview?${query}`).then(
        (r) => r.body,
      );
      expect(previous?.bySplit ?? []).toEqual([]);
      const path = `${home}/analytics/breakdown?by=split&${query}`;
      const { rows } = await ask<BreakdownAnswer>(path).then((reply) => reply.body);
      expect(rows).toEqual(bySplit.map(({ split, ...row }) => ({ value: split, ...row })));
      return bySplit.toSorted((one, other) => (one.split < other.split ? -1 : 1));
    };
    expect(await rowsOf(`linkId=${link._id}&compare=previous`)).toEqual(named);
    expect(await rowsOf(`linkId=${link._id}&os=Linux`)).toEqual(named);
    for (const row of await rowsOf("")) expect(row).not.toHaveProperty("label");
  });

  test("nothing to another organization or about an unknown click", async () => {
    const id = newest[0] ?? "";
    expect((await ask(`/api/v1/organizations/${eve.orgId}/analytics/clicks/${id}`, eve)).status).toBe(404);
    for (const other of [Bun.randomUUIDv7(), crypto.randomUUID(), "none", "ffffffff-ffff-7fff-bfff-ffffffffffff"]) {
      expect((await ask(`${home}/analytics/clicks/${other}`)).status).toBe(404);
    }
  });
});
