/** Links of other services, from the upload of their file to the redirect. */
import { describe, expect, test } from "bun:test";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { PIXEL } from "@test/support/forms";
import { ledgerOf, runImport, upload, waitForImport } from "@test/support/outside/imports";
import { sendRaw } from "@test/support/raw-http/raw-http";
import { startTestService } from "@test/support/service";
import type { OverviewAnswer } from "@/contract/analytics/overview";
import type { Link } from "@/contract/links/links";
import { verifyFigures } from "@/figures/verify/verify";

const service = await startTestService();
const account = await service.register();
const shared: string = (await service.sql`select id from domains where org_id is null`)[0]?.id;

const get = async <Body>(path: string, token = account.token) =>
  (await service.call<Body>("GET", `/api/v1/organizations/${account.orgId}${path}`, { token })).body;
const linkOf = (id: string | undefined) => get<Link>(`/links/${id}`);

const ROLLED_BACK_AGAIN = "drizzle/migrations/0053_rolled_back_again.sql";
const CRLF = Buffer.from("\r\n");
const TOO_MANY = "The file has more than 1,000,000 records; split it";
const LINES = 1_000_010;
const MOST = 1_000_000;
const utf16 = (text: string): Buffer => Buffer.from(text, "utf16le");

const BITLY = `Link;Custom Link;Title;Destination URL;Tags;Created;Total Clicks
acme.ly/3xYzAbC;acme.ly/promo-b;Promo für alle;https://acme.com/p;"spring,mail";2024-05-02 08:11:00;4211
acme.ly/3xyzabc;;No title;https://acme.com/x;;2023-01-09 10:00:00;12
acme.ly/none;;No title;mailto:a@acme.com;;2023-01-09 10:00:00;12
other.ly/x;;No title;https://acme.com/x;;2023-01-09 10:00:00;12
`;

describe("a Bitly file with semicolons, in CP-1252", () => {
  const text = Uint8Array.from(BITLY, (character) => character.charCodeAt(0));
  const options = () => ({ domainMap: { "acme.ly": shared } });

  test("a dry run counts the outcomes and creates nothing", async () => {
    const dry = await runImport(service, account, { text, options: { ...options(), dryRun: true } });
    expect(dry).toMatchObject({
      status: "done",
      source: "bitly",
      counts: { records: 4, created: 2, collision: 1, refused: 2 },
    });
    expect((await get<{ total: number }>("/links")).total).toBe(0);
  });

  test("creates each link once, and the ledger has the outcome of every record", async () => {
    const done = await runImport(service, account, { text, options: options() });
    expect(done).toMatchObject({
      status: "done",
      progress: 1,
      counts: { records: 4, created: 2, collision: 1, refused: 2 },
    });
    const rows = await ledgerOf(service, account, done._id);
    expect(rows.map(({ row, part, address, result }) => [row, part, address, result])).toEqual([
      [1, 0, "acme.ly/3xYzAbC", "created"],
      [1, 1, "acme.ly/promo-b", "created"],
      [2, 0, "acme.ly/3xyzabc", "collision"],
      [3, 0, "acme.ly/none", "refused"],
      [4, 0, "other.ly/x", "refused"],
    ]);
    expect(rows[0]).toMatchObject({ clicksBefore: 4211, dropped: [] });
    expect(rows[3]?.why).toContain("defaultUrl");
    expect(rows[4]?.why).toBe("no domain for other.ly: name one in domainMap, or verify it as a domain");
    expect(await linkOf(rows[1]?.linkId)).toMatchObject({
      ...{ slug: "promo-b", title: "Promo für alle", tags: ["spring", "mail"], createdAt: "2024-05-02T08:11:00.000Z" },
      importedFrom: { source: "bitly", id: "acme.ly/promo-b" },
    });
    const visit = await service.visit("/promo-b");
    expect([visit.status, visit.headers.get("location")]).toEqual([302, "https://acme.com/p"]);

    const again = await runImport(service, account, { text, options: options() });
    expect(again.counts).toMatchObject({ unchanged: 2, collision: 1, refused: 2 });
    expect((await get<{ total: number }>("/links")).total).toBe(2);
  });

  test("writes a revision for each link and one audit entry for each job, but none for the links", async () => {
    const [counted] = await service.sql`
      select count(distinct l.id)::int as links, count(r.id)::int as revisions from links l left join link_revisions r on r.link_id = l.id`;
    expect(counted).toEqual({ links: 2, revisions: 2 });
    const { auditLogs } = await get<{ auditLogs: { action: string }[] }>("/audit-logs?resourceType=import");
    expect(auditLogs.map(({ action }) => action)).toEqual(["import.create", "import.create", "import.create"]);
    expect((await get<{ total: number }>("/audit-logs?resourceType=link")).total).toBe(0);
  });
});

test.each([
  ["sends webhooks nothing", undefined, 0],
  ["with notify sends webhooks link.created for each link", true, 2],
])("an import %s", async (_, notify, count) => {
  const importer = await service.register();
  const { token, orgId } = importer;
  const body = { url: "https://hooks.example.com/", events: ["link.created"] };
  expect((await service.call("POST", `/api/v1/organizations/${orgId}/webhooks`, { token, body })).status).toBe(200);
  const text = `slug,url\ntold-${count}-a,https://acme.com/\ntold-${count}-b,https://acme.com/\n`;
  const { counts } = await runImport(service, importer, { text, options: { domainMap: { "*": shared }, notify } });
  expect(counts).toEqual({ records: 2, created: 2 });
  const [sent] = await service.sql`
    select coalesce(sum(messages), 0)::int as messages, count(*) filter (where body like '%told-%')::int > 0 as "nameThem"
    from webhook_deliveries where org_id = ${orgId}`;
  expect(sent).toEqual({ messages: count, nameThem: count > 0 });
});

test.each([
  ["little", "unicode-le"],
  ["big", "unicode-be"],
])("UTF-16 is read in %s-endian order", async (order, slug) => {
  const bytes = Buffer.from(`\ufeffslug\turl\ttitle\r\n${slug}\thttps://acme.com/\tGrüße\r\n`, "utf16le");
  const text = order === "big" ? bytes.swap16() : bytes;
  const { _id } = await runImport(service, account, { text, options: { domainMap: { "*": shared } } });
  const [row] = await ledgerOf(service, account, _id);
  expect(await linkOf(row?.linkId)).toMatchObject({ slug, title: "Grüße" });
});

