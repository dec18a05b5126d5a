/** An event is delivered if and only if it happened: each of the five, from its cause to an endpoint. */
import { describe, expect, test } from "bun:test";
import { addApp } from "@test/support/accounts/tenants";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { expectMatchesDocument } from "@test/support/document/described-message";
import { createMint, IPHONE, PIXEL, SECRET } from "@test/support/match";
import {
  createWebhook,
  expectSigned,
  type Received,
  type Receiver,
  startReceiver,
} from "@test/support/outside/webhooks";
import { type Account, startTestService } from "@test/support/service";
import { sql as drizzleSql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import type { Link } from "@/contract/links/links";
import { WEBHOOK_EVENTS, WEBHOOKS_MAX, type WebhookEvent } from "@/contract/webhooks";
import { deleteOrphanedDeliveries } from "@/modules/webhooks/retention";
import { openClient } from "@/platform/db/connection/connect";
import { statementsOn } from "@/platform/db/statements";
import { createAnnounce } from "@/platform/webhooks/webhook-outbox";

const env = { OUTBOUND_ALLOW: "127.0.0.1", APP_SECRET: SECRET };
const service = await startTestService({ env });
const { call, sql } = service;
const mint = await createMint(service);

interface Workspace extends Account {
  receiver: Receiver;
  secret: string;
  webhookId: string;
}

/** Creates an organization with one endpoint. */
async function workspace(events: readonly WebhookEvent[] = WEBHOOK_EVENTS): Promise<Workspace> {
  const account = await service.register();
  const receiver = startReceiver();
  const { secret, _id } = await createWebhook(service, account, receiver.url, [...events]);
  return { ...account, receiver, secret, webhookId: _id };
}

const input = { defaultUrl: "https://shop.example.com/spring?a=1", title: "Spring sale" };
const written = async ({ orgId }: Account) =>
  (await sql`select event from webhook_deliveries where org_id = ${orgId} order by id`).map(({ event }) => event);

/** Returns the first message received, after checking that it is complete and signed. */
async function first({ receiver, secret, orgId }: Workspace, event: WebhookEvent): Promise<Received> {
  const [received] = await receiver.until(1);
  if (!received) throw new Error("Nothing was received");
  expectSigned(received, secret);
  const { headers, body } = received;
  expect(headers.get("x-webhook-event")).toBe(event);
  expect(headers.get("content-type")).toBe("application/json");
  expect(headers.get("webhook-id")).toBe(body.id);
  expect(Object.keys(body)).toEqual(["id", "event", "createdAt", "organizationId", "data"]);
  expect(body).toMatchObject({ event, organizationId: orgId });
  expect(new Date(body.createdAt).toISOString()).toBe(body.createdAt);
  await expectMatchesDocument(received);
  return received;
}

describe("link.created", () => {
  test("contains the link as the API returns it", async () => {
    const ada = await workspace();
    const link = await service.createLink(ada, { ...input, deepLinkPayload: { text: "Grüße 👋 \u2028" } });
    expect((await first(ada, "link.created")).body.data).toEqual({ ...link });
  });

  test("is sent for each link of a bulk request that was created, and for none that was not", async () => {
    const ada = await workspace(["link.created"]);
    const links = [
      { ...input, slug: `one-${ada.orgId}` },
      { defaultUrl: "no" },
      { ...input, slug: `one-${ada.orgId}` },
      input,
    ];
    const path = `/api/v1/organizations/${ada.orgId}/links/bulk`;
    const { body } = await call<{ created: Link[] }>("POST", path, { token: ada.token, body: { links } });
    const received = await ada.receiver.until(2);
    expect(received.map(({ body }) => body.data._id)).toEqual(body.created.map(({ _id }) => _id));
    expect(await written(ada)).toEqual(["link.created", "link.created"]);
  });

  test("is sent once when a request is repeated with the same idempotency key", async () => {
    const ada = await workspace();
    const apiKey = await service.createApiKey(ada, ["links:write"]);
    const send = () =>
      call("POST", "/api/v1/links", { apiKey, body: input, headers: { "idempotency-key": "the same" } });
    const replies = await Promise.all([send(), send(), send()]);
    replies.push(await send());
    expect(new Set(replies.map(({ body }) => body._id)).size).toBe(1);
    expect(await written(ada)).toEqual(["link.created"]);
  });
});

describe("custom.event", () => {
  test("contains the event as the API returned it, and is sent once per idempotency key", async () => {
    const ada = await workspace();
    const apiKey = await service.createApiKey(ada, ["events:write"]);
    const body = { name: "purchase", value: 49.9, metadata: { orderId: "A-1" }, visitorId: "customer-1" };
    const send = () => call("POST", "/api/v1/events", { apiKey, body, headers: { "idempotency-key": "A-1" } });
    const reply = await send();
    await send();
    expect((await first(ada, "custom.event")).body.data).toEqual(reply.body);
    expect(await written(ada)).toEqual(["custom.event"]);
  });
});

describe("click", () => {
  test("contains the click without the visitor's IP address", async () => {
    const ada = await workspace(["click"]);
    const link = await service.createLink(ada, { ...input, utm: { source: "newsletter" } });
    const headers = { "user-agent": IPHONE, "x-client": "81.2.69.142", "accept-language": "en-GB" };
    await service.visit(link, { ...headers, referer: "https://news.example.com/story" });
    const { text, body } = await first(ada, "click");
    expect(body.data).toMatchObject({
      linkId: link._id,
      orgId: ada.orgId,
      visitorId: expect.stringMatching(/^[0-9a-f]{16}$/),
      platform: "ios",
      deviceType: "mobile",
      os: "iOS",
      country: "GB",
      language: "en-GB",
      referrer: "news.example.com",
      utm: { source: "newsletter" },
      route: { kind: "default", ruleIndex: null, splitKey: null, destinationUrl: input.defaultUrl, ruleNumber: null },
      isBot: false,
      botReasons: [],
      spamScore: 0,
    });
    expect(body.createdAt).toBe(String(body.data.occurredAt));
    expect(text).not.toContain("81.2.69.142");
    const [row] = await sql`select id from clicks where link_id = ${link._id}`;
    expect(body.data._id).toBe(row?.id);
  });

  test("contains only text that every JSON reader accepts, whatever the visitor's query contains", async () => {
    const ada = await workspace(["click"]);
    const link = await service.createLink(ada, input);
    const query = `utm_source=a%00b&utm_term=${"x".repeat(254)}%F0%9F%98%80`;
    await service.visit(`${new URL(link.shortUrl).pathname}?${query}`, { "user-agent": PIXEL });
    const { text, body } = await first(ada, "click");
    expect(body.data.utm).toEqual({ source: "ab", term: `${"x".repeat(254)}\uFFFD` });
    const [row] = await sql`select ${text}::text::jsonb -> 'data' -> 'utm' ->> 'source' as source`;
    expect(row?.source).toBe("ab");
  });

  test("is sent for people, not for bots", async () => {
    const ada = await workspace(["click"]);
    const link = await service.createLink(ada, input);
    await service.visit(link, { "user-agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" });
    await fetch(link.shortUrl, { method: "HEAD", redirect: "manual", headers: { "user-agent": IPHONE } });
    await service.visit(link, { "user-agent": PIXEL });
    await waitUntilDrained(service.service);
    const [row] = await sql`select count(*)::int as count from clicks where link_id = ${link._id}`;
    expect(row?.count).toBe(3);
    expect(await written(ada)).toEqual(["click"]);
    expect((await first(ada, "click")).body.data.platform).toBe("android");
  });

  test("is sent under one id to each endpoint that is subscribed to it and turned on, and to no other", async () => {
    const ada = await workspace(["click"]);
    const [second, third, fourth] = [startReceiver(), startReceiver(), startReceiver()];
    await createWebhook(service, ada, second.url, ["click", "custom.event"]);
    await createWebhook(service, ada, third.url, ["custom.event"]);
    const off = await createWebhook(service, ada, fourth.url, ["click"]);
    await call("PATCH", off.path, { token: ada.token, body: { isActive: false } });
    const link = await service.createLink(ada, input);
    await service.visit(link, { "user-agent": PIXEL });
    const [one] = await ada.receiver.until(1);
    const [other] = await second.until(1);
    expect(other?.text).toBe(String(one?.text));
    expect(await written(ada)).toEqual(["click", "click"]);
  });
});

describe("link.opened", () => {
  test("for a resolve contains the open, its link and its payload", async () => {
    const ada = await workspace(["link.opened"]);
    const payload = { screen: "offer" };
    const link = await service.createLink(ada, { ...input, deepLinkPayload: payload, utm: { source: "app" } });
    const query = new URLSearchParams({ domain: service.host, slug: link.slug, platform: "ios" });
    const resolved = await call("GET", `/api/v1/resolve?${query}`);
    const { data } = (await first(ada, "link.opened")).body;
    expect(data).toEqual({
      openId: expect.any(String),
      linkId: link._id,
      link: { _id: link._id, shortUrl: link.shortUrl, title: "Spring sale" },
      deepLinkPayload: payload,
      destinationUrl: String(resolved.body.destinationUrl),
      source: "direct",
      platform: "ios",
    });
    const [row] = await sql`select id from opens where link_id = ${link._id}`;
    expect(data.openId).toBe(row?.id);
    expect(await written(ada)).toEqual(["link.opened"]);
  });
});

describe("a resolve", () => {
  const agents: [who: string, userAgent: string, isCounted: boolean][] = [
    ["an app's HTTP library", "okhttp/4.12.0", true],
    ["an app with the shape of a robot's name", "MyApp/1.0.0", true],
    ["an app that says nothing", "", true],
    ["an app of a name of its own", "Shop/3 CFNetwork/1568.100.1 Darwin/24.0.0", true],
    ["a browser", IPHONE, true],
    ["a robot", "Googlebot/2.1 (+http://www.google.com/bot.html)", false],
    [
      "a robot in a browser's clothes",
      "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
      false,
    ],
  ];
  test.each(agents)(
    "by %s sends link.opened if and only if it is counted as an open",
    async (_, userAgent, isCounted) => {
      const ada = await workspace(["link.opened"]);
      const link = await service.createLink(ada, input);
      const query = new URLSearchParams({ domain: service.host, slug: link.slug, platform: "ios" });
      const headers = { "user-agent": userAgent };
      expect((await call("GET", `/api/v1/resolve?${query}`, { headers })).status).toBe(200);
      await waitUntilDrained(service.service);
      expect(await written(ada)).toEqual(isCounted ? ["link.opened"] : []);
      const { body } = await call("GET", `/api/v1/organizations/${ada.orgId}/analytics/overview`, { token: ada.token });
      expect(body).toMatchObject({ opens: isCounted ? 1 : 0 });
    },
  );
});

describe("link.matched and link.opened", () => {
  async function matchable() {
    const ada = await workspace(["link.matched", "link.opened"]);
    const appProfileId = await addApp(service, ada.orgId, { ios: { appStoreId: "284882215" } });
    const link = await service.createLink(ada, { ...input, appProfileId, deepLinkPayload: { screen: "offer" } });
    return { ada, link, token: await mint(link._id) };
  }

  test("are each sent once for a match, however often it is claimed", async () => {
    const { ada, link, token } = await matchable();
    const claim = () =>
      call("POST", "/api/v1/match", { body: { matchToken: token }, headers: { "user-agent": IPHONE } });
    const [answer] = await Promise.all([claim(), claim(), claim()]);
    const received = await ada.receiver.until(2);
    expect(received.map(({ body }) => body.event).toSorted()).toEqual(["link.matched", "link.opened"]);
    const { installId, openId, deepLinkPayload, destinationUrl } = answer?.body ?? {};
    for (const message of received) {
      await expectMatchesDocument(message);
      expect(message.body.data).toEqual({
        openId,
        installId,
        linkId: link._id,
        link: { _id: link._id, shortUrl: link.shortUrl, title: "Spring sale" },
        deepLinkPayload,
        destinationUrl,
        source: "deferred",
        platform: "ios",
      });
    }
    expect(received[0]?.body.id).not.toBe(String(received[1]?.body.id));
    expect(await written(ada)).toEqual(["link.matched", "link.opened"]);
  });

  test("name the provider of an install attribution", async () => {
    const { ada, token } = await matchable();
    await call("POST", "/api/v1/match/install-attribution", { body: { campaignToken: token } });
    const [received] = await ada.receiver.until(2);
    expect(received?.body.data.installAttributionProvider).toBe("app_store_campaign");
    for (const message of ada.receiver.received) await expectMatchesDocument(message);
  });

  test("are not sent for a token that matches nothing", async () => {
    const { ada } = await matchable();
    await call("POST", "/api/v1/match", { body: { matchToken: "none" } });
    expect(await written(ada)).toEqual([]);
  });
});

describe("a transaction", () => {
  const told = (orgId: string) => ({ event: "custom.event" as const, orgId, at: Date.now(), data: {} });

  function openOwn() {
    const { sql, discard } = openClient(service.databaseUrl, { name: "own", connectionsMax: 1, connectWaitS: 5 });
    return { db: drizzle(sql), close: discard };
  }

  test("that is rolled back leaves no deliveries", async () => {
    const ada = await workspace();
    const { db, close } = openOwn();
    const work = db.transaction(async (tx) => {
      await createAnnounce(() => {})(statementsOn(tx), told(ada.orgId));
      expect(await tx.execute(drizzleSql`select 1 from webhook_deliveries where org_id = ${ada.orgId}`)).toHaveLength(
        1,
      );
      throw new Error("rolled back");
    });
    expect(work).rejects.toThrow("rolled back");
    await work.catch(() => {});
    expect(await written(ada)).toEqual([]);
    await close();
  });

  test("whose connection is killed leaves no deliveries", async () => {
    const ada = await workspace();
    const { db, close } = openOwn();
    const work = db.transaction(async (tx) => {
      await createAnnounce(() => {})(statementsOn(tx), told(ada.orgId));
      const [own] = await tx.execute<{ pid: number }>(drizzleSql`select pg_backend_pid() as pid`);
      await sql`select pg_terminate_backend(${own?.pid ?? 0})`;
      await tx.execute(drizzleSql`select 1`);
    });
    expect(await work.then(() => "done").catch(() => "killed")).toBe("killed");
    expect(await written(ada)).toEqual([]);
    await close();
  });

  test("schedules at most 20 deliveries a second to one host", async () => {
    const events: WebhookEvent[] = ["link.matched", "link.opened"];
    const ada = await workspace(events);
    const { origin } = new URL(ada.receiver.url);
    for (let made = 1; made < WEBHOOKS_MAX; made++) await createWebhook(service, ada, `${origin}/${made}`, events);
    const { db, close } = openOwn();
    await db.transaction(async (tx) => {
      const happenings = events.map((event) => ({ ...told(ada.orgId), event }));
      await createAnnounce(() => {})(statementsOn(tx), ...happenings);
      const rows = await tx.execute<{ after: number }>(`
        select extract(epoch from due_at - min(due_at) over ())::float8 as after from webhook_deliveries
        where org_id = '${ada.orgId}' order by due_at`);
      const afters = rows.map(({ after }) => after);
      expect(afters).toHaveLength(2 * WEBHOOKS_MAX);
      for (const after of afters.slice(0, 20)) expect(after).toBeLessThan(0.001);
      for (const after of afters.slice(20)) expect(after).toBeWithin(1, 1.001);
    });
    await close();
    await ada.receiver.until(2 * WEBHOOKS_MAX);
  });

  test("does not block deleting a webhook it wrote deliveries for, and these are cleaned up afterwards", async () => {
    const ada = await workspace();
    const { db, close } = openOwn();
    await db.transaction(async (tx) => {
      await createAnnounce(() => {})(statementsOn(tx), told(ada.orgId));
      await sql`delete from webhooks where id = ${ada.webhookId}`;
    });
    await deleteOrphanedDeliveries({ sql, signal: new AbortController().signal });
    expect(await written(ada)).toEqual([]);
    await close();
  });
});
