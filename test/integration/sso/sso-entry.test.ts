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
