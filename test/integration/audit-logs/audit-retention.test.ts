/** Audit entries past the retention of a plan: deleted in batches, for each plan by its own period. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createDatabase, type TestDatabase } from "@test/support/servers/postgres";
import { DAY_MS } from "@/core/time/time-range";
import { deleteOldAuditLogs } from "@/modules/audit-logs/retention";
import { seedOrganization } from "../clicks/fixture";

const NOW = Date.UTC(2026, 10, 21, 12);
let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const expire = (signal: AbortSignal, batchRows?: number) =>
  deleteOldAuditLogs({ sql: database.sql, now: NOW, auditDays: { free: 90, pro: 400 }, signal, batchRows });

test("deletes entries older than the plan's retention, whatever the batch size, and keeps the rest", async () => {
  const { sql } = database;
  const plans = { free: 90, pro: 400 };
  const kept: string[] = [];
  for (const [plan, days] of Object.entries(plans)) {
    const orgId = await seedOrganization(sql);
    await sql`update organizations set plan = ${plan} where id = ${orgId}`;
    const ages = [days + 300, days + 2, days + 1 / DAY_MS, days, days - 1, 0].map((age) => NOW - age * DAY_MS);
    for (const [index, at] of ages.entries()) {
      const id = Bun.randomUUIDv7("hex", at);
      if (index > 2) kept.push(id);
      await sql`insert into audit_logs (id, org_id, action, resource_type, resource_id, actor_type, created_at)
        values (${id}, ${orgId}, 'link.create', 'link', 'a', 'system', ${new Date(at)})`;
    }
  }
  expect(await expire(AbortSignal.abort())).toBe(0);
  expect(await expire(new AbortController().signal, 1)).toBe(6);
  const left = await sql`select id from audit_logs order by id`;
  expect(left.map(({ id }) => id)).toEqual(kept.toSorted());
  expect(await expire(new AbortController().signal)).toBe(0);
});
