/** Sign-in with a second factor: the challenge, what it withstands, and that every code works once. */
import { beforeEach, describe, expect, test } from "bun:test";
import {
  codeAt,
  STEP_MS,
  type TwoFactorAccount,
  withTwoFactor,
  wrongCodeAt,
} from "@test/support/accounts/authenticator";
import { expectFailure, fieldsOf } from "@test/support/failure";
import { type Reply, startTestService } from "@test/support/service";
import type { AuthSession } from "@/contract/accounts/auth";
import { createChallengeTokens, createSessionTokens } from "@/modules/auth/sessions/tokens";
import { openKeys } from "@/platform/keys";

const SECRET = "the secret of this test, which is long enough";
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
let now = Date.now();
const service = await startTestService({ clock: () => now, env: { APP_SECRET: SECRET } });
const { call, sql } = service;
const NO_SECRETS = { appSecret: null, appSecretPrevious: null, dataDir: "/nowhere" };
const keys = await openKeys({ ...NO_SECRETS, appSecret: SECRET });
const tokens = createChallengeTokens(keys);

type Answer = Reply<AuthSession & Record<string, unknown>>;

const ada = await withTwoFactor(service, await service.register(), now);
const userId = String((await sql`select id from users where email = ${ada.email}`)[0]?.id);

/** Creates a challenge as a correct password does, without the cost of hashing it. */
async function challenge(): Promise<string> {
  const id = Bun.randomUUIDv7();
  const expiresAt = new Date(now + 5 * MINUTE_MS);
  await sql`insert into login_challenges (id, user_id, expires_at) values (${id}, ${userId}, ${expiresAt})`;
  return tokens.sign({ sub: userId, sid: id });
}
const answer = (challengeToken: unknown, code: unknown): Promise<Answer> =>
  call("POST", "/api/v1/auth/login/2fa", { body: { challengeToken, code } });
const code = (account: TwoFactorAccount = ada) => codeAt(account.secret, now);
const wrongCode = () => wrongCodeAt(ada.secret, now);
const statuses = (replies: Reply[]) => replies.map(({ status }) => status).toSorted();

// Each test begins after the codes of the previous one and the counts of wrong codes have expired.
beforeEach(() => {
  now += HOUR_MS;
});

test("the right password returns a challenge instead of a session, a wrong one 401", async () => {
  const { email, password } = ada;
  expectFailure(await call("POST", "/api/v1/auth/login", { body: { email, password: "another passphrase" } }), 401);
  const { status, body } = await call("POST", "/api/v1/auth/login", { body: { email, password } });
  expect(status).toBe(200);
  expect(body).toEqual({ twoFactorRequired: true, challengeToken: expect.any(String) });
  const reply = await answer(body.challengeToken, code());
  expect(reply.status).toBe(200);
  expect(Object.keys(reply.body).toSorted()).toEqual(["organizations", "token", "user"]);
  expect(reply.body.user).toMatchObject({ email, twoFactorEnabled: true });
  expect(reply.body.organizations.map(({ _id }) => _id)).toEqual([ada.orgId]);
  expect((await call("GET", "/api/v1/auth/me", { token: reply.body.token })).status).toBe(200);
});

describe("400", () => {
  test.each([[undefined], [null], [""], [5], [true], [{}], [["a"]], ["a\0b"], ["\ud800"]])(
    "for %p as challengeToken or code",
    async (wrong) => {
      const token = await challenge();
      expect(fieldsOf((await answer(wrong, code())).body)).toEqual(["challengeToken"]);
      expect(fieldsOf((await answer(token, wrong)).body)).toEqual(["code"]);
      expectFailure(await answer(wrong, wrong), 400, ["challengeToken", "code"]);
      expect((await answer(token, code())).status).toBe(200);
    },
  );
});

