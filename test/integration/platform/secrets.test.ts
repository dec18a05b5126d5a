/**
 * Uses an account and its organization for everything, then searches all that this leaves: the log, every file, every
 * row of every table, all lists and audit entries, and all error responses. None contains a secret.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeAt, withTwoFactor } from "@test/support/accounts/authenticator";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { PIXEL } from "@test/support/forms";
import { PROOF_MAIL, startSmtp } from "@test/support/servers/smtp";
import { type CallOptions, startTestService } from "@test/support/service";

const smtp = await startSmtp({}, PROOF_MAIL);
afterAll(() => smtp.stop());
const dataDir = await mkdtemp(join(tmpdir(), "waymark-secrets-"));
afterAll(() => rm(dataDir, { recursive: true, force: true }));
const service = await startTestService({
  env: { DATA_DIR: dataDir, SMTP_URL: smtp.url, MAIL_FROM: "waymark@example.com", OUTBOUND_ALLOW: "127.0.0.9" },
});

/** Passwords in the query as the edge accepts them, and in similar forms. */
const VISITS_WITH_PASSWORD: [query: string, userAgent: string][] = [
  ["pw=sesame%20opened", PIXEL],
  ["pw=sesame+opened", "curl/8.5.0"],
  ["%70w=sesame%20opened", PIXEL],
  ["p%57=sesame+opened", PIXEL],
  ["pass%77ord=sesame+opened", PIXEL],
  ["PW=sesame+opened&Password=sesame%20opened", PIXEL],
  ["pw=x&pw=sesame+opened&password=sesame+opened", PIXEL],
  ["%zz=1&pw=sesame+opened", PIXEL],
];

/** Secrets by name. */
const secrets = new Map<string, string>();
/** Responses with status 400 and above, and what lists show. */
const shown: string[] = [];

async function call(method: string, path: string, options: CallOptions = {}) {
  const reply = await service.call(method, path, options);
  if (reply.status >= 400) shown.push(JSON.stringify(reply.body));
  return reply;
}

function keep(what: string, secret: unknown): string {
  if (typeof secret !== "string" || secret.length < 6) throw new Error(`There is no ${what}`);
  secrets.set(what, secret);
  return secret;
}