test("onConflict skips a record whose slug is taken, gives it a suffix, or replaces the link", async () => {
  const before = await service.createLink(account, {
    slug: "Busy",
    defaultUrl: "https://acme.com/before",
    title: "Before",
  });
  const text = "slug,url,title\nbusy,https://acme.com/after,After\n";
  const of = async (onConflict: "skip" | "suffix" | "replace", body = text) => {
    const done = await runImport(service, account, { text: body, options: { domainMap: { "*": shared }, onConflict } });
    return ledgerOf(service, account, done._id);
  };
  expect(await of("skip")).toMatchObject([{ result: "skipped", linkId: before._id }]);
  const [suffixed] = await of("suffix");
  expect(suffixed).toMatchObject({ result: "suffixed", why: "the slug is busy-2: busy is already used" });
  expect(await linkOf(suffixed?.linkId)).toMatchObject({ slug: "busy-2", title: "After" });
  const other = text.replace("busy", "BUSY");
  expect(await of("replace", other)).toMatchObject([{ result: "replaced", linkId: before._id }]);
  expect(await linkOf(before._id)).toMatchObject({
    slug: "Busy",
    title: "After",
    defaultUrl: "https://acme.com/after",
  });
  expect((await service.visit("/busy")).headers.get("location")).toBe("https://acme.com/after");
});

test("refuses only the records whose external id is in use, both for new and for replaced links", async () => {
  const { token } = account;
  const made = (slug: string, externalId?: string) =>
    service.createLink(account, { slug, externalId, defaultUrl: "https://acme.com/before" });
  const holder = await made("ext-holder", "crm-1");
  const [one, two, three] = [await made("ext-one"), await made("ext-two"), await made("ext-three")];
  const text = `slug,url,externalId
ext-one,https://acme.com/1,crm-1
ext-two,https://acme.com/2,crm-2
ext-three,https://acme.com/2,crm-2
ext-new,https://acme.com/4,crm-1
ext-last,https://acme.com/5,crm-3
`;
  const options = { source: "csv" as const, domainMap: { "*": shared }, onConflict: "replace" as const };
  const counts = { records: 5, created: 1, replaced: 1, refused: 3 };
  const dry = await runImport(service, account, { text, options: { ...options, dryRun: true } });
  expect(dry).toMatchObject({ status: "done", counts });
  const done = await runImport(service, account, { text, options });
  expect(done).toMatchObject({ status: "done", counts });
  const why = "Another link has this external id; externalId: already in use";
  const outcomesOf = async (id: string) =>
    (await ledgerOf(service, account, id)).map(({ address, result, why: reason }) => [address, result, reason]);
  expect(await outcomesOf(dry._id)).toEqual(await outcomesOf(done._id));
  expect(await ledgerOf(service, account, done._id)).toMatchObject([
    { address: "/ext-one", result: "refused", why },
    { address: "/ext-two", result: "replaced", linkId: two._id },
    { address: "/ext-three", result: "refused", why },
    { address: "/ext-new", result: "refused", why },
    { address: "/ext-last", result: "created" },
  ]);
  expect(await linkOf(holder._id)).toMatchObject({ externalId: "crm-1" });
  expect(await linkOf(two._id)).toMatchObject({ externalId: "crm-2", defaultUrl: "https://acme.com/2" });
  for (const { _id } of [one, three])
    expect(await linkOf(_id)).toMatchObject({ defaultUrl: "https://acme.com/before" });
  const path = `/api/v1/organizations/${account.orgId}/links/${one._id}/revisions`;
  const { body } = await service.call<{ total: number }>("GET", path, { token });
  expect(body.total).toBe(1);
});

test("a Firebase import creates one app profile per app, rules by platform, and paths of several segments", async () => {
  const header =
    "Short link,Deep link (link),Android package name (apn),iOS bundle ID (ibi),iOS app store ID (isi),iOS fallback link (ifl),Archived?";
  const rows = ["a1", "a2", "deep/er/a3"].map(
    (path) =>
      `https://go.acme.com/${path},https://acme.com/${path},com.acme.app,com.acme.ios,123456789,https://acme.com/no-app,true`,
  );
  const done = await runImport(service, account, {
    text: [header, ...rows].join("\n"),
    options: { domainMap: { "go.acme.com": shared } },
  });
  expect(done).toMatchObject({ source: "firebase", counts: { created: 3 } });
  const { apps } = await get<{ apps: { _id: string; name: string }[] }>("/apps");
  expect(apps).toMatchObject([{ name: "com.acme.ios (imported)" }]);
  const [, , deep] = await ledgerOf(service, account, done._id);
  expect(await linkOf(deep?.linkId)).toMatchObject({
    ...{ slug: "a3", pathPrefix: "deep/er", appProfileId: apps[0]?._id, isArchived: true },
    rules: [{ destinationUrl: "https://acme.com/no-app", conditions: { platform: ["ios"] } }],
  });
});

test("an import refuses each record beyond the plan's limit of links", async () => {
  const small = await service.register();
  await service.sql`update organizations set plan = 'free' where id = ${small.orgId}`;
  const text = `slug,url\n${Array.from({ length: 1_003 }, (_, index) => `q${index},https://acme.com/${index}`).join("\n")}\n`;
  const { body: job } = await upload(service, small, { text, options: { domainMap: { "*": shared } } });
  // Polling the API would exceed the few requests per minute of a free plan.
  const underWay = () => service.sql`select from imports where id = ${job._id} and status in ('queued', 'running')`;
  while ((await underWay()).length > 0) await Bun.sleep(20);
  const done = await waitForImport(service, small, job._id);
  expect(done.counts).toMatchObject({ created: 1_000, refused: 3 });
  const refused = await ledgerOf(service, small, done._id, "&result=refused");
  expect(refused[0]?.why).toContain("The plan free allows 1,000 links");
});

