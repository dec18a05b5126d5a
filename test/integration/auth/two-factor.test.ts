/** Setting up, enabling and disabling two-factor authentication. */
import { beforeAll, describe, expect, test } from "bun:test";
import {
  codeAt,
  STEP_MS,
  type TwoFactorAccount,
  withTwoFactor,
  wrongCodeAt,
} from "@test/support/accounts/authenticator";
import { changingNothing } from "@test/support/accounts/changing-nothing";
import { expectFailure } from "@test/support/failure";
import { type Account, startTestService } from "@test/support/service";

const MINUTE_MS = 60_000;
let now = Date.now();
const service = await startTestService({ clock: () => now });
const { call, sql } = service;

interface Setup {
  secret: string;
  qrCodeDataUrl: string;
  otpauthUrl: string;
}

const status = (token: string) => call<{ enabled: boolean }>("GET", "/api/v1/auth/2fa", { token });
const setup = (token: string) => call<Setup & Record<string, unknown>>("POST", "/api/v1/auth/2fa/setup", { token });
const enable = (token: string, code: unknown) =>
  call<{ enabled: boolean; recoveryCodes: string[] } & Record<string, unknown>>("POST", "/api/v1/auth/2fa/enable", {
    token,
    body: { code },
  });
const disable = (token: string, body: Record<string, unknown>) =>
  call("POST", "/api/v1/auth/2fa/disable", { token, body });
const login = ({ email, password }: Account) =>
  call<{ token: string }>("POST", "/api/v1/auth/login", { body: { email, password } });
const isSignedIn = async (token: string) => (await call("GET", "/api/v1/auth/me", { token })).status === 200;

const audited = (orgId: string) => sql`
  select action, resource_type, resource_id, actor_email, changes from audit_logs
  where org_id = ${orgId} and action like 'user.%' order by id`;

describe("setup and enable", () => {
  let ada: Account;
  beforeAll(async () => {
    ada = await service.register();
  });

  test("400 for a code before setup, a wrong code and an invalid value", async () => {
    expectFailure(await enable(ada.token, "123456"), 400, ["code"]);
    const { body } = await setup(ada.token);
    await changingNothing(sql, async () => {
      for (const code of [
        wrongCodeAt(body.secret, now),
        "",
        "12345",
        "1234567",
        "abcdef",
        123456,
        null,
        undefined,
        {},
      ]) {
        expectFailure(await enable(ada.token, code), 400, ["code"]);
      }
    });
    expect((await status(ada.token)).body).toEqual({ enabled: false });
  });

  test("200 returns a new secret as text, otpauth URL and image", async () => {
    const { status: answered, body } = await setup(ada.token);
    expect(answered).toBe(200);
    expect(Object.keys(body).toSorted()).toEqual(["otpauthUrl", "qrCodeDataUrl", "secret"]);
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/);
    const url = new URL(body.otpauthUrl);
    expect(decodeURIComponent(url.pathname)).toBe(`/Waymark:${ada.email}`);
    expect(Object.fromEntries(url.searchParams)).toEqual({ secret: body.secret, issuer: "Waymark" });
    const image = Buffer.from(body.qrCodeDataUrl.replace(/^data:image\/png;base64,/, ""), "base64");
    expect(image.subarray(1, 4).toString()).toBe("PNG");
  });

  test("a new setup replaces the unconfirmed secret", async () => {
    const first = await setup(ada.token);
    const second = await setup(ada.token);
    expect(second.body.secret).not.toBe(first.body.secret);
    expectFailure(await enable(ada.token, codeAt(first.body.secret, now)), 400, ["code"]);
  });

  test("sign-in needs only the password until two-factor is enabled", async () => {
    expect((await login(ada)).body.token).toBeString();
  });

  test("200 for one of several simultaneous requests to enable, which ends the other sessions", async () => {
    const { secret } = (await setup(ada.token)).body;
    const other = (await login(ada)).body.token;
    const replies = await Promise.all([1, 2, 3, 4].map(() => enable(ada.token, codeAt(secret, now))));
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, 409, 409, 409]);
    const { body } = replies.find((reply) => reply.status === 200) ?? {};
    expect(body?.enabled).toBe(true);
    expect(new Set(body?.recoveryCodes).size).toBe(10);
    for (const code of body?.recoveryCodes ?? [])
      expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
    const [kept] = await sql`select count(*)::int as codes from recovery_codes c join users u on u.id = c.user_id
      where u.email = ${ada.email}`;
    expect(kept?.codes).toBe(10);
    expect([await isSignedIn(other), await isSignedIn(ada.token)]).toEqual([false, true]);
    expect((await status(ada.token)).body).toEqual({ enabled: true });
  });

  test("409 once it is enabled, without changing the secret", async () => {
    await changingNothing(sql, async () => {
      expectFailure(await setup(ada.token), 409);
      expectFailure(await enable(ada.token, "123456"), 409);
    });
  });

  test("the organization's audit log records that it was enabled", async () => {
    const entries = await audited(ada.orgId);
    expect(entries.map((entry) => entry.action)).toEqual(["user.two_factor_enable"]);
    expect(entries[0]).toMatchObject({
      resource_type: "user",
      actor_email: ada.email,
      changes: { twoFactorEnabled: { from: false, to: true } },
    });
  });
});

