import { describe, expect, test } from "bun:test";
import { expectFailure } from "@test/support/failure";
import { startTestService } from "@test/support/service";
import type { Link, LinkInput } from "@/contract/links/links";

const service = await startTestService();
const ada = await service.register();
const defaultUrl = "https://example.com/";

interface Page {
  links: Link[];
  page: number;
  limit: number;
  total: number;
  totalPages: number;
  nextCursor: string | null;
}
const list = (query: Record<string, string | number>) => {
  const parameters = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return service.call<Page & Record<string, unknown>>(
    "GET",
    `/api/v1/organizations/${ada.orgId}/links?${new URLSearchParams(parameters)}`,
    { token: ada.token },
  );
};
const slugs = async (query: Record<string, string | number>) => (await list(query)).body.links.map(({ slug }) => slug);

const inputs: Partial<LinkInput>[] = [
  { slug: "plain", title: "Nothing special" },
  { slug: "percent", title: "100% wool" },
  { slug: "under_score", title: "snake_case" },
  { slug: "backslash", title: "C:\\temp" },
  { slug: "quote", title: 'it\'s "quoted"' },
  { slug: "ueber", title: "Über Straße" },
  { slug: "fox", title: "🦊 news" },
  { slug: "tagged", title: "a", tags: ["Spring", "50%", "a,b", 'say "hi"', "{x}", "null"] },
  { slug: "tagged-too", title: "b", tags: ["Spring", "autumn", "caf\u00e9"] },
  { slug: "far", defaultUrl: "https://shop.example.org/Deep/Path?q=Needle" },
];
for (const input of inputs) await service.createLink(ada, { defaultUrl, ...input });
const newestFirst = inputs.map(({ slug }) => slug ?? "").toReversed();
const gone = await service.createLink(ada, { defaultUrl, slug: "gone", title: "Nothing here", tags: ["Spring"] });
await service.call("DELETE", `/api/v1/organizations/${ada.orgId}/links/${gone._id}`, { token: ada.token });

describe("400", () => {
  test.each([
    ["page 0", { page: 0 }, ["page"]],
    ["a limit of 101", { limit: 101 }, ["limit"]],
    ["a limit of 0", { limit: 0 }, ["limit"]],
    ["both wrong", { page: "x", limit: "y" }, ["limit", "page"]],
    ["a search of 201 characters", { search: "a".repeat(201) }, ["search"]],
    ["a tag of 51 characters", { tag: "a".repeat(51) }, ["tag"]],
  ])("%s", async (_, query, fields) => {
    expectFailure(await list(query), 400, fields);
  });
});

describe("search", () => {
  test.each([
    ["nothing", "", newestFirst],
    ["part of a title, whatever its case", "NOTHING", ["plain"]],
    ["part of a slug", "under", ["under_score"]],
    ["part of a destination", "needle", ["far"]],
    ["a host", "shop.example.org", ["far"]],
    ["a letter that words begin with", "s", ["far", "ueber", "quote", "under_score", "plain"]],
    ["two letters that a word begins with, whatever their case", "SN", ["under_score"]],
    ["digits that a word begins with", "10", ["percent"]],
    ["the beginning of a slug", "fa", ["far"]],
    ["two letters within a word alone", "oo", []],
    ["two letters that a word of a destination begins with", "ne", ["far", "fox"]],
    ["two letters beyond ASCII, wherever they are", "ße", ["ueber"]],
    ["a percent sign", "%", ["percent"]],
    ["an underscore", "_", ["under_score"]],
    ["a percent sign between letters", "1%w", []],
    ["an underscore for any letter", "pl_in", []],
    ["a backslash", "\\", ["backslash"]],
    ["a backslash before a percent sign", "\\%", []],
    ["a single quote", "'", ["quote"]],
    ["a double quote", '"', ["quote"]],
    ["letters beyond ASCII in another case", "ÜBER STRASSE".replace("SS", "ß"), ["ueber"]],
    ["an emoji", "🦊", ["fox"]],
    ["spaces", "  ", []],
    ["SQL", "' or 1=1 --", []],
    ["a link that is deleted", "gone", []],
    ["what is only in a tag", "autumn", []],
  ])("finds by %s", async (_, search, expected) => {
    expect(await slugs({ search })).toEqual(expected);
  });
});

