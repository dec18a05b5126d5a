/** How many passwords may be tried, and by whom. */
import { beforeEach, describe, expect, spyOn, test } from "bun:test";
import { startRedis } from "@test/support/servers/redis";
import { whileSharing } from "@test/support/servers/shared-limits";
import { startTestService, type TestService } from "@test/support/service";
import type { Link } from "@/contract/links/links";
import * as hashThreads from "@/platform/passwords/hash-threads";

const START = Date.parse("2026-06-01T12:00:00.000Z");
let now = START;
const env = { TRUSTED_PROXIES: "127.0.0.1", CLIENT_IP_HEADER: "x-client" };
const service = await startTestService({ env, clock: () => now });
const ada = await service.register();
const PASSWORD = "open sesame";
const defaultUrl = "https://example.com/";
const WRONG_MAX = 10;
const TRIES_MAX = 60;
const compare = spyOn(hashThreads, "verifyHash");
/** Longer than a password can be, and therefore wrong without hashing. */
const TOO_LONG = "wrong".repeat(30);

/** A valid hash that is cheap to create and verify. */
const HASH = await Bun.password.hash(PASSWORD, { algorithm: "argon2id", memoryCost: 8, timeCost: 1 });

async function create(options: { maxClicks?: number } = {}): Promise<Link> {
  const link = await service.createLink(ada, { defaultUrl, ...options });
  // No cache holds the link, because nobody has visited it yet.
  await service.sql`update links set password_hash = ${HASH} where id = ${link._id}`;
  return link;
}
let visitors = 0;
/** Returns an address that was not used before. */
const newcomer = () => `10.0.${++visitors >> 8}.${visitors & 255}`;
beforeEach(() => {
  compare.mockClear();
  now = START;
});

type Ways = Record<string, (link: Link, password: string, client: string, at?: TestService) => Promise<Response>>;
const headers = (client: string) => ({ accept: "application/json", "x-client": client });
const ways: Ways = {
  query: ({ slug }, password, client, at = service) =>
    at.visit(`/${slug}?pw=${encodeURIComponent(password)}`, { ...headers(client), host: service.host }),
  header: ({ slug }, password, client, at = service) =>
    at.visit(`/${slug}`, { ...headers(client), host: service.host, "x-link-password": password }),
  form: ({ slug }, password, client, at = service) =>
    fetch(`${at.url}/${slug}`, {
      method: "POST",
      redirect: "manual",
      headers: { ...headers(client), host: service.host },
      body: new URLSearchParams({ password }),
    }),
  resolve: ({ slug }, password, client, at = service) =>
    fetch(`${at.url}/api/v1/resolve?${new URLSearchParams({ domain: service.host, slug: slug ?? "", password })}`, {
      headers: headers(client),
    }),
};
const { query = () => Promise.reject(new Error("no such way")) } = ways;
const statuses = async (replies: Promise<Response>[]) => (await Promise.all(replies)).map(({ status }) => status);
const countOf = (list: number[], status: number) => list.filter((each) => each === status).length;
const tries = (count: number, attempt: (index: number) => Promise<Response>) =>
  statuses(Array.from({ length: count }, (_, index) => attempt(index)));

