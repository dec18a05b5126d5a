import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CityResponse, Reader } from "maxmind";
import { mapAddress } from "@/core/networks";
import { placeMarks } from "@/core/rules/marks";
import { type Geo, type MarkedPlace, openGeo, type Place } from "@/platform/geo/geo";
import { openPlaces } from "@/platform/geo/geo-places";
import { openTree } from "@/platform/geo/geo-tree";
import { type MmdbValue, networkV4, networkV6, nodeBytes, writeMmdb } from "./mmdb";

let folder: string;
let bundled: Geo;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waymark-geo-"));
  bundled = await openGeo();
});
afterAll(async () => {
  bundled[Symbol.dispose]();
  await rm(folder, { recursive: true });
});

describe("the bundled database knows", () => {
  test.each([
    ["a public resolver", "8.8.8.8", { country: "US", region: "California", timeZone: "America/Los_Angeles" }],
    ["an address mapped into IPv6", "::ffff:8.8.8.8", { country: "US", region: "California" }],
    ["one mapped and written as IPv6", "::ffff:808:808", { country: "US", region: "California" }],
    ["an IPv6 address", "2001:4860:4860::8888", { timeZone: expect.stringContaining("/") }],
    ["London", "81.2.69.142", { country: "GB", city: "London", timeZone: "Europe/London" }],
  ])("%s", (_, address, place) => {
    expect(bundled.lookup(address)).toMatchObject(place);
    expect(bundled.lookup(address)).toBe(bundled.lookup(address));
  });

  test("a place that is first looked up by an IPv4 address mapped and written as IPv6", () => {
    const place = bundled.lookup("::ffff:8d14:201");
    expect(place).toMatchObject({ country: "DE", city: expect.stringContaining("Berlin") });
    expect(bundled.lookup("141.20.2.1")).toBe(place);
  });

  test.each([
    "10.0.0.1",
    "127.0.0.1",
    "169.254.1.1",
    "172.16.0.1",
    "192.168.1.1",
    "0.0.0.0",
    "::1",
    "::",
    "fe80::1",
    "fc00::1",
    "fe80::1%eth0",
    "::ffff:10.0.0.1",
    "",
    "1.2.3",
    "1.2.3.4.5",
    "256.1.1.1",
    "1.2.3.4 ",
    "01.2.3.1111",
    "1..2.3",
    "x.y.z.w",
    "localhost",
    ":",
    "::ffff:1.2.3",
    "12345::",
    "1.2.3.4:80",
  ])("nothing of %p", (address) => {
    expect(bundled.lookup(address)).toBeUndefined();
  });
});

const CITY: MmdbValue = {
  country: { iso_code: "DE" },
  subdivisions: [{ iso_code: "BE", names: { en: "Berlin", de: "Berlin" } }],
  city: { names: { en: "Berlin" } },
  location: { latitude: 52.5, longitude: 13.4, time_zone: "Europe/Berlin" },
};
/** Returns the place as the geo database does. */
const known = (place: Place): MarkedPlace => ({ ...place, marks: placeMarks(place) });
const COUNTRY_ONLY: MmdbValue = { registered_country: { iso_code: "FR" } };

describe.each([24, 28, 32] as const)("a City file of MaxMind's schema with records of %d bits", (recordSize) => {
  test.each([4, 6] as const)("for IPv%d is understood", async (ipVersion) => {
    const path = join(folder, `city-${recordSize}-${ipVersion}.mmdb`);
    const networks = [
      { prefix: networkV4("203.0.112.0", 23, ipVersion), record: CITY },
      { prefix: networkV4("198.51.100.128", 25, ipVersion), record: COUNTRY_ONLY },
    ];
    if (ipVersion === 6) networks.push({ prefix: "0010000000000001", record: COUNTRY_ONLY });
    await writeFile(path, writeMmdb(networks, recordSize, ipVersion));
    const geo = await openGeo(path);
    const berlin = known({ country: "DE", region: "Berlin", city: "Berlin", timeZone: "Europe/Berlin" });
    expect(geo.lookup("::ffff:cb00:7001")).toEqual(berlin);
    expect(geo.lookup("203.0.113.9")).toEqual(berlin);
    expect(geo.lookup("::ffff:203.0.112.1")).toEqual(berlin);
    expect(geo.lookup("198.51.100.200")).toEqual(known({ country: "FR" }));
    expect(geo.lookup("198.51.100.1")).toBeUndefined();
    expect(geo.lookup("2001:db8::1")).toEqual(ipVersion === 6 ? known({ country: "FR" }) : undefined);
    geo[Symbol.dispose]();
  });
});

