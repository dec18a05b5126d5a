/** The days of the clicks that imported links had before, over HTTP: whatever is imported, removed or rolled back. */
import { describe, expect, test } from "bun:test";
import { ledgerOf, runImport, waitForImport } from "@test/support/outside/imports";
import { type Account, startTestService } from "@test/support/service";
import type { OverviewAnswer } from "@/contract/analytics/overview";
import type { ImportOptionsInput } from "@/contract/links/imports";

const service = await startTestService();
const shared: string = (await service.sql`select id from domains where org_id is null`)[0]?.id;

const ask = async <Body>({ orgId, token }: Account, method: "GET" | "DELETE", path: string): Promise<Body> =>
  (await service.call<Body>(method, `/api/v1/organizations/${orgId}${path}`, { token })).body;

const MAY = "from=2024-05-01&to=2024-06-01";
const formerIn = async (account: Account, query = MAY) =>
  (await ask<OverviewAnswer>(account, "GET", `/analytics/overview?${query}`)).clicksBefore;
/** Returns the days as they are given to an import. */
const daysOf = async (account: Account, query = MAY) =>
  Object.fromEntries(((await formerIn(account, query))?.byDay ?? []).map(({ date, count }) => [date, count]));

interface OldLine {
  slug: string;
  clicksBefore?: number;
  clicksByDay?: object;
  [field: string]: unknown;
}

/** Writes lines of our own file, of links that another server exported. */
const linesOf = (...links: OldLine[]): string =>
  links
    .map((link) =>
      JSON.stringify({ _id: crypto.randomUUID(), domain: "old.test", defaultUrl: "https://acme.com/", ...link }),
    )
    .join("\n");

async function imported(account: Account, text: string, options: ImportOptionsInput = {}) {
  const { _id } = await runImport(service, account, {
    ...{ text, name: "links.jsonl", options: { domainMap: { "*": shared }, ...options } },
  });
  return { id: _id, rows: await ledgerOf(service, account, _id) };
}

async function rolledBack(account: Account, id: string, body?: { force: true }): Promise<void> {
  const { orgId, token } = account;
  await service.call("POST", `/api/v1/organizations/${orgId}/imports/${id}/rollback`, { token, body });
  await waitForImport(service, account, id);
}

test("an overview has the former clicks of the days in its range, beside all of them and in no other figure", async () => {
  const account = await service.register();
  const { rows } = await imported(
    account,
    linesOf(
      {
        ...{ slug: "fd-a", tags: ["spring"], clicksBefore: 100 },
        clicksByDay: { "2024-05-02": 12, "2024-04-30": 3, "2024-06-01": 7, "2024-05-31": 1 },
      },
      { slug: "fd-b", clicksBefore: 20, clicksByDay: { "2024-05-02": 5 } },
      { slug: "fd-c", clicksBefore: 4 },
    ),
  );
  expect(rows.map(({ result, dropped }) => [result, dropped])).toEqual(rows.map(() => ["created", []]));
  const overview = await ask<OverviewAnswer>(account, "GET", `/analytics/overview?${MAY}&compare=previous`);
  const byDay = [
    { date: "2024-05-02", count: 17 },
    { date: "2024-05-31", count: 1 },
  ];
  expect(overview).toMatchObject({
    clicksBefore: { count: 124, links: 3, inRange: 18, byDay, writer: "imported" },
    totalClicks: 0,
  });
  expect(overview.previous).not.toHaveProperty("clicksBefore");
  expect(overview.timeseries.every(({ clicks }) => clicks === 0)).toBe(true);

  // The range begins and ends within days, which count as a whole.
  const within = "from=2024-04-30T12:00:00Z&to=2024-05-02T00:00:01Z";
  expect(await daysOf(account, within)).toEqual({ "2024-04-30": 3, "2024-05-02": 17 });
  expect(await daysOf(account, "from=2024-04-30&to=2024-05-02")).toEqual({ "2024-04-30": 3 });
  // Nothing is said of days where none are known.
  expect(await formerIn(account, "")).toEqual({ count: 124, links: 3, writer: "imported" });
  expect(await formerIn(account, `${MAY}&includeImported=false`)).toBeUndefined();

  expect(await daysOf(account, `${MAY}&linkId=${rows[1]?.linkId}`)).toEqual({ "2024-05-02": 5 });
  expect(await formerIn(account, `${MAY}&tag=spring`)).toMatchObject({ count: 100, inRange: 13 });
  expect(await formerIn(account, `${MAY}&domainId=${shared}`)).toMatchObject({ count: 124, inRange: 18 });
  expect(await formerIn(account, `${MAY}&country=DE`)).toBeUndefined();
  const stranger = await service.register();
  expect(await formerIn(stranger)).toBeUndefined();
});

