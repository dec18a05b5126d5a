/**
 * Ownership of hosts by the records of a real DNS server: verified, lapsed, taken over, and served only while
 * verified, on every server.
 */
import { describe, expect, test } from "bun:test";
import { expectFailure } from "@test/support/failure";
import { type DnsFault, startTestDns } from "@test/support/servers/dns";
import { type Account, startTestService, type TestService } from "@test/support/service";
import { eventually } from "@test/support/until";
import type { Domain, DomainConfiguration } from "@/contract/domains";
import { DAY_MS, HOUR_MS } from "@/core/time/time-range";
import { createVerification } from "@/modules/domains/verification";
import { openDatabase } from "@/platform/db/client";
import { createDns } from "@/platform/hosts/dns";
import { routingChanges } from "@/platform/routing-changes";
import { createLog } from "@/platform/telemetry/log";
import { domainChecks } from "@/workers/domain-checks";

const SERVICE_HOST = "edge.waymark.example";
const HUMAN = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0" };

const dns = await startTestDns();
const env = {
  BASE_URL: `https://${SERVICE_HOST}`,
  DNS_SERVERS: dns.address,
  APP_SECRET: "one secret for both, of enough length",
};
const here = await startTestService({ env });
const there = await startTestService({ env: { ...env, DATABASE_URL: here.databaseUrl } });
const ada = await here.register();
const eve = await here.register();
dns.set("A", SERVICE_HOST, "198.51.100.7");
dns.set("AAAA", SERVICE_HOST, "2001:db8::7");

const path = (account: Account, rest: string) => `/api/v1/organizations/${account.orgId}/domains${rest}`;
let added = 0;
const newHost = () => `go${++added}.acme.com`;

async function add(account: Account, hostname = newHost()): Promise<Domain> {
  const reply = await here.call<Domain>("POST", path(account, ""), { token: account.token, body: { hostname } });
  expect(reply.status).toBe(201);
  return reply.body;
}
const verify = (account: Account, { _id }: Pick<Domain, "_id">) =>
  here.call<Domain>("POST", path(account, `/${_id}/verify`), { token: account.token });
const configuration = async (account: Account, { _id }: Pick<Domain, "_id">) =>
  (await here.call<DomainConfiguration>("GET", path(account, `/${_id}/configuration`), { token: account.token })).body;

/** Adds the TXT record that the configuration asks for. */
async function prove(account: Account, domain: Domain): Promise<void> {
  const [record] = (await configuration(account, domain)).records;
  dns.set("TXT", record?.name ?? "", record?.value ?? "");
}
const retract = ({ hostname }: Domain) => dns.set("TXT", `_waymark.${hostname}`);

async function addVerified(account: Account, hostname = newHost()): Promise<Domain> {
  const domain = await add(account, hostname);
  await prove(account, domain);
  const { status, body } = await verify(account, domain);
  expect([status, body.isVerified]).toEqual([200, true]);
  return body;
}

const current = async (account: Account, { _id }: Domain) => {
  const { body } = await here.call<Domain[]>("GET", path(account, ""), { token: account.token });
  return body.find((domain) => domain._id === _id);
};
const actions = async ({ _id }: Domain) =>
  (await here.sql`select action, actor_type from audit_logs where resource_id = ${_id} order by id`).map(
    ({ action, actor_type }) => `${action} by ${actor_type}`,
  );

/** Runs the periodic check with a clock that is `ms` ahead. */
async function checkIn(ms: number): Promise<Record<string, unknown>> {
  const database = openDatabase(here.databaseUrl, { pool: "tool" });
  const log = createLog(() => {});
  const verification = createVerification({
    db: database.db,
    clock: () => Date.now() + ms,
    log,
    dns: createDns([dns.address], 500),
    certificates: null,
    serviceHost: SERVICE_HOST,
    changeRouting: routingChanges(
      database.db,
      async () => {},
      () => {},
    ),
  });
  try {
    return await domainChecks({ ...verification, log }).run(new AbortController().signal);
  } finally {
    await database.close();
  }
}

const leadsTo = async (service: TestService, { hostname }: Domain, slug = "spring") => {
  const response = await service.visit(`/${slug}`, { ...HUMAN, host: hostname });
  return response.headers.get("location") ?? response.status;
};