describe("validation of an import", () => {
  test.each([
    ["an empty file", { text: "" }, "file: must not be empty"],
    [
      "a file that fits two",
      { text: "Short link,Link,Destination URL\n" },
      "file: it matches both Dub and Bitly: set `source`",
    ],
    ["options that are no JSON", { text: "slug,url\n", options: "{" }, expect.stringContaining("options: ")],
    [
      "an unknown source",
      { text: "slug,url\n", options: '{"source":"tinyurl"}' },
      expect.stringContaining("options.source: expected one of"),
    ],
    [
      "a header with NUL characters",
      { text: "slug\0,url\nnul,https://acme.com/\n" },
      "file: its header has NUL characters; save it as UTF-8",
    ],
    [
      "a header of tens of thousands of columns, all of which would have to be compared with every source",
      { text: `slug,url${",a".repeat(60_000)}\n`, options: { mapping: { slug: "slug", a: null } } },
      "file: its header has more than 1,000 columns; delete those that you do not need",
    ],
    ["JSON of nobody", { text: '[{"a":1}]' }, "file: its objects match no known source"],
  ])("%s is refused with 400", async (_, file, detail) => {
    const { status, body } = await upload(service, account, file);
    expect([status, body.details]).toEqual([400, [detail]]);
  });

  test("an unknown domain returns 404, and nothing of the file is stored", async () => {
    const options = { domainMap: { "*": crypto.randomUUID() } };
    const { status, body } = await upload(service, account, { text: "slug,url\n", options });
    expect([status, body.details]).toEqual([404, ["options.domainMap.*: there is no domain with this _id"]]);
    const [counted] =
      await service.sql`select count(*)::int as orphans from import_chunks where import_id not in (select id from imports)`;
    expect(counted).toEqual({ orphans: 0 });
  });

  test.each([
    ["CSV", "slug,url\n", "a,https://a.co\n"],
    ["CSV whose cells have line breaks", "slug,url,note\n", 'a,https://a.co,"\n""\n"\n'],
    ["CSV with the line endings of old Macs", "slug,url\r", "a,https://a.co\r"],
    ["JSON with an object on each line", "", '{"slug":"a","url":"https://a.co"}\r\n'],
  ])("%s with too many records returns 413, even if the upload arrives in one piece", async (_, head, record) => {
    const text = head + record.repeat(1_000_010);
    const refused = await upload(service, account, { text, options: { source: "csv", domainMap: { "*": shared } } });
    expect([refused.status, refused.body]).toEqual([413, expect.objectContaining({ error: TOO_MANY })]);
  });

  const LINE = '{"slug":"a"}';
  const [CSV, JSON_LINES] = [`slug,url${"\na,b".repeat(MOST)}`, Array.from({ length: MOST }, () => LINE).join("\n")];

  test.each([
    ["CSV", CSV, "\na,b"],
    ["CSV that names its separator", `sep=,\n${CSV}`, "\na,b"],
    ["CSV that ends with a line break", `${CSV}\n`, "a,b\n"],
    ["CSV in UTF-16", utf16(`\ufeff${CSV}`), utf16("\na,b")],
    ["JSON with an object on each line", JSON_LINES, `\n${LINE}`],
  ])("%s with a million records is accepted, and refused with 413 with one more", async (_, file, record) => {
    const options = { source: "csv", domainMap: { "*": shared } } as const;
    const text = Buffer.from(file);
    const accepted = await upload(service, account, { text, options });
    expect(accepted.status).toBe(202);
    const cancel = `/api/v1/organizations/${account.orgId}/imports/${accepted.body._id}/cancel`;
    await service.call("POST", cancel, { token: account.token });
    const refused = await upload(service, account, { text: Buffer.concat([text, Buffer.from(record)]), options });
    expect([refused.status, refused.body]).toEqual([413, expect.objectContaining({ error: TOO_MANY })]);
  });

  test.each([
    [
      "JSON",
      `[{"domain":"go.acme.com","key":"lines","url":"https://acme.com/"${"\n".repeat(LINES)}},\n{\n"domain":"go.acme.com","key":"b","url":"no URL"}]`,
      "dub",
    ],
    [
      "a quoted cell",
      `slug,url,other\nlines-a,https://acme.com/,"${"\n".repeat(LINES)}"\nlines-b,no URL,5" nail\n`,
      "csv",
    ],
    ["blank lines", `slug,url\nlines-c,https://acme.com/\n${"\r\n".repeat(LINES)}lines-d,no URL\n`, "csv"],
    [
      "lines of an empty quoted cell",
      `slug,url\nlines-e,https://acme.com/\n${'""\r\n ""\n'.repeat(LINES / 2)}lines-f,no URL\n`,
      "csv",
    ],
  ] as const)("more than a million line breaks in %s do not count as records", async (_, text, source) => {
    const options = { source, domainMap: { "*": shared } };
    const done = await runImport(service, account, { text, options });
    expect(done).toMatchObject({ status: "done", counts: { records: 2, created: 1, refused: 1 } });
  });

  test.each([
    ["with its length", true],
    ["in chunks", false],
  ])("a file over 50 MB returns 413, which the client gets after sending everything, %s", async (_, hasLength) => {
    const path = `/api/v1/organizations/${account.orgId}/imports`;
    const head = '--part\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nslug,url\r\n';
    const part = Buffer.alloc(1 << 20, "a");
    const body = [Buffer.from(head), ...Array.from({ length: 55 }, () => part), Buffer.from("\r\n--part--\r\n")];
    const length = body.reduce((sum, { length }) => sum + length, 0);
    const inChunks = body.flatMap((each) => [Buffer.from(`${each.length.toString(16)}\r\n`), each, CRLF]);
    const lines = [
      ...[`POST ${path} HTTP/1.1`, `Host: ${service.host}`, `Authorization: Bearer ${account.token}`],
      ...["Content-Type: multipart/form-data; boundary=part", "Connection: close"],
      hasLength ? `Content-Length: ${length}` : "Transfer-Encoding: chunked",
    ];
    const sent = hasLength ? body : [...inChunks, Buffer.from("0\r\n\r\n")];
    const request = Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), ...sent]);
    const reply = await sendRaw(service.service.port, request, 60_000);
    expect(reply.status).toBe(413);
  });

  test("JSON with too many records fails with an error that says so", async () => {
    const text = `[${"0,".repeat(1_000_000)}0]`;
    const done = await runImport(service, account, { text, name: "links.json", options: { source: "dub" } });
    expect(done).toMatchObject({ status: "failed", error: TOO_MANY });
  });

  test("a body that is not a form returns 415", async () => {
    const path = `/api/v1/organizations/${account.orgId}/imports`;
    const asText = { body: "slug,url", headers: { "content-type": "text/csv" } };
    expect((await service.call("POST", path, { token: account.token, ...asText })).status).toBe(415);
  });

  test("a compressed form is 415", async () => {
    const path = `/api/v1/organizations/${account.orgId}/imports`;
    const headers = { "content-type": "multipart/form-data; boundary=part", "content-encoding": "gzip" };
    const reply = await service.call("POST", path, { token: account.token, body: "not a form", headers });
    expect(reply).toMatchObject({ status: 415, body: { error: expect.stringContaining("compressed") } });
  });

  test("a domain named by its host is 404, and the answer says by what it is named", async () => {
    const options = { domainMap: { "*": service.host } };
    const { status, body } = await upload(service, account, { text: "slug,url\n", options });
    expect([status, body.details]).toEqual([404, ["options.domainMap.*: there is no domain with this _id"]]);
  });

  test("a file that ends inside a quoted cell fails with an error that says so", async () => {
    const done = await runImport(service, account, {
      text: 'slug,url\nb1,https://acme.com/1\nb2,"https://acme.com',
      options: { domainMap: { "*": shared } },
    });
    expect(done).toMatchObject({ status: "failed", error: expect.stringMatching(/quote/) });
  });
});

