/**
 * Visitors notice nothing of a move: an organization with links of every kind is exported, as a file of links to another
 * organization and as an archive to another service, and visits drawn from a fixed seed get the same answers everywhere.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { archiveOf, importArchive } from "@test/support/accounts/archives";
import { addDomain } from "@test/support/accounts/tenants";
import { NAVIGATION } from "@test/support/forms";
import { type DrawnVisit, drawLinks, drawVisits, HOSTS, type Place, START } from "@test/support/outside/drawn-move";
import { ledgerOf, runImport } from "@test/support/outside/imports";
import { type Account, startTestService, type TestService } from "@test/support/service";
import type { BulkLinkResult } from "@/contract/links/bulk-links";
import type { Link, LinkInput } from "@/contract/links/links";
import { openDatabase } from "@/platform/db/client";

const VISITS = 600;
const PASSWORD = "open sesame";

let at = START;
const clock = () => at;
const here = await startTestService({ clock });
const there = await startTestService({ clock });
const folder = await mkdtemp(join(tmpdir(), "waymark-move-"));
const database = openDatabase(there.databaseUrl, { pool: "tool" });
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

/** Where an organization's links are: the host of each of its domains. */
interface Home {
  service: TestService;
  account: Account;
  hosts: Record<Place, string>;
}

const call = <Body>({ service, account: { token, orgId } }: Home, method: string, path: string, body?: object) =>
  service.call<Body>(method, `/api/v1/organizations/${orgId}${path}`, { token, ...(body && { body }) });

async function created(home: Home, path: string, body: object): Promise<string> {
  const made = await call<{ _id: string }>(home, "POST", path, body);
  if (!made.body._id) throw new Error(`${path} was answered ${made.status}: ${JSON.stringify(made.body)}`);
  return made.body._id;
}

async function addDomains({ service, account, hosts }: Home): Promise<Record<Place, string>> {
  const [shared] = await service.sql`select id from domains where org_id is null`;
  const ids = { shared: String(shared?.id), own: "", strict: "", wide: "" };
  for (const place of ["own", "strict", "wide"] as const) {
    const draft = { hostname: hosts[place], isCaseSensitive: place === "strict" };
    ids[place] = await addDomain(service, account.orgId, draft);
  }
  return ids;
}

const APPS = [
  { name: "Shop", android: { packageName: "com.acme.shop" }, ios: { teamId: "A1B2C3D4E5", bundleId: "com.acme.shop" } },
  { name: "Store", ios: { appStoreId: "123456789", scheme: "acme" }, android: { packageName: "com.acme.store" } },
  { name: "Reader", fallback: "web", ios: { appStoreId: "987654321" } },
];
const BRANDING = { name: "Acme", branding: { displayName: "Acme Garden", accentColor: "#116633" } };

/** One app after the other: of those that a link could have without naming one, the first counts. */
async function furnish(home: Home): Promise<string[]> {
  await call(home, "PATCH", "", BRANDING);
  const ids: string[] = [];
  for (const app of APPS) ids.push(await created(home, "/apps", app));
  return ids;
}

/** Sets again what no export contains, as the guide says. */
async function setPasswords(home: Home, links: readonly LinkInput[]): Promise<void> {
  const activeBy = new Map(links.map(({ externalId, isActive = true }) => [externalId ?? "", isActive]));
  const { body } = await call<{ links: Link[] }>(home, "GET", "/links?limit=100");
  const guarded = links.filter(({ password }) => password).map(({ externalId }) => externalId);
  for (const { _id, externalId } of body.links.filter((link) => guarded.includes(link.externalId))) {
    const isActive = activeBy.get(externalId ?? "");
    const { status } = await call(home, "PATCH", `/links/${_id}`, { password: PASSWORD, isActive });
    expect(status).toBe(200);
  }
}

const exported = async (home: Home) => (await call<string>(home, "GET", "/links/export.csv")).body.toString();

const origin: Home = {
  service: here,
  account: await here.register(),
  hosts: { ...HOSTS, shared: here.host },
};
const links = drawLinks();
let copies: Record<"file" | "archive", Home>;

beforeAll(async () => {
  const domains = await addDomains(origin);
  const apps = await furnish(origin);
  const bodies = links.map(({ place, app, ...link }) => ({
    ...link,
    domainId: domains[place],
    ...(app !== undefined && { appProfileId: apps[app] }),
    ...(link.password && { password: PASSWORD }),
  }));
  const { body } = await call<BulkLinkResult>(origin, "POST", "/links/bulk", { links: bodies });
  expect(body.errors).toEqual([]);
  copies = { file: await copied(), archive: await restored() };
});

