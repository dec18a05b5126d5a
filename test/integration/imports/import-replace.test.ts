/** Imports that change existing links, over HTTP: the links get what the file says, and keep everything else. */
import { expect, test } from "bun:test";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { PIXEL } from "@test/support/forms";
import { ledgerOf, runImport } from "@test/support/outside/imports";
import { startTestService } from "@test/support/service";
import type { Link } from "@/contract/links/links";
import { numberAt } from "@/core/rules/rule-numbers";

const service = await startTestService();
const account = await service.register();
const shared: string = (await service.sql`select id from domains where org_id is null`)[0]?.id;

const ask = async <Body>(method: "GET", path: string): Promise<Body> =>
  (await service.call<Body>(method, `/api/v1/organizations/${account.orgId}${path}`, { token: account.token })).body;
const linkOf = (id: string) => ask<Link>("GET", `/links/${id}`);

/** Replaces links by those of a file, and returns the ledger. */
async function replaced(text: string, name = "links.csv") {
  const options = { domainMap: { "*": shared }, onConflict: "replace" as const };
  const { _id } = await runImport(service, account, { text, name, options });
  return ledgerOf(service, account, _id);
}

test("a record with a password closes the link that it replaces", async () => {
  const open = await service.createLink(account, { slug: "secret", defaultUrl: "https://acme.com/open" });
  const rows = await replaced("slug,url,password\nsecret,https://acme.com/secret,hunter22\n");
  expect(rows).toMatchObject([{ result: "replaced", linkId: open._id }]);
  expect(await linkOf(open._id)).toMatchObject({ defaultUrl: "https://acme.com/secret", passwordProtected: true });
  expect((await service.visit("/secret")).status).toBe(403);
  const visit = await service.visit("/secret?pw=hunter22");
  expect([visit.status, visit.headers.get("location")]).toEqual([302, "https://acme.com/secret"]);
});

test("a record with the password that its link has already changes nothing", async () => {
  const link = await service.createLink(account, { slug: "closed", defaultUrl: "https://acme.com/closed" });
  const file = "slug,url,password\nclosed,https://acme.com/closed,hunter22\n";
  const versions = async () => (await ask<{ total: number }>("GET", `/links/${link._id}/revisions`)).total;
  for (const [text, total] of [[file, 2] as const, [file, 2] as const, [file.replace("22", "23"), 3] as const]) {
    expect(await replaced(text)).toMatchObject([{ result: "replaced", linkId: link._id }]);
    expect(await versions()).toBe(total);
  }
  expect((await service.visit("/closed?pw=hunter23")).status).toBe(302);
});

test("fields that a file does not have stay as they are", async () => {
  const rules = [{ priority: 1, destinationUrl: "https://acme.com/ios", conditions: { platform: ["ios" as const] } }];
  const kept = { title: "Kept", tags: ["spring", "mail"], rules };
  const link = await service.createLink(account, { slug: "kept", defaultUrl: "https://acme.com/old", ...kept });
  await replaced("slug,url\nkept,https://acme.com/new\n");
  expect(await linkOf(link._id)).toMatchObject({ defaultUrl: "https://acme.com/new", ...kept });
  await replaced("Short link,Destination URL\nlocalhost.test/kept,https://acme.com/dub\n");
  expect(await linkOf(link._id)).toMatchObject({ defaultUrl: "https://acme.com/dub", ...kept });
  await replaced("slug,url,tags,iosUrl\nkept,https://acme.com/last,,\n");
  expect(await linkOf(link._id)).toMatchObject({ defaultUrl: "https://acme.com/last", tags: [], rules: [] });
});

test("rules keep their numbers if a link is replaced by its own file", async () => {
  const rule = (platform: "ios" | "android" | "desktop") => ({
    destinationUrl: `https://acme.com/${platform}`,
    conditions: { platform: [platform] },
  });
  const fields = { slug: "numbered", defaultUrl: "https://acme.com/", rules: [rule("ios"), rule("android")] };
  const link = await service.createLink(account, fields);
  const path = `/api/v1/organizations/${account.orgId}/links/${link._id}`;
  await service.call("PATCH", path, { token: account.token, body: { rules: [rule("android")] } });
  const file = JSON.parse(await ask<string>("GET", "/links/export.jsonl?search=numbered"));
  const edited = { ...file, rules: [rule("desktop"), { ...file.rules[0], ...rule("ios") }] };
  expect(await replaced(`${JSON.stringify(edited)}\n`, "links.jsonl")).toMatchObject([{ result: "replaced" }]);
  const { rules } = await linkOf(link._id);
  expect(rules.map((_, index) => numberAt(rules, index))).toEqual([2, 1]);
});

