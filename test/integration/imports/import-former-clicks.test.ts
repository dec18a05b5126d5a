/** The clicks that imported links had before, over HTTP: counted once, whatever is imported, removed or rolled back. */
import { expect, test } from "bun:test";
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
