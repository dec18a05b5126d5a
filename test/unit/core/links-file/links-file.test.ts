import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { CsvFault, createCsvReader } from "@/core/csv/reader";
import { type FileLink, linkColumns } from "@/core/links-file/columns";
import { linkCsvLine, linksCsvHeader, readLinkCells } from "@/core/links-file/csv";
import { linkJsonLine } from "@/core/links-file/json-lines";
import { readLinkFields } from "@/core/links-file/read";

const signs = fc.constantFrom("'", '"', ",", ";", "\r\n", "\n", "\r", "=", "@", "-", "\t", "\ufeff", "[", "{", "", " ");
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.oneof(signs, fc.string({ unit: "grapheme", maxLength: 3 })), { maxLength: 6 }).map((all) => all.join("")),
);
/** Values as JSON can represent them: `-0` does not survive the round trip. */
const json = fc.jsonValue({ maxDepth: 3, stringUnit: "binary" }).map((value) => JSON.parse(JSON.stringify(value)));
const object = fc.dictionary(text, json, { maxKeys: 4, noNullPrototype: true });
const instant = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
const count = fc.nat({ max: 1_000_000_000 });
const list = fc.array(text, { maxLength: 4 });
const to = { destinationUrl: text };

const whole = fc.record({
  _id: fc.uuid(),
  domain: fc.domain(),
  slug: text,
  shortUrl: fc.webUrl(),
  defaultUrl: fc.webUrl(),
  tags: list,
  isActive: fc.boolean(),
  isArchived: fc.boolean(),
  passwordProtected: fc.boolean(),
  rules: fc.array(fc.record({ ...to, priority: fc.integer(), conditions: fc.record({ countries: list }) })),
  splitTargets: fc.array(fc.record({ ...to, key: text, weight: count })),
  retargetingPixels: fc.array(fc.record({ provider: fc.constantFrom("meta", "x"), id: text })),
  clickCount: count,
  createdAt: instant,
  updatedAt: instant,
});

const partial = fc.record(
  {
    pathPrefix: text,
    title: text,
    externalId: text,
    notes: text,
    startsAt: instant,
    expiresAt: instant,
    expiredUrl: text,
    maxClicks: count,
    appProfileId: fc.uuid(),
    appProfileName: text,
    importedFrom: fc.record({ source: text, id: text }),
    clicksBefore: count,
    admittedVisits: count,
    clickCountByDay: fc.dictionary(instant, count, { noNullPrototype: true }),
    clicksByDay: fc.dictionary(instant, count, { noNullPrototype: true }),
    deepLinkPayload: object,
    utm: fc.record({ source: text, term: text }, { requiredKeys: [] }),
    marketing: fc.record({ couponCode: text, appendToDestination: fc.boolean() }),
    social: fc.record({ title: text, imageUrl: text }, { requiredKeys: [] }),
    leadCapture: fc.record({ enabled: fc.boolean(), fields: fc.array(fc.record({ name: text, label: text })) }),
    ctaOverlay: fc.record({ message: text, mode: fc.constantFrom("interstitial", "overlay") }),
  },
  { requiredKeys: [] },
);

const links: fc.Arbitrary<FileLink> = fc
  .tuple(whole, partial)
  .map(([always, sometimes]) => ({ ...always, ...sometimes }));

test("the generated links cover every column", () => {
  const tried = new Set(fc.sample(links, { seed: 1, numRuns: 100 }).flatMap((link) => Object.keys(link)));
  expect([...tried].sort()).toEqual([...linkColumns].sort());
});

describe("written links are read back unchanged", () => {
  test("as CSV, in pieces of any length", () => {
    fc.assert(
      fc.property(fc.array(links, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 200 }), (all, length) => {
        expect(readCsv(inPieces(linksCsvHeader + all.map(linkCsvLine).join(""), length))).toEqual(
          all.map((link) => ({ link })),
        );
      }),
      { seed: 20_261_122, numRuns: 100 },
    );
  });

  test("as JSON lines", () => {
    fc.assert(
      fc.property(links, (link) => {
        const line = linkJsonLine(link);
        expect(line.slice(0, -1)).not.toContain("\n");
        expect(readLinkFields(JSON.parse(line))).toEqual({ link });
      }),
      { seed: 20_261_122, numRuns: 100 },
    );
  });
});

