/** TLS to Postgres as configured by its URL: libpq's parameters mean the same as in libpq. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createPrivateKey } from "node:crypto";
import { chownSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Certificate, makeCertificate } from "@test/support/servers/certificates";
import { makeUsedDataFolder, postgresProcesses, signalIfRunning } from "@test/support/servers/embedded";
import { until } from "@test/support/until";
import type { Sql } from "postgres";
import { openDatabase } from "@/platform/db/client";
import type { AddressPin } from "@/platform/db/connection/connect";
import { parsePostgresUrl } from "@/platform/db/connection/postgres-url";
import { waitForPostgres } from "@/platform/db/connection/until-answering";
import { startEmbeddedPostgres } from "@/platform/db/embedded/embedded";

const folder = await makeUsedDataFolder();
afterAll(() => folder.remove());
const { uid, gid } = statSync(join(folder.path, "postgres"));
const own = makeCertificate({ names: ["localhost"] });
const stranger = makeCertificate({ names: ["localhost"] });
const visitor = makeCertificate({ names: ["visitor.example"] });
/** The common name of all these certificates, which is what Postgres compares. */
const VISITOR = "Waymark tests";
const fileOf = (name: string, text: string) => {
  const path = join(folder.path, "postgres", "cluster", name);
  writeFileSync(path, text, { mode: 0o600 });
  chownSync(path, uid, gid);
  return path;
};
const root = fileOf("server.crt", own.cert);
const strangersRoot = fileOf("stranger.crt", stranger.cert);
fileOf("server.key", own.key);
const visitorsCert = fileOf("visitor.crt", visitor.cert);
const visitorsKey = fileOf("visitor.key", visitor.key);
const hba = readFileSync(join(folder.path, "postgres", "cluster", "pg_hba.conf"), "utf8");
fileOf("pg_hba.conf", `hostssl all "${VISITOR}" all cert\n${hba}`);
// Relative to the data folder, because Postgres' user may be unable to access the folders above it.
const settings = {
  ssl: "on",
  ssl_cert_file: "server.crt",
  ssl_key_file: "server.key",
  ssl_ca_file: "visitor.crt",
  fsync: "off",
};
const { url } = await startEmbeddedPostgres(folder.path, () => undefined, { settings });

const addressed = (host: string, query: string): string => {
  const address = new URL(url);
  address.hostname = host;
  address.search = query.replace("<its own>", root).replace("<a stranger>", strangersRoot);
  return address.href;
};

