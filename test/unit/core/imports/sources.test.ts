/** Exports of other services in their own formats, and the links they become. */
import { describe, expect, test } from "bun:test";
import type { ImportSource } from "@/contract/links/imports";
import { createCsvReader } from "@/core/csv/reader";
import { matchHeader } from "@/core/imports/header";
import type { OldLink } from "@/core/imports/old-link";
import { SourceRecord } from "@/core/imports/record";
import { itemsOf, sniffCsv, sniffJson } from "@/core/imports/sniff";
import { SOURCES } from "@/core/imports/sources";
import { type CheckedVisitor, DESKTOP, visitorWith } from "@/core/imports/visitors/visitor";

const FIREBASE = `Short link,Deep link (link),Android package name (apn),Android fallback link (afl),Android minimum package version code (amv),iOS bundle ID (ibi),iOS fallback link (ifl),iOS custom scheme (ius),iOS iPad fallback link (ipfl),iOS iPad bundle ID (ipbi),iOS app store ID (isi),iOS minimum version (imv),Enable forced redirect? (efr),Desktop fallback link (ofl),Social title (st),Social description (sd),Social image link (si),UTM source (utm_source),UTM medium (utm_medium),UTM campaign (utm_campaign),UTM term (utm_term),UTM content (utm_content),iTunes connect at,iTunes connect ct,iTunes connect mt,iTunes connect pt,Archived?,Link name,Creation timestamp
https://acme.page.link/m9Mm,https://acme.com/welcome,com.acme.app,,120,com.acme.ios,,acme,,,123456789,14.0,false,https://acme.com/desktop,Welcome,Join us,https://acme.com/og.png,newsletter,email,spring,,,,spring,8,1180,false,Welcome mail,2023-05-04T10:22:31Z
https://go.acme.com/promo,https://acme.com/p?id=1,com.acme.app,https://acme.com/no-app,,,,,,,,,true,,,,,,,,,,,,,,true,Old promo,2021-02-01T08:00:00Z
`;
const DUB = `Short link,Destination URL,Clicks,Created at,Tags,Archived
https://go.acme.com/spring,https://acme.com/spring?utm_source=x,1284,2025-03-01T09:00:00.000Z,"spring, email",No
https://go.acme.com/,https://acme.com/,17,2024-11-05T12:30:00.000Z,,No
`;
const SHLINK = `"createdAt","domain","shortCode","shortUrl","longUrl","title","tags","visits"
"2024-02-11T18:03:22+00:00","s.acme.com","promo","https://s.acme.com/promo","https://acme.com/p","Promo","spring|mail",4211
"2023-07-01T07:00:00+00:00","s.acme.com","a1B2c","https://s.acme.com/a1B2c","https://acme.com/x","","",12
`;
const YOURLS = `source,target,hits
/promo/,https://acme.com/p,4211
/a1B2c/,"https://acme.com/x?a=1,2",12
`;
const BITLY = `Link,Custom Link,Title,Destination URL,Tags,Created,Total Clicks
acme.ly/3xYzAbC,acme.ly/promo,Promo,https://acme.com/p,"spring,mail",2024-05-02 08:11:00,4211
acme.ly/3qQqQqQ,,No title,https://acme.com/x,,2023-01-09 10:00:00,12
`;
const REBRANDLY = `id,title,slashtag,destination,shortUrl,domain,createdAt,clicks
ffs24cc5,Promo,promo,https://acme.com/p,go.acme.com/promo,go.acme.com,2016-07-13T10:54:12.000Z,42
`;

function readCsv(text: string, stated: Parameters<typeof sniffCsv>[1] = {}) {
  const sniffed = sniffCsv(text, stated);
  if ("fault" in sniffed || sniffed.form.kind !== "csv") throw new Error(JSON.stringify(sniffed));
  const { source, delimiter, header, linesBefore } = sniffed.form;
  const match = matchHeader(header, SOURCES[source], stated.mapping);
  if ("fault" in match) throw new Error(match.fault);
  const reader = createCsvReader(delimiter);
  const rows = [...reader.push(text), ...reader.end()].slice(linesBefore);
  const records = rows.map(
    (cells) =>
      new SourceRecord(
        Object.fromEntries(cells.flatMap((cell, at) => (match.fields[at] ? [[match.fields[at], cell]] : []))),
      ),
  );
  return { source, records, read: records.map((record) => SOURCES[source].read(record, visitor.at)) };
}