async function copied(): Promise<Home> {
  const account = await there.register();
  const hosts = {
    shared: "shared.copy.test",
    own: "own.copy.test",
    strict: "strict.copy.test",
    wide: "wide.copy.test",
  };
  const home = { service: there, account, hosts };
  const ids = await addDomains(home);
  const shared = await addDomain(there, account.orgId, { hostname: hosts.shared });
  await furnish(home);
  const map = Object.entries({ ...ids, shared }).map(([place, id]) => [origin.hosts[place as Place], id]);
  const done = await runImport(there, account, {
    text: await exported(origin),
    name: "links.csv",
    options: { domainMap: Object.fromEntries(map) },
  });
  const lost = (await ledgerOf(there, account, done._id)).filter(({ result }) => result !== "created");
  expect([lost, done.status]).toEqual([[], "done"]);
  await setPasswords(home, links);
  return home;
}

/** The archive's owner is an account of the other service by then, with another password. */
async function restored(): Promise<Home> {
  const file = join(folder, "acme.tar.gz");
  await Bun.write(file, await archiveOf(here.sql, origin.account.orgId));
  expect(await importArchive(database, file)).toMatchObject({ ok: true });
  const stranger = await there.register();
  await there.sql`insert into memberships (id, org_id, user_id, role)
    select ${Bun.randomUUIDv7()}, ${origin.account.orgId}, id, 'owner' from users where email = ${stranger.email}`;
  const account = { ...stranger, orgId: origin.account.orgId };
  const home = { service: there, account, hosts: { ...HOSTS, shared: there.host } };
  await setPasswords(home, links);
  return home;
}

interface Told {
  status: number;
  location?: string;
  body?: string;
}

async function answerTo({ service, hosts }: Home, visit: DrawnVisit): Promise<Told> {
  const { place, path, query, headers, isResolved } = visit;
  const known = { ...NAVIGATION, ...headers };
  const own = (text: string) => comparable(text, hosts);
  if (isResolved) {
    const [, pathPrefix = "", slug = ""] = /^(?:(.*)\/)?([^/]*)$/.exec(decodeURI(path)) ?? [];
    const asked = new URLSearchParams({ domain: hosts[place], slug, ...(pathPrefix && { pathPrefix }), query });
    const answer = await fetch(`${service.url}/api/v1/resolve?${asked}`, { headers: known });
    return { status: answer.status, body: own(await answer.text()) };
  }
  const answer = await fetch(`${service.url}/${path}${query && `?${query}`}`, {
    redirect: "manual",
    headers: { ...known, host: hosts[place] },
  });
  const text = await answer.text();
  const location = own(answer.headers.get("location") ?? "");
  return { status: answer.status, location, ...(isOfLink(answer) && { body: own(text) }) };
}

/** Pages about links that cannot be visited are those of the domain, which is the service's own or an organization's. */
const isOfLink = ({ status }: Response): boolean => status !== 404 && status !== 410;

/** Takes out what differs at each visit, or between any two organizations; a split deals visitors of its own. */
const comparable = (text: string, hosts: Record<Place, string>): string =>
  Object.entries(hosts)
    .reduce((told, [place, host]) => told.replaceAll(host, place).replaceAll(encodeURIComponent(host), place), text)
    .replaceAll(/http(:|%3A)/g, "https$1")
    .replaceAll(/(match_token|wm_visit)(=|%3D|%253D)[\w-]+/g, "$1$2TOKEN")
    .replaceAll(/([?&](?:amp;)?ct=)[\w-]{22,30}/g, "$1TOKEN")
    .replaceAll(/<style[^>]*>[^<]*<\/style>/g, "")
    .replaceAll(/((?:nonce|name="wm_\w+" value)=")[^"]*/g, "$1")
    .replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, "ID")
    .replaceAll(/\/split-\d/g, "/split");

test("visits get the same answers at the copies", async () => {
  const [statuses, differences] = [new Set<number>(), [] as object[]];
  for (const visit of drawVisits(links, VISITS)) {
    at = visit.at;
    const wanted = await answerTo(origin, visit);
    statuses.add(wanted.status);
    for (const [form, home] of Object.entries(copies)) {
      const told = await answerTo(home, visit);
      if (!Bun.deepEquals(told, wanted)) differences.push({ form, visit, told, wanted });
    }
  }
  expect(differences.slice(0, 3)).toEqual([]);
  // Each kind of answer is among them.
  expect([...statuses].sort()).toEqual([200, 302, 403, 404, 410]);
});
