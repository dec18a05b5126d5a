/** Pages in the organization's branding and the visitor's language. */
import { describe, expect, test } from "bun:test";
import { addDomain } from "@test/support/accounts/tenants";
import { visitorOf } from "@test/support/forms";
import { startTestService } from "@test/support/service";
import { untilShown } from "@test/support/until";
import type { BioPage } from "@/contract/links/bio-pages";
import type { LinkInput } from "@/contract/links/links";

const service = await startTestService();
const ada = await service.register();
const defaultUrl = "https://example.com/";
const { open } = visitorOf(service, "192.0.2.1");
const html = async (path: string, headers?: Record<string, string>) => (await open(path, headers)).text();

const brand = (branding: Record<string, string>) =>
  service.call("PATCH", `/api/v1/organizations/${ada.orgId}`, { token: ada.token, body: { branding } });
const BRANDING = {
  displayName: "Acme & <Söhne>",
  logoUrl: "https://acme.example/logo.svg",
  accentColor: "#FC0",
  supportUrl: "https://acme.example/help?a=1&lt;=2",
  footerText: "Acme <Ltd>, London",
};
await brand(BRANDING);
await service.createLink(ada, { slug: "locked", defaultUrl, password: "open sesame" });
await service.createLink(ada, { slug: "gone", defaultUrl, expiresAt: "2020-01-01T00:00:00Z" });
await service.createLink(ada, { slug: "later", defaultUrl, startsAt: "2999-01-01T00:00:00Z" });
await service.createLink(ada, { slug: "cta", defaultUrl, ctaOverlay: { enabled: true } });
await service.createLink(ada, { slug: "lead", defaultUrl, leadCapture: { enabled: true } });