describe("the DNS records to enter", () => {
  test("a TXT record, and a CNAME for a subdomain", async () => {
    const { hostname, ...domain } = await add(ada);
    const { records, missing, ...rest } = await configuration(ada, domain);
    expect(rest).toEqual({ _id: domain._id, hostname, isVerified: false });
    expect(records).toEqual([
      {
        type: "TXT",
        name: `_waymark.${hostname}`,
        value: expect.stringMatching(/^waymark-[0-9a-f]{32}$/),
        isRequired: true,
        found: [],
        status: "missing",
      },
      { type: "CNAME", name: hostname, value: SERVICE_HOST, isRequired: false, found: [], status: "missing" },
    ]);
    expect(missing).toEqual([`TXT _waymark.${hostname}`, `CNAME ${hostname}`]);
  });

  test.each(["apex-acme.com", "acme.co.uk", "acme.github.io"])(
    "A and AAAA for %s, where no CNAME may stand",
    async (name) => {
      const domain = await add(ada, name);
      dns.set("A", name, "203.0.113.9");
      const [, ...addresses] = (await configuration(ada, domain)).records;
      expect(addresses).toMatchObject([
        { type: "A", name, value: "198.51.100.7", found: ["203.0.113.9"], status: "wrong" },
        { type: "AAAA", name, value: "2001:db8::7", found: [], status: "missing" },
      ]);
      dns.set("A", name, "203.0.113.9", "198.51.100.7");
      expect((await configuration(ada, domain)).records[1]?.status).toBe("ok");
    },
  );

  test("an A record with no value and an unknown status if the service's host cannot be resolved", async () => {
    const domain = await add(ada, "apex-unknown.com");
    dns.fail(SERVICE_HOST, "servfail");
    expect((await configuration(ada, domain)).records.slice(1)).toEqual([
      { type: "A", name: "apex-unknown.com", isRequired: false, found: [], status: "unknown" },
    ]);
    dns.heal(SERVICE_HOST);
  });

  test("the state of each is looked up anew on every request", async () => {
    const domain = await add(ada);
    const status = async () => (await configuration(ada, domain)).records.map((record) => record.status);
    expect(await status()).toEqual(["missing", "missing"]);
    dns.set("TXT", `_waymark.${domain.hostname}`, "something else");
    dns.set("CNAME", domain.hostname, "elsewhere.example");
    expect(await status()).toEqual(["wrong", "wrong"]);
    await prove(ada, domain);
    dns.set("CNAME", domain.hostname, `${SERVICE_HOST.toUpperCase()}`);
    expect(await status()).toEqual(["ok", "ok"]);
  });

  test("a flattened CNAME is accepted if it has the service's addresses", async () => {
    const domain = await add(ada);
    dns.set("A", domain.hostname, "198.51.100.7");
    expect((await configuration(ada, domain)).records[1]).toMatchObject({ found: ["198.51.100.7"], status: "ok" });
  });

  test.each<DnsFault>(["servfail", "refused"])("a name server that is %s misses nothing", async (fault) => {
    const domain = await add(ada);
    dns.fail(`_waymark.${domain.hostname}`, fault);
    const { records, missing } = await configuration(ada, domain);
    expect([records[0]?.status, missing]).toEqual(["unknown", [`CNAME ${domain.hostname}`]]);
    expectFailure(await verify(ada, domain), 503);
    expect(await current(ada, domain)).toMatchObject({ isVerified: false });
  });

  test("a look-up at a silent name server times out", async () => {
    dns.fail("silent.acme.com", "silent");
    const startedAt = performance.now();
    const answer = await createDns([dns.address], 300).lookUp("TXT", "silent.acme.com");
    expect(answer).toEqual({ ok: false, reason: "ETIMEOUT" });
    expect(performance.now() - startedAt).toBeGreaterThan(250);
  });
});

describe("look-ups at silent name servers", () => {
  test("share one query if they are the same, and are limited in number", async () => {
    for (let each = 0; each < 300; each++) dns.fail(`s${each}.acme.com`, "silent");
    const slow = createDns([dns.address], 1_000);
    const before = dns.asked();
    const same = Array.from({ length: 50 }, () => slow.lookUp("TXT", "s0.acme.com"));
    expect(new Set(await Promise.all(same))).toEqual(new Set([{ ok: false, reason: "ETIMEOUT" }]));
    expect(dns.asked() - before).toBe(1);
    const many = await Promise.all(Array.from({ length: 300 }, (_, each) => slow.lookUp("TXT", `s${each}.acme.com`)));
    expect(many.at(-1)).toEqual({ ok: false, reason: "EBUSY" });
    expect(dns.asked() - before).toBeLessThanOrEqual(1 + 200);
    expect(await slow.lookUp("A", SERVICE_HOST)).toEqual({ ok: true, values: ["198.51.100.7"] });
  });
});

