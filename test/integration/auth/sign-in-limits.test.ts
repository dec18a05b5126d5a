import { afterAll, describe, expect, test } from "bun:test";
import { describeApp, operationsOf } from "@test/support/document/described";
import { expectFailure } from "@test/support/failure";
import { startRedis } from "@test/support/servers/redis";
import { whileSharing } from "@test/support/servers/shared-limits";
import { type Account, CLIENT_HEADER, type Reply, startTestService, type TestService } from "@test/support/service";
import { isOutdatedHash } from "@/platform/passwords/passwords";

const MINUTE_MS = 60_000;
const WRONG_MAX = 5;
const WRONG_OF_ALL_MAX = 100;
const ADDRESS_MAX = 30;
let now = Date.now();
const WRONG = "a wrong one";
const service = await startTestService({ clock: () => now });
const { sql } = service;

const loginPath = "/api/v1/auth/login";
const headersOf = (address?: string): Record<string, string> =>
  address === undefined ? {} : { [CLIENT_HEADER]: address };
const login = (email: string, password: string, address?: string, { call }: Pick<TestService, "call"> = service) =>
  call("POST", loginPath, { body: { email, password }, headers: headersOf(address) });
const signIn = ({ email, password }: Account) => login(email, password);
/** Sends a request that costs nothing but its share of the address's limit. */
const knock = (headers: Record<string, string>, { call }: Pick<TestService, "call"> = service) =>
  call("POST", "/api/v1/auth/password/reset", { body: { token: "none", password: "quartz trombone" }, headers });
const times = <Result>(count: number, act: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)));
/** Returns an address that nothing else in these tests uses. */
const newAddress = () => `100.64.${(addresses >> 8) & 255}.${addresses++ & 255}`;
let addresses = 0;
const statuses = (replies: Reply[]) => replies.map(({ status }) => status);

function expectSpent(reply: Reply): void {
  expectFailure(reply, 429);
  const seconds = Number(reply.headers.get("retry-after"));
  expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60).toBe(true);
}

const ada = await service.register();

describe("an account", () => {
  test.each([
    ["that there is", () => service.register()],
    ["that there is not", async () => ({ ...ada, email: `nobody-${crypto.randomUUID()}@example.com` })],
  ])("%s takes five wrong passwords a minute from one address, and none after", async (_, make) => {
    const { email } = await make();
    const address = newAddress();
    for (let tries = 0; tries < WRONG_MAX; tries++) {
      expectFailure(await login(tries % 2 ? email : email.toUpperCase(), WRONG, address), 401);
    }
    expectSpent(await login(email, WRONG, address));
    expectFailure(await login(email, WRONG, newAddress()), 401);
    now += MINUTE_MS;
    expectFailure(await login(email, WRONG, address), 401);
  });

  test("takes a hundred wrong passwords a minute from all addresses together, and none after", async () => {
    const { email } = await service.register();
    // A hash that costs next to nothing: a hundred of the usual ones take seconds.
    const cheap = await Bun.password.hash("quartz", { algorithm: "argon2id", memoryCost: 8, timeCost: 1 });
    await sql`update users set password_hash = ${cheap} where email = ${email}`;
    const replies = await times(WRONG_OF_ALL_MAX, () => login(email, WRONG, newAddress()));
    expect(new Set(statuses(replies))).toEqual(new Set([401]));
    expectSpent(await login(email, WRONG, newAddress()));
    now += MINUTE_MS;
    expectFailure(await login(email, WRONG, newAddress()), 401);
  });

  test("is not locked by one address that keeps guessing beyond its five tries", async () => {
    const eve = await service.register();
    const address = newAddress();
    await times(ADDRESS_MAX, () => login(eve.email, WRONG, address));
    for (let tries = 0; tries < 2 * WRONG_MAX; tries++) {
      expectFailure(await login(eve.email, WRONG, newAddress()), 401);
    }
    expect((await signIn(eve)).status).toBe(200);
  });

  test("accepts the right password up to the limit, not beyond it, and again a minute later", async () => {
    const eve = await service.register();
    const address = newAddress();
    for (let tries = 1; tries < WRONG_MAX; tries++) await login(eve.email, WRONG, address);
    expect((await login(eve.email, eve.password, address)).status).toBe(200);
    expectFailure(await login(eve.email, WRONG, address), 401);
    expectSpent(await login(eve.email, eve.password, address));
    now += MINUTE_MS;
    expect((await login(eve.email, eve.password, address)).status).toBe(200);
  });

  test("does not count right passwords toward the limit", async () => {
    for (let tries = 0; tries < 3 * WRONG_MAX; tries++) expect((await signIn(ada)).status).toBe(200);
  });

  test("checks only five of twenty simultaneous wrong passwords", async () => {
    const { email } = await service.register();
    const address = newAddress();
    const replies = await times(20, (index) => login(email, `${WRONG} ${index}`, address));
    expect(statuses(replies).toSorted()).toEqual([...Array(5).fill(401), ...Array(15).fill(429)]);
  });

  test("is not limited by wrong passwords for another account", async () => {
    const [eve, bob] = [await service.register(), await service.register()];
    const address = newAddress();
    await times(WRONG_MAX + 1, () => login(eve.email, WRONG, address));
    expectSpent(await login(eve.email, eve.password, address));
    expect((await login(bob.email, bob.password, address)).status).toBe(200);
  });
});