test("the source of a large JSON Lines file is recognized by its beginning", async () => {
  const notes = "x".repeat(200);
  const lines = Array.from({ length: 3_000 }, (_, n) =>
    JSON.stringify({ ...{ id: `link_${n}`, domain: "go.acme.com", key: `line${n}`, url: "https://acme.com/" }, notes }),
  );
  const options = { domainMap: { "*": shared }, dryRun: true };
  const done = await runImport(service, account, { text: lines.join("\n"), name: "links.jsonl", options });
  expect(done).toMatchObject({ status: "done", source: "dub", counts: { records: 3_000, created: 3_000 } });
});

test.each(["jsonl", "csv"])(
  "a link of our own file in %s whose payload has a number that would be rounded is refused, and the others are imported",
  async (form) => {
    const slugOf = (index: number) => `number-${form}-${index}`;
    const payloads = [
      '{"id":9007199254740992}',
      '{"id":9007199254740993}',
      '{"most":[1e400]}',
      '{"id":"9007199254740993"}',
    ];
    const lines = payloads.map((payload, index) =>
      form === "csv"
        ? `${index},a.test,${slugOf(index)},https://acme.com/,"${payload.replaceAll('"', '""')}"`
        : `{"_id":"${index}","domain":"a.test","slug":"${slugOf(index)}","defaultUrl":"https://acme.com/","ignored":12345678901234567890,"deepLinkPayload":${payload}}`,
    );
    const head = form === "csv" ? "_id,domain,slug,defaultUrl,deepLinkPayload\n" : "";
    const options = { domainMap: { "*": shared } };
    const file = { text: `${head}${lines.join("\n")}\n`, name: `links.${form}`, options };
    const done = await runImport(service, account, file);
    const rows = await ledgerOf(service, account, done._id);
    expect([done.status, rows.map(({ result, why }) => [result, why])]).toEqual([
      "done",
      [
        ["created", undefined],
        ["refused", expect.stringMatching(/^deepLinkPayload\.id: .*send it as text$/)],
        ["refused", expect.stringMatching(/^deepLinkPayload\.most\[0\]: .*send it as text$/)],
        ["created", undefined],
      ],
    ]);
  },
);