describe("POST domains/{domainId}/verify", () => {
  test("404 for an unknown domain or another organization's", async () => {
    const domain = await add(ada);
    expectFailure(await verify(eve, domain), 404);
    expectFailure(await verify(ada, { _id: "1" }), 404);
  });

  test("200 lists the missing records if there is no TXT record", async () => {
    const domain = await add(ada);
    const { status, body } = await verify(ada, domain);
    expect([status, body.isVerified, body.verification]).toEqual([
      200,
      false,
      {
        checkedAt: expect.any(String),
        missing: [`TXT _waymark.${domain.hostname}`, `CNAME ${domain.hostname}`],
        records: expect.any(Array),
      },
    ]);
    expect(await current(ada, domain)).toEqual(body);
  });

  test("does not verify by another organization's token", async () => {
    const hostname = newHost();
    const [hers, others] = [await add(ada, hostname), await add(eve, hostname)];
    await prove(eve, others);
    expect((await verify(ada, hers)).body.isVerified).toBe(false);
  });

  test("verifies by the TXT record alone, among others, in any case and quoting", async () => {
    const domain = await add(ada);
    const token = (await configuration(ada, domain)).records[0]?.value ?? "";
    dns.set("TXT", `_waymark.${domain.hostname}`, "v=spf1 -all", "x".repeat(600), `"${token.toUpperCase()}" `);
    const { body } = await verify(ada, domain);
    expect(body).toMatchObject({
      isVerified: true,
      verifiedAt: expect.any(String),
      verification: { missing: [`CNAME ${domain.hostname}`] },
    });
    expect(await actions(domain)).toEqual(["domain.create by user", "domain.verify by user"]);
  });

  test("replaces NUL characters in the records it returns", async () => {
    const domain = await add(ada);
    const [record] = (await configuration(ada, domain)).records;
    dns.set("TXT", record?.name ?? "", "a\0b", record?.value ?? "");
    expect(await verify(ada, domain)).toMatchObject({
      status: 200,
      body: { isVerified: true, verification: { records: [{ found: ["a\uFFFDb", record?.value] }, {}] } },
    });
  });

  test("verifying again keeps verifiedAt and adds no audit entry", async () => {
    const domain = await addVerified(ada);
    const again = await verify(ada, domain);
    expect(again.body).toMatchObject({ isVerified: true, verifiedAt: String(domain.verifiedAt) });
    expect(await actions(domain)).toEqual(["domain.create by user", "domain.verify by user"]);
  });

  test("409 while another organization holds the host", async () => {
    const held = await addVerified(ada);
    const wanted = await add(eve, held.hostname);
    await prove(eve, wanted);
    expectFailure(await verify(eve, wanted), 409, ["hostname"]);
    expect(await current(eve, wanted)).toMatchObject({ isVerified: false });
  });

  test("gives the host to only one of two organizations at the same time", async () => {
    for (let round = 0; round < 5; round++) {
      const hostname = newHost();
      const [hers, others] = [await add(ada, hostname), await add(eve, hostname)];
      const tokens = await Promise.all([configuration(ada, hers), configuration(eve, others)]);
      dns.set("TXT", `_waymark.${hostname}`, ...tokens.map(({ records }) => records[0]?.value ?? ""));
      const replies = await Promise.all([verify(ada, hers), verify(eve, others)]);
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    }
  });
});

