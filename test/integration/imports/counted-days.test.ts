/** The clicks that links were counted here by day, which an export takes to another Waymark. */
import { expect, test } from "bun:test";
import { addDomain } from "@test/support/accounts/tenants";
import { ledgerOf, runImport } from "@test/support/outside/imports";
import { type Account, startTestService } from "@test/support/service";
import type { OverviewAnswer } from "@/contract/analytics/overview";
import type { ImportOptionsInput } from "@/contract/links/imports";
import type { FileLink } from "@/core/links-file/columns";

const service = await startTestService();

type Days = Record<string, number>;

/** Gives a link clicks on some days, as servers count them, and clicks of bots on each. */
async function count({ orgId }: Account, linkId: string, days: Days): Promise<void> {
  for (const [day, clicks] of Object.entries(days))
    for (const [writer, isBot, counted] of [
      [1, false, clicks - 1],
      [2, false, 1],
      [1, true, 5],
    ] as const)
      await service.sql`insert into figures_daily (org_id, link_id, day, is_bot, writer, clicks, opens, counts)
        values (${orgId}, ${linkId}, ${`${day}T00:00:00Z`}, ${isBot}, ${writer}, ${counted}, 0, '')`;
  const sum = Object.values(days).reduce((all, one) => all + one, 0);
  await service.sql`insert into link_counters (org_id, link_id, writer, clicks, bot_clicks)
    values (${orgId}, ${linkId}, 1, ${sum}, ${5 * Object.keys(days).length})`;
}

const exported = async ({ orgId, token }: Account, form: string, query = ""): Promise<string> =>
  String((await service.call("GET", `/api/v1/organizations/${orgId}/links/export.${form}${query}`, { token })).body);

const linksIn = (lines: string): Record<string, Partial<FileLink>> =>
  Object.fromEntries(
    lines
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .map((link: FileLink) => [link.slug, link]),
  );

async function formerIn({ orgId, token }: Account) {
  const path = `/api/v1/organizations/${orgId}/analytics/overview?from=2024-01-01&to=2025-12-01`;
  const { clicksBefore } = (await service.call<OverviewAnswer>("GET", path, { token })).body;
  return clicksBefore;
}

async function moved(text: string, form: string, options: ImportOptionsInput = {}, to?: Account) {
  const account = to ?? (await service.register());
  const domainMap = { "*": await addDomain(service, account.orgId, { hostname: `${crypto.randomUUID()}.test` }) };
  const done = await runImport(service, account, { text, name: `links.${form}`, options: { domainMap, ...options } });
  return { account, rows: await ledgerOf(service, account, done._id) };
}

test("links keep the days of all their clicks, however often they move", async () => {
  const first = await service.register();
  const line = {
    ...{ _id: crypto.randomUUID(), domain: "old.test", slug: "both", defaultUrl: "https://acme.com/" },
    ...{ clicksBefore: 40, clicksByDay: { "2024-05-01": 10, "2024-05-02": 20 } },
  };
  const { rows } = await moved(JSON.stringify(line), "jsonl", {}, first);
  const here = await service.createLink(first, { slug: "here", defaultUrl: "https://acme.com/" });
  await service.createLink(first, { slug: "none", defaultUrl: "https://acme.com/" });
  await count(first, rows[0]?.linkId ?? "", { "2024-05-02": 3, "2025-02-28": 4 });
  await count(first, here._id, { "2025-03-01": 7 });

  expect(linksIn(await exported(first, "jsonl"))).toMatchObject({
    both: {
      ...{ clickCount: 7, clickCountByDay: { "2024-05-02": 3, "2025-02-28": 4 } },
      ...{ clicksBefore: 40, clicksByDay: { "2024-05-01": 10, "2024-05-02": 20 } },
    },
    here: { clickCount: 7, clickCountByDay: { "2025-03-01": 7 } },
  });
  const days = { "2024-05-01": 10, "2024-05-02": 23, "2025-02-28": 4, "2025-03-01": 7 };
  const expected = {
    ...{ count: 54, links: 2, inRange: 44 },
    byDay: Object.entries(days).map(([date, count]) => ({ date, count })),
  };
  let account = first;
  for (const form of ["csv", "jsonl", "csv"] as const) {
    const next = await moved(await exported(account, form), form);
    expect(next.rows.map(({ result, dropped }) => [result, dropped])).toEqual(Array(3).fill(["created", []]));
    ({ account } = next);
    expect(await formerIn(account)).toMatchObject(expected);
  }
  const links = linksIn(await exported(account, "jsonl"));
  expect(links.both).toMatchObject({
    ...{ clickCount: 0, clicksBefore: 47 },
    clicksByDay: { "2024-05-01": 10, "2024-05-02": 23, "2025-02-28": 4 },
  });
  expect(links.both).not.toHaveProperty("clickCountByDay");
  expect(links.none).not.toHaveProperty("clicksByDay");
});

test("an organization's own export brings no click a second time", async () => {
  const account = await service.register();
  const link = await service.createLink(account, { slug: "own", defaultUrl: "https://acme.com/" });
  await count(account, link._id, { "2025-03-01": 7 });
  const { rows } = await moved(await exported(account, "jsonl"), "jsonl", {}, account);
  expect(rows).toMatchObject([{ result: "created" }]);
  expect(await formerIn(account)).toBeUndefined();
});

test("a link comes without days that a spreadsheet has cut, and the ledger says so", async () => {
  const account = await service.register();
  const link = await service.createLink(account, { slug: "cut", defaultUrl: "https://acme.com/" });
  await count(account, link._id, { "2025-03-01": 7, "2025-03-02": 5 });
  const text = await exported(account, "csv");
  const next = await moved(text.replace(',""2025-03-02"":5}', ',""202'), "csv");
  expect(next.rows).toMatchObject([
    {
      ...{ result: "created", clicksBefore: 12 },
      dropped: [{ field: "clickCountByDay", why: "left out: expected a JSON object" }],
    },
  ]);
  expect(await formerIn(next.account)).toEqual({ count: 12, links: 1, writer: "imported" });
  const wrong = await moved(text.replace(",true,false,", ",soon,false,"), "csv");
  expect(wrong.rows).toMatchObject([{ result: "refused" }]);
});

test("a file may be without days, and a link never has more on its days than it was counted", async () => {
  const account = await service.register();
  const link = await service.createLink(account, { slug: "late", defaultUrl: "https://acme.com/" });
  await count(account, link._id, { "2025-03-01": 7, "2025-03-02": 5 });
  await service.sql`update link_counters set clicks = 9 where link_id = ${link._id}`;
  const { late } = linksIn(await exported(account, "jsonl"));
  expect(late).toMatchObject({ clickCount: 9, clickCountByDay: { "2025-03-01": 7, "2025-03-02": 2 } });
  const { late: short } = linksIn(await exported(account, "jsonl", "?clicksByDay=false"));
  expect(short).toMatchObject({ clickCount: 9 });
  expect(short).not.toHaveProperty("clickCountByDay");
});
