/** What the options of an import do, over HTTP: its dry run, its domains and its webhooks. */
import { describe, expect, test } from "bun:test";
import { addDomain } from "@test/support/accounts/tenants";
import { ledgerOf, runImport, upload, waitForImport } from "@test/support/outside/imports";
import { createWebhook, startReceiver } from "@test/support/outside/webhooks";
import { startTestService } from "@test/support/service";
import { APPS_MAX } from "@/contract/apps";
import type { Import, ImportOptionsInput } from "@/contract/links/imports";
import type { Link } from "@/contract/links/links";

const service = await startTestService({ env: { OUTBOUND_ALLOW: "127.0.0.1" } });
const account = await service.register();
const shared: string = (await service.sql`select id from domains where org_id is null`)[0]?.id;

/** Imports a file, and returns the ledger. */
async function imported(text: string, options: ImportOptionsInput = {}) {
  const { _id } = await runImport(service, account, { text, options: { domainMap: { "*": shared }, ...options } });
  return ledgerOf(service, account, _id);
}

test("a dry run refuses a password that is too short, as the import does", async () => {
  const text = "slug,url,password\nshort,https://acme.com/1,abc\nlong,https://acme.com/2,abcd\n";
  for (const dryRun of [true, false]) {
    expect(await imported(text, { dryRun })).toMatchObject([
      { result: "refused", why: "password: expected 4 to 128 characters" },
      { result: "created" },
    ]);
  }
});

test("a dry run foresees that a link would end before it begins", async () => {
  await service.createLink(account, { slug: "later", defaultUrl: "https://acme.com/a", startsAt: "2030-01-01" });
  const text = "slug,url,expiresAt\nlater,https://acme.com/b,2029-01-01\n";
  for (const dryRun of [true, false]) {
    expect(await imported(text, { dryRun, onConflict: "replace" })).toMatchObject([
      { result: "refused", why: "The request has invalid fields; expiresAt: must be after startsAt" },
    ]);
  }
});

test.each([
  ["skip", ["skipped", "created", "skipped"]],
  ["suffix", ["suffixed", "created", "suffixed"]],
] as const)(
  "a dry run foresees slugs that look alike on the shared domain, as the import finds them: %s",
  async (onConflict, results) => {
    await service.createLink(account, { slug: `${onConflict}-paypal`, defaultUrl: "https://acme.com/a" });
    const slugs = ["paypa1", "ball", "ba1l"].map((name) => `${onConflict}-${name}`);
    const text = `slug,url\n${slugs.map((slug) => `${slug},https://acme.com/`).join("\n")}\n`;
    for (const dryRun of [true, false]) {
      const rows = await imported(text, { dryRun, onConflict });
      expect([dryRun, rows.map(({ result }) => result)]).toEqual([dryRun, [...results]]);
    }
  },
);

test("a dry run foresees which apps cannot be had, as the import does", async () => {
  const other = await service.register();
  const header = "Short link,Deep link (link),Android package name (apn),iOS bundle ID (ibi),iOS custom scheme (ius)";
  const apps = ["com.acme.app,com.acme.ios,https", "com.acme.app,com.acme.ios,acme", "com.acme.new,,"];
  const lines = apps.map((app, n) => `https://acme.page.link/app${n},https://acme.com/,${app}`);
  // One more profile fits, and two of the file's apps could be had.
  const make = (n: number) => service.sql`
    insert into app_profiles (id, org_id, name) values (gen_random_uuid(), ${other.orgId}, ${`App ${n}`})`;
  await Promise.all(Array.from({ length: APPS_MAX - 1 }, (_, n) => make(n)));
  const found = [];
  for (const dryRun of [true, false]) {
    const options = { source: "firebase" as const, domainMap: { "*": shared }, dryRun };
    const { _id, counts } = await runImport(service, other, { text: [header, ...lines].join("\n"), options });
    const rows = await ledgerOf(service, other, _id);
    const whys = rows.map(({ dropped }) => dropped.find(({ field }) => field === "app")?.why);
    found.push([counts, whys, rows.map(({ result }) => result)]);
  }
  const [, whys] = found[0] ?? [];
  expect(whys).toEqual([
    "ios.scheme: an app cannot own this scheme",
    undefined,
    expect.stringContaining(`limit of ${APPS_MAX} app profiles`),
  ]);
  expect(found[0]).toEqual(found[1]);
});

test("an import whose domain was unverified while it waited says which one", async () => {
  const domainId = await addDomain(service, account.orgId, { hostname: "waits.test" });
  const domainMap = { "old.test": shared, "*": domainId };
  // The organization's other job keeps the import from starting.
  const before = crypto.randomUUID();
  await service.sql`insert into imports (id, org_id, file, options, actor, status, leased_until)
    values (${before}, ${account.orgId}, '{}', '{}', '{}', 'running', now() + interval '1 hour')`;
  const { body } = await upload(service, account, {
    text: "slug,url\nw1,https://acme.com/w\n",
    options: { domainMap },
  });
  await service.sql`update domains set is_verified = false where id = ${domainId}`;
  await service.sql`delete from imports where id = ${before}`;
  const { status, error } = await waitForImport(service, account, body._id);
  expect([status, error]).toEqual(["failed", "options.domainMap.*: the domain is not verified any more"]);
});

