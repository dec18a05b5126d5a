import { describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { makeCertificate } from "@test/support/servers/certificates";
import { ConfigError, readConfig, workerEnvironment } from "@/config";

const faultsOf = (env: Record<string, string>): string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
};

const ENCODED = "expected user and password to be percent-encoded, for example %23 for #";
const SECRET = "0123456789abcdef0123456789abcdef";

describe("faults name the setting and the expected value", () => {
  test.each([
    [{ PORT: "abc" }, "PORT: expected an integer from 0 to 65535"],
    [{ PORT: "65536" }, "PORT: expected an integer from 0 to 65535"],
    [{ PORT: "-1" }, "PORT: expected an integer from 0 to 65535"],
    [{ BASE_URL: "example.com" }, "BASE_URL: expected an http(s) origin without a path, like https://example.com"],
    [
      { BASE_URL: "https://example.com/app" },
      "BASE_URL: expected an http(s) origin without a path, like https://example.com",
    ],
    [
      { BASE_URL: "ftp://example.com" },
      "BASE_URL: expected an http(s) origin without a path, like https://example.com",
    ],
    [
      { DASHBOARD_URL: "https://a:b@example.com" },
      "DASHBOARD_URL: expected an http(s) origin without a path, like https://example.com",
    ],
    [{ SHORT_DOMAIN: "https://go.example.com" }, "SHORT_DOMAIN: expected a host name, like go.example.com"],
    [{ SHORT_DOMAIN: "go.example.com/x" }, "SHORT_DOMAIN: expected a host name, like go.example.com"],
    [{ SHORT_DOMAIN: '"go.example.com"' }, "SHORT_DOMAIN: expected a host name, like go.example.com"],
    [{ SHORT_DOMAIN: "go.example.com\ngo.example.org" }, "SHORT_DOMAIN: expected a host name, like go.example.com"],
    [{ SHORT_DOMAIN: "go..example.com" }, "SHORT_DOMAIN: expected a host name, like go.example.com"],
    [{ SHORT_DOMAIN: `${"a".repeat(64)}.example` }, "SHORT_DOMAIN: expected a host name, like go.example.com"],
    [
      { BASE_URL: "https://go..example.com" },
      "BASE_URL: expected an http(s) origin without a path, like https://example.com",
    ],
    [
      { DATABASE_URL: "mysql://localhost/x" },
      "DATABASE_URL: expected a URL like postgres://user:password@host:5432/database",
    ],
    [{ DATABASE_URL: "postgres://me:100%@db/x" }, `DATABASE_URL: ${ENCODED}`],
    [{ DATABASE_URL: "postgres://me:12#3@db/x" }, `DATABASE_URL: ${ENCODED}`],
    [{ DATABASE_URL: "postgres://me:12/3@db/x" }, `DATABASE_URL: ${ENCODED}`],
    [
      { DATABASE_URL: "postgres://a/x", DATABASE_READ_URL: "postgres://b,c/x" },
      "DATABASE_READ_URL: expected one host: the replica beside this server",
    ],
    [{ DATABASE_READ_URL: "postgres://b/x" }, "DATABASE_URL: required with DATABASE_READ_URL"],
    [
      { REDIS_URL: "localhost:6379" },
      "REDIS_URL: expected a URL starting with redis://, rediss://, redis+sentinel:// or redis+cluster://",
    ],
    [{ APP_SECRET: "short" }, "APP_SECRET: expected at least 32 bytes"],
    [{ APP_SECRET_PREVIOUS: "short" }, "APP_SECRET_PREVIOUS: expected at least 32 bytes"],
    [
      { TRUSTED_PROXIES: "10.0.0.0/33" },
      'TRUSTED_PROXIES: expected an address or a network like 10.0.0.0/8, not "10.0.0.0/33"',
    ],
    [
      { TRUSTED_PROXIES: "proxy.local" },
      'TRUSTED_PROXIES: expected an address or a network like 10.0.0.0/8, not "proxy.local"',
    ],
    [
      { OUTBOUND_ALLOW: "300.1.1.1" },
      'OUTBOUND_ALLOW: expected an address or a network like 10.0.0.0/8, not "300.1.1.1"',
    ],
    [{ OUTBOUND_ALLOW: "abc" }, 'OUTBOUND_ALLOW: expected an address or a network like 10.0.0.0/8, not "abc"'],
    [{ CLIENT_IP_HEADER: "x forwarded" }, "CLIENT_IP_HEADER: expected a header name, like fly-client-ip"],
    [{ METRICS_TOKEN: "short" }, "METRICS_TOKEN: expected at least 16 letters, digits and symbols without spaces"],
    [
      { METRICS_TOKEN: "with some spaces in it" },
      "METRICS_TOKEN: expected at least 16 letters, digits and symbols without spaces",
    ],
    [{ WORKERS: "0" }, "WORKERS: expected an integer from 1 to 256 or `auto`"],
    [{ WORKERS: "many" }, "WORKERS: expected an integer from 1 to 256 or `auto`"],
    [{ DEFAULT_PLAN: "gold" }, "DEFAULT_PLAN: expected one of free, pro, scale, unlimited"],
    [
      { DNS_SERVERS: "dns.example.com" },
      'DNS_SERVERS: expected an address, with a port if it is not 53, not "dns.example.com"',
    ],
    [{ LOG_LEVEL: "loud" }, "LOG_LEVEL: expected one of debug, info, warn, error"],
    [{ VISITOR_SALT_ROTATION: "weekly" }, "VISITOR_SALT_ROTATION: expected one of none, daily"],
    [{ AI_BASE_URL: "https://ai.example.com" }, "AI_MODEL: required with AI_BASE_URL"],
    [{ AI_MODEL: "small" }, "AI_BASE_URL: required with AI_MODEL and AI_API_KEY"],
    [{ AI_API_KEY: "key" }, "AI_BASE_URL: required with AI_MODEL and AI_API_KEY"],
    [
      { AI_BASE_URL: "https://a:b@ai.example.com/v1?x=1", AI_MODEL: "small" },
      "AI_BASE_URL: expected a URL without user name, query or fragment, like https://api.openai.com/v1",
    ],
    [
      { AI_BASE_URL: "ai.example.com", AI_MODEL: "small" },
      "AI_BASE_URL: expected a URL starting with http:// or https://",
    ],
    [
      { AI_BASE_URL: "https://ai.example.com", AI_MODEL: "small", AI_API_KEY: "two words" },
      "AI_API_KEY: expected letters, digits and symbols without spaces",
    ],
    [{ SMTP_URL: "smtp://localhost" }, "MAIL_FROM: required with SMTP_URL"],
    [
      { SMTP_URL: "smtp://", MAIL_FROM: "me@example.com" },
      "SMTP_URL: expected a host, like smtp://user:password@mail.example.com",
    ],
    [{ MAIL_FROM: "Waymark" }, "MAIL_FROM: expected an address, like Waymark <no-reply@example.com>"],
    [
      { FLY_API_TOKEN: "first\nsecond", FLY_APP: "links" },
      "FLY_API_TOKEN: expected letters, digits, symbols and spaces on one line",
    ],
    [{ WEB_RISK_API_KEY: "two words" }, "WEB_RISK_API_KEY: expected letters, digits and symbols without spaces"],
    [{ FLY_API_TOKEN: "x" }, "FLY_APP: required with FLY_API_TOKEN"],
    [{ SPOOL_FSYNC_MS: "1.5" }, "SPOOL_FSYNC_MS: expected an integer from 0 to 60000"],
    [{ KEEP_ALIVE_SECONDS: "10" }, "KEEP_ALIVE_SECONDS: expected an integer from 60 to 3600"],
    [{ KEEP_ALIVE_SECONDS: "620", FAST_LANE: "off" }, "KEEP_ALIVE_SECONDS: expected at most 255 with FAST_LANE=off"],
  ])("%j", (env, fault) => {
    expect(faultsOf(env)).toEqual([fault]);
  });

  test("all faults are reported at once", () => {
    const names = faultsOf({ PORT: "x", BASE_URL: "x", DEFAULT_PLAN: "x", NODE_ENV: "production" }).map(
      (fault) => fault.split(":")[0],
    );
    expect(names).toEqual(["PORT", "BASE_URL", "DEFAULT_PLAN", "DATABASE_URL", "APP_SECRET"]);
  });
});

