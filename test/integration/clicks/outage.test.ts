import { afterEach, beforeEach, expect, test } from "bun:test";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { makeMigratedDataFolder } from "@test/support/servers/embedded";
import { takePort } from "@test/support/servers/test-port";
import type { Sql } from "postgres";
import { type Database, openDatabase } from "@/platform/db/client";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@/platform/db/embedded/embedded";
import {
  allAre,
  clickOn,
  type LoggedPipeline,
  type SeededLink,
  seedLink,
  seedOrganization,
  startPipeline,
  sumsOf,
} from "./fixture";

let folder: Awaited<ReturnType<typeof makeMigratedDataFolder>>;
let port: number;
let server: EmbeddedPostgres;
let pipeline: LoggedPipeline | undefined;

const startServer = () =>
  startEmbeddedPostgres(folder.path, () => undefined, { settings: { port: String(port), fsync: "off" } });

beforeEach(async () => {
  folder = await makeMigratedDataFolder();
  port = await takePort();
  server = await startServer();
});
afterEach(async () => {
  await pipeline?.close();
  pipeline = undefined;
  await server.stop();
  await folder.remove();
});

/** Opens its own connection, because Postgres stops and starts during the tests. */
async function query<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
  const database: Database = openDatabase(server.url, { pool: "tool" });
  return work(database.sql).finally(() => database.close());
}

function seed(): Promise<SeededLink> {
  return query(async (sql) => seedLink(sql, await seedOrganization(sql)));
}

test("clicks are accepted while Postgres is stopped and applied once it is back", async () => {
  const link = await seed();
  pipeline = startPipeline(folder.path, server.url);
  const append = (count: number) => Promise.all(Array.from({ length: count }, () => pipeline?.append(clickOn(link))));
  expect(await append(10)).not.toContain(false);
  await waitUntilDrained(pipeline);

  await server.stop();
  expect(await append(20)).not.toContain(false);
  expect(await pipeline.drain(300)).toBe(false);
  expect(pipeline.stats()).toMatchObject({ appended: 30, applied: 10 });
  expect(pipeline.stats().pendingBytes).toBeGreaterThan(0);
  while (!pipeline.logged().includes("could not apply clicks; will retry")) await Bun.sleep(5);

  server = await startServer();
  await waitUntilDrained(pipeline);
  expect(await query(sumsOf)).toEqual(allAre(30));
  expect(pipeline.stats()).toMatchObject({ applied: 30, pendingBytes: 0, lagMs: 0 });
});

test("a pipeline starts and closes without Postgres and loses no clicks", async () => {
  const link = await seed();
  await server.stop();
  pipeline = startPipeline(folder.path, server.url);
  expect(await pipeline.append(clickOn(link))).toBe(true);
  await pipeline.close();
  server = await startServer();
  pipeline = startPipeline(folder.path, server.url);
  expect(await pipeline.append(clickOn(link))).toBe(true);
  await waitUntilDrained(pipeline);
  expect(await query(sumsOf)).toEqual(allAre(2));
});
