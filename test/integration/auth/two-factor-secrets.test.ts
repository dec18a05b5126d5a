/**
 * What a thief of the database would find of two-factor authentication, and what remains of it after a change of
 * APP_SECRET.
 */
import { expect, test } from "bun:test";
import { codeAt, withTwoFactor } from "@test/support/accounts/authenticator";
import { expectFailure } from "@test/support/failure";
import { startTestService, type TestService } from "@test/support/service";

const [OLD, NEW] = ["the secret of yesterday, long enough by far", "the secret of today, long enough by far"];
const MINUTE_MS = 60_000;
let now = Date.now();
const clock = () => now;
const service = await startTestService({ clock, env: { APP_SECRET: OLD } });
const ada = await withTwoFactor(service, await service.register(), now);
const recovery = ada.recoveryCodes.map((code) => code.replaceAll("-", ""));
const secrets = [ada.secret, ...ada.recoveryCodes, ...recovery];

/** Returns the tables in which any of the texts appears, as text or as its bytes. */
async function tablesWith(texts: string[]): Promise<string[]> {
  const tables = await service.sql<{ name: string }[]>`
    select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`;
  const forms = texts.flatMap((text) => [text.toLowerCase(), Buffer.from(text).toString("hex")]);
  const found = tables.map(async ({ name }) => {
    const rows = await service.sql<{ row: string }[]>`select lower(t::text) as row from ${service.sql(name)} t`;
    return rows.some(({ row }) => forms.some((form) => row.includes(form))) ? [name] : [];
  });
  return (await Promise.all(found)).flat();
}

async function signIn({ call }: Pick<TestService, "call">, code: string) {
  const { email, password } = ada;
  const { body } = await call("POST", "/api/v1/auth/login", { body: { email, password } });
  return call("POST", "/api/v1/auth/login/2fa", { body: { challengeToken: body.challengeToken, code } });
}

test("the secret and recovery codes appear in plain text neither in the database nor in the log", async () => {
  expect(await tablesWith([ada.email])).toContain("users");
  expect(await tablesWith(secrets)).toEqual([]);
  expect(secrets.filter((secret) => service.logged().includes(secret))).toEqual([]);
});

test("a secret encrypted with APP_SECRET_PREVIOUS still works for signing in", async () => {
  const env = { DATABASE_URL: service.databaseUrl, APP_SECRET: NEW, APP_SECRET_PREVIOUS: OLD };
  const rotated = await startTestService({ clock, env });
  now += MINUTE_MS;
  expect((await signIn(rotated, codeAt(ada.secret, now))).status).toBe(200);
});

test("without APP_SECRET_PREVIOUS codes are refused with a log entry, but recovery codes still work", async () => {
  const rotated = await startTestService({ clock, env: { DATABASE_URL: service.databaseUrl, APP_SECRET: NEW } });
  now += MINUTE_MS;
  expectFailure(await signIn(rotated, codeAt(ada.secret, now)), 401);
  expect(rotated.logged()).toContain("cannot decrypt a TOTP secret");
  expect((await signIn(rotated, ada.recoveryCodes[0] ?? "")).status).toBe(200);
});
