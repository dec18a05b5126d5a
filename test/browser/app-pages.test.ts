/** The account pages in a real browser: normal use, accessibility, and attacks by third parties. */
import { afterAll, describe, expect, test } from "bun:test";
import { codeAt, withTwoFactor } from "@test/support/accounts/authenticator";
import { startFalseProvider } from "@test/support/accounts/false-provider";
import { enableSso, startSsoService } from "@test/support/accounts/sso";
import { addDomain } from "@test/support/accounts/tenants";
import { type Page, startBrowser } from "@test/support/browser/browser";
import { startSite } from "@test/support/outside/site";
import { startSmtp } from "@test/support/servers/smtp";
import { until } from "@test/support/until";
import type { Invitation } from "@/contract/accounts/members";

const smtp = await startSmtp();
afterAll(() => smtp.stop());
const mail = { SMTP_URL: smtp.url, MAIL_FROM: "Waymark <no-reply@acme.dev>" };
const service = await startSsoService({ env: mail });
const { call, sql, callbackUrl } = service;
const base = new URL(callbackUrl).origin;
const ada = await service.register();
const CUSTOMER = "go.acme.test";
const browser = await startBrowser({ hosts: [CUSTOMER] });

/** What a third-party site learns from browsers that follow its links: URLs with their fragments, and referrers. */
const told: string[] = [];
const REPORT = `<!doctype html><title>Theirs</title><script>
fetch("/told", { method: "POST", body: location.href + " " + document.referrer })</script>`;
const stranger = startSite(async (request) => {
  told.push(`${request.url} ${request.headers.get("referer") ?? ""}`);
  if (request.method === "POST") told.push(await request.text());
  return new Response(REPORT, { headers: { "content-type": "text/html" } });
});

/** Minified, because each page parses and compiles all of it. */
const AXE = await Bun.file(new URL(import.meta.resolve("axe-core/axe.min.js"))).text();
/** The folder for screenshots of every page; if unset, none are taken. */
const SHOTS = Bun.env.PICTURES;

let number = 0;
const newPassword = () => `quartz trombone lagoon ${++number}`;
const SIZES = [
  ["a phone", 360, 800],
  ["a desk", 1_440, 900],
] as const;

async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(fields)) {
    await page.evaluate(`document.getElementById(${JSON.stringify(name)}).focus()`);
    await page.evaluate(`document.activeElement.select()`);
    await page.type(text);
  }
  await page.click("main form button");
}

const at = (path: string) => `location.pathname === ${JSON.stringify(path)} && document.readyState === "complete"`;
/**
 * Returns an expression that is true on the dashboard, or on its page without JavaScript, when signed in as `email`.
 */
const isIn = (email: string) =>
  `/^\\/app(\\/o\\/|$)/.test(location.pathname) && document.readyState === "complete" &&
    (!!document.querySelector(${JSON.stringify(`[aria-label="Account ${email}"]`)}) || ${saysNow(email)})`;
const saysNow = (text: string) => `document.body.innerText.includes(${JSON.stringify(text)})`;

const hasAnswer = (list: string) =>
  `performance.getEntriesByType("resource").some(({ name }) => new URL(name).pathname.endsWith("/${list}"))`;

async function signOut(page: Page, hasJavaScript: boolean): Promise<void> {
  if (!hasJavaScript) return page.click(`form[action="/app/sign-out"] button`);
  // Waits for pending requests, which would be refused after signing out and reported as complaints. The text follows
  // the last of those for links, the number of archived ones.
  await page.until(`${saysNow("first short link")} && ${hasAnswer("domains")}`);
  await page.click(`[aria-label^="Account "]`);
  await page.until(`!!document.querySelector("[role=menuitem]")`);
  await page.evaluate(`[...document.querySelectorAll("[role=menuitem]")].at(-1).click()`);
}

async function mailTo(email: string, path: string): Promise<string> {
  for (;;) {
    const mail = smtp.mails.findLast(({ to, text }) => to.includes(email) && text.includes(path));
    const [link] = /^http\S+$/m.exec(mail?.text ?? "") ?? [];
    if (link) return link;
    await smtp.until(smtp.mails.length + 1);
  }
}

async function resetLink(email: string): Promise<string> {
  await call("POST", "/api/v1/auth/password/forgot", { body: { email } });
  return mailTo(email, "/app/reset-password");
}

