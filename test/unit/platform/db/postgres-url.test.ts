import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCertificate } from "@test/support/servers/certificates";
import { parsePostgresUrl } from "@/platform/db/connection/postgres-url";

const HERE = join(import.meta.dir, "postgres-url.test.ts");
const folder = mkdtempSync(join(tmpdir(), "waymark-test-"));
afterAll(() => rmSync(folder, { recursive: true }));
const fileOf = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const { cert } = makeCertificate({ names: ["a.example"] });
const ROOT = fileOf("root.crt", cert);
const CUT = fileOf("cut.crt", cert.slice(0, 100));
const STRANGE = fileOf("strange.key", makeCertificate({ names: ["b.example"] }).key);
const placesOf = (url: string) => parsePostgresUrl(url).places.map(({ host, port }) => `${host} ${port}`);

test.each([
  ["one host", "postgres://user:secret@db.example/app", ["db.example 5432"]],
  ["one host with a port", "postgresql://db.example:6432/app", ["db.example 6432"]],
  ["several hosts", "postgres://user@a.example,b.example:5433/app", ["a.example 5432", "b.example 5433"]],
  ["several hosts with ports", "postgres://u:p@a:1,b:2,c:3/app?sslmode=disable", ["a 1", "b 2", "c 3"]],
  ["addresses of version 6", "postgres://[::1]:5433,[fe80::1]/app", ["::1 5433", "fe80::1 5432"]],
  ["an @ in the password", "postgres://user:p%40ss@a,b/app", ["a 5432", "b 5432"]],
  ["no host", "postgres:///app", ["localhost 5432"]],
  ["no host but a user", "postgres://user:secret@/app", ["localhost 5432"]],
  ["a host among the parameters", "postgres://other:6432/app?host=::1", ["::1 6432"]],
  ["one port for several hosts", "postgres://a,b/app?port=6432", ["a 6432", "b 6432"]],
  ["a port for each host", "postgres:///app?host=a,b&port=,6432", ["a 5432", "b 6432"]],
  ["the folder of a Unix socket", "postgres:///app?host=/var/run/postgresql", ["/var/run/postgresql 5432"]],
  ["such a folder with a port", "postgres:///app?host=/tmp&port=5433", ["/tmp 5433"]],
  ["such a folder in place of the host", "postgres://u@%2Fvar%2Frun%2Fdb:5433/app", ["/var/run/db 5433"]],
  ["such a folder and a user", "postgres://u:p@/app?host=/cloudsql/a:eu:b", ["/cloudsql/a:eu:b 5432"]],
])("reads %s", (_, url, places) => expect(placesOf(url)).toEqual(places));

test("the driver gets one host, and no TLS parameters, which it would take for settings of the server", () => {
  const { href } = parsePostgresUrl(`postgres://u:p@a:1,b:2/app?sslmode=verify-full&sslrootcert=${ROOT}&search_path=x`);
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

test.each([
  ["postgres://u:p@a/app", "postgres://u:p@a/app", "app"],
  ["postgres://u:p@a/my%20app", "postgres://u:p@a/my%20app", "my app"],
  ["postgres://a", "postgres://a", undefined],
  ["postgres:///app", "postgres:///app", "app"],
  ["postgres://a/app?sslpassword=p", "postgres://a/app", "app"],
  ["postgres:///app?host=/tmp&user=a%40b&password=%25", "postgres://a%40b:%25@localhost/app", "app"],
  ["postgres:///?host=a&dbname=app&jit=off", "postgres://a/?jit=off", "app"],
])("the driver gets %s as %s and the database %p", (url, href, database) =>
  expect(parsePostgresUrl(url)).toMatchObject({ href, database }),
);

test("nothing is encrypted on the way through a Unix socket", () =>
  expect(parsePostgresUrl("postgres:///app?host=/tmp&sslmode=verify-full")).toMatchObject({
    href: "postgres://localhost/app",
    tls: false,
  }));

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
    [`sslrootcert=${ROOT}`, true],
    ["sslrootcert=system", true],
    ["sslmode=verify-ca", false],
    [`sslmode=require&sslrootcert=${ROOT}`, false],
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
  ["hosts and folders together", "postgres:///app?host=a,/tmp", /either hosts or folders/],
  ["ports that do not belong to the hosts", "postgres:///app?host=a,b,c&port=1,2", /a port for each host/],
  ["half a character", "postgres://user:secret@a/app%zz", /postgres:\/\//],
  ["a certificate without its key", `postgres://user:secret@a/app?sslcert=${HERE}`, /both sslcert and sslkey/],
  ["a certificate without TLS", `postgres://a/app?sslcert=${HERE}&sslkey=${HERE}`, /sslcert requires sslmode=require/],
  [
    "a certificate that is none",
    `postgres://user:secret@a/app?sslmode=require&sslcert=${HERE}&sslkey=${HERE}`,
    /sslcert is not a file in PEM format/,
  ],
  [
    "a certificate with another one's key",
    `postgres://user:secret@a/app?sslmode=require&sslcert=${ROOT}&sslkey=${STRANGE}`,
    /sslcert and sslkey are not a certificate and its key/,
  ],
  ["an authority that is none", `postgres://user:secret@a/app?sslrootcert=${HERE}`, /sslrootcert is not a file in PEM/],
  ["half of an authority", `postgres://user:secret@a/app?sslrootcert=${CUT}`, /sslrootcert contains no certificate/],
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
