/** Services that limit requests, or fail. No service of ours runs here, and an import that waits goes on at once. */
import { afterAll, describe, expect, test } from "bun:test";
import { makeAccount } from "@test/support/accounts/made-account";
import { startLinkServices } from "@test/support/outside/link-services";
import { createDatabase } from "@test/support/servers/postgres";
import { makeQuickFolder } from "@test/support/servers/quick-folder";
import { readConfig } from "@/config";
import type { Import, ImportOptionsInput } from "@/contract/links/imports";
import type { OrgId, Tenant } from "@/core/ids";
import { openImportJobs } from "@/imports/jobs";
import { createImportService } from "@/modules/imports/service";
import { systemClock } from "@/platform/clock";
import { openKeys } from "@/platform/keys";
import { createAddressCheck } from "@/platform/outbound/addresses";
import { createSeal } from "@/platform/seal";
import { ensureSharedDomain } from "@/platform/shared-rows";
import { createLog } from "@/platform/telemetry/log";

const others = startLinkServices();
const { db, sql, url, drop } = await createDatabase();
const config = readConfig({
  ...{ DATABASE_URL: url, DATA_DIR: await makeQuickFolder(), SHORT_DOMAIN: "wm.example" },
  OUTBOUND_ALLOW: "127.0.0.0/8",
});
const shared = await ensureSharedDomain(db, config.shortDomain);
const seal = createSeal(await openKeys(config));
const imports = createImportService({
  ...{ db, clock: systemClock, seal, classOf: createAddressCheck(config.outboundAllow), wakeImports: () => {} },
});
const jobs = await openImportJobs(
  { ...config, databaseUrl: url, directUrl: url },
  createLog(() => {}),
);
afterAll(async () => {
  await jobs[Symbol.asyncDispose]();
  await drop();
});
const newcomer = { name: "Ada", email: "ada@example.com", organizationName: "Acme" };
const { session } = await makeAccount({ db, config, clock: systemClock }, newcomer);
const tenant: Tenant = {
  orgId: session.organizations[0]?._id as OrgId,
  actor: { type: "system", id: null, email: null, ip: null, userAgent: null },
};

/** Runs an import, whatever the service says of waiting. `lost`: links that came without their rules before. */
async function run(source: string, options: ImportOptionsInput = { dryRun: true }, lost = 0): Promise<Import> {
  others.asked = [];
  const body = JSON.stringify({
    options: { source, domainMap: { "*": shared }, ...options },
    credentials: { apiKey: others.key, baseUrl: `${others.url}/${source}/` },
  });
  const headers = { "content-type": "application/json" };
  const { _id } = await imports.create(tenant, new Request("http://localhost/", { method: "POST", headers, body }));
  for (;;) {
    const job = await imports.get(tenant, _id);
    if (job.status !== "queued" && job.status !== "running") return job;
    await sql`update imports set leased_until = now() where id = ${_id} and status = 'queued'`;
    if (lost > 0)
      await sql`update imports set fetched = jsonb_set(fetched, '{lost}', ${String(lost)}::text::jsonb) where id = ${_id}`;
    await jobs.runNext(new AbortController().signal, _id);
  }
}

const beyondLimit = () => Response.json({ message: "RATE_LIMIT_EXCEEDED" }, { status: 403 });
others.items.set(
  "bitly",
  Array.from({ length: 101 }, (_, n) => ({ group: "Bk1", id: `acme.ly/${n}`, long_url: "https://acme.com/" })),
);

test("an import goes on beyond a limit, also if that takes more attempts than a failure has", async () => {
  let [limited, failures] = [12, 2];
  others.answering = ({ url }) => {
    if (!url.includes("search_after")) return undefined;
    if (limited-- > 0) return beyondLimit();
    return failures-- > 0 ? new Response(null, { status: 500 }) : undefined;
  };
  const { status, error, counts } = await run("bitly");
  expect([status, error, counts.fetched, counts.created]).toEqual(["done", undefined, 101, 101]);
});

test("an import goes on within a page, if each of its links takes a request", async () => {
  const names = Array.from({ length: 40 }, (_, n) => `few${n}`);
  const item = { domain: null, hasRedirectRules: true, longUrl: "https://acme.com/", tags: [] };
  const items = names.map((shortCode) => ({ ...item, shortCode, shortUrl: `https://s.acme.com/${shortCode}` }));
  others.items.set("shlink", items);
  let left = 0;
  others.answering = ({ url }) => {
    if (!url.includes("/redirect-rules")) left = 10;
    else if (left-- <= 0) return new Response(null, { status: 429, headers: { "retry-after": "60" } });
    return undefined;
  };
  const { _id, error, counts } = await run("shlink");
  expect([error, counts]).toMatchObject([undefined, { fetched: 40, records: 40, created: 40 }]);
  const { rows } = await imports.ledger(tenant, _id, { limit: 100 });
  expect(rows.map(({ address }) => address)).toEqual(names.map((name) => `s.acme.com/${name}`));
  expect(others.asked.length).toBeLessThan(80);
});

test("an import ends where a limit does not, and says so", async () => {
  others.answering = beyondLimit;
  const { status, error } = await run("bitly");
  expect([status, error]).toEqual(["failed", "Bitly allows no more requests for now; try again later"]);
  expect(others.asked.length).toBe(25);
});

