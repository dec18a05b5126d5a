/** Bio pages as visitors see them: the page, where its items lead, what is counted, and what changes take effect. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addDomain } from "@test/support/accounts/tenants";
import { CLIENT_HEADER, startTestService, type TestService } from "@test/support/service";
import { eventually, untilShown } from "@test/support/until";
import type { BioPage } from "@/contract/links/bio-pages";
import type { Link } from "@/contract/links/links";

const folder = await mkdtemp(join(tmpdir(), "waymark-bio-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
const BLOCKLIST_FILE = join(folder, "blocklist.txt");
await writeFile(BLOCKLIST_FILE, "evil.example\n");

const HOST = "bio.example";
const env = { SHORT_DOMAIN: HOST, BLOCKLIST_FILE };
const here = await startTestService({ env });
const there = await startTestService({ env: { ...env, DATABASE_URL: here.databaseUrl } });
const ada = await here.register();
const home = `/api/v1/organizations/${ada.orgId}`;
const { token } = ada;
const PHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1";
/** Another visitor: the one used elsewhere in this file clicks as often as a machine. */
const SOMEBODY_ELSE = { [CLIENT_HEADER]: "203.0.113.9" };

const created = async (body: Record<string, unknown>) => {
  const reply = await here.call<BioPage>("POST", `${home}/bio-pages`, { token, body: { title: "Ada", ...body } });
  expect([reply.status, reply.body]).toEqual([200, expect.any(Object)]);
  return reply.body;
};
const changed = async (path: string, body?: Record<string, unknown>) => {
  const reply = await here.call("PATCH", `${home}/${path}`, { token, body });
  expect([reply.status, reply.body]).toEqual([200, expect.any(Object)]);
};
const deleted = (path: string) => here.call("DELETE", `${home}/${path}`, { token });
const visit = (path: string, server: TestService = here, headers: Record<string, string> = {}) =>
  server.visit(path, { host: HOST, "user-agent": PHONE, ...headers });
const htmlAt = async (path: string, server: TestService = here) => (await visit(path, server)).text();
const keyOf = (page: BioPage, at = 0) => page.links[at]?.key ?? "";
/** Returns the targets of the page's items in their order. */
const hrefsIn = (html: string) => [...html.matchAll(/class="item" href="([^"]*)"/g)].map(([, href]) => href ?? "");
const link = (slug: string, body: Record<string, unknown> = {}) =>
  here.createLink(ada, { defaultUrl: `https://example.com/${slug}`, slug, ...body });

const clicksOf = async (linkId: string) => {
  const { body } = await here.call("GET", `${home}/analytics/overview?linkId=${linkId}`, { token });
  return Number(body.totalClicks);
};
const storedOf = (linkId: string) =>
  here.sql`select route_kind, split_key, destination_url from clicks where link_id = ${linkId} order by id`;

