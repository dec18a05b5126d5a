/** A server of an older version on a database that a newer one has migrated. */
import { expect, test } from "bun:test";
import { createDatabase } from "@test/support/servers/postgres";
import { startTestService } from "@test/support/service";

const NEWER = "a newer version of Waymark has changed the database's schema";

test("a start warns that the schema is a newer version's, and serves nevertheless", async () => {
  const { url: DATABASE_URL, sql } = await createDatabase();
  const before = await startTestService({ env: { DATABASE_URL } });
  expect(before.logged()).not.toContain(NEWER);
  await sql`insert into drizzle.__drizzle_migrations (hash, created_at)
    select 'of a newer version', max(created_at) + 1 from drizzle.__drizzle_migrations`;
  const after = await startTestService({ env: { DATABASE_URL } });
  expect(after.logged()).toContain(NEWER);
  const account = await after.register();
  const link = await after.createLink(account, { slug: "hello", defaultUrl: "https://acme.com/" });
  expect((await after.visit(link)).headers.get("location")).toBe("https://acme.com/");
});
