/** The first step of a sign-in, and that only the browser that took it can take the last one. */
import { describe, expect, test } from "bun:test";
import { startFalseProvider } from "@test/support/accounts/false-provider";
import { enableSso, openBrowser, outcomeOf, signIn, startSsoService } from "@test/support/accounts/sso";
import { expectFailure } from "@test/support/failure";
import { CLIENT_HEADER } from "@test/support/service";

const MINUTE_MS = 60_000;
let now = Date.now();
const service = await startSsoService({ clock: () => now });
const { call, sql, callbackUrl } = service;
const provider = startFalseProvider();
const ada = await service.register();
const { startUrl } = await enableSso(service, ada, provider);
const orgSlug = new URL(startUrl).searchParams.get("orgSlug") ?? "";

let callers = 0;
const from = () => ({ [CLIENT_HEADER]: `203.0.113.${++callers % 250}` });
const start = (query: string, headers: Record<string, string> = from()) =>
  call("GET", `/api/v1/auth/sso/start${query}`, { headers });

/** Signs in up to the redirect back to the service, which is not followed. */
async function begun(url = startUrl) {
  const browser = openBrowser();
  const back = new URL(await browser.follow(url, callbackUrl));
  const cookie = [...(browser.jars.get(new URL(callbackUrl).origin) ?? [])].map((pair) => pair.join("=")).join("; ");
  return { back, cookie };
}

async function finish(back: URL, cookie?: string) {
  const headers = { ...from(), ...(cookie !== undefined && { cookie }) };
  const response = await fetch(back, { redirect: "manual", headers });
  expect(response.status).toBe(302);
  const cookies = response.headers.getSetCookie().filter((cookie) => !cookie.startsWith("waymark="));
  return { ...outcomeOf(response), cookies };
}

const withQuery = (url: URL, change: (query: URLSearchParams) => void): URL => {
  const changed = new URL(url);
  change(changed.searchParams);
  return changed;
};