test("items have the organization's accent color, unless the theme has one or is of high contrast", async () => {
  const eve = await here.register();
  const path = `/api/v1/organizations/${eve.orgId}`;
  const send = (method: string, where: string, body: unknown) =>
    here.call<BioPage>(method, path + where, { token: eve.token, body });
  expect((await send("PATCH", "", { branding: { accentColor: "#0b5d4b" } })).status).toBe(200);
  expect((await send("POST", "/bio-pages", { title: "Eve", slug: "eve-first" })).status).toBe(200);
  await untilShown(() => htmlAt("/eve-first"), "--accent:#0b5d4b");
  const accentsOf = async (slug: string, theme: object) => {
    expect((await send("POST", "/bio-pages", { title: "Eve", slug, theme })).status).toBe(200);
    return [...(await htmlAt(`/${slug}`)).matchAll(/--accent:(#\w+)/g)].map(([, color]) => color);
  };
  expect(await accentsOf("eve-plain", {})).toEqual(["#0b5d4b"]);
  expect(await accentsOf("eve-auto", { preset: "auto" })).toEqual(["#0b5d4b", "#0b5d4b"]);
  expect(await accentsOf("eve-own", { accent: "#ffb300" })).toEqual(["#ffb300"]);
  expect(await accentsOf("eve-contrast", { preset: "contrast" })).toEqual(["#ffe600"]);
});

describe("403", () => {
  test("for a page with a blocklisted destination, until that item is removed", async () => {
    const links = [{ title: "a", url: "https://evil.example/" }];
    const page = await created({ slug: "unsafe", links });
    expect([page.safety.status, (await visit("/unsafe")).status]).toEqual(["unsafe", 403]);
    await changed(`bio-pages/${page._id}`, { links: [] });
    expect((await visit("/unsafe")).status).toBe(200);
  });
});

describe("404", () => {
  test("for an inactive or deleted page, on both servers", async () => {
    const page = await created({ slug: "hidden" });
    const statuses = async () => [(await visit("/hidden")).status, (await visit("/hidden", there)).status];
    await eventually(statuses, [200, 200]);
    await changed(`bio-pages/${page._id}`, { isActive: false });
    await eventually(statuses, [404, 404]);
    await changed(`bio-pages/${page._id}`, { isActive: true });
    await eventually(statuses, [200, 200]);
    await deleted(`bio-pages/${page._id}`);
    await eventually(statuses, [404, 404]);
  });
});

describe("405", () => {
  test.each(["POST", "PUT", "DELETE"])("for %s", async (method) => {
    await created({ slug: `read-${method}` });
    const response = await fetch(`${here.url}/read-${method}`, { method, headers: { host: HOST } });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });
});

describe("200", () => {
  test("with title, bio, active items and link preview tags, and no scripts", async () => {
    await created({
      slug: "whole",
      title: "Ada's page",
      bio: "We make\nthings.",
      theme: { preset: "dark", font: "serif" },
      links: [
        { title: "Shop", url: "https://example.com/shop", icon: "shop" },
        { title: "On Instagram", url: "https://example.com/ig", icon: "instagram" },
        { title: "Hidden", url: "https://example.com/hidden", isActive: false },
      ],
    });
    const response = await visit("/whole", here, { accept: "application/json" });
    const headers = Object.fromEntries(response.headers);
    expect(response.status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "private, no-store",
      "x-content-type-options": "nosniff",
      "x-robots-tag": "all",
    });
    const html = await response.text();
    const nonce = /style-src 'nonce-([^']+)'/.exec(headers["content-security-policy"] ?? "")?.[1];
    expect(headers["content-security-policy"]).toStartWith("default-src 'none'; ");
    expect(html).toContain(`<style nonce="${nonce}">`);
    expect(html).not.toContain("<script");
    expect(html).not.toContain("noindex");
    expect(html).toContain("<title>Ada&#x27;s page</title>");
    expect(html).toContain('<meta property="og:title" content="Ada\'s page"/>');
    expect(html).toContain("We make\nthings.");
    expect(html).toContain(`<link rel="canonical" href="http://${HOST}/whole"/>`);
    expect(html).toContain("<svg");
    expect(hrefsIn(html)).toHaveLength(2);
    expect(html).not.toContain("Hidden");
  });

  test("with headings above the items that follow, unless there are none, and small and large images", async () => {
    const url = "https://example.com/";
    const imageUrl = "https://elsewhere.example/a.jpg";
    const page = await created({
      slug: "divided",
      links: [
        { title: "Before", url },
        { title: "Small", url, icon: "instagram", display: "icon" },
        { title: "New <here>", display: "heading" },
        { title: "Large", url, imageUrl, display: "card" },
        { title: "Little", url, imageUrl, icon: "shop" },
        { title: "Nothing below", display: "heading" },
        { title: "Off", url, isActive: false },
        { title: "Only an icon below", display: "heading" },
        { title: "Row", url, imageUrl, display: "icon" },
        { title: "After", display: "heading" },
        { title: "Unseen", display: "heading", isActive: false },
        { title: "Last", url },
      ],
    });
    const response = await visit("/divided");
    const html = await response.text();
    const shown = [...html.matchAll(/<(h2|a|img|svg)\b[^>]*>(?:<span dir="auto">|(?=[^<]))?([^<]*)/g)];
    expect(shown.map(([, tag, text]) => `${tag} ${text}`.trim())).toEqual([
      ...["a", "svg", "a", "img", "a Before"],
      ...["h2 New &lt;here&gt;", "a", "img Large", "a", "img Little", "h2 After", "a Last"],
    ]);
    const tag = /images\/thumb\/[^/]+\/([0-9a-f]{32})/.exec(html)?.[1];
    const of = `/.well-known/waymark/images/%/${page._id}/${tag}`;
    expect(html).toContain(`<img src="${of.replace("%", "tile")}" alt="" width="640" height="320" loading="lazy"/>`);
    expect(html.split(`<img class="thumb" src="${of.replace("%", "thumb")}" alt=""`)).toHaveLength(3);
    expect(html).not.toContain("elsewhere.example");
    expect(response.headers.get("content-security-policy")).toContain("; img-src 'self';");
    // A heading leads nowhere.
    expect((await visit(`/divided?item=${keyOf(page, 2)}`)).status).toBe(200);
  });

  test("with a gradient only where the theme has one, and never in dark mode", async () => {
    await created({ slug: "flat", theme: { background: "#fff" } });
    await created({ slug: "faded", theme: { background: "#fff", backgroundEnd: "#ffd9a8" } });
    await created({ slug: "faded-auto", theme: { preset: "auto", backgroundEnd: "#ffd9a8" } });
    expect(await htmlAt("/flat")).not.toContain("gradient");
    const gradient = "body{background:linear-gradient(var(--ground),#ffd9a8) no-repeat var(--ground)}";
    expect(await htmlAt("/faded")).toContain(`}${gradient}</style>`);
    expect(await htmlAt("/faded-auto")).toContain(`@media not (prefers-color-scheme:dark){${gradient}}</style>`);
  });

  test("for HEAD as for GET, without a body", async () => {
    await created({ slug: "head" });
    const headers = { host: HOST, "user-agent": PHONE };
    const response = await fetch(`${here.url}/head`, { method: "HEAD", headers });
    expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
      200,
      "text/html; charset=utf-8",
      "",
    ]);
  });

  test("compresses a long page for clients that accept gzip", async () => {
    const links = Array.from({ length: 50 }, (_, at) => ({
      title: `Item ${at}`,
      url: "https://example.com/",
      icon: "x",
    }));
    await created({ slug: "long", links });
    const sent = async (encoding: string) => {
      const headers = { host: HOST, "user-agent": PHONE, "accept-encoding": encoding };
      const response = await fetch(`${here.url}/long`, { headers, decompress: false });
      const bytes = await response.bytes();
      const isGzip = response.headers.get("content-encoding") === "gzip";
      return [
        isGzip,
        new TextDecoder().decode(isGzip ? Bun.gunzipSync(new Uint8Array(bytes)) : bytes).includes("Item 49"),
      ];
    };
    for (const encoding of ["gzip, deflate, br", "br;q=1, gzip;q=0.5"]) {
      expect([encoding, ...(await sent(encoding))]).toEqual([encoding, true, true]);
    }
    for (const encoding of ["identity", "br, gzip;q=0", "gzip;q=0.0", "xgzip"]) {
      expect([encoding, ...(await sent(encoding))]).toEqual([encoding, false, true]);
    }
  });

  test("with a new nonce each time", async () => {
    await created({ slug: "nonces" });
    const policies = [await visit("/nonces"), await visit("/nonces")].map(({ headers }) =>
      headers.get("content-security-policy"),
    );
    expect(policies[0]).not.toBe(policies[1]);
  });

  test("escapes markup in the title, bio, items and query", async () => {
    const evil = `"><script>alert(1)</script>&lt;'`;
    const links = [{ title: evil, url: "https://example.com/", icon: `<b>"` }];
    await created({ slug: "evil", title: evil, bio: evil, links });
    const html = await (await visit(`/evil?${encodeURI(evil)}&a="><script>`)).text();
    const elements = new Map<string, number>();
    const count = (element: { tagName: string }) => {
      elements.set(element.tagName, (elements.get(element.tagName) ?? 0) + 1);
    };
    new HTMLRewriter().on("*", { element: count }).transform(html);
    expect([elements.get("script"), elements.get("b"), elements.get("a"), elements.get("meta")]).toEqual([
      ...[undefined, undefined, 1, 8],
    ]);
    expect(html).toContain("&amp;lt;");
  });

  test("with the page instead of a redirect for an unknown or inactive item", async () => {
    const page = await created({
      slug: "no-item",
      links: [{ title: "a", url: "https://example.com/", isActive: false }],
    });
    for (const item of ["unknown", "", keyOf(page), "%00", "%zz"]) {
      expect([item, (await visit(`/no-item?item=${item}`)).status]).toEqual([item, 200]);
    }
  });
});