describe("disable", () => {
  let ada: TwoFactorAccount;
  const right = () => ({ password: ada.password, code: codeAt(ada.secret, now) });
  beforeAll(async () => {
    ada = await withTwoFactor(service, await service.register(), now);
  });

  test("400 naming missing fields and wrong types", async () => {
    expectFailure(await disable(ada.token, {}), 400, ["code", "password"]);
    expectFailure(await disable(ada.token, { password: ada.password }), 400, ["code"]);
    expectFailure(await disable(ada.token, { code: codeAt(ada.secret, now) }), 400, ["password"]);
    expectFailure(await disable(ada.token, { password: 5, code: [] }), 400, ["code", "password"]);
  });

  test("400 for a wrong password or code, without using up a code", async () => {
    await changingNothing(sql, async () => {
      expectFailure(await disable(ada.token, { ...right(), password: "another passphrase" }), 400, ["password"]);
      expectFailure(await disable(ada.token, { ...right(), code: wrongCodeAt(ada.secret, now) }), 400, ["code"]);
      expectFailure(await disable(ada.token, { ...right(), code: "7k2m-x9qd-4hwt-0vzr" }), 400, ["code"]);
    });
  });

  test("429 after five tries in a minute, even if the sixth is right", async () => {
    now += MINUTE_MS;
    for (let tries = 0; tries < 5; tries++) {
      expectFailure(await disable(ada.token, { ...right(), password: "another passphrase" }), 400);
    }
    const refused = await disable(ada.token, right());
    expectFailure(refused, 429);
    expect(Number(refused.headers.get("retry-after"))).toBeWithin(1, 61);
    now += MINUTE_MS;
  });

  test("200 for one of several simultaneous requests, which ends all of the user's sessions", async () => {
    const replies = await Promise.all(
      ada.recoveryCodes.slice(0, 3).map((code) => disable(ada.token, { ...right(), code })),
    );
    expect(replies.filter((reply) => reply.status === 200).map(({ body }) => body)).toEqual([{ enabled: false }]);
    expect(await isSignedIn(ada.token)).toBe(false);
    const [row] = await sql`select totp_secret, totp_last_step, two_factor_enabled,
      (select count(*)::int from recovery_codes c where c.user_id = u.id) as codes from users u where email = ${ada.email}`;
    expect(row).toMatchObject({ totp_secret: null, totp_last_step: null, two_factor_enabled: false, codes: 0 });
    expect((await audited(ada.orgId)).map((entry) => entry.action)).toEqual([
      "user.two_factor_enable",
      "user.two_factor_disable",
    ]);
  });

  test("409 when it is not enabled", async () => {
    const { token } = (await login(ada)).body;
    expectFailure(await disable(token, right()), 409);
  });

  test("enabling it again gives a new secret and new recovery codes", async () => {
    now += STEP_MS;
    const { token } = (await login(ada)).body;
    const again = await withTwoFactor(service, { ...ada, token }, now);
    expect(again.secret).not.toBe(ada.secret);
    expect(again.recoveryCodes.filter((code) => ada.recoveryCodes.includes(code))).toEqual([]);
  });
});

describe("403 for a single sign-on session", () => {
  test("that reads or changes the two-factor state", async () => {
    const { token, orgId, email, password } = await service.register();
    await sql`update sessions s set sso_org_id = ${orgId} from users u where u.id = s.user_id and u.email = ${email}`;
    expectFailure(await status(token), 403);
    await changingNothing(sql, async () => {
      expectFailure(await setup(token), 403);
      expectFailure(await enable(token, "123456"), 403);
      expectFailure(await disable(token, { password, code: "123456" }), 403);
    });
  });
});
