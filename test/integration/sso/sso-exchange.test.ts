/**
 * Single sign-on that ends at a dashboard on another host: the address contains a code, which is worthless without
 * its verifier.
 */
import { describe, expect, test } from "bun:test";
import { createHash, randomBytes } from "node:crypto";
import { startFalseProvider } from "@test/support/accounts/false-provider";
import { enableSso, openBrowser, startSsoService } from "@test/support/accounts/sso";
import { addDomain } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import type { Account } from "@test/support/service";
import type { AuthSession } from "@/contract/accounts/auth";

const MINUTE_MS = 60_000;
const DASHBOARD = "https://app.acme.test";
let now = Date.now();
const service = await startSsoService({ clock: () => now, env: { DASHBOARD_URL: DASHBOARD } });
const { call, callbackUrl, sql } = service;
const base = new URL(callbackUrl).origin;
const provider = startFalseProvider();
const ada = await service.register();
const { startUrl } = await enableSso(service, ada, provider, { allowedDomains: ["acme.test"] });
const orgSlug = new URL(startUrl).searchParams.get("orgSlug") ?? "";
provider.claims = { sub: "bea", email: "bea@acme.test", email_verified: true, name: "Bea" };

function pkce() {
  const codeVerifier = randomBytes(32).toString("base64url");
  return { codeVerifier, codeChallenge: createHash("sha256").update(codeVerifier).digest("base64url") };
}

const exchange = (body: unknown) => call<AuthSession>("POST", "/api/v1/auth/sso/exchange", { body });
const me = (token: string) => call<AuthSession>("GET", "/api/v1/auth/me", { token });
const start = (fields: Record<string, string>, headers = {}) =>
  call("GET", `/api/v1/auth/sso/start?${new URLSearchParams(fields)}`, { headers });

/** Signs in up to the redirect to the dashboard. */
async function ended(fields: Record<string, string> = {}, dashboard = DASHBOARD, from = startUrl) {
  const { codeVerifier, codeChallenge } = pkce();
  const url = `${from}&${new URLSearchParams({ codeChallenge, ...fields })}`;
  const browser = openBrowser();
  const end = new URL(await browser.follow(url, dashboard));
  expect(end.hash).toBe("");
  const cookies = [...(browser.jars.get(base)?.keys() ?? [])];
  return { end, cookies, code: end.searchParams.get("code") ?? "", codeVerifier };
}

async function hostDashboard(account: Account, hostname: string): Promise<string> {
  const id = await addDomain(service, account.orgId, { hostname });
  const path = `/api/v1/organizations/${account.orgId}/domains/${id}/dashboard`;
  expect((await call("PATCH", path, { token: account.token, body: { enabled: true } })).status).toBe(200);
  // The host is a dashboard once this server has heard of the change.
  for (;;) {
    const { status } = await call("GET", "/health", { headers: { host: hostname } });
    if (status === 200) return id;
    await Bun.sleep(5);
  }
}