test("finds letters with accents however they are written, in titles and in the search", async () => {
  const own = await service.register();
  const titles = ["Phở Hà Nội".normalize("NFC"), "Cà phê".normalize("NFD"), "Bún chả"];
  for (const title of titles) await service.createLink(own, { defaultUrl, title });
  const [changed] = await service.sql<{ id: string }[]>`select id from links where title = 'Bún chả'`;
  const path = `/api/v1/organizations/${own.orgId}/links`;
  const body = { title: "Bánh mì".normalize("NFD") };
  expect((await service.call("PATCH", `${path}/${changed?.id}`, { token: own.token, body })).status).toBe(200);
  for (const [search, found] of [
    ["hà nội", titles[0]],
    ["cà phê", titles[1]],
    ["bánh", body.title],
  ] as const)
    for (const form of ["NFC", "NFD"] as const) {
      const asked = `${path}?search=${encodeURIComponent(search.normalize(form))}`;
      const { links } = (await service.call<Page>("GET", asked, { token: own.token })).body;
      expect([search, form, links.map(({ title }) => title)]).toEqual([search, form, [found]]);
    }
});

test("finds letters whose lower case is ASCII by what was written", async () => {
  const own = await service.register();
  const titles = ["İzmir ve Kadıköy", "273 \u212a", "İSTANBUL", "Bursa", "Konya", "Adana", "Mersin"];
  for (const title of titles) await service.createLink(own, { defaultUrl, title });
  for (const [search, found] of [
    ["İstanbul", "İSTANBUL"],
    ["İSTAN", "İSTANBUL"],
    ["I\u0307stanbul", "İSTANBUL"],
    ["istanbul", "İSTANBUL"],
    ["İzmir", "İzmir ve Kadıköy"],
    ["izmir ve kadıköy", "İzmir ve Kadıköy"],
    ["273 \u212a", "273 \u212a"],
  ]) {
    const asked = `/api/v1/organizations/${own.orgId}/links?search=${encodeURIComponent(search ?? "")}`;
    const { links } = (await service.call<Page>("GET", asked, { token: own.token })).body;
    expect([search, links.map(({ title }) => title)]).toEqual([search, [found]]);
  }
});

test("finds a destination by what was written, although URLs are stored escaped and hosts in punycode", async () => {
  const own = await service.register();
  const written = "https://www.bücher.example/straße?q=Öl#ende";
  const { slug } = await service.createLink(own, { defaultUrl: written });
  for (const name of ["a", "b", "c", "strasse", "bucher"]) await service.createLink(own, { defaultUrl, title: name });
  for (const search of [
    ...[written, "bücher.example", "HTTPS://WWW.BÜCHER.example/", "bücher.example/straße", "straße", "/straße?q=Öl"],
    ...["Öl", "xn--bcher-kva", "stra%C3%9Fe"],
  ]) {
    const path = `/api/v1/organizations/${own.orgId}/links?search=${encodeURIComponent(search)}`;
    const { links } = (await service.call<Page>("GET", path, { token: own.token })).body;
    expect([search, links.map((link) => link.slug)]).toEqual([search, [slug]]);
  }
});

describe("tag", () => {
  test.each([
    ["exactly", "Spring", ["tagged-too", "tagged"]],
    ["not in another case", "spring", []],
    ["not by its beginning", "Spr", []],
    ["with a percent sign", "50%", ["tagged"]],
    ["with a comma", "a,b", ["tagged"]],
    ["with quotes", 'say "hi"', ["tagged"]],
    ["with braces", "{x}", ["tagged"]],
    ["called null", "null", ["tagged"]],
    ["with letters composed otherwise, and spaces around", " cafe\u0301 ", ["tagged-too"]],
    ["that is empty", "", []],
  ])("finds it %s", async (_, tag, expected) => {
    expect(await slugs({ tag })).toEqual(expected);
  });

  test("and search combined find only links that match both", async () => {
    expect(await slugs({ tag: "Spring", search: "too" })).toEqual(["tagged-too"]);
    expect(await slugs({ tag: "autumn", search: "plain" })).toEqual([]);
  });
});

