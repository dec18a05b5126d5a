/** The periodic work of a running server while one of its jobs takes long. */
import { afterAll, expect, test } from "bun:test";
import { seedOrganization } from "@test/integration/clicks/fixture";
import { waitUntilBlocked, whileLocked } from "@test/support/servers/lock-waits";
import { createDatabase } from "@test/support/servers/postgres";
import { startTestService } from "@test/support/service";

/** Runs these jobs, the first of which waits for the table, in a service of their own until the others are done. */
async function runWhileLocked(table: string, [waiting = "", ...others]: string[]): Promise<void> {
  const database = await createDatabase();
  afterAll(() => database.drop());
  const { sql } = database;
  await seedOrganization(sql);
  for (const name of [waiting, ...others]) await sql`insert into periodic_jobs (name, due_at) values (${name}, now())`;
  const isDone = async (name: string) => {
    const [row] = await sql`select from periodic_jobs where name = ${name} and due_at > now() and leased_by is null`;
    return row !== undefined;
  };
  await whileLocked(sql, `lock table ${table} in access exclusive mode`, async () => {
    await startTestService({ env: { DATABASE_URL: database.url } });
    await waitUntilBlocked(sql, 1);
    for (const name of others) while (!(await isDone(name))) await Bun.sleep(20);
    expect(await isDone(waiting)).toBe(false);
    return {};
  });
  while (!(await isDone(waiting))) await Bun.sleep(20);
}

test("a long check of figures does not hold up other jobs", async () => {
  // The check of figures reads leads, and nothing else does while the service starts.
  await runWhileLocked("leads", ["verify figures", "expired sign-ins", "domain checks"]);
});

test("a long deletion of old clicks does not keep the deliveries that wait for endpoints from being bounded", async () => {
  await runWhileLocked("raw_retention", ["retention", "webhook backlogs"]);
});
