/** Where visitors go who are turned away: by setting of the ended link, and of the domain they visited. */
import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { addDomain } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import { makeFolderOfFile } from "@test/support/servers/folder-of-file";
import { type Account, startTestService } from "@test/support/service";
import { eventually, until } from "@test/support/until";
import type { UnservedVisits } from "@/contract/analytics/unserved";
import type { Domain, DomainUpdate } from "@/contract/domains";
import type { BioPage } from "@/contract/links/bio-pages";
import type { LinkPreview } from "@/contract/links/link-preview";
import type { Link, LinkInput, LinkUpdate } from "@/contract/links/links";

const START = Date.parse("2026-06-01T12:30:00.000Z");
const PERSON =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const FORM = "application/x-www-form-urlencoded";
const OVER = "https://example.com/sale-is-over?from=waymark#top";

let now = START;
const folder = await makeFolderOfFile();
const blocklistFile = join(folder, "blocklist.txt");
await Bun.write(blocklistFile, "listed.example\n");
const service = await startTestService({ clock: () => now, env: { BLOCKLIST_FILE: blocklistFile } });
const second = await startTestService({
  clock: () => now,
  env: { SHORT_DOMAIN: service.host, DATABASE_URL: service.databaseUrl },
});
const ada = await service.register();
const home = `/api/v1/organizations/${ada.orgId}`;
const defaultUrl = "https://example.com/";
const past = new Date(START - 1000).toISOString();

const create = (input: Partial<LinkInput>) => service.createLink(ada, { defaultUrl, ...input });
const update = (link: Link, body: LinkUpdate) =>
  service.call<Link>("PATCH", `${home}/links/${link._id}`, { token: ada.token, body });
const preview = async (body: object) =>
  (await service.call<LinkPreview>("POST", `${home}/links/preview`, { token: ada.token, body })).body;

async function answer(url: string, init: RequestInit = {}) {
  const headers = { "user-agent": PERSON, accept: "text/html", ...init.headers };
  const response = await fetch(url, { redirect: "manual", ...init, headers });
  return { status: response.status, location: response.headers.get("location"), headers: response.headers };
}
const to = (location: string, status = 302) => expect.objectContaining({ status, location });

async function untilUnserved({ orgId, token }: Account, query: string, total: number): Promise<UnservedVisits> {
  const path = `/api/v1/organizations/${orgId}/analytics/unserved?${query}`;
  const read = async () => (await service.call<UnservedVisits>("GET", path, { token })).body;
  let body = await read();
  await until(async () => {
    body = await read();
    return body.total >= total;
  });
  return body;
}