describe("a link on a custom domain", () => {
  test("is served on both servers once the host is verified, despite earlier 404s", async () => {
    const domain = await add(ada);
    await here.sql`update domains set is_verified = true where id = ${domain._id}`;
    await here.createLink(ada, { defaultUrl: "https://example.com/1", slug: "spring", domainId: domain._id });
    await here.sql`update domains set is_verified = false where id = ${domain._id}`;
    expect([await leadsTo(here, domain), await leadsTo(there, domain)]).toEqual([404, 404]);
    await prove(ada, domain);
    await verify(ada, domain);
    expect(await leadsTo(here, domain)).toBe("https://example.com/1");
    await eventually(() => leadsTo(there, domain), "https://example.com/1");
  });

  test("is 404 on both servers once verification ends, and another organization can take the host", async () => {
    const domain = await addVerified(ada);
    const link = { defaultUrl: "https://example.com/ada", slug: "spring", domainId: domain._id };
    await here.createLink(ada, link);
    await eventually(() => leadsTo(there, domain), link.defaultUrl);
    retract(domain);
    await checkIn(25 * HOUR_MS);
    expect((await current(ada, domain))?.isVerified).toBe(true);
    await checkIn(5 * DAY_MS);
    await eventually(() => leadsTo(here, domain), 404);
    await eventually(() => leadsTo(there, domain), 404);

    const taken = await addVerified(eve, domain.hostname);
    expect(await leadsTo(here, taken)).toBe(404);
    await here.createLink(eve, { ...link, defaultUrl: "https://example.com/eve", domainId: taken._id });
    expect(await leadsTo(here, taken)).toBe("https://example.com/eve");
    await eventually(() => leadsTo(there, taken), "https://example.com/eve");
    expectFailure(await verify(ada, domain), 409);
  });
});

describe("the daily check", () => {
  test("postpones a domain whose check fails and continues with the others", async () => {
    const [broken, other] = [await addVerified(ada), await addVerified(ada)];
    await here.sql.unsafe(
      `create function refuse() returns trigger as $$ begin
        if new.hostname = '${broken.hostname}' and new.verification is distinct from old.verification
        then raise 'broken'; end if; return new; end $$ language plpgsql;
      create trigger refuse before update on domains for each row execute function refuse()`,
    );
    try {
      expect(await checkIn(25 * HOUR_MS)).toMatchObject({ failed: 1 });
      expect((await current(ada, other))?.verification?.checkedAt).not.toBe(other.verification?.checkedAt);
      expect(await checkIn(25 * HOUR_MS + 1_000)).toEqual({});
      expect(await checkIn(27 * HOUR_MS)).toMatchObject({ failed: 1 });
    } finally {
      await here.sql.unsafe("drop trigger refuse on domains; drop function refuse");
    }
  });

  test("skips domains checked within a day", async () => {
    await addVerified(ada);
    // Others were checked by a clock far ahead, which counts as no check.
    await checkIn(0);
    const asked = dns.asked();
    await checkIn(0);
    expect(dns.asked()).toBe(asked);
  });

  test("ends a verification after three days without the record, with the system as actor", async () => {
    const domain = await addVerified(ada);
    retract(domain);
    await checkIn(25 * HOUR_MS);
    const missing = await current(ada, domain);
    expect(missing).toMatchObject({
      isVerified: true,
      verification: { missing: [`TXT _waymark.${domain.hostname}`, `CNAME ${domain.hostname}`] },
    });
    expect(missing?.verification?.missingSince).toBeDefined();
    await checkIn(2 * 25 * HOUR_MS);
    await checkIn(3 * 25 * HOUR_MS);
    expect((await current(ada, domain))?.isVerified).toBe(true);
    expect(await checkIn(4 * 25 * HOUR_MS)).toMatchObject({ ended: 1 });
    const ended = await current(ada, domain);
    expect([ended?.isVerified, ended?.verifiedAt, ended?.verification?.missingSince]).toEqual([
      false,
      undefined,
      undefined,
    ]);
    expect((await actions(domain)).at(-1)).toBe("domain.unverify by system");
  });

  test("keeps a verification if the record returns in time, and starts the three days again", async () => {
    const domain = await addVerified(ada);
    retract(domain);
    await checkIn(25 * HOUR_MS);
    await prove(ada, domain);
    await checkIn(51 * HOUR_MS);
    expect((await current(ada, domain))?.verification?.missingSince).toBeUndefined();
    retract(domain);
    await checkIn(5 * DAY_MS);
    expect((await current(ada, domain))?.isVerified).toBe(true);
  });

  test("ends no verification while DNS does not respond, and retries within hours", async () => {
    const domain = await addVerified(ada);
    const name = `_waymark.${domain.hostname}`;
    dns.fail(name, "servfail");
    for (const days of [2, 4, 6]) await checkIn(days * DAY_MS);
    expect(await current(ada, domain)).toMatchObject({ isVerified: true });
    expect((await current(ada, domain))?.verification?.missingSince).toBeUndefined();
    dns.heal(name);
    retract(domain);
    await checkIn(6 * DAY_MS + 2 * HOUR_MS);
    expect((await current(ada, domain))?.verification?.missingSince).toBeDefined();
  });
});