async function invite(email: string): Promise<string> {
  await sql`update users set address_held_until = null where email = ${ada.email}`;
  const path = `/api/v1/organizations/${ada.orgId}/members/invite`;
  const { status } = await call<Invitation>("POST", path, { token: ada.token, body: { email, role: "member" } });
  expect(status).toBe(200);
  return mailTo(email, "/app/invite");
}

/** Inserts a link with a slug that is now reserved, as it could be created before. */
const plant = (slug: string) => sql`
  insert into links (id, org_id, domain_id, slug, slug_key, default_url)
  select ${Bun.randomUUIDv7()}, ${ada.orgId}, id, ${slug}, ${slug}, ${`${stranger.url}/${slug}`}
  from domains where org_id is null`;

describe("in normal use", () => {
  test.each([
    ["with JavaScript", true],
    ["without JavaScript", false],
  ])("a user registers, signs out, resets the password and signs in again, %s", async (_, hasJavaScript) => {
    const page = await browser.page({ width: 360, height: 800, hasJavaScript });
    const email = `grace${++number}@example.com`;
    await page.open(`${base}/app/register`);
    await fill(page, { name: "Grace", email, password: "password1", organizationName: "Navy" });
    await page.until(`document.querySelector("#password-fault")`);
    expect(await page.evaluate<string>(`document.querySelector("#email").value`)).toBe(email);
    await fill(page, { password: newPassword() });
    await page.until(isIn(email));
    expect(await page.evaluate<string>(`document.cookie`)).toBe("");
    await signOut(page, hasJavaScript);
    await page.until(at("/app/sign-in"));
    await page.click(`a[href="/app/reset-password"]`);
    await page.until(at("/app/reset-password"));
    await fill(page, { email });
    await page.until(`!document.querySelector("form")`);
    await page.open(await mailTo(email, "/app/reset-password"));
    const password = newPassword();
    await fill(page, { password });
    await page.until(at("/app/sign-in"));
    await fill(page, { email, password });
    await page.until(isIn(email));
    expect(page.complaints.filter((text) => !/40[04]/.test(text))).toEqual([]);
  });

  test("a user accepts an invitation while signing in with a second factor", async () => {
    const bob = await withTwoFactor(service, await service.register(), Date.now());
    const page = await browser.page({ hasJavaScript: false });
    await page.open(await invite(bob.email));
    await page.click(".more a");
    await page.until(`!document.querySelector("#name") && document.querySelector("#password")`);
    await fill(page, { password: bob.password });
    await page.until(`document.activeElement?.id === "code"`);
    const [code = codeAt(bob.secret, Date.now())] = bob.recoveryCodes;
    await fill(page, { code });
    await page.until(`${at("/app")} && ${saysNow("Acme 1")}`);
  });

  test.each([
    ["with JavaScript", true],
    ["without JavaScript", false],
  ])("a user stays signed in after following a link from another site, %s", async (_, hasJavaScript) => {
    const page = await browser.page({ hasJavaScript });
    await page.open(`${base}/app/sign-in`);
    await fill(page, { email: ada.email, password: ada.password });
    await page.until(isIn(ada.email));
    const link = `<!doctype html><title>Elsewhere</title><a href="${base}/app">There</a>`;
    const elsewhere = startSite(() => new Response(link, { headers: { "content-type": "text/html" } }));
    // `localhost` is another site than the service, whose URL has the IP address.
    await page.open(elsewhere.url.replace("127.0.0.1", "localhost"));
    await page.click("a");
    await page.until(isIn(ada.email));
  });

  test.each([
    ["with JavaScript", true],
    ["without JavaScript", false],
  ])("a user who knows the organization's short name signs in through its provider, %s", async (_, hasJavaScript) => {
    const provider = startFalseProvider();
    const eve = await service.register();
    await enableSso(service, eve, provider);
    const { body } = await call<{ slug: string }>("GET", `/api/v1/organizations/${eve.orgId}`, eve);
    const email = `dana${++number}@acme.test`;
    provider.claims = { sub: email, email, email_verified: true, name: "Dana" };
    const page = await browser.page({ hasJavaScript });
    await page.open(`${base}/app`);
    await page.until(at("/app/sign-in"));
    await page.click(`a[href="/app/sign-in/sso"]`);
    await page.until(at("/app/sign-in/sso"));
    await fill(page, { organization: body.slug });
    await page.until(isIn(email));
    expect(page.complaints).toEqual([]);
  });
});

