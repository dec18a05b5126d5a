/** Certificates of custom hosts, requested from a stand-in for Fly's API. Its failures affect only the certificate. */
import { beforeEach, describe, expect, test } from "bun:test";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { archiveOf } from "@test/support/accounts/archives";
import { addDomain } from "@test/support/accounts/tenants";
import { startTestFly } from "@test/support/outside/fly";
import { startTestDns } from "@test/support/servers/dns";
import { startTestService } from "@test/support/service";
import { deleteOrganization } from "@/admin/delete-organization";
import type { Domain, DomainConfiguration } from "@/contract/domains";
import type { OrgId } from "@/core/ids";
import { DAY_MS, HOUR_MS } from "@/core/time/time-range";
import { createDomainChanges } from "@/modules/domains/changes";
import { removeCertificates } from "@/modules/domains/released-hosts";
import { findDomain } from "@/modules/domains/store";
import { createVerification } from "@/modules/domains/verification";
import { readArchive } from "@/platform/archive/read";
import { type Drizzle, openDatabase } from "@/platform/db/client";
import { type Certificates, createFlyCertificates } from "@/platform/hosts/certificates";
import { createDns } from "@/platform/hosts/dns";
import { createOutbound } from "@/platform/outbound/outbound";
import { routingChanges } from "@/platform/routing-changes";
import { createLog } from "@/platform/telemetry/log";

type Verification = ReturnType<typeof createVerification>;

const QUARTER_HOUR_MS = 15 * 60_000;

const dns = await startTestDns();
const fly = startTestFly();
const outbound = createOutbound({ allow: ["127.0.0.1"] });
const certificates = createFlyCertificates({
  fly: { apiToken: fly.token, app: fly.app, apiUrl: fly.url },
  outbound,
  clock: Date.now,
});
const service = await startTestService({
  env: {
    DNS_SERVERS: dns.address,
    FLY_API_TOKEN: fly.token,
    FLY_APP: fly.app,
    FLY_API_URL: fly.url,
    OUTBOUND_ALLOW: "127.0.0.1",
  },
});
const ada = await service.register();
const path = `/api/v1/organizations/${ada.orgId}/domains`;
const call = <Body>(method: string, rest: string, body?: unknown) =>
  service.call<Body>(method, `${path}${rest}`, { token: ada.token, body });
const certificateOf = async ({ _id }: Domain) =>
  (await call<DomainConfiguration>("GET", `/${_id}/configuration`)).body.certificate;
const kept = async ({ _id }: Domain) =>
  (await service.sql`select certificate from domains where id = ${_id}`)[0]?.certificate?.status;

let added = 0;
async function addVerified(): Promise<Domain> {
  const { body } = await call<Domain>("POST", "", { hostname: `go${++added}.acme.com` });
  const [record] = (await call<DomainConfiguration>("GET", `/${body._id}/configuration`)).body.records;
  dns.set("TXT", record?.name ?? "", record?.value ?? "");
  const reply = await call<Domain>("POST", `/${body._id}/verify`);
  expect([reply.status, reply.body.isVerified]).toEqual([200, true]);
  return reply.body;
}

/** Runs `work` with the verification of the periodic check, with a clock that is `ms` ahead. */
async function verifyingIn<Result>(
  ms: number,
  work: (verification: Verification, db: Drizzle) => Promise<Result>,
  issuer: Certificates = certificates,
): Promise<Result> {
  const database = openDatabase(service.databaseUrl, { pool: "tool" });
  const verification = createVerification({
    db: database.db,
    clock: () => Date.now() + ms,
    log: createLog(() => {}),
    dns: createDns([dns.address]),
    certificates: issuer,
    serviceHost: "edge.waymark.example",
    changeRouting: routingChanges(
      database.db,
      async () => {},
      () => {},
    ),
  });
  try {
    return await work(verification, database.db);
  } finally {
    await database.close();
  }
}

/** Rechecks all domains that are due and returns the outcomes. */
const checkIn = (ms: number): Promise<string[]> =>
  verifyingIn(ms, async ({ due, recheck }) => {
    const outcomes: string[] = [];
    for (const domain of await due(100)) outcomes.push(await recheck(domain));
    return outcomes;
  });