describe("defaults", () => {
  test("development needs no settings", () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: "0.0.0.0",
      baseUrl: "http://localhost:3000",
      shortDomain: "localhost:3000",
      dashboardUrl: "http://localhost:3000",
      databaseUrl: null,
      redisUrl: null,
      appSecret: null,
      workers: 1,
      defaultPlan: "unlimited",
      visitorSaltRotation: "none",
      spoolFsyncMs: 10,
    });
  });

  test("a language model needs no key, and its base URL loses a trailing slash", () => {
    const env = { AI_BASE_URL: "http://localhost:11434/v1/", AI_MODEL: "llama3" };
    expect(readConfig(env).ai).toEqual({ baseUrl: "http://localhost:11434/v1", apiKey: null, model: "llama3" });
    expect(readConfig({ ...env, AI_API_KEY: "key" }).ai?.apiKey).toBe("key");
    expect(readConfig({}).ai).toBeNull();
  });

  test("settings that default to another one follow it", () => {
    const config = readConfig({ PORT: "8080", BASE_URL: "https://Links.Example.com/" });
    expect(config.baseUrl).toBe("https://links.example.com");
    expect(config.shortDomain).toBe("links.example.com");
    expect(config.dashboardUrl).toBe("https://links.example.com");
    expect(readConfig({ PORT: "8080" }).baseUrl).toBe("http://localhost:8080");
  });

  test("production needs only a database and a secret", () => {
    const env = { NODE_ENV: "production", DATABASE_URL: "postgres://db/waymark", APP_SECRET: SECRET };
    expect(readConfig(env)).toMatchObject({ isProduction: true, databaseUrl: env.DATABASE_URL, appSecret: SECRET });
  });

  test.each([
    ["GO.example.com.", "go.example.com"],
    ["go_1.example.com:8080", "go_1.example.com:8080"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["192.0.2.1", "192.0.2.1"],
    ["[2001:db8::1]:3000", "[2001:db8::1]:3000"],
    ["waymark", "waymark"],
  ])("%s can be the shared domain", (SHORT_DOMAIN, shortDomain) => {
    expect(readConfig({ SHORT_DOMAIN })).toMatchObject({ shortDomain, warnings: [] });
  });

  test("user and password may be percent-encoded, and Fly's tokens have spaces", () => {
    const env = { DATABASE_URL: "postgres://a%40b:1%232%2F3@db/x?user=me@db", MAIL_FROM: "me@example.com" };
    const [SMTP_URL, FLY_API_TOKEN] = ["smtps://me:1%232@mail.example.com:465", "FlyV1 fm2_a,fm2_b"];
    const config = readConfig({ ...env, SMTP_URL, FLY_API_TOKEN, FLY_APP: "links" });
    expect(config).toMatchObject({
      databaseUrl: env.DATABASE_URL,
      smtpUrl: SMTP_URL,
      fly: { apiToken: FLY_API_TOKEN },
    });
  });

  test("blank settings count as missing, lists take commas and spaces, `auto` is the number of cores", () => {
    const config = readConfig({ REDIS_URL: " ", TRUSTED_PROXIES: "10.0.0.0/8, fdaa::/16 127.0.0.1", WORKERS: "auto" });
    expect(config.redisUrl).toBeNull();
    expect(config.trustedProxies).toEqual(["10.0.0.0/8", "fdaa::/16", "127.0.0.1"]);
    expect(config.workers).toBe(availableParallelism());
  });

  test.each(["1.1.1.1", "127.0.0.1:5353", "2606:4700:4700::1111", "::1", "[::1]", "[::1]:53"])(
    "%s is a name server",
    (server) => expect(readConfig({ DNS_SERVERS: server }).dnsServers).toEqual([server]),
  );
});