describe("an address", () => {
  const spend = (address: string) => times(ADDRESS_MAX, () => knock(headersOf(address)));

  test("may send thirty requests a minute; the next gets 429", async () => {
    expect(statuses(await spend("192.0.2.1"))).toEqual(Array(ADDRESS_MAX).fill(400));
    expectSpent(await knock(headersOf("192.0.2.1")));
    expectFailure(await knock(headersOf("192.0.2.2")), 400);
    now += MINUTE_MS;
    expectFailure(await knock(headersOf("192.0.2.1")), 400);
  });

  test("shares one limit across all routes that take credentials, apart from the last step of single sign-on", async () => {
    await spend("192.0.2.3");
    const bodies: Record<string, object> = {
      register: { name: "Ada", email: "new@example.com", password: "quartz trombone", organizationName: "Acme" },
      login: { email: ada.email, password: ada.password },
      loginTwoFactor: { challengeToken: "none", code: "123456" },
      requestPasswordReset: { email: ada.email },
      resetPassword: { token: "none", password: "quartz trombone" },
      verifyEmail: { token: "none" },
    };
    const lastStep = { code: "none", codeVerifier: "a".repeat(43) };
    const { document } = await describeApp();
    const open = operationsOf(document).filter(
      ({ method, path, security }) => method === "POST" && path.startsWith("/api/v1/auth/") && !security?.length,
    );
    const operations = [...Object.keys(bodies), "exchangeSsoCode"];
    expect(open.map(({ operationId }) => operationId).toSorted()).toEqual(operations.toSorted());
    const headers = headersOf("192.0.2.3");
    for (const { path, operationId = "" } of open) {
      if (operationId in bodies) expectSpent(await service.call("POST", path, { body: bodies[operationId], headers }));
    }
    const exchange = () => service.call("POST", "/api/v1/auth/sso/exchange", { body: lastStep, headers });
    expect(statuses(await times(ADDRESS_MAX, exchange))).toEqual(Array(ADDRESS_MAX).fill(400));
    expectSpent(await exchange());
  });

  test("that is over its limit does not use up the account's tries", async () => {
    const eve = await service.register();
    await spend("192.0.2.4");
    for (let tries = 0; tries <= WRONG_MAX; tries++) expectSpent(await login(eve.email, WRONG, "192.0.2.4"));
    expect((await signIn(eve)).status).toBe(200);
  });

  test("in IPv6 is counted by its /64 network", async () => {
    await times(ADDRESS_MAX, (index) => knock(headersOf(`2001:db8:1:2::${index + 1}`)));
    expectSpent(await knock(headersOf("2001:db8:1:2:ffff::1")));
    expectFailure(await knock(headersOf("2001:db8:1:3::1")), 400);
  });

  test("is the one the proxy adds, not one the client claims", async () => {
    await times(ADDRESS_MAX, (index) => knock(headersOf(`198.51.100.${index}, 192.0.2.5`)));
    expectSpent(await knock(headersOf("203.0.113.9, 192.0.2.5")));
    expectSpent(await knock(headersOf("192.0.2.5")));
  });

  test("is the connection's when no proxy is trusted, whatever the headers say", async () => {
    const direct = await startTestService({ env: { TRUSTED_PROXIES: "", CLIENT_IP_HEADER: "" } });
    const stated = (index: number) => {
      const address = `198.51.100.${index}`;
      return { "x-forwarded-for": address, "x-real-ip": address, forwarded: `for=${address}`, ...headersOf(address) };
    };
    const replies = await times(ADDRESS_MAX + 5, (index) => knock(stated(index), direct));
    expect(statuses(replies).filter((status) => status === 429)).toHaveLength(5);
  });
});

test("servers that share a Redis enforce one common limit", async () => {
  const redis = await startRedis();
  afterAll(() => redis.stop());
  const env = { REDIS_URL: redis.url };
  const first = await startTestService({ env });
  const second = await startTestService({ env: { ...env, DATABASE_URL: first.databaseUrl } });
  const servers = [first, second];
  const { eve, replies, later } = await whileSharing(servers, async () => {
    const [eve, address] = [await first.register(), newAddress()];
    const replies = await times(12, (index) => login(eve.email, WRONG, address, servers[index % 2]));
    const later = await times(2, (index) => login(eve.email, eve.password, address, servers[index]));
    return { eve, replies, later };
  });
  expect(statuses(replies).filter((status) => status === 401)).toHaveLength(WRONG_MAX);
  for (const reply of later) expectSpent(reply);
  const kept = new Bun.RedisClient(redis.url);
  expect(JSON.stringify(await kept.keys("*"))).not.toContain(eve.email);
  kept.close();
}, 240_000);

describe("401 with the same response", () => {
  test("for an account without a password, an unknown email and a wrong password", async () => {
    const eve = await service.register();
    await sql`update users set password_hash = null where email = ${eve.email}`;
    const replies = [await signIn(eve), await login("nobody@example.com", WRONG), await login(ada.email, WRONG)];
    for (const reply of replies) {
      expectFailure(reply, 401);
      expect(reply.body).toEqual(replies[0]?.body ?? {});
    }
  });
});

describe("a password hash of another cost", () => {
  const rehashed = async (email: string): Promise<string> =>
    (await sql`select password_hash as hash from users where email = ${email}`)[0]?.hash;

  test("is replaced on a successful sign-in, but not after a wrong password", async () => {
    const eve = await service.register();
    const cheap = await Bun.password.hash(eve.password, { algorithm: "argon2id", memoryCost: 8192, timeCost: 1 });
    await sql`update users set password_hash = ${cheap} where email = ${eve.email}`;
    await login(eve.email, WRONG);
    expect(await rehashed(eve.email)).toBe(cheap);
    expect(statuses(await times(3, () => signIn(eve)))).toEqual([200, 200, 200]);
    const renewed = await rehashed(eve.email);
    expect(isOutdatedHash(renewed)).toBe(false);
    expect((await signIn(eve)).status).toBe(200);
    expect(await rehashed(eve.email)).toBe(renewed);
  });
});