test("a link whose payload is too large or too deep is refused, and the others are imported", async () => {
  const ones = "1,".repeat(1_000_000);
  const payloads = ['{"screen":"offer"}', `{"a":[${ones}1]}`, `{"a":${"[".repeat(60)}${"]".repeat(60)}}`];
  const lines = payloads.map(
    (payload, index) =>
      `{"_id":"${index}","domain":"a.test","slug":"payload-${index}","defaultUrl":"https://acme.com/","deepLinkPayload":${payload}}`,
  );
  const options = { domainMap: { "*": shared } };
  const done = await runImport(service, account, { text: `${lines.join("\n")}\n`, name: "links.jsonl", options });
  const rows = await ledgerOf(service, account, done._id);
  expect([done.status, rows.map(({ result, why }) => [result, why?.split(/[:.[]/)[0]])]).toEqual([
    "done",
    [
      ["created", undefined],
      ["refused", "deepLinkPayload"],
      ["refused", "deepLinkPayload"],
    ],
  ]);
});

describe("text that cannot be stored is refused alone, or left out", () => {
  const ok = { slug: "fit", url: "https://acme.com/fit" };
  const rule = { longUrl: "https://acme.com/", conditions: [{ type: "x\0", matchValue: "\ud800" }] };
  test.each([
    [
      "in an address",
      "links.csv",
      "slug,url\na\0b,https://acme.com/1\nfit-1,https://acme.com/fit\n",
      ["refused", "created"],
    ],
    [
      "in a host",
      "links.csv",
      "domain,slug,url\na\0b.test,fit-2,https://acme.com/1\n,fit-3,https://acme.com/\n",
      ["refused", "created"],
    ],
    ["in a slug of JSON", "links.json", JSON.stringify([{ ...ok, slug: "a\ud800b" }, ok]), ["refused", "created"]],
    ["in a country", "links.json", JSON.stringify([{ ...ok, slug: "fit-4", geo: { "\0": ok.url } }]), ["created"]],
    [
      "in a rule",
      "links.json",
      JSON.stringify([{ shortCode: "fit-5", longUrl: ok.url, redirectRules: [rule] }]),
      ["created"],
    ],
    [
      "in an app",
      "links.csv",
      "Short link,link,apn,ibi\nhttps://a.test/fit-6,https://acme.com/,com.a\0b,\n",
      ["created"],
    ],
  ])("%s", async (_, name, text, results) => {
    const done = await runImport(service, account, { text, name, options: { domainMap: { "*": shared } } });
    const rows = await ledgerOf(service, account, done._id);
    expect([done.status, ...rows.map(({ result }) => result)].join()).toBe(["done", ...results].join());
    expect(JSON.stringify(rows)).not.toMatch(/\\u0000|\\ud800/);
    await service.call("POST", `/api/v1/organizations/${account.orgId}/imports/${done._id}/verify`, {
      token: account.token,
    });
    expect((await waitForImport(service, account, done._id)).status).toBe("done");
  });
});

test("the lease is renewed during a slow batch, such as one with many passwords", async () => {
  // A whole batch, which takes any machine far longer than the pause between two renewals.
  const rows = Array.from({ length: 1_000 }, (_, index) => `https://old.ly/locked${index},https://acme.com/,sesame`);
  const text = ["Short link,Destination URL,password", ...rows].join("\n");
  const options = { source: "csv" as const, domainMap: { "*": shared } };
  const { body } = await upload(service, account, { text, options });
  const leases = new Set<string>();
  while (leases.size < 3) {
    const [row] = await service.sql`
      select cursor, status, leased_until::text as until from imports where id = ${body._id}`;
    expect(row).toMatchObject({ cursor: 0, status: expect.stringMatching(/^(queued|running)$/) });
    if (row?.until) leases.add(row.until);
    await Bun.sleep(5);
  }
  const path = `/api/v1/organizations/${account.orgId}/imports/${body._id}/cancel`;
  expect((await service.call("POST", path, { token: account.token })).status).toBe(200);
});

test("the progress of a small file is that of its records", async () => {
  const records = 8_000;
  const lines = Array.from({ length: records }, (_, index) => `small${index},https://acme.com/${index}`);
  const options = { domainMap: { "*": shared }, dryRun: true };
  const { body } = await upload(service, account, { text: `slug,url\n${lines.join("\n")}\n`, options });
  let seen = { cursor: 0, progress: 0 };
  while (seen.cursor === 0) {
    [seen = seen] = await service.sql<(typeof seen)[]>`select cursor, progress from imports where id = ${body._id}`;
    await Bun.sleep(10);
  }
  expect(seen.progress).toBeCloseTo(seen.cursor / records, 2);
  await service.call("POST", `/api/v1/organizations/${account.orgId}/imports/${body._id}/cancel`, {
    token: account.token,
  });
});

test("the ledger can be exported as CSV", async () => {
  const done = await runImport(service, account, {
    text: "slug,url\nc1,https://acme.com/1\n",
    options: { domainMap: { "*": shared } },
  });
  const csv = await service.call<string>(
    "GET",
    `/api/v1/organizations/${account.orgId}/imports/${done._id}/ledger.csv`,
    { token: account.token },
  );
  const [header, row] = String(csv.body).split("\r\n");
  expect(header).toBe("row,part,address,result,linkId,why,dropped,clicksBefore,differences,asked");
  expect(row).toStartWith("1,0,/c1,created,");
});

test("a rollback removes created links unless they were changed; a forced one removes these too", async () => {
  const text = "slug,url\nr1,https://acme.com/1\nr2,https://acme.com/2\nold,https://acme.com/3\n";
  const options = { domainMap: { "*": shared } };
  await runImport(service, account, { text: "slug,url\nold,https://acme.com/3\n", options });
  const done = await runImport(service, account, { text, options });
  const [first, second] = await ledgerOf(service, account, done._id);
  expect((await service.visit("/r1")).status).toBe(302);
  const { token } = account;
  const path = `/api/v1/organizations/${account.orgId}`;
  await service.call("PATCH", `${path}/links/${second?.linkId}`, { token, body: { title: "Ours now" } });

  const back = await service.call("POST", `${path}/imports/${done._id}/rollback`, { token });
  expect(back.status).toBe(202);
  expect(await waitForImport(service, account, done._id)).toMatchObject({
    task: "rollback",
    status: "done",
    counts: { removed: 1, kept: 1 },
  });
  expect((await ledgerOf(service, account, done._id)).map(({ result, why }) => [result, why])).toEqual([
    ["removed", undefined],
    ["kept", "it has been changed since"],
    ["unchanged", "it was imported before"],
  ]);
  expect([(await service.visit("/r1")).status, (await service.visit("/r2")).status]).toEqual([404, 302]);
  expect((await service.call("POST", `${path}/imports/${done._id}/rollback`, { token })).status).toBe(409);
  expect(first?.result).toBe("created");

  const forced = await service.call("POST", `${path}/imports/${done._id}/rollback`, { token, body: { force: true } });
  expect(forced.status).toBe(202);
  expect(await waitForImport(service, account, done._id)).toMatchObject({
    task: "rollback",
    status: "done",
    counts: { removed: 2, kept: 0 },
  });
  expect((await ledgerOf(service, account, done._id)).map(({ result, why }) => [result, why])).toEqual([
    ["removed", undefined],
    ["removed", undefined],
    ["unchanged", "it was imported before"],
  ]);
  expect((await service.visit("/r2")).status).toBe(404);
  const again = await runImport(service, account, { text, options: { domainMap: { "*": shared } } });
  expect(again.counts).toMatchObject({ created: 2, unchanged: 1 });
});

test("a forced rollback after an ordinary one still keeps the links that the import replaced", async () => {
  const before = await service.createLink(account, { slug: "stays", defaultUrl: "https://acme.com/before" });
  const text = "slug,url\nstays,https://acme.com/after\ngoes,https://acme.com/new\n";
  const options = { domainMap: { "*": shared }, onConflict: "replace" as const };
  const { _id } = await runImport(service, account, { text, options });
  const { token } = account;
  const path = `/api/v1/organizations/${account.orgId}/imports/${_id}/rollback`;
  for (const force of [false, true]) {
    expect((await service.call("POST", path, { token, body: { force } })).status).toBe(202);
    expect((await waitForImport(service, account, _id)).counts).toMatchObject({ removed: 1, kept: 1 });
    expect(await ledgerOf(service, account, _id)).toMatchObject([
      { result: "kept", why: expect.stringContaining("it was there before the import"), linkId: before._id },
      { result: "removed" },
    ]);
  }
  expect((await service.visit("/stays")).headers.get("location")).toBe("https://acme.com/after");
});

test("a rollback from before the ledger stored earlier results can be forced, too", async () => {
  const text = "slug,url\nformer,https://acme.com/former\n";
  const { _id } = await runImport(service, account, { text, options: { domainMap: { "*": shared } } });
  const [row] = await ledgerOf(service, account, _id);
  const { token } = account;
  const path = `/api/v1/organizations/${account.orgId}`;
  await service.call("PATCH", `${path}/links/${row?.linkId}`, { token, body: { title: "Ours now" } });
  await service.call("POST", `${path}/imports/${_id}/rollback`, { token });
  expect((await waitForImport(service, account, _id)).counts).toMatchObject({ removed: 0, kept: 1 });

  await service.sql`update import_rows set result_before = null where import_id = ${_id}`;
  const [, ...carriedOver] = (await Bun.file(ROLLED_BACK_AGAIN).text()).split("--> statement-breakpoint");
  await service.sql.unsafe(carriedOver.join(""));
  await service.call("POST", `${path}/imports/${_id}/rollback`, { token, body: { force: true } });
  expect((await waitForImport(service, account, _id)).counts).toMatchObject({ removed: 1, kept: 0 });
});

describe("a verification", () => {
  const items = [
    {
      ...{ domain: "go.acme.com", key: "v1", url: "https://acme.com/1?b=2", ios: "https://acme.com/ios" },
      ...{ geo: { DE: "https://acme.com/de", FR: "https://acme.com/fr" }, utm_source: "mail" },
    },
    { domain: "go.acme.com", key: "v2", url: "https://acme.com/2", expiresAt: "2024-01-01T00:00:00.000Z" },
    { domain: "go.acme.com", key: "v3", url: "https://acme.com/3", password: "secret" },
    { domain: "go.acme.com", key: "v4", url: "https://acme.com/4" },
  ];
  const verified = async (id: string) => {
    const path = `/api/v1/organizations/${account.orgId}/imports/${id}/verify`;
    const { status } = await service.call("POST", path, { token: account.token });
    expect(status).toBe(202);
    return waitForImport(service, account, id);
  };

  test("finds no difference right after the import, and later the manual changes until they are undone", async () => {
    const { token } = account;
    const links = `/api/v1/organizations/${account.orgId}/links`;
    const options = { domainMap: { "go.acme.com": shared } };
    const { _id } = await runImport(service, account, { text: JSON.stringify(items), name: "links.json", options });
    expect(await verified(_id)).toMatchObject({
      ...{ task: "verify", status: "done", progress: 1 },
      counts: { records: 4, created: 4, checked: 3, different: 0, notCompared: 1 },
    });
    const [first, second, third, fourth] = await ledgerOf(service, account, _id);
    const change = (id: string | undefined, body: object) => service.call("PATCH", `${links}/${id}`, { token, body });
    const rules = [
      { priority: 1, destinationUrl: "https://acme.com/ios", conditions: { platform: ["ios"] } },
      { priority: 2, destinationUrl: "https://acme.com/de-new", conditions: { countries: ["DE"] } },
      { priority: 3, destinationUrl: "https://acme.com/fr", conditions: { countries: ["FR"] } },
    ];
    await change(first?.linkId, { rules });
    await change(second?.linkId, { expiredUrl: "https://acme.com/over" });
    await change(third?.linkId, { defaultUrl: "https://acme.com/elsewhere" });
    await service.call("DELETE", `${links}/${fourth?.linkId}`, { token });

    expect((await verified(_id)).counts).toMatchObject({ created: 4, checked: 3, different: 3 });
    const different = await ledgerOf(service, account, _id, "&different=true");
    expect(different.map(({ row, differences }) => [row, differences?.length])).toEqual([
      [1, 3],
      [2, 4],
      [4, 4],
    ]);
    expect(different[0]?.differences).toEqual(
      ["Android phone, DE", "desktop, DE", "bot, DE"].map((summary) => ({
        visitor: expect.objectContaining({ summary, country: "DE" }),
        expected: "https://acme.com/de?utm_source=mail",
        actual: "https://acme.com/de-new?utm_source=mail",
      })),
    );
    expect(different[1]?.differences?.[0]).toEqual({
      visitor: { summary: "iPhone", platform: "ios", deviceType: "mobile" },
      expected: "nowhere: the link has ended or is turned off",
      actual: "https://acme.com/over",
    });
    expect(different[2]?.differences?.[3]).toEqual({
      visitor: { summary: "bot", platform: "desktop", deviceType: "desktop", isBot: true },
      ...{ expected: "https://acme.com/4", actual: "the link has been deleted" },
    });

    await change(first?.linkId, {
      rules: rules.map((rule) => ({ ...rule, destinationUrl: rule.destinationUrl.replace("-new", "") })),
    });
    await change(second?.linkId, { expiredUrl: null });
    expect((await verified(_id)).counts).toMatchObject({ checked: 3, different: 1, notCompared: 1 });
    const { auditLogs } = await get<{ auditLogs: { action: string }[] }>("/audit-logs?resourceType=import&limit=3");
    expect(auditLogs.map(({ action }) => action)).toEqual(["import.verify", "import.verify", "import.verify"]);
  });

  test("compares the split made of a running Dub test; tests that are not running are dropped", async () => {
    const variants = (key: string) => ({
      ...{ domain: "go.acme.com", key, url: "https://acme.com/a", ios: "https://acme.com/ios" },
      testVariants: [
        { url: "https://acme.com/a", percentage: 60 },
        { url: "https://acme.com/b", percentage: 40 },
      ],
    });
    const tests = [
      { ...variants("ab-running"), testCompletedAt: "2999-01-01T00:00:00.000Z" },
      { ...variants("ab-over"), testCompletedAt: "2024-01-01T00:00:00.000Z" },
      { ...variants("ab-none"), testCompletedAt: null },
    ];
    const options = { domainMap: { "go.acme.com": shared } };
    const { _id } = await runImport(service, account, { text: JSON.stringify(tests), name: "links.json", options });
    const rows = await ledgerOf(service, account, _id);
    expect(rows.map(({ dropped }) => dropped)).toEqual([
      [{ field: "testCompletedAt", why: "splits have no end: this one stays until you remove it" }],
      [{ field: "testVariants", why: "no test is running: the link leads to its URL" }],
      [{ field: "testVariants", why: "no test is running: the link leads to its URL" }],
    ]);
    const [running, over, none] = await Promise.all(rows.map(({ linkId }) => linkOf(linkId)));
    expect(running?.splitTargets).toMatchObject([
      { key: "variant-1", destinationUrl: "https://acme.com/a", weight: 60 },
      { key: "variant-2", destinationUrl: "https://acme.com/b", weight: 40 },
    ]);
    expect([over?.splitTargets ?? [], none?.splitTargets ?? []]).toEqual([[], []]);
    expect((await verified(_id)).counts).toMatchObject({ checked: 3, different: 0, notCompared: 0 });

    const path = `/api/v1/organizations/${account.orgId}/links/${running?._id}`;
    await service.call("PATCH", path, { token: account.token, body: { splitTargets: [] } });
    expect((await verified(_id)).counts).toMatchObject({ checked: 3, different: 1 });
    expect((await ledgerOf(service, account, _id, "&different=true"))[0]?.differences).toEqual(
      ["Android phone", "desktop", "bot"].map((summary) => ({
        ...{ visitor: expect.objectContaining({ summary }), expected: "https://acme.com/a or https://acme.com/b" },
        actual: "https://acme.com/a",
      })),
    );
  });

  test("tells a rule of Shlink that could not be imported, for whom it held, in the ledger and its CSV", async () => {
    const conditions = [
      { type: "device", matchKey: null, matchValue: "windows" },
      { type: "query-param", matchKey: "src", matchValue: "tv" },
    ];
    const item = {
      ...{ shortCode: "win", domain: "go.acme.com", longUrl: "https://acme.com/any" },
      redirectRules: [{ priority: 1, longUrl: "https://acme.com/win", conditions }],
    };
    const options = { domainMap: { "go.acme.com": shared } };
    const { _id } = await runImport(service, account, { text: JSON.stringify([item]), name: "links.json", options });
    const [row] = await ledgerOf(service, account, _id);
    expect(row?.dropped.map(({ field }) => field)).toEqual(["redirectRules[0]"]);
    expect((await verified(_id)).counts).toMatchObject({ checked: 1, different: 1, notCompared: 0 });
    expect((await ledgerOf(service, account, _id))[0]?.differences).toEqual([
      {
        visitor: {
          summary: "Windows desktop, ?src=tv",
          ...{ platform: "desktop", deviceType: "desktop", system: "windows", query: "src=tv" },
        },
        ...{ expected: "https://acme.com/win", actual: "https://acme.com/any" },
      },
    ]);
    const path = `/api/v1/organizations/${account.orgId}`;
    const csv = await service.call("GET", `${path}/imports/${_id}/ledger.csv`, { token: account.token });
    expect(String(csv.body)).toContain('"Windows desktop, ?src=tv: https://acme.com/win → https://acme.com/any"');

    await service.call("PATCH", `${path}/links/${row?.linkId}`, {
      token: account.token,
      body: { rules: [{ destinationUrl: "https://acme.com/win", conditions: { platform: ["desktop"] } }] },
    });
    await verified(_id);
    const summaries = (await ledgerOf(service, account, _id))[0]?.differences?.map(({ visitor }) => visitor.summary);
    expect(summaries).toEqual(["desktop", "bot"]);
  });

  test("shows the differences that an earlier version stored", async () => {
    const text = "slug,url\nv-old,https://acme.com/9\n";
    const { _id } = await runImport(service, account, { text, options: { domainMap: { "*": shared } } });
    const stored = [{ visitor: "iPhone, DE", expected: "https://acme.com/a", actual: "https://acme.com/b" }];
    await service.sql`update import_rows set differences = ${service.sql.json(stored)} where import_id = ${_id}`;
    expect((await ledgerOf(service, account, _id))[0]?.differences).toEqual([
      { ...stored[0], visitor: { summary: "iPhone, DE" } } as never,
    ]);
    const path = `/api/v1/organizations/${account.orgId}/imports/${_id}/ledger.csv`;
    const { body } = await service.call("GET", path, { token: account.token });
    expect(String(body)).toContain("iPhone, DE: https://acme.com/a → https://acme.com/b");
  });

  test("is refused with 409 for an import that is running, was a dry run, or was rolled back", async () => {
    const path = `/api/v1/organizations/${account.orgId}/imports`;
    const text = "slug,url\nv9,https://acme.com/9\n";
    const dry = await runImport(service, account, { text, options: { domainMap: { "*": shared }, dryRun: true } });
    const done = await runImport(service, account, { text, options: { domainMap: { "*": shared } } });
    await service.call("POST", `${path}/${done._id}/rollback`, { token: account.token });
    await waitForImport(service, account, done._id);
    const running = await runImport(service, account, {
      text: text.replace("v9", "v10"),
      options: { domainMap: { "*": shared } },
    });
    await service.sql`
      update imports set status = 'running', leased_by = ${crypto.randomUUID()}, leased_until = now() + interval '1 hour'
      where id = ${running._id}`;
    for (const [id, error] of [
      [running._id, "This import is under way; cancel it first, or wait for its end"],
      [dry._id, "This import was a dry run, which creates nothing"],
      [done._id, "This import has been rolled back; there is nothing left to verify"],
    ] as const) {
      const { status, body } = await service.call("POST", `${path}/${id}/verify`, { token: account.token });
      expect([status, body]).toMatchObject([409, { error }]);
    }
    // The organization's other imports wait for it.
    await service.sql`update imports set status = 'done', leased_by = null, leased_until = null where id = ${running._id}`;
  });
});

test("a verification of a Firebase import finds no difference, and later a change of the Android app", async () => {
  const header =
    "Short link,Deep link (link),Android package name (apn),iOS bundle ID (ibi),iOS app store ID (isi),UTM source (utm_source),Desktop (ofl)";
  const text = `${header}\nhttps://go.acme.com/fv1,https://acme.com/f?x=1,com.acme.second,com.acme.ios2,987654321,mail,https://acme.com/desk\n`;
  const { _id } = await runImport(service, account, { text, options: { domainMap: { "go.acme.com": shared } } });
  const path = `/api/v1/organizations/${account.orgId}/imports/${_id}/verify`;
  await service.call("POST", path, { token: account.token });
  expect(await waitForImport(service, account, _id)).toMatchObject({
    source: "firebase",
    counts: { checked: 1, different: 0 },
  });
  const [row] = await ledgerOf(service, account, _id);
  const link = await linkOf(row?.linkId);
  await service.call("PATCH", `/api/v1/organizations/${account.orgId}/apps/${link.appProfileId}`, {
    token: account.token,
    body: { android: { packageName: "com.acme.third" } },
  });
  await service.call("POST", path, { token: account.token });
  await waitForImport(service, account, _id);
  expect((await ledgerOf(service, account, _id))[0]?.differences).toEqual([
    {
      visitor: { summary: "Android phone", platform: "android", deviceType: "mobile" },
      expected: "https://play.google.com/store/apps/details?id=com.acme.second",
      actual: expect.stringContaining("id=com.acme.third"),
    },
  ]);
});

test("a verification compares iPads where rules tell tablets from phones", async () => {
  const text = `Short link,Deep link (link),Android package name (apn),iOS bundle ID (ibi),iOS fallback link (ifl),iOS iPad fallback link (ipfl)
https://go.acme.com/pad1,https://acme.com/p,,com.acme.pad,https://acme.com/phone,https://acme.com/pad
https://go.acme.com/pad2,https://acme.com/p,,com.acme.pad,https://acme.com/phone,
`;
  const { _id } = await runImport(service, account, { text, options: { domainMap: { "go.acme.com": shared } } });
  const path = `/api/v1/organizations/${account.orgId}/imports/${_id}/verify`;
  await service.call("POST", path, { token: account.token });
  expect((await waitForImport(service, account, _id)).counts).toMatchObject({ checked: 2, different: 0 });
  for (const { linkId } of await ledgerOf(service, account, _id)) {
    await service.call("PATCH", `/api/v1/organizations/${account.orgId}/links/${linkId}`, {
      token: account.token,
      body: { rules: [{ destinationUrl: "https://acme.com/phone", conditions: { platform: ["ios"] } }] },
    });
  }
  await service.call("POST", path, { token: account.token });
  await waitForImport(service, account, _id);
  const differences = (await ledgerOf(service, account, _id)).map((row) => row.differences ?? []);
  expect(differences).toEqual([
    [
      {
        visitor: { summary: "iPad", platform: "ios", deviceType: "tablet" },
        ...{ expected: "https://acme.com/pad", actual: "https://acme.com/phone" },
      },
    ],
    [],
  ]);
});

test("a link with a password is imported inactive, even if the password is a word like no or false", async () => {
  const passwords = ["0", "no", "n", "off", "false"];
  const options = { domainMap: { "*": shared } };
  const files: Record<string, (password: string, at: number) => object> = {
    sink: (password, at) => ({ slug: `pw-sink-${at}`, url: "https://acme.com/p", password }),
    shortio: (password, at) => ({ path: `pw-short-${at}`, originalURL: "https://acme.com/p", password }),
  };
  for (const [source, itemOf] of Object.entries(files)) {
    const text = JSON.stringify(passwords.map(itemOf));
    const { _id } = await runImport(service, account, { text, name: "links.json", options });
    const rows = await ledgerOf(service, account, _id);
    const links = await Promise.all(rows.map(({ linkId }) => linkOf(linkId)));
    expect([source, links.map(({ isActive }) => isActive)]).toEqual([source, passwords.map(() => false)]);
    expect(rows.map(({ dropped }) => dropped.map(({ field }) => field))).toEqual(passwords.map(() => ["password"]));
    expect((await service.visit(`/${links[0]?.slug}`)).status).toBe(404);
  }
});

test("clicks from before the import are a separate figure of the link and the overview, and in no other figure", async () => {
  const other = await service.register();
  const home = `/api/v1/organizations/${other.orgId}`;
  const ask = async <Body>(path: string) => (await service.call<Body>("GET", home + path, { token: other.token })).body;
  const own = await service.createLink(other, { slug: "cb-own", defaultUrl: "https://acme.com/own" });
  const text = `slug,url,clicks,maxClicks,tags
cb1,https://acme.com/1,4211,1,spring
cb2,https://acme.com/2,12,,mail
cb3,https://acme.com/3,,,
CB-own,https://acme.com/new,7,,
`;
  const options = { source: "csv" as const, domainMap: { "*": shared }, onConflict: "replace" as const };
  const done = await runImport(service, other, { text, options });
  const [first, , third, replaced] = await ledgerOf(service, other, done._id);
  expect(replaced).toMatchObject({ result: "replaced", linkId: own._id });
  expect(await ask<Link>(`/links/${first?.linkId}`)).toMatchObject({ clickCount: 0, clicksBefore: 4211 });
  expect(await ask<Link>(`/links/${third?.linkId}`)).not.toHaveProperty("clicksBefore");
  expect(await ask<Link>(`/links/${own._id}`)).toMatchObject({ clicksBefore: 7, defaultUrl: "https://acme.com/new" });
  expect(await ask<string>("/links/export.jsonl")).toContain('"clickCount":0,"clicksBefore":4211,');

  expect((await service.visit("/cb1", { "user-agent": PIXEL })).status).toBe(302);
  await waitUntilDrained(service.service);
  const overview = await ask<OverviewAnswer>("/analytics/overview?compare=previous");
  expect(overview).toMatchObject({ totalClicks: 1, uniqueVisitors: 1 });
  expect(overview.clicksBefore).toEqual({ count: 4230, links: 3, writer: "imported" });
  expect(overview.previous).not.toHaveProperty("clicksBefore");
  expect(overview.timeseries.reduce((sum, { clicks }) => sum + clicks, 0)).toBe(1);
  const of = async (query: string) => (await ask<OverviewAnswer>(`/analytics/overview?${query}`)).clicksBefore?.count;
  expect([await of("includeImported=false"), await of("tag=mail"), await of(`linkId=${own._id}`)]).toEqual([
    ...[undefined, 12, 7],
  ]);
  expect([await of(`domainId=${shared}`), await of("country=DE")]).toEqual([4230, undefined]);
  const differences: unknown[] = [];
  const [orgId, onDifference] = [other.orgId, (difference: unknown) => void differences.push(difference)];
  await verifyFigures(service.sql, { span: {}, orgId, isRepairing: false, onDifference });
  expect(differences).toEqual([]);

  await service.call("DELETE", `${home}/links/${first?.linkId}`, { token: other.token });
  expect(await of("")).toBe(4230);
  await service.call("POST", `${home}/imports/${done._id}/rollback`, { token: other.token });
  await waitForImport(service, other, done._id);
  expect(await of("")).toBe(4211);
  expect(await ask<Link>(`/links/${own._id}`)).not.toHaveProperty("clicksBefore");
});
