/** The account pages over HTTP: what they do, what they show and what they keep secret. */
import { afterAll, describe, expect, test } from "bun:test";
import { openAccountBrowser } from "@test/support/accounts/app-pages";
import { codeAt, withTwoFactor, wrongCodeAt } from "@test/support/accounts/authenticator";
import { startSmtp } from "@test/support/servers/smtp";
import { startTestService } from "@test/support/service";
import type { Invitation } from "@/contract/accounts/members";

const smtp = await startSmtp();
afterAll(() => smtp.stop());
const mail = { SMTP_URL: smtp.url, MAIL_FROM: "Waymark <no-reply@acme.dev>" };
const service = await startTestService({ env: mail });
const { call, sql } = service;
const ada = await service.register();
const COOKIE = "waymark";
const LANGUAGES = ["en", "de", "fr", "es", "pt", "it", "nl"];

let number = 0;
const newPassword = () => `quartz trombone lagoon ${++number}`;
const newEmail = () => `person${++number}@example.com`;

async function signedIn(account = ada) {
  const person = openAccountBrowser(service);
  const { status, location } = await person.send("/app/sign-in", { email: account.email, password: account.password });
  expect([status, location]).toEqual([303, "/app"]);
  return person;
}

async function invite(email: string): Promise<Invitation> {
  const path = `/api/v1/organizations/${ada.orgId}/members/invite`;
  const { body } = await call<Invitation>("POST", path, { token: ada.token, body: { email, role: "member" } });
  return body;
}

/** Returns the link from the mail that resets the password of this address. */
async function resetLinkTo(email: string): Promise<string> {
  for (;;) {
    const mail = smtp.mails.findLast(({ to, text }) => to.includes(email) && text.includes("/app/reset-password"));
    const [link] = /^http\S+$/m.exec(mail?.text ?? "") ?? [];
    if (link) return pathOf(link);
    await smtp.until(smtp.mails.length + 1);
  }
}

/** Returns the link from the newest mail that asks to confirm this address. */
async function proofLinkTo(email: string): Promise<string> {
  for (let mails = 1; ; mails++) {
    const sent = (await smtp.until(mails)).findLast(
      ({ to, text }) => to.includes(email) && text.includes("/app/verify-email"),
    );
    const [link] = /^http\S+$/m.exec(sent?.text ?? "") ?? [];
    if (link) return pathOf(link);
  }
}

const sessionCookieOf = (headers: Headers) =>
  headers.getSetCookie().find((cookie) => /^(__Host-)?waymark=/.test(cookie));

const pathOf = (url: string): string => {
  const { origin, pathname, search } = new URL(url);
  expect(origin).toBe(`http://${service.host}`);
  return pathname + search;
};

test("every language says how long to wait before requesting another email", async () => {
  const [email, password] = [newEmail(), newPassword()];
  const body = { name: "Eve", email, password, organizationName: "Eve" };
  expect((await call("POST", "/api/v1/auth/register", { body })).status).toBe(201);
  const person = await signedIn({ ...ada, email, password });
  const ask = (language = "en") => person.send("/app/verify-email", {}, { "accept-language": language });
  while ((await ask()).status !== 429);
  const said = [];
  for (const language of LANGUAGES) {
    const { headers, html } = await ask(language);
    const minutes = Math.ceil(Number(headers.get("retry-after")) / 60);
    expect(minutes).toBeGreaterThan(1);
    said.push(/<p>([^<]*)<\/p>/.exec(html)?.[1]?.replace(String(minutes), "60"));
  }
  expect(said).toEqual([
    "Too many attempts. Please try again in 60 minutes.",
    "Das waren zu viele Versuche. Bitte in 60 Minuten noch einmal versuchen.",
    "Trop de tentatives. Réessayez dans 60 minutes.",
    "Ha habido demasiados intentos. Inténtalo de nuevo dentro de 60 minutos.",
    "Foram tentativas demais. Tente de novo em 60 minutos.",
    "Troppi tentativi. Riprova tra 60 minuti.",
    "Dat waren te veel pogingen. Probeer het over 60 minuten weer.",
  ]);
});

