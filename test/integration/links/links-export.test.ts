/** Links as a file: every link with every field, and equal to the original when read back. */
import { beforeAll, describe, expect, test } from "bun:test";
import { addDomain } from "@test/support/accounts/tenants";
import { ledgerOf, runImport, waitForImport } from "@test/support/outside/imports";
import { startTestService } from "@test/support/service";
import type { LinkWithBlockers } from "@/contract/links/link-lists";
import type { Link, LinkInput } from "@/contract/links/links";
import { createCsvReader } from "@/core/csv/reader";
import type { FileLink, ReadLink } from "@/core/links-file/columns";
import { linksCsvHeader, readLinkCells } from "@/core/links-file/csv";
import { type ReadOutcome, readLinkFields } from "@/core/links-file/read";

const service = await startTestService();
const ada = await service.register();
const { token, orgId } = ada;
const home = `/api/v1/organizations/${orgId}`;
const app = await service.call<{ _id: string }>("POST", `${home}/apps`, { token, body: { name: "=Shop" } });
const appId = app.body._id;
const domainId = await addDomain(service, orgId, { hostname: "go.acme.test", isVerified: true });
const DESTINATION = "https://example.com/";

const everything: LinkInput = {
  ...{ domainId, appProfileId: appId, slug: "Everything", pathPrefix: "de/shop", defaultUrl: DESTINATION },
  ...{
    title: '=HYPERLINK("https://evil.test")',
    externalId: "'7",
    notes: 'said "hi",\r\nand left',
    tags: ["a,b", "[c]"],
  },
  rules: [
    {
      priority: 1,
      destinationUrl: "https://example.com/app",
      conditions: { countries: ["DE"], query: [{ name: "a" }] },
    },
  ],
  splitTargets: [{ key: "a", destinationUrl: "https://example.com/a", weight: 3, isActive: true }],
  deepLinkPayload: { screen: "offer", deep: { ключ: [1, null, "\u2028"] } },
  utm: { source: "mail", term: "" },
  marketing: { referralCode: "ada", appendToDestination: true },
  leadCapture: { enabled: true, fields: [{ name: "email", type: "email", required: true }] },
  retargetingPixels: [{ provider: "meta", id: "1234567890" }],
  ctaOverlay: { enabled: true, message: "Look", mode: "overlay" },
  social: { title: "Sale", imageUrl: "https://example.com/a.png" },
  ...{ startsAt: "2026-01-01T00:00:00Z", expiresAt: "2099-01-01T00:00:00Z", expiredUrl: "https://example.com/over" },
  ...{ maxClicks: 10, password: "open sesame", isActive: true },
};

let made: Link[];
beforeAll(async () => {
  made = [
    await service.createLink(ada, everything),
    await service.createLink(ada, { slug: "plain", defaultUrl: DESTINATION }),
    await service.createLink(ada, { slug: "put-away", defaultUrl: DESTINATION, isArchived: true, tags: ["old"] }),
    await service.createLink(ada, { slug: "empty", defaultUrl: DESTINATION, notes: "", tags: ["old"] }),
  ];
  await service.createLink(await service.register(), { slug: "somebody-elses", defaultUrl: DESTINATION });
  const { body } = await service.call<Link>("POST", `${home}/links`, {
    token,
    body: { slug: "gone", defaultUrl: DESTINATION },
  });
  await service.call("DELETE", `${home}/links/${body._id}`, { token });
  await service.call("POST", `${home}/bio-pages`, { token, body: { title: "No link" } });
});

const download = (form: "csv" | "jsonl", query = "") =>
  service.call<string>("GET", `${home}/links/export.${form}${query}`, { token });

function ofCsv(text: string): ReadLink[] {
  const reader = createCsvReader();
  const [names = [], ...records] = [...reader.push(text), ...reader.end()];
  return records.map((cells) => soundOf(readLinkCells(names, cells)));
}
const ofJsonLines = (text: string): ReadLink[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => soundOf(readLinkFields(JSON.parse(line))));

function soundOf(outcome: ReadOutcome): ReadLink {
  if ("link" in outcome) return outcome.link;
  throw new Error(`Not read: ${outcome.faults}`);
}

const read = async (form: "csv" | "jsonl", query?: string): Promise<ReadLink[]> => {
  const { body } = await download(form, query);
  return form === "csv" ? ofCsv(body) : ofJsonLines(body);
};

/** Returns the link as the API shows it now, with the fields that a file writes differently. */
async function asFiled({ _id }: Link): Promise<FileLink> {
  const { body } = await service.call<LinkWithBlockers>("GET", `${home}/links/${_id}`, { token });
  const { orgId: _, domainId: on, safety, blockers: __, ...fields } = body;
  const isOwn = on === domainId;
  const admitted = fields.maxClicks === undefined ? {} : { admittedVisits: 0 };
  return {
    ...fields,
    ...admitted,
    domain: isOwn ? "go.acme.test" : service.host,
    ...(isOwn && { appProfileName: "=Shop" }),
  };
}

