/** What `distribute` reports where it can do nothing. The fault run `citus` tests it with Citus. */
import { afterAll, expect, test } from "bun:test";
import { createDatabase } from "@test/support/servers/postgres";
import { distribute } from "@/admin/citus/distribute";
import { createLog } from "@/platform/telemetry/log";

const database = await createDatabase();
afterAll(() => database.drop());

const run = (...values: string[]) => {
  const databaseUrls = { databaseUrl: database.url, directUrl: database.url };
  return distribute({ sql: database.sql, databaseUrls, log: createLog(() => {}) }, values);
};

test.each([
  ["at all", []],
  ["to say what it would do", ["--dry-run"]],
])("a Postgres without Citus is refused in a sentence, when it is asked %s", async (_, values) => {
  expect(await run(...values)).toEqual({
    ok: false,
    message:
      "This Postgres has no Citus. Install its package on this server and on every worker, add citus to " +
      "shared_preload_libraries, and restart them",
  });
});

test.each([
  ["--shards=0", "--shards: expected an integer from 1 to 1024"],
  ["--shards=many", "--shards: expected an integer from 1 to 1024"],
  ["--columnar-after=90", "--columnar-after: expected a number of days like 90d"],
  ["--rows=January", "--rows: expected a month like 2026-01"],
  ["--drop", "Unknown option '--drop'"],
])("%s is refused", async (value, message) => {
  expect(await run(value)).toEqual({ ok: false, message: expect.stringContaining(message) });
});