const linksOf = (read: ReturnType<typeof readCsv>["read"]): OldLink[] =>
  read.flatMap((one) => ("links" in one ? one.links : []));
const readItem = (source: ImportSource, item: object) =>
  SOURCES[source].read(new SourceRecord({ ...item }), visitor.at);
const visitor: CheckedVisitor = visitorWith(DESKTOP, Date.UTC(2026, 0, 1));
const routes = (source: ImportSource, item: object, ...visitors: Partial<CheckedVisitor>[]) =>
  visitors.map((one) => SOURCES[source].routeOf(new SourceRecord({ ...item }), { ...visitor, ...one }));

describe("Firebase", () => {
  const { source, records, read } = readCsv(FIREBASE);
  const [welcome, promo] = linksOf(read);

  test("keeps the deep link, its rules, its app and its social card", () => {
    expect(source).toBe("firebase");
    expect(welcome).toMatchObject({
      address: { host: "acme.page.link", path: "m9Mm" },
      createdAt: Date.UTC(2023, 4, 4, 10, 22, 31),
      app: {
        ios: {
          bundleId: "com.acme.ios",
          appStoreId: "123456789",
          scheme: "acme",
          providerToken: "1180",
          campaignName: "spring",
        },
        android: { packageName: "com.acme.app" },
      },
      fields: {
        defaultUrl: "https://acme.com/welcome",
        deepLinkPayload: { link: "https://acme.com/welcome" },
        title: "Welcome mail",
        isArchived: false,
        utm: { source: "newsletter", medium: "email", campaign: "spring" },
        social: { title: "Welcome", description: "Join us", imageUrl: "https://acme.com/og.png" },
        rules: [
          { priority: 4, destinationUrl: "https://acme.com/desktop", conditions: { platform: ["desktop", "other"] } },
        ],
      },
    });
  });

  test("reports what is lost, and that a page.link host cannot move", () => {
    expect(welcome?.dropped.map(({ field }) => field)).toEqual(["amv", "imv", "mt", "host"]);
    expect(promo?.dropped.map(({ field }) => field)).toEqual(["efr"]);
  });

  test("sends visitors without the app where Firebase sent them", () => {
    const [first, second] = records.map(({ values }) => values);
    const all = [{ platform: "ios" }, { platform: "android" }, {}] as const;
    expect(routes("firebase", first ?? {}, ...all)).toEqual([
      { store: "app_store", id: "123456789" },
      { store: "play", id: "com.acme.app" },
      { url: "https://acme.com/desktop" },
    ]);
    expect(routes("firebase", second ?? {}, ...all)).toEqual([
      { url: "https://acme.com/p?id=1" },
      { url: "https://acme.com/no-app" },
      { url: "https://acme.com/p?id=1" },
    ]);
  });

  test("recognizes columns by position if only their number is as expected", () => {
    const [, ...rows] = FIREBASE.split("\n");
    const header = ["Short link", "Deep link", ...Array.from({ length: 27 }, (_, index) => `Spalte ${index + 3}`)].join(
      ",",
    );
    const again = readCsv([header, ...rows].join("\n"), { source: "firebase" });
    expect(linksOf(again.read)).toEqual(linksOf(read));
  });
});