describe("302", () => {
  test("to an item's destination, with the visitor's query minus the item, and noindex", async () => {
    const page = await created({ slug: "items", links: [{ title: "a", url: "https://example.com/a?x=1#end" }] });
    const response = await visit(`/items?utm_source=ig&item=${keyOf(page)}&x=2`);
    expect([response.status, response.headers.get("location")]).toEqual([
      302,
      "https://example.com/a?utm_source=ig&x=2#end",
    ]);
    expect([response.headers.get("cache-control"), response.headers.get("x-robots-tag")]).toEqual([
      "private, no-store",
      "noindex",
    ]);
    const headers = { host: HOST, "user-agent": PHONE };
    const url = `${here.url}/items?item=${keyOf(page)}`;
    const head = await fetch(url, { method: "HEAD", redirect: "manual", headers });
    expect([head.status, head.headers.get("location")]).toEqual([302, "https://example.com/a?x=1#end"]);
  });

  test("items on the page pass on the visitor's query, but no passwords and no long query", async () => {
    const { shortUrl, _id: linkId } = await link("carried-to");
    const page = await created({
      slug: "carried",
      links: [
        { title: "a", url: "https://example.com/" },
        { title: "b", linkId },
      ],
    });
    const html = await htmlAt("/carried?utm_source=ig&pw=secret&password=secret&item=none");
    expect(hrefsIn(html)).toEqual([`?item=${keyOf(page)}&amp;utm_source=ig`, `${shortUrl}?utm_source=ig`]);
    expect(hrefsIn(await htmlAt(`/carried?long=${"a".repeat(600)}`))).toEqual([`?item=${keyOf(page)}`, shortUrl]);
  });

  test("to a store with a match token, which the app can match to the page", async () => {
    const url = "https://play.google.com/store/apps/details?id=com.example";
    const page = await created({ slug: "store", links: [{ title: "a", url }] });
    const location = (await visit(`/store?item=${keyOf(page)}`)).headers.get("location") ?? "";
    const matchToken = /match_token%3D([\w-]+)/.exec(location)?.[1];
    const { body } = await here.call("POST", "/api/v1/match", { body: { matchToken } });
    expect(body).toMatchObject({ matched: true, destinationUrl: page.url });
  });

  test("to the new destination as soon as the item with the same key changes", async () => {
    const page = await created({ slug: "moved", links: [{ title: "a", url: "https://example.com/old" }] });
    const key = keyOf(page);
    const at = async (server: TestService) => (await visit(`/moved?item=${key}`, server)).headers.get("location");
    await eventually(() => at(there), "https://example.com/old");
    await changed(`bio-pages/${page._id}`, { links: [{ title: "a", url: "https://example.com/new", key }] });
    expect(await at(here)).toBe("https://example.com/new");
    await eventually(() => at(there), "https://example.com/new");
  });
});

