/** Filters and sort orders of a list of links, and paging through it with a cursor. */
import { beforeAll, describe, expect, test } from "bun:test";
import { expectFailure } from "@test/support/failure";
import { startTestService } from "@test/support/service";
import type { Link, LinkInput } from "@/contract/links/links";

const service = await startTestService();
const { sql } = service;
const ada = await service.register();
const eve = await service.register();
const home = `/api/v1/organizations/${ada.orgId}/links`;
const [PAST, FUTURE] = ["2020-01-01", "2999-01-01"];

interface Page {
  links: Link[];
  total: number;
  nextCursor: string | null;
}
const list = (query: string) => service.call<Page & Record<string, unknown>>("GET", `${home}?${query}`, ada);
const slugsOf = ({ body }: { body: Page }) => body.links.map(({ slug }) => slug);

const inputs: Partial<LinkInput>[] = [
  { slug: "plain", title: "Über all" },
  { slug: "spring", title: "apples", tags: ["a", "b"] },
  { slug: "summer", title: "Bananas", tags: ["a", "c"], notes: "On the red flyers" },
  { slug: "later", startsAt: FUTURE, tags: ["a"] },
  { slug: "over", startsAt: PAST, expiresAt: "2021-01-01" },
  { slug: "full", maxClicks: 1 },
  { slug: "roomy", maxClicks: 5 },
  { slug: "off", isActive: false, expiresAt: "2021-01-01" },
  { slug: "evil" },
  { slug: "away", isArchived: true, tags: ["a"], title: "Zebra" },
  { slug: "unproven" },
];
const newestFirst = inputs
  .map(({ slug }) => slug ?? "")
  .filter((slug) => slug !== "away")
  .toReversed();
const made = new Map<string, Link>();
const idOf = (slug: string) => made.get(slug)?._id ?? "";

beforeAll(async () => {
  for (const input of inputs)
    made.set(input.slug ?? "", await service.createLink(ada, { defaultUrl: "https://example.com/", ...input }));
  const [domain] = await sql<{ id: string }[]>`
    insert into domains (id, org_id, hostname, verification_token)
    values (${Bun.randomUUIDv7()}, ${ada.orgId}, 'unproven.test', 'x') returning id`;
  await sql`update links set domain_id = ${domain?.id ?? ""} where id = ${idOf("unproven")}`;
  await sql`update listed_links set domain_id = ${domain?.id ?? ""} where link_id = ${idOf("unproven")}`;
  await sql`update links set safety = '{"status": "unsafe", "reasons": []}' where id = ${idOf("evil")}`;
  await sql`insert into link_admissions (link_id, org_id, admitted)
    values (${idOf("full")}, ${ada.orgId}, 1), (${idOf("roomy")}, ${ada.orgId}, 1)`;
  const clicked = [
    ["spring", 1, 3, "2026-01-03"],
    ["spring", 2, 3, "2026-01-01"],
    ["plain", 1, 7, "2026-01-02"],
    ["away", 1, 9, "2026-01-09"],
  ] as const;
  for (const [slug, writer, clicks, at] of clicked)
    await sql`insert into link_counters (org_id, link_id, writer, clicks, last_click_at)
      values (${ada.orgId}, ${idOf(slug)}, ${writer}, ${clicks}, ${at})`;
});

const timeCursor = (key: string) =>
  `sort=lastClickAt&cursor=${btoa(JSON.stringify(["lastClickAt", "desc", key, ada.orgId]))}`;

