import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { API_SOURCES } from "@/contract/links/import-api";
import { LINK_APIS } from "@/core/imports/apis";
import { type ApiAccess, type ApiCursor, FIRST_CURSOR, nextRequest, readAnswer } from "@/core/imports/apis/api";
import { LEVELS_MAX, parseBrokenJson } from "@/core/imports/apis/broken-json";
import { type PassedPlace, passing } from "@/core/imports/apis/circle";

const access: ApiAccess = { apiKey: "secret-key", baseUrl: "https://s.acme.com" };
const items = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `id${index}` }));
const at = (after: string | null, places: ApiCursor["places"] = null): ApiCursor => ({ places, place: 0, after });

describe("the next request", () => {
  const group = [{ id: "Bk 1", name: "One" }];
  test.each([
    ["dub", at("3"), "/links?page=3&pageSize=100&showArchived=true&sortBy=createdAt&sortOrder=asc"],
    ["shlink", at(null), "/rest/v3/short-urls?page=1&itemsPerPage=50&orderBy=dateCreated-ASC"],
    ["bitly", FIRST_CURSOR, "/v4/groups"],
    ["bitly", at("a&b", group), "/v4/groups/Bk%201/bitlinks?size=100&archived=both&search_after=a%26b"],
    ["yourls", at("490"), "/yourls-api.php"],
    ["kutt", at("40"), "/api/v2/links?limit=50&skip=40&all=true"],
    ["shortio", FIRST_CURSOR, "/api/domains"],
    ["shortio", at("t", [{ id: "7", name: "a.b" }]), "/api/links?domain_id=7&limit=50&pageToken=t"],
    ["rebrandly", at("r9"), "/v1/links?limit=25&orderBy=createdAt&orderDir=asc&last=r9"],
  ] as const)("to %s at %j", (source, cursor, path) => {
    expect(nextRequest(LINK_APIS[source], access, cursor)?.path).toBe(path);
  });

  test.each(API_SOURCES.map((source) => [source]))(
    "to %s contains the key exactly once, outside its path",
    (source) => {
      const api = LINK_APIS[source];
      const { path, ...rest } = nextRequest(api, access, at(null, api.places ? group : null)) ?? {};
      expect(path).not.toContain(access.apiKey);
      expect(JSON.stringify(rest).split(access.apiKey).length).toBe(2);
    },
  );

  test("does not exist after the last place", () => {
    expect(nextRequest(LINK_APIS.dub, access, { places: null, place: 1, after: null })).toBeUndefined();
    expect(nextRequest(LINK_APIS.bitly, access, { places: group, place: 1, after: null })).toBeUndefined();
  });
});

describe("an answer", () => {
  const links = (count: number) => Object.fromEntries(items(count).map((item, index) => [`link_${index + 1}`, item]));
  test.each([
    ["dub", null, items(100), "2"],
    ["dub", "2", items(99), null],
    ["shlink", "2", { shortUrls: { data: items(50), pagination: { pagesCount: 3 } } }, "3"],
    ["shlink", "3", { shortUrls: { data: items(1), pagination: { pagesCount: 3 } } }, null],
    ["yourls", null, { links: links(500), stats: {} }, "490"],
    ["yourls", "490", { stats: { total_links: "490" } }, null],
    ["kutt", null, { total: 60, data: items(50) }, "40"],
    ["kutt", "40", { total: 60, data: items(20) }, null],
    ["bitly", null, { links: items(1), pagination: { search_after: "x" } }, "x"],
    ["bitly", "x", { links: [], pagination: { search_after: "" } }, null],
    ["shortio", null, { links: items(1), nextPageToken: "t" }, "t"],
    ["shortio", "t", { links: items(1), nextPageToken: null }, null],
    ["rebrandly", null, items(25), "id24"],
    ["rebrandly", "id24", items(24), null],
  ] as const)("of %s after %j says where the list continues", (source, after, body, next) => {
    expect(LINK_APIS[source].read(body, after, undefined)?.after).toBe(next);
  });

  test.each(API_SOURCES.map((source) => [source]))(
    "of %s gives a list of items or is refused, whatever it contains",
    (source) => {
      const api = LINK_APIS[source];
      fc.assert(
        fc.property(fc.jsonValue(), (body) => {
          const step = readAnswer(api, FIRST_CURSOR, body);
          if (step) expect(Array.isArray(step.items)).toBe(true);
        }),
        { numRuns: 50 },
      );
    },
  );
});

describe("pages that go round in a circle are noticed", () => {
  const places = function* (before: number, round: number) {
    for (let step = 0; ; step++) yield `${step < before ? step : before + ((step - before) % round)}`;
  };

  test.each([
    [0, 1],
    [0, 2],
    [3, 1],
    [7, 5],
    [100, 37],
  ])("after %i pages, in rounds of %i", (before, round) => {
    let [passed, steps]: [PassedPlace | undefined, number] = [undefined, 0];
    for (const place of places(before, round)) {
      passed = passing(passed, place);
      if (!passed) break;
      steps++;
    }
    expect(steps).toBeGreaterThanOrEqual(before + round);
    expect(steps).toBeLessThanOrEqual(3 * (before + round) + 2);
  });

  test("and a long list is none", () => {
    let passed: PassedPlace | undefined;
    for (let page = 0; page < 10_000; page++) {
      passed = passing(passed, `${page}`);
      expect(passed).toBeDefined();
    }
  });
});

test("Short.io links without a domain get the one they were listed under", () => {
  const place = { id: "7", name: "go.acme.com" };
  expect(
    LINK_APIS.shortio.read({ links: [{ path: "a" }, { path: "b", domain: "x.y" }, 1] }, null, place)?.items,
  ).toEqual([{ path: "a", domain: "go.acme.com" }, { path: "b", domain: "x.y" }, 1]);
});

describe("the parser for broken JSON", () => {
  test.each([
    ["as it should be", '{"a":"b\\n\\u00e9"}', { a: "b\né" }],
    ["behind a byte order mark", '\ufeff{"a":1}', { a: 1 }],
    ["with raw control characters", '{"a":"b\u0001\nc"}', { a: "b  c" }],
    ["with escapes that are none", '{"a":"C:\\x \\u12 \\\\"}', { a: "C:\\x \\u12 \\" }],
  ])("reads JSON %s", (_, text, value) => {
    expect(parseBrokenJson(text)).toEqual({ value });
  });

  test("refuses JSON that is cut off", () => {
    expect(parseBrokenJson('{"a": [1,')).toBeUndefined();
  });

  test("refuses JSON that is nested too deeply to be written again, but no text or list with many brackets", () => {
    const nested = (levels: number) => `${'[{"a":'.repeat(levels / 2)}1${"}]".repeat(levels / 2)}`;
    expect(parseBrokenJson(nested(LEVELS_MAX))).toBeDefined();
    expect(parseBrokenJson(nested(LEVELS_MAX + 2))).toBeUndefined();
    expect(parseBrokenJson(nested(1_000_000))).toBeUndefined();
    const flat = [`\\"${"[{".repeat(1_000)}`, ...Array.from({ length: 1_000 }, () => [{}])];
    expect(parseBrokenJson(JSON.stringify(flat))).toEqual({ value: flat });
  });

  test("reads any valid JSON like JSON.parse", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) =>
        expect(parseBrokenJson(JSON.stringify(value))?.value).toEqual(JSON.parse(JSON.stringify(value))),
      ),
    );
  });
});