describe("items that refer to links", () => {
  const pageOf = async (slug: string, linked: Link) => {
    await created({ slug, links: [{ title: "linked", linkId: linked._id }] });
    return async () => hrefsIn(await htmlAt(`/${slug}`));
  };

  test("lead to the link's short URL, even if it has a password or a limit of visits", async () => {
    for (const [slug, body] of [
      ["plain", {}],
      ["locked", { password: "open sesame" }],
      ["limited", { maxClicks: 1 }],
    ] as const) {
      const linked = await link(`to-${slug}`, body);
      expect(await (await pageOf(`page-${slug}`, linked))()).toEqual([linked.shortUrl]);
    }
  });

  test.each([
    ["is inactive", { isActive: false }, { isActive: true }],
    ["is unsafe", { defaultUrl: "https://evil.example/" }, { defaultUrl: "https://example.com/" }],
    ["has expired", { expiresAt: "2020-01-01T00:00:00Z" }, { expiresAt: null }],
    ["has not begun", { startsAt: "2999-01-01T00:00:00Z" }, { startsAt: null }],
  ])("are left out while the link %s", async (name, off, on) => {
    const slug = name.replaceAll(" ", "-");
    const linked = await link(`to-${slug}`);
    const hrefs = await pageOf(`page-${slug}`, linked);
    expect(await hrefs()).toEqual([linked.shortUrl]);
    await changed(`links/${linked._id}`, off);
    expect(await hrefs()).toEqual([]);
    await changed(`links/${linked._id}`, on);
    expect(await hrefs()).toEqual([linked.shortUrl]);
  });

  test("are left out once the link is deleted, even if another organization takes its slug", async () => {
    const linked = await link("to-deleted");
    const hrefs = await pageOf("page-deleted", linked);
    const seenThere = async () => hrefsIn(await htmlAt("/page-deleted", there));
    expect(await hrefs()).toEqual([linked.shortUrl]);
    await eventually(seenThere, [linked.shortUrl]);
    await deleted(`links/${linked._id}`);
    expect(await hrefs()).toEqual([]);
    await eventually(seenThere, []);
    const eve = await here.register();
    await here.createLink(eve, { defaultUrl: "https://example.com/eve", slug: "to-deleted" });
    expect((await visit("/to-deleted")).status).toBe(302);
    expect(await hrefs()).toEqual([]);
  });

  test("are left out if the link's domain is no longer verified", async () => {
    const domainId = await addDomain(here, ada.orgId, { hostname: "go.bio.test" });
    const linked = await link("to-domain", { domainId });
    const hrefs = await pageOf("page-domain", linked);
    await eventually(hrefs, [linked.shortUrl]);
    await here.sql`update domains set is_verified = false where id = ${domainId}`;
    await addDomain(here, ada.orgId, { hostname: "other.bio.test" });
    await eventually(hrefs, []);
  });
});