describe("400", () => {
  test.each([
    ["a state there is none of", "state=gone", ["state"]],
    ["an order there is none of", "sort=size&order=up", ["order", "sort"]],
    ["a cursor that is none", "cursor=abc", ["cursor"]],
    ["a cursor of another order", `cursor=${btoa('["title","asc","a","0"]')}`, ["cursor"]],
    ["a cursor with another key", `sort=clicks&cursor=${btoa('["clicks","desc","x","0"]')}`, ["cursor"]],
    ["a cursor at a day there is not", timeCursor("2026-02-30 00:00:00+00"), ["cursor"]],
    ["a cursor in the year 0", timeCursor("0000-01-01 00:00:00+00"), ["cursor"]],
    ["a cursor with an offset there is not", timeCursor("2026-01-01 00:00:00+99"), ["cursor"]],
    ["a tag of 51 characters", `tag=a&tag=${"a".repeat(51)}`, ["tag"]],
    ["too many tags", Array.from({ length: 21 }, (_, n) => `excludeTag=${n}`).join("&"), ["excludeTag"]],
    ["neither archived nor not", "isArchived=maybe", ["isArchived"]],
    ["too many ids", Array.from({ length: 101 }, (_, n) => `linkId=${n}`).join("&"), ["linkId"]],
    ["an id of 65 characters", `linkId=${"a".repeat(65)}`, ["linkId"]],
  ])("%s", async (_, query, fields) => {
    expectFailure(await list(query), 400, fields);
  });
});

describe("links named by their ids are listed", () => {
  test.each([
    ["whichever are archived", ["away", "plain", "over"], "", ["away", "over", "plain"]],
    ["only those in use", ["away", "plain"], "isArchived=false", ["plain"]],
    ["only those with a tag", ["away", "plain", "spring"], "tag=a", ["away", "spring"]],
    ["in the order asked for", ["plain", "spring"], "sort=clicks&order=asc", ["spring", "plain"]],
  ])("%s", async (_, wanted, query, slugs) => {
    const ids = wanted.map((slug) => `linkId=${idOf(slug)}`);
    const { body } = await list([...ids, query].join("&"));
    expect([slugsOf({ body }), body.total]).toEqual([slugs, slugs.length]);
  });

  test("whose ids are the organization's", async () => {
    const foreign = await service.createLink(eve, { defaultUrl: "https://example.com/" });
    const { body } = await list(`linkId=${foreign._id}&linkId=none&linkId=${Bun.randomUUIDv7()}`);
    expect([body.links, body.total]).toEqual([[], 0]);
  });
});

test("404 for an unknown domain, and for another organization's", async () => {
  const [foreign] = await sql<{ id: string }[]>`
    insert into domains (id, org_id, hostname, verification_token)
    values (${Bun.randomUUIDv7()}, ${eve.orgId}, 'eve.test', 'x') returning id`;
  for (const id of ["none", Bun.randomUUIDv7(), foreign?.id])
    expectFailure(await list(`domainId=${id}`), 404, ["domainId"]);
});