describe("an import from Shlink, which fails for some links at every request", () => {
  const shortUrlOf = (shortCode: string, item: object = {}) => ({
    ...{ shortCode, domain: null, hasRedirectRules: true, longUrl: "https://acme.com/", tags: [] },
    ...{ shortUrl: `https://s.acme.com/${shortCode}`, visitsSummary: { total: 1, nonBots: 1, bots: 0 }, ...item },
  });
  const listed = (prefix: string, count: number, item: object = {}) =>
    others.items.set(
      "shlink",
      Array.from({ length: count }, (_, n) => shortUrlOf(`${prefix}${n}`, item)),
    );
  /** Fails, and refuses as firewalls and proxies do. */
  const FAULTS = [{ status: 500 }, { status: 403 }, { status: 302, headers: { location: "https://acme.com/" } }];
  const failing = (...parts: string[]) => {
    others.answering = ({ url }) => {
      const at = parts.findIndex((part) => url.includes(part));
      return at < 0 ? undefined : new Response(null, FAULTS[at]);
    };
  };
  const ledgerOf = async ({ _id }: Import) => (await imports.ledger(tenant, _id, { limit: 100 })).rows;
  const asked = (part: string) => others.asked.filter(({ path }) => path.includes(part)).length;

  test("brings in all links, those alone without their rules, and says so", async () => {
    listed("bad", 60);
    failing("/bad0/redirect-rules", "/bad1/redirect-rules", "/bad55/redirect-rules");
    const done = await run("shlink");
    expect([done.error, done.counts]).toEqual([undefined, { fetched: 60, records: 60, created: 60, incomplete: 3 }]);
    const rows = (await ledgerOf(done)).filter(({ dropped }) => dropped.length > 0);
    const why = "left out: they are missing in what Shlink returned";
    expect(rows.map(({ address, dropped }) => [address, dropped])).toEqual(
      ["bad0", "bad1", "bad55"].map((code) => [`s.acme.com/${code}`, [{ field: "redirectRules", why }]]),
    );
    expect(asked("/bad0/redirect-rules")).toBe(9);
  });

  test("ends if it does for a hundred others, or if the list fails as well", async () => {
    listed("worse", 7);
    failing("/worse3/redirect-rules");
    const done = await run("shlink", { dryRun: true }, 100);
    expect([done.status, done.error]).toEqual(["failed", "Shlink responded with status 500; try again later"]);
    expect((await run("shlink", { dryRun: true }, 99)).counts).toMatchObject({ created: 7, incomplete: 1 });

    listed("down", 3);
    let requests = 0;
    others.answering = ({ url }) => {
      const isUp = !url.includes("/redirect-rules") && requests++ < 6;
      return isUp ? undefined : new Response(null, { status: 500 });
    };
    const down = await run("shlink");
    expect([down.status, down.error]).toEqual(["failed", "Shlink responded with status 500; try again later"]);
    expect(down.counts).toEqual({});
  });

  test("brings in all links, those alone without the days of their visits, unless the list fails as well", async () => {
    listed("days", 10, { hasRedirectRules: false });
    for (let n = 0; n < 10; n++) others.visits.set(`days${n}`, ["2024-05-03T10:00:00Z"]);
    failing(...[1, 3, 8].map((n) => `/days${n}/visits`));
    const done = await run("shlink", { formerClicksByDay: true });
    expect([done.error, done.counts]).toEqual([undefined, { fetched: 10, records: 10, created: 10, incomplete: 3 }]);
    const rows = (await ledgerOf(done)).filter(({ dropped }) => dropped.length > 0);
    const why = "left out: Shlink failed to list the visits of this link";
    expect(rows.map(({ address, dropped }) => [address, dropped])).toEqual(
      ["days1", "days3", "days8"].map((code) => [`s.acme.com/${code}`, [{ field: "visitsByDay", why }]]),
    );
    const dated = await sql`select link_id from former_click_days where org_id = ${tenant.orgId}`;
    expect(dated).toHaveLength(7);

    let isListed = false;
    others.answering = ({ url }) => {
      if (isListed) return new Response(null, { status: 500 });
      isListed = !url.includes("/visits");
      return undefined;
    };
    const down = await run("shlink", { formerClicksByDay: true });
    expect([down.status, down.error]).toEqual(["failed", "Shlink responded with status 500; try again later"]);
  });

  test.each([
    ["several", 8, 6],
    ["few", 3, 3],
  ])("brings in all links without their days at once if the key may not read visits: %s", async (name, links, asks) => {
    listed(name, links, { hasRedirectRules: false });
    failing("no such request", "/visits");
    const done = await run("shlink", { formerClicksByDay: true });
    const expected = { fetched: links, records: links, created: links, incomplete: links };
    expect([done.error, done.counts]).toEqual([undefined, expected]);
    const why = "left out: Shlink refuses to list the visits of this link; the key may not be allowed to read them";
    const dropped = [{ field: "visitsByDay", why }];
    expect((await ledgerOf(done)).map((row) => row.dropped)).toEqual(Array.from({ length: links }, () => dropped));
    expect([asked("/visits"), asked("/short-urls?")]).toEqual([asks, 2]);
  });

  test("ends at once if the key is revoked while visits are listed", async () => {
    listed("revoked", 8, { hasRedirectRules: false });
    let isRevoked = false;
    others.answering = ({ url }) => {
      isRevoked ||= url.includes("/visits");
      return isRevoked ? Response.json({ type: "invalid-api-key" }, { status: 401 }) : undefined;
    };
    const done = await run("shlink", { formerClicksByDay: true });
    expect([done.status, done.error]).toEqual(["failed", "credentials.apiKey: Shlink refuses it (401)"]);
    // Those of six links, and the list.
    expect([asked("/visits"), asked("/short-urls?")]).toEqual([6, 2]);
  });
});
