/** Changes to an organization's figures that arrive together take turns, and none of them waits in vain. */
import { expect, test } from "bun:test";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { FIREFOX } from "@test/support/forms";
import { createMint, SECRET } from "@test/support/match";
import { startTestService } from "@test/support/service";
import { verifyFigures } from "@/figures/verify/verify";
import { takeLock } from "@/platform/db/locks";

const service = await startTestService({ env: { APP_SECRET: SECRET } });
const { sql } = service;
const mint = await createMint(service);

/** Visits a link `count` times, with clicks that await a review. */
async function suspects(count: number) {
  const account = await service.register();
  const link = await service.createLink(account, { defaultUrl: "https://example.com/" });
  const path = new URL(link.shortUrl).pathname;
  for (let visits = 0; visits < count; visits++)
    await service.visit(path, { "user-agent": FIREFOX, "x-client": `198.51.100.${visits}` });
  await waitUntilDrained(service.service);
  // As of a crowd behind one address, whose clicks count until they are judged.
  const rows = await sql<{ id: string; visitor: string }[]>`
    update clicks set spam_score = 70, bot_reasons = '{crowd}' where org_id = ${account.orgId}
    returning id, lpad(to_hex(visitor), 16, '0') as visitor`;
  const home = `/api/v1/organizations/${account.orgId}`;
  const { token } = account;
  return {
    ...account,
    link,
    clicks: rows,
    confirm: (clickId: string) =>
      service.call("PATCH", `${home}/analytics/abuse-queue/${clickId}`, { token, body: { status: "confirmed" } }),
    erase: (visitorId: string) => service.call("POST", `${home}/privacy/erase`, { token, body: { visitorId } }),
    claim: async () =>
      service.call<{ matched: boolean }>("POST", "/api/v1/match", { body: { matchToken: await mint(link._id) } }),
  };
}

async function expectNoDifference(orgId: string): Promise<void> {
  const found: object[] = [];
  await verifyFigures(sql, { span: {}, orgId, isRepairing: false, onDifference: (each) => found.push(each) });
  expect(found).toEqual([]);
}

/** Lets each change of a click's row take nearly a second. */
async function whileSlow<Result>(work: () => Promise<Result>): Promise<Result> {
  await sql`create function take_long() returns trigger language plpgsql as
    'begin perform pg_sleep(0.8); return new; end'`;
  await sql`create trigger take_long before update on clicks for each row execute function take_long()`;
  try {
    return await work();
  } finally {
    await sql`drop function take_long cascade`;
  }
}

const statusesOf = (replies: readonly { status: number }[]) => [...new Set(replies.map(({ status }) => status))];

test("many verdicts at once of one organization are all given, also if they take longer than a lock may", async () => {
  const { orgId, clicks, confirm, claim } = await suspects(10);
  const replies = await whileSlow(() => Promise.all([...clicks.map(({ id }) => confirm(id)), claim()]));
  expect(statusesOf(replies)).toEqual([200]);
  const [row] =
    await sql`select count(*)::int as confirmed from clicks where org_id = ${orgId} and verdict = 'confirmed'`;
  expect(row?.confirmed).toBe(10);
  await expectNoDifference(orgId);
});

test("many erasures at once of one organization are all done, also if they take longer than a lock may", async () => {
  const { orgId, clicks, erase } = await suspects(10);
  const replies = await whileSlow(() => Promise.all(clicks.map(({ visitor }) => erase(visitor))));
  expect(statusesOf(replies)).toEqual([200]);
  const visitors = clicks.map(({ visitor }) => visitor);
  const left = await sql`
    select 1 from clicks where org_id = ${orgId} and lpad(to_hex(visitor), 16, '0') = any(${visitors}::text[])`;
  expect([...left]).toEqual([]);
  await expectNoDifference(orgId);
});

test("what waits for a lock in vain, or for somebody who does, gets 503, and is done when it is sent again", async () => {
  const { orgId, clicks, confirm, claim } = await suspects(10);
  const [first = ""] = clicks.map(({ id }) => id);
  const replies = await service.db.transaction(async (tx) => {
    await takeLock(tx, orgId, "figures");
    return Promise.all([...clicks.map(({ id }) => confirm(id)), claim()]);
  });
  expect(statusesOf(replies)).toEqual([503]);
  expect((await confirm(first)).status).toBe(200);
  expect((await claim()).body.matched).toBe(true);
  await expectNoDifference(orgId);
});