describe.each(["csv", "jsonl"] as const)("a file of links as %s", (form) => {
  test("has every link with every field, newest first, and reads back as the API shows them", async () => {
    const expected = await Promise.all(made.toReversed().map(asFiled));
    expect(await read(form)).toEqual(expected);
  });

  test("does not contain passwords", async () => {
    const { body } = await download(form);
    expect(body).not.toContain("sesame");
    expect(body).not.toContain("argon2");
  });

  test.each([
    ["a tag", "?tag=old", ["empty", "put-away"]],
    ["a tag, archived ones left out", "?tag=old&isArchived=false", ["empty"]],
    ["what is archived", "?isArchived=true", ["put-away"]],
    ["a tag that it must not have", "?excludeTag=old", ["plain", "Everything"]],
    ["a domain", `?domainId=${domainId}`, ["Everything"]],
    ["a state", "?state=serving&excludeTag=old", ["plain", "Everything"]],
    ["a text", "?search=plai", ["plain"]],
    ["a text beside a tag", "?search=example.com&tag=old", ["empty", "put-away"]],
  ])("can be filtered by %s", async (_, query, slugs) => {
    expect((await read(form, query)).map(({ slug }) => slug)).toEqual(slugs);
  });
});

test.each(["csv", "jsonl"])("HEAD of links as %s is answered without the file and its length", async (form) => {
  const headers = { authorization: `Bearer ${token}` };
  const asked = `${service.url}${home}/links/export.${form}`;
  const [file, head] = await Promise.all([fetch(asked, { headers }), fetch(asked, { method: "HEAD", headers })]);
  for (const name of ["content-type", "content-disposition"])
    expect(head.headers.get(name)).toBe(String(file.headers.get(name)));
  expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, null, ""]);
  await file.body?.cancel();
});

describe.each(["csv", "jsonl"] as const)("the file as %s, imported into another organization", (form) => {
  test("equals its export from there, except ids, domain, app profile, password and fields that the server sets", async () => {
    const other = await service.register();
    const hostname = `${form}.acme.test`;
    const there = await addDomain(service, other.orgId, { hostname, isVerified: true });
    const { body: text } = await download(form);
    const file = { text, name: `links.${form}`, options: { domainMap: { "*": there } } };
    const done = await runImport(service, other, file);
    expect(done).toMatchObject({
      source: "waymark",
      status: "done",
      counts: { records: 4, created: 4, incomplete: 1 },
    });
    const [first] = await ledgerOf(service, other, done._id);
    expect(first).toMatchObject({ clicksBefore: 0 });

    const path = `/api/v1/organizations/${other.orgId}/links/export.${form}`;
    const { body } = await service.call<string>("GET", path, { token: other.token });
    const links = form === "csv" ? ofCsv(body) : ofJsonLines(body);
    expect(links.map(({ domain }) => domain)).toEqual([hostname, hostname, hostname, hostname]);
    expect(bySlug(links.map(movable))).toEqual(bySlug((await read(form)).map(movable)));
    const incomplete = (await ledgerOf(service, other, done._id)).filter(({ dropped }) => dropped.length > 0);
    expect(incomplete.map(({ dropped }) => dropped.map(({ field }) => field))).toEqual([["password", "appProfileId"]]);
    const locked = links.find(({ slug }) => slug === "Everything");
    expect(locked).toMatchObject({ isActive: false, passwordProtected: false });

    const verify = `/api/v1/organizations/${other.orgId}/imports/${done._id}/verify`;
    await service.call("POST", verify, { token: other.token });
    expect((await waitForImport(service, other, done._id)).counts).toMatchObject({
      ...{ checked: 3, different: 0 },
      // The file does not contain passwords, so this link's destination cannot be compared.
      notCompared: 1,
    });
  });
});

const bySlug = (links: ReadLink[]): ReadLink[] =>
  links.toSorted((one, two) => String(one.slug).localeCompare(String(two.slug)));

/** Returns the fields that do not depend on where the link is. */
function movable({ _id, shortUrl, domain, updatedAt, importedFrom, appProfileId, appProfileName, ...link }: ReadLink) {
  const { passwordProtected, isActive, ...others } = link;
  return link.slug === "Everything" ? others : link;
}

test("a file without links has only a header as CSV and nothing as JSON Lines", async () => {
  const none = await download("csv", "?tag=none");
  expect([none.body, none.headers.get("content-type")]).toEqual([linksCsvHeader, "text/csv; charset=utf-8"]);
  expect(none.headers.get("content-disposition")).toBe('attachment; filename="links.csv"');
  const lines = await download("jsonl", "?tag=none");
  expect([lines.body, lines.headers.get("content-type")]).toEqual(["", "application/jsonl; charset=utf-8"]);
  expect(lines.headers.get("content-disposition")).toBe('attachment; filename="links.jsonl"');
});

test("a file of thousands of links has each once", async () => {
  const other = await service.register();
  const link = await service.createLink(other, { slug: "many", defaultUrl: DESTINATION });
  await service.sql`
    insert into links (id, org_id, domain_id, slug, slug_key, default_url)
    select gen_random_uuid(), org_id, domain_id, 'many-' || n, 'many-' || n, default_url
    from links, generate_series(1, 3000) as n where links.id = ${link._id}`;
  const path = `/api/v1/organizations/${other.orgId}/links/export.jsonl`;
  const { body } = await service.call<string>("GET", path, { token: other.token });
  const ids = ofJsonLines(body).map(({ _id }) => _id);
  expect(new Set(ids).size).toBe(3_001);
  expect(ids).toEqual(ids.toSorted().toReversed());
});