describe("Dub", () => {
  test("reads the CSV, and refuses the root of a domain", () => {
    const { source, read } = readCsv(DUB);
    expect(source).toBe("dub");
    expect(read).toMatchObject([
      {
        links: [
          {
            address: { host: "go.acme.com", path: "spring" },
            clicksBefore: 1284,
            fields: { tags: ["spring", "email"] },
          },
        ],
      },
      { refused: expect.stringContaining("root"), address: "https://go.acme.com/" },
    ]);
  });

  const item = {
    ...{
      domain: "go.acme.com",
      key: "Sale",
      url: "https://acme.com/s",
      ios: "https://acme.com/ios",
      geo: { DE: "https://acme.com/de", XX: "https://x.com" },
    },
    ...{
      archived: true,
      comments: "For Bob",
      expiresAt: "2026-06-01T00:00:00Z",
      expiredUrl: "https://acme.com/over",
      tags: [{ id: "1", name: "a" }],
    },
    ...{
      title: "Sale",
      description: "Everything",
      image: "https://acme.com/i.png",
      proxy: true,
      folderId: "f",
      clicks: 3,
      rewrite: false,
      leads: 0,
    },
  };

  test("keeps the rules, the expiry and the social card from the API", () => {
    expect(readItem("dub", item)).toMatchObject({
      links: [
        {
          fields: {
            ...{
              title: "Sale",
              notes: "For Bob",
              isArchived: true,
              expiresAt: "2026-06-01T00:00:00.000Z",
              tags: ["a"],
            },
            social: { title: "Sale", description: "Everything", imageUrl: "https://acme.com/i.png" },
            rules: [
              { destinationUrl: "https://acme.com/ios", conditions: { platform: ["ios"] } },
              { destinationUrl: "https://acme.com/de", conditions: { countries: ["DE"] } },
            ],
          },
          dropped: [{ field: "folderId" }, { field: "geo.XX" }],
        },
      ],
    });
  });

  describe("an A/B test", () => {
    const testVariants = [
      { url: "https://acme.com/a", percentage: 60 },
      { url: "https://acme.com/b", percentage: 40 },
    ];
    const running = { ...item, testVariants, testCompletedAt: "2026-03-01T00:00:00Z" };

    test("is a split while it runs, after devices and countries", () => {
      expect(readItem("dub", running)).toMatchObject({
        links: [{ fields: { splitTargets: [{ weight: 60 }, { weight: 40 }] } }],
      });
      const at = Date.UTC(2026, 2, 1);
      expect(routes("dub", running, { platform: "ios" }, { country: "DE" }, {}, { at })).toEqual([
        { url: "https://acme.com/ios" },
        { url: "https://acme.com/de" },
        { anyOf: ["https://acme.com/a", "https://acme.com/b"] },
        { url: "https://acme.com/s" },
      ]);
    });

    test.each([
      [
        [33.33, 33.33, 33.34],
        [33_330, 33_330, 33_340],
      ],
      [
        [33.333, 66.667],
        [33_333, 66_667],
      ],
      [
        [12.5, null, 80],
        [12_500, 1_000, 80_000],
      ],
    ])("with percentages of %j has weights in the same proportions", (percentages, weights) => {
      const variants = percentages.map((percentage) => ({ url: "https://acme.com/v", percentage }));
      const [link] = linksOf([readItem("dub", { ...running, testVariants: variants })]);
      expect(link?.fields.splitTargets?.map(({ weight }) => weight)).toEqual(weights);
    });

    test.each([
      ["without a date", { testCompletedAt: null }],
      ["that has ended", { testCompletedAt: "2025-12-31T00:00:00Z" }],
      ["with a date that is none", { testCompletedAt: "soon" }],
      ["with a single variant", { testVariants: testVariants.slice(0, 1) }],
    ])("%s is left out and reported", (_, change) => {
      const [link] = linksOf([readItem("dub", { ...running, ...change })]);
      expect(link?.fields).not.toHaveProperty("splitTargets");
      expect(link?.dropped).toContainEqual({
        field: "testVariants",
        why: "no test is running: the link leads to its URL",
      });
      expect(routes("dub", { ...running, ...change }, {})).toEqual([{ url: "https://acme.com/s" }]);
    });
  });

  test("routes by device before country, and to the expired URL after expiry", () => {
    const ended = { at: Date.UTC(2027, 0, 1) };
    expect(routes("dub", item, { platform: "ios", country: "DE" }, { country: "DE" }, {}, ended)).toEqual([
      { url: "https://acme.com/ios" },
      { url: "https://acme.com/de" },
      { url: "https://acme.com/s" },
      { url: "https://acme.com/over" },
    ]);
  });
});