describe("under attack by third parties", () => {
  test("no token in an email reaches the owner of a slug on the same host", async () => {
    for (const slug of ["reset-password", "invite", "app"]) await plant(slug);
    await service.createLink(ada, { slug: "promo", defaultUrl: `${stranger.url}/promo` });
    for (const slug of ["reset-password", "invite", "app"]) {
      const body = { slug, defaultUrl: `${stranger.url}/${slug}` };
      const path = `/api/v1/organizations/${ada.orgId}/links`;
      expect((await call("POST", path, { token: ada.token, body })).status).toBe(400);
    }
    const victim = await service.register();
    const links = [await resetLink(victim.email), await invite(`invited${++number}@example.com`)];
    for (const link of links) {
      expect(link).toMatch(new RegExp(`^${base}/app/(?:reset-password|invite)\\?token=[\\w.-]+$`));
      const page = await browser.page();
      await page.open(link);
      expect(await page.evaluate<string>(`location.href`)).toBe(link);
      expect(await page.evaluate<boolean>(`document.querySelector("form") !== null`)).toBe(true);
      // Leads on to a third party's link on the same host, as if the visitor typed its URL or followed it.
      await page.evaluate(`location.href = "/promo"`);
      await page.until(`document.title === "Theirs"`);
      await page.open(`${base}/reset-password#token=stolen`);
      await page.open(`${base}/invite#token=stolen`);
      expect(await page.evaluate<string>(`location.origin`)).toBe(base);
      const token = new URL(link).searchParams.get("token") ?? "none";
      expect(told.filter((text) => text.includes(token) || text.includes("stolen"))).toEqual([]);
    }
    expect(told.some((text) => text.includes("/promo"))).toBe(true);
  });

  test("no single sign-on ends at a slug, and its token is in no URL", async () => {
    const provider = startFalseProvider();
    const eve = await service.register();
    const { startUrl } = await enableSso(service, eve, provider);
    provider.claims = { sub: "bea", email: "bea@acme.test", email_verified: true, name: "Bea" };
    const before = told.length;
    const page = await browser.page();
    for (const returnTo of ["/promo", "/app/../promo", "/app/%2e%2e/promo", "//promo", `${stranger.url}/promo`]) {
      await page.open(`${startUrl}&returnTo=${encodeURIComponent(returnTo)}`);
      expect(await page.evaluate<string>(`document.body.innerText`)).toContain("returnTo: expected a path");
    }
    await page.open(`${startUrl}&returnTo=/app`);
    await page.until(isIn("bea@acme.test"));
    expect(await page.evaluate<string>(`location.href + document.cookie`)).toMatch(/\/app\/o\/[a-z0-9-]+\/links$/);
    expect(told.length).toBe(before);
  });

  test("no other site can submit a form for a signed-in user", async () => {
    const page = await browser.page();
    await page.open(`${base}/app/sign-in`);
    await fill(page, { email: ada.email, password: ada.password });
    await page.until(isIn(ada.email));
    const form = `<!doctype html><form method="post" action="${base}/app/sign-out"><button>Win</button></form>`;
    const evil = startSite(() => new Response(form, { headers: { "content-type": "text/html" } }));
    for (const url of [evil.url, evil.url.replace("127.0.0.1", "localhost")]) {
      await page.open(url);
      await page.click("button");
      await page.until(at("/app/sign-out"));
    }
    await page.open(`${base}/app`);
    await page.until(isIn(ada.email));
  });

  test("no other site can show a page in a frame", async () => {
    const html = `<!doctype html><title>Frame</title><iframe src="${base}/app/sign-in"></iframe>`;
    const evil = startSite(() => new Response(html, { headers: { "content-type": "text/html" } }));
    const page = await browser.page();
    await page.open(evil.url);
    await page.until(`document.querySelector("iframe").contentDocument === null`);
    await until(() => page.complaints.length > 0);
    expect(page.complaints.join()).toMatch(/frame-ancestors|X-Frame-Options/i);
  });
});

