/** Files as services and spreadsheets leave them: a broken letter, words for true and false, a record like no other. */
import { expect, test } from "bun:test";
import { ledgerOf, runImport, upload } from "@test/support/outside/imports";
import { startTestService } from "@test/support/service";
import type { ImportOptionsInput } from "@/contract/links/imports";
import type { Link } from "@/contract/links/links";
import { countryFault } from "@/core/codes/countries";

const service = await startTestService();
const shared: string = (await service.sql`select id from domains where org_id is null`)[0]?.id;

/** Imports a file into a new organization. Returns the ledger, and the links in its order. */
async function imported(text: string | Uint8Array, options: ImportOptionsInput = {}) {
  const account = await service.register();
  const { _id } = await runImport(service, account, { text, options: { domainMap: { "*": shared }, ...options } });
  const rows = await ledgerOf(service, account, _id);
  const linkOf = async (id: string) => {
    const path = `/api/v1/organizations/${account.orgId}/links/${id}`;
    return (await service.call<Link>("GET", path, { token: account.token })).body;
  };
  return { rows, links: await Promise.all(rows.flatMap(({ linkId }) => (linkId ? [linkOf(linkId)] : []))) };
}

test.each([
  ["", "schön", "größer"],
  ["\ufeff", "grün", "früher"],
])("half a character in UTF-8 spoils none of the others, also in slugs (%j)", async (mark, first, second) => {
  const [above, below] = [
    `${mark}slug,url,title\n${first},https://acme.com/1,Grüße `,
    `\n${second},https://acme.com/2,Größe\n`,
  ];
  const cut = Buffer.from("ü").subarray(0, 1);
  const { links } = await imported(Buffer.concat([Buffer.from(above), cut, Buffer.from(below)]));
  expect(links.map(({ slug, title }) => [slug, title])).toEqual([
    [first, "Grüße \ufffd"],
    [second, "Größe"],
  ]);
});

test("a file in CP-1252 is read as such, even if it has two letters that would be one in UTF-8", async () => {
  const text = "slug,url,title\nwestern,https://acme.com/,für Ã© früh Größe\n";
  const { links } = await imported(Uint8Array.from(text, (character) => character.charCodeAt(0)));
  expect(links[0]?.title).toBe("für Ã© früh Größe");
});

test.each([
  ["ja", "nein"],
  ["WAHR", "FALSCH"],
  ["vrai", "FAUX"],
  ["Verdadero", "Falso"],
  ["WAAR", "ONWAAR"],
  ["sim", "não"],
])("%s and %s are read as yes and no", async (yes, no) => {
  const { rows, links } = await imported(`url,active,archived\nhttps://acme.com/a,${no},${yes}\n`);
  expect(rows[0]?.dropped).toEqual([]);
  expect(links).toMatchObject([{ isActive: false, isArchived: true }]);
});

test("our own file can be imported after a German spreadsheet has saved it", async () => {
  const account = await service.register();
  const { _id, slug } = await service.createLink(account, { defaultUrl: "https://example.com/" });
  const path = `/api/v1/organizations/${account.orgId}/links`;
  await service.call("PATCH", `${path}/${_id}`, { token: account.token, body: { isActive: false, isArchived: true } });
  const headers = { authorization: `Bearer ${account.token}` };
  const text = await (await fetch(`${service.url}${path}/export.csv`, { headers })).text();
  const saved = text.replaceAll(/\btrue\b/g, "WAHR").replaceAll(/\bfalse\b/g, "FALSCH");
  expect(saved).not.toBe(text);
  const { links } = await imported(saved, { onConflict: "suffix" });
  expect(links).toMatchObject([{ slug: `${slug}-2`, isActive: false, isArchived: true, passwordProtected: false }]);
});

test("a record that is no link of the stated service is refused alone", async () => {
  const items = [
    { domain: "go.acme.com", key: "_root", url: "" },
    { domain: "go.acme.com", key: "dub-one", url: "https://acme.com/" },
  ];
  const { rows } = await imported(JSON.stringify(items), { source: "dub" });
  expect(rows.map(({ result, why }) => [result, why])).toEqual([
    ["refused", expect.stringContaining("the root of a domain")],
    ["created", undefined],
  ]);
});

test("a link that leads visitors from many countries to the same page needs one rule for them", async () => {
  const african =
    "DZ AO BJ BW BF BI CM CV CF TD KM CG CD CI DJ EG GQ ER SZ ET GA GM GH GN GW KE LS LR LY MG MW ML MR MU MA MZ NA NE NG " +
    "RW ST SN SC SL SO ZA SS SD TZ TG TN UG ZM ZW";
  const geo = Object.fromEntries(african.split(" ").map((code) => [code, "https://africa.acme.com/"]));
  const item = { domain: "go.acme.com", key: "far", url: "https://acme.com/", geo: { ...geo, DE: "https://acme.de/" } };
  const { rows, links } = await imported(JSON.stringify([item]), { source: "dub" });
  expect(rows).toMatchObject([{ result: "created", dropped: [] }]);
  expect(links[0]?.rules).toMatchObject([
    { priority: 1, destinationUrl: "https://africa.acme.com/", conditions: { countries: african.split(" ") } },
    { priority: 2, destinationUrl: "https://acme.de/", conditions: { countries: ["DE"] } },
  ]);
});

/** Returns that many codes. */
function countries(count: number): string[] {
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const pairs = letters.flatMap((first) => letters.map((second) => `${first}${second}`));
  return pairs.filter((pair) => countryFault(pair) === undefined).slice(0, count);
}