describe("DASHBOARD_URL on another host", () => {
  test("gets a code instead of a session, and exchanges it for one", async () => {
    const { end, cookies, code, codeVerifier } = await ended({ returnTo: "/app/links?tag=a" });
    expect([end.pathname, end.searchParams.get("tag"), cookies]).toEqual(["/app/links", "a", []]);
    expect(code).toMatch(/^[\w-]{43}$/);
    const { status, body } = await exchange({ code, codeVerifier });
    expect(status).toBe(200);
    expect(body.user.email).toBe("bea@acme.test");
    expect(body.organizations.map(({ _id }) => _id)).toEqual([ada.orgId]);
    expect((await me(body.token)).status).toBe(200);
    const [row] = await sql`select s.sso_org_id from sessions s order by s.created_at desc, s.id desc limit 1`;
    expect(row?.sso_org_id).toBe(ada.orgId);
  });

  test("the code works once, also in simultaneous requests", async () => {
    const { code, codeVerifier } = await ended();
    const replies = await Promise.all(Array.from({ length: 8 }, () => exchange({ code, codeVerifier })));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...new Array(7).fill(400)]);
    expectFailure(await exchange({ code, codeVerifier }), 400, ["code"]);
  });

  test("the code expires after a minute", async () => {
    const [late, early] = [await ended(), await ended()];
    now += MINUTE_MS - 1;
    expect((await exchange(early)).status).toBe(200);
    now += 1;
    expectFailure(await exchange(late), 400, ["code"]);
  });

  test("the code needs its verifier, and a wrong verifier uses it up", async () => {
    const { code, codeVerifier } = await ended();
    expectFailure(await exchange({ code, codeVerifier: pkce().codeVerifier }), 400, ["code"]);
    expectFailure(await exchange({ code, codeVerifier }), 400, ["code"]);
  });

  test("the code is no session token, and neither stored in clear nor logged", async () => {
    const { code } = await ended();
    const rows = await sql`select * from sso_codes`;
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(code);
    expect((await me(code)).status).toBe(401);
    expect(service.logged()).not.toContain(code);
  });

  test("a code is invalid once single sign-on is off, its provider changed or its user deleted", async () => {
    const eve = await service.register();
    const own = await enableSso(service, eve, provider, { allowedDomains: ["acme.test"] });
    const patch = (body: object) => call("PATCH", `/api/v1/organizations/${eve.orgId}/sso`, { token: eve.token, body });
    const off = await ended({}, DASHBOARD, own.startUrl);
    await patch({ enabled: false });
    expectFailure(await exchange(off), 400, ["code"]);
    await patch({ enabled: true });
    const moved = await ended({}, DASHBOARD, own.startUrl);
    await patch({ issuer: startFalseProvider().issuer });
    expectFailure(await exchange(moved), 400, ["code"]);
    provider.claims = { sub: "gone", email: "gone@acme.test", email_verified: true };
    const gone = await ended();
    await sql`delete from users where email = 'gone@acme.test'`;
    provider.claims = { sub: "bea", email: "bea@acme.test", email_verified: true, name: "Bea" };
    expectFailure(await exchange(gone), 400, ["code"]);
  });

  test("a failure is reported without a code, whatever returnTo contains", async () => {
    provider.claims = { sub: "eve", email: "eve@evil.test", email_verified: true };
    const { end } = await ended({ returnTo: "/app?code=theirs&error=theirs" });
    expect(end.href).toBe(`${DASHBOARD}/app?error=domain_not_allowed`);
    provider.claims = { sub: "bea", email: "bea@acme.test", email_verified: true, name: "Bea" };
  });

  test("a sign-in without a challenge ends at the service's own pages", async () => {
    const browser = openBrowser();
    expect(await browser.follow(startUrl, `${base}/app`)).toBe(`${base}/app`);
    expect((await me(browser.jars.get(base)?.get("waymark") ?? "")).status).toBe(200);
  });
});