describe("pages", () => {
  test("come newest first, with up to twenty-five links by default", async () => {
    const { status, body } = await list({});
    expect(status).toBe(200);
    expect(body.links.map(({ slug }) => slug)).toEqual(newestFirst);
    expect<unknown>({ ...body, links: [] }).toEqual({
      links: [],
      page: 1,
      limit: 25,
      total: 10,
      totalPages: 1,
      nextCursor: null,
    });
  });

  test("split the list without gaps or overlaps", async () => {
    const pages = [];
    for (const page of [1, 2, 3, 4]) pages.push((await list({ page, limit: 3 })).body);
    expect(pages.flatMap(({ links }) => links.map(({ slug }) => slug))).toEqual(newestFirst);
    expect(pages.map(({ links }) => links.length)).toEqual([3, 3, 3, 1]);
    expect(pages.map(({ page, total, totalPages }) => [page, total, totalPages])).toEqual(
      [1, 2, 3, 4].map((page) => [page, 10, 4]),
    );
  });

  test("past the end are empty and contain the total", async () => {
    const { status, body } = await list({ page: 1_000_000, limit: 100 });
    expect([status, body.links, body.total, body.totalPages]).toEqual([200, [], 10, 1]);
  });

  test("of a search count only what was found", async () => {
    const { body } = await list({ search: "tagged", limit: 1 });
    expect([body.links.length, body.total, body.totalPages]).toEqual([1, 2, 2]);
  });

  test("of an organization without links are empty", async () => {
    const bob = await service.register();
    const { body } = await service.call<Page>("GET", `/api/v1/organizations/${bob.orgId}/links`, { token: bob.token });
    expect(body).toEqual({ links: [], page: 1, limit: 25, total: 0, totalPages: 0, nextCursor: null });
  });

  test("show a link as reading it does", async () => {
    const [link] = (await list({ search: "far" })).body.links;
    const read = await service.call("GET", `/api/v1/organizations/${ada.orgId}/links/${link?._id}`, {
      token: ada.token,
    });
    expect<unknown>(read.body).toEqual(link);
  });
});

describe("a listed link", () => {
  const bob = service.register();
  const listOf = async (query: string) => {
    const { orgId, token } = await bob;
    const { body } = await service.call<Page>("GET", `/api/v1/organizations/${orgId}/links?${query}`, { token });
    return body.links.map(({ slug }) => slug);
  };

  test("is found by its current values after a change, not by former ones", async () => {
    const account = await bob;
    const input = { slug: "changing", title: "Before", tags: ["old", "kept"], defaultUrl: "https://before.example/" };
    const { _id } = await service.createLink(account, input);
    const body = { title: "After", tags: ["kept", "new"], defaultUrl: "https://after.example/" };
    const path = `/api/v1/organizations/${account.orgId}/links/${_id}`;
    expect((await service.call("PATCH", path, { token: account.token, body })).status).toBe(200);
    for (const query of ["search=before", "search=before.example", "tag=old"]) expect(await listOf(query)).toEqual([]);
    for (const query of ["search=after", "search=AFTER.example", "tag=kept", "tag=new", ""]) {
      expect(await listOf(query)).toEqual(["changing"]);
    }
    await service.call("PATCH", path, { token: account.token, body: { title: null, tags: [] } });
    expect([await listOf("tag=kept"), await listOf("search=after.example")]).toEqual([[], ["changing"]]);
  });

  test("is listed once under a tag that it has twice", async () => {
    const once = await service.createLink(await bob, { slug: "once", defaultUrl });
    const id = Bun.randomUUIDv7();
    await service.sql`
      insert into links (id, org_id, domain_id, slug, slug_key, default_url, tags)
      select ${id}, org_id, domain_id, 'twice', 'twice', default_url, '{twice,twice}' from links where id = ${once._id}`;
    expect(await listOf("tag=twice")).toEqual(["twice"]);
    await service.sql`delete from links where id in (${id}, ${once._id})`;
    expect(await listOf("tag=twice")).toEqual([]);
  });

  test("has matching rows in the tables that lists are read from, and none are left over", async () => {
    const [row] = await service.sql`
      select (select count(*)::int from link_tags) as tags, (select count(*)::int from listed_links) as listed,
        (select count(*)::int from listed_links join links on id = link_id and links.org_id = listed_links.org_id
          where kind = 'link' and deleted_at is null
            and searched = lower(normalize(concat_ws(e'\n', title, slug, default_url)))) as right,
        (select count(*)::int from links where kind = 'link' and deleted_at is null) as links,
        (select count(*)::int from links join link_tags on id = link_id and tag = any (tags)
          where deleted_at is null) as right_tags,
        (select sum(cardinality(tags))::int from links where deleted_at is null) as wanted_tags`;
    expect([row?.listed, row?.right]).toEqual([row?.links, row?.links]);
    expect([row?.tags, row?.right_tags]).toEqual([row?.wanted_tags, row?.wanted_tags]);
  });

  test("has no row any more once its organization's links are deleted", async () => {
    const { orgId } = await bob;
    await service.sql`delete from links where org_id = ${orgId}`;
    const [row] = await service.sql`select count(*)::int as rows from listed_links where org_id = ${orgId}`;
    expect(row?.rows).toBe(0);
  });
});