describe("sign-in", () => {
  test("redirects to /app with a session cookie, which works until sign-out", async () => {
    const person = await signedIn();
    const home = await person.open("/app");
    expect(home.status).toBe(200);
    expect(home.html).toContain(ada.email);
    const token = person.cookies.get(COOKIE) ?? "";
    expect((await call("GET", "/api/v1/auth/me", { token })).status).toBe(200);
    expect((await person.open("/app/sign-out")).location).toBe("/app");
    const out = await person.send("/app/sign-out", {});
    expect([out.status, out.location]).toEqual([303, "/app/sign-in?done=signedOut"]);
    expect(person.cookies.has(COOKIE)).toBe(false);
    expect((await call("GET", "/api/v1/auth/me", { token })).status).toBe(401);
    expect((await person.open("/app")).location).toBe("/app/sign-in");
  });

  test("sets a cookie that no script can read and no other site can send", async () => {
    const { headers } = await openAccountBrowser(service).send("/app/sign-in", {
      email: ada.email,
      password: ada.password,
    });
    expect(sessionCookieOf(headers)).toMatch(/^waymark=[\w.-]+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/);
  });

  test("sets a cookie for this host only (__Host-) if the service is reached by https", async () => {
    const secure = await startTestService({ env: { BASE_URL: "https://wm.example" } });
    const { email, password } = await secure.register();
    const { headers } = await openAccountBrowser(secure).send("/app/sign-in", { email, password });
    expect(sessionCookieOf(headers)).toMatch(
      /^__Host-waymark=[\w.-]+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/,
    );
  });

  test("is required again once the session has ended elsewhere", async () => {
    const person = await signedIn();
    await sql`update sessions set revoked_at = now()`;
    expect((await person.open("/app")).location).toBe("/app/sign-in");
    ada.token = (await call<{ token: string }>("POST", "/api/v1/auth/login", { body: ada })).body.token;
  });

  test("is required if the session cookie is sent twice", async () => {
    const person = await signedIn();
    const cookie = `waymark=${person.cookies.get(COOKIE)}`;
    expect((await openAccountBrowser(service).open("/app", { cookie })).status).toBe(200);
    expect((await openAccountBrowser(service).open("/app", { cookie: `${cookie}; ${cookie}` })).status).toBe(303);
  });

  test("reports a wrong password, and keeps the typed email address but not the password", async () => {
    const password = "wrong <password>";
    const { status, html, fields } = await openAccountBrowser(service).send("/app/sign-in", {
      email: ada.email,
      password,
    });
    expect([status, fields.email, fields.password]).toEqual([401, ada.email, ""]);
    expect(html).toContain('<p role="alert">The email address or the password is wrong.</p>');
    expect(html).not.toContain("wrong &lt;password");
  });

  test.each([
    ["/app/links?page=2", "/app/links?page=2"],
    ["/app", "/app"],
    ["/promo", "/app"],
    ["/app/../promo", "/app"],
    ["/app/%2e%2e/promo", "/app"],
    ["//evil.example/app", "/app"],
    ["https://evil.example/app", "/app"],
    ["/app\\..\\promo", "/app"],
    ["/application", "/app"],
    ["/app#token", "/app"],
  ])("with returnTo %s redirects to %s", async (returnTo, expected) => {
    const person = openAccountBrowser(service);
    const query = new URLSearchParams({ returnTo });
    const { fields } = await person.open(`/app/sign-in?${query}`);
    const typed = { email: ada.email, password: ada.password };
    expect((await person.send("/app/sign-in", { ...fields, ...typed })).location).toBe(expected);
    expect((await openAccountBrowser(service).send("/app/sign-in", { ...typed, returnTo })).location).toBe(expected);
    expect((await person.open(`/app/sign-in?${query}`)).location).toBe(expected);
  });

  test("asks for the second factor, reports a wrong code, and accepts a challenge only once", async () => {
    const now = Date.now();
    const bob = await withTwoFactor(service, await service.register(), now);
    const person = openAccountBrowser(service);
    const asked = await person.send("/app/sign-in", { email: bob.email, password: bob.password, returnTo: "/app/x" });
    expect([asked.status, asked.fields.returnTo, person.cookies.has(COOKIE)]).toEqual([200, "/app/x", false]);
    const wrong = await person.send("/app/sign-in/code", { ...asked.fields, code: wrongCodeAt(bob.secret, now) });
    expect([wrong.status, wrong.fields.challengeToken]).toEqual([401, asked.fields.challengeToken]);
    expect(wrong.html).toContain('role="alert"');
    const [recovery = ""] = bob.recoveryCodes;
    const right = await person.send("/app/sign-in/code", { ...wrong.fields, code: recovery });
    expect([right.status, right.location]).toEqual([303, "/app/x"]);
    expect((await person.open("/app")).html).toContain(bob.email);
    const again = await openAccountBrowser(service).send("/app/sign-in/code", {
      ...wrong.fields,
      code: codeAt(bob.secret, now),
    });
    expect(again.status).toBe(401);
    expect((await person.open("/app/sign-in/code")).location).toBe("/app/sign-in");
  });

  test("limits attempts like the API", async () => {
    const { email } = await service.register();
    const person = openAccountBrowser(service);
    for (let tries = 0; tries < 5; tries++) await person.send("/app/sign-in", { email, password: "wrong" });
    const { status, headers, html } = await person.send("/app/sign-in", { email, password: "wrong" });
    expect([status, Number(headers.get("retry-after")) > 0]).toEqual([429, true]);
    expect(html).toContain("Please try again in 1 minute.");
  });

  test.each(["state_mismatch", "domain_not_allowed", "plan_limit"])(
    "reports a failed single sign-on: %s",
    async (error) => {
      const person = openAccountBrowser(service);
      const { location } = await person.open(`/app?error=${error}`);
      expect(location).toBe(`/app/sign-in?error=${error}`);
      expect((await person.open(location ?? "")).html).toContain('<p role="alert">');
    },
  );

  test.each([
    ["email_missing", /provider did not confirm an email address/],
    ["email_unproven", /account with your email address is not confirmed yet/],
    ["registration_closed", /created by the operator/],
  ])("says of a refused single sign-on what has to change: %s", async (error, said) => {
    expect((await openAccountBrowser(service).open(`/app/sign-in?error=${error}`)).html).toMatch(said);
  });

  test("shows nothing that the query of its URL made up", async () => {
    for (const query of [
      "error=%3Cb%3E",
      "error=toString",
      "done=__proto__",
      "done=%3Cb%3E",
      "returnTo=%22%3E%3Cb%3E",
    ]) {
      const { status, html } = await openAccountBrowser(service).open(`/app/sign-in?${query}`);
      expect([status, html.includes("<b>"), html.includes('role="')]).toEqual([200, false, false]);
    }
  });
});