describe("a customer's dashboard", async () => {
  await hostDashboard(ada, "dash.acme.test");
  const eve = await service.register();
  await hostDashboard(eve, "dash.eve.test");
  await addDomain(service, ada.orgId, { hostname: "go.acme.test" });

  test("gets a code when the request names it", async () => {
    const { end, code, codeVerifier } = await ended({ dashboard: "https://dash.acme.test" }, "https://dash.acme.test");
    expect(end.pathname).toBe("/app");
    expect((await exchange({ code, codeVerifier })).body.user.email).toBe("bea@acme.test");
  });

  test("is recognized by the host of the request, which continues on the service's own host", async () => {
    const { codeVerifier, codeChallenge } = pkce();
    const first = await start({ orgSlug, codeChallenge, returnTo: "/app/links" }, { host: "dash.acme.test" });
    expect([first.status, first.headers.getSetCookie()]).toEqual([302, []]);
    const next = new URL(first.headers.get("location") ?? "");
    expect([next.origin, next.pathname]).toEqual([base, "/api/v1/auth/sso/start"]);
    expect(Object.fromEntries(next.searchParams)).toEqual({
      ...{ orgSlug, codeChallenge, returnTo: "/app/links" },
      dashboard: "https://dash.acme.test",
    });
    const end = new URL(await openBrowser().follow(next.href, "https://dash.acme.test"));
    expect(end.pathname).toBe("/app/links");
    expect((await exchange({ code: end.searchParams.get("code"), codeVerifier })).status).toBe(200);
  });

  test("is refused for a sign-in to another organization", async () => {
    const { codeChallenge } = pkce();
    for (const dashboard of ["https://dash.eve.test", "https://go.acme.test"]) {
      expectFailure(await start({ orgSlug, codeChallenge, dashboard }), 400, ["dashboard"]);
    }
    expectFailure(await start({ orgSlug, codeChallenge }, { host: "dash.eve.test" }), 400, ["dashboard"]);
  });

  test.each([
    ["http://dash.acme.test"],
    ["https://dash.acme.test/"],
    ["https://dash.acme.test:444"],
    ["https://dash.acme.test@evil.test"],
    ["https://dash.acme.test.evil.test"],
    ["https://DASH.acme.test"],
    ["dash.acme.test"],
    ["javascript:alert(1)"],
    ["//evil.test"],
    ["null"],
    [""],
  ])("is not %j", async (dashboard) => {
    expectFailure(await start({ orgSlug, codeChallenge: pkce().codeChallenge, dashboard }), 400, ["dashboard"]);
  });

  test("needs a challenge", async () => {
    expectFailure(await start({ orgSlug, dashboard: "https://dash.acme.test" }), 400, ["codeChallenge"]);
    expectFailure(await start({ orgSlug }, { host: "dash.acme.test" }), 400, ["codeChallenge"]);
    expectFailure(await start({ orgSlug }, { host: "app.acme.test" }), 400, ["codeChallenge"]);
    for (const codeChallenge of ["", "short", "a".repeat(44), "+".repeat(43), "a".repeat(5_000)]) {
      expectFailure(await start({ orgSlug, codeChallenge }), 400, ["codeChallenge"]);
    }
  });

  test("that is disabled during a sign-in gets no code", async () => {
    const id = await hostDashboard(ada, "brief.acme.test");
    const { codeChallenge } = pkce();
    const browser = openBrowser();
    const url = `${startUrl}&${new URLSearchParams({ codeChallenge, dashboard: "https://brief.acme.test" })}`;
    const back = await browser.follow(url, callbackUrl);
    const path = `/api/v1/organizations/${ada.orgId}/domains/${id}/dashboard`;
    await call("PATCH", path, { token: ada.token, body: { enabled: false } });
    while ((await call("GET", "/health", { headers: { host: "brief.acme.test" } })).status === 200) await Bun.sleep(5);
    const end = await browser.step(back);
    expect(end.headers.get("location")).toBe("https://brief.acme.test/app?error=sso_changed");
  });
});

describe("POST exchange", () => {
  test("400 for an invalid code or verifier", async () => {
    const { codeVerifier } = pkce();
    expectFailure(await exchange({}), 400, ["code", "codeVerifier"]);
    expectFailure(await exchange({ code: "unknown", codeVerifier }), 400, ["code"]);
    for (const wrong of ["short", "a".repeat(129), "ä".repeat(50), 5, null, { toString: 1 }]) {
      expectFailure(await exchange({ code: "unknown", codeVerifier: wrong }), 400, ["codeVerifier"]);
    }
  });

  test("allows cross-origin requests from the dashboard only", async () => {
    const asked = { "access-control-request-method": "POST", "access-control-request-headers": "content-type" };
    const preflight = async (origin: string) =>
      (await call("OPTIONS", "/api/v1/auth/sso/exchange", { headers: { origin, ...asked } })).headers.get(
        "access-control-allow-origin",
      );
    expect([await preflight(DASHBOARD), await preflight("https://evil.test")]).toEqual([DASHBOARD, null]);
  });

  test("429 after thirty requests a minute from one address", async () => {
    const headers = { "x-client": "203.0.113.77" };
    const body = { code: "unknown", codeVerifier: pkce().codeVerifier };
    const replies = await Promise.all(
      Array.from({ length: 31 }, () => call("POST", "/api/v1/auth/sso/exchange", { body, headers })),
    );
    expect(replies.filter(({ status }) => status === 429).length).toBe(1);
  });
});
