/** SQL dumps of YOURLS, from the upload to the ledger and the links. */
import { describe, expect, test } from "bun:test";
import { ledgerOf, runImport, upload, waitForImport } from "@test/support/outside/imports";
import { type DumpValues, yourlsDump } from "@test/support/outside/yourls-dump";
import { startTestService } from "@test/support/service";
import type { ImportOptionsInput } from "@/contract/links/imports";
import type { Link } from "@/contract/links/links";
import type { OrgId } from "@/core/ids";
import { readFile } from "@/modules/imports/job/read-file";
import { findImport, type ImportJob } from "@/modules/imports/store";

const service = await startTestService();
const { sql } = service;
const shared: string = (await sql`select id from domains where org_id is null`)[0]?.id;

const linkAt = (slug: string, clicks: number): DumpValues => [
  ...[slug, `https://acme.com/${slug}`, `Title of ${slug}`, "2019-04-02 11:20:05", "203.0.113.7", clicks],
];
const clickOn = (slug: string, id: number, time: string): DumpValues => [
  ...[
    id,
    time,
    slug,
    "https://t.co/x",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 …",
    "203.0.113.9",
    "DE",
  ],
];

/** Imports a file into a new organization. */
async function imported(text: string | Uint8Array, options: ImportOptionsInput = {}) {
  const account = await service.register();
  const done = await runImport(service, account, {
    ...{ text, name: "yourls.sql" },
    options: { domainMap: { "*": shared }, ...options },
  });
  const rows = await ledgerOf(service, account, done._id);
  const linkOf = async (id: string) =>
    (await service.call<Link>("GET", `/api/v1/organizations/${account.orgId}/links/${id}`, { token: account.token }))
      .body;
  return {
    account,
    done,
    rows,
    links: await Promise.all(rows.flatMap(({ linkId }) => (linkId ? [linkOf(linkId)] : []))),
  };
}

async function jobOf(orgId: string, id: string): Promise<ImportJob> {
  const job = await findImport(service.db, orgId as OrgId, id);
  if (!job) throw new Error("There is no such import");
  return job;
}

/** Reads the records of an import as its job does. */
async function recordsOf(job: ImportJob) {
  const [values, progress, passed]: [unknown[], number[], number[]] = [[], [], []];
  const reading = { goOn: async (share: number) => passed.push(share) > 0 };
  for await (const batch of readFile(service.db, job, 100, reading)) {
    values.push(...batch.records.map((record) => record.values));
    progress.push(batch.progress);
  }
  return { values, progress, passed };
}

const SAMPLE = `INSERT INTO \`yourls_url\` VALUES ('promo','https://acme.com/p','Promo','2019-04-02 11:20:05','203.0.113.7',4211);
INSERT INTO \`yourls_log\` VALUES (1,'2019-04-02 11:21:00','promo','https://t.co/x','Mozilla/5.0 …','203.0.113.9','DE');
`;

test("two lines without anything else are a dump", async () => {
  const { account, done, rows, links } = await imported(SAMPLE);
  expect(done).toMatchObject({ status: "done", source: "yourls", progress: 1, counts: { records: 1, created: 1 } });
  expect(rows).toMatchObject([{ row: 1, address: "/promo", result: "created", clicksBefore: 4211, dropped: [] }]);
  expect(links).toMatchObject([
    { slug: "promo", defaultUrl: "https://acme.com/p", title: "Promo", clicksBefore: 4211 },
  ]);
  expect(links[0]?.createdAt).toBe("2019-04-02T11:20:05.000Z");
  const { values } = await recordsOf(await jobOf(account.orgId, done._id));
  expect(values).toMatchObject([{ keyword: "promo", clicks: "4211", clicksByDay: { "2019-04-02": 1 } }]);
  const again = await runImport(service, account, {
    text: SAMPLE,
    options: { source: "yourls", domainMap: { "*": shared } },
  });
  expect(again.counts).toMatchObject({ records: 1, unchanged: 1 });
});

