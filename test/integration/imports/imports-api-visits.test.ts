/** The visits of Shlink's links, which an import counts by day if it is asked to. */
import { describe, expect, test } from "bun:test";
import { killImportProcesses } from "@test/support/outside/import-processes";
import { ledgerOf, upload, waitForImport } from "@test/support/outside/imports";
import { startLinkServices } from "@test/support/outside/link-services";
import { type Account, startTestService } from "@test/support/service";
import type { OverviewAnswer } from "@/contract/analytics/overview";
import type { Import } from "@/contract/links/imports";

const others = startLinkServices();
const service = await startTestService({ env: { OUTBOUND_ALLOW: "127.0.0.0/8" } });
const shared: string = (await service.sql`select id from domains where org_id is null`)[0]?.id;

const request = ({ token, orgId }: Account, options: object = {}, source = "shlink") =>
  service.call<Import & { details?: string[] }>("POST", `/api/v1/organizations/${orgId}/imports`, {
    token,
    body: {
      options: { source, domainMap: { "*": shared }, formerClicksByDay: true, ...options },
      credentials: { apiKey: others.key, baseUrl: `${others.url}/${source}/` },
    },
  });

async function fetched(account: Account, options: object = {}): Promise<Import> {
  const { status, body } = await request(account, options);
  expect([status, body.details]).toEqual([202, undefined]);
  return waitForImport(service, account, body._id);
}

/** Adds a link with visits at these times, the newest first. */
function addItem(shortCode: string, times: string[], others_: object = {}) {
  const total = times.length;
  others.visits.set(shortCode, times);
  others.items.set("shlink", [
    ...(others.items.get("shlink") ?? []),
    {
      ...{ shortCode, domain: null, hasRedirectRules: false, longUrl: "https://acme.com/", tags: [], title: null },
      ...{ shortUrl: `https://s.acme.com/${shortCode}`, visitsSummary: { total, nonBots: total, bots: 0 } },
      ...others_,
    },
  ]);
}

const at = (day: string, count: number) => Array.from({ length: count }, () => `${day}T10:00:00+02:00`);
const visitsAsked = () => others.asked.map(({ path }) => path).filter((path) => path.includes("/visits"));
async function daysOf({ orgId, token }: Account) {
  const path = `/api/v1/organizations/${orgId}/analytics/overview?from=2024-01-01&to=2025-01-01`;
  const { clicksBefore } = (await service.call<OverviewAnswer>("GET", path, { token })).body;
  return [clicksBefore?.count, clicksBefore?.byDay?.map(({ date, count }) => [date, count])];
}

test("the visits of each link are counted by day from all of their pages, also those of links on many pages", async () => {
  const account = await service.register();
  others.items.clear();
  others.asked = [];
  addItem("v/many", [...at("2024-05-03", 1_500), ...at("2024-05-02", 700)]);
  addItem("v-domain", at("2024-05-03", 3), { domain: "s.acme.com" });
  addItem("v-none", []);
  addItem("v-odd", ["2024-05-04T00:30:00+02:00", "soon"]);
  for (let n = 0; n < 50; n++) addItem(`v-${n}`, at("2024-06-01", 1));
  const done = await fetched(account);
  expect([done.error, done.counts, done.options.formerClicksByDay]).toEqual([
    undefined,
    { fetched: 54, records: 54, created: 54 },
    true,
  ]);
  expect(await daysOf(account)).toEqual([
    2_255,
    [
      ["2024-05-02", 700],
      ["2024-05-03", 1_504],
      ["2024-06-01", 50],
    ],
  ]);
  expect(visitsAsked()).toHaveLength(3 + 52);
  expect(visitsAsked()).toContain("/shlink/rest/v3/short-urls/v/many/visits?page=3&itemsPerPage=1000");
  expect(visitsAsked()).toContain(
    "/shlink/rest/v3/short-urls/v-domain/visits?page=1&itemsPerPage=1000&domain=s.acme.com",
  );
});

test("visits are left alone without the option and in a dry run", async () => {
  const account = await service.register();
  others.items.clear();
  others.asked = [];
  addItem("v-alone", at("2024-05-03", 2));
  await fetched(account, { dryRun: true });
  const done = await fetched(account, { formerClicksByDay: false });
  expect([done.counts.created, done.options]).toEqual([1, expect.not.objectContaining({ formerClicksByDay: true })]);
  expect(visitsAsked()).toEqual([]);
  expect(await daysOf(account)).toEqual([2, undefined]);
});

test("visits that come in while they are fetched double no day, and a link has no more than when it was listed", async () => {
  const account = await service.register();
  others.items.clear();
  addItem("v-busy", [...at("2024-05-03", 1_500), ...at("2024-05-02", 600)]);
  others.answering = ({ url }) => {
    if (url.includes("/visits"))
      others.visits.set("v-busy", [...at("2024-05-03", 7), ...(others.visits.get("v-busy") ?? [])]);
    return undefined;
  };
  await fetched(account).finally(() => {
    others.answering = null;
  });
  expect(await daysOf(account)).toEqual([
    2_100,
    [
      ["2024-05-02", 600],
      ["2024-05-03", 1_500],
    ],
  ]);
});

