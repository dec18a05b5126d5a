/**
 * Identity providers that lie, fail or stall: each sign-in ends at the dashboard with an error code and without a
 * session.
 */
import { beforeEach, describe, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { type Lies, signed, signedBySecret, startFalseProvider, unsigned } from "@test/support/accounts/false-provider";
import { enableSso, type Outcome, signIn, startSsoService } from "@test/support/accounts/sso";
import { createProviders } from "@/modules/sso/provider";

const service = await startSsoService();
const { sql } = service;
const provider = startFalseProvider();
const ada = await service.register();
const { startUrl } = await enableSso(service, ada, provider);
const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const user = provider.claims;

beforeEach(() => {
  provider.lies = {};
  provider.claims = user;
});

/** The slow provider takes as long as it is given, so its sign-in runs beside the other tests. */
const slow = startFalseProvider();
const dawdled = enableSso(service, await service.register(), slow).then(({ startUrl }) => {
  slow.lies = { token: () => Bun.sleep(20_000).then(() => Response.json({})) };
  return signIn(startUrl);
});

const sessions = async () =>
  Number((await sql`select count(*) as count from sessions where sso_org_id is not null`)[0]?.count);

/** Returns how a sign-in ended that must not open a session. */
async function refused(lies: Lies, claims: object = {}): Promise<Outcome> {
  // The provider's metadata is requested again once the configuration has changed.
  await sql`update sso_configurations set updated_at = now() + interval '1 second' * ${++changes} where org_id = ${ada.orgId}`;
  const before = await sessions();
  provider.lies = lies;
  provider.claims = { ...user, ...claims };
  const outcome = await signIn(`${startUrl}&returnTo=/app/links`);
  expect(await sessions()).toBe(before);
  return outcome;
}
let changes = 0;
const as = (error: string): Outcome => ({ path: "/app/links", error });

const saying = (change: object): Lies => ({ claims: (claims) => ({ ...claims, ...change }) });
const seconds = (later: number) => Math.floor(Date.now() / 1000) + later;

test("an honest provider is accepted", async () => {
  expect((await signIn(startUrl)).token).toBeString();
  provider.claims = { ...user, sub: "grace", email: "Grace@ACME.test" };
  expect((await signIn(startUrl)).token).toBeString();
  expect((await sql`select 1 from users where email = 'grace@acme.test'`).length).toBe(1);
});

describe("token_invalid for an id_token", () => {
  const lies: [name: string, lies: Lies][] = [
    ["without a nonce", saying({ nonce: undefined })],
    ["with the nonce of another sign-in", saying({ nonce: "another" })],
    ["of another issuer", saying({ iss: "https://login.evil.test" })],
    ["of the issuer with a slash more", { claims: (claims) => ({ ...claims, iss: `${claims.iss}/` }) }],
    ["for another audience", saying({ aud: "another" })],
    ["for no audience", saying({ aud: undefined })],
    ["for several audiences, given to another", saying({ aud: ["waymark", "another"], azp: "another" })],
    ["for several audiences, given to nobody", saying({ aud: ["waymark", "another"] })],
    ["that has expired", saying({ exp: seconds(-120) })],
    ["without an end", saying({ exp: undefined })],
    ["that begins later", saying({ nbf: seconds(3600) })],
    ["without a subject", saying({ sub: undefined })],
    ["with an empty subject", saying({ sub: "" })],
    ["with a subject of control characters", saying({ sub: "a\0b" })],
    ["with a subject that is too long", saying({ sub: "a".repeat(256) })],
    ["that is not signed", { idToken: unsigned }],
    [
      "that is not signed, by a provider that announces such",
      {
        idToken: unsigned,
        discovery: (document) => ({ ...document, id_token_signing_alg_values_supported: ["none", "RS256"] }),
      },
    ],
    ["signed with the client secret", { idToken: (claims) => signedBySecret(claims, provider.clientSecret) }],
    [
      "signed with the client secret, by a provider that announces such",
      {
        idToken: (claims) => signedBySecret(claims, provider.clientSecret),
        discovery: (document) => ({ ...document, id_token_signing_alg_values_supported: ["HS256", "RS256"] }),
      },
    ],
    ["signed by somebody else", { idToken: (claims) => signed(claims, stranger) }],
    [
      "signed with a key that the provider does not name",
      { idToken: (claims) => signed(claims, provider.key, { alg: "RS256", kid: "second" }) },
    ],
    [
      "changed after it was signed",
      {
        idToken: (claims) =>
          signed(claims, provider.key).replace(/\.[^.]+\./, `.${btoa(JSON.stringify({ ...claims, sub: "eve" }))}.`),
      },
    ],
    ["that is missing", { idToken: () => undefined }],
  ];

  test.each(lies)("%s", async (_, lies) => {
    expect(await refused(lies)).toEqual(as("token_invalid"));
  });
});

describe("token_invalid for an answer", () => {
  test("that contains the issuer of another provider", async () => {
    const answer = (query: URLSearchParams) => query.set("iss", "https://login.evil.test");
    expect(await refused({ answer })).toEqual(as("token_invalid"));
  });

  test("without an issuer, from a provider that announces to send it", async () => {
    const discovery = (document: object) => ({ ...document, authorization_response_iss_parameter_supported: true });
    expect(await refused({ discovery })).toEqual(as("token_invalid"));
    const answer = (query: URLSearchParams) => query.set("iss", provider.issuer);
    provider.lies = { discovery, answer };
    expect((await signIn(startUrl)).token).toBeString();
  });
});

describe("provider_refused", () => {
  test("for an answer that is an error", async () => {
    const answer = (query: URLSearchParams) => {
      query.delete("code");
      query.set("error", "access_denied");
      query.set("error_description", "<script>");
    };
    expect(await refused({ answer })).toEqual(as("provider_refused"));
  });

  test("for a verifier that does not belong to the code", async () => {
    const authorize = (asked: URLSearchParams) => asked.set("code_challenge", "another");
    expect(await refused({ authorize })).toEqual(as("provider_refused"));
  });
});

describe("provider_unreachable for a provider", () => {
  const page = (status: number) => new Response("<html>", { status, headers: { "content-type": "text/html" } });
  const lies: [name: string, lies: Lies][] = [
    ["whose discovery fails", { discovery: () => page(500) }],
    ["whose discovery is a page", { discovery: () => page(200) }],
    ["whose discovery is empty", { discovery: () => ({}) }],
    ["whose discovery leads elsewhere", { discovery: () => Response.redirect("http://169.254.169.254/", 302) }],
    ["that has another name by now", { discovery: (document) => ({ ...document, issuer: "https://login.evil.test" }) }],
    ["without a token endpoint", { discovery: ({ token_endpoint, ...document }) => document }],
    ["that sends browsers to a script", { discovery: (all) => ({ ...all, authorization_endpoint: "javascript:0" }) }],
    [
      "whose token endpoint is in our network",
      { discovery: (all) => ({ ...all, token_endpoint: "http://10.0.0.1/" }) },
    ],
    [
      "whose keys are at an address of the cloud",
      { discovery: (all) => ({ ...all, jwks_uri: "https://169.254.169.254/" }) },
    ],
    ["whose token endpoint fails", { token: () => page(500) }],
    ["whose token endpoint is a page", { token: () => page(200) }],
    ["whose token endpoint leads elsewhere", { token: () => Response.redirect("http://10.0.0.1/", 307) }],
    ["whose tokens never end", { token: () => Response.json({ access_token: "a".repeat(2 ** 21) }) }],
    [
      "whose tokens are no JSON",
      { token: () => new Response("{", { headers: { "content-type": "application/json" } }) },
    ],
    ["without its keys", { jwks: () => page(404) }],
  ];

  test.each(lies)("%s", async (_, lies) => {
    expect(await refused(lies)).toEqual(as("provider_unreachable"));
  });
});

describe("an email address", () => {
  test.each([
    ["none", "email_missing", {}],
    ["none, and it is verified", "email_missing", { email_verified: true }],
    ["an empty one", "email_missing", { email: "", email_verified: true }],
    ["a list", "email_missing", { email: ["eve@acme.test"], email_verified: true }],
    ["an unverified one", "email_unverified", { email: "eve@acme.test", email_verified: false }],
    ["one of which nothing is said", "email_unverified", { email: "eve@acme.test" }],
    ["one verified in words", "email_unverified", { email: "eve@acme.test", email_verified: "true" }],
    ["one verified in numbers", "email_unverified", { email: "eve@acme.test", email_verified: 1 }],
    ["one verified in Microsoft's words", "email_unverified", { email: "eve@acme.test", xms_edov: true }],
    ["a foreign domain", "domain_not_allowed", { email: "eve@evil.test", email_verified: true }],
    ["a subdomain", "domain_not_allowed", { email: "eve@sub.acme.test", email_verified: true }],
    ["a domain that ends so", "domain_not_allowed", { email: "eve@evilacme.test", email_verified: true }],
    ["a domain that begins so", "domain_not_allowed", { email: "eve@acme.test.evil.test", email_verified: true }],
    ["the domain and a dot", "domain_not_allowed", { email: "eve@acme.test.", email_verified: true }],
    ["the domain as a name", "domain_not_allowed", { email: "acme.test@evil.test", email_verified: true }],
    ["two domains", "domain_not_allowed", { email: "eve@evil.test@acme.test", email_verified: true }],
    ["a domain with a path", "domain_not_allowed", { email: "eve@evil.test/@acme.test", email_verified: true }],
    ["the domain and a port", "domain_not_allowed", { email: "eve@acme.test:80", email_verified: true }],
    ["a line break", "domain_not_allowed", { email: "eve@evil.test\n@acme.test", email_verified: true }],
    ["a NUL byte", "domain_not_allowed", { email: "eve\0@acme.test", email_verified: true }],
    ["quotes", "domain_not_allowed", { email: '"eve@evil.test"@acme.test', email_verified: true }],
    ["letters that look like it", "domain_not_allowed", { email: "eve@асme.test", email_verified: true }],
    ["a name that is too long", "domain_not_allowed", { email: `${"e".repeat(250)}@acme.test`, email_verified: true }],
  ])("%s comes to %s", async (_, code, told) => {
    const users = () => sql`select count(*)::int as count from users`;
    const before = await users();
    const nobody = { sub: "eve", email: undefined, email_verified: undefined };
    expect(await refused({}, { ...nobody, ...told })).toEqual(as(code));
    expect(await users()).toEqual(before);
  });

  test("of an account that exists is not linked unless the provider vouches for it", async () => {
    const bea = await service.register();
    await sql`update sso_configurations set allowed_domains = '{acme.test,example.com}' where org_id = ${ada.orgId}`;
    for (const email_verified of [false, undefined, "true"]) {
      expect(await refused({}, { sub: "eve", email: bea.email, email_verified })).toEqual(as("email_unverified"));
    }
    const [linked] = await sql`select count(*)::int as count from sso_identities where subject = 'eve'`;
    expect(linked?.count).toBe(0);
  });
});

test("provider_unreachable for a slow provider", async () => {
  expect(await dawdled).toEqual({ path: "/app", error: "provider_unreachable" });
});

test("a client secret is sent without TLS only to a host that the operator allows", async () => {
  const asked: string[] = [];
  const isAllowedPlain = (url: URL) => url.hostname === "127.0.0.1";
  const fetch = async (url: string | URL) => {
    asked.push(String(url));
    const endpoints = { token_endpoint: "http://login.acme.test/token", jwks_uri: "http://127.0.0.1/jwks" };
    return Response.json({ issuer: "http://127.0.0.1", authorization_endpoint: "http://127.0.0.1/a", ...endpoints });
  };
  const outbound = { fetch, request: () => Promise.reject(new Error("Not asked for")) };
  const { begin, finish } = createProviders({
    outbound,
    clock: Date.now,
    callbackUrl: service.callbackUrl,
    isAllowedPlain,
  });
  const settings = { key: "a", issuer: "http://127.0.0.1", clientId: "waymark", clientSecret: "a secret" };
  const begun = { orgId: "", issuer: settings.issuer, returnTo: "/app", elsewhere: null, expiresAt: 0 };
  const attempt = { ...(await begin(settings)), ...begun };
  const answer = new URLSearchParams({ code: "a", state: attempt.state });
  expect(await finish(settings, attempt, answer).catch(({ code }) => code)).toBe("provider_unreachable");
  expect(asked).toEqual(["http://127.0.0.1/.well-known/openid-configuration"]);
});

test("none of this logs an internal error, and the log names the reasons without quoting the provider", async () => {
  const lines = service.logged().trim().split("\n");
  expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  const refusals = lines.filter((line) => line.includes("single sign-on was refused"));
  expect(refusals.length).toBeGreaterThan(50);
  const said = ["eve@", "an access token", provider.clientSecret, "eyJ"];
  expect(refusals.filter((line) => said.some((text) => line.includes(text)))).toEqual([]);
});