describe("Shlink", () => {
  test("reads the CSV of its web client", () => {
    const { source, read } = readCsv(SHLINK);
    expect(source).toBe("shlink");
    expect(linksOf(read)).toMatchObject([
      {
        address: { host: "s.acme.com", path: "promo" },
        clicksBefore: 4211,
        fields: { tags: ["spring", "mail"], title: "Promo" },
      },
      { address: { host: "s.acme.com", path: "a1B2c" }, createdAt: Date.UTC(2023, 6, 1, 7) },
    ]);
  });

  const rule = (priority: number, ...conditions: [type: string, key: string | null, value: string | null][]) => ({
    ...{ priority, longUrl: `https://acme.com/${priority}` },
    conditions: conditions.map(([type, matchKey, matchValue]) => ({ type, matchKey, matchValue })),
  });
  const item = {
    ...{ shortCode: "a/b", longUrl: "https://acme.com/x", domain: null, dateCreated: "2024-02-11T18:03:22+00:00" },
    ...{ meta: { validSince: null, validUntil: null, maxVisits: 10 }, visitsSummary: { total: 4 }, crawlable: true },
    redirectRules: [
      rule(1, ["device", null, "ios"], ["geolocation-country-code", null, "de"]),
      rule(2, ["valueless-query-param", "debug", null]),
      rule(3, ["query-param", "a", "1"], ["any-value-query-param", "b", null]),
      rule(4, ["language", null, "pt-BR"]),
    ],
  };

  test("keeps supported rules, drops others entirely, and subtracts earlier visits from the maximum", () => {
    expect(readItem("shlink", item)).toMatchObject({
      links: [
        {
          address: { host: null, path: "a/b" },
          fields: {
            maxClicks: 6,
            rules: [
              { priority: 1, conditions: { platform: ["ios"], countries: ["DE"] } },
              { priority: 3, conditions: { query: [{ name: "a", values: ["1"] }, { name: "b" }] } },
              { priority: 4, conditions: { languages: ["pt-BR"] } },
            ],
          },
          dropped: [{ field: "crawlable" }, { field: "redirectRules[1]" }],
        },
      ],
    });
    expect(routes("shlink", item, { platform: "ios", country: "DE" }, {})).toEqual([
      { url: "https://acme.com/1" },
      { url: "https://acme.com/x" },
    ]);
  });

  test("imports mobile devices as iOS and Android", () => {
    const ruled = {
      shortCode: "a",
      longUrl: "https://acme.com/x",
      redirectRules: [rule(1, ["device", null, "mobile"])],
    };
    expect(linksOf([readItem("shlink", ruled)])[0]?.fields.rules).toMatchObject([
      { conditions: { platform: ["ios", "android"] } },
    ]);
  });

  test.each([
    ["203.0.113.7", "203.0.113.7"],
    ["203.0.113.0/24", "203.0.113.0/24"],
    ["203.0.113.*", "203.0.113.0/24"],
    ["203.0.*.*", "203.0.0.0/16"],
    ["203.*.113.7", undefined],
    ["203.0.*.7", undefined],
    ["203.0.*", undefined],
    ["203.0.999.*", undefined],
  ])("imports the address %s as %s", (address, network) => {
    const ruled = {
      shortCode: "a",
      longUrl: "https://acme.com/x",
      redirectRules: [rule(1, ["ip-address", null, address])],
    };
    const expected = network === undefined ? [] : [{ conditions: { addresses: [network] } }];
    expect(linksOf([readItem("shlink", ruled)])[0]?.fields.rules ?? []).toMatchObject(expected);
  });

  const target = { url: "https://acme.com/1" };
  const others = { url: "https://acme.com/x" };
  test.each([
    ["an iPhone", ["device", null, "ios"], [target, others, others]],
    ["any phone", ["device", null, "mobile"], [target, target, others]],
    ["any desktop", ["device", null, "desktop"], [others, others, target]],
    ["a desktop of one system", ["device", null, "macos"], [others, others, null]],
    ["a device of which nothing is known", ["device", null, "watch"], [null, null, null]],
    ["a kind of condition of which nothing is known", ["moon", null, "full"], [null, null, null]],
    ["a date that is none", ["before-date", null, "soon"], [null, null, null]],
    ["another date that is none", ["after-date", null, "soon"], [null, null, null]],
  ] as const)(
    "predicts the route of a rule for %s only for visitors with a certain result",
    (_, condition, expected) => {
      const ruled = { shortCode: "a", longUrl: "https://acme.com/x", redirectRules: [rule(1, [...condition])] };
      const found = routes("shlink", ruled, { platform: "ios" }, { platform: "android" }, { platform: "desktop" });
      expect(found).toEqual([...expected]);
    },
  );

  test("ignores a rule without conditions", () => {
    const ruled = { shortCode: "a", longUrl: "https://acme.com/x", redirectRules: [rule(1)] };
    expect(routes("shlink", ruled, {})).toEqual([others]);
  });
});