describe("the first step", () => {
  test("400 without an organization", async () => {
    expectFailure(await start(""), 400, ["orgSlug"]);
    expectFailure(await start("?orgSlug="), 400, ["orgSlug"]);
    expectFailure(await start("?returnTo=//evil.test"), 400, ["orgSlug", "returnTo"]);
  });

  test("leads a person's browser to a page that says what is wrong, instead of to an error in JSON", async () => {
    const headers = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
    const answer = await start("?orgSlug=no-such-organization", { ...from(), ...headers });
    const page = `${new URL(callbackUrl).origin}/app?error=unknown_start`;
    expect([answer.status, answer.headers.get("location")]).toEqual([302, page]);
    expect(await (await fetch(page, { headers })).text()).toContain("does not lead to an organization");
    expectFailure(await start("?orgSlug=no-such-organization", { ...from(), accept: "application/json" }), 404);
  });

  test.each([
    "https://evil.test/",
    "//evil.test/",
    "///evil.test/",
    "/\\evil.test/",
    "\\\\evil.test",
    "\\/evil.test",
    "/links//evil.test",
    "/./\\evil.test",
    "/.//evil.test",
    "/..//evil.test",
    "/\t/evil.test",
    "/\n/evil.test",
    "/\r\nset-cookie: a=b",
    "\t//evil.test",
    " //evil.test",
    " /links",
    "/a b",
    "javascript:alert(1)",
    "data:text/html,x",
    "links",
    "@evil.test",
    ".evil.test",
    ":80@evil.test",
    "?a=b",
    "#a",
    "/app#token=a",
    "/",
    "/links",
    "/promo",
    "/reset-password",
    "/application",
    "/app/../promo",
    "/app/%2e%2e/promo",
    "/app/..",
    "/APP/links",
    "/%61pp",
    "/\u0085/evil.test",
    `/${"a".repeat(1_001)}`,
    `/${"ü".repeat(400)}`,
  ])("400 for a way back to %j", async (returnTo) => {
    expectFailure(await start(`?orgSlug=${orgSlug}&returnTo=${encodeURIComponent(returnTo)}`), 400, ["returnTo"]);
  });

  test.each([
    ["/app", "/app"],
    ["/app/", "/app/"],
    ["/app/links", "/app/links"],
    ["/app/links?tag=a&page=2", "/app/links?tag=a&page=2"],
    ["/app/links?code=a&tag=a&error=b", "/app/links?tag=a"],
    ["/app/links/%2F%2Fevil.test", "/app/links/%2F%2Fevil.test"],
    ["/app/@evil.test", "/app/@evil.test"],
    ["/app/a/../b", "/app/b"],
    ["/x/../app/b", "/app/b"],
    ["/app/javascript:alert(1)", "/app/javascript:alert(1)"],
    ["/app/ü", "/app/%C3%BC"],
  ])("goes back to %s as %s", async (returnTo, path) => {
    const url = `${startUrl}&returnTo=${encodeURIComponent(returnTo)}`;
    expect(await signIn(url)).toEqual({ path, token: expect.any(String) });
  });

  test("the same 404 for an unknown organization, one without single sign-on and one that turned it off", async () => {
    const [without, off] = [await service.register(), await service.register()];
    const configuration = await enableSso(service, off, provider);
    await call("PATCH", `/api/v1/organizations/${off.orgId}/sso`, { token: off.token, body: { enabled: false } });
    const [slug] = await sql`select slug from organizations where id = ${without.orgId}`;
    const replies = await Promise.all([
      start("?orgSlug=unknown"),
      start(`?orgSlug=${slug?.slug}`),
      start(new URL(configuration.startUrl).search),
      start(`?orgSlug=${orgSlug.toUpperCase()}`),
      start(`?orgSlug=${encodeURIComponent(`${orgSlug}' or 1=1 --`)}`),
    ]);
    for (const reply of replies) expectFailure(reply, 404);
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  test("302 with PKCE, state and nonce, bound to the browser by an opaque cookie", async () => {
    const { status, headers } = await start(`?orgSlug=${orgSlug}`);
    expect(status).toBe(302);
    const url = new URL(headers.get("location") ?? "");
    expect(url.origin + url.pathname).toBe(`${provider.issuer}/authorize`);
    const { state, nonce, code_challenge, ...rest } = Object.fromEntries(url.searchParams);
    expect([state, nonce, code_challenge].map((value) => value?.length)).toEqual([43, 43, 43]);
    expect(rest).toEqual({
      client_id: "waymark",
      response_type: "code",
      redirect_uri: callbackUrl,
      scope: "openid email profile",
      code_challenge_method: "S256",
    });
    const [cookie = "", ...others] = headers.getSetCookie();
    expect(others).toEqual([]);
    expect(cookie).toMatch(/^wm_sso=[\w-]+; Path=\/api\/v1\/auth\/sso; Max-Age=600; HttpOnly; SameSite=Lax$/);
    expect(Buffer.from(cookie, "base64url").toString("latin1")).not.toContain(state);
    expect(headers.get("cache-control")).toBe("no-store");
  });

  test("uses new random values each time", async () => {
    const [one, other] = [await start(`?orgSlug=${orgSlug}`), await start(`?orgSlug=${orgSlug}`)];
    const of = (reply: typeof one) => [...new URL(reply.headers.get("location") ?? "").searchParams.values()];
    expect(of(one).filter((value) => of(other).includes(value)).length).toBe(5);
  });
});

describe("state_mismatch", () => {
  test("for a missing, foreign, modified or duplicate cookie", async () => {
    const [mine, other] = [await begun(), await begun()];
    const [name = "", value = ""] = mine.cookie.split("=");
    const flipped = (value.startsWith("A") ? "B" : "A") + value.slice(1);
    const cookies = ["", `${name}=`, `${name}=nonsense`, other.cookie, `${name}=${flipped}`, `${mine.cookie}x`];
    for (const cookie of [undefined, ...cookies, `${mine.cookie}; ${other.cookie}`, `${name}=${"a".repeat(5000)}`]) {
      expect(await finish(mine.back, cookie)).toEqual({ path: "/app", error: "state_mismatch", cookies: [] });
    }
    expect((await finish(mine.back, mine.cookie)).token).toBeString();
  });

  test("for a wrong, missing or duplicate state", async () => {
    const { back, cookie } = await begun();
    const changes: ((query: URLSearchParams) => void)[] = [
      (query) => query.delete("state"),
      (query) => query.set("state", ""),
      (query) => query.set("state", "another"),
      (query) => query.set("state", `${query.get("state")}a`),
      (query) => query.append("state", "another"),
      (query) => query.append("state", query.get("state") ?? ""),
    ];
    for (const change of changes) expect((await finish(withQuery(back, change), cookie)).error).toBe("state_mismatch");
    expect((await finish(new URL(callbackUrl), cookie)).error).toBe("state_mismatch");
    expect((await finish(back, cookie)).token).toBeString();
  });

  test("for the first of two sign-ins in one browser, while the second works", async () => {
    const browser = openBrowser();
    const [first, second] = [await browser.follow(startUrl, callbackUrl), await browser.follow(startUrl, callbackUrl)];
    const end = async (url: string) => outcomeOf(await browser.step(url));
    expect((await end(first)).error).toBe("state_mismatch");
    expect((await end(second)).token).toBeString();
  });

  test("for a session token in place of the cookie", async () => {
    const { back, cookie } = await begun();
    expect((await finish(back, `${cookie.split("=")[0]}=${ada.token}`)).error).toBe("state_mismatch");
  });
});

describe("a sign-in in progress", () => {
  test("clears its cookie, whatever the outcome", async () => {
    const { back, cookie } = await begun();
    const taken = "wm_sso=; Path=/api/v1/auth/sso; Max-Age=0; HttpOnly; SameSite=Lax";
    expect((await finish(back, cookie)).cookies).toEqual([taken]);
    expect((await finish(back, cookie)).cookies).toEqual([taken]);
  });

  test("expires after ten minutes", async () => {
    const { back, cookie } = await begun();
    const began = now;
    now = began + 10 * MINUTE_MS;
    expect((await finish(back, cookie)).error).toBe("sign_in_expired");
    now = began + 10 * MINUTE_MS - 1;
    expect((await finish(back, cookie)).token).toBeString();
    now = began;
  });

  test("is refused with the code of another sign-in", async () => {
    const [mine, theirs] = [await begun(), await begun()];
    const code = theirs.back.searchParams.get("code") ?? "";
    const mixed = withQuery(mine.back, (query) => query.set("code", code));
    expect((await finish(mixed, mine.cookie)).error).toBe("provider_refused");
  });

  test("is refused without a code, or with two", async () => {
    const { back, cookie } = await begun();
    expect(
      (
        await finish(
          withQuery(back, (query) => query.delete("code")),
          cookie,
        )
      ).error,
    ).toBe("token_invalid");
    expect(
      (
        await finish(
          withQuery(back, (query) => query.append("code", "a")),
          cookie,
        )
      ).error,
    ).toBe("token_invalid");
  });

  test("at one organization cannot be completed with the code, callback or issuer of another", async () => {
    const eve = await service.register();
    const evil = startFalseProvider();
    const theirs = await begun((await enableSso(service, eve, evil)).startUrl);
    const mine = await begun();
    // Whichever part is swapped, the cookie determines the provider, which does not know the other's code.
    const mixed = withQuery(mine.back, (query) => query.set("code", theirs.back.searchParams.get("code") ?? ""));
    expect((await finish(mixed, mine.cookie)).error).toBe("provider_refused");
    expect((await finish(theirs.back, mine.cookie)).error).toBe("state_mismatch");
    expect((await finish(mine.back, theirs.cookie)).error).toBe("state_mismatch");
    const named = withQuery(theirs.back, (query) => query.set("iss", provider.issuer));
    expect((await finish(named, theirs.cookie)).error).toBe("token_invalid");
  });

  test("ends with sso_changed when single sign-on was turned off or moved to another provider", async () => {
    const eve = await service.register();
    const { startUrl } = await enableSso(service, eve, provider);
    const patch = (body: object) => call("PATCH", `/api/v1/organizations/${eve.orgId}/sso`, { token: eve.token, body });
    const [first, second] = [await begun(startUrl), await begun(startUrl)];
    await patch({ enabled: false });
    expect((await finish(first.back, first.cookie)).error).toBe("sso_changed");
    await patch({ enabled: true, issuer: startFalseProvider().issuer });
    expect((await finish(second.back, second.cookie)).error).toBe("sso_changed");
  });
});

test("429 after thirty steps a minute from one address, without affecting others", async () => {
  const headers = { [CLIENT_HEADER]: "203.0.113.255" };
  const steps = Array.from({ length: 31 }, (_, at) =>
    at % 2 ? start("?orgSlug=unknown", headers) : call("GET", "/api/v1/auth/sso/callback", { headers }),
  );
  const replies = await Promise.all(steps);
  const refused = replies.filter(({ status }) => status === 429);
  expect(refused.length).toBe(1);
  for (const reply of refused) expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await signIn(startUrl)).token).toBeString();
});

describe("behind one address", () => {
  const steps = { [CLIENT_HEADER]: "203.0.113.254", accept: "text/html,*/*;q=0.8" };

  test("thirty people can sign in within a minute, and the next is told so on a page", async () => {
    const visit = (url: string, headers = {}) => fetch(url, { redirect: "manual", headers: { ...steps, ...headers } });
    for (let person = 0; person < 30; person++) {
      const first = await visit(startUrl);
      const cookie = first.headers
        .getSetCookie()
        .map((set) => set.split(";")[0])
        .join("; ");
      const state = new URL(first.headers.get("location") ?? "").searchParams.get("state");
      const back = await visit(`${service.url}/api/v1/auth/sso/callback?error=access_denied&state=${state}`, {
        cookie,
      });
      expect([back.status, new URL(back.headers.get("location") ?? "").search]).toEqual([
        302,
        "?error=provider_refused",
      ]);
    }
    const refused = await visit(startUrl);
    expect([refused.status, refused.headers.get("location")]).toEqual([
      302,
      `${new URL(callbackUrl).origin}/app?error=too_many_attempts`,
    ]);
    const page = await fetch(`${new URL(callbackUrl).origin}/app?error=too_many_attempts`, { headers: steps });
    expect(await page.text()).toContain("Too many people are signing in from your network");
    expect((await visit(startUrl, { accept: "application/json" })).status).toBe(429);
  });
});