/** A record as in GeoLite2 City. */
const FULL: MmdbValue = {
  city: { geoname_id: 2643743, names: { de: "London", en: "London", fr: "Londres", ja: "ロンドン" } },
  continent: { code: "EU", geoname_id: 6255148, names: { en: "Europe" } },
  country: { geoname_id: 2635167, is_in_european_union: false, iso_code: "GB", names: { en: "United Kingdom" } },
  location: { accuracy_radius: 10, latitude: 51.5142, longitude: -0.0931, time_zone: "Europe/London" },
  postal: { code: "EC2V" },
  registered_country: { geoname_id: 6252001, iso_code: "US", names: { en: "United States" } },
  subdivisions: [
    { geoname_id: 6269131, iso_code: "ENG", names: { en: "England", "pt-BR": "Inglaterra" } },
    { geoname_id: 2643744, iso_code: "LND", names: { en: "City of London" } },
  ],
};
const at = (latitude: number, longitude: number) => ({ location: { latitude, longitude } });

describe("a record of MaxMind's schema", () => {
  test.each<[name: string, record: MmdbValue, place: Place]>([
    [
      "in full: the country over the registered one, the largest subdivision, names in English",
      FULL,
      { country: "GB", region: "England", city: "London", timeZone: "Europe/London" },
    ],
    ["with the registered country alone", { registered_country: { iso_code: "FR" } }, { country: "FR" }],
    [
      "with a country without a code",
      { country: { geoname_id: 1 }, registered_country: { iso_code: "FR" } },
      { country: "FR" },
    ],
    ["without names in English", { country: { iso_code: "DE" }, city: { names: { de: "Köln" } } }, { country: "DE" }],
    ["without subdivisions", { country: { iso_code: "SG" }, subdivisions: [] }, { country: "SG" }],
    ["of coordinates alone: their time zone", at(-33.87, 151.21), { timeZone: "Australia/Sydney" }],
    ["on the equator and the meridian", at(0, 0), { timeZone: "Etc/GMT" }],
    ["at sea", at(30.5, -40.5), { timeZone: "Etc/GMT+3" }],
    ["with a latitude alone", { country: { iso_code: "DE" }, location: { latitude: 52.5 } }, { country: "DE" }],
    ["with coordinates of no place", { country: { iso_code: "DE" }, ...at(91.5, 13.4) }, { country: "DE" }],
    [
      "with a time zone and coordinates elsewhere: the zone as it stands",
      { location: { latitude: 52.5, longitude: 13.4, time_zone: "Asia/Tokyo" } },
      { timeZone: "Asia/Tokyo" },
    ],
    ["of another kind of database", { autonomous_system_number: 64496 }, {}],
    ["that is empty", {}, {}],
  ])("%s", async (_, record, place) => {
    const path = join(folder, `record-${crypto.randomUUID()}.mmdb`);
    await writeFile(path, writeMmdb([{ prefix: networkV4("203.0.113.0", 24, 6), record }], 28, 6));
    const geo = await openGeo(path);
    const found = geo.lookup("203.0.113.1");
    expect({ ...found }).toEqual(known(place));
    expect(geo.lookup("203.0.113.200")).toBe(found);
    geo[Symbol.dispose]();
  });
});

test("IPv4 is found in an IPv6 tree below `::/96`, and again where that is aliased", async () => {
  const path = join(folder, "aliases.mmdb");
  const aliases = [networkV6([0, 0, 0, 0, 0, 0xffff], 96), networkV6([0x2002], 16)];
  const networks = [{ prefix: networkV4("203.0.113.0", 24, 6), record: CITY }];
  await writeFile(path, writeMmdb(networks, 28, 6, aliases));
  const geo = await openGeo(path);
  const berlin = geo.lookup("203.0.113.9");
  expect(berlin?.city).toBe("Berlin");
  for (const same of ["::ffff:203.0.113.9", "::ffff:cb00:7109", "::203.0.113.9", "2002:cb00:7109::1"]) {
    expect(geo.lookup(same)).toBe(berlin);
  }
  for (const other of ["2002:cb00:7209::1", "::203.0.114.9", "2001:db8::1"]) {
    expect(geo.lookup(other)).toBeUndefined();
  }
  geo[Symbol.dispose]();
});

