/** Services with different databases that use the same data folder in turn. */
import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, utimesSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { createDatabase, type TestDatabase } from "@test/support/servers/postgres";
import { makeQuickFolder } from "@test/support/servers/quick-folder";
import { TcpProxy } from "@test/support/servers/tcp-proxy";
import { startTestService, type TestService } from "@test/support/service";

const SHORT_DOMAIN = "shared.example";
const LEFT_ALONE = "left the clicks of another database alone";
const HOUR_MS = 3_600_000;

const databases: TestDatabase[] = [];
const folders: string[] = [];
afterAll(async () => {
  for (const database of databases) await database.drop();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function newDatabase(): Promise<TestDatabase> {
  const database = await createDatabase();
  databases.push(database);
  return database;
}

async function newFolder(): Promise<string> {
  const folder = await makeQuickFolder();
  folders.push(folder);
  return folder;
}

/** Starts a service that stops when it goes out of scope. */
async function serve(dataDir: string, databaseUrl: string): Promise<TestService & AsyncDisposable> {
  const service = await startTestService({ env: { SHORT_DOMAIN, DATA_DIR: dataDir, DATABASE_URL: databaseUrl } });
  return { ...service, [Symbol.asyncDispose]: () => service.service.stop() };
}

/** Visits a link once a second visit no longer has to ask Postgres for it. */
async function makeLink(service: TestService) {
  const account = await service.register();
  const { _id: id, slug } = await service.createLink(account, { defaultUrl: "https://example.com/" });
  const visit = async () => {
    const { status } = await service.visit(`/${slug}`, {
      host: SHORT_DOMAIN,
      "user-agent": "Mozilla/5.0 Firefox/140.0",
    });
    expect(status).toBe(302);
  };
  return { id, visit };
}

const clicksOn = async ({ sql }: TestDatabase, linkId: string): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from clicks where link_id = ${linkId}`;
  return row?.count ?? 0;
};

const spoolsIn = (dataDir: string) => readdirSync(join(dataDir, "spool")).filter((name) => name.includes("-"));

describe("a data folder that was used with another database", () => {
  test("keeps clicks that wait for that one until a service uses both again", async () => {
    const [first, second, dataDir] = [await newDatabase(), await newDatabase(), await newFolder()];
    const line = await TcpProxy.start(Number(new URL(first.url).port));
    let linkId = "";
    {
      await using service = await serve(dataDir, line.urlThrough(first.url));
      const { id, visit } = await makeLink(service);
      linkId = id;
      await visit();
      await waitUntilDrained(service.service);
      await line.cut();
      await visit();
    }
    {
      await using service = await serve(dataDir, second.url);
      const { id, visit } = await makeLink(service);
      await visit();
      await waitUntilDrained(service.service);
      expect(await clicksOn(second, id)).toBe(1);
      expect(service.logged()).toContain(LEFT_ALONE);
    }
    await using service = await serve(dataDir, first.url);
    while ((await clicksOn(first, linkId)) < 2) await Bun.sleep(20);
    await waitUntilDrained(service.service);
    expect(await clicksOn(first, linkId)).toBe(2);
    expect(readdirSync(join(dataDir, "spool"))).not.toContain("poison");
  });

  test("loses those that are in the other database after an hour, and without a warning", async () => {
    const [first, second, dataDir] = [await newDatabase(), await newDatabase(), await newFolder()];
    {
      await using service = await serve(dataDir, first.url);
      const { visit } = await makeLink(service);
      await visit();
      await waitUntilDrained(service.service);
    }
    const [spool = ""] = spoolsIn(dataDir);
    {
      await using service = await serve(dataDir, second.url);
      expect(service.logged()).not.toContain(LEFT_ALONE);
      expect(spoolsIn(dataDir)).toContain(spool);
    }
    const path = join(dataDir, "spool", spool);
    const before = (Date.now() - HOUR_MS) / 1000 - 1;
    for (const name of readdirSync(path)) utimesSync(join(path, name), before, before);
    await using service = await serve(dataDir, second.url);
    expect(spoolsIn(dataDir)).not.toContain(spool);
    expect(service.logged()).not.toContain(LEFT_ALONE);
  });
});