test("days never have more clicks than their link, and odd ones are told in the ledger", async () => {
  const account = await service.register();
  const { rows } = await imported(
    account,
    linesOf(
      { slug: "fm-a", clicksBefore: 10, clicksByDay: { "2024-05-03": 8, "2024-05-02": 6 } },
      { slug: "fm-b", clicksBefore: 5, clicksByDay: { "2024-05-02": 1, "2199-01-01": 2, May: 3, "2024-05-04": "4" } },
      { slug: "fm-c", clicksByDay: { "2024-05-02": 1 } },
    ),
  );
  expect(await daysOf(account)).toEqual({ "2024-05-02": 7, "2024-05-03": 4 });
  expect(rows.map(({ dropped }) => dropped.map(({ field }) => field))).toEqual([[], ["clicksByDay"], []]);

  // A later import of fewer clicks, which knows no days: the first ones stay, as far as there are clicks.
  await imported(account, "domain,slug,url,clicks\nq.test,fm-a,https://acme.com/,7\n", { onConflict: "replace" });
  expect(await formerIn(account, `${MAY}&linkId=${rows[0]?.linkId}`)).toMatchObject({
    ...{ count: 7, inRange: 7 },
    byDay: [
      { date: "2024-05-02", count: 6 },
      { date: "2024-05-03", count: 1 },
    ],
  });
});

test("of several imports the latest that has days holds, until it is rolled back", async () => {
  const account = await service.register();
  const line = (clicksBefore: number, clicksByDay?: object) =>
    linesOf({ slug: "fl-a", clicksBefore, ...(clicksByDay && { clicksByDay }) });
  const replacing = (host: string): ImportOptionsInput => ({ onConflict: "replace", domainMap: { [host]: shared } });
  const first = await imported(account, line(10, { "2024-05-01": 10 }));
  const again = (host: string, clicks: number, days?: object) =>
    imported(account, line(clicks, days).replace("old.test", host), replacing(host));
  const second = await again("q.test", 20, { "2024-05-02": 15 });
  expect(second.rows).toMatchObject([{ result: "replaced", linkId: first.rows[0]?.linkId }]);
  expect(await daysOf(account)).toEqual({ "2024-05-02": 15 });
  const third = await again("r.test", 30);
  expect(await formerIn(account)).toMatchObject({ count: 30, inRange: 15 });
  await rolledBack(account, second.id);
  expect(await formerIn(account)).toMatchObject({ count: 30, byDay: [{ date: "2024-05-01", count: 10 }] });
  await rolledBack(account, third.id);
  expect(await formerIn(account)).toMatchObject({ count: 10, inRange: 10 });
  // It has been changed since.
  await rolledBack(account, first.id);
  expect(await formerIn(account)).toMatchObject({ count: 10, inRange: 10 });
  await rolledBack(account, first.id, { force: true });
  expect(await formerIn(account)).toBeUndefined();
  expect(await service.sql`select from former_click_days where org_id = ${account.orgId}`).toHaveLength(0);
});

describe("a link that was deleted and is imported again", () => {
  test.each([
    ["brings its own days", { "2024-05-03": 30 }, { "2024-05-03": 30 }],
    ["takes over those it had, where the new file knows none", undefined, { "2024-05-02": 20 }],
  ])("%s, and a rollback leaves those from before", async (_, days, expected) => {
    const account = await service.register();
    const slug = `fr-${days ? "own" : "none"}`;
    const first = await imported(account, linesOf({ slug, clicksBefore: 20, clicksByDay: { "2024-05-02": 20 } }));
    await ask(account, "DELETE", `/links/${first.rows[0]?.linkId}`);
    expect(await daysOf(account)).toEqual({ "2024-05-02": 20 });
    const second = await imported(account, linesOf({ slug, clicksBefore: 30, ...(days && { clicksByDay: days }) }));
    expect(second.rows).toMatchObject([{ result: "created" }]);
    expect([await daysOf(account), (await formerIn(account))?.count]).toEqual([expected, 30]);
    await rolledBack(account, second.id);
    expect([await daysOf(account), (await formerIn(account))?.count]).toEqual([{ "2024-05-02": 20 }, 20]);
  });

  test("has them once, also if the file has it twice", async () => {
    const account = await service.register();
    const line = linesOf({ slug: "fr-twice", clicksBefore: 20, clicksByDay: { "2024-05-02": 20 } });
    await imported(account, `${line}\n${line}`);
    expect(await daysOf(account)).toEqual({ "2024-05-02": 20 });
  });
});

test("the days go with the organization", async () => {
  const account = await service.register();
  await imported(account, linesOf({ slug: "fo-a", clicksBefore: 20, clicksByDay: { "2024-05-02": 20 } }));
  await service.sql`delete from organizations where id = ${account.orgId}`;
  expect(await service.sql`select from former_click_days where org_id = ${account.orgId}`).toHaveLength(0);
});