const isDueIn = (ms: number, { _id }: Domain): Promise<boolean> =>
  verifyingIn(ms, async ({ due }) => (await due(100)).some(({ id }) => id === _id));

/** Verifies the domain as a server does that dies while Fly is asked for a certificate. */
function dieAskingFor({ _id }: Domain): Promise<unknown> {
  const asked = Promise.withResolvers<void>();
  const request = () => {
    asked.resolve();
    return new Promise<never>(() => {});
  };
  const actor = { type: "system" as const, id: null, email: null, ip: null, userAgent: null };
  const orgId = ada.orgId as OrgId;
  return verifyingIn(
    0,
    async ({ verify }, db) => {
      const domain = await findDomain(db, orgId, _id);
      await Promise.race([domain && verify({ orgId, actor }, domain), asked.promise]);
    },
    { ...certificates, request },
  );
}

/** Deletes the domain as a server does that dies before it has asked Fly for anything. */
async function dieDeleting({ _id, hostname }: Domain): Promise<void> {
  const database = openDatabase(service.databaseUrl, { pool: "tool" });
  const [db, log] = [database.db, createLog(() => {})];
  const changeRouting = routingChanges(
    db,
    async () => {},
    () => {},
  );
  const asked = Promise.withResolvers<void>();
  const remove = () => {
    asked.resolve();
    return new Promise<never>(() => {});
  };
  const { remove: removeDomain } = createDomainChanges({
    ...{ db, log, clock: Date.now, changeRouting },
    certificates: { ...certificates, remove },
  });
  const actor = { type: "system" as const, id: null, email: null, ip: null, userAgent: null };
  removeDomain({ orgId: ada.orgId as OrgId, actor }, _id).catch(() => {});
  await asked.promise;
  await database.leave();
  // Postgres notices a moment later that nobody holds the row any more.
  await service.sql`select from released_hosts where hostname = ${hostname} for update`;
}

/** Runs the periodic job. */
async function removeAll() {
  const database = openDatabase(service.databaseUrl, { pool: "tool" });
  const removed = await removeCertificates(
    { db: database.db, log: createLog(() => {}), certificates },
    new AbortController().signal,
  );
  await database.close();
  return removed;
}

beforeEach(() => {
  fly.asked.length = 0;
  fly.failing = null;
});