describe("a file that a person has edited", () => {
  const [link] = fc.sample(whole, { seed: 1, numRuns: 1 });
  if (!link) throw new Error("There is no sample");

  test("can have its columns in any order, some missing and others added", () => {
    const names = ["slug", "defaultUrl", "Owner", "domain", "_id", "tags", "isActive", "rules"];
    const cells = ["spring", "https://a.example", "Ada", "go.example.com", "7", " spring, mail ", "TRUE"];
    expect(readLinkCells(names, cells)).toEqual({
      link: {
        ...{ slug: "spring", defaultUrl: "https://a.example", domain: "go.example.com", _id: "7" },
        ...{ tags: ["spring", "mail"], isActive: true, rules: [] },
      },
    });
  });

  test("gets a fault for each unreadable cell", () => {
    const names = ["_id", "domain", "slug", "defaultUrl", "isActive", "maxClicks", "tags", "rules", "utm"];
    const cells = ["1", "a.example", "a", "https://b.example", "maybe", "-1", "[1]", "{}", "[]"];
    expect(readLinkCells(names, cells)).toEqual({
      faults: [
        "tags: expected a list of text",
        "isActive: expected true or false",
        "maxClicks: expected an integer",
        "rules: expected a JSON array",
        "utm: expected a JSON object",
      ],
    });
  });

  test("gets a fault for each field of another type", () => {
    expect(readLinkFields({ slug: 1, tags: "a" })).toEqual({
      faults: ["slug: expected text", "tags: expected a list of text"],
    });
  });

  test("can have null for missing values, and unknown fields", () => {
    const fields = { ...link, title: null, owner: "Ada", ["__proto__"]: { slug: "b" } };
    expect(readLinkFields(fields)).toEqual({ link });
  });
});

describe("CSV of other programs", () => {
  test.each<[string, string, string[][]]>([
    [
      "with a byte order mark",
      "\ufeffa,b\r\n1,2\r\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "without an end to the last line",
      "a,b\n1,2",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "with the line ends of old",
      "a,b\r1,2\r",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    ["with blank lines", "a\r\n\r\n\n1\n", [["a"], ["1"]]],
    [
      "with quotes where none are needed",
      '"a","b"\n"1","2"\n',
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    ["with quotes in a bare cell", 'a "b" c,d\n', [['a "b" c', "d"]]],
    ["with text after a closing quote", '"a" b,c\n', [["a b", "c"]]],
    [
      "with empty cells",
      ",\n,,\n",
      [
        ["", ""],
        ["", "", ""],
      ],
    ],
  ])("%s", (_, file, records) => {
    for (const length of [1, 2, 3, 100]) expect(recordsOf(inPieces(file, length))).toEqual(records);
  });

  test("may have another separator", () => {
    expect(recordsOf(["a;b,c\n"], ";")).toEqual([["a", "b,c"]]);
    expect(recordsOf(["a\tb,c\n"], "\t")).toEqual([["a", "b,c"]]);
  });

  test("with a quote that is never closed is refused", () => {
    expect(() => recordsOf(['a,b\n1,"2\n3,4\n'])).toThrow(new CsvFault("Record 2 has a quote that is never closed"));
    const endless = Array.from({ length: 5 }, () => "x".repeat(1_000_000));
    expect(() => recordsOf(['a\n"', ...endless])).toThrow("Record 2 is longer than 4000000 characters");
  });
});

function recordsOf(pieces: readonly string[], separator?: string): string[][] {
  const reader = createCsvReader(separator);
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
}

function readCsv(pieces: readonly string[]) {
  const [names = [], ...records] = recordsOf(pieces);
  return records.map((cells) => readLinkCells(names, cells));
}

const inPieces = (file: string, length: number): string[] =>
  Array.from({ length: Math.ceil(file.length / length) }, (_, index) =>
    file.slice(index * length, (index + 1) * length),
  );