test("Bitly: every custom address becomes a link", () => {
  const { source, read } = readCsv(BITLY);
  expect(source).toBe("bitly");
  expect(linksOf(read).map(({ address, clicksBefore }) => [address?.path, clicksBefore])).toEqual([
    ["3xYzAbC", 4211],
    ["promo", null],
    ["3qQqQqQ", 12],
  ]);
  expect(linksOf(read)[2]?.fields.title).toBeUndefined();
  const item = {
    id: "acme.ly/1",
    long_url: "https://a.com",
    custom_bitlinks: ["https://acme.ly/x", "https://acme.ly/y"],
    created_at: "2020-10-26T17:20:40+0000",
  };
  const links = linksOf([readItem("bitly", item)]);
  expect(links.map(({ address }) => address?.path)).toEqual(["1", "x", "y"]);
  expect(links[0]?.createdAt).toBe(Date.UTC(2020, 9, 26, 17, 20, 40));
});

describe("the table of YOURLS's links as CSV", () => {
  const header = ["keyword", "url", "title", "timestamp", "ip", "clicks"];
  const row = ["promo", "https://acme.com/p", "NULL", "2019-04-02 11:20:05", "203.0.113.7", "4211"];
  const promo = {
    address: { host: null, path: "promo" },
    fields: { defaultUrl: "https://acme.com/p" },
    createdAt: Date.UTC(2019, 3, 2, 11, 20, 5),
    ...{ clicksBefore: 4211, dropped: [] },
  };
  const quoted = (cells: string[]) => cells.map((cell) => (cell === "NULL" ? cell : `"${cell}"`));

  test.each([
    ["of phpMyAdmin", `${quoted(header).join()}\r\n${quoted(row).join()}\r\n`],
    ["with semicolons", `${quoted(header).join(";")}\n${quoted(row).join(";")}\n`],
    ["of MySQL's own client", `${header.join("\t")}\n${row.join("\t")}\n`],
  ])("%s keeps the time of creation, whether or not the source is stated", (_, text) => {
    for (const stated of [{}, { source: "yourls" as const }]) {
      const { source, read } = readCsv(text, stated);
      expect([source, linksOf(read)]).toMatchObject(["yourls", [promo]]);
    }
  });

  test("may lack what a link does not need, and is told from other CSVs", () => {
    const few = readCsv("keyword,url\na.b/c,https://acme.com/p\n", { source: "yourls" });
    expect(linksOf(few.read)).toMatchObject([{ address: { host: null, path: "a.b/c" } }]);
    for (const other of ["keyword,url,clicks", "source,url,clicks", "source,target,clicks"])
      expect(sniffCsv(`${other}\n`, {})).toMatchObject({ form: { source: "csv" } });
  });

  test("is read as JSON, too", () => {
    const item = Object.fromEntries(header.map((name, at) => [name, row[at]]));
    expect(sniffJson([item], {})).toMatchObject({ form: { source: "yourls" } });
    expect(linksOf([readItem("yourls", { ...item, title: null })])).toMatchObject([promo]);
  });
});

