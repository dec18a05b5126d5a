/** How a file's format is recognized, and that nothing is guessed or invented. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { IMPORT_SOURCES } from "@/contract/links/imports";
import { parseOldInstant } from "@/core/imports/instants";
import { SourceRecord } from "@/core/imports/record";
import { itemsOf, sniffCsv, sniffJson } from "@/core/imports/sniff";
import { SOURCES } from "@/core/imports/sources";
import { IPHONE, visitorWith } from "@/core/imports/visitors/visitor";

const faultOf = (text: string, stated: Parameters<typeof sniffCsv>[1] = {}) => {
  const sniffed = sniffCsv(text, stated);
  return "fault" in sniffed ? sniffed.fault : sniffed.form;
};

describe("the form of a CSV", () => {
  test.each([
    ["commas", "Short link,Destination URL\n", ",", 1],
    ["semicolons, as Excel writes in much of Europe", "Short link;Destination URL\r\n", ";", 1],
    ["tabs", "Short link\tDestination URL\n", "\t", 1],
    ["Excel's line that says so", "sep=;\r\nShort link;Destination URL\r\n", ";", 2],
    ["a byte order mark", "\ufeffShort link,Destination URL", ",", 1],
    ["quoted names with the separator within", '"Short link","Destination URL","Tags, all"\n', ",", 1],
  ])("%s", (_, text, delimiter, linesBefore) => {
    expect(sniffCsv(text, {})).toMatchObject({ form: { kind: "csv", source: "dub", delimiter, linesBefore } });
  });

  test("may have a thousand columns", () => {
    const columns = Array.from({ length: 998 }, (_, index) => `c${index}`);
    const mapping = Object.fromEntries(columns.slice(-3).map((column) => [column, null]));
    expect(sniffCsv(`slug,url,${columns.join()}\n`, { mapping })).toMatchObject({ form: { source: "csv" } });
  });

  test("is generic CSV if it matches no service", () => {
    expect(sniffCsv("slug,url\n", {})).toMatchObject({ form: { source: "csv" } });
  });

  test.each([
    ["it fits two services", "Short link,Link,Destination URL", {}, "it matches both Dub and Bitly: set `source`"],
    [
      "two columns could be one field",
      "Link,Long URL,Original URL",
      { source: "bitly" } as const,
      "Long URL and Original URL could both be long_url: say which in `mapping`",
    ],
    [
      "two columns have the same name",
      "slug,url, title ,title",
      {},
      "several columns are named title: rename or delete all but one",
    ],
    [
      "no column is a destination",
      "a, b ,",
      {},
      "Any CSV: no column for defaultUrl. Say in `mapping` which it is of a, b",
    ],
    ["no column has a name", " , ", {}, "Any CSV: no column for defaultUrl"],
    [
      "none of very many columns is a destination",
      Array.from({ length: 21 }, (_, index) => `${index}`.padEnd(41, "-")).join(),
      {},
      `Any CSV: no column for defaultUrl. Say in \`mapping\` which it is of ${Array.from({ length: 20 }, (_, index) => `${index}`.padEnd(40, "-")).join(", ")}, …`,
    ],
    [
      "it has too many columns",
      `slug,url${",".repeat(999)}`,
      {},
      "its header has more than 1,000 columns; delete those that you do not need",
    ],
    ["the service has none", "a,b", { source: "kutt" } as const, "Kutt has no CSV export: upload its JSON"],
    ["the mapping names no column", "a,b", { mapping: { c: "slug" } }, "mapping: the file has no column c"],
    [
      "the mapping names no field",
      "a,b",
      { mapping: { a: "nonsense" } },
      expect.stringContaining("mapping: there is no field nonsense"),
    ],
  ])("is refused if %s", (_, text, stated, fault) => {
    expect(faultOf(text, stated)).toEqual(fault);
  });

  test("is decided by a mapping", () => {
    const mapping = { "Long URL": "long_url", "Original URL": null };
    expect(sniffCsv("Link,Long URL,Original URL", { source: "bitly", mapping })).toMatchObject({
      form: { source: "bitly" },
    });
    const columns = { Kurz: "slug", Ziel: "defaultUrl" };
    expect(sniffCsv("Kurz;Ziel;Titel", { mapping: columns })).toMatchObject({
      form: { source: "csv", delimiter: ";" },
    });
  });
});

test("JSON of an unknown source or without a list of links is refused", () => {
  expect(sniffJson([{ a: 1 }], {})).toEqual({ fault: "its objects match no known source" });
  expect(sniffJson([], {})).toEqual({ fault: "the file has no list of links" });
  expect(sniffJson([{ a: 1 }], { source: "kutt" })).toEqual({ fault: "its objects are not Kutt links" });
  expect(itemsOf({ shortUrls: { data: [1] } })).toEqual([1]);
});

test.each([
  ["2023-05-04T10:22:31Z", "2023-05-04T10:22:31.000Z"],
  ["2020-10-26T17:20:40+0000", "2020-10-26T17:20:40.000Z"],
  ["2024-05-02 08:11:00", "2024-05-02T08:11:00.000Z"],
  ["2024-05-02 08:11:00 +02", "2024-05-02T06:11:00.000Z"],
  ["1700000000", "2023-11-14T22:13:20.000Z"],
  ["1700000000000", "2023-11-14T22:13:20.000Z"],
  ["03/04/2024", undefined],
  ["2024-02-30", undefined],
])("the instant %s", (text, expected) => {
  const instant = parseOldInstant(text);
  expect(instant === undefined ? undefined : new Date(instant).toISOString()).toBe(expected);
});

describe("whatever a file contains", () => {
  const names = IMPORT_SOURCES.flatMap((source) => Object.keys(SOURCES[source].columns ?? {}));
  const apiNames = [
    "domain",
    "key",
    "geo",
    "tags",
    "meta",
    "redirectRules",
    "data",
    "links",
    "path",
    "originalURL",
    "address",
    "target",
    "testVariants",
  ];
  const anyRecord = fc.dictionary(fc.constantFrom(...names, ...apiNames), fc.jsonValue({ maxDepth: 3 }), {
    maxKeys: 12,
  });
  const visitor = visitorWith(IPHONE, 0, "DE");

  test("no reader throws, and every text comes from the record", () => {
    fc.assert(
      fc.property(anyRecord, fc.constantFrom(...IMPORT_SOURCES), (values, name) => {
        const record = new SourceRecord(values);
        const read = SOURCES[name].read(record, visitor.at);
        SOURCES[name].routeOf(record, visitor);
        const said = JSON.stringify(values);
        for (const { fields } of "links" in read ? read.links : []) {
          const texts = [
            fields.defaultUrl,
            fields.title,
            fields.notes,
            fields.externalId,
            fields.expiredUrl,
            ...(fields.tags ?? []),
          ];
          for (const text of texts) {
            if (typeof text === "string") expect(said).toContain(JSON.stringify(text).slice(1, -1));
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  test("format detection does not throw", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc
        .array(fc.constantFrom('"', ",", ";", "\t", "\n", "link", "url", "sep="), { maxLength: 30 })
        .map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(text, fc.option(fc.constantFrom(...IMPORT_SOURCES), { nil: undefined }), (given, source) => {
        const sniffed = sniffCsv(given, { source });
        if ("form" in sniffed && sniffed.form.kind === "csv")
          for (const cell of sniffed.form.header) expect(given.replaceAll('"', "")).toContain(cell.replaceAll('"', ""));
      }),
      { numRuns: 200 },
    );
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        sniffJson(itemsOf(value) ?? [], {});
      }),
      { numRuns: 300 },
    );
  });
});