describe("401 for a code", () => {
  test("that is wrong or malformed", async () => {
    for (const odd of [wrongCode(), "12345", "'; drop table users; --", "🦊", "__proto__", "oooo-oooo-oooo-oooo"]) {
      expectFailure(await answer(await challenge(), odd), 401);
    }
  });

  test.each([
    ["two steps ago", -2],
    ["two steps ahead", 2],
  ])("of %s", async (_, steps) => {
    expectFailure(await answer(await challenge(), codeAt(ada.secret, now + steps * STEP_MS)), 401);
  });

  test("that was already used, or belongs to an earlier step", async () => {
    expect((await answer(await challenge(), code())).status).toBe(200);
    expectFailure(await answer(await challenge(), code()), 401);
    expectFailure(await answer(await challenge(), codeAt(ada.secret, now - STEP_MS)), 401);
    expect((await answer(await challenge(), codeAt(ada.secret, now + STEP_MS))).status).toBe(200);
  });

  test("that was used to enable two-factor", async () => {
    const eve = await withTwoFactor(service, await service.register(), now + STEP_MS);
    const { email, password } = eve;
    const { body } = await call("POST", "/api/v1/auth/login", { body: { email, password } });
    expectFailure(await answer(body.challengeToken, code(eve)), 401);
  });

  test("of another account", async () => {
    const eve = await withTwoFactor(service, await service.register(), now);
    expectFailure(await answer(await challenge(), code(eve)), 401);
    expectFailure(await answer(await challenge(), eve.recoveryCodes[0]), 401);
  });
});

describe("401 for a challenge", () => {
  test("after five wrong codes, even if the sixth is right", async () => {
    const token = await challenge();
    const wrong = await Promise.all(Array.from({ length: 5 }, () => answer(token, wrongCode())));
    for (const reply of wrong) expectFailure(reply, 401);
    const sixth = await answer(token, code());
    expectFailure(sixth, 401);
    expect(sixth.body.error).not.toBe(wrong[0]?.body.error);
    expect((await answer(await challenge(), code())).status).toBe(200);
  });

  test("with twenty simultaneous codes, of which only five are checked", async () => {
    const token = await challenge();
    const replies = await Promise.all(Array.from({ length: 20 }, () => answer(token, wrongCode())));
    const wrong = replies.filter(({ body }) => body.error === "The code is wrong or already used");
    expect([statuses(replies), wrong.length]).toEqual([new Array(20).fill(401), 5]);
  });

  test("that was already used to sign in", async () => {
    const token = await challenge();
    expect((await answer(token, code())).status).toBe(200);
    expectFailure(await answer(token, codeAt(ada.secret, now + STEP_MS)), 401);
    expectFailure(await answer(token, ada.recoveryCodes[9]), 401);
  });

  test("that is five minutes old", async () => {
    const token = await challenge();
    const late = await challenge();
    now += 5 * MINUTE_MS - 1;
    expect((await answer(token, code())).status).toBe(200);
    now += 1;
    expectFailure(await answer(late, codeAt(ada.secret, now + STEP_MS)), 401);
  });

  test("that does not exist, or whose token is malformed or of another kind", async () => {
    const other = await tokens.sign({ sub: Bun.randomUUIDv7(), sid: Bun.randomUUIDv7() });
    const [, sid] = [await challenge(), Bun.randomUUIDv7()];
    for (const token of [other, await tokens.sign({ sub: userId, sid }), ada.token, "token", "..."]) {
      expectFailure(await answer(token, code()), 401);
    }
  });

  test("that is open but sent with a forged token, which uses up no try", async () => {
    const token = await challenge();
    const [head = "", payload = "", signature = ""] = token.split(".");
    const { sid } = JSON.parse(Buffer.from(payload, "base64url").toString());
    const ofOther = createChallengeTokens(
      await openKeys({ ...NO_SECRETS, appSecret: "a secret nobody was ever given" }),
    );
    const forged = [
      await ofOther.sign({ sub: userId, sid }),
      `${Buffer.from('{"alg":"none"}').toString("base64url")}.${payload}.`,
      `${head}.${payload}.`,
      `${head}.${payload}.${signature.toLowerCase()}`,
      await createSessionTokens(keys).sign({ sub: userId, sid }),
    ];
    for (const one of forged) expectFailure(await answer(one, code()), 401);
    const [row] = await sql`select tries from login_challenges where id = ${sid}`;
    expect(row?.tries).toBe(0);
    expect((await answer(token, code())).status).toBe(200);
  });

  test("that was open when two-factor was disabled", async () => {
    const eve = await withTwoFactor(service, await service.register(), now);
    const { email, password } = eve;
    const { body } = await call("POST", "/api/v1/auth/login", { body: { email, password } });
    const disabled = await call("POST", "/api/v1/auth/2fa/disable", {
      token: eve.token,
      body: { password, code: eve.recoveryCodes[0] },
    });
    expect(disabled.status).toBe(200);
    expectFailure(await answer(body.challengeToken, code(eve)), 401);
    expectFailure(await answer(body.challengeToken, eve.recoveryCodes[1]), 401);
    const signedIn = await call<{ token: string }>("POST", "/api/v1/auth/login", { body: { email, password } });
    const again = await withTwoFactor(service, { ...eve, token: signedIn.body.token }, now);
    expectFailure(await answer(body.challengeToken, code(again)), 401);
  });
});