describe("branding", () => {
  test.each(["/locked", "/gone", "/cta", "/lead"])("appears on %s", async (path) => {
    const page = await untilShown(() => html(path), "Acme &amp; &lt;Söhne&gt;</span></header>");
    expect(page).toContain(`<img src="/.well-known/waymark/icons/${ada.orgId}" alt=""`);
    expect(page).toContain(":root{--accent:#ffcc00;--on-accent:#000000;");
    expect(page).toMatch(
      /<a (?:class="on" )?href="https:\/\/acme\.example\/help\?a=1&amp;lt;=2" rel="noopener">Help<\/a>/,
    );
    expect(page).toContain("Acme &lt;Ltd&gt;, London</p>");
    expect(page).not.toContain("logo.svg");
  });

  test.each(["/later", "/nothing"])("does not appear on %s, which looks like any unknown path", async (path) => {
    const page = await html(path);
    expect(page).not.toContain("Acme");
    expect(page.replaceAll(/nonce[=-]"?[^"]*"/g, "")).toBe((await html("/other")).replaceAll(/nonce[=-]"?[^"]*"/g, ""));
  });

  test("appears on a custom domain's pages for unknown and hidden links", async () => {
    const domainId = await addDomain(service, ada.orgId, { hostname: "go.acme.test" });
    await service.createLink(ada, { slug: "off", defaultUrl, domainId, isActive: false });
    const at = { host: "go.acme.test" };
    const pages = await Promise.all(["/nothing", "/off", "/"].map((path) => html(path, at)));
    for (const page of pages) expect(page).toContain("Acme &amp; &lt;Söhne&gt;</span></header>");
    expect(new Set(pages.map((page) => page.replaceAll(/nonce="[^"]*"/g, ""))).size).toBe(1);
  });

  test("links to the domain's home page if it has one", async () => {
    const domainId = await addDomain(service, ada.orgId, { hostname: "home.acme.test" });
    const at = { host: "home.acme.test" };
    const isHome = async () => (await html("/nothing", at)).includes('<a class="button quiet" href="/">');
    expect(await isHome()).toBe(false);
    const path = `/api/v1/organizations/${ada.orgId}/domains/${domainId}`;
    const body = { redirects: { root: "https://acme.example/" } };
    expect((await service.call("PATCH", path, { token: ada.token, body })).status).toBe(200);
    expect(await isHome()).toBe(true);
    const hosting = { token: ada.token, body: { enabled: true } };
    expect((await service.call("PATCH", `${path}/dashboard`, hosting)).status).toBe(200);
    expect(await isHome()).toBe(false);
  });

  test("leads to a home page only while visitors can see it", async () => {
    const domainId = await addDomain(service, ada.orgId, { hostname: "page.acme.test" });
    const at = { host: "page.acme.test" };
    const of = `/api/v1/organizations/${ada.orgId}`;
    const isHome = async () => (await html("/nothing", at)).includes('<a class="button quiet" href="/">');
    const change = async (path: string, body: object) =>
      expect((await service.call("PATCH", `${of}/${path}`, { token: ada.token, body })).status).toBe(200);
    const made = { token: ada.token, body: { title: "Acme", domainId } };
    const { body: page } = await service.call<BioPage>("POST", `${of}/bio-pages`, made);
    await change(`domains/${domainId}`, { redirects: { root: { bioPageId: page._id } } });
    expect(await isHome()).toBe(true);
    await change(`bio-pages/${page._id}`, { isActive: false });
    expect(await isHome()).toBe(false);
    await change(`bio-pages/${page._id}`, { isActive: true });
    expect(await isHome()).toBe(true);
    await service.sql`update links set safety = '{"status":"unsafe","reasons":["phishing"]}' where id = ${page._id}`;
    await change(`bio-pages/${page._id}`, { title: "Acme again" });
    expect(await isHome()).toBe(false);
  });

  test("is the service's own for unknown links, but absent for unsafe links on a custom domain", async () => {
    expect(await html("/nothing")).toContain('<header class="own">');
    await service.createLink(ada, {
      slug: "evil",
      defaultUrl,
      domainId: await addDomain(service, ada.orgId, { hostname: "evil.acme.test" }),
    });
    await service.sql`update links set safety = '{"status":"unsafe","reasons":["phishing"]}' where slug = 'evil'`;
    const page = await html("/evil", { host: "evil.acme.test" });
    expect(page).toContain("Unsafe link</h1>");
    expect([page.includes("Waymark"), page.includes("Acme")]).toEqual([false, false]);
  });

  test("is only a name if nothing else is set, and changes with the next page", async () => {
    await brand({ displayName: "Renamed" });
    const page = await untilShown(() => html("/cta"), "Renamed</span>");
    expect(page).toContain('<span class="tile" aria-hidden="true">R</span>');
    expect([page.includes("<img"), page.includes(":root{--accent:#ffcc00")]).toEqual([false, false]);
    await brand(BRANDING);
  });

  test("serves its logo from the short domain itself, including custom domains", async () => {
    await addDomain(service, ada.orgId, { hostname: "logo.acme.test" });
    const page = await untilShown(() => html("/nothing", { host: "logo.acme.test" }), "<img src=");
    const [, path = ""] = /<img src="([^"]+)"/.exec(page) ?? [];
    expect((await service.visit(path)).headers.get("content-type")).toBe("image/png");
    expect((await service.visit(path, { host: "logo.acme.test" })).headers.get("content-type")).toBe("image/png");
  });
});

describe("a page that leads to no destination", async () => {
  const BACK = /<button id="back" class="quiet" type="button" hidden>Go back<\/button><script nonce=/;
  const RETRY = '<a class="button" href="">Try again</a>';
  const host = "bare.eve.test";
  const eve = await service.register();
  const own = `/api/v1/organizations/${eve.orgId}`;
  const body = { branding: { displayName: "Eve Ltd" } };
  await service.call("PATCH", own, { token: eve.token, body });
  const domainId = await addDomain(service, eve.orgId, { hostname: host });
  const make = (slug: string, input: Partial<LinkInput> = {}) =>
    service.createLink(eve, { slug, defaultUrl, domainId, ...input });
  await make("bare-plain");
  await make("bare-gone", { expiresAt: "2020-01-01T00:00:00Z" });
  await make("bare-locked", { password: "open sesame" });
  await make("bare-bad");
  await service.sql`update links set safety = '{"status":"unsafe","reasons":["phishing"]}' where slug = 'bare-bad'`;

  /** Opens the page as a visitor of its own. */
  let visitors = 0;
  const openAt = async (path: string, init: RequestInit = {}, client = `198.51.100.${++visitors}`) => {
    const headers = { accept: "text/html", host, "x-client": client, ...init.headers };
    const response = await fetch(service.url + path, { redirect: "manual", ...init, headers });
    return [response.status, await response.text()] as const;
  };
  const probed = async () => {
    for (let slug = 0; slug < 60; slug++) await openAt(`/probed-${slug}`, {}, "203.0.113.60");
    return openAt("/probed-60", {}, "203.0.113.60");
  };
  const guessed = async () => {
    for (let time = 0; time < 10; time++) await openAt(`/bare-locked?pw=guess-${time}`, {}, "203.0.113.61");
    return openAt("/bare-locked?pw=guess", {}, "203.0.113.61");
  };
  const uncached = async () => {
    await service.sql`alter table links rename to links_away`;
    try {
      return await openAt("/never-asked-for");
    } finally {
      await service.sql`alter table links_away rename to links`;
    }
  };

  test.each([
    [400, () => openAt("/a%00b"), BACK],
    [404, () => openAt("/nothing"), BACK],
    [405, () => openAt("/bare-plain", { method: "PUT" }), RETRY],
    [410, () => openAt("/bare-gone"), BACK],
    [429, probed, RETRY],
    [429, guessed, RETRY],
    [503, uncached, RETRY],
  ])("has the domain's branding and a way on: %i", async (status, opened, way) => {
    const [given, page] = await opened();
    expect([given, page]).toEqual([status, expect.stringContaining("Eve Ltd</span></header>")]);
    expect(page).toMatch(way);
    expect(page.includes(`\u2068${host}\u2069 belongs to \u2068Eve Ltd\u2069.</p>`)).toBe(way === BACK);
  });

  test("names nobody if it is unsafe, but leads back", async () => {
    const [status, page] = await openAt("/bare-bad");
    expect([status, page.includes("Eve Ltd"), page.includes("belongs to")]).toEqual([403, false, false]);
    expect(page).toMatch(BACK);
  });

  test("says on the shared domain that its links are those of many, and on no other", async () => {
    const [, page] = await openAt("/nothing", { headers: { host: service.host } });
    expect(page).toContain(`Links on \u2068${service.host}\u2069 come from many different senders.</p>`);
    expect(page).toMatch(BACK);
    const [status, elsewhere] = await openAt("/nothing", { headers: { host: "unknown.eve.test" } });
    expect([status, elsewhere.includes("senders")]).toEqual([404, false]);
  });

  test("leads to the domain's home page, also from its password page, instead of back", async () => {
    const { orgId, token } = eve;
    const root = { redirects: { root: "https://eve.example/" } };
    await service.call("PATCH", `/api/v1/organizations/${orgId}/domains/${domainId}`, { token, body: root });
    const [[, missing], [status, locked], [, bad]] = [
      await openAt("/nothing"),
      await openAt("/bare-locked"),
      await openAt("/bare-bad"),
    ];
    for (const page of [missing, bad]) expect(page).toContain('<a class="button quiet" href="/">');
    expect([status, locked]).toEqual([403, expect.stringContaining('<a class="on" href="/">Go to the home page</a>')]);
    for (const page of [missing, locked, bad]) expect(page).not.toMatch(BACK);
  });
});

describe("the visitor's language", () => {
  test.each([
    ["en-GB,en;q=0.9", "en", "Enter the password to continue."],
    ["de-CH", "de", "Geben Sie das Passwort ein, um fortzufahren."],
    ["fr-CA,fr;q=0.9", "fr", "Saisissez le mot de passe pour continuer."],
    ["es", "es", "Escribe la contraseña para continuar."],
    ["pt-BR", "pt", "Digite a senha para continuar."],
    ["it", "it", "Inserisci la password per continuare."],
    ["nl", "nl", "Vul het wachtwoord in om verder te gaan."],
    ["sv;q=1,de;q=0.4,en;q=0.3", "de", "Geben Sie das Passwort ein, um fortzufahren."],
    ["ja", "en", "Enter the password to continue."],
    ["de;q=0,*", "en", "Enter the password to continue."],
    ["", "en", "Enter the password to continue."],
  ])("%j is answered in %s", async (header, language, sentence) => {
    const page = await open("/locked", { "accept-language": header });
    expect(page.headers.get("content-language")).toBe(language);
    const text = await page.text();
    expect(text).toContain(`<html lang="${language}" dir="ltr">`);
    expect(text).toContain(sentence);
  });
});
