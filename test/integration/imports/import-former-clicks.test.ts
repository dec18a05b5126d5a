/** The clicks that imported links had before, over HTTP: counted once, whatever is imported, removed or rolled back. */
import { describe, expect, test } from "bun:test";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { PIXEL } from "@test/support/forms";
import { ledgerOf, runImport, waitForImport } from "@test/support/outside/imports";
import { type Account, startTestService } from "@test/support/service";
import type { OverviewAnswer } from "@/contract/analytics/overview";
import type { ImportOptionsInput } from "@/contract/links/imports";
import type { Link } from "@/contract/links/links";

const service = await startTestService();
const shared: string = (await service.sql`select id from domains where org_id is null`)[0]?.id;

const ask = async <Body>({ orgId, token }: Account, method: "GET" | "POST" | "DELETE", path: string): Promise<Body> =>
  (await service.call<Body>(method, `/api/v1/organizations/${orgId}${path}`, { token })).body;
const formerOf = async (account: Account, linkId: string | undefined) =>
  (await ask<Link>(account, "GET", `/links/${linkId}`)).clicksBefore;
const sumOf = async (account: Account) =>
  (await ask<OverviewAnswer>(account, "GET", "/analytics/overview")).clicksBefore?.count;

/** Imports a file, and returns the import with its ledger. */
async function imported(account: Account, text: string, options: ImportOptionsInput = {}) {
  const { _id } = await runImport(service, account, { text, options: { domainMap: { "*": shared }, ...options } });
  return { id: _id, rows: await ledgerOf(service, account, _id) };
}

async function rolledBack(account: Account, id: string): Promise<void> {
  await ask(account, "POST", `/imports/${id}/rollback`);
  await waitForImport(service, account, id);
}

test("a rollback gives links that the import had replaced back what they had", async () => {
  const account = await service.register();
  const text = "slug,url,clicks\nrb1,https://acme.com/1,100\nrb2,https://acme.com/2,200\nrb3,https://acme.com/3,\n";
  const { rows } = await imported(account, text);
  const [one, two, three] = rows.map(({ linkId }) => linkId);
  const formers = async () => [
    await formerOf(account, one),
    await formerOf(account, two),
    await formerOf(account, three),
  ];
  const replacing = { onConflict: "replace" } as const;
  const again =
    "domain,slug,url,clicks\nq.test,rb1,https://acme.com/a,0\nq.test,rb2,https://acme.com/b,250\nq.test,rb3,https://acme.com/c,7\n";
  const second = await imported(account, again, replacing);
  expect(second.rows.map(({ result }) => result)).toEqual(["replaced", "replaced", "replaced"]);
  expect(await formers()).toEqual([100, 250, 7]);
  await rolledBack(account, second.id);
  expect(await formers()).toEqual([100, 200, undefined]);

  const third = await imported(account, again.replaceAll("q.test", "r.test"), replacing);
  await imported(account, again.replaceAll("q.test", "s.test").replace("250", "300"), replacing);
  await rolledBack(account, third.id);
  expect((await formers()).slice(0, 2)).toEqual([100, 300]);
});

test("a rollback leaves former clicks that a later import has brought, even if these are as many", async () => {
  const account = await service.register();
  const { rows } = await imported(account, "slug,url,clicks\neq1,https://acme.com/1,5\n");
  const linkId = rows[0]?.linkId;
  const again = (host: string, clicks: number) =>
    imported(account, `domain,slug,url,clicks\n${host},eq1,https://acme.com/${host},${clicks}\n`, {
      onConflict: "replace",
    });
  const [second, third] = [await again("q.test", 100), await again("r.test", 100)];
  await rolledBack(account, second.id);
  expect(await formerOf(account, linkId)).toBe(100);
  // The third one's rollback leads to what was there before both.
  await rolledBack(account, third.id);
  expect(await formerOf(account, linkId)).toBe(5);
});

