/** Addresses that repeatedly request slugs that do not exist. */
import { beforeEach, describe, expect, test } from "bun:test";
import { expectFailure } from "@test/support/failure";
import { startRedis } from "@test/support/servers/redis";
import { startTestService, type TestService } from "@test/support/service";

const START = Date.parse("2026-06-01T12:00:00.000Z");
const MAX = 60;
let now = START;
const env = { TRUSTED_PROXIES: "127.0.0.1", CLIENT_IP_HEADER: "x-client" };
const service = await startTestService({ env, clock: () => now });
const ada = await service.register();
const defaultUrl = "https://example.com/";
await service.createLink(ada, { defaultUrl, slug: "hot" });
await service.createLink(ada, { defaultUrl, slug: "guarded", password: "open sesame" });
const ERROR = "Too many attempts; try again in a minute";

let visitors = 0;
const newcomer = () => `10.1.${++visitors >> 8}.${visitors & 255}`;
let slugs = 0;
const unknown = () => `none${++slugs}`;
beforeEach(() => {
  now = START;
});

const visit = (slug: string, client: string, headers: Record<string, string> = {}, at: TestService = service) =>
  at.visit(`/${slug}`, { accept: "application/json", "x-client": client, ...headers, host: service.host });
const resolve = (slug: string, client: string, query = "") =>
  service.call("GET", `/api/v1/resolve?domain=${service.host}&slug=${slug}${query}`, {
    headers: { "x-client": client },
  });
const probe = async (client: string, times: number, at?: TestService) => {
  const replies = await Promise.all(Array.from({ length: times }, () => visit(unknown(), client, {}, at)));
  return replies.map(({ status }) => status);
};
const countOf = (list: number[], status: number) => list.filter((each) => each === status).length;
const counted = (list: number[]) => Object.fromEntries([...new Set(list)].map((each) => [each, countOf(list, each)]));
const prober = async () => {
  const client = newcomer();
  expect(counted(await probe(client, MAX))).toEqual({ 404: MAX });
  return client;
};

describe("429", () => {
  test("is returned after sixty unknown slugs, with the seconds until the window ends", async () => {
    const client = await prober();
    const refusal = await visit(unknown(), client);
    expect([refusal.status, refusal.headers.get("retry-after"), await refusal.json()]).toEqual([
      429,
      "60",
      { error: ERROR },
    ]);
    now = START + 50_500;
    expect((await visit(unknown(), client)).headers.get("retry-after")).toBe("10");
    now = START + 60_000;
    expect((await visit(unknown(), client)).status).toBe(404);
  });

  test("limits three hundred simultaneous visits to exactly sixty", async () => {
    const found = await probe(newcomer(), 300);
    expect([countOf(found, 404), countOf(found, 429)]).toEqual([60, 240]);
  });

  test("is a page for browsers, and has no body for HEAD", async () => {
    const client = await prober();
    const page = await visit(unknown(), client, { accept: "text/html" });
    expect([page.status, page.headers.get("content-type")]).toEqual([429, "text/html; charset=utf-8"]);
    expect(await page.text()).toContain(ERROR);
    const head = await fetch(`${service.url}/${unknown()}`, { method: "HEAD", headers: { "x-client": client } });
    expect([head.status, head.headers.get("retry-after"), await head.text()]).toEqual([429, "60", ""]);
  });

  test("applies to bots and to every method", async () => {
    const client = newcomer();
    const googlebot = { "user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)" };
    for (let index = 1; index <= MAX / 2; index++) {
      expect((await visit(unknown(), client, googlebot)).status).toBe(404);
      const posted = await fetch(`${service.url}/${unknown()}`, { method: "POST", headers: { "x-client": client } });
      expect(posted.status).toBe(404);
    }
    expect((await visit(unknown(), client, googlebot)).status).toBe(429);
  });

  test("is returned by resolve too, which shares the count with redirects", async () => {
    const client = newcomer();
    await probe(client, MAX - 1);
    expectFailure(await resolve(unknown(), client), 404);
    const refusal = await resolve(unknown(), client);
    expectFailure(refusal, 429);
    expect([refusal.headers.get("retry-after"), refusal.body.error]).toEqual(["60", ERROR]);
    expect((await visit(unknown(), client)).status).toBe(429);
  });

  test("counts an IPv6 network as one address", async () => {
    const replies = await Promise.all(
      Array.from({ length: 80 }, (_, index) => visit(unknown(), `2001:db8:1:1::${(index + 1).toString(16)}`)),
    );
    expect(
      countOf(
        replies.map(({ status }) => status),
        429,
      ),
    ).toBe(20);
    expect((await visit(unknown(), "2001:db8:1:2::1")).status).toBe(404);
  });

  test("is returned for an existing link too, unless the server has it in its cache", async () => {
    const client = await prober();
    const { slug = "" } = await service.createLink(ada, { defaultUrl });
    expect((await visit(slug, client)).status).toBe(429);
    expect((await resolve(slug, client)).status).toBe(429);
    expect((await visit(slug, newcomer())).status).toBe(302);
    expect((await visit(slug, client)).status).toBe(302);
  });
});