describe("expiredUrl", () => {
  test("receives all visitors from the exact millisecond of expiry, without added parameters", async () => {
    const expiresAt = START + 5000;
    const link = await create({
      expiresAt: new Date(expiresAt).toISOString(),
      expiredUrl: OVER,
      utm: { source: "tv" },
    });
    now = expiresAt - 1;
    expect(await answer(link.shortUrl)).toEqual(to(`${defaultUrl}?utm_source=tv`));
    now = expiresAt;
    const gone = await answer(`${link.shortUrl}?pw=secret&utm_source=mail`);
    expect(gone).toEqual(to(OVER));
    expect(gone.headers.get("cache-control")).toBe("private, no-store");
    expect(gone.headers.get("x-robots-tag")).toBe("noindex");
    const askers: RequestInit[] = [
      { method: "HEAD" },
      { headers: { accept: "application/json" } },
      { headers: { "user-agent": "curl/8.0" } },
    ];
    for (const init of askers) {
      expect(await answer(link.shortUrl, init)).toEqual(to(OVER));
    }
    const form = { method: "POST", body: "password=open", headers: { "content-type": FORM } };
    expect(await answer(link.shortUrl, form)).toEqual(to(OVER, 303));
    expect((await answer(link.shortUrl, { method: "DELETE" })).status).toBe(410);
    now = START;
  });

  test("leads nobody in a circle over ended links of the shared domain", async () => {
    const [one, other] = [await create({ slug: "ended-one" }), await create({ slug: "ended-other" })];
    await update(one, { expiresAt: past, expiredUrl: other.shortUrl });
    await update(other, { expiresAt: past, expiredUrl: one.shortUrl });
    // Where a link leads that is not cached is known from the next visit on.
    for (const link of [one, other]) await eventually(async () => (await answer(link.shortUrl)).status, 410);
    await update(other, { expiresAt: null });
    expect(await answer(one.shortUrl)).toEqual(to(other.shortUrl));
  });

  test("receives visitors once maxClicks is reached", async () => {
    const link = await create({ maxClicks: 1, expiredUrl: OVER });
    expect(await answer(link.shortUrl)).toEqual(to(defaultUrl));
    expect(await answer(link.shortUrl)).toEqual(to(OVER));
  });

  test("can be changed and cleared with immediate effect, and the revisions list it", async () => {
    const link = await create({ expiresAt: past, expiredUrl: OVER });
    expect(link.expiredUrl).toBe(OVER);
    expect(await answer(link.shortUrl)).toEqual(to(OVER));
    expect((await update(link, { expiredUrl: "HTTPS://Example.com/ünder" })).body.expiredUrl).toBe(
      "https://example.com/%C3%BCnder",
    );
    expect(await answer(link.shortUrl)).toEqual(to("https://example.com/%C3%BCnder"));
    expect((await update(link, { expiredUrl: null })).body).not.toContainKey("expiredUrl");
    expect((await answer(link.shortUrl)).status).toBe(410);
    const history = `${home}/links/${link._id}/revisions`;
    const { body } = await service.call<{ revisions: { changes: unknown[] }[] }>("GET", history, { token: ada.token });
    expect(body.revisions[0]?.changes).toEqual([
      { field: "expiredUrl", from: "https://example.com/%C3%BCnder", to: null },
    ]);
  });

  test("does not change other refusals: inactive, not started, unsafe, or without the password", async () => {
    const input = { expiresAt: past, expiredUrl: OVER };
    const [off, unsafe] = [await create(input), await create(input)];
    await update(off, { isActive: false });
    await service.sql`update links set safety = '{"status":"unsafe","reasons":["phishing"]}' where id = ${unsafe._id}`;
    const early = await create({ startsAt: new Date(START + 1000).toISOString(), expiredUrl: OVER });
    const locked = await create({ password: "open sesame", expiredUrl: OVER });
    const statuses = [];
    for (const link of [off, unsafe, early, locked]) statuses.push((await answer(link.shortUrl)).status);
    expect(statuses).toEqual([404, 403, 404, 403]);
  });

  test("is shown by preview and does not affect resolve", async () => {
    const link = await create({ expiresAt: past, expiredUrl: OVER });
    expect(await preview({ slug: link.slug })).toMatchObject({ ok: false, blockers: ["expired"], blockedUrl: OVER });
    expect(await preview({ slug: link.slug, now: "2020-01-01" })).toMatchObject({ ok: true, blockedUrl: null });
    const { status } = await service.call("GET", `/api/v1/resolve?domain=${service.host}&slug=${link.slug}`);
    expect(status).toBe(410);
  });

  test("makes visits count as unserved, not as clicks", async () => {
    const link = await create({ expiresAt: past, expiredUrl: OVER });
    for (let times = 0; times < 3; times++) await answer(link.shortUrl);
    const { byReason } = await untilUnserved(ada, `linkId=${link._id}`, 3);
    expect(byReason).toEqual([{ reason: "expired", status: 410, count: 3 }]);
    await update(link, { expiresAt: null });
    await answer(link.shortUrl);
    const clicks = async () =>
      (await service.call<Link>("GET", `${home}/links/${link._id}`, { token: ada.token })).body.clickCount;
    await eventually(clicks, 1);
  });

  test.each([
    ["no URL", "ftp://example.com/"],
    ["a script", "javascript:alert(1)"],
    ["with a password", "https://ada:secret@example.com/"],
  ])("400 for %s", async (_, expiredUrl) => {
    expectFailure(
      await service.call("POST", `${home}/links`, { token: ada.token, body: { defaultUrl, expiredUrl } }),
      400,
      ["expiredUrl"],
    );
  });

  test("400 for the link's own short URL", async () => {
    const link = await create({ slug: "circle" });
    expectFailure(await update(link, { expiredUrl: `${link.shortUrl}?again` }), 400, ["expiredUrl"]);
    const body = { defaultUrl, slug: "round", expiredUrl: link.shortUrl.replace("circle", "ROUND") };
    expectFailure(await service.call("POST", `${home}/links`, { token: ada.token, body }), 400, ["expiredUrl"]);
  });
});