test.each([
  ["Dub", "of-dub", { domain: "go.acme.com", key: "of-dub", url: "https://acme.com/new" }, { ios: null }],
  ["Short.io", "of-short", { path: "of-short", originalURL: "https://acme.com/new" }, { iphoneURL: null }],
  ["Sink", "of-sink", { slug: "of-sink", url: "https://acme.com/new" }, { apple: null }],
])(
  "rules stay if an object of %s has no field for them, and go if it says that there are none",
  async (_, slug, object, none) => {
    const rules = [{ priority: 1, destinationUrl: "https://acme.com/ios", conditions: { platform: ["ios" as const] } }];
    const link = await service.createLink(account, { slug, defaultUrl: "https://acme.com/old", rules });
    await replaced(JSON.stringify([object]), "links.json");
    expect(await linkOf(link._id)).toMatchObject({ defaultUrl: "https://acme.com/new", rules });
    await replaced(JSON.stringify([{ ...object, ...none }]), "links.json");
    expect(await linkOf(link._id)).toMatchObject({ defaultUrl: "https://acme.com/new", rules: [] });
  },
);

test.each([
  ["a link that it has created", "new"],
  ["a link that it has replaced", "old"],
])("no later record replaces %s, however far apart the two are", async (_, slug) => {
  if (slug === "old") await service.createLink(account, { slug, defaultUrl: "https://acme.com/before" });
  const between = Array.from({ length: 1_000 }, (_, index) => `one.test/${slug}-${index},https://acme.com/${index}`);
  // Links of two hosts come to the same domain.
  const rows = [`one.test/${slug},https://acme.com/first`, ...between, `two.test/${slug},https://acme.com/second`];
  const file = { text: `shortUrl,url\n${rows.join("\n")}\n`, name: "links.csv" };
  const options = { domainMap: { "*": shared }, onConflict: "replace" as const };
  const counts = { ...(slug === "old" ? { created: 1_000, replaced: 1 } : { created: 1_001 }), skipped: 1 };
  const dry = await runImport(service, account, { ...file, options: { ...options, dryRun: true } });
  expect(dry.counts).toEqual({ ...counts, records: 1_002 });
  const { _id, counts: real } = await runImport(service, account, { ...file, options });
  expect(real).toEqual({ ...counts, records: 1_002 });
  expect(await ledgerOf(service, account, _id, "&result=skipped")).toMatchObject([{ address: `two.test/${slug}` }]);
  expect((await service.visit(`/${slug}`)).headers.get("location")).toBe("https://acme.com/first");
});

test.each(["csv", "jsonl"])(
  "links replaced by their own export of %s keep their passwords, and stay on or off",
  async (form) => {
    const of = (slug: string) =>
      service.createLink(account, {
        slug: `${form}-${slug}`,
        defaultUrl: "https://acme.com/before",
        password: "hunter22",
      });
    const [on, off] = [await of("on"), await of("off")];
    await service.sql`update links set is_active = false where id = ${off._id}`;
    const file = String(await ask<string>("GET", `/links/export.${form}?search=${form}-`));
    const rows = await replaced(file.replaceAll("/before", "/after"), `links.${form}`);
    expect(rows).toMatchObject(Array(2).fill({ result: "replaced", dropped: [] }));
    const edited = { defaultUrl: "https://acme.com/after", passwordProtected: true };
    expect(await linkOf(on._id)).toMatchObject({ ...edited, isActive: true });
    expect(await linkOf(off._id)).toMatchObject({ ...edited, isActive: false });
  },
);

test("a link without a password is turned off by a record whose password is lost", async () => {
  const open = await service.createLink(account, { slug: "lost", defaultUrl: "https://acme.com/open" });
  const item = { slug: "lost", url: "https://acme.com/secret", password: "protected" };
  expect(await replaced(JSON.stringify([item]), "links.json")).toMatchObject([{ dropped: [{ field: "password" }] }]);
  expect(await linkOf(open._id)).toMatchObject({ defaultUrl: "https://acme.com/secret", isActive: false });
});

test("clicks of a link are not also its former clicks once its own export replaces it", async () => {
  const link = await service.createLink(account, { slug: "visited", defaultUrl: "https://acme.com/before" });
  expect((await service.visit("/visited", { "user-agent": PIXEL })).status).toBe(302);
  await waitUntilDrained(service.service);
  const file = String(await ask<string>("GET", "/links/export.csv?search=visited"));
  const rows = await replaced(file.replaceAll("/before", "/after"));
  expect(rows[0]).toMatchObject({ result: "replaced" });
  expect(rows[0]).not.toHaveProperty("clicksBefore");
  const after = await linkOf(link._id);
  expect(after).toMatchObject({ defaultUrl: "https://acme.com/after", clickCount: 1 });
  expect(after).not.toHaveProperty("clicksBefore");
});

test("a link that came from a file of ours is replaced by its own export, too", async () => {
  const hostname = new URL(service.url).host;
  const item = {
    _id: Bun.randomUUIDv7(),
    domain: hostname,
    slug: "moved",
    defaultUrl: "https://acme.com/before",
    tags: [],
  };
  const [made] = await replaced(JSON.stringify(item), "links.jsonl");
  expect(made?.result).toBe("created");
  const file = String(await ask<string>("GET", "/links/export.jsonl?search=moved"));
  const after = file.replaceAll("/before", "/after");
  expect(await replaced(after, "links.jsonl")).toMatchObject([{ result: "replaced", linkId: made?.linkId }]);
  expect(await linkOf(made?.linkId ?? "")).toMatchObject({ defaultUrl: "https://acme.com/after" });
  expect(await replaced(JSON.stringify(item), "links.jsonl")).toMatchObject([{ result: "unchanged" }]);
});
