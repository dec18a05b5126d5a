/** The operator's import of an archive into a database that no service has used yet. */
import { afterAll, expect, spyOn, test } from "bun:test";
import { join } from "node:path";
import { archiveOf } from "@test/support/accounts/archives";
import { operatorParts } from "@test/support/accounts/operator";
import { createDatabase, dropPartitions } from "@test/support/servers/postgres";
import { makeQuickFolder } from "@test/support/servers/quick-folder";
import { startTestService } from "@test/support/service";
import { commands } from "@/admin/commands";
import { openDatabase } from "@/platform/db/client";

const here = await startTestService();
const empty = await createDatabase();
await dropPartitions(empty);
const database = openDatabase(empty.url, { pool: "tool" });
afterAll(() => database.close());

test("brings links on the shared domain, which the first service to start then serves", async () => {
  const account = await here.register();
  await here.visit(await here.createLink(account, { slug: "moved", defaultUrl: "https://example.com/" }));
  expect(await here.service.drainClicks()).toBe(true);
  const file = join(await makeQuickFolder(), "archive.tar.gz");
  await Bun.write(file, await archiveOf(here.sql, account.orgId));
  const parts = operatorParts({ databaseUrl: empty.url, url: "http://localhost:1" });
  const output = spyOn(process.stdout, "write");
  const outcome = await commands.import?.run(database.db, [file], database, parts);
  const told = output.mock.calls.map(([text]) => String(text)).join("");
  output.mockRestore();
  expect([outcome?.ok, told]).toEqual([
    true,
    expect.stringMatching(/^Imported \S+: 1 organization, [^\n]*, 1 link, [^\n]*\n$/),
  ]);
  // From the default partition, its clicks would have to be moved once the service starts.
  expect([...(await empty.sql`select tableoid::regclass::text as partition from clicks`)]).toEqual([
    { partition: expect.stringMatching(/^clicks_\d{4}_\d\d$/) },
  ]);
  const there = await startTestService({ env: { DATABASE_URL: empty.url } });
  const { status, headers } = await there.visit("/moved");
  expect([status, headers.get("location")]).toEqual([302, "https://example.com/"]);
});
