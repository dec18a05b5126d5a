/** Rows of YOURLS's tables as records: addresses as they are stored, and clicks by day. */
import { describe, expect, test } from "bun:test";
import { SourceRecord } from "@/core/imports/record";
import { SOURCES } from "@/core/imports/sources";

const NOW = Date.UTC(2024, 4, 1, 12);
const ROW = {
  keyword: "promo",
  url: "https://acme.com/p",
  title: "Promo",
  timestamp: "2019-04-02 11:20:05",
  clicks: "10",
};

const readRow = (values: Record<string, unknown>) => SOURCES.yourls.read(new SourceRecord({ ...ROW, ...values }), NOW);
const linkOf = (values: Record<string, unknown>) => {
  const read = readRow(values);
  const [link] = "links" in read ? read.links : [];
  if (!link) throw new Error(JSON.stringify(read));
  return link;
};

test("a row becomes a link with its address, times and clicks", () => {
  expect(linkOf({ clicksByDay: { "2019-04-02": 3, "2019-04-05": 4 } })).toMatchObject({
    address: { host: null, path: "promo" },
    fields: { defaultUrl: "https://acme.com/p", title: "Promo" },
    createdAt: Date.UTC(2019, 3, 2, 11, 20, 5),
    clicksBefore: 10,
    clicksByDay: { "2019-04-02": 3, "2019-04-05": 4 },
    dropped: [],
  });
  expect(linkOf({ title: null, clicks: "0" })).toMatchObject({ clicksBefore: 0, dropped: [] });
});

test.each([
  ["a1B2c", "a1B2c"],
  ["50%off", "50%off"],
  ["%41", "%41"],
  ["camp/2019", "camp/2019"],
  ["größe", "größe"],
])("the keyword %s is kept as it is stored", (keyword, path) => {
  expect(linkOf({ keyword }).address).toEqual({ host: null, path });
});

test("a row without an address or a destination is refused", () => {
  expect(readRow({ keyword: "" })).toEqual({ refused: "its address cannot be read", address: "" });
  expect(readRow({ keyword: null })).toEqual({ refused: "its address cannot be read", address: "" });
  expect(readRow({ url: null })).toEqual({ refused: "it has no destination", address: "promo" });
});

describe("clicks by day", () => {
  test("never sum to more than the link has: the oldest are left out, and reported", () => {
    const clicksByDay = { "2019-04-01": 5, "2020-01-01": 4, "2019-05-01": 4 };
    const why = "the log has 13 clicks, but the link 10: the oldest are left out";
    expect(linkOf({ clicksByDay })).toMatchObject({
      clicksBefore: 10,
      clicksByDay: { "2019-04-01": 2, "2019-05-01": 4, "2020-01-01": 4 },
      dropped: [{ field: "clicksByDay", why }],
    });
    expect(linkOf({ clicksByDay, clicks: "4" }).clicksByDay).toEqual({ "2020-01-01": 4 });
    expect(linkOf({ clicksByDay, clicks: "0" }).clicksByDay).toBeUndefined();
  });

  test("have no day that has not begun, and none that is none", () => {
    const clicksByDay = {
      "2024-05-01": 1,
      "2024-05-02": 1,
      "2023-02-29": 1,
      "1969-12-31": 1,
      day: 1,
      "2023-01-01": "2",
    };
    expect(linkOf({ clicksByDay }).clicksByDay).toEqual({ "2024-05-01": 1 });
    expect(linkOf({ clicksByDay: [1, 2] }).clicksByDay).toBeUndefined();
  });

  test("are not told of a link whose clicks are not known", () => {
    expect(linkOf({ clicks: null, clicksByDay: { "2024-05-01": 1 } })).toMatchObject({ clicksBefore: null });
    expect(linkOf({ clicks: null, clicksByDay: { "2024-05-01": 1 } }).clicksByDay).toBeUndefined();
  });
});