describe("is not limited:", () => {
  test("an address that has probed, when it visits or resolves cached links", async () => {
    const client = await prober();
    await visit("hot", newcomer());
    await visit("guarded", newcomer());
    expect((await visit("hot", client)).headers.get("location")).toBe(defaultUrl);
    expect((await visit("HOT/", client)).status).toBe(302);
    expect((await visit("guarded?pw=open+sesame", client)).status).toBe(302);
    expect((await resolve("hot", client)).status).toBe(200);
    expect((await resolve("guarded", client, "&password=open+sesame")).status).toBe(200);
    expect((await resolve("guarded", client)).status).toBe(403);
  });

  test("another address, which reaches links and gets 404 for unknown slugs", async () => {
    await prober();
    const other = newcomer();
    const { slug = "" } = await service.createLink(ada, { defaultUrl });
    expect((await visit(slug, other)).status).toBe(302);
    expect((await visit(unknown(), other)).status).toBe(404);
  });

  test("an address that visits a hundred links nobody visited before", async () => {
    const client = newcomer();
    const links = await Promise.all(Array.from({ length: 100 }, () => service.createLink(ada, { defaultUrl })));
    const replies = await Promise.all(links.map(({ slug = "" }) => visit(slug, client)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([302]));
    expect((await visit(unknown(), client)).status).toBe(404);
  });

  test("a crowd behind one address that follows the same dead link, and then opens a link nobody visited before", async () => {
    const client = newcomer();
    for (let index = 0; index <= MAX; index++) {
      expect((await visit("dead", client)).status).toBe(404);
      expectFailure(await resolve("Dead", client), 404);
    }
    const { slug = "" } = await service.createLink(ada, { defaultUrl });
    expect((await visit(slug, client)).status).toBe(302);
    expect(counted(await probe(client, MAX))).toEqual({ 404: MAX - 1, 429: 1 });
    expect((await visit("dead", client)).status).toBe(429);
    now = START + 60_000;
    expect(counted(await probe(client, MAX))).toEqual({ 404: MAX });
  });

  test("an address that visits inactive links and malformed paths", async () => {
    const client = newcomer();
    const closed = await service.createLink(ada, { defaultUrl, isActive: false });
    for (let index = 0; index <= MAX; index++) {
      expect((await visit(String(closed.slug), client)).status).toBe(404);
      expect((await visit("%00", client)).status).toBe(400);
    }
    expect((await visit(unknown(), client)).status).toBe(404);
  });
});

test("a client cannot choose its address where no proxy is trusted", async () => {
  const direct = await startTestService({ env: { TRUSTED_PROXIES: "", CLIENT_IP_HEADER: "" }, clock: () => now });
  const replies = await Promise.all(
    Array.from({ length: 70 }, (_, index) =>
      direct.visit(`/${unknown()}`, { "x-forwarded-for": `10.9.9.${index}`, "x-client": `10.9.9.${index}` }),
    ),
  );
  expect(
    countOf(
      replies.map(({ status }) => status),
      429,
    ),
  ).toBe(10);
});

test("another server with the same Redis applies the limit after the first unknown slug it receives", async () => {
  const redis = await startRedis();
  const shared = { ...env, REDIS_URL: redis.url, SHORT_DOMAIN: service.host };
  // The clock is fixed, because a minute that ended meanwhile would restart the count.
  const start = () => startTestService({ env: shared, clock: () => now });
  const [here, there] = [await start(), await start()];
  // While Redis is slow or not connected yet, a server allows half of the limit on its own, for at least a second.
  let client = newcomer();
  while (countOf(await probe(client, MAX, here), 404) < MAX) {
    now += 2_000;
    client = newcomer();
  }
  expect((await probe(client, 1, there))[0]).toBe(404);
  for (;;) if ((await probe(client, 1, there))[0] === 429) break;
  expect(countOf(await probe(client, 100, there), 429)).toBe(100);
  expect((await probe(newcomer(), 1, there))[0]).toBe(404);
});