describe("429", () => {
  test.each(Object.entries(ways))(
    "is returned after ten wrong attempts by one address at one link, by %s",
    async (_, way) => {
      const [link, client] = [await create(), newcomer()];
      for (let index = 1; index <= WRONG_MAX; index++) {
        expect((await way(link, `wrong ${index}`, client)).status).toBe(403);
      }
      const refusal = await way(link, "wrong again", client);
      expect([refusal.status, refusal.headers.get("retry-after"), await refusal.json()]).toEqual([
        429,
        "60",
        { error: "Too many attempts; try again in a minute" },
      ]);
      expect(compare).toHaveBeenCalledTimes(WRONG_MAX);
    },
  );

  test("is returned after ten wrong attempts in total, whichever ways they use", async () => {
    const [link, client] = [await create(), newcomer()];
    const all = Object.values(ways);
    const found = await tries(12, (index) => (all[index % all.length] ?? query)(link, `wrong ${index}`, client));
    expect([countOf(found, 403), countOf(found, 429)]).toEqual([10, 2]);
  });

  test("is returned for the correct password too, remembered or not, so that guesses reveal nothing", async () => {
    const [fresh, visited, client] = [await create(), await create(), newcomer()];
    expect((await query(visited, PASSWORD, newcomer())).status).toBe(302);
    for (const link of [fresh, visited]) {
      await tries(WRONG_MAX, (index) => query(link, `wrong ${index}`, client));
      expect((await query(link, PASSWORD, client)).status).toBe(429);
    }
  });

  test("limits a hundred simultaneous attempts to ten before any is hashed, with the same password or different ones", async () => {
    for (const guess of [(index: number) => `wrong ${index}`, () => "wrong"]) {
      const [link, client] = [await create(), newcomer()];
      const found = await tries(100, (index) => query(link, guess(index), client));
      expect([countOf(found, 403), countOf(found, 429)]).toEqual([10, 90]);
    }
    expect(compare.mock.calls.length).toBeLessThanOrEqual(2 * WRONG_MAX);
  });

  test("hides the remembered password among a hundred simultaneous guesses", async () => {
    const [link, client] = [await create(), newcomer()];
    expect((await query(link, PASSWORD, newcomer())).status).toBe(302);
    const found = await tries(100, (index) => query(link, index === 50 ? PASSWORD : `wrong ${index}`, client));
    expect([countOf(found, 302), countOf(found, 403)]).toEqual([0, 10]);
  });

  test("is returned after a hundred wrong attempts at one link from all addresses, even for the correct password", async () => {
    const [link, other] = [await create(), await create()];
    const found = await tries(12 * WRONG_MAX, (index) => query(link, `${TOO_LONG}${index}`, `10.9.0.${index % 12}`));
    expect([countOf(found, 403), countOf(found, 429)]).toEqual([100, 20]);
    expect((await query(link, PASSWORD, newcomer())).status).toBe(429);
    expect((await query(other, PASSWORD, newcomer())).status).toBe(302);
    now = START + 60_000;
    expect((await query(link, PASSWORD, newcomer())).status).toBe(302);
  });

  test("counts only against the address: one that is over its ten attempts locks out no one else", async () => {
    const [link, client] = [await create(), newcomer()];
    await tries(150, (index) => query(link, `${TOO_LONG}${index}`, client));
    expect((await query(link, "wrong", newcomer())).status).toBe(403);
    expect((await query(link, PASSWORD, newcomer())).status).toBe(302);
  });

  test("is returned after sixty wrong attempts by one address across all links", async () => {
    const client = newcomer();
    const links = await Promise.all(Array.from({ length: 7 }, () => create()));
    for (const link of links.slice(0, 6)) {
      expect(new Set(await tries(WRONG_MAX, (index) => query(link, `wrong ${index}`, client)))).toEqual(new Set([403]));
    }
    for (const link of links) expect((await query(link, "wrong", client)).status).toBe(429);
    expect(compare).toHaveBeenCalledTimes(TRIES_MAX);
  });

  test("is a page for browsers", async () => {
    const [link, client] = [await create(), newcomer()];
    await tries(WRONG_MAX, (index) => query(link, `wrong ${index}`, client));
    const page = await service.visit(`/${link.slug}?pw=wrong`, { accept: "text/html", "x-client": client });
    expect([page.status, page.headers.get("retry-after")]).toEqual([429, "60"]);
    expect(await page.text()).toContain("Too many attempts");
  });

  test("ends one minute after the first attempt", async () => {
    const [link, client] = [await create(), newcomer()];
    await tries(WRONG_MAX, (index) => query(link, `wrong ${index}`, client));
    now = START + 59_000;
    expect((await query(link, PASSWORD, client)).headers.get("retry-after")).toBe("1");
    now = START + 60_000;
    expect((await query(link, PASSWORD, client)).status).toBe(302);
  });

  test("counts the addresses of an IPv6 network as one, and the next network as another", async () => {
    const link = await create();
    const found = await tries(20, (index) => query(link, `wrong ${index}`, `2001:db8:0:1::${index + 1}`));
    expect([countOf(found, 403), countOf(found, 429)]).toEqual([10, 10]);
    expect((await query(link, "wrong", "2001:db8:0:2::1")).status).toBe(403);
  });
});