test("more countries than a rule may name lead to the same page by several rules", async () => {
  const codes = countries(201);
  const geo = Object.fromEntries(codes.map((code) => [code, "https://acme.com/abroad"]));
  const item = { domain: "go.acme.com", key: "wide", url: "https://acme.com/", geo };
  const { rows, links } = await imported(JSON.stringify([item]), { source: "dub" });
  expect(rows).toMatchObject([{ result: "created", dropped: [] }]);
  expect(links[0]?.rules.map(({ destinationUrl, conditions }) => [destinationUrl, conditions?.countries])).toEqual([
    ["https://acme.com/abroad", codes.slice(0, 100)],
    ["https://acme.com/abroad", codes.slice(100, 200)],
    ["https://acme.com/abroad", codes.slice(200)],
  ]);
});

const OWN = { domain: "go.acme.com", url: "https://acme.com/" };

test("a link comes without parts that it cannot have here, and the ledger names them", async () => {
  const long = "x".repeat(300);
  const app = { ...OWN, key: "phones", ios: "acme://open", android: "https://acme.com/android" };
  const card = { ...OWN, key: "card", proxy: true, title: long, description: "All", image: "/relative.png" };
  const end = { ...OWN, key: "end", expiredUrl: "over", externalId: long, utm_source: long, utm_medium: "mail" };
  const { rows, links } = await imported(JSON.stringify([app, card, end]), { source: "dub" });
  expect(rows.map(({ result, dropped }) => [result, ...dropped.map(({ field }) => field).toSorted()])).toEqual([
    ["created", "ios"],
    ["created", "image", "title", "title"],
    ["created", "expiredUrl", "externalId", "utm_source"],
  ]);
  expect(rows[0]?.dropped[0]?.why).toBe("left out: expected an absolute http or https URL");
  expect(links).toMatchObject([
    { rules: [{ destinationUrl: "https://acme.com/android", conditions: { platform: ["android"] } }] },
    { social: { title: long.slice(0, 255), description: "All" } },
    { utm: { medium: "mail" } },
  ]);
});

test("a link of Dub that leads each country elsewhere comes with as many rules as a link may have", async () => {
  const codes = countries(60);
  const geo = Object.fromEntries(codes.map((code) => [code, `https://acme.com/${code}`]));
  const { rows, links } = await imported(JSON.stringify([{ ...OWN, key: "many", geo }]), { source: "dub" });
  expect(links[0]?.rules).toHaveLength(50);
  expect(rows[0]?.dropped).toEqual(
    codes.slice(50).map((code) => ({ field: `geo.${code}`, why: "left out: a link has at most 50 rules" })),
  );
});

test("fields that a database tool writes as NULL or \\N have no value, unless they are in quotes", async () => {
  const lines = ["NULL", "\\N"].map(
    (none, index) => `"db${index}",https://acme.com/,${none},"${none}", ${none} ,${none}\n`,
  );
  const { rows, links } = await imported(`slug,url,title,notes,expiresAt,clicks\n${lines.join("")}`);
  expect(rows).toMatchObject([
    { result: "created", dropped: [] },
    { result: "created", dropped: [] },
  ]);
  expect(links).toMatchObject([{ notes: "NULL" }, { notes: "\\N" }]);
  for (const link of links)
    for (const field of ["title", "expiresAt", "clicksBefore"]) expect(link).not.toHaveProperty(field);
});

test("a link with the title NULL keeps it in our own file", async () => {
  const account = await service.register();
  const { slug } = await service.createLink(account, { defaultUrl: "https://example.com/", title: "NULL" });
  const path = `/api/v1/organizations/${account.orgId}/links/export.csv`;
  const headers = { authorization: `Bearer ${account.token}` };
  const text = await (await fetch(`${service.url}${path}`, { headers })).text();
  const { links } = await imported(text, { onConflict: "suffix" });
  expect(links).toMatchObject([{ slug: `${slug}-2`, title: "NULL" }]);
});

const WANTED = "upload the links as CSV, JSON or an SQL dump of YOURLS";

test.each([
  ["a PNG image", Uint8Array.from("\x89PNG\r\n\x1a\n", (sign) => sign.charCodeAt(0)), `it is a PNG image: ${WANTED}`],
  ["a JPEG image", Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16), `it is a JPEG image: ${WANTED}`],
  ["a PDF document", "%PDF-1.7\n%âãÏÓ\n", `it is a PDF document: ${WANTED}`],
  ["a document that begins like JSON", "{\\rtf1\\ansi slug,url}", `it is a text document (RTF): ${WANTED}`],
  ["a database", "SQLite format 3\0\x10\0", `it is a SQLite database: ${WANTED}`],
  ["the page to sign in", "\ufeff\n<!DOCTYPE html>\n<title>Sign in</title>", `it is a web page or XML: ${WANTED}`],
  ["a table in XML", '<?xml version="1.0"?>\n<Workbook/>', `it is a web page or XML: ${WANTED}`],
])("%s is refused by its name, also if a source is stated", async (_, text, why) => {
  const account = await service.register();
  for (const options of [{}, { source: "dub" as const }]) {
    const { status, body } = await upload(service, account, { text, name: "links.csv", options });
    expect([status, body.details]).toEqual([400, [`file: ${why}`]]);
  }
});

test("a CSV whose first column is named like a tag is read", async () => {
  const { links } = await imported("<slug>,url\ntagged,https://acme.com/\n");
  expect(links).toMatchObject([{ slug: "tagged" }]);
});