test.each([
  [
    "bitly",
    "id,title,long_url,created_at,link,tags,custom_bitlinks",
    "1,,https://a.com,2026-04-01T10:00:00+0000,acme.ly/1,,acme.ly/x",
  ],
  ["bitly", "Bitlink,Long URL,Creation Date,Custom Links", "acme.ly/1,https://a.com,2026-04-01 10:00:00,acme.ly/x"],
  ["rebrandly", "title,destination,short_url,slashtag,created", ",https://a.com,acme.ly/1,1,2026-04-01T10:00:00Z"],
  ["csv", "Original URL,Short URL,Creation Date,Click Count", "https://a.com,https://acme.ly/1,2026-04-01 10:00,7"],
  ["csv", "slug,url,timestamp", "1,https://a.com,2026-04-01 10:00:00"],
])("a CSV of %s with the columns %s keeps times and addresses", (source, header, row) => {
  const found = readCsv(`${header}\n${row}\n`);
  expect(found.source).toBe(source as ImportSource);
  const links = linksOf(found.read);
  expect(links.map(({ address, createdAt }) => [address?.path, createdAt])).toEqual(
    (source === "bitly" ? ["1", "x"] : ["1"]).map((path) => [path, Date.UTC(2026, 3, 1, 10)]),
  );
  expect(links[0]?.clicksBefore).toBe(header.includes("Click Count") ? 7 : null);
});

test("YOURLS and Rebrandly: their CSVs are read", () => {
  const plugin = readCsv(YOURLS);
  expect(plugin.source).toBe("yourls");
  expect(linksOf(plugin.read)).toMatchObject([
    { address: { host: null, path: "promo" }, clicksBefore: 4211 },
    { address: { host: null, path: "a1B2c" }, fields: { defaultUrl: "https://acme.com/x?a=1,2" } },
  ]);
  const recipe = readCsv(REBRANDLY);
  expect(recipe.source).toBe("rebrandly");
  expect(linksOf(recipe.read)).toMatchObject([{ address: { host: "go.acme.com", path: "promo" }, clicksBefore: 42 }]);
});

test.each([
  ["dub", { domain: "go.acme.com", key: "a", url: "https://acme.com/p" }],
  ["sink", { slug: "a", url: "https://acme.com/p" }],
  ["shortio", { path: "a", originalURL: "https://acme.com/p" }],
  ["kutt", { address: "a", target: "https://acme.com/p" }],
  ["csv", { slug: "a", defaultUrl: "https://acme.com/p" }],
] as const)("where a password-protected %s link leads is unknown, whatever the password is", (source, item) => {
  const passwords = ["secret", "0", "no", "n", "off", "false"];
  expect(passwords.flatMap((password) => routes(source, { ...item, password }, {}))).toEqual(passwords.map(() => null));
  expect([null, "", false].flatMap((password) => routes(source, { ...item, password }, {}))).toEqual(
    Array(3).fill({ url: "https://acme.com/p" }),
  );
});