describe("a list contains", () => {
  test.each([
    ["all but what is archived, newest first", "", newestFirst],
    ["what is archived alone", "isArchived=true", ["away"]],
    ["no tag", "tag=none", []],
    ["a tag", "tag=a", ["later", "summer", "spring"]],
    ["an archived link's tag", "tag=a&isArchived=true", ["away"]],
    ["two tags at once", "tag=a&tag=b", ["spring"]],
    ["a tag without another", "tag=a&excludeTag=b&excludeTag=c", ["later"]],
    [
      "whatever lacks a tag",
      "excludeTag=a",
      newestFirst.filter((slug) => !["later", "summer", "spring"].includes(slug)),
    ],
    ["words of notes", "search=red%20fly", ["summer"]],
    ["words under a tag", "search=example.com&tag=c", ["summer"]],
    ["what serves", "state=serving", ["roomy", "summer", "spring", "plain"]],
    ["what is to come", "state=scheduled", ["later"]],
    ["what is over", "state=expired", ["over"]],
    ["what is used up", "state=used_up", ["full"]],
    ["what is switched off, or on an unverified domain", "state=inactive", ["unproven", "off"]],
    ["what is unsafe", "state=unsafe", ["evil"]],
    ["a state under a tag", "state=serving&tag=a", ["summer", "spring"]],
    ["a state and a text", "state=serving&search=bana", ["summer"]],
    ["the oldest first", "order=asc", newestFirst.toReversed()],
    ["a tag's oldest first", "tag=a&order=asc", ["spring", "summer", "later"]],
    ["titles in their order", "sort=title&tag=a", ["spring", "summer", "later"]],
    ["titles from the end", "sort=title&order=desc&tag=a", ["later", "summer", "spring"]],
    ["the most clicked first, of all writers", "sort=clicks&limit=3", ["plain", "spring", "unproven"]],
    ["the last clicked first", "sort=lastClickAt&limit=2", ["spring", "plain"]],
    ["a text, the most clicked first", "sort=clicks&search=plain", ["plain"]],
    ["a common text, the most clicked first", "sort=clicks&search=example.com&limit=2", ["plain", "spring"]],
  ])("%s", async (_, query, slugs) => {
    const answer = await list(query);
    expect(slugsOf(answer)).toEqual(slugs);
    if (!query.includes("limit")) expect([answer.body.total, answer.body.nextCursor]).toEqual([slugs.length, null]);
  });

  test("the links of one domain", async () => {
    const domainId = made.get("plain")?.domainId;
    expect(slugsOf(await list(`domainId=${domainId}`))).toEqual(newestFirst.filter((slug) => slug !== "unproven"));
    expect(slugsOf(await list(`domainId=${domainId}&tag=c`))).toEqual(["summer"]);
  });

  test("titles in the order of people, in any script, also page by page and within a search", async () => {
    const own = await service.register();
    const titles = [
      "über",
      "Zebra",
      "école",
      "apple",
      "Éclair",
      "Ähre",
      "eagle",
      "Öl",
      "zoo",
      "жук",
      "Ёж",
      "Арбуз",
      "été",
    ];
    const inOrder = [..."Ähre apple eagle Éclair école été Öl über Zebra zoo Арбуз Ёж жук".split(" ")];
    for (const title of titles) await service.createLink(own, { defaultUrl: "https://example.com/", title });
    const read = async (query: string) => {
      const found: (string | undefined)[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const path: string = `/api/v1/organizations/${own.orgId}/links?sort=title&${query}${cursor && `&cursor=${cursor}`}`;
        const { body } = await service.call<Page>("GET", path, own);
        found.push(...body.links.map(({ title }) => title));
        cursor = body.nextCursor;
      }
      return found;
    };
    for (const query of ["limit=100", "limit=1", "limit=3", "limit=2&search=example.com"])
      expect([query, await read(query)]).toEqual([query, inOrder]);
    expect(await read("order=desc&limit=2")).toEqual(inOrder.toReversed());
  });

  test.each([
    "",
    "order=asc",
    "sort=title",
    "sort=clicks",
    "sort=lastClickAt&order=asc",
    "tag=a",
    "search=a",
    "search=example.com",
  ])("with cursors, the same links as in one page: %s", async (query) => {
    const whole = slugsOf(await list(query));
    const found: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const answer: { body: Page } = await list(`${query}&limit=1${cursor && `&cursor=${cursor}`}`);
      found.push(...slugsOf(answer));
      expect(answer.body.total).toBe(whole.length);
      cursor = answer.body.nextCursor;
    }
    expect(found).toEqual(whole);
    expect(whole.length).toBeGreaterThan(1);
  });
});

test("an archived link is still served, can be restored, and its state is listed correctly immediately", async () => {
  const away = made.get("away");
  const visit = await fetch(`${service.url}/away`, { redirect: "manual" });
  expect(visit.status).toBe(302);
  const change = (body: object) => service.call("PATCH", `${home}/${away?._id}`, { ...ada, body });
  await change({ isArchived: false, title: null, notes: "found by this", startsAt: FUTURE });
  expect(slugsOf(await list("state=scheduled"))).toEqual(["away", "later"]);
  expect(slugsOf(await list("search=found"))).toEqual(["away"]);
  await change({ isArchived: true, startsAt: null });
  expect(slugsOf(await list("state=scheduled"))).toEqual(["later"]);
});