test("a customer's short domain shows its own icon, and serves short URLs at the service's own paths", async () => {
  const domainId = await addDomain(service, ada.orgId, { hostname: CUSTOMER });
  const branding = { displayName: "Acme", logoUrl: `${stranger.url}/logo.png` };
  await call("PATCH", `/api/v1/organizations/${ada.orgId}`, { token: ada.token, body: { branding } });
  await service.createLink(ada, { slug: "app", domainId, defaultUrl: `${stranger.url}/shop`, password: "open sesame" });
  const page = await browser.page();
  await page.open(`http://${CUSTOMER}:${service.service.port}/app`);
  expect(await page.evaluate<boolean>(`document.querySelector("#password") !== null`)).toBe(true);
  const width = `document.querySelector("header img").complete && document.querySelector("header img").naturalWidth`;
  await page.until(`${width} === 120`);
  expect(await page.evaluate<string>(`new URL(document.querySelector("header img").src).host`)).toStartWith(CUSTOMER);
  expect(page.complaints.filter((text) => !text.includes("403"))).toEqual([]);
});

describe("accessibility and layout", async () => {
  const account = await service.register();
  const reset = await resetLink(account.email);
  const invited = await invite(`seen${++number}@example.com`);
  const proof = await mailTo(account.email, "/app/verify-email");
  const bob = await withTwoFactor(service, await service.register(), Date.now());

  /** Functions that open each page, by its name. */
  const pages: [name: string, open: (page: Page) => Promise<void>][] = [
    ["sign-in", (page) => page.open(`${base}/app/sign-in`)],
    ["sign-in-notice", (page) => page.open(`${base}/app/sign-in?done=password`)],
    [
      "sign-in-wrong",
      async (page) => {
        await page.open(`${base}/app/sign-in`);
        await fill(page, { email: account.email, password: "wrong" });
        await page.until(`document.querySelector("[role=alert]")`);
      },
    ],
    [
      "code",
      async (page) => {
        await page.open(`${base}/app/sign-in`);
        await fill(page, { email: bob.email, password: bob.password });
        await page.until(`document.querySelector("#code")`);
      },
    ],
    ["sso", (page) => page.open(`${base}/app/sign-in/sso`)],
    [
      "sso-unknown",
      async (page) => {
        await page.open(`${base}/app/sign-in/sso`);
        await fill(page, { organization: "nobody" });
        await page.until(`document.querySelector("#organization-fault")`);
      },
    ],
    ["register", (page) => page.open(`${base}/app/register`)],
    [
      "register-faults",
      async (page) => {
        await page.open(`${base}/app/register`);
        await fill(page, { name: " ", email: account.email, password: "password1", organizationName: " " });
        await page.until(`document.querySelector("#password-fault")`);
      },
    ],
    ["forgot", (page) => page.open(`${base}/app/reset-password`)],
    [
      "forgot-sent",
      async (page) => {
        await page.open(`${base}/app/reset-password`);
        await fill(page, { email: "nobody@example.com" });
        await page.until(`!document.querySelector("form")`);
      },
    ],
    ["reset", (page) => page.open(reset)],
    ["reset-over", (page) => page.open(`${base}/app/reset-password?token=none`)],
    ["verify-email", (page) => page.open(proof)],
    ["invite", (page) => page.open(invited)],
    ["invite-account", (page) => page.open(`${invited}&account=yes`)],
    ["invite-over", (page) => page.open(`${base}/app/invite?token=none`)],
    ["guides", (page) => page.open(`${base}/docs/guide`)],
    ["guide", (page) => page.open(`${base}/docs/guide/routing`)],
  ];
  const looks = SIZES.flatMap(([size, width, height]) =>
    [false, true].map((isDark) => [size, isDark ? "dark" : "light", { width, height, isDark }] as const),
  );

  const page = await browser.lastingPage({ headers: { "x-client": "198.51.100.1" } });

  test.each(pages)("%s has no faults on phone and desktop, in light and dark", async (name, open) => {
    await page.forget();
    await open(page);
    await page.evaluate(AXE);
    for (const [size, shade, look] of looks) {
      await page.look(look);
      const faults = await page.evaluate<string[]>(`axe.run({ runOnly: { type: "tag", values: [
        "wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] } }).then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))`);
      expect([size, shade, faults]).toEqual([size, shade, []]);
      const width = await page.evaluate<number>(`document.documentElement.scrollWidth - innerWidth`);
      expect([size, width <= 0]).toEqual([size, true]);
      if (SHOTS) await Bun.write(`${SHOTS}/${name}-${look.width}-${shade}.png`, await page.picture());
    }
  });
});