test("a dump of 150 links, whose visits come first, is read in parts", async () => {
  const names = Array.from({ length: 150 }, (_, index) => `big${index}`);
  const clicks = names.flatMap((name, index) =>
    Array.from({ length: 80 }, (_, visit) =>
      clickOn(name, 80 * index + visit, `2020-0${1 + (visit % 4)}-15 10:${10 + (visit % 50)}:00`),
    ),
  );
  const text = yourlsDump({ links: names.map((name) => linkAt(name, 90)), clicks });
  expect(text.length).toBeGreaterThan(2 ** 20);
  const { account, done, rows } = await imported(text);
  expect(done).toMatchObject({ status: "done", counts: { records: 150, created: 150 } });
  expect(rows.slice(0, 2)).toMatchObject([
    { row: 1, address: "/big0" },
    { row: 2, address: "/big1" },
  ]);
  const job = await jobOf(account.orgId, done._id);
  const { values, progress, passed } = await recordsOf(job);
  expect(values).toHaveLength(150);
  expect(values.at(-1)).toEqual({
    ...{ keyword: "big149", url: "https://acme.com/big149", title: "Title of big149" },
    ...{ timestamp: "2019-04-02 11:20:05", clicks: "90" },
    clicksByDay: { "2020-01-15": 20, "2020-02-15": 20, "2020-03-15": 20, "2020-04-15": 20 },
  });
  expect(progress).toEqual(progress.toSorted((one, other) => one - other));
  expect(progress.at(-1)).toBe(1);
  // The first reading shows progress before there is a record.
  expect(passed.filter((share) => share > 0 && share < 0.1).length).toBeGreaterThan(0);
  const verifying = await recordsOf({ ...job, task: "verify" });
  expect(verifying.values.at(-1)).toMatchObject({ keyword: "big149", clicksByDay: undefined });
}, 240_000);

test("a dry run and a verification read a dump, too", async () => {
  const text = yourlsDump({ links: [linkAt("tried", 1), linkAt("TRIED", 2)], clicks: [] });
  const { account, done, rows } = await imported(text, { dryRun: true });
  expect(done.counts).toEqual({ records: 2, created: 1, collision: 1 });
  expect(rows.map(({ address, linkId }) => [address, linkId])).toEqual([
    ["/tried", undefined],
    ["/TRIED", undefined],
  ]);
  const { _id } = await runImport(service, account, { text, options: { domainMap: { "*": shared } } });
  await service.call("POST", `/api/v1/organizations/${account.orgId}/imports/${_id}/verify`, { token: account.token });
  expect(await waitForImport(service, account, _id)).toMatchObject({
    status: "done",
    counts: { checked: 1, different: 0 },
  });
});

test.each([
  ["latin1", "windows-1252", (text: string) => Buffer.from(text, "latin1")],
  ["utf8mb4", "utf-8", (text: string) => Buffer.from(text)],
  ["utf8mb4, saved by PowerShell", "utf-16le", (text: string) => Buffer.from(`\ufeff${text}`, "utf16le")],
] as const)("a dump in %s is read as such, whatever other tables contain", async (charset, encoding, bytesOf) => {
  // Half characters, which tell nothing of how the dump is encoded.
  const noise = "Ã¶".repeat(50);
  const text = `/*!40101 SET NAMES ${charset.split(",")[0]} */;
INSERT INTO a VALUES ('${noise}');
INSERT INTO yourls_url VALUES ('enc-${encoding}','https://acme.com/','Grüße','2019-04-02 11:20:05','',0);\n`;
  const { links } = await imported(bytesOf(text));
  expect(links).toMatchObject([{ title: "Grüße" }]);
});

