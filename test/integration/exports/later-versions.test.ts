/** An archive of a later version has tables, columns and files that this one does not know: whoever imports it learns so. */
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createGunzip, gzipSync } from "node:zlib";
import { archiveOf, importArchive } from "@test/support/accounts/archives";
import { makeFolderOfFile } from "@test/support/servers/folder-of-file";
import { startTestService } from "@test/support/service";
import { TAR_END, type TarFile, tarEntry, tarFiles } from "@/core/archive/tar";
import { openDatabase } from "@/platform/db/client";

const [here, there] = [await startTestService(), await startTestService()];
const database = openDatabase(there.databaseUrl, { pool: "tool" });
afterAll(() => database.close());

/** Imports the archive with some of its files changed, and others added. Returns what the operator reads. */
async function restored(orgId: string, change: (text: string) => string, added: Record<string, string>) {
  const archive = await archiveOf(here.sql, orgId);
  const files: TarFile[] = [];
  for await (const { name, content } of tarFiles(Readable.from([archive]).pipe(createGunzip()))) {
    const isLinks = name.startsWith("tables/links/");
    files.push({ name, content: isLinks ? Buffer.from(change(Buffer.from(content).toString())) : content });
  }
  for (const [name, text] of Object.entries(added)) files.push({ name, content: Buffer.from(text) });
  const file = join(await makeFolderOfFile(), "archive.tar.gz");
  await Bun.write(file, gzipSync(Buffer.concat([...files.map((one) => tarEntry(one, 0)), TAR_END])));
  const { ok, message } = await importArchive(database, file);
  expect(ok).toBe(true);
  return message.split("\n").filter((line) => line.includes("does not know"));
}

test("all that is unknown is named", async () => {
  const account = await here.register();
  await here.createLink(account, { slug: "later", defaultUrl: "https://example.com/" });
  const coloured = (text: string) => text.replaceAll('{"id":', '{"colour": "red", "id":');
  const said = await restored(account.orgId, coloured, {
    "tables/gadgets/000001.jsonl": "{}\n{}\n",
    "tables/gadgets/000002.jsonl": "{}\n",
    "pictures/one.png": "PNG",
  });
  expect(said).toEqual([
    "Not imported, because this version does not know it: table gadgets with 3 rows, column colour of links, file " +
      "pictures/one.png. If a later version has written the archive, update this server, delete the organization here, " +
      "and import it again.",
  ]);
  expect((await there.visit("/later")).status).toBe(302);
});

test("nothing is said of an archive of this version, also with the links that people read", async () => {
  const account = await here.register();
  await here.createLink(account, { slug: "same", defaultUrl: "https://example.com/" });
  expect(await restored(account.orgId, (text) => text, { "links/000001.jsonl": "{}\n" })).toEqual([]);
});
