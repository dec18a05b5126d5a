/** The sign-in page leads members of an organization that has single sign-on to it. */
import { describe, expect, test } from "bun:test";
import { openAccountBrowser } from "@test/support/accounts/app-pages";
import { startFalseProvider } from "@test/support/accounts/false-provider";
import { enableSso, signIn, ssoPath, startSsoService } from "@test/support/accounts/sso";
import { addDomain } from "@test/support/accounts/tenants";
import { until } from "@test/support/until";

const service = await startSsoService();
const { call, callbackUrl } = service;
const { origin } = new URL(callbackUrl);
const provider = startFalseProvider();
const ada = await service.register();
await enableSso(service, ada, provider);
const { slug } = (await call<{ slug: string }>("GET", `/api/v1/organizations/${ada.orgId}`, ada)).body;
const deep = `/app/o/${slug}/links?search=spring`;

const entryIn = (html: string) =>
  /<a href="([^"]+)">Sign in with single sign-on/.exec(html)?.[1]?.replaceAll("&amp;", "&");

const signInPage = async (path: string) => {
  const person = openAccountBrowser(service);
  return person.open((await person.open(path)).location ?? "");
};

describe("single sign-on is offered", () => {
  test("to whoever is on the way to the organization, and leads on there", async () => {
    const { html } = await signInPage(deep);
    provider.claims = { sub: "bea", email: "bea@acme.test", email_verified: true, name: "Bea" };
    const { path, token } = await signIn(entryIn(html) ?? "");
    expect(path).toBe(deep);
    expect((await call("GET", `/api/v1/organizations/${ada.orgId}`, { token })).status).toBe(200);
  });

  test("still after a wrong password", async () => {
    const { fields } = await signInPage(deep);
    const typed = { ...fields, email: ada.email, password: "wrong" };
    expect(entryIn((await openAccountBrowser(service).send("/app/sign-in", typed)).html)).toStartWith(origin);
  });

  test("on the organization's own dashboard", async () => {
    const hostname = "links.acme.test";
    const domainId = await addDomain(service, ada.orgId, { hostname });
    const hosting = `/api/v1/organizations/${ada.orgId}/domains/${domainId}/dashboard`;
    await call("PATCH", hosting, { token: ada.token, body: { enabled: true } });
    const open = () => openAccountBrowser(service).open("/app/sign-in", { host: hostname });
    // The host is served once the service has heard of the change.
    await until(async () => (await open()).status === 200);
    const { html } = await open();
    expect(entryIn(html)).toBe(
      `${origin}/api/v1/auth/sso/start?${new URLSearchParams({ orgSlug: slug, returnTo: `/app/o/${slug}` })}`,
    );
  });
});

describe("whoever is not on the way to an organization", () => {
  const person = openAccountBrowser(service);

  test("gives its short name, or its dashboard's address, and is led to its single sign-on", async () => {
    const { html } = await person.open((await person.open("/app")).location ?? "");
    expect(html).toContain('<a href="/app/sign-in/sso">Sign in through your organization</a>');
    expect((await person.open("/app/sign-in/sso")).fields).toEqual({ organization: "" });
    for (const organization of [slug, ` ${slug.toUpperCase()} `, `${origin}/app/o/${slug}/links?search=spring`]) {
      const next = await person.send("/app/sign-in/sso", { organization });
      expect(next.status).toBe(200);
      const [, onward = ""] = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(next.html) ?? [];
      provider.claims = { sub: "cleo", email: "cleo@acme.test", email_verified: true, name: "Cleo" };
      const { path, token } = await signIn(onward.replaceAll("&amp;", "&"));
      expect(path).toBe(`/app/o/${slug}`);
      expect((await call("GET", `/api/v1/organizations/${ada.orgId}`, { token })).status).toBe(200);
    }
  });

  test.each([
    ["nobody", "This address does not lead to an organization that has single sign-on"],
    ["  ", "Please fill this in."],
  ])("may correct %p", async (organization, said) => {
    const { status, html, fields } = await person.send("/app/sign-in/sso", { organization });
    expect([status, fields.organization]).toEqual([400, organization]);
    expect(html).toContain(said);
  });

  test("is not asked on the host of an organization's own dashboard", async () => {
    const eve = await service.register();
    const hostname = "links.eve.test";
    const domainId = await addDomain(service, eve.orgId, { hostname });
    const hosting = `/api/v1/organizations/${eve.orgId}/domains/${domainId}/dashboard`;
    await call("PATCH", hosting, { token: eve.token, body: { enabled: true } });
    const open = () => person.open("/app/sign-in", { host: hostname });
    await until(async () => (await open()).status === 200);
    expect((await open()).html).not.toContain("/app/sign-in/sso");
  });
});

describe("single sign-on is not offered", () => {
  test.each(["/app", "/app/o/nobody/links", "/app/o/"])("on the way to %s", async (path) => {
    const { status, html } = await signInPage(path);
    expect([status, entryIn(html)]).toEqual([200, undefined]);
  });

  test("for an organization that has turned it off", async () => {
    const eve = await service.register();
    await enableSso(service, eve, provider);
    const { body } = await call<{ slug: string }>("GET", `/api/v1/organizations/${eve.orgId}`, eve);
    expect(entryIn((await signInPage(`/app/o/${body.slug}`)).html)).toStartWith(origin);
    await call("PATCH", ssoPath(eve.orgId), { token: eve.token, body: { enabled: false } });
    expect(entryIn((await signInPage(`/app/o/${body.slug}`)).html)).toBeUndefined();
  });
});

test("a failed single sign-on is not reported again to whoever signed in with a password after it", async () => {
  const person = openAccountBrowser(service);
  const failed = await person.open(`${deep}&error=domain_not_allowed`);
  const page = await person.open(failed.location ?? "");
  expect(page.html).toContain('role="alert"');
  const typed = { ...page.fields, email: ada.email, password: ada.password };
  expect((await person.send("/app/sign-in", typed)).location).toBe(deep);
});
