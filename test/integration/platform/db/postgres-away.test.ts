/**
 * Postgres that stops responding, is cut off and returns, as a service on the other side of a network experiences it.
 */
import { afterAll, expect, test } from "bun:test";
import { describeApp, operationsOf } from "@test/support/document/described";
import { scrape } from "@test/support/scrape";
import { ask } from "@test/support/servers/embedded";
import { waitUntilBlocked } from "@test/support/servers/lock-waits";
import { createDatabase } from "@test/support/servers/postgres";
import { TcpProxy } from "@test/support/servers/tcp-proxy";
import { startTestService, type TestService } from "@test/support/service";
import { until } from "@test/support/until";
import { POOL_SIZES } from "@/platform/db/pools";

const DEFAULT = "https://example.com/";

const database = await createDatabase();
const proxy = await TcpProxy.start(Number(new URL(database.url).port));
afterAll(() => proxy.cut());
const through = new URL(database.url);
through.port = String(proxy.port);
const service: TestService = await startTestService({
  // The smallest cache with room for packed links.
  env: { DATABASE_URL: through.href, SHORT_DOMAIN: "away.example", LINK_CACHE_MB: "16" },
});
const account = await service.register();

const links = `/api/v1/organizations/${account.orgId}/links`;
const UNAVAILABLE = { status: 503, retryAfter: "1" };

const visit = (slug: string) => service.visit(`/${slug}`, { host: "away.example" });
const health = async () => (await service.call("GET", "/health")).body;

const isStatus = (status: string) => async () => (await health()).status === status;

/** Expects that cached links redirect, and that everything else gets 503 quickly and can be found in the log. */
async function expectAway(slug: string): Promise<void> {
  await until(isStatus("degraded"));
  for (let visits = 0; visits < 20; visits++) expect((await visit(slug)).status).toBe(302);
  const unknown = await visit("never-seen");
  expect({ status: unknown.status, retryAfter: unknown.headers.get("retry-after") }).toEqual(UNAVAILABLE);
  const requestId = `"requestId":"${unknown.headers.get("x-request-id")}"`;
  await until(async () => service.logged().includes(requestId));
  const write = await service.call("POST", links, { token: account.token, body: { defaultUrl: DEFAULT } });
  expect({ status: write.status, retryAfter: write.headers.get("retry-after") }).toEqual(UNAVAILABLE);
}

async function expectNormal(): Promise<void> {
  await until(isStatus("ok"));
  const fresh = await service.createLink(account, { defaultUrl: DEFAULT });
  expect((await visit(fresh.slug)).status).toBe(302);
}

test("a connection ends while Postgres is reachable: 503, and a line in the log", async () => {
  const failed = await database.sql.begin(async (tx) => {
    await tx`lock table listed_links in access exclusive mode`;
    const asked = service.call("GET", links, { token: account.token });
    await waitUntilBlocked(database.sql, 1);
    await database.sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    return asked;
  });
  expect({ status: failed.status, retryAfter: failed.headers.get("retry-after") }).toEqual(UNAVAILABLE);
  await until(() => service.logged().includes("Postgres could not serve a request"));
});

test("Postgres disconnected: cached links redirect, and everything works again afterwards", async () => {
  const { slug } = await service.createLink(account, { defaultUrl: DEFAULT });
  expect((await visit(slug)).status).toBe(302);
  await proxy.cut();
  await expectAway(slug);
  await proxy.open();
  await expectNormal();
}, 240_000);

test("Postgres disconnected: each visit that fails has a short line in the log, and few have the error's stack", async () => {
  await proxy.cut();
  await until(isStatus("degraded"));
  const before = service.logged().length;
  const failed = await Promise.all(Array.from({ length: 200 }, (_, index) => visit(`never-seen-${index}`)));
  expect(new Set(failed.map(({ status }) => status))).toEqual(new Set([503]));
  const linesOfVisits = () =>
    service
      .logged()
      .slice(before)
      .split("\n")
      .filter((line) => line.includes('"could not serve a short URL"'));
  await until(() =>
    failed.every(({ headers }) =>
      linesOfVisits()
        .join()
        .includes(headers.get("x-request-id") ?? "?"),
    ),
  );
  expect(linesOfVisits().filter((line) => line.includes('"stack"')).length).toBeLessThan(100);
  await proxy.open();
  await expectNormal();
}, 240_000);