describe("register", () => {
  test("creates the account and signs in", async () => {
    const person = openAccountBrowser(service);
    const [email, password] = [newEmail(), newPassword()];
    const typed = { name: "Grace & <b>", email, password, organizationName: "Navy <Ltd>" };
    expect((await person.send("/app/register", typed)).location).toBe("/app");
    expect((await person.open("/app")).html).toContain("Navy &lt;Ltd&gt;");
    expect((await person.open("/app/register")).location).toBe("/app");
  });

  test("leads back to the sign-in, from where it leads on to where the person was going", async () => {
    const person = openAccountBrowser(service);
    const signIn = "/app/sign-in?returnTo=%2Fapp%2Fo%2Facme%2Flinks";
    expect((await person.open(signIn)).html).toContain('href="/app/register?returnTo=%2Fapp%2Fo%2Facme%2Flinks"');
    const asked = await person.open("/app/register?returnTo=%2Fapp%2Fo%2Facme%2Flinks");
    const faulty = await person.send("/app/register", { ...asked.fields, email: "ada@" });
    for (const { html } of [asked, faulty]) expect(html).toContain(`href="${signIn}"`);
  });

  test.each([
    ["no name", { name: " " }, "name", "Please fill this in."],
    ["no email", { email: "ada@" }, "email", "Please enter an email address, like name@example.com."],
    ["a taken email", { email: ada.email }, "email", "An account with this email address already exists."],
    ["a short password", { password: "short" }, "password", "Please choose 8 to 128 characters."],
    ["a common password", { password: "password123" }, "password", "This password is too easy to guess."],
    ["no organization", { organizationName: "" }, "organizationName", "Please fill this in."],
    ["a NUL in the name", { name: "a\0" }, "name", "Please fill this in."],
  ])(
    "with %s reports the fault at the field, and keeps typed text except the password",
    async (_, wrong, field, sentence) => {
      const typed = {
        name: `"Eve" & <b>`,
        email: newEmail(),
        password: newPassword(),
        organizationName: "Acme",
        ...wrong,
      };
      const { status, html, fields } = await openAccountBrowser(service).send("/app/register", typed);
      expect(status).toBeOneOf([400, 409]);
      expect(html).toContain(`<p class="fault" id="${field}-fault">${sentence}`);
      expect(html).toMatch(
        new RegExp(`name="${field}"[^>]*aria-invalid="true"[^>]*aria-describedby="[^"]*${field}-fault"`),
      );
      for (const kept of ["name", "email", "organizationName"] as const) {
        if (!typed[kept].includes("\0")) expect(fields[kept]).toBe(typed[kept]);
      }
      expect([fields.password, html.includes(typed.password)]).toEqual(["", false]);
    },
  );
});