async function isEncrypted(address: string, pin?: AddressPin): Promise<unknown> {
  const { sql, close } = openDatabase(address, { pool: "tool", ...(pin && { pin: () => pin }) });
  try {
    const [row] = await sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`;
    return row?.ssl;
  } finally {
    await close();
  }
}

describe("a connection is made", () => {
  test.each([
    ["127.0.0.1", "", false],
    ["127.0.0.1", "sslmode=disable", false],
    ["127.0.0.1", "sslmode=prefer", true],
    ["127.0.0.1", "sslmode=require", true],
    ["localhost", "sslrootcert=<its own>", true],
    ["localhost", "sslmode=verify-full&sslrootcert=<its own>", true],
    ["127.0.0.1", "sslmode=verify-ca&sslrootcert=<its own>", true],
    ["127.0.0.1", "sslmode=require&sslrootcert=<its own>", true],
  ])("to %s with %s", async (host, query, expected) =>
    expect(await isEncrypted(addressed(host, query))).toBe(expected),
  );

  test("to the address of an earlier connection, under the certificate's name", async () => {
    const address = addressed("localhost", "sslmode=verify-full&sslrootcert=<its own>");
    const pin: AddressPin = {};
    for (let times = 0; times < 2; times++) expect(await isEncrypted(address, pin)).toBe(true);
    expect(pin).toEqual({ ip: "127.0.0.1" });
  });
});

describe("a connection is refused, and the start says so in one sentence,", () => {
  test.each([
    ["localhost", "sslmode=verify-full&sslrootcert=<a stranger>"],
    ["localhost", "sslmode=require&sslrootcert=<a stranger>"],
    ["localhost", "sslmode=verify-full"],
    ["127.0.0.1", "sslmode=verify-full&sslrootcert=<its own>"],
  ])("to %s with %s", async (host, query) => {
    const log = { info: () => undefined };
    const outcome = waitForPostgres({ url: addressed(host, query), setting: "DATABASE_URL", log, waitMsMax: 500 });
    const { message } = await outcome.then(
      () => new Error("It was let in"),
      (error) => error,
    );
    expect(message).toMatch(/^DATABASE_URL: .*certificate/i);
    expect(message).not.toContain(new URL(url).password);
  });
});

test("a connection is checked against what the authority's file contains by then", async () => {
  const renewed = fileOf("renewed.crt", own.cert);
  const { sql, close } = openDatabase(addressed("localhost", `sslrootcert=${renewed}`), { pool: "tool" });
  const [first] = await sql`select pg_backend_pid() as pid`;
  await presentCertificate(stranger, "sslrootcert=<a stranger>");
  fileOf("renewed.crt", stranger.cert);
  await withConnection((other) => other`select pg_terminate_backend(${first?.pid})`);
  await until(async () => (await sql`select pg_backend_pid() as pid`)[0]?.pid !== first?.pid);
  rmSync(renewed);
  const again = openDatabase(addressed("localhost", `sslrootcert=${renewed}`), { pool: "tool" });
  await again.sql`select 1`;
  await Promise.all([close(), again.close()]);
  await presentCertificate(own, "sslrootcert=<its own>");
});

/** Resolves once the server presents this certificate, which is accepted at this address. */
async function presentCertificate({ cert, key }: Certificate, query: string): Promise<void> {
  fileOf("server.crt", cert);
  fileOf("server.key", key);
  await withConnection((sql) => sql`select pg_reload_conf()`);
  await until(async () => (await isEncrypted(addressed("localhost", query))) === true);
}

async function withConnection(work: (sql: Sql) => Promise<unknown>): Promise<void> {
  const { sql, close } = openDatabase(url, { pool: "tool" });
  await work(sql).finally(close);
}

describe("a client certificate", () => {
  const addressOf = (query: string, cert = visitorsCert, key = visitorsKey) => {
    const address = new URL(addressed("localhost", query));
    [address.username, address.password] = [encodeURIComponent(VISITOR), ""];
    for (const [name, path] of Object.entries({ sslcert: cert, sslkey: key })) address.searchParams.set(name, path);
    return address.href;
  };
  const userOf = async (address: string): Promise<unknown> => {
    const { sql, close } = openDatabase(address, { pool: "tool" });
    return sql`select session_user as name`.then(([row]) => row?.name).finally(close);
  };

  beforeAll(() => withConnection((sql) => sql`create role ${sql(VISITOR)} login`));

  test.each(["sslmode=verify-full&sslrootcert=<its own>", "sslrootcert=<its own>", "sslmode=require"])(
    "lets its user in without a password, with %s",
    async (query) => expect(await userOf(addressOf(query))).toBe(VISITOR),
  );

  test("may have a key with a password", async () => {
    const form = { type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "quartz" } as const;
    const locked = fileOf("locked.key", String(createPrivateKey(visitor.key).export(form)));
    expect(await userOf(addressOf("sslmode=require&sslpassword=quartz", visitorsCert, locked))).toBe(VISITOR);
    const wrong = addressOf("sslmode=require&sslpassword=trombone", visitorsCert, locked);
    expect(() => parsePostgresUrl(wrong)).toThrow("sslcert and sslkey are not a certificate and its key");
  });

  test("may be renewed, and half of a file does no harm", async () => {
    const [cert, key] = [fileOf("next.crt", visitor.cert), fileOf("next.key", visitor.key)];
    const { sql, close } = openDatabase(addressOf("sslmode=require", cert, key), { pool: "tool" });
    const pidNow = async () => (await sql`select pg_backend_pid() as pid`)[0]?.pid;
    const reconnect = async () => {
      const before = await pidNow();
      await withConnection((other) => other`select pg_terminate_backend(${before})`);
      await until(async () => (await pidNow()) !== before);
    };
    fileOf("next.crt", stranger.cert);
    await reconnect();
    fileOf("next.key", "-----BEGIN PRIVATE KEY-----");
    await reconnect();
    rmSync(cert);
    await reconnect();
    await close();
  });

  test("is required of its user, and a start without it says so in one sentence", async () => {
    const without = new URL(addressOf("sslmode=require"));
    without.search = "sslmode=require";
    const log = { info: () => undefined };
    await expect(waitForPostgres({ url: without.href, setting: "DATABASE_URL", log })).rejects.toThrow(
      "DATABASE_URL: Postgres refuses the connection: connection requires a valid client certificate",
    );
  });
});

test("waiting queries reject when their client is discarded or the server dies", async () => {
  const database = openDatabase(addressed("localhost", `sslrootcert=${root}`), { pool: "requests" });
  const waiting = Promise.allSettled(Array.from({ length: 4 }, () => database.sql`select pg_sleep(60)`));
  await database.sql`select 1`;
  for (const pid of postgresProcesses(folder.path)) signalIfRunning(pid, "SIGSTOP");
  await database.leave();
  expect((await waiting).map(({ status }) => status)).toEqual(Array(4).fill("rejected"));
  for (const pid of postgresProcesses(folder.path)) process.kill(pid, "SIGCONT");
  await database.renew();
  const again = Promise.allSettled([database.sql`select pg_sleep(60)`]);
  await database.sql`select 1`;
  for (const pid of postgresProcesses(folder.path)) process.kill(pid, "SIGKILL");
  expect((await again)[0]?.status).toBe("rejected");
  await database.close();
});
