/** After a change of an app, visitors are sent to the new one: on two servers, with and without Redis. */
import { afterAll, describe, expect, test } from "bun:test";
import { addDomain } from "@test/support/accounts/tenants";
import { startRedis } from "@test/support/servers/redis";
import { startTestService, type TestService } from "@test/support/service";
import { eventually } from "@test/support/until";
import type { LinkInput } from "@/contract/links/links";

const redis = await startRedis();
afterAll(() => redis.stop());

const HOST = "go.ada.test";
const WEB = "https://example.com/page";
const PIXEL =
  "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36";

async function twoServers(given: Record<string, string>) {
  const env = { ...given, APP_SECRET: "one secret for both, of enough length" };
  const first = await startTestService({ env: { ...env, SHORT_DOMAIN: "two.example" } });
  const second = await startTestService({
    env: { ...env, SHORT_DOMAIN: "two.example", DATABASE_URL: first.databaseUrl },
  });
  const account = await first.register();
  const domainId = await addDomain(first, account.orgId, { hostname: HOST });
  return { servers: [first, second] as const, account, domainId };
}

/** Returns the package that a phone is sent to, `web`, or the status of a refusal. */
async function appAt(server: TestService, path: string): Promise<string | number | null> {
  const response = await server.visit(path, { host: HOST, "user-agent": PIXEL });
  const location = response.headers.get("location");
  if (location === null || location === WEB) return location === WEB ? "web" : response.status;
  return new URL(location).searchParams.get("id");
}

/** The server that made the change uses it immediately, the other as soon as it has heard of it. */
async function expectApp(servers: readonly TestService[], told: number, path: string, wanted: string): Promise<void> {
  for (const [index, server] of servers.entries()) {
    const seen = async () => [index, await appAt(server, path)];
    if (index === told) expect(await seen()).toEqual([index, wanted]);
    else await eventually(seen, [index, wanted]);
  }
}

const android = (packageName: string) => ({ android: { packageName } });

describe.each([
  ["without Redis", {}],
  ["with Redis", { REDIS_URL: redis.url }],
])("two servers %s", async (_, env) => {
  const { servers, account, domainId } = await twoServers(env);
  const { token, orgId } = account;
  const home = `/api/v1/organizations/${orgId}`;
  const ask = async (on: number, method: string, path: string, body?: unknown) => {
    const reply = await servers[on === 0 ? 0 : 1].call<{ _id: string }>(method, `${home}/${path}`, { token, body });
    expect([method, path, reply.status]).toEqual([method, path, 200]);
    return reply.body._id;
  };
  const link = (input: Partial<LinkInput>) => servers[0].createLink(account, { defaultUrl: WEB, domainId, ...input });

  test("follow changes of a profile that the link names", async () => {
    const appProfileId = await ask(0, "POST", "apps", { name: "App", pathPrefix: "named", ...android("com.v0") });
    await link({ slug: "own", appProfileId, pathPrefix: "" });
    await expectApp(servers, 0, "/own", "com.v0");
    for (let version = 1; version <= 10; version++) {
      await ask(version % 2, "PATCH", `apps/${appProfileId}`, android(`com.v${version}`));
      await expectApp(servers, version % 2, "/own", `com.v${version}`);
    }
    await ask(1, "PATCH", `apps/${appProfileId}`, { fallback: "web" });
    await expectApp(servers, 1, "/own", "web");
  });

  test("follow changes of the domain's app and of profiles by path prefix that override it", async () => {
    await link({ slug: "s", pathPrefix: "shop/de" });
    await expectApp(servers, 0, "/shop/de/s", "web");
    await ask(0, "PATCH", `domains/${domainId}/app-config`, android("com.domain"));
    await expectApp(servers, 0, "/shop/de/s", "com.domain");
    const shop = await ask(1, "POST", "apps", { name: "Shop", pathPrefix: "SHOP", ...android("com.shop") });
    await expectApp(servers, 1, "/shop/de/s", "com.shop");
    const german = await ask(0, "POST", "apps", { name: "German", pathPrefix: "shop/de", ...android("com.shop.de") });
    await expectApp(servers, 0, "/shop/de/s", "com.shop.de");
    await ask(1, "PATCH", `apps/${german}`, { pathPrefix: "shop/d" });
    await expectApp(servers, 1, "/shop/de/s", "com.shop");
    await ask(0, "DELETE", `apps/${shop}`);
    await expectApp(servers, 0, "/shop/de/s", "com.domain");
    await ask(1, "PATCH", `domains/${domainId}/app-config`, { android: null });
    await expectApp(servers, 1, "/shop/de/s", "web");
    await ask(0, "POST", "apps", { name: "All", ...android("com.all") });
    await expectApp(servers, 0, "/shop/de/s", "com.all");
  });

  test("compare path prefixes as short URLs do, also beyond ASCII", async () => {
    await ask(0, "POST", "apps", { name: "Street", pathPrefix: "STRASSE/Cafe\u0301", ...android("com.street") });
    await link({ slug: "s", pathPrefix: "straße/café" });
    await expectApp(servers, 0, "/stra%C3%9Fe/caf%C3%A9/s", "com.street");
  });

  test("ignore a missing profile that a link still names", async () => {
    const { _id } = await link({ slug: "dangling", pathPrefix: "street" });
    await servers[0].sql`update links set app_profile_id = ${Bun.randomUUIDv7()} where id = ${_id}`;
    await ask(0, "POST", "apps", { name: "Street", pathPrefix: "street", ...android("com.street") });
    await expectApp(servers, 0, "/street/dangling", "com.street");
  });
});