describe.each([24, 28, 32] as const)("a tree with records of %d bits", (recordSize) => {
  test("can contain pointers as large as its records", () => {
    const largest = 2 ** recordSize - 1;
    for (const [left, right] of [
      [largest - 1, 2],
      [2, largest - 1],
      [0x123456, 0xabcdef],
    ] as const) {
      const tree = openTree(nodeBytes(left, right, recordSize), { nodeCount: 1, recordSize, ipVersion: 4 });
      expect([tree.walkV4(0), tree.walkV4(2 ** 31)]).toEqual([left, right]);
      expect([tree.walkV4(0), tree.walkV4(2 ** 31)]).toEqual([left, right]);
    }
  });

  test.each([4, 6] as const)("of IPv%d finds what maxmind's own reader finds", (ipVersion) => {
    const random = randomBytes();
    const networks = Array.from({ length: 300 }, (_, index) => {
      const isV4 = ipVersion === 4 || index % 2 === 0;
      const groups = Array.from({ length: 8 }, () => random() * 256 + random());
      const prefix = isV4
        ? networkV4([random(), random(), random(), random()].join("."), 4 + (random() % 29), ipVersion)
        : networkV6([0x2000 + (random() % 4), ...groups.slice(1)], 20 + (random() % 109));
      return { prefix, record: { country: { iso_code: `N${index}` } } };
    });
    const file = writeMmdb(networks, recordSize, ipVersion);
    const [places, reader] = [openPlaces(file), new Reader<CityResponse>(file)];
    let found = 0;
    for (const { prefix } of networks) {
      const bits = prefix.padEnd(ipVersion === 4 ? 32 : 128, String(random() & 1));
      const address = ipVersion === 4 || prefix.startsWith("0".repeat(96)) ? dotted(bits.slice(-32)) : groupsOf(bits);
      const mapped = mapAddress(address);
      const place = typeof mapped === "number" ? places.findV4(mapped) : places.findV6(mapped ?? []);
      expect([address, place?.country]).toEqual([address, reader.get(address)?.country?.iso_code]);
      if (place) found += 1;
    }
    expect(found).toBeGreaterThan(200);
  });
});

test.each([4, 6] as const)(
  "for IPv%d, lookups through remembered networks find what maxmind's own reader finds",
  (ipVersion) => {
    const random = randomBytes();
    const bitsOf = (...bytes: number[]) => bytes.map((byte) => byte.toString(2).padStart(8, "0")).join("");
    // Two random bytes with little variation, so that networks recur, are subdivided, and compete for cache slots.
    const net = () =>
      ipVersion === 4 ? bitsOf(9, random(), random()) : bitsOf(0x20, 1, 0, random(), random(), random() & 3);
    const length = ipVersion === 4 ? 32 : 128;
    const whole = () => (net() + bitsOf(...Array.from({ length: 10 }, random))).slice(0, length);
    const networks = Array.from({ length: 400 }, (_, index) => ({
      prefix: whole().slice(0, (ipVersion === 4 ? 12 : 30) + (random() % 20)),
      record: { country: { iso_code: `N${index}` } },
    }));
    const file = writeMmdb(networks, 28, ipVersion);
    const [places, reader] = [openPlaces(file), new Reader<CityResponse>(file)];
    const nets = Array.from({ length: 20_000 }, net);
    let found = 0;
    for (let visit = 0; visit < 40_000; visit += 1) {
      const prefix = nets[visit % 3 === 0 ? visit % 50 : (visit * 7) % nets.length] ?? "";
      const bits = (prefix + bitsOf(...Array.from({ length: 10 }, random))).slice(0, length);
      const address = ipVersion === 4 ? dotted(bits) : groupsOf(bits);
      const mapped = mapAddress(address);
      const place = typeof mapped === "number" ? places.findV4(mapped) : places.findV6(mapped ?? []);
      const expected = reader.get(address)?.country?.iso_code;
      if (place?.country !== expected) expect([address, place?.country]).toEqual([address, expected]);
      if (place) found += 1;
    }
    expect(found).toBeGreaterThan(1_000);
  },
);

/** Returns a generator of the same bytes in every run. */
function randomBytes(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  };
}
const chunks = (bits: string, size: number) =>
  Array.from({ length: bits.length / size }, (_, index) =>
    Number.parseInt(bits.slice(index * size, (index + 1) * size), 2),
  );