describe("is not limited:", () => {
  test("another address at the same link, the same address at another link", async () => {
    const [link, other, client] = [await create(), await create(), newcomer()];
    await tries(WRONG_MAX + 5, (index) => query(link, `wrong ${index}`, client));
    expect((await query(link, PASSWORD, newcomer())).status).toBe(302);
    expect((await query(other, PASSWORD, client)).status).toBe(302);
  });

  test("a visitor with the remembered password, however often", async () => {
    const [link, client] = [await create(), newcomer()];
    expect(new Set(await tries(200, () => query(link, PASSWORD, client)))).toEqual(new Set([302]));
    expect(compare).toHaveBeenCalledTimes(1);
    expect((await query(link, "wrong", client)).status).toBe(403);
  });

  test("a visitor without a password, however often: the form is shown", async () => {
    const [link, client] = [await create(), newcomer()];
    const found = await tries(100, (index) => query(link, "", index % 2 ? client : newcomer()));
    expect(new Set(found)).toEqual(new Set([403]));
    expect((await query(link, PASSWORD, client)).status).toBe(302);
  });

  test("the remembered password, which wrong ones from any address do not displace", async () => {
    const link = await create();
    await query(link, PASSWORD, newcomer());
    await tries(40, (index) => query(link, `wrong ${index}`, newcomer()));
    compare.mockClear();
    expect((await query(link, PASSWORD, newcomer())).status).toBe(302);
    expect(compare).toHaveBeenCalledTimes(0);
  });

  test("a correct password, which does not count as an attempt", async () => {
    const [link, client] = [await create(), newcomer()];
    await tries(WRONG_MAX - 1, (index) => query(link, `wrong ${index}`, client));
    expect((await query(link, PASSWORD, client)).status).toBe(302);
    expect((await query(link, "wrong", client)).status).toBe(403);
    expect((await query(link, "wrong", client)).status).toBe(429);
  });
});

test("a refused attempt does not count towards maxClicks", async () => {
  const link = await create({ maxClicks: 1 });
  const [client, agent] = [newcomer(), "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0"];
  const visit = (password: string, address: string) =>
    service.visit(`/${link.slug}?pw=${encodeURIComponent(password)}`, { ...headers(address), "user-agent": agent });
  await tries(WRONG_MAX + 5, (index) => visit(`wrong ${index}`, client));
  expect((await visit(PASSWORD, client)).status).toBe(429);
  expect((await visit(PASSWORD, newcomer())).status).toBe(302);
  expect((await visit(PASSWORD, newcomer())).status).toBe(410);
});

test("two servers that share a Redis count attempts together", async () => {
  const redis = await startRedis();
  const shared = { ...env, REDIS_URL: redis.url, SHORT_DOMAIN: service.host, DATABASE_URL: service.databaseUrl };
  const servers = [await startTestService({ env: shared }), await startTestService({ env: shared })];
  const { link, found, later } = await whileSharing(servers, async () => {
    const [link, client] = [await create(), newcomer()];
    const found = await tries(40, (index) => query(link, `wrong ${index}`, client, servers[index % 2]));
    const later = await tries(2, (index) => query(link, PASSWORD, client, servers[index]));
    return { link, found, later };
  });
  expect([countOf(found, 403), countOf(found, 429)]).toEqual([10, 30]);
  expect(countOf(later, 429)).toBe(2);
  for (const server of servers) expect((await query(link, PASSWORD, newcomer(), server)).status).toBe(302);
}, 240_000);
