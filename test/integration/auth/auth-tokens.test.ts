import { describe, expect, test } from "bun:test";
import { expectFailure } from "@test/support/failure";
import { startTestService } from "@test/support/service";
import { createChallengeTokens, createSessionTokens } from "@/modules/auth/sessions/tokens";
import { type Keys, openKeys } from "@/platform/keys";

const SECRET = "the secret of the day, which is long enough";
const PREVIOUS_SECRET = "the secret of yesterday, also long enough";
const service = await startTestService({ env: { APP_SECRET: SECRET, APP_SECRET_PREVIOUS: PREVIOUS_SECRET } });
const { call } = service;
const ada = await service.register();

const keysOf = (secret: string): Promise<Keys> =>
  openKeys({ appSecret: secret, appSecretPrevious: null, dataDir: "/nowhere" });
const [head = "", payload = "", signature = ""] = ada.token.split(".");
const claims: Record<string, string | number> = JSON.parse(Buffer.from(payload, "base64url").toString());
const keys = await keysOf(SECRET);

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const me = (authorization: string) => call("GET", "/api/v1/auth/me", { headers: { authorization } });

/** Builds a JWT by hand, so that it can be invalid. */
function signed(header: unknown, body: unknown, secret: Uint8Array, hash: "sha256" | "sha512" = "sha256"): string {
  const text = `${encoded(header)}.${encoded(body)}`;
  return `${text}.${new Bun.CryptoHasher(hash, secret).update(text).digest("base64url")}`;
}
const HS256 = { alg: "HS256" };
const sessionKey = keys.current("session");

test("a session token contains the user and session ids, but no roles or organizations", () => {
  expect(Object.keys(claims).toSorted()).toEqual(["exp", "iat", "sid", "sub", "typ"]);
  expect(Number(claims.exp) - Number(claims.iat)).toBe(12 * 3600);
  expect(JSON.parse(Buffer.from(head, "base64url").toString())).toMatchObject({ alg: "HS256" });
});

test("accepts a hand-made token with the right key, so that those below fail only for their fault", async () => {
  expect((await me(`Bearer ${signed(HS256, claims, sessionKey)}`)).status).toBe(200);
});

test("a token signed under APP_SECRET_PREVIOUS is still accepted", async () => {
  const previous = createSessionTokens(await keysOf(PREVIOUS_SECRET));
  const token = await previous.sign({ sub: String(claims.sub), sid: String(claims.sid) });
  expect((await me(`Bearer ${token}`)).status).toBe(200);
});

test("rejects challenge tokens as sessions and session tokens as challenges, though one key signs both", async () => {
  const challenge = await createChallengeTokens(keys).sign({ sub: String(claims.sub), sid: String(claims.sid) });
  expect((await createSessionTokens(keys).verify(ada.token))?.sid).toBe(String(claims.sid));
  expect((await createChallengeTokens(keys).verify(challenge))?.sid).toBe(String(claims.sid));
  expect(await createSessionTokens(keys).verify(challenge)).toBeUndefined();
  expect(await createChallengeTokens(keys).verify(ada.token)).toBeUndefined();
  expectFailure(await me(`Bearer ${challenge}`), 401);
});

test("rejects the token of a revoked session, though it is genuine and unexpired", async () => {
  const eve = await service.register();
  const headers = { authorization: `Bearer ${eve.token}` };
  expect((await call("POST", "/api/v1/auth/logout", { headers })).status).toBe(200);
  expect(await createSessionTokens(keys).verify(eve.token)).toBeDefined();
  expectFailure(await me(headers.authorization), 401);
});

describe("401 for", () => {
  const flipped = signature.startsWith("A") ? `B${signature.slice(1)}` : `A${signature.slice(1)}`;
  const other = new Uint8Array(32).fill(7);

  test.each([
    ["another key", signed(HS256, claims, other)],
    ["the raw secret as the key", signed(HS256, claims, Buffer.from(SECRET))],
    ["the key of another purpose", signed(HS256, claims, keys.current("match-token"))],
    ["another algorithm of the same key", signed({ alg: "HS512" }, claims, sessionKey, "sha512")],
    ["algorithm none without a signature", `${encoded({ alg: "none" })}.${payload}.`],
    ["algorithm none with the old signature", `${encoded({ alg: "none" })}.${payload}.${signature}`],
    ["no algorithm", signed({}, claims, sessionKey)],
    ["a changed signature", `${head}.${payload}.${flipped}`],
    ["no signature", `${head}.${payload}`],
    ["a changed payload", `${head}.${encoded({ ...claims, sub: Bun.randomUUIDv7() })}.${signature}`],
    ["another user with the session", signed(HS256, { ...claims, sub: Bun.randomUUIDv7() }, sessionKey)],
    ["a session nobody opened", signed(HS256, { ...claims, sid: Bun.randomUUIDv7() }, sessionKey)],
    ["a session that is no id", signed(HS256, { ...claims, sid: "' or 1=1 --" }, sessionKey)],
    ["no session", signed(HS256, { ...claims, sid: undefined }, sessionKey)],
    ["another type of token", signed(HS256, { ...claims, typ: "challenge" }, sessionKey)],
    ["no type of token", signed(HS256, { ...claims, typ: undefined }, sessionKey)],
    ["a token that has expired", signed(HS256, { ...claims, exp: Number(claims.iat) - 60 }, sessionKey)],
    ["a token that is not valid yet", signed(HS256, { ...claims, nbf: Number(claims.exp) }, sessionKey)],
    ["a critical extension nobody knows", signed({ ...HS256, crit: ["x"], x: 1 }, claims, sessionKey)],
    ["a payload that is no JSON", `${head}.${Buffer.from("claims").toString("base64url")}.${signature}`],
    ["text", "token"],
    ["dots", "..."],
    ["a very long token", "a".repeat(6000)],
  ])("%s", async (_, token) => {
    expectFailure(await me(`Bearer ${token}`), 401);
  });

  test.each([
    ["an empty header", ""],
    ["the scheme alone", "Bearer"],
    ["the scheme and spaces", "Bearer   "],
    ["the token without its scheme", ada.token],
    ["Basic credentials", `Basic ${Buffer.from(`${ada.email}:${ada.password}`).toString("base64")}`],
    ["the scheme of API keys", `ApiKey ${ada.token}`],
    ["two tokens", `Bearer ${ada.token} ${ada.token}`],
    ["two headers in one", `Bearer ${ada.token}, Bearer ${ada.token}`],
    ["bytes beyond ASCII", "Bearer \u00e9\u00ff"],
  ])("%s", async (_, authorization) => {
    expectFailure(await me(authorization), 401);
  });

  test("a token in the query", async () => {
    expectFailure(await call("GET", `/api/v1/auth/me?token=${ada.token}&access_token=${ada.token}`), 401);
  });
});

test.each(["bearer", "BEARER", "Bearer  "])("accepts the scheme written as %p", async (scheme) => {
  expect(
    (await me(`${scheme.trimEnd()} ${" ".repeat(scheme.length - scheme.trimEnd().length)}${ada.token}`)).status,
  ).toBe(200);
});