describe("a verified domain", () => {
  test("requests a certificate, whose state its configuration shows", async () => {
    const domain = await addVerified();
    expect(fly.asked).toContain(`addCertificate ${domain.hostname}`);
    expect(await certificateOf(domain)).toEqual({
      status: "pending",
      detail: "Awaiting configuration",
      checkedAt: expect.any(String),
    });
    fly.certificates.set(domain.hostname, "Ready");
    expect(await certificateOf(domain)).toMatchObject({ status: "ready", expiresAt: "2099-01-31T12:00:00.000Z" });
  });

  test("is verified even if the certificate request fails, and a later check retries it", async () => {
    fly.failing = 500;
    const domain = await addVerified();
    expect(await certificateOf(domain)).toMatchObject({ status: "failed" });
    await checkIn(QUARTER_HOUR_MS + 1_000);
    expect(await kept(domain)).toBe("failed");
    fly.failing = null;
    await checkIn(2 * QUARTER_HOUR_MS + 2_000);
    expect([await kept(domain), fly.certificates.get(domain.hostname)]).toEqual(["pending", "Awaiting configuration"]);
    expect(service.logged()).toContain("could not request a certificate");
    expect(service.logged()).not.toContain(fly.token);
  });

  test.each([
    ["for the first time", null],
    ["again", { status: "ready", expiresAt: "2099-01-31T12:00:00.000Z", checkedAt: "2025-01-31T12:00:00.000Z" }],
  ])("requests a certificate within minutes if the service dies when it is verified %s", async (_, known) => {
    const domain = await addVerified();
    await service.sql`
      update domains set is_verified = false, certificate = ${known && JSON.stringify(known)} where id = ${domain._id}`;
    fly.certificates.delete(domain.hostname);
    await dieAskingFor(domain);
    await checkIn(QUARTER_HOUR_MS + 1_000);
    expect([fly.certificates.get(domain.hostname), await kept(domain)]).toEqual(["Awaiting configuration", "pending"]);
  });

  test("with a pending certificate is rechecked after 15 minutes if DNS does not respond", async () => {
    const domain = await addVerified();
    dns.fail(`_waymark.${domain.hostname}`, "servfail");
    const later = QUARTER_HOUR_MS + 1_000;
    expect(await checkIn(later)).toContain("unanswered");
    expect(await isDueIn(later, domain)).toBe(false);
    expect(await isDueIn(later + QUARTER_HOUR_MS, domain)).toBe(true);
    dns.heal(`_waymark.${domain.hostname}`);
  });

  test("with a ready certificate is rechecked after an hour if DNS does not respond", async () => {
    const domain = await addVerified();
    fly.certificates.set(domain.hostname, "Ready");
    await checkIn(QUARTER_HOUR_MS + 1_000);
    dns.fail(`_waymark.${domain.hostname}`, "servfail");
    const later = DAY_MS + HOUR_MS;
    expect(await checkIn(later)).toContain("unanswered");
    expect(await isDueIn(later + HOUR_MS - 60_000, domain)).toBe(false);
    expect(await isDueIn(later + HOUR_MS, domain)).toBe(true);
    dns.heal(`_waymark.${domain.hostname}`);
  });

  test("is rechecked if the server that last checked it had a clock far ahead", async () => {
    const domain = await addVerified();
    expect(await isDueIn(0, domain)).toBe(false);
    await service.sql`update domains set checked_at = now() + interval '2 years' where id = ${domain._id}`;
    expect(await isDueIn(0, domain)).toBe(true);
  });

  test("keeps a certificate that already exists", async () => {
    fly.certificates.set(`go${added + 1}.acme.com`, "Ready");
    const domain = await addVerified();
    expect(fly.asked.filter((asked) => asked.startsWith("addCertificate"))).toEqual([]);
    expect(await kept(domain)).toBe("ready");
  });

  test("requests the certificate again when verified again, because it may have been removed", async () => {
    const domain = await addVerified();
    fly.certificates.set(domain.hostname, "Ready");
    await checkIn(QUARTER_HOUR_MS + 1_000);
    expect(await kept(domain)).toBe("ready");
    await service.sql`update domains set is_verified = false where id = ${domain._id}`;
    fly.certificates.delete(domain.hostname);
    expect((await call<Domain>("POST", `/${domain._id}/verify`)).body.isVerified).toBe(true);
    expect([fly.certificates.get(domain.hostname), await kept(domain)]).toEqual(["Awaiting configuration", "pending"]);
  });

  test("is not looked up at Fly every day once its certificate is ready", async () => {
    const domain = await addVerified();
    fly.certificates.set(domain.hostname, "Ready");
    await checkIn(DAY_MS + 1_000);
    expect(await kept(domain)).toBe("ready");
    fly.asked.length = 0;
    await checkIn(3 * DAY_MS);
    expect(fly.asked.filter((asked) => asked.endsWith(domain.hostname))).toEqual([]);
  });
});

