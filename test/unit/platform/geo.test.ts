import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Geo, openGeo } from "@/platform/geo";
import { type MmdbValue, networkV4, writeMmdb } from "./mmdb";

let folder: string;
let bundled: Geo;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waymark-geo-"));
  bundled = await openGeo();
});
afterAll(async () => {
  bundled.close();
  await rm(folder, { recursive: true });
});

describe("the database of the package knows", () => {
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
    const berlin = { country: "DE", region: "Berlin", city: "Berlin", timeZone: "Europe/Berlin" };
    expect(geo.lookup("203.0.113.9")).toEqual(berlin);
    expect(geo.lookup("::ffff:203.0.112.1")).toEqual(berlin);
    expect(geo.lookup("198.51.100.200")).toEqual({ country: "FR" });
    expect(geo.lookup("198.51.100.1")).toBeUndefined();
    expect(geo.lookup("2001:db8::1")).toEqual(ipVersion === 6 ? { country: "FR" } : undefined);
    geo.close();
  });
});

test("a file without time zones has them from the coordinates", async () => {
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
  expect(geo.lookup("203.0.113.1")).toEqual({ country: "JP", region: "Tokyo", city: "Tokyo", timeZone: "Asia/Tokyo" });
  geo.close();
});

describe("a replaced file", () => {
  const file = (country: string) =>
    writeMmdb([{ prefix: networkV4("203.0.113.0", 24, 4), record: { country: { iso_code: country } } }], 24, 4);
  const replace = async (path: string, content: Uint8Array) => {
    await writeFile(`${path}.new`, content);
    await rename(`${path}.new`, path);
  };

  test("is taken over; one that cannot be read is not", async () => {
    const path = join(folder, "replaced.mmdb");
    await writeFile(path, file("DE"));
    const outcomes: (string | Error)[] = [];
    const geo = await openGeo(path, { reloadEveryMs: 5, onReload: (outcome) => outcomes.push(outcome) });
    expect(geo.lookup("203.0.113.1")?.country).toBe("DE");

    await replace(path, Buffer.from("this is no database"));
    while (outcomes.length === 0) await Bun.sleep(2);
    expect(outcomes[0]).toBeInstanceOf(Error);
    expect(geo.lookup("203.0.113.1")?.country).toBe("DE");

    await replace(path, file("FR"));
    while (!outcomes.includes("reloaded")) await Bun.sleep(2);
    expect(geo.lookup("203.0.113.1")?.country).toBe("FR");
    geo.close();
  });

  test("that is missing or no database at the start is said to be", async () => {
    expect(openGeo(join(folder, "missing.mmdb"))).rejects.toThrow("ENOENT");
    const path = join(folder, "broken.mmdb");
    await writeFile(path, "this is no database");
    expect(openGeo(path)).rejects.toThrow();
  });
});
