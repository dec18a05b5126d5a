/** Limits across several servers, with and without Redis. */
import { afterAll, describe, expect, test } from "bun:test";
import { startRedis } from "@test/support/servers/redis";
import { whileSharing } from "@test/support/servers/shared-limits";
import { CLIENT_HEADER, type Reply, startTestService, type TestService } from "@test/support/service";

const APP_SECRET = "one secret for all of these servers";
const env = { APP_SECRET, DEFAULT_PLAN: "free", SHORT_DOMAIN: "limits.example" };
const redis = await startRedis();
afterAll(() => redis.stop());

const remaining = ({ headers }: Reply) => Number(headers.get("x-ratelimit-remaining"));
const limit = ({ headers }: Reply) => Number(headers.get("x-ratelimit-limit"));

describe("two servers with one Redis", async () => {
  const first = await startTestService({ env: { ...env, REDIS_URL: redis.url } });
  const second = await startTestService({ env: { ...env, REDIS_URL: redis.url, DATABASE_URL: first.databaseUrl } });

  test("count requests together, and both refuse those over the limit", async () => {
    const found = await whileSharing([first, second], async () => {
      const { orgId, token } = await first.register();
      const ask = (server: TestService) => server.call("GET", `/api/v1/organizations/${orgId}/links`, { token });
      const left = [remaining(await ask(first)), remaining(await ask(second)), remaining(await ask(first))];
      const atOnce = await Promise.all(Array.from({ length: 100 }, (_, index) => ask(index % 2 ? first : second)));
      const later = [(await ask(first)).status, (await ask(second)).status];
      return { left, allowed: atOnce.filter(({ status }) => status === 200).length, later };
    });
    expect(found).toEqual({ left: [59, 58, 57], allowed: 57, later: [429, 429] });
  }, 240_000);
});

test("two installations with one Redis count apart", async () => {
  const [one, other] = [
    await startTestService({ env: { REDIS_URL: redis.url } }),
    await startTestService({ env: { REDIS_URL: redis.url } }),
  ];
  const claim = async ({ call }: TestService) => {
    const options = { body: { matchToken: "unknown" }, headers: { [CLIENT_HEADER]: "203.0.113.7" } };
    return (await call("POST", "/api/v1/match", options)).status;
  };
  expect(await Promise.all(Array.from({ length: 61 }, () => claim(one)))).toContain(429);
  expect(await claim(other)).toBe(200);
});

test("while Redis is unreachable, each server allows exactly half of the limit", async () => {
  const lonely = await startTestService({ env: { ...env, REDIS_URL: "redis://127.0.0.1:1" } });
  const ada = await lonely.register();
  const ask = () => lonely.call("GET", `/api/v1/organizations/${ada.orgId}/links`, { token: ada.token });
  const found = await Promise.all(Array.from({ length: 40 }, ask));
  expect(found.filter(({ status }) => status === 200).length).toBe(30);
  expect(new Set(found.map(limit))).toEqual(new Set([30]));
});