beforeAll(async () => {
  const account = await service.register();
  const { email, orgId } = account;
  const password = keep("password", account.password);
  const home = `/api/v1/organizations/${orgId}`;
  keep("first session token", account.token);

  const twoFactor = await withTwoFactor(service, account, Date.now());
  keep("TOTP seed", twoFactor.secret);
  for (const [index, code] of twoFactor.recoveryCodes.entries()) keep(`recovery code ${index}`, code);
  await call("POST", "/api/v1/auth/login", { body: { email, password: keep("wrong password", "not the passphrase") } });
  const { body: login } = await call("POST", "/api/v1/auth/login", { body: { email, password } });
  const challengeToken = keep("challenge token", login.challengeToken);
  const wrong = keep("wrong recovery code", "aaaa-bbbb-cccc-dddd");
  await call("POST", "/api/v1/auth/login/2fa", { body: { challengeToken, code: wrong } });
  const code = codeAt(twoFactor.secret, Date.now());
  const { body: session } = await call("POST", "/api/v1/auth/login/2fa", { body: { challengeToken, code } });
  const token = keep("session token", session.token);

  const { body: apiKey } = await call("POST", `${home}/api-keys`, {
    token,
    body: { name: "server", scopes: ["links:write"] },
  });
  const key = keep("API key", apiKey.key);
  const { body: accessToken } = await call("POST", `${home}/access-tokens`, {
    token,
    body: { name: "script", scopes: ["read"] },
  });
  await call("GET", "/api/v1/auth/me", { token: keep("access token", accessToken.token) });
  const linkPassword = keep("link password", "open sesame, please");
  const input = { defaultUrl: "https://example.com/", slug: "locked", password: linkPassword };
  const { body: link } = await call("POST", "/api/v1/links", { apiKey: key, body: input });
  await call("POST", "/api/v1/links", { apiKey: key, body: { ...input, slug: "docs" } });
  await call("PATCH", `${home}/links/${link._id}`, {
    token,
    body: { password: keep("new link password", "sesame opened") },
  });
  for (const [query, agent] of VISITS_WITH_PASSWORD) {
    await service.visit(`/locked?utm_source=mail&${query}`, {
      "user-agent": agent,
      referer: `https://user:sesame opened@news.example.com/sesame%20opened?${query}#sesame+opened`,
    });
  }
  await service.visit("/locked", { "x-link-password": keep("guessed link password", "is it open sesame") });

  const clientSecret = keep("client secret", "client secret of a provider");
  await call("PATCH", `${home}/sso`, { token, body: { clientId: "waymark", clientSecret } });
  await call("PATCH", `${home}/sso`, { token, body: { clientSecret, enabled: true } });

  const { body: webhook } = await call("POST", `${home}/webhooks`, {
    token,
    body: { url: "http://127.0.0.9:1/", events: ["link.created"] },
  });
  keep("webhook secret", webhook.secret);
  await call("POST", `${home}/links`, { token, body: { defaultUrl: "https://example.com/" } });
  const { body: rotated } = await call("POST", `${home}/webhooks/${webhook._id}/rotate-secret`, { token });
  keep("rotated webhook secret", rotated.secret);
  await call("POST", `${home}/webhooks/${webhook._id}/test`, { token, body: { event: "none" } });
  shown.push(JSON.stringify((await call("POST", `${home}/webhooks/${webhook._id}/test`, { token, body: {} })).body));
  shown.push(JSON.stringify((await call("GET", `${home}/webhooks/${webhook._id}/deliveries`, { token })).body));

  const importKey = keep("key of another service", "dub_a key_of another_service".replaceAll(" ", "-"));
  const fetching = { options: { source: "dub" }, credentials: { apiKey: importKey, baseUrl: "http://127.0.0.9:1" } };
  await call("POST", `${home}/imports`, { token, body: fetching });
  await call("POST", `${home}/imports`, { token, body: { ...fetching, options: { source: "firebase" } } });

  const { body: invited } = await call("POST", `${home}/members/invite`, {
    token,
    body: { email: "invited@example.com", role: "member" },
  });
  const inviteToken = keep("invitation token", invited.inviteToken);
  await call("POST", "/api/v1/auth/login", { body: { email, password, inviteToken } });

  await call("POST", "/api/v1/auth/password/forgot", { body: { email } });
  const mail = (await smtp.until(2)).find(({ to }) => to.includes(email));
  const resetToken = keep("reset token", /token=([\w-]{20,})/.exec(mail?.text ?? "")?.[1]);
  await call("POST", "/api/v1/auth/password/reset", { body: { token: resetToken, password: "short" } });
  const renewed = keep("renewed password", `a new passphrase ${crypto.randomUUID()}`);
  await call("POST", "/api/v1/auth/password/reset", { body: { token: resetToken, password: renewed } });
  await call("POST", "/api/v1/auth/password/reset", { body: { token: resetToken, password: renewed } });
  await call("GET", "/api/v1/auth/me", { token });

  const { body: again } = await call("POST", "/api/v1/auth/login", { body: { email, password: renewed } });
  const [recoveryCode] = twoFactor.recoveryCodes;
  const { body: last } = await call("POST", "/api/v1/auth/login/2fa", {
    body: { challengeToken: keep("last challenge token", again.challengeToken), code: recoveryCode },
  });
  const signedIn = { token: keep("last session token", last.token) };
  for (const path of [
    "audit-logs?limit=100",
    "api-keys",
    "access-tokens",
    "webhooks",
    "members",
    "sso",
    "links",
    "domains",
    "imports",
    "usage",
  ]) {
    const { status, body } = await call("GET", `${home}/${path}`, signedIn);
    expect({ path, status }).toEqual({ path, status: 200 });
    shown.push(JSON.stringify(body));
  }
  shown.push(JSON.stringify((await call("GET", "/api/v1/auth/sessions", signedIn)).body));
  await waitUntilDrained(service.service);
});

/** Returns the secret as written, and in the encodings in which it may appear. */
const formsOf = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  secret.replaceAll(" ", "+"),
  Buffer.from(secret).toString("base64").replace(/=+$/, ""),
  Buffer.from(secret).toString("hex"),
];

function expectNone(text: string): void {
  const found = [...secrets].filter(([, secret]) => formsOf(secret).some((form) => text.includes(form)));
  expect(found.map(([what]) => what)).toEqual([]);
}

test("the search detects a secret that is present", () => {
  expect(secrets.size).toBeGreaterThan(20);
  const [[what = "", secret = ""] = []] = secrets;
  for (const form of formsOf(secret)) expect(() => expectNone(`…${form}…`)).toThrow(what);
});

describe("no secret", () => {
  test("is in the service's log", () => {
    const logged = service.logged();
    expect(logged).toContain('"route":"/api/v1/auth/login/2fa"');
    expectNone(logged);
  });

  test("is in any file of the service, including the spool", async () => {
    const files = (await readdir(dataDir, { recursive: true, withFileTypes: true })).filter((file) => file.isFile());
    const texts = await Promise.all(files.map(({ parentPath, name }) => Bun.file(join(parentPath, name)).text()));
    expect(texts.join("\n")).toContain("utm_source=mail");
    expectNone(texts.join("\n"));
  });

  test("is in any row of any table", async () => {
    const tables = await service.sql<{ name: string }[]>`
      select relname as name from pg_class
      where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`;
    for (const { name } of tables) {
      const rows = await service.sql`select to_jsonb(t)::text as row from ${service.sql(name)} t`;
      expectNone(rows.map(({ row }) => row).join("\n"));
    }
  });

  test("is in an error, a list or an audit entry", () => {
    expect(shown.length).toBeGreaterThan(12);
    expectNone(shown.join("\n"));
  });
});