describe("a warning is given for", () => {
  const production = { NODE_ENV: "production", DATABASE_URL: "postgres://db/waymark", APP_SECRET: SECRET };

  test("a misspelt name", () => {
    expect(readConfig({ DATABSE_URL: "postgres://db/waymark", HOME: "/root", WORKERS: "auto" }).warnings).toEqual([
      "DATABSE_URL: not a setting of this service; did you mean DATABASE_URL?",
    ]);
  });

  test("production without BASE_URL", () => {
    expect(readConfig(production).warnings.filter((each) => each.startsWith("BASE_URL"))).toEqual([
      "BASE_URL: not set, so short URLs start with http://localhost:3000, which nobody else can open",
    ]);
    const named = readConfig({ ...production, BASE_URL: "https://go.example.com" }).warnings;
    expect(named.filter((each) => each.startsWith("BASE_URL"))).toEqual([]);
  });

  test("production with open registration", () => {
    const warningsOf = (settings: Record<string, string>) =>
      readConfig({ ...production, ...settings }).warnings.filter((each) => each.startsWith("REGISTRATION"));
    const told = ["REGISTRATION: open, so anyone can register; invited or closed keeps strangers out"];
    expect([warningsOf({}), warningsOf({ REGISTRATION: "open" })]).toEqual([told, told]);
    for (const REGISTRATION of ["invited", "closed"]) expect(warningsOf({ REGISTRATION })).toEqual([]);
    expect(() => readConfig({ REGISTRATION: "shut" })).toThrow("REGISTRATION: expected one of open, invited, closed");
  });

  test("a header with the client's address that no proxy may state, and a proxy that has none to state it in", () => {
    const [CLIENT_IP_HEADER, TRUSTED_PROXIES] = ["x-forwarded-for", "10.0.0.0/8"];
    const share = "so all visitors behind a proxy share its address";
    expect(readConfig({ CLIENT_IP_HEADER }).warnings).toEqual([
      `CLIENT_IP_HEADER: ignored without TRUSTED_PROXIES, ${share}`,
    ]);
    expect(readConfig({ TRUSTED_PROXIES }).warnings).toEqual([
      `TRUSTED_PROXIES: ignored without CLIENT_IP_HEADER, ${share}`,
    ]);
    expect(readConfig({ CLIENT_IP_HEADER, TRUSTED_PROXIES }).warnings).toEqual([]);
  });

  test("values in quotes, which a file for `docker run` passes on", () => {
    const quoted = readConfig({ DATA_DIR: '"/data"', METRICS_TOKEN: "'0123456789abcdef'", GEO_DATABASE: 'a"b"' });
    expect(quoted.warnings).toEqual([
      "DATA_DIR: in quotes, which count as a part of its value; `docker run --env-file` takes values without",
      "METRICS_TOKEN: in quotes, which count as a part of its value; `docker run --env-file` takes values without",
    ]);
  });

  test("authorities in NODE_EXTRA_CA_CERTS that Bun would leave out without a word", async () => {
    const folder = await mkdtemp(join(tmpdir(), "waymark-config-"));
    const files = { empty: "", certificate: makeCertificate({ names: ["localhost"] }).cert };
    for (const [name, text] of Object.entries(files)) await Bun.write(join(folder, name), text);
    const warningsOf = (name: string) => readConfig({ NODE_EXTRA_CA_CERTS: join(folder, name) }).warnings;
    const effect = "so certificates of your own authority are refused";
    expect(warningsOf("absent")).toEqual([`NODE_EXTRA_CA_CERTS: cannot be read (ENOENT), ${effect}`]);
    expect(warningsOf(".")).toEqual([`NODE_EXTRA_CA_CERTS: cannot be read (EISDIR), ${effect}`]);
    expect(warningsOf("empty")).toEqual([`NODE_EXTRA_CA_CERTS: contains no certificate, ${effect}`]);
    expect(warningsOf("certificate")).toEqual([]);
    await rm(folder, { recursive: true });
  });

  test("a NODE_ENV that is almost production, and none for spaces around it", () => {
    const said = "so this starts as in development, with a secret and, without DATABASE_URL, a Postgres of its own";
    for (const NODE_ENV of ["Production", "prod", "staging"])
      expect(readConfig({ NODE_ENV }).warnings).toEqual([`NODE_ENV: not production, ${said}`]);
    for (const NODE_ENV of ["development", "test"]) expect(readConfig({ NODE_ENV }).warnings).toEqual([]);
    expect(readConfig({ ...production, NODE_ENV: " production" }).isProduction).toBe(true);
  });

  test("nothing in development without settings", () => {
    expect(readConfig({}).warnings).toEqual([]);
  });
});

test("a worker gets its number, port and database from its supervisor, and shares all other settings", () => {
  const settled = { port: 8080, databaseUrl: "postgres://db/waymark" };
  const config = readConfig(workerEnvironment(2, settled, { WORKERS: "3", PORT: "0", DEFAULT_PLAN: "pro" }));
  expect(config).toMatchObject({ ...settled, worker: 2, workers: 3, defaultPlan: "pro" });
  expect(readConfig({ WORKERS: "3" }).worker).toBeNull();
});
