/** The periodic work of a running server while one of its jobs takes long. */
import { afterAll, expect, test } from "bun:test";
import { seedOrganization } from "@test/integration/clicks/fixture";
import { waitUntilBlocked, whileLocked } from "@test/support/servers/lock-waits";
import { createDatabase } from "@test/support/servers/postgres";
import { startTestService } from "@test/support/service";

const database = await createDatabase();
afterAll(() => database.drop());

test("a long check of figures does not hold up other jobs", async () => {
  const { sql } = database;
  await seedOrganization(sql);
  for (const name of ["verify figures", "expired sign-ins", "domain checks"])
    await sql`insert into periodic_jobs (name, due_at) values (${name}, now())`;
  const isDone = async (name: string) => {
    const [row] = await sql`select from periodic_jobs where name = ${name} and due_at > now() and leased_by is null`;
    return row !== undefined;
  };

  // The check of figures reads leads, and nothing else does while the service starts.
  await whileLocked(sql, "lock table leads in access exclusive mode", async () => {
    await startTestService({ env: { DATABASE_URL: database.url } });
    await waitUntilBlocked(sql, 1);
    for (const name of ["expired sign-ins", "domain checks"]) while (!(await isDone(name))) await Bun.sleep(20);
    expect(await isDone("verify figures")).toBe(false);
    return {};
  });
  while (!(await isDone("verify figures"))) await Bun.sleep(20);
});