describe("a deleted domain", () => {
  test("has its certificate removed", async () => {
    const domain = await addVerified();
    await call("DELETE", `/${domain._id}`);
    expect(fly.certificates.has(domain.hostname)).toBe(false);
  });

  test("is deleted even if its certificate cannot be removed, which is logged", async () => {
    const domain = await addVerified();
    fly.failing = 503;
    expect((await call("DELETE", `/${domain._id}`)).status).toBe(200);
    // Log lines are written together, a moment later.
    await Bun.sleep(1);
    expect(service.logged()).toContain("could not remove the certificate of a deleted domain");
  });

  test("has its certificate removed later if the service dies first, or Fly does not respond", async () => {
    const [unanswered, died] = [await addVerified(), await addVerified()];
    fly.failing = 503;
    expect((await call("DELETE", `/${unanswered._id}`)).status).toBe(200);
    await dieDeleting(died);
    fly.failing = null;
    await removeAll();
    expect([unanswered, died].map(({ hostname }) => fly.certificates.has(hostname))).toEqual([false, false]);
    expect(await removeAll()).toMatchObject({ hosts: 0 });
  });

  test("keeps its certificate if it is added and verified again before that is removed", async () => {
    const domain = await addVerified();
    fly.certificates.set(domain.hostname, "Ready");
    await dieDeleting(domain);
    added--;
    await addVerified();
    await removeAll();
    expect(fly.certificates.get(domain.hostname)).toBe("Ready");
  });

  test("has a certificate removed that was requested while it was deleted", async () => {
    const domain = await addVerified();
    await verifyingIn(
      0,
      async ({ recheck }) => {
        await recheck({ id: domain._id, orgId: ada.orgId as OrgId });
      },
      {
        ...certificates,
        request: async (hostname) => {
          expect((await call("DELETE", `/${domain._id}`)).status).toBe(200);
          return certificates.request(hostname);
        },
      },
    );
    expect(fly.asked).toContain(`addCertificate ${domain.hostname}`);
    expect(fly.certificates.has(domain.hostname)).toBe(false);
  });

  test("has its certificate removed if its organization is deleted", async () => {
    const eve = await service.register();
    const domain = await addVerified();
    await service.sql`update domains set org_id = ${eve.orgId} where id = ${domain._id}`;
    const { slug = "" } = (await service.sql`select slug from organizations where id = ${eve.orgId}`)[0] ?? {};
    const database = openDatabase(service.databaseUrl, { pool: "tool" });
    expect(await deleteOrganization(database, [eve.orgId, slug])).toMatchObject({ ok: true });
    await database.close();
    expect(fly.certificates.has(domain.hostname)).toBe(true);
    await removeAll();
    expect(fly.certificates.has(domain.hostname)).toBe(false);
  });

  test("loses its certificate even if no longer verified, unless another organization holds the host", async () => {
    const [free, taken] = [await addVerified(), await addVerified()];
    await service.sql`update domains set is_verified = false where id in (${free._id}, ${taken._id})`;
    const eve = await service.register();
    await addDomain(service, eve.orgId, { hostname: taken.hostname });
    for (const { _id } of [free, taken]) expect((await call("DELETE", `/${_id}`)).status).toBe(200);
    expect([fly.certificates.has(free.hostname), fly.certificates.has(taken.hostname)]).toEqual([false, true]);
  });

  test("keeps the host's certificate if it was never verified", async () => {
    const { body } = await call<Domain>("POST", "", { hostname: "unverified.acme.com" });
    expect(await certificateOf(body)).toEqual({ status: "none" });
    fly.certificates.set("unverified.acme.com", "Ready");
    await call("DELETE", `/${body._id}`);
    expect(fly.certificates.has("unverified.acme.com")).toBe(true);
  });
});

describe("certificate requests are rejected for", () => {
  test.each([
    ["a wrong token", { apiToken: "wrong", app: fly.app, apiUrl: fly.url }],
    ["an app that is not there", { apiToken: fly.token, app: "other", apiUrl: fly.url }],
    ["nobody at the address", { apiToken: fly.token, app: fly.app, apiUrl: "http://127.0.0.1:1/" }],
  ])("%s", async (_, settings) => {
    const refused = createFlyCertificates({ fly: settings, outbound, clock: Date.now });
    const outcomes = await Promise.allSettled([
      refused.request("a.com"),
      refused.state("a.com"),
      refused.remove("a.com"),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  });
});

test("a domain that an archive brings from a service elsewhere gets a certificate here", async () => {
  const domain = await addVerified();
  fly.certificates.set(domain.hostname, "Ready");
  await checkIn(QUARTER_HOUR_MS + 1_000);
  expect(await kept(domain)).toBe("ready");
  const archive = await archiveOf(service.sql, ada.orgId);
  await service.sql`delete from organizations where id = ${ada.orgId}`;
  fly.certificates.delete(domain.hostname);
  await readArchive(service.sql, Readable.from([archive]).pipe(createGunzip()));
  fly.asked.length = 0;
  await checkIn(0);
  expect(fly.asked).toContain(`addCertificate ${domain.hostname}`);
  expect(await kept(domain)).toBe("pending");
});