const dotted = (bits: string) => chunks(bits, 8).join(".");
const groupsOf = (bits: string) =>
  chunks(bits, 16)
    .map((group) => group.toString(16))
    .join(":");

test("time zones that a file lacks come from its coordinates", async () => {
  const path = join(folder, "flat.mmdb");
  const record = {
    country_code: "JP",
    state1: "Tokyo",
    city: "Tokyo",
    timezone: "",
    latitude: 35.68,
    longitude: 139.76,
  };
  await writeFile(path, writeMmdb([{ prefix: networkV4("203.0.113.0", 24, 4), record }], 24, 4));
  const geo = await openGeo(path);
  expect(geo.lookup("203.0.113.1")).toEqual(
    known({ country: "JP", region: "Tokyo", city: "Tokyo", timeZone: "Asia/Tokyo" }),
  );
  geo[Symbol.dispose]();
});

describe("a replaced file", () => {
  const file = (country: string) =>
    writeMmdb([{ prefix: networkV4("203.0.113.0", 24, 4), record: { country: { iso_code: country } } }], 24, 4);
  const countryAt = (geo: Geo) => geo.lookup("203.0.113.1")?.country;
  const replace = async (path: string, content: Uint8Array) => {
    await writeFile(`${path}.new`, content);
    await rename(`${path}.new`, path);
  };
  const watched = async (name: string) => {
    const path = join(folder, name);
    await writeFile(path, file("DE"));
    const outcomes: (string | Error)[] = [];
    const geo = await openGeo(path, { reloadEveryMs: 5, onReload: (outcome) => outcomes.push(outcome) });
    const told = async (count: number) => {
      while (outcomes.length < count) await Bun.sleep(2);
      return outcomes.at(-1);
    };
    return { path, geo, outcomes, told };
  };

  test("is loaded; one that is not a database is not loaded, and is reported once", async () => {
    const { path, geo, outcomes, told } = await watched("replaced.mmdb");
    expect(countryAt(geo)).toBe("DE");
    await replace(path, Buffer.from("this is no database"));
    expect(await told(1)).toBeInstanceOf(Error);
    await Bun.sleep(50);
    expect([outcomes.length, countryAt(geo)]).toEqual([1, "DE"]);

    await replace(path, file("FR"));
    expect(await told(2)).toBe("reloaded");
    expect(countryAt(geo)).toBe("FR");
    await replace(path, file("IT"));
    expect(await told(3)).toBe("reloaded");
    expect(countryAt(geo)).toBe("IT");
    geo[Symbol.dispose]();
  });

  test("is loaded once it is complete; an incomplete one is reported, and the old one stays in use", async () => {
    const { path, geo, told } = await watched("half.mmdb");
    const whole = file("FR");
    for (const [index, share] of [0, 0.3, 0.6, 0.99].entries()) {
      await writeFile(path, whole.subarray(0, whole.length * share));
      if (index === 0) expect(await told(1)).toBeInstanceOf(Error);
      await Bun.sleep(20);
      expect(countryAt(geo)).toBe("DE");
    }
    await writeFile(path, whole);
    expect(await told(2)).toBe("reloaded");
    expect(countryAt(geo)).toBe("FR");
    geo[Symbol.dispose]();
  });

  test("that is missing for a while is reported once, and loaded when it is back", async () => {
    const { path, geo, outcomes, told } = await watched("gone.mmdb");
    await rm(path);
    expect(await told(1)).toBeInstanceOf(Error);
    await Bun.sleep(50);
    expect([outcomes.length, countryAt(geo)]).toEqual([1, "DE"]);
    await replace(path, file("FR"));
    expect(await told(2)).toBe("reloaded");
    expect(countryAt(geo)).toBe("FR");
    geo[Symbol.dispose]();
  });

  test("is not checked any more after closing", async () => {
    const { path, geo, outcomes } = await watched("closed.mmdb");
    geo[Symbol.dispose]();
    await replace(path, file("FR"));
    await Bun.sleep(50);
    expect([outcomes, countryAt(geo)]).toEqual([[], "DE"]);
  });

  test("that is missing or not a database at startup causes an error", async () => {
    expect(openGeo(join(folder, "missing.mmdb"))).rejects.toThrow("ENOENT");
    const path = join(folder, "broken.mmdb");
    await writeFile(path, "this is no database");
    expect(openGeo(path)).rejects.toThrow("not a complete MaxMind DB");
  });
});