describe("figures", () => {
  test("count each click on an item once, by key and destination at the time, but no page views", async () => {
    const links = ["one", "two"].map((name) => ({ title: name, url: `https://example.com/${name}` }));
    const page = await created({ slug: "counted", links });
    const [one, two] = page.links.map(({ key }) => key);
    for (let time = 0; time < 3; time++) await htmlAt("/counted");
    const click = (key = "") => visit(`/counted?item=${key}`, here, SOMEBODY_ELSE);
    await click(one);
    await click(two);
    await changed(`bio-pages/${page._id}`, { links: [{ title: "one", url: "https://example.com/later", key: one }] });
    await click(one);
    await click(two);
    await eventually(() => clicksOf(page._id), 3);
    expect([...(await storedOf(page._id))]).toEqual([
      { route_kind: "split", split_key: one, destination_url: "https://example.com/one" },
      { route_kind: "split", split_key: two, destination_url: "https://example.com/two" },
      { route_kind: "split", split_key: one, destination_url: "https://example.com/later" },
    ]);
    await deleted(`bio-pages/${page._id}`);
    expect(await clicksOf(page._id)).toBe(3);
  });

  test("count toward the organization, but bio pages are not among its top links", async () => {
    const bob = await here.register();
    const asBob = { token: bob.token };
    const of = `/api/v1/organizations/${bob.orgId}`;
    const body = { title: "Bob", slug: "bob", links: [{ title: "a", url: "https://example.com/" }] };
    const page = (await here.call<BioPage>("POST", `${of}/bio-pages`, { ...asBob, body })).body;
    const linked = await here.createLink(bob, { defaultUrl: "https://example.com/", slug: "bobs" });
    for (const path of [`/bob?item=${keyOf(page)}`, `/bob?item=${keyOf(page)}&again`, "/bobs"]) await visit(path);
    const total = async () => (await here.call("GET", `${of}/analytics/overview`, asBob)).body.totalClicks;
    await eventually(total, 3);
    const top = await here.call<{ links: { _id: string }[] }>("GET", `${of}/analytics/top-links`, asBob);
    expect(top.body.links.map(({ _id }) => _id)).toEqual([linked._id]);
  });
});

describe("association files", () => {
  test("exclude the domain's bio pages from their creation to their deletion", async () => {
    const hostname = "files.bio.test";
    const domainId = await addDomain(here, ada.orgId, { hostname });
    await addDomain(here, ada.orgId, { hostname: "more.bio.test" });
    const app = { name: "App", ios: { teamId: "A1B2C3D4E5", bundleId: "com.acme.shop" } };
    await here.call("POST", `${home}/apps`, { token, body: app });
    const excluded = async () => {
      const response = await here.visit("/.well-known/apple-app-site-association", { host: hostname });
      if (response.status !== 200) return [];
      const { applinks } = (await response.json()) as {
        applinks: { details: { components: Record<string, unknown>[] }[] };
      };
      const components = applinks.details[0]?.components ?? [];
      return components.filter(({ exclude }) => exclude).map((component) => component["/"]);
    };
    const ownFiles = ["/.well-known/*"];
    await eventually(excluded, ownFiles);
    await created({ slug: "on-the-shared-domain" });
    const page = await created({ slug: "über", domainId });
    expect(await excluded()).toEqual([...ownFiles, "/%C3%BCber", "/%C3%BCber/"]);
    await deleted(`bio-pages/${page._id}`);
    expect(await excluded()).toEqual(ownFiles);
  });
});