test("a link with too many visits comes without its days, and the ledger says so; one that is gone comes, too", async () => {
  const account = await service.register();
  others.items.clear();
  others.asked = [];
  addItem("v-huge", [], { visitsSummary: { total: 100_001, nonBots: 100_001, bots: 0 } });
  addItem("v-gone", at("2024-05-03", 2));
  addItem("v-there", at("2024-05-03", 1));
  others.answering = ({ url }) =>
    url.includes("v-gone/visits") ? Response.json({ type: "short-url-not-found" }, { status: 404 }) : undefined;
  const done = await fetched(account).finally(() => {
    others.answering = null;
  });
  expect(done.counts).toMatchObject({ created: 3, incomplete: 1 });
  const rows = await ledgerOf(service, account, done._id);
  expect(rows.map(({ dropped }) => dropped)).toEqual([
    [{ field: "visitsByDay", why: "left out: Shlink has too many visits of this link to list" }],
    [],
    [],
  ]);
  expect(visitsAsked().some((path) => path.includes("v-huge"))).toBe(false);
  expect(await daysOf(account)).toEqual([100_004, [["2024-05-03", 1]]]);
});

describe("an import whose links were all listed on the first day", () => {
  async function resumedAfter(days: number) {
    const account = await service.register();
    others.items.clear();
    addItem(`w${days}-early`, at("2024-05-03", 2));
    addItem(`w${days}-open`, [...at("2024-05-03", 1_000), ...at("2024-05-02", 500)]);
    for (let n = 0; n < 5; n++) addItem(`w${days}-more-${n}`, at("2024-05-03", 1));
    addItem(`w${days}-never`, []);
    let isHeld = true;
    others.answering = ({ url }) =>
      isHeld && (url.includes("page=2&") || url.includes("more-4/visits"))
        ? new Response(null, { status: 429, headers: { "retry-after": "3000" } })
        : undefined;
    const { body } = await request(account);
    const hasBegun = async () => {
      const [row] = await service.sql`select leased_until > now() + interval '40 minutes' as waits,
        fetched -> 'visits' ->> 'next' as next from imports where id = ${body._id}`;
      return row?.waits === true && Number(row?.next) >= 6;
    };
    while (!(await hasBegun())) await Bun.sleep(20);
    isHeld = false;
    const then = String(Date.now() - days * 86_400_000 - 1);
    await service.sql`update imports set fetched = jsonb_set(fetched, '{startedAt}', ${then}), leased_until = now()
      where id = ${body._id}`;
    const done = await waitForImport(service, account, body._id).finally(() => {
      others.answering = null;
    });
    return { account, done, rows: await ledgerOf(service, account, done._id) };
  }

  test("goes on with their visits for days", async () => {
    const { account, done } = await resumedAfter(2);
    expect([done.error, done.counts]).toEqual([undefined, { fetched: 8, records: 8, created: 8 }]);
    expect(await daysOf(account)).toEqual([
      1_507,
      [
        ["2024-05-02", 500],
        ["2024-05-03", 1_007],
      ],
    ]);
  });

  test("brings them in after a week, without the days that are still missing, and says so", async () => {
    const { account, done, rows } = await resumedAfter(7);
    expect([done.error, done.counts]).toMatchObject([undefined, { created: 8 }]);
    const late = { field: "visitsByDay", why: "left out: Shlink took too long to list the visits of all links" };
    expect(rows.map(({ address, dropped }) => [address.replace("s.acme.com/w7-", ""), dropped])).toEqual([
      ["early", []],
      ["open", [late]],
      ...[0, 1, 2, 3].map((n) => [`more-${n}`, []]),
      ["more-4", [late]],
      ["never", []],
    ]);
    expect(await daysOf(account)).toEqual([1_507, [["2024-05-03", 6]]]);
    const path = `/api/v1/organizations/${account.orgId}/imports/${done._id}/verify`;
    expect((await service.call("POST", path, { token: account.token })).status).toBe(202);
    expect((await waitForImport(service, account, done._id)).counts).toMatchObject({ checked: 8, different: 0 });
  });
});

test("an import whose process is killed resumes after the last stored page of visits, and failed requests are repeated", async () => {
  const account = await service.register();
  others.items.clear();
  others.asked = [];
  addItem("v-long", [...at("2024-05-03", 1_999), ...at("2024-05-02", 500)]);
  addItem("v-short", at("2024-05-03", 1));
  const [reached, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let failures = 1;
  others.answering = async ({ url }) => {
    if (url.includes("v-short/visits") && failures-- > 0) return new Response(null, { status: 503 });
    if (!url.includes("page=3&")) return undefined;
    reached.resolve();
    await held.promise;
    return undefined;
  };
  const { body } = await request(account);
  await reached.promise;
  const before = visitsAsked().length;
  await killImportProcesses(process.pid);
  others.answering = null;
  held.resolve();
  await service.sql`update imports set leased_until = now() - interval '1 second' where id = ${body._id}`;
  expect((await waitForImport(service, account, body._id)).status).toBe("done");
  expect(visitsAsked().slice(before)).toEqual(["/shlink/rest/v3/short-urls/v-long/visits?page=3&itemsPerPage=1000"]);
  expect(await daysOf(account)).toEqual([
    2_500,
    [
      ["2024-05-02", 500],
      ["2024-05-03", 2_000],
    ],
  ]);
  const [row] = await service.sql`select credentials, fetched::text as fetched from imports where id = ${body._id}`;
  expect([row?.credentials, JSON.parse(row?.fetched).visits]).toEqual([null, undefined]);
});

test("a file, and an API that lists no visits, are refused with the option", async () => {
  const account = await service.register();
  const details = ["options.formerClicksByDay: only the API of Shlink lists the visits of links"];
  const { status, body } = await request(account, {}, "kutt");
  expect([status, body.details]).toEqual([400, details]);
  const file = await upload(service, account, {
    text: "slug,url\na,https://acme.com/\n",
    options: { formerClicksByDay: true },
  });
  expect([file.status, file.body.details]).toEqual([400, details]);
});
