import { expect, test } from "bun:test";
import { startTestService } from "@test/support/service";

/** Far from every partition that the service creates in advance. */
const NOW = Date.parse("2031-01-15T12:00:00Z");
const service = await startTestService({ clock: () => NOW });

test("an event that arrives while its month's partition is being created is stored in it", async () => {
  const { call, sql } = service;
  const account = await service.register();
  const apiKey = await service.createApiKey(account, ["events:write"]);
  const sent = await sql.begin(async (tx) => {
    await tx`create table events_2031_01 (like events including defaults including constraints)`;
    await tx`alter table events attach partition events_2031_01 for values from ('2031-01-01Z') to ('2031-02-01Z')`;
    const waiting = call("POST", "/api/v1/events", { apiKey, body: { name: "purchase" } });
    await Bun.sleep(300);
    return { waiting };
  });
  expect((await sent.waiting).status).toBe(201);
  const rows = await sql`select tableoid::regclass::text as partition from events where org_id = ${account.orgId}`;
  expect(rows.map(({ partition }) => partition)).toEqual(["events_2031_01"]);
  const [rollup] = await sql`select sum(count)::int as count from event_rollups_daily where org_id = ${account.orgId}`;
  expect(rollup?.count).toBe(1);
});
