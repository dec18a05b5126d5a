/**
 * Guessing at an account's password locks out strangers, but never a browser in which its user has signed in before.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { codeAt, withTwoFactor, wrongCodeAt } from "@test/support/accounts/authenticator";
import { expectFailure } from "@test/support/failure";
import { type Account, CLIENT_HEADER, type Reply, startTestService } from "@test/support/service";
import { resetPassword } from "@/admin/accounts";
import { openDatabase } from "@/platform/db/client";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const WRONG = "a wrong one";
const CHEAP_HASH = await Bun.password.hash("quartz", { algorithm: "argon2id", memoryCost: 8, timeCost: 1 });
const WRONG_MAX = 5;
const WRONG_OF_ALL_MAX = 100;

let now = Date.now();
const service = await startTestService({ clock: () => now });
const { call, sql } = service;
const database = openDatabase(service.databaseUrl, { pool: "tool" });
afterAll(() => database.close());

let addresses = 0;
const newAddress = () => `100.65.${(addresses >> 8) & 255}.${addresses++ & 255}`;

interface Browser {
  cookie?: string;
  address?: string;
}

const login = ({ email, password }: Pick<Account, "email" | "password">, { cookie, address }: Browser = {}) =>
  call<{ challengeToken?: string }>("POST", "/api/v1/auth/login", {
    body: { email, password },
    headers: { [CLIENT_HEADER]: address ?? newAddress(), ...(cookie && { cookie }) },
  });

const guess = ({ email }: Account, browser: Browser = {}) => login({ email, password: WRONG }, browser);

/** Makes the guesses against a hash that costs next to nothing: a hundred of the usual ones take seconds. */
async function guesses(count: number, account: Account): Promise<void> {
  const [user] = await sql`select password_hash as hash from users where email = ${account.email}`;
  const setHash = (hash: string) => sql`update users set password_hash = ${hash} where email = ${account.email}`;
  await setHash(CHEAP_HASH);
  await Promise.all(Array.from({ length: count }, () => guess(account)));
  await setHash(user?.hash);
}

/** Returns the cookie that a browser sends after this response. */
function cookieOf({ headers }: Reply<unknown>): string {
  const [first = ""] = headers.getSetCookie();
  return first.split(";")[0] ?? "";
}

const knownTo = async (account: Account, browser: Browser = {}) => {
  const reply = await login(account, browser);
  expect(reply.status).toBe(200);
  return cookieOf(reply);
};

/** Returns the cookie with each byte of its value changed, one at a time, and some other invalid values. */
function forgeriesOf(cookie: string): string[] {
  const [name, value = ""] = cookie.split("=");
  const bytes = Buffer.from(value, "base64url");
  const changed = Array.from(bytes.keys(), (at) => {
    const other = Buffer.from(bytes);
    other[at] = (other[at] ?? 0) ^ 1;
    return other.toString("base64url");
  });
  return [...changed, value.slice(0, -4), "", "x".repeat(5000), "a.b.c"].map((text) => `${name}=${text}`);
}

describe("a browser in which the user has signed in before", () => {
  test(
    "signs in while guesses from everywhere hold the account, and a stranger does not",
    async () => {
      const ada = await service.register();
      const cookie = await knownTo(ada);
      await guesses(WRONG_OF_ALL_MAX, ada);
      expectFailure(await login(ada), 429);
      expect((await login(ada, { cookie })).status).toBe(200);
    },
    MINUTE_MS,
  );

  test("signs in from the same address as the guesser", async () => {
    const ada = await service.register();
    const [cookie, address] = [await knownTo(ada), newAddress()];
    for (let tries = 0; tries <= WRONG_MAX; tries++) await guess(ada, { address });
    expectFailure(await login(ada, { address }), 429);
    expect((await login(ada, { cookie, address })).status).toBe(200);
  });

  test("is limited to five wrong passwords a minute across all addresses", async () => {
    const ada = await service.register();
    const cookie = await knownTo(ada);
    for (let tries = 0; tries < WRONG_MAX; tries++) expectFailure(await guess(ada, { cookie }), 401);
    expectFailure(await guess(ada, { cookie }), 429);
    expectFailure(await login(ada, { cookie }), 429);
    expect((await login(ada)).status).toBe(200);
    now += MINUTE_MS;
    expect((await login(ada, { cookie })).status).toBe(200);
  });

  test(
    "is known since its registration, for several accounts, and after any sign-in for as long again",
    async () => {
      const email = `new-${crypto.randomUUID()}@example.com`;
      const input = { name: "Ada", email, password: "quartz trombone lagoon", organizationName: "Acme" };
      const registered = await call<Account>("POST", "/api/v1/auth/register", { body: input });
      const ada = { ...registered.body, ...input };
      const bob = await service.register();
      const cookie = await knownTo(bob, { cookie: cookieOf(registered) });
      await Promise.all([guesses(WRONG_OF_ALL_MAX, ada), guesses(WRONG_OF_ALL_MAX, bob)]);
      for (const account of [ada, bob]) expect((await login(account, { cookie })).status).toBe(200);
    },
    2 * MINUTE_MS,
  );

  test("gets an HttpOnly, SameSite=Strict cookie that signs nobody in", async () => {
    const ada = await service.register();
    const cookies = (await login(ada)).headers.getSetCookie();
    expect(cookies.map((cookie) => /Path=([^;]+)/.exec(cookie)?.[1])).toEqual(["/api/v1/auth", "/app"]);
    for (const cookie of cookies) expect(cookie).toMatch(/; Max-Age=15552000; HttpOnly; SameSite=Strict$/);
    const cookie = cookies[0]?.split(";")[0] ?? "";
    expect(cookie).not.toContain(ada.email);
    expectFailure(await call("GET", "/api/v1/auth/me", { headers: { cookie } }), 401);
    expectFailure(await guess(ada, { cookie }), 401);
  });
});

