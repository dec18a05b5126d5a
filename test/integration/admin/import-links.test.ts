/** The operator's import of links, beside a running service. */
import { afterAll, expect, test } from "bun:test";
import { mkdir, rm, symlink, truncate } from "node:fs/promises";
import { join } from "node:path";
import { operatorParts } from "@test/support/accounts/operator";
import { makeQuickFolder } from "@test/support/servers/quick-folder";
import { startTestService } from "@test/support/service";
import { commands } from "@/admin/commands";
import { openDatabase } from "@/platform/db/client";

const service = await startTestService();
const database = openDatabase(service.databaseUrl, { pool: "tool" });
const folder = await makeQuickFolder();
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});
const account = await service.register();
const path = join(folder, "links.csv");
await Bun.write(path, "Link,Destination URL\nold.ly/op1,https://acme.com/1\nold.ly/op2,mailto:a@acme.com\n");

const run = (...values: string[]) => commands.import?.run(database.db, values, database, operatorParts(service));
const shared = (await service.sql`select hostname from domains where org_id is null`)[0]?.hostname;

test("a dry run creates nothing, and an import writes the outcome of each link beside the file", async () => {
  const options = ["--org", account.orgId, "--domain", `old.ly=${shared}`];
  const dry = await run("bitly", path, ...options, "--dry-run");
  expect(dry).toMatchObject({
    ok: true,
    message: expect.stringContaining("Dry run of bitly: 1 created, 2 records, 1 refused"),
  });
  expect(await service.sql`select from links where org_id = ${account.orgId}`).toHaveLength(0);

  expect(await run("bitly", path, ...options)).toMatchObject({ ok: true });
  const [header, first, second] = (await Bun.file(`${path}.ledger.csv`).text()).split("\r\n");
  expect(header).toStartWith("row,part,address,result,");
  expect(first).toStartWith("1,0,old.ly/op1,created,");
  expect(second).toStartWith("2,0,old.ly/op2,refused,");
  expect((await service.visit("/op1")).headers.get("location")).toBe("https://acme.com/1");
  const [entry] = await service.sql`
    select actor_type from audit_logs where org_id = ${account.orgId} and action = 'import.create' limit 1`;
  expect(entry).toEqual({ actor_type: "system" });
});

test("a single record is told as one", async () => {
  const single = join(folder, "single.csv");
  await Bun.write(single, "Link,Destination URL\nold.ly/single,https://acme.com/1\n");
  const told = await run("bitly", single, "--org", account.orgId, "--domain", `old.ly=${shared}`);
  expect(told).toMatchObject({
    ok: true,
    message: expect.stringContaining("Imported from bitly: 1 created, 1 record\n"),
  });
});

test("the ledger of a later import replaces that of an earlier one, whichever is longer", async () => {
  const own = join(folder, "again.csv");
  const options = ["--org", account.orgId, "--domain", `old.ly=${shared}`];
  const lines = ["Link,Destination URL", ...[1, 2, 3].map((n) => `old.ly/again${n},mailto:a@acme.com`)];
  const ledger = async () => (await Bun.file(`${own}.ledger.csv`).text()).trim().split("\r\n");
  await Bun.write(own, lines.join("\n"));
  await run("bitly", own, ...options);
  expect(await ledger()).toHaveLength(4);
  await Bun.write(own, lines.slice(0, 2).join("\n"));
  await run("bitly", own, ...options);
  expect(await ledger()).toHaveLength(2);
});

test("nothing is imported if the ledger cannot be written", async () => {
  const closed = join(folder, "closed.csv");
  await Bun.write(closed, "Link,Destination URL\nold.ly/closed,https://acme.com/1\n");
  await mkdir(`${closed}.ledger.csv`);
  const refused = await run("bitly", closed, "--org", account.orgId, "--domain", `old.ly=${shared}`);
  expect(refused?.ok).toBe(false);
  expect(refused?.message).toMatch(/^Nothing was imported: \S+closed\.csv\.ledger\.csv cannot be written \(EISDIR\); /);
  expect((await service.visit("/closed")).status).toBe(404);
});

test.each([
  ["neither an archive nor a file of links", ["bitly", path], "Expected: import <archive>"],
  ["an unknown source", ["tinyurl", path, "--org", account.orgId], "There is no source tinyurl"],
  ["an unknown organization", ["bitly", path, "--org", "nowhere"], "There is no organization nowhere"],
  ["a file that is not there", ["bitly", `${path}.not`, "--org", account.orgId], "There is no file"],
  ["an unknown domain", ["bitly", path, "--org", account.orgId, "--domain", "a=b.test"], "There is no domain b.test"],
  ["a file of somebody else", ["dub", path, "--org", account.orgId], "file: "],
])("%s is refused", async (_, values, why) => {
  expect(await run(...values)).toMatchObject({ ok: false, message: expect.stringContaining(why) });
});

test("a file that is too large is refused without reading it", async () => {
  const large = join(folder, "large.csv");
  await Bun.write(large, "Link,Destination URL\n");
  await truncate(large, 2 ** 30);
  const before = process.memoryUsage.rss();
  expect(await run("bitly", large, "--org", account.orgId)).toEqual({
    ok: false,
    message: "The file is larger than 52428800 bytes; split it",
  });
  expect(process.memoryUsage.rss() - before).toBeLessThan(2 ** 28);
});

/** Not even root can read from the beginning of its own memory. */
test.if(process.platform === "linux")("a file that cannot be read is named with the reason", async () => {
  const unreadable = join(folder, "unreadable.csv");
  await symlink("/proc/self/mem", unreadable);
  expect(await run("bitly", unreadable, "--org", account.orgId, "--domain", `old.ly=${shared}`)).toEqual({
    ok: false,
    message: `Nothing was imported: ${unreadable} cannot be read (EIO)`,
  });
});

test("a file that is not an archive is refused as one", async () => {
  expect(await run(path)).toMatchObject({ ok: false, message: expect.stringContaining("Nothing was imported") });
});