test("Kutt, Sink and Short.io: their JSON is read, and a link whose password is lost becomes inactive", () => {
  const kutt = {
    limit: 50,
    data: [
      {
        id: "1f0a",
        address: "promo",
        target: "https://acme.com/p",
        link: "https://kutt.acme.com/promo",
        domain: null,
        password: true,
        banned: false,
        visit_count: 4211,
      },
    ],
  };
  const sink = {
    version: 1,
    links: [
      {
        id: "x",
        slug: "Promo",
        url: "https://acme.com/p",
        apple: "https://apps.apple.com/app/id1",
        geo: { FR: "https://acme.fr" },
        createdAt: 1_700_000_000,
        expiration: 1_900_000_000,
        tags: ["a"],
      },
    ],
  };
  const shortio = {
    links: [
      {
        idString: "lnk",
        originalURL: "https://acme.com/p",
        path: "promo",
        title: "Promo",
        tags: ["spring"],
        iphoneURL: "https://apps.apple.com/app/id1",
        clicksLimit: 500,
        expiredURL: "https://acme.com/over",
      },
    ],
  };
  const read = [kutt, sink, shortio].map((file) => {
    const items = itemsOf(file) ?? [];
    const sniffed = sniffJson(items, {});
    if ("fault" in sniffed) throw new Error(sniffed.fault);
    return [sniffed.form.source, readItem(sniffed.form.source, Object(items[0]))];
  });
  expect(read).toMatchObject([
    [
      "kutt",
      {
        links: [{ address: { host: "kutt.acme.com" }, fields: { isActive: false }, dropped: [{ field: "password" }] }],
      },
    ],
    [
      "sink",
      {
        links: [
          {
            createdAt: 1_700_000_000_000,
            fields: { rules: [{ conditions: { platform: ["ios"] } }, { conditions: { countries: ["FR"] } }] },
          },
        ],
      },
    ],
    [
      "shortio",
      { links: [{ address: { path: "promo" }, fields: { maxClicks: 500, expiredUrl: "https://acme.com/over" } }] },
    ],
  ]);
});

describe("the path of an imported link", () => {
  const readSlug = (slug: string) => readItem("csv", { slug, defaultUrl: "https://acme.com/" });
  const readUrl = (shortUrl: string) => readItem("csv", { shortUrl, defaultUrl: "https://acme.com/" });

  test.each(["a/../b", "a//b", "//a", "./a", "a/%2e%2E/b"])("%s is refused as a slug", (slug) => {
    expect(readSlug(slug)).toEqual({
      refused: expect.stringContaining("empty or relative segments"),
      address: expect.any(String),
    });
  });

  test.each(["https://go.acme.com/a/../b", "go.acme.com//a", "//go.acme.com/a", "/a/./b", "https://go.acme.com/a%2Fb"])(
    "%s is refused as an address",
    (url) => expect(readUrl(url)).toEqual({ refused: "its address cannot be read", address: url }),
  );

  test.each([
    ["https://go.acme.com/a/b/?x=//", { host: "go.acme.com", path: "a/b" }],
    ["/promo/", { host: null, path: "promo" }],
    ["go.acme.com/a.b/..c", { host: "go.acme.com", path: "a.b/..c" }],
  ])("%s is kept", (url, address) => {
    expect(readUrl(url)).toMatchObject({ links: [{ address }] });
  });
});

describe("dates and numbers that cannot be read are reported", () => {
  const link = "https://go.acme.com/a";
  const url = "https://acme.com/";
  const [when, count] = ["31.12.2026", "1.2K"];
  test.each<[ImportSource, Record<string, unknown>, string[]]>([
    ["csv", { defaultUrl: url, expiresAt: when, clicks: count }, ["expiresAt", "clicks"]],
    ["bitly", { link, long_url: url, created_at: when, clicks: count }, ["created_at", "clicks"]],
    ["dub", { shortLink: link, url, createdAt: when, expiresAt: when }, ["createdAt", "expiresAt"]],
    ["firebase", { shortLink: link, link: url, createdAt: when }, ["createdAt"]],
    ["kutt", { link, target: url, expire_in: when, visit_count: count }, ["expire_in", "visit_count"]],
    ["rebrandly", { shortUrl: link, destination: url, createdAt: when, clicks: count }, ["createdAt", "clicks"]],
    ["shlink", { shortUrl: link, longUrl: url, meta: { validUntil: when } }, ["validUntil"]],
    ["shlink", { shortUrl: link, longUrl: url, dateCreated: when, visits: count }, ["dateCreated", "visits"]],
    ["shortio", { path: "a", originalURL: url, expiresAt: when, clicksLimit: count }, ["expiresAt", "clicksLimit"]],
    ["sink", { slug: "a", url, createdAt: when, expiration: when }, ["createdAt", "expiration"]],
    ["yourls", { shorturl: link, url, timestamp: when, clicks: count }, ["timestamp", "clicks"]],
    ["yourls", { shorturl: "/a/", target: url, hits: count }, ["hits"]],
  ])("for %s", (source, values, fields) => {
    const read = (record: Record<string, unknown>) => {
      const outcome = SOURCES[source].read(new SourceRecord(record), Date.UTC(2026, 0, 1));
      return "links" in outcome ? outcome.links.map(({ dropped }) => dropped.map(({ field }) => field)) : outcome;
    };
    expect(read(values)).toEqual([fields]);
    const none = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, value === when ? null : value === count ? 0 : value]),
    );
    expect(read({ ...none, meta: { validUntil: null } })).toEqual([[]]);
  });
});