test("hosts with letters beyond ASCII are mapped, however they are written", async () => {
  const text =
    "shortUrl,url\nhttps://bücher.test/i1,https://acme.com/1\nhttps://xn--bcher-kva.test/i2,https://acme.com/2\n";
  for (const host of ["bücher.test", "BÜCHER.test", "xn--bcher-kva.test"]) {
    const rows = await imported(text, { domainMap: { [host]: shared }, dryRun: true });
    expect(rows.map(({ result }) => [host, result])).toEqual([
      [host, "created"],
      [host, "created"],
    ]);
  }
});

test("webhooks of an import say when it happened here, not when the link was created elsewhere", async () => {
  const receiver = startReceiver();
  await createWebhook(service, account, receiver.url, ["link.created"]);
  const startedAt = Date.now();
  await imported("slug,url,createdAt\nheard,https://acme.com/h,2019-04-02\n", { notify: true });
  const [message] = await receiver.until(1);
  expect(message?.body).toMatchObject({ event: "link.created", data: { createdAt: "2019-04-02T00:00:00.000Z" } });
  expect(Date.parse(message?.body.createdAt ?? "")).toBeGreaterThanOrEqual(startedAt - 1_000);
});

test("a CSV written by hand is read as meant: blank lines above, spaces before quotes", async () => {
  const text = `\n\r\nslug, "url", title
by-hand, "https://acme.com/hand", "One, two\nand ""three"""

by-hand-b,https://acme.com/b, Plain "b"
`;
  const rows = await imported(text);
  expect(rows).toMatchObject([{ result: "created" }, { result: "created" }]);
  const path = `/api/v1/organizations/${account.orgId}/links/`;
  const links = await Promise.all(
    rows.map(
      async ({ linkId }) => (await service.call<Link>("GET", `${path}${linkId}`, { token: account.token })).body,
    ),
  );
  expect(links.map(({ slug, defaultUrl, title }) => [slug, defaultUrl, title])).toEqual([
    ["by-hand", "https://acme.com/hand", 'One, two\nand "three"'],
    ["by-hand-b", "https://acme.com/b", 'Plain "b"'],
  ]);
});

describe("the form of an upload", () => {
  const home = `/api/v1/organizations/${account.orgId}/imports`;
  const file = () => new File(["slug,url\nformed,https://acme.com/\n"], "links.csv");
  const options = JSON.stringify({ domainMap: { "*": shared }, dryRun: true });

  async function sent(parts: [name: string, value: string | File][]) {
    const form = new FormData();
    for (const [name, value] of parts) form.append(name, value);
    const headers = { authorization: `Bearer ${account.token}` };
    const response = await fetch(service.url + home, { method: "POST", headers, body: form });
    return { status: response.status, body: (await response.json()) as Import & { details?: string[] } };
  }

  test.each<[string, [string, string | File][], string]>([
    [
      "an option beside the options",
      [
        ["file", file()],
        ["options", options],
        ["domainMap", "{}"],
      ],
      "domainMap: belongs in `options`, as JSON",
    ],
    [
      "another part",
      [
        ["dry-run", "true"],
        ["file", file()],
      ],
      "dry-run: there is no such part; expected file and options",
    ],
    [
      "another file",
      [
        ["file", file()],
        ["links", file()],
      ],
      "links: there is no such part; expected file and options",
    ],
    [
      "options sent twice",
      [
        ["options", options],
        ["file", file()],
        ["options", "{}"],
      ],
      "options: sent twice",
    ],
    ["a file without a name", [["file", "slug,url\n"]], "file: expected a part with a file name"],
    [
      "a misspelled option",
      [
        ["file", file()],
        ["options", '{"dryrun": true}'],
      ],
      "options.dryrun: there is no such field; did you mean dryRun?",
    ],
    [
      "an unknown option",
      [
        ["file", file()],
        ["options", '{"colour": "red"}'],
      ],
      expect.stringContaining("options.colour: there is no such field; expected one of source, mapping,"),
    ],
    [
      "options in a file that is too large",
      [
        ["options", new File([" ".repeat(65_537)], "options.json")],
        ["file", file()],
      ],
      "options: expected at most 65536 bytes",
    ],
  ])("with %s is refused with 400, and nothing of it is stored", async (_, parts, detail) => {
    const { status, body } = await sent(parts);
    expect([status, body.details]).toEqual([400, [detail]]);
    const orphans = await service.sql`select from import_chunks where import_id not in (select id from imports)`;
    expect(orphans).toHaveLength(0);
  });

  test("may have its options in a file of their own", async () => {
    const { status, body } = await sent([
      ["options", new File([`\ufeff${options}`], "options.json", { type: "application/json" })],
      ["file", file()],
    ]);
    expect([status, body.options]).toMatchObject([202, { dryRun: true, domainMap: { "*": shared } }]);
    expect((await waitForImport(service, account, body._id)).counts).toMatchObject({ created: 1 });
  });

  test("is not that of an import from an API, whose misplaced fields are named", async () => {
    const credentials = { apiKey: "k", baseUrl: "https://s.example.com", workspac: "w" };
    const asked = { options: { source: "shlink" }, credentials, dryRun: true };
    const { status, body } = await service.call<{ details: string[] }>("POST", home, {
      ...{ token: account.token, body: asked },
    });
    expect([status, body.details]).toEqual([
      400,
      [
        "credentials.workspac: there is no such field; did you mean workspace?",
        "dryRun: there is no such field; did you mean options.dryRun?",
      ],
    ]);
  });
});