test("Postgres disconnected: what signs people in gets 503, as the document says", async () => {
  const { document } = await describeApp();
  const documented = new Map(operationsOf(document).map((one) => [`${one.method} ${one.path}`, one.responses]));
  const password = "correct horse battery";
  const person = { name: "Grace", email: "grace@example.com", password, organizationName: "Acme" };
  const asked = [
    ["POST", "/api/v1/auth/register", person],
    ["POST", "/api/v1/auth/login", { email: person.email, password }],
    ["POST", "/api/v1/auth/password/reset", { token: "unknown", password: "a longer horse battery" }],
    ["GET", "/api/v1/auth/sso/start", "?orgSlug=acme"],
    ["POST", "/api/v1/auth/sso/exchange", { code: "unknown", codeVerifier: "a".repeat(43) }],
    ["GET", "/api/v1/resolve", "?domain=away.example&slug=never-resolved"],
  ] as const;
  await proxy.cut();
  await until(isStatus("degraded"));
  for (const [method, path, given] of asked) {
    const { status } = await (typeof given === "string"
      ? service.call(method, path + given)
      : service.call(method, path, { body: given }));
    const isDocumented = "503" in (documented.get(`${method} ${path}`) ?? {});
    expect({ path, status, isDocumented }).toEqual({ path, status: 503, isDocumented: true });
  }
  const headers = { accept: "text/html,*/*;q=0.8" };
  const started = await fetch(`${service.url}/api/v1/auth/sso/start?orgSlug=acme`, { redirect: "manual", headers });
  const { pathname, search } = new URL(started.headers.get("location") ?? "", service.url);
  expect([started.status, pathname + search]).toEqual([302, "/app?error=server_error"]);
  const page = await fetch(service.url + pathname + search, { headers });
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Please try again")]);
  await proxy.open();
  await expectNormal();
}, 240_000);

test("Postgres disconnected before changed links could be reloaded: all redirect, also those cached packed", async () => {
  const deepLinkPayload = { text: "x".repeat(12_000) };
  const { body } = await service.call<{ created: { slug: string }[] }>("POST", `${links}/bulk`, {
    token: account.token,
    body: { links: Array.from({ length: 60 }, () => ({ defaultUrl: DEFAULT, deepLinkPayload })) },
  });
  const slugs = body.created.map(({ slug }) => slug);
  const statuses = () => Promise.all([...slugs, ...slugs, ...slugs].map(async (slug) => (await visit(slug)).status));
  for (const slug of slugs) expect((await visit(slug)).status).toBe(302);
  expect((await scrape(service.url))("waymark_link_cache_links", { form: "packed" })).toBeGreaterThan(10);
  const settings = { settings: { appendClickId: true } };
  const organization = `/api/v1/organizations/${account.orgId}`;
  expect((await service.call("PATCH", organization, { token: account.token, body: settings })).status).toBe(200);
  await proxy.cut();
  expect(new Set(await statuses())).toEqual(new Set([302]));
  await expectAway(slugs[0] ?? "");
  expect(new Set(await statuses())).toEqual(new Set([302]));
  await proxy.open();
  await expectNormal();
}, 240_000);

test("Postgres silent: waiting requests get 503, and an interrupted transaction releases its locks", async () => {
  const { _id, slug } = await service.createLink(account, { defaultUrl: DEFAULT });
  expect((await visit(slug)).status).toBe(302);
  const change = (title: string) => service.call("PATCH", `${links}/${_id}`, { token: account.token, body: { title } });
  // The test holds the lock, so that the change is waiting within its transaction when the network is cut.
  const [locked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holder = database.sql.begin(async (tx) => {
    await tx`select from links where id = ${_id} for update`;
    locked.resolve();
    await held.promise;
  });
  await locked.promise;
  const waiting = change("before");
  await until(async () => (await database.sql`select from pg_locks where not granted`).length > 0);
  proxy.silence();
  expect((await waiting).status).toBe(503);
  await expectAway(slug);
  held.resolve();
  await holder;
  await until(
    async () =>
      (
        await database.sql`
    select from pg_stat_activity where state = 'idle in transaction' and datname = current_database()`
      ).length > 0,
  );
  await proxy.open();
  await expectNormal();
  expect((await change("after")).body).toMatchObject({ title: "after" });
}, 240_000);

test("refused new connections are no outage: requests use existing ones, and the lost listener is reported", async () => {
  const elsewhere = new URL("/postgres", database.url).href;
  const allow = (isAllowed: boolean) =>
    ask(elsewhere, `alter database ${new URL(database.url).pathname.slice(1)} allow_connections ${isAllowed}`);
  const list = () => service.call("GET", links, { token: account.token });
  // One request makes several queries at the same time. So many requests at once open every connection that is allowed,
  // and none has to be opened later.
  await Promise.all(Array.from({ length: 2 * POOL_SIZES.requests }, list));
  await allow(false);
  await database.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'waymark listener' and datname = current_database()`;
  await until(isStatus("degraded"));
  // Long enough for a service that took the refusal for an absence to have said so.
  await Bun.sleep(2_000);
  for (let times = 0; times < POOL_SIZES.requests; times++) expect((await list()).status).toBe(200);
  await allow(true);
  await until(isStatus("ok"));
}, 240_000);