describe("a domain's redirects", () => {
  const HOST = "go.acme.test";
  const [ROOT, LOST, ENDED] = ["https://acme.example/", "https://acme.example/lost?a=1", "https://acme.example/ended"];
  let domainId: string;
  beforeAll(async () => {
    domainId = await addDomain(service, ada.orgId, { hostname: HOST });
  });

  const patch = (body: DomainUpdate, { token, orgId } = ada, id = domainId) =>
    service.call<Domain>("PATCH", `/api/v1/organizations/${orgId}/domains/${id}`, { token, body });
  const at = (path: string, init: RequestInit = {}, server = service.url) =>
    answer(`${server}${path}`, { ...init, headers: { host: HOST, ...init.headers } });
  const on = (input: Partial<LinkInput>) => create({ ...input, domainId });
  const pageOn = async (input: object) => {
    const body = { title: "Acme", ...input };
    return (await service.call<BioPage>("POST", `${home}/bio-pages`, { token: ada.token, body })).body;
  };

  test("apply to the root, to unknown paths and to expired links, unless the link has its own URL", async () => {
    const { status, body } = await patch({ redirects: { root: ROOT, notFound: LOST, expired: ENDED } });
    expect([status, body.redirects]).toEqual([200, { root: ROOT, notFound: LOST, expired: ENDED }]);
    await on({ slug: "gone", expiresAt: past });
    await on({ slug: "gone-there", expiresAt: past, expiredUrl: OVER });
    await on({ slug: "once", maxClicks: 1 });
    await on({ slug: "off", isActive: false });
    await on({ slug: "early", startsAt: new Date(START + 1000).toISOString() });
    expect(await at("/once")).toEqual(to(defaultUrl));
    const asked: [path: string, location: string][] = [
      ["/", ROOT],
      ["/?utm_source=tv", ROOT],
      ["/nothing?pw=secret", LOST],
      ["/nothing/at/all", LOST],
      ["/off", LOST],
      ["/early", LOST],
      ["/gone", ENDED],
      ["/once", ENDED],
      ["/gone-there", OVER],
    ];
    const askers: RequestInit[] = [{}, { method: "HEAD" }, { headers: { accept: "application/json" } }];
    for (const init of askers) {
      for (const [path, location] of asked) expect([path, await at(path, init)]).toEqual([path, to(location)]);
    }
    expect(await preview({ domain: HOST, slug: "off" })).toMatchObject({ blockedUrl: LOST });
    expect(await preview({ domain: HOST, slug: "gone" })).toMatchObject({ blockedUrl: ENDED });
    expect(await preview({ domain: HOST, slug: "gone-there" })).toMatchObject({ blockedUrl: OVER });
  });

  test("do not apply to files that browsers and crawlers request, other methods or other hosts", async () => {
    const reserved = [
      "/robots.txt",
      "/favicon.ico",
      "/.well-known/nothing",
      "/.well-known/assetlinks.json",
      "/sitemap.xml",
      "/apple-touch-icon.png",
      "/apple-touch-icon-120x120.png",
      "/apple-touch-icon-152x152-precomposed.png",
    ];
    for (const path of reserved) expect((await at(path)).location).toBeNull();
    const seen = [];
    for (const path of ["/nothing", "/off"]) seen.push((await at(path, { method: "DELETE" })).status);
    expect(seen).toEqual([404, 404]);
    for (const host of [service.host, "other.acme.test"]) {
      expect((await at("/nothing-there", { headers: { host } })).status).toBe(404);
    }
  });

  test("do not change resolve or the limit on probing, and count as unserved", async () => {
    for (const [slug, status] of [
      ["off", 404],
      ["gone", 410],
      ["nothing", 404],
    ] as const) {
      expect((await service.call("GET", `/api/v1/resolve?domain=${HOST}&slug=${slug}`)).status).toBe(status);
    }
    const statuses = new Set<number>();
    for (let times = 0; times < 70; times++) {
      statuses.add((await at(`/probe-${times}`, { headers: { "x-client": "203.0.113.9" } })).status);
    }
    expect([...statuses]).toEqual([302, 429]);
    const { byReason } = await untilUnserved(ada, `domainId=${domainId}&reason=expired`, 5);
    expect(byReason).toEqual([{ reason: "expired", status: 410, count: 5 }]);
    expect((await untilUnserved(ada, `domainId=${domainId}&reason=unknown`, 60)).total).toBeGreaterThanOrEqual(60);
  });

  test("may be set before the domain is verified, and apply from then on", async () => {
    const host = "new.acme.test";
    const unproven = await addDomain(service, ada.orgId, { hostname: host, isVerified: false });
    expect((await patch({ redirects: { root: ROOT, notFound: LOST } }, ada, unproven)).status).toBe(200);
    for (const path of ["/", "/nothing"]) expect((await at(path, { headers: { host } })).status).toBe(404);
    await service.sql`update domains set is_verified = true where id = ${unproven}`;
    await patch({ redirects: { root: ROOT, expired: ENDED } }, ada, unproven);
    expect(await at("/", { headers: { host } })).toEqual(to(ROOT));
  });

  test("do not lead visitors in a circle over two domains, but do where a link is in between", async () => {
    const [one, other] = ["one.acme.test", "other-one.acme.test"];
    const ids = [
      await addDomain(service, ada.orgId, { hostname: one }),
      await addDomain(service, ada.orgId, { hostname: other }),
    ];
    const leadTo = (host: string): DomainUpdate => ({
      redirects: { root: `https://${host}/`, notFound: `https://${host}/lost`, expired: `https://${host}/ended` },
    });
    await patch(leadTo(other), ada, ids[0]);
    await patch(leadTo(one), ada, ids[1]);
    for (const domainId of ids) {
      await create({ domainId, slug: "ended", expiresAt: past });
      await create({ domainId, slug: "ended-too", expiresAt: past, expiredUrl: `https://${other}/ended` });
    }
    const ends: [path: string, status: number][] = [
      ["/", 404],
      ["/nothing", 404],
      ["/ended", 410],
      ["/ended-too", 410],
    ];
    for (const [path, status] of ends) expect([path, await followed(`https://${one}${path}`)]).toEqual([path, status]);
    await create({ domainId: ids[1], slug: "lost" });
    expect(await at("/nothing-more", { headers: { host: one } })).toEqual(to(`https://${other}/lost`));
    expect(await at("/lost", { headers: { host: other } })).toEqual(to(defaultUrl));
  });

  test("do not lead visitors in a circle past a home page that is switched off", async () => {
    const [one, other] = ["home.acme.test", "other-home.acme.test"];
    const id = await addDomain(service, ada.orgId, { hostname: one });
    const page = await pageOn({ slug: "Home", domainId: id });
    const ofOther: DomainUpdate = { redirects: { root: `https://${one}/` } };
    await patch({ redirects: { root: { bioPageId: page._id }, notFound: `https://${other}/` } }, ada, id);
    await patch(ofOther, ada, await addDomain(service, ada.orgId, { hostname: other }));
    expect(await followed(`https://${other}/`)).toBe(200);
    const path = `${home}/bio-pages/${page._id}`;
    expect((await service.call("PATCH", path, { token: ada.token, body: { isActive: false } })).status).toBe(200);
    expect(await followed(`https://${one}/`)).toBe(404);
    expect(await followed(`https://${other}/`)).toBe(404);
  });

  test("do not lead visitors in a circle over two servers", async () => {
    const [here, there] = ["here.acme.test", "there.acme.test"];
    for (const [from, to] of [
      [here, there],
      [there, here],
    ] as const) {
      const id = await addDomain(service, ada.orgId, { hostname: from });
      await patch({ redirects: { notFound: `https://${to}/lost-there` } }, ada, id);
    }
    const url = `https://${here}/nothing`;
    await eventuallyServed(there, second.url);
    expect(await followed(url, (host) => (host === there ? second.url : service.url))).toBe(404);
  });

  /** Resolves once the server knows the domain's redirects, which it hears of a moment after the one that set them. */
  async function eventuallyServed(host: string, server: string): Promise<void> {
    const seen = async () => (await at("/favicon.ico", { headers: { host } }, server)).status;
    await until(async () => (await seen()) === 200);
  }

  /** Follows the redirects as a browser does. Returns the last status; throws after 20. */
  async function followed(url: string, serverOf: (host: string) => string = () => service.url): Promise<number> {
    let next = new URL(url);
    for (let redirects = 0; redirects < 20; redirects++) {
      const { status, location } = await at(next.pathname, { headers: { host: next.host } }, serverOf(next.host));
      if (location === null) return status;
      next = new URL(location);
    }
    throw new Error(`Too many redirects from ${url}`);
  }

  test("serve a bio page at the root, which cannot be deleted while it is there", async () => {
    const page = await pageOn({ domainId, slug: "Home", links: [{ title: "Shop", url: "https://example.com/shop" }] });
    expect((await patch({ redirects: { root: { bioPageId: page._id } } })).body.redirects).toEqual({
      root: { bioPageId: page._id },
    });
    const shown = await service.visit("/", { host: HOST, "user-agent": PERSON });
    const html = await shown.text();
    expect([shown.status, html.includes("Acme")]).toEqual([200, true]);
    const [, item = ""] = /href="(\?item=[^"]+)"/.exec(html) ?? [];
    expect(await at(`/${item}`)).toEqual(to("https://example.com/shop"));
    const path = `${home}/bio-pages/${page._id}`;
    expectFailure(await service.call("DELETE", path, { token: ada.token }), 409);
    await service.call("PATCH", path, { token: ada.token, body: { isActive: false } });
    expect((await at("/")).status).toBe(404);
    await patch({ redirects: null });
    expect((await service.call("DELETE", path, { token: ada.token })).status).toBe(200);
    expect((await at("/")).status).toBe(404);
  });

  test("are noted in the audit log", async () => {
    await patch({ redirects: { root: ROOT } });
    const path = `${home}/audit-logs?action=domain.redirects&limit=1`;
    const { body } = await service.call<{ auditLogs: { changes: object }[] }>("GET", path, { token: ada.token });
    expect(body.auditLogs[0]?.changes).toEqual({ "redirects.root": { from: null, to: ROOT } });
  });

  test("do not lead to a blocklisted URL, even one stored earlier", async () => {
    await service.sql`update domains set redirects = '{"root": "https://listed.example/"}' where id = ${domainId}`;
    await patch({ redirects: { root: "https://listed.example/x", notFound: LOST } }).then((reply) =>
      expectFailure(reply, 400, ["redirects.root"]),
    );
    await service.call("PATCH", home, { token: ada.token, body: { settings: { appendClickId: true } } });
    expect((await at("/")).status).toBe(404);
  });

  test.each<[string, DomainUpdate["redirects"], string]>([
    ["the domain itself", { notFound: `https://${HOST}/lost` }, "redirects.notFound"],
    ["the domain in another case, with a port and a dot", { root: `http://GO.acme.test.:8080/` }, "redirects.root"],
    ["no URL", { expired: "/lost" }, "redirects.expired"],
    ["a page where only URLs go", JSON.parse('{"notFound": {"bioPageId": "x"}}'), "redirects.notFound"],
  ])("400 for %s", async (_, redirects, field) => {
    expectFailure(await patch({ redirects }), 400, [field]);
  });

  test.each(["notFound", "expired"] as const)(
    "a page for %s is refused in words that tell where it can be",
    async (field) => {
      const redirects = { [field]: { bioPageId: Bun.randomUUIDv7() } } as DomainUpdate["redirects"];
      expect((await patch({ redirects })).body).toMatchObject({
        details: [`redirects.${field}: expected an absolute http or https URL; only \`root\` can be a bio page`],
      });
    },
  );

  test("400 for a page on another domain, 404 for an unknown one or another organization's", async () => {
    const other = await addDomain(service, ada.orgId, { hostname: "pages.acme.test" });
    const elsewhere = await pageOn({ domainId: other });
    const own = (bioPageId: string) => patch({ redirects: { root: { bioPageId } } });
    expectFailure(await own(elsewhere._id), 400, ["redirects.root.bioPageId"]);
    const link = await on({ slug: "no-page" });
    for (const id of [Bun.randomUUIDv7(), "nothing", link._id]) {
      expectFailure(await own(id), 404, ["redirects.root.bioPageId"]);
    }
    const eve = await service.register();
    const hers = await addDomain(service, eve.orgId, { hostname: "go.eve.test" });
    const stolen = { redirects: { root: { bioPageId: elsewhere._id } } };
    expectFailure(await patch(stolen, eve, hers), 404, ["redirects.root.bioPageId"]);
    expectFailure(await patch({ redirects: null }, eve), 404);
  });
});