describe("is treated as a stranger:", () => {
  /** Locks an account by guesses from everywhere. */
  const held = (account: Account) => guesses(WRONG_OF_ALL_MAX, account);

  test(
    "who brings another account's cookie, or a forged one",
    async () => {
      const [ada, eve] = [await service.register(), await service.register()];
      const [own, others] = [await knownTo(ada), await knownTo(eve)];
      await held(ada);
      for (const cookie of [others, ...forgeriesOf(own)]) expectFailure(await login(ada, { cookie }), 429);
      expect((await login(ada, { cookie: own })).status).toBe(200);
    },
    MINUTE_MS,
  );

  test(
    "a browser whose cookie has ended, by its time or by another password",
    async () => {
      const ada = await service.register();
      const cookie = await knownTo(ada);
      now += 179 * DAY_MS;
      await held(ada);
      expect((await login(ada, { cookie })).status).toBe(200);
      now += 2 * DAY_MS;
      await held(ada);
      expectFailure(await login(ada, { cookie }), 429);
      now += MINUTE_MS;
      const renewed = await knownTo(ada);
      const { message = "" } = await resetPassword(database.db, [ada.email]);
      const [, password = ""] = /new password of \S+ is (\S+);/.exec(message) ?? [];
      await held(ada);
      expectFailure(await login({ ...ada, password }, { cookie: renewed }), 429);
      now += MINUTE_MS;
      expect((await login({ ...ada, password }, { cookie: renewed })).status).toBe(200);
    },
    2 * MINUTE_MS,
  );

  test("whoever knows the password but not the two-factor code", async () => {
    const ada = await withTwoFactor(service, await service.register(), now);
    const halfway = await login(ada);
    expect(halfway.body.challengeToken).toBeString();
    expect(halfway.headers.getSetCookie()).toEqual([]);
  });
});

describe("wrong codes", () => {
  const answer = (challengeToken: unknown, code: string, { cookie, address }: Browser = {}) =>
    call("POST", "/api/v1/auth/login/2fa", {
      body: { challengeToken, code },
      headers: { [CLIENT_HEADER]: address ?? newAddress(), ...(cookie && { cookie }) },
    });
  const challengeOf = async (account: Account, browser: Browser = {}) =>
    (await login(account, browser)).body.challengeToken;

  test(
    "of somebody who knows the password keep out strangers, not a known browser, and no recovery code",
    async () => {
      const ada = await withTwoFactor(service, await service.register(), now);
      const cookie = cookieOf(await answer(await challengeOf(ada), codeAt(ada.secret, now)));
      now += MINUTE_MS;
      for (let tries = 0; tries < 30; tries++) {
        expectFailure(await answer(await challengeOf(ada), wrongCodeAt(ada.secret, now)), 401);
      }
      expectFailure(await answer(await challengeOf(ada), codeAt(ada.secret, now)), 429);
      expect((await answer(await challengeOf(ada), ada.recoveryCodes[0] ?? "")).status).toBe(200);
      expect((await answer(await challengeOf(ada), codeAt(ada.secret, now), { cookie })).status).toBe(200);
    },
    MINUTE_MS,
  );

  test("from one address lock out only that address", async () => {
    const ada = await withTwoFactor(service, await service.register(), now);
    now += MINUTE_MS;
    const address = newAddress();
    const wrong = async () => answer(await challengeOf(ada), wrongCodeAt(ada.secret, now), { address });
    for (let tries = 0; tries < 10; tries++) expectFailure(await wrong(), 401);
    expectFailure(await wrong(), 429);
    expect((await answer(await challengeOf(ada), codeAt(ada.secret, now))).status).toBe(200);
  });
});

test(
  "a session disables two-factor while guesses from everywhere hold the account",
  async () => {
    const ada = await withTwoFactor(service, await service.register(), now);
    now += MINUTE_MS;
    await guesses(WRONG_OF_ALL_MAX, ada);
    const body = { password: ada.password, code: codeAt(ada.secret, now) };
    expect((await call("POST", "/api/v1/auth/2fa/disable", { token: ada.token, body })).status).toBe(200);
    expect(await sql`select two_factor_enabled from users where email = ${ada.email}`).toMatchObject([
      { two_factor_enabled: false },
    ]);
  },
  MINUTE_MS,
);
