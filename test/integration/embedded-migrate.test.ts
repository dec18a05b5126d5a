import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { ask } from "@test/support/embedded";
import { createDatabase, type TestDatabase } from "@test/support/postgres";
import { migrate } from "@/platform/db/migrate";
import journal from "../../drizzle/migrations/meta/_journal.json";

const MODULE = join(import.meta.dir, "../../src/platform/db/migrate.ts");

let parent: TestDatabase;
let emptiesMade = 0;

beforeAll(async () => {
  parent = await createDatabase();
});

afterAll(() => parent.drop());

describe("migrations", () => {
  test("run once each, however often they are called", async () => {
    const url = await createEmpty();
    await migrate(url);
    await migrate(url);
    expect(await migrationsRun(url)).toBe(journal.entries.length);
  });

  test("run once each when several processes start at once", async () => {
    const url = await createEmpty();
    const script = `await (await import(${JSON.stringify(MODULE)})).migrate(${JSON.stringify(url)})`;
    const command = [process.execPath, "-e", script];
    const servers = [1, 2, 3].map(() => Bun.spawn(command, { stderr: "inherit" }));
    expect(await Promise.all(servers.map(({ exited }) => exited))).toEqual([0, 0, 0]);
    expect(await migrationsRun(url)).toBe(journal.entries.length);
  });

  test("wait for a server that is at it", async () => {
    const url = await createEmpty();
    await Promise.all([migrate(url), migrate(url), migrate(url)]);
    expect(await migrationsRun(url)).toBe(journal.entries.length);
  });

  test("say which database cannot be reached", async () => {
    await expect(migrate("postgres://127.0.0.1:1/none")).rejects.toThrow("127.0.0.1:1");
  });
});

async function createEmpty(): Promise<string> {
  const url = new URL(parent.url);
  const name = `${url.pathname.slice(1)}_empty_${++emptiesMade}`;
  await parent.sql`create database ${parent.sql(name)}`;
  url.pathname = `/${name}`;
  return url.href;
}

function migrationsRun(url: string): Promise<unknown> {
  return ask(url, "select count(*)::int from drizzle.__drizzle_migrations");
}