test("a link of Bitly whose first address does not come along brings its clicks with the next one", async () => {
  const account = await service.register();
  const customs = ["https://none.test/bb", "https://acme.ly/bb", "https://acme.ly/cc"];
  const item = { id: "bit.ly/3xYz", custom_bitlinks: customs, long_url: "https://acme.com/b", clicks: 77 };
  const { rows } = await imported(account, JSON.stringify([item]), { domainMap: { "acme.ly": shared } });
  expect(rows.map(({ result, clicksBefore }) => [result, clicksBefore])).toEqual([
    ["refused", 77],
    ["refused", undefined],
    ["created", 77],
    ["created", undefined],
  ]);
  expect(await formerOf(account, rows[2]?.linkId)).toBe(77);
  expect(await sumOf(account)).toBe(77);
});

test("clicks of a link that was deleted and is imported again are counted once", async () => {
  const account = await service.register();
  const text = "slug,url,clicks\nonce,https://acme.com/1,100\nother,https://acme.com/2,7\n";
  for (let round = 0; round < 3; round++) {
    const { rows } = await imported(account, text);
    expect(await sumOf(account)).toBe(107);
    await ask(account, "DELETE", `/links/${rows[0]?.linkId}`);
    expect(await sumOf(account)).toBe(107);
  }
  const { rows } = await imported(account, "slug,url\nonce,https://acme.com/1\n");
  expect(rows).toMatchObject([{ result: "created" }]);
  expect(await sumOf(account)).toBe(107);
});

test("a rollback leaves the clicks that a link had taken over from one deleted before", async () => {
  const account = await service.register();
  const text = "slug,url,clicks\nover,https://acme.com/1,100\n";
  const { rows } = await imported(account, text);
  await ask(account, "DELETE", `/links/${rows[0]?.linkId}`);
  const second = await imported(account, text.replace("100", "120"));
  expect(await sumOf(account)).toBe(120);
  await rolledBack(account, second.id);
  expect(await sumOf(account)).toBe(100);
  await imported(account, text.replace("100", "130"));
  expect(await sumOf(account)).toBe(130);
});

describe("the export of a link whose clicks are counted here", () => {
  const bot = { "user-agent": PIXEL };
  /** Imports a link with 100 former clicks, visits it, and returns its id with its export. */
  async function exported(account: Account, slug: string) {
    const { rows } = await imported(account, `slug,url,clicks\n${slug},https://acme.com/1,100\n`);
    expect((await service.visit(`/${slug}`, bot)).status).toBe(302);
    await waitUntilDrained(service.service);
    return { linkId: rows[0]?.linkId, file: String(await ask<string>(account, "GET", "/links/export.csv")) };
  }
  const countsOf = async (account: Account) => {
    const { totalClicks, clicksBefore } = await ask<OverviewAnswer>(account, "GET", "/analytics/overview");
    return [totalClicks, clicksBefore?.count];
  };

  test("brings the former clicks alone once the link is deleted, and a rollback leaves them", async () => {
    const account = await service.register();
    const { linkId, file } = await exported(account, "own-deleted");
    await ask(account, "DELETE", `/links/${linkId}`);
    const again = await imported(account, file);
    expect(again.rows).toMatchObject([{ result: "created", clicksBefore: 100 }]);
    expect(await formerOf(account, again.rows[0]?.linkId)).toBe(100);
    expect(await countsOf(account)).toEqual([1, 100]);
    await rolledBack(account, again.id);
    expect(await countsOf(account)).toEqual([1, 100]);
  });

  test("brings no clicks to a copy of the link, nor to another link that it replaces", async () => {
    const account = await service.register();
    const { linkId, file } = await exported(account, "own-live");
    const copy = await imported(account, file, { onConflict: "suffix" });
    expect(copy.rows).toMatchObject([{ result: "suffixed" }]);
    expect(await formerOf(account, copy.rows[0]?.linkId)).toBeUndefined();
    for (const id of [linkId, copy.rows[0]?.linkId]) await ask(account, "DELETE", `/links/${id}`);
    const other = await service.createLink(account, { slug: "own-live", defaultUrl: "https://acme.com/2" });
    const replacing = await imported(account, file, { onConflict: "replace", domainMap: { "*": shared } });
    expect(replacing.rows.map(({ result }) => result)).toEqual(["replaced"]);
    expect(await formerOf(account, other._id)).toBeUndefined();
    expect(await countsOf(account)).toEqual([1, 100]);
  });
});