test("429 after thirty wrong codes for an account in an hour, even for the right code", async () => {
  for (let round = 0; round < 6; round++) {
    const token = await challenge();
    await Promise.all(Array.from({ length: 5 }, () => answer(token, wrongCode())));
    now += MINUTE_MS;
  }
  const refused = await answer(await challenge(), code());
  expectFailure(refused, 429);
  expect(refused.body.error).toBe("Too many wrong codes for this account; try again later, or use a recovery code");
  expect(Number(refused.headers.get("retry-after"))).toBeWithin(61, 3601);
  now += HOUR_MS;
  expect((await answer(await challenge(), code())).status).toBe(200);
});

describe("200", () => {
  test.each([-1, 0, 1])("for the code of %i steps away", async (steps) => {
    expect((await answer(await challenge(), codeAt(ada.secret, now + steps * STEP_MS))).status).toBe(200);
  });

  test("for a code with a space in its middle", async () => {
    expect((await answer(await challenge(), code().replace(/^.../, "$& "))).status).toBe(200);
  });

  test("for a recovery code, once, however it is typed, with an entry in the audit log", async () => {
    const [first = "", second = ""] = ada.recoveryCodes;
    expect((await answer(await challenge(), first)).status).toBe(200);
    expectFailure(await answer(await challenge(), first), 401);
    const typed = ` ${second.toUpperCase().replaceAll("-", " ").replaceAll("0", "O").replaceAll("1", "l")} `;
    expect((await answer(await challenge(), typed)).status).toBe(200);
    const entries =
      await sql`select 1 from audit_logs where org_id = ${ada.orgId} and action = 'user.recovery_code_use'`;
    expect(entries).toHaveLength(2);
  });
});

describe("exactly one sign-in succeeds", () => {
  const once = [200, ...new Array(49).fill(401)];
  /** The limits of the address and of the account also refuse some of the fifty. */
  const asRefusal = (all: number[]) => all.map((status) => (status === 429 ? 401 : status)).toSorted();

  test.each([
    ["code of the authenticator", () => code()],
    ["recovery code", () => ada.recoveryCodes[2]],
  ])("of fifty challenges at once with one %s", async (_, made) => {
    const one = made();
    const challenges = await Promise.all(Array.from({ length: 50 }, challenge));
    const replies = await Promise.all(challenges.map((token) => answer(token, one)));
    expect(asRefusal(statuses(replies))).toEqual(once);
    const [row] =
      await sql`select count(*)::int as sessions from sessions where user_id = ${userId} and created_at = ${new Date(now)}`;
    expect(row?.sessions).toBe(1);
  });

  test("of one challenge with several right codes at once, and the unused codes stay valid", async () => {
    const token = await challenge();
    const codes = [code(), ...ada.recoveryCodes.slice(3, 6)];
    const replies = await Promise.all(codes.map((one) => answer(token, one)));
    expect(statuses(replies)).toEqual([200, 401, 401, 401]);
    const late = codes.filter((_, index) => replies[index]?.status === 401);
    for (const one of late) expect((await answer(await challenge(), one)).status).toBe(200);
  });
});