describe("parts that a link cannot have are left out and reported", () => {
  const long = "x".repeat(300);
  const url = "https://acme.com/";
  const address = { domain: "go.acme.com", key: "a", url };
  const testVariants = [{ url }, { url: "b" }];
  const rule = (type: string, matchValue: string) => ({
    longUrl: url,
    conditions: [{ type, matchKey: "a", matchValue }],
  });
  test.each<[ImportSource, Record<string, unknown>, string[]]>([
    [
      "csv",
      { defaultUrl: url, iosUrl: "app://x", androidUrl: "x", expiredUrl: "over" },
      ["expiredUrl", "iosUrl", "androidUrl"],
    ],
    ["csv", { defaultUrl: url, utm_term: long, externalId: long }, ["utm_term", "externalId"]],
    ["dub", { ...address, ios: "app://x", geo: { DE: "acme.de", FR: url } }, ["ios", "geo.DE"]],
    ["dub", { ...address, proxy: true, description: "x".repeat(1_001), image: "i.png" }, ["image", "description"]],
    ["dub", { ...address, testVariants, testCompletedAt: "2999-01-01" }, ["testVariants"]],
    ["firebase", { shortLink: "https://go.acme.com/a", link: url, ifl: "acme://x", si: "i.png" }, ["si", "ifl"]],
    ["shlink", { shortCode: "a", longUrl: url, redirectRules: [rule("ip-address", "10.*.0.1")] }, ["redirectRules[0]"]],
    ["shlink", { shortCode: "a", longUrl: url, redirectRules: [rule("browser", long)] }, ["redirectRules[0]"]],
    ["shlink", { shortCode: "a", longUrl: url, redirectRules: [rule("query-param", long)] }, ["redirectRules[0]"]],
    [
      "shlink",
      { shortCode: "a", longUrl: url, redirectRules: [{ ...rule("device", "ios"), longUrl: "b" }] },
      ["redirectRules[0]"],
    ],
    [
      "shlink",
      { shortCode: "a", longUrl: url, redirectRules: Array(51).fill(rule("device", "ios")) },
      ["redirectRules"],
    ],
    [
      "shortio",
      { path: "a", originalURL: url, iphoneURL: "x", androidURL: "y", expiredURL: "z" },
      ["expiredURL", "iphoneURL", "androidURL"],
    ],
    [
      "sink",
      { slug: "a", url, apple: "itms-apps://x", google: "market://x", image: "i.png" },
      ["apple", "google", "image"],
    ],
  ])("for %s: %j", (source, item, fields) => {
    const [link] = linksOf([readItem(source, item)]);
    expect(link?.dropped.map(({ field }) => field)).toEqual(fields);
    const { rules, social } = link?.fields ?? {};
    expect((rules ?? []).every(({ destinationUrl }) => destinationUrl === url)).toBe(true);
    expect(social ?? {}).not.toHaveProperty("imageUrl");
  });
});
