/** Leads count unless the clicks that they came from are confirmed as abuse. */
import { expect, test } from "bun:test";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { visitorOf, visitTokenIn } from "@test/support/forms";
import { waitUntilBlocked, whileLocked } from "@test/support/servers/lock-waits";
import { startTestService } from "@test/support/service";
import { settleLateLeads } from "@/clicks/late-leads";
import type { AnalyticsOverview } from "@/contract/analytics/overview";
import type { LeadPage } from "@/contract/links/leads";
import { verifyFigures } from "@/figures/verify/verify";

const service = await startTestService();
const { sql } = service;

async function workspace() {
  const account = await service.register();
  const { token, orgId } = account;
  const home = `/api/v1/organizations/${orgId}`;
  const link = await service.createLink(account, {
    defaultUrl: "https://example.com/",
    leadCapture: { enabled: true, fields: [{ name: "email", label: "Email", type: "email" }] },
  });
  const path = new URL(link.shortUrl).pathname;
  const from = new Date().toISOString();
  return {
    orgId,
    /** Visits the link from this address, with a click that awaits a review. Returns a function that sends the form. */
    async visit(address: string) {
      const { open, send } = visitorOf(service, address);
      const pass = visitTokenIn(await (await open(path)).text());
      await waitUntilDrained(service.service);
      // As of a crowd behind one address, whose clicks count until they are judged.
      await sql`update clicks set spam_score = 70, bot_reasons = '{crowd}' where org_id = ${orgId} and spam_score = 0`;
      return async () => (await send(path, { wm_pass: pass, email: "ada@example.com" })).status;
    },
    /** Visits the link so often from this address that the last click counts as a bot's. */
    async visitAsBot(address: string) {
      const { open, send } = visitorOf(service, address);
      for (;;) {
        await Promise.all(Array.from({ length: 65 }, () => open(path)));
        const pass = visitTokenIn(await (await open(path)).text());
        await waitUntilDrained(service.service);
        const [last] =
          await sql`select is_bot from clicks where org_id = ${orgId} order by occurred_at desc, id desc limit 1`;
        if (last?.is_bot) return async () => (await send(path, { wm_pass: pass, email: "bot@example.com" })).status;
      }
    },
    judge: (status: string) =>
      service.call("POST", `${home}/analytics/abuse-queue/bulk`, { token, body: { linkId: link._id, status } }),
    listed: async () =>
      (await service.call<LeadPage>("GET", `${home}/links/${link._id}/leads`, { token })).body.leads.length,
    /** Counts the leads of all links by day, and of the link since the visits, which is in parts of an hour. */
    async counted(includeBots = false) {
      const counts: (number | undefined)[] = [];
      for (const query of ["", `linkId=${link._id}&from=${from}`]) {
        const { body } = await service.call<AnalyticsOverview>(
          "GET",
          `${home}/analytics/overview?${query}&includeBots=${includeBots}`,
          { token },
        );
        const inFunnel = (name: string) => body.conversionFunnel.find(({ stage }) => stage === name)?.count;
        counts.push(inFunnel("leads"));
        expect([inFunnel("events"), body.byEvent]).toEqual([0, []]);
      }
      const csv = await service.call("GET", `${home}/analytics/export.csv?includeBots=${includeBots}`, { token });
      const [header = "", ...rows] = String(csv.body).trim().split("\r\n");
      const column = header.split(",").indexOf("leads");
      counts.push(rows.reduce((sum, row) => sum + Number(row.split(",")[column]), 0));
      return [...new Set(counts)];
    },
  };
}

async function expectNoDifference(orgId: string): Promise<void> {
  const found: object[] = [];
  await verifyFigures(sql, { span: {}, orgId, isRepairing: false, onDifference: (each) => found.push(each) });
  expect(found).toEqual([]);
}