describe("a forgotten password", () => {
  async function linkFor(email: string): Promise<string> {
    const sent = await openAccountBrowser(service).send("/app/reset-password", { email });
    expect(sent.status).toBe(200);
    return resetLinkTo(email);
  }

  test("is replaced with the link in the email, which opening it does not use up", async () => {
    const account = await service.register();
    const link = await linkFor(account.email);
    expect(link).toMatch(/^\/app\/reset-password\?token=[\w-]{43}$/);
    const person = openAccountBrowser(service);
    for (let scans = 0; scans < 3; scans++) expect((await openAccountBrowser(service).open(link)).status).toBe(200);
    await fetch(service.url + link, { method: "HEAD" });
    const { fields } = await person.open(link);
    const weak = await person.send("/app/reset-password", { ...fields, password: "password1" });
    expect([weak.status, weak.fields.token]).toEqual([400, fields.token]);
    const password = newPassword();
    const done = await person.send("/app/reset-password", { ...weak.fields, password });
    expect([done.status, done.location]).toEqual([303, "/app/sign-in?done=password"]);
    expect((await person.open(done.location ?? "")).html).toContain('role="status"');
    await signedIn({ ...account, password });
    expect((await person.open(link)).status).toBe(410);
    expect((await person.send("/app/reset-password", { ...fields, password: newPassword() })).status).toBe(410);
  });

  const href = (html: string, text: string) =>
    new RegExp(`<a href="([^"]+)">${text}`).exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";

  test("leads on to where the person was going, in the browser that requested the email", async () => {
    const account = await service.register();
    const person = openAccountBrowser(service);
    const deep = "/app/o/acme/links?search=a%26b";
    const signIn = (await person.open(deep)).location ?? "";
    const forgot = href((await person.open(signIn)).html, "Forgot your password");
    const asked = await person.open(forgot);
    expect(href(asked.html, "Sign in")).toBe(signIn);
    const faulty = await person.send("/app/reset-password", { ...asked.fields, email: "ada@" });
    await person.send("/app/reset-password", { ...faulty.fields, email: account.email });
    const link = await resetLinkTo(account.email);
    // Nobody who requests a mail for somebody else chooses what it says.
    expect(link).toMatch(/^\/app\/reset-password\?token=[\w-]{43}$/);
    const { fields } = await person.open(link);
    const password = newPassword();
    const done = await person.send("/app/reset-password", { ...fields, password });
    const entry = await person.open(done.location ?? "");
    expect(entry.html).toContain('role="status"');
    const typed = { ...entry.fields, email: account.email, password };
    expect((await person.send("/app/sign-in", typed)).location).toBe(deep);
    expect([...person.cookies.keys()]).not.toContain("waymark-return");
  });

  test.each(["//evil.example/app", "/promo", "https://evil.example/app"])(
    "leads to the start page, whatever the browser keeps: %s",
    async (returnTo) => {
      const account = await service.register();
      const link = await linkFor(account.email);
      const person = openAccountBrowser(service);
      person.cookies.set("waymark-return", Buffer.from(returnTo).toString("base64url"));
      const { fields } = await person.open(link);
      const done = await person.send("/app/reset-password", { ...fields, password: newPassword() });
      expect(done.location).toBe("/app/sign-in?done=password");
    },
  );

  test("of an invited person leads back to the invitation", async () => {
    const account = await service.register();
    const { inviteUrl, inviteToken } = await invite(account.email);
    const person = openAccountBrowser(service);
    const invited = await person.open(`${pathOf(inviteUrl)}&account=yes`);
    const asked = await person.open(href(invited.html, "Forgot your password"));
    await person.send("/app/reset-password", { ...asked.fields, email: account.email });
    const { fields } = await person.open(await resetLinkTo(account.email));
    const password = newPassword();
    const { location } = await person.send("/app/reset-password", { ...fields, password });
    expect(location).toBe(`/app/invite?token=${inviteToken}&account=yes`);
    const again = await person.open(location ?? "");
    expect((await person.send("/app/invite", { ...again.fields, password })).location).toBe("/app");
    expect((await person.open("/app")).html).toContain("Acme 1");
  });

  test("gets the same response for known and unknown addresses", async () => {
    const pages = await Promise.all(
      [newEmail(), ada.email].map((email) => openAccountBrowser(service).send("/app/reset-password", { email })),
    );
    const [one, other] = pages.map(({ html }) => html.replaceAll(/nonce="[^"]*"/g, ""));
    expect(one).toBe(other ?? "");
    expect((await openAccountBrowser(service).send("/app/reset-password", { email: "ada@" })).fields.email).toBe(
      "ada@",
    );
  });

  test("cannot be reset if the service sends no email", async () => {
    const silent = await startTestService();
    const { status, html } = await openAccountBrowser(silent).open("/app/reset-password");
    expect([status, html.includes("<form")]).toEqual([200, false]);
  });

  test.each(["", "x", "%00", "%ff", "a".repeat(5000), "%3Cscript%3E"])(
    "410 for the invalid token %j",
    async (token) => {
      const { status, html } = await openAccountBrowser(service).open(`/app/reset-password?token=${token}`);
      expect([status, html.includes("<script")]).toEqual([410, false]);
    },
  );
});

describe("confirming an address", () => {
  /** Registers somebody and returns the link from the mail to the address. */
  async function registered() {
    const email = newEmail();
    const person = openAccountBrowser(service);
    const fields = { name: "Joan", email, password: newPassword(), organizationName: "Joans" };
    expect((await person.send("/app/register", fields)).location).toBe("/app");
    return { email, person, link: await proofLinkTo(email) };
  }

  test("needs the button on the page that the email links to; opening the page is not enough", async () => {
    const { email, person, link } = await registered();
    for (let looks = 0; looks < 2; looks++) {
      const { status, html, fields } = await openAccountBrowser(service).open(link);
      expect([status, html.includes(`${email}</bdi>`), Object.keys(fields)]).toEqual([200, true, ["token"]]);
    }
    expect((await person.open("/app")).html).toContain("Please confirm your email address");
    const elsewhere = openAccountBrowser(service);
    const { fields } = await elsewhere.open(link);
    const done = await elsewhere.send("/app/verify-email", fields);
    expect([done.status, done.html.includes("Your address is confirmed")]).toEqual([200, true]);
    expect((await person.open("/app")).html).not.toContain("Please confirm");
    for (const again of [await elsewhere.open(link), await elsewhere.send("/app/verify-email", fields)]) {
      expect([again.status, again.html.includes("Your address is confirmed")]).toEqual([200, true]);
    }
    expect(service.logged()).not.toContain(fields.token ?? "none");
  });

  test("410 for an invalid link, or one whose account was deleted", async () => {
    const { email, link } = await registered();
    await sql`delete from users where email = ${email}`;
    const person = openAccountBrowser(service);
    for (const path of [link, "/app/verify-email?token=none", "/app/verify-email?token="]) {
      expect((await person.open(path)).status).toBe(410);
    }
    expect((await person.send("/app/verify-email", { token: "none" })).status).toBe(410);
    expect((await person.open("/app/verify-email")).location).toBe("/app");
  });

  test("can be requested again while signed in, until three emails were sent within an hour", async () => {
    const { email, person } = await registered();
    for (let asked = 0; asked < 2; asked++) {
      const { status, html } = await person.send("/app/verify-email", {});
      expect([status, html.includes("A new link is on its way")]).toEqual([200, true]);
    }
    const refused = await person.send("/app/verify-email", {});
    expect([refused.status, refused.html.includes("Too many")]).toEqual([429, true]);
    expect(await proofLinkTo(email)).toStartWith("/app/verify-email?token=");
    expect((await openAccountBrowser(service).send("/app/verify-email", {})).location).toBe("/app/sign-in");
  });

  test("warns recipients who did not create the account, and links to a password reset", async () => {
    const { link } = await registered();
    const { html } = await openAccountBrowser(service).open(link);
    expect(html).toContain("Confirm only if you created this account yourself");
    expect(html).toContain('href="/app/reset-password"');
  });
});

describe("an invitation", () => {
  test("is accepted with a new account", async () => {
    const email = newEmail();
    const { inviteUrl, inviteToken } = await invite(email);
    expect(inviteUrl).toBe(`http://${service.host}/app/invite?token=${inviteToken}`);
    const person = openAccountBrowser(service);
    const { fields, html } = await person.open(pathOf(inviteUrl));
    expect([fields.email, fields.inviteToken]).toEqual([email, inviteToken]);
    expect(html).toContain("Acme 1</bdi>");
    const short = await person.send("/app/invite", { ...fields, name: "Joan", password: "short" });
    expect([short.status, short.fields.name, short.fields.email]).toEqual([400, "Joan", email]);
    const taken = await person.send("/app/invite", { ...short.fields, password: newPassword() });
    expect(taken.location).toBe("/app");
    expect((await person.open("/app")).html).toContain("Acme 1");
    // Whoever has joined with it gets on from there.
    const over = await person.open(pathOf(inviteUrl));
    expect([over.status, over.html.includes('href="/app"')]).toEqual([410, true]);
    expect((await person.send("/app/invite", { ...fields, name: "Joan", password: newPassword() })).status).toBe(410);
  });

  test("is accepted with an existing account that has a second factor", async () => {
    const now = Date.now();
    const bob = await withTwoFactor(service, await service.register(), now);
    const { inviteUrl } = await invite(bob.email);
    const person = openAccountBrowser(service);
    const [, other = ""] =
      /<a href="([^"]+)">I already have an account/.exec((await person.open(pathOf(inviteUrl))).html) ?? [];
    const { fields } = await person.open(other.replaceAll("&amp;", "&"));
    expect(Object.keys(fields).toSorted()).toEqual(["account", "email", "inviteToken", "password"]);
    const wrong = await person.send("/app/invite", { ...fields, password: "wrong" });
    expect([wrong.status, wrong.html.includes("The email address or the password is wrong.")]).toEqual([401, true]);
    const asked = await person.send("/app/invite", { ...wrong.fields, password: bob.password });
    const [code = ""] = bob.recoveryCodes;
    expect((await person.send("/app/sign-in/code", { ...asked.fields, code })).location).toBe("/app");
    expect((await person.open("/app")).html).toContain("Acme 1");
  });

  test("is valid only for the address that it was sent to", async () => {
    const { inviteToken } = await invite(newEmail());
    const typed = { name: "Eve", email: newEmail(), password: newPassword(), inviteToken };
    expect((await openAccountBrowser(service).send("/app/invite", typed)).status).toBe(410);
    expect((await openAccountBrowser(service).open(`/app/invite?token=${inviteToken}`)).status).toBe(200);
  });
});

