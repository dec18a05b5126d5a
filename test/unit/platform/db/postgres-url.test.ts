import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { parsePostgresUrl } from "@/platform/db/connection/postgres-url";

const HERE = join(import.meta.dir, "postgres-url.test.ts");
const placesOf = (url: string) => parsePostgresUrl(url).places.map(({ host, port }) => `${host} ${port}`);

test.each([
  ["one host", "postgres://user:secret@db.example/app", ["db.example 5432"]],
  ["one host with a port", "postgresql://db.example:6432/app", ["db.example 6432"]],
  ["several hosts", "postgres://user@a.example,b.example:5433/app", ["a.example 5432", "b.example 5433"]],
  ["several hosts with ports", "postgres://u:p@a:1,b:2,c:3/app?sslmode=disable", ["a 1", "b 2", "c 3"]],
  ["addresses of version 6", "postgres://[::1]:5433,[fe80::1]/app", ["::1 5433", "fe80::1 5432"]],
  ["an @ in the password", "postgres://user:p%40ss@a,b/app", ["a 5432", "b 5432"]],
  ["no host", "postgres:///app", ["localhost 5432"]],
])("reads %s", (_, url, places) => expect(placesOf(url)).toEqual(places));

test("the driver gets one host, and no TLS parameters, which it would take for settings of the server", () => {
  const { href } = parsePostgresUrl(`postgres://u:p@a:1,b:2/app?sslmode=verify-full&sslrootcert=${HERE}&search_path=x`);
  expect(href).toBe("postgres://u:p@a:1/app?search_path=x");
});

test("the driver gets no setting that each connection makes itself, and none of libpq alone", () => {
  const own = "application_name=app&TimeZone=Europe/Berlin&datestyle=German&client_encoding=latin1";
  const libpq = "channel_binding=prefer&keepalives=1&keepalives_idle=30&gssencmode=disable&target_session_attrs=any";
  const { href } = parsePostgresUrl(`postgres://u:p@a/app?${own}&${libpq}&connect_timeout=10&options=-c%20jit%3Doff`);
  expect(href).toBe("postgres://u:p@a/app?connect_timeout=10&options=-c+jit%3Doff");
  const { href: chosen } = parsePostgresUrl("postgres://a,b/app?target_session_attrs=read-write");
  expect(chosen).toBe("postgres://a/app?target_session_attrs=read-write");
});

describe("TLS", () => {
  const tlsOf = (query: string) => parsePostgresUrl(`postgres://a/app?${query}`).tls;
  test.each([
    ["sslmode=disable", "false"],
    ["sslmode=allow", "prefer"],
    ["sslmode=prefer", "prefer"],
    ["sslmode=require", "require"],
  ])("%s", (query, expected) => expect(String(tlsOf(query))).toBe(expected));

  test.each([
    ["sslmode=verify-full", true],
    [`sslrootcert=${HERE}`, true],
    ["sslrootcert=system", true],
    ["sslmode=verify-ca", false],
    [`sslmode=require&sslrootcert=${HERE}`, false],
  ])("%s checks the certificate; the name in it: %p", (query, isNameChecked) => {
    const tls = tlsOf(query);
    if (typeof tls !== "object") throw new Error("Nothing is checked");
    expect(tls.rejectUnauthorized).toBe(true);
    const certificate = { subject: { CN: "other.example" }, subjectaltname: "DNS:other.example" };
    const fault = Reflect.apply(tls.checkServerIdentity, undefined, ["a.example", certificate]);
    expect(fault instanceof Error).toBe(isNameChecked);
  });

  test("follows the driver's default if nothing is specified", () => expect(tlsOf("")).toBeUndefined());
});

test.each([
  ["another scheme", "mysql://a/app", /postgres:\/\//],
  ["a host that is none", "postgres://a b/app", /hosts like/],
  ["a port that is none", "postgres://a:99999,b/app", /hosts like/],
  ["channel binding", "postgres://user:secret@a/app?channel_binding=require", /remove it, and set sslmode/],
  ["an unknown mode", "postgres://user:secret@a/app?sslmode=strict", /sslmode to be one of/],
  [
    "an authority that is not there",
    "postgres://user:secret@a/app?sslrootcert=/nowhere.pem",
    /cannot read sslrootcert/,
  ],
])("refuses %s, without a word of the address", (_, url, says) => {
  expect(() => parsePostgresUrl(url)).toThrow(says);
  expect(() => parsePostgresUrl(url)).not.toThrow("secret");
});