test("a dump with more visits than a file may have records is not refused", async () => {
  const visits = "(1),\n".repeat(1_000_010);
  const { done } = await imported(`INSERT INTO a VALUES\n${visits}(1);\n${SAMPLE.replace("promo", "many-visits")}`);
  expect(done).toMatchObject({ status: "done", counts: { records: 1, created: 1 } });
});

describe("a file that cannot be imported is refused at once", () => {
  const detailsOf = async (text: string | Uint8Array, options: ImportOptionsInput = {}) => {
    const { status, body } = await upload(service, await service.register(), { text, name: "yourls.sql", options });
    return [status, ...(body.details ?? [])];
  };
  test.each([
    [
      "a dump of another database",
      "--\n-- PostgreSQL database dump\n--\nSET statement_timeout = 0;\n",
      "it is a dump of PostgreSQL; YOURLS has its links in MySQL or MariaDB",
    ],
    [
      "a dump of other tables",
      "INSERT INTO `yourls_options` VALUES (1,'a','b');",
      "the dump has no table of YOURLS links: export the one whose name ends in url, too",
    ],
    ["a dump that is cut off", SAMPLE.slice(0, 60), "the file ends in the middle of yourls_url: export it again"],
  ])("%s", async (_, text, why) => expect(await detailsOf(text)).toEqual([400, `file: ${why}`]));

  test("a dump that is said to be of another service", async () => {
    const why = "file: an SQL dump can only come from YOURLS: set `source`, or upload CSV or JSON";
    expect(await detailsOf(SAMPLE, { source: "bitly" })).toEqual([400, why]);
  });

  test.each([
    ["gzip", Bun.gzipSync(SAMPLE), "it is compressed with gzip: unpack it and upload what is in it"],
    ["Zstandard", Bun.zstdCompressSync(SAMPLE), "it is compressed with Zstandard: unpack it and upload what is in it"],
    [
      "a ZIP archive",
      Buffer.from("PK\u0003\u0004 and so on"),
      "it is a ZIP archive or a spreadsheet: unpack it and upload what is in it, or save it as CSV",
    ],
  ])("a file in %s", async (_, content, why) => {
    expect(await detailsOf(content)).toEqual([400, `file: ${why}`]);
  });
});

describe("a large file at fault fails before anything is imported", () => {
  const links = Array.from({ length: 4_000 }, (_, index) => linkAt(`whole${index}`, 1));
  const whole = yourlsDump({ links, clicks: [] });
  test.each([
    ["cut off", whole.slice(0, -100), /^The file ends in the middle of yourls_url, after row 3999 of yourls_url/],
    ["without links", whole.replaceAll("yourls_url", "yourls_uri"), /^The dump has no table of YOURLS links/],
    [
      "of two YOURLS",
      `${whole}${whole.replaceAll("yourls_", "other_")}`,
      /two tables of links, yourls_url and other_url/,
    ],
  ])("%s", async (_, text, why) => {
    const { done, rows } = await imported(text);
    expect(done).toMatchObject({ status: "failed", error: expect.stringMatching(why), counts: {} });
    expect(rows).toEqual([]);
  });
});

test("a dump with more than a million links fails before anything is imported", async () => {
  const { orgId } = await service.register();
  const id = Bun.randomUUIDv7();
  const content = Buffer.from(`INSERT INTO url (keyword,url) VALUES ${"('a',1),".repeat(1_000_000)}('b',2);`);
  const file = {
    name: "a",
    bytes: content.length,
    hash: "",
    encoding: "utf-8",
    form: { kind: "sql", source: "yourls" },
  };
  // Done, so that the service does not take it.
  await sql`insert into imports (id, org_id, file, options, actor, status)
    values (${id}, ${orgId}, ${JSON.stringify(file)}, '{}', '{}', 'done')`;
  await sql`insert into import_chunks (org_id, import_id, number, content) values (${orgId}, ${id}, 0, ${content})`;
  expect(await recordsOf(await jobOf(orgId, id)).catch(String)).toContain("The file has more than 1,000,000 records");
});