test("a lead follows each verdict on its click, whichever came first, and stays in the list", async () => {
  const { orgId, visit, judge, listed, counted } = await workspace();
  const [sendFirst, sendSecond] = [await visit("198.51.100.1"), await visit("198.51.100.2")];
  expect([await sendFirst(), await counted()]).toEqual([303, [1]]);
  expect((await judge("confirmed")).body).toEqual({ changed: 2, remaining: 0 });
  expect([await listed(), await counted()]).toEqual([1, [0]]);
  expect([await sendSecond(), await listed(), await counted()]).toEqual([303, 2, [0]]);
  for (const [status, count] of [["pending", 2] as const, ["confirmed", 0] as const]) {
    await judge(status);
    expect([status, await listed(), await counted()]).toEqual([status, 2, [count]]);
    await expectNoDifference(orgId);
  }
});

test("a lead that is sent while its click is being judged counts by that verdict", async () => {
  const { orgId, visit, listed } = await workspace();
  const send = await visit("198.51.100.3");
  const judging = `update clicks set verdict = 'confirmed', is_bot = true where org_id = '${orgId}'`;
  const { sent } = await whileLocked(sql, judging, async () => {
    const sent = send();
    await waitUntilBlocked(sql, 1);
    return { sent };
  });
  expect([await sent, await listed()]).toEqual([303, 1]);
  const [lead] = await sql`select verdict from leads where org_id = ${orgId}`;
  expect(lead?.verdict).toBe("confirmed");
  const [rolled] = await sql`select count(*)::int as count from event_rollups_daily where org_id = ${orgId}`;
  expect(rolled?.count).toBe(0);
});

test("a bot's lead counts only with includeBots, like its click, until that is given back to people", async () => {
  const { orgId, visit, visitAsBot, judge, listed, counted } = await workspace();
  const [send, sendOfBot] = [await visit("198.51.100.1"), await visitAsBot("198.51.100.2")];
  expect([await send(), await sendOfBot(), await listed()]).toEqual([303, 303, 2]);
  expect([await counted(), await counted(true)]).toEqual([[1], [2]]);
  await expectNoDifference(orgId);
  for (const [status, people, all] of [
    ["dismissed", 2, 2],
    ["confirmed", 0, 0],
    ["pending", 1, 2],
  ] as const) {
    await judge(status);
    expect([status, await counted(), await counted(true)]).toEqual([status, [people], [all]]);
    await expectNoDifference(orgId);
  }
});

const settle = () => settleLateLeads({ db: service.db, now: Date.now(), signal: new AbortController().signal });

test("a lead that is sent before its click is in Postgres counts like it afterwards", async () => {
  const { orgId, visitAsBot, counted } = await workspace();
  const send = await visitAsBot("198.51.100.4");
  await sql`create table away as select * from clicks where org_id = ${orgId}`;
  await sql`delete from clicks where org_id = ${orgId}`;
  expect([await send(), await counted()]).toEqual([303, [1]]);
  expect([await settle(), await counted()]).toEqual([0, [1]]);
  await sql`insert into clicks select * from away`;
  expect([await settle(), await counted(), await counted(true)]).toEqual([1, [0], [1]]);
  expect(await settle()).toBe(0);
  await expectNoDifference(orgId);
});

test("leads of earlier releases follow the verdicts on their clicks", async () => {
  const { orgId, visit, judge, counted } = await workspace();
  await (await visit("198.51.100.5"))();
  await judge("confirmed");
  for (const table of ["event_rollups_hourly", "event_rollups_daily"])
    await sql`update ${sql(table)} set count = 1 where org_id = ${orgId} and name = ''`;
  await sql`update leads set is_bot = null, verdict = null where org_id = ${orgId}`;
  expect(await counted()).toEqual([1]);
  expect([await settle(), await counted(), await counted(true)]).toEqual([1, [0], [0]]);
  await expectNoDifference(orgId);
});

test("a lead awaits its click for a month", async () => {
  const { orgId, visit, counted } = await workspace();
  await (await visit("198.51.100.6"))();
  await sql`update leads set is_bot = null, click_id = ${Bun.randomUUIDv7()} where org_id = ${orgId}`;
  expect(await settle()).toBe(0);
  const later = { db: service.db, now: Date.now() + 32 * 86_400_000, signal: new AbortController().signal };
  expect([await settleLateLeads(later), await settleLateLeads(later), await counted()]).toEqual([1, 0, [1]]);
});