describe("a link in an email from an earlier version", () => {
  test.each([
    ["/reset-password", "/app/reset-password", "Request a new link"],
    ["/invite", "/app/sign-in", "Ask the person who invited you"],
  ])("%s says how to get a new one, without using up the token", async (path, next, sentence) => {
    const { inviteUrl, inviteToken } = await invite(newEmail());
    for (const address of [path, `${path}?token=${inviteToken}`]) {
      const { status, location, headers, html } = await openAccountBrowser(service).open(address);
      expect([status, location, headers.get("set-cookie")]).toEqual([410, null, null]);
      expect(html).toContain(sentence);
      expect(html).toContain(`<a href="${next}">`);
      expect(html).not.toMatch(/<form|<script/);
    }
    expect((await openAccountBrowser(service).open(pathOf(inviteUrl))).status).toBe(200);
  });

  test("is an ordinary short URL on a customer's host", async () => {
    const statuses = ["/invite", "/reset-password"].map(async (path) => {
      const { status } = await service.visit(path, { host: "go.acme.com" });
      return status;
    });
    expect(await Promise.all(statuses)).toEqual([404, 404]);
  });
});

describe("every page", async () => {
  const account = await service.register();
  await call("POST", "/api/v1/auth/password/forgot", { body: { email: account.email } });
  const reset = await resetLinkTo(account.email);
  const { inviteUrl } = await invite(newEmail());
  const unproven = newEmail();
  await call("POST", "/api/v1/auth/register", {
    body: { name: "Joan", email: unproven, password: newPassword(), organizationName: "Joans" },
  });
  const proof = await proofLinkTo(unproven);
  const paths = ["/app/sign-in", "/app/register", "/app/reset-password", reset, proof, pathOf(inviteUrl)];

  test.each(paths)("%s has no script, may be neither cached nor framed, and does not leak its URL", async (path) => {
    const { status, headers, html } = await openAccountBrowser(service).open(path);
    expect(status).toBe(200);
    const policy = headers.get("content-security-policy") ?? "";
    const nonce = /style-src 'nonce-([^']+)'/.exec(policy)?.[1] ?? "none";
    expect(policy).toBe(
      `default-src 'none'; style-src 'nonce-${nonce}'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
    expect(html).toContain(`<style nonce="${nonce}">`);
    expect(html).not.toMatch(/<script|\son\w+=|<img|https?:\/\//i);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("strict-origin");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("access-control-allow-origin")).toBeNull();
  });

  test.each(LANGUAGES)("is entirely in %s", async (language) => {
    const asked = { "accept-language": language };
    const over = ["/app/reset-password?token=none", "/app/invite?token=none", "/reset-password", "/invite"];
    for (const path of [...paths, ...over]) {
      const { headers, html } = await openAccountBrowser(service).open(path, asked);
      expect(headers.get("content-language")).toBe(language);
      expect(html).toContain(`<html lang="${language}" dir="ltr">`);
      if (language !== "en") expect(html).not.toMatch(/Sign in|an account|Please|invitation is/);
    }
  });

  test.each(paths)("%s is in the chosen language, whatever the browser prefers", async (path) => {
    const person = openAccountBrowser(service);
    const chosen = await person.send("/app/language", { language: "nl" });
    expect([chosen.status, chosen.headers.get("set-cookie")]).toEqual([
      204,
      "waymark-language=nl; Path=/app; Max-Age=31536000; SameSite=Lax",
    ]);
    const { headers, html } = await person.open(path, { "accept-language": "fr" });
    expect([headers.get("content-language"), headers.get("vary")]).toEqual(["nl", "Accept-Language, Cookie"]);
    expect(html).toContain(`<html lang="nl" dir="ltr">`);
  });

  test("only supported languages can be chosen, and only by a request of the same site", async () => {
    const person = openAccountBrowser(service);
    const refused = await person.send("/app/language", { language: "tlh" });
    expect([refused.status, refused.headers.get("set-cookie")]).toEqual([400, null]);
    person.cookies.set("waymark-language", "tlh");
    expect((await person.open("/app/sign-in", { "accept-language": "fr" })).headers.get("content-language")).toBe("fr");
    const foreign = await person.send("/app/language", { language: "de" }, { "sec-fetch-site": "cross-site" });
    expect([foreign.status, foreign.headers.get("set-cookie")]).toEqual([403, null]);
  });

  test.each([
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["another host of this site", { "sec-fetch-site": "same-site" }],
    ["nowhere that is told", { "sec-fetch-site": "" }],
    ["another origin, by a browser that says nothing else", { "sec-fetch-site": null, origin: "https://evil.example" }],
    ["an opaque origin", { "sec-fetch-site": null, origin: "null" }],
    ["nowhere at all", { "sec-fetch-site": null }],
  ])("accepts no form from %s", async (_, told) => {
    const headers: Record<string, string> = {
      "content-type": "application/x-www-form-urlencoded",
      accept: "text/html",
    };
    for (const [name, value] of Object.entries(told)) if (value !== null) headers[name] = value;
    const body = new URLSearchParams({ email: ada.email, password: ada.password });
    const response = await fetch(`${service.url}/app/sign-in`, { method: "POST", redirect: "manual", headers, body });
    expect([response.status, response.headers.get("set-cookie")]).toEqual([403, null]);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  });

  test("accepts a form by its Origin header if the browser sends no Sec-Fetch-Site", async () => {
    const headers = { "content-type": "application/x-www-form-urlencoded", origin: service.url };
    const body = new URLSearchParams({ email: ada.email, password: ada.password });
    const response = await fetch(`${service.url}/app/sign-in`, { method: "POST", redirect: "manual", headers, body });
    expect([response.status, response.headers.get("location")]).toEqual([303, "/app"]);
  });

  test("answers malformed forms with a 4xx status", async () => {
    const person = openAccountBrowser(service);
    expect((await person.send("/app/sign-in", { email: "a".repeat(20_000) })).status).toBe(413);
    const bodies = ["", "email", "email=%ff%00&password=%", "__proto__=1&constructor=2", "email[]=1", "\0"];
    for (const path of ["sign-in", "sign-in/code", "register", "reset-password", "invite"]) {
      for (const body of bodies) {
        const headers = { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" };
        const response = await fetch(`${service.url}/app/${path}`, {
          method: "POST",
          redirect: "manual",
          headers,
          body,
        });
        expect(response.status).toBeOneOf([400, 401, 410, 429]);
        expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
      }
    }
    const json = await fetch(`${service.url}/app/sign-in`, {
      method: "POST",
      headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
      body: JSON.stringify({ email: ada.email, password: ada.password }),
    });
    expect(json.status).toBe(400);
  });

  test("reloads once after a link from another site, so that the cookie is sent", async () => {
    const person = await signedIn();
    const away = openAccountBrowser(service);
    const first = await away.open("/app?error=%22%3E%3Cb%3E", { "sec-fetch-site": "cross-site" });
    expect(first.status).toBe(200);
    expect(first.html).toContain('<meta http-equiv="refresh" content="0;url=/app?error=');
    expect(first.html).not.toContain("<b>");
    expect((await person.open("/app", { "sec-fetch-site": "same-origin" })).html).toContain(ada.email);
    expect((await away.open("/app", { "sec-fetch-site": "same-origin" })).location).toBe("/app/sign-in");
  });

  test.each(["/app/unknown", "/app/links/5", "/app/invite/x", "/app/%ff"])(
    "404 at %s, with an error page",
    async (path) => {
      const { status, html } = await openAccountBrowser(service).open(path);
      expect([status, html.includes("This page does not exist.")]).toEqual([404, true]);
    },
  );

  test("is an ordinary short URL on a customer's host", async () => {
    const response = await service.visit("/app/sign-in", { host: "go.acme.com" });
    expect(response.status).toBe(404);
  });
});
