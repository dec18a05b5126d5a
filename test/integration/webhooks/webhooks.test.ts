/** Webhooks as admins manage them over the API. */
import { describe, expect, test } from "bun:test";
import { addMember } from "@test/support/accounts/tenants";
import { expectFailure } from "@test/support/failure";
import { addDelivery, createWebhook, expectSigned, startReceiver } from "@test/support/outside/webhooks";
import { startTestService } from "@test/support/service";
import { until } from "@test/support/until";
import {
  WEBHOOK_EVENTS,
  WEBHOOKS_MAX,
  type Webhook,
  type WebhookDelivery,
  type WebhookDeliveryWithRequest,
} from "@/contract/webhooks";
import { deleteOrphanedDeliveries } from "@/modules/webhooks/retention";

const service = await startTestService({ env: { OUTBOUND_ALLOW: "127.0.0.1" } });
const { call, sql } = service;
const ada = await service.register();
const { token, orgId } = ada;
const home = `/api/v1/organizations/${orgId}`;
const webhooks = `${home}/webhooks`;
const valid = { url: "https://hooks.example.com/waymark", events: ["click"] };
const receiver = startReceiver();
const made = await createWebhook(service, ada, receiver.url, ["custom.event"]);
const unknown = Bun.randomUUIDv7();

describe("400", () => {
  const wrong: [name: string, field: string, value: unknown][] = [
    ["no URL", "url", undefined],
    ["a relative one", "url", "/hook"],
    ["another scheme", "url", "ftp://hooks.example.com/"],
    ["a user name", "url", "https://ada@hooks.example.com/"],
    ["a password", "url", "https://ada:secret@hooks.example.com/"],
    ["a private address", "url", "http://10.0.0.1/"],
    ["the machine's own", "url", "http://127.0.0.2/"],
    ["the same in another spelling", "url", "http://0x7f000002/"],
    ["the same in IPv6", "url", "http://[::ffff:127.0.0.2]/"],
    ["a cloud's metadata", "url", "http://169.254.169.254/latest/meta-data/"],
    ["loopback in IPv6", "url", "https://[::1]:8443/"],
    ["too long a one", "url", `https://hooks.example.com/${"a".repeat(2048)}`],
    ["none", "events", []],
    ["no list", "events", "click"],
    ["one twice", "events", ["click", "click"]],
    ["one that does not exist", "events[1]", ["click", "link.deleted"]],
    ["an install, which is none", "events[0]", ["install"]],
    ["nothing at all", "events", undefined],
    ["text in place of a flag", "isActive", "true"],
    ["null in place of a flag", "isActive", null],
    ["too long a description", "description", "a".repeat(501)],
  ];

  test.each(wrong)("%s: %s", async (_, fault, value) => {
    const field = fault.replace(/\[.*/, "");
    expectFailure(await call("POST", webhooks, { token, body: { ...valid, [field]: value } }), 400, [fault]);
    if (value !== undefined) {
      expectFailure(await call("PATCH", made.path, { token, body: { [field]: value } }), 400, [fault]);
    }
  });

  test("null clears neither URL nor events", async () => {
    expectFailure(await call("PATCH", made.path, { token, body: { url: null } }), 400, ["url"]);
    expectFailure(await call("PATCH", made.path, { token, body: { events: null } }), 400, ["events"]);
  });

  test("for a delivery status that does not exist", async () => {
    expectFailure(await call("GET", `${made.path}/deliveries?status=lost`, { token }), 400, ["status"]);
  });

  test("for a test with an invalid event", async () => {
    expectFailure(await call("POST", `${made.path}/test`, { token, body: { event: "install" } }), 400, ["event"]);
  });
});

describe("403", () => {
  test.each(["viewer", "member"] as const)("a %s neither reads nor writes", async (role) => {
    const { token } = await addMember(service, orgId, role);
    const asked: [method: string, path: string, body?: object][] = [
      ["GET", webhooks],
      ["POST", webhooks, valid],
      ["PATCH", made.path, {}],
      ["DELETE", made.path],
      ["POST", `${made.path}/rotate-secret`],
      ["GET", `${made.path}/deliveries`],
      ["POST", `${made.path}/test`, {}],
      ["POST", `${made.path}/deliveries/${unknown}/redeliver`],
    ];
    for (const [method, path, body] of asked) expectFailure(await call(method, path, { token, body }), 403);
  });
});

describe("404", () => {
  test.each([unknown, "1"])("there is no webhook or delivery %s", async (id) => {
    expectFailure(await call("PATCH", `${webhooks}/${id}`, { token, body: {} }), 404);
    expectFailure(await call("DELETE", `${webhooks}/${id}`, { token }), 404);
    expectFailure(await call("POST", `${webhooks}/${id}/rotate-secret`, { token }), 404);
    expectFailure(await call("POST", `${webhooks}/${id}/test`, { token, body: {} }), 404);
    expectFailure(await call("GET", `${webhooks}/${id}/deliveries`, { token }), 404);
    expectFailure(await call("GET", `${made.path}/deliveries/${id}`, { token }), 404);
    expectFailure(await call("POST", `${made.path}/deliveries/${id}/redeliver`, { token }), 404);
  });

  test("for a delivery of another webhook", async () => {
    const other = await createWebhook(service, ada, receiver.url, ["click"]);
    const delivery = await addDelivery(service, orgId, other._id);
    expectFailure(await call("GET", `${made.path}/deliveries/${delivery}`, { token }), 404);
    expectFailure(await call("POST", `${made.path}/deliveries/${delivery}/redeliver`, { token }), 404);
  });
});

describe("409", () => {
  test("at the limit of webhooks, also when they are created simultaneously", async () => {
    const eve = await service.register();
    const path = `/api/v1/organizations/${eve.orgId}/webhooks`;
    const make = () => call("POST", path, { token: eve.token, body: valid });
    const replies = await Promise.all(Array.from({ length: WEBHOOKS_MAX + 3 }, make));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(WEBHOOKS_MAX);
    for (const reply of replies.filter(({ status }) => status !== 200)) expectFailure(reply, 409);
  });

  test("for a redelivery while the webhook is off", async () => {
    const { _id, path } = await createWebhook(service, ada, receiver.url, ["click"]);
    const delivery = await addDelivery(service, orgId, _id);
    await call("PATCH", path, { token, body: { isActive: false } });
    expectFailure(await call("POST", `${path}/deliveries/${delivery}/redeliver`, { token }), 409);
  });
});

describe("429", () => {
  test("after ten tests of a webhook in a minute", async () => {
    const { path } = await createWebhook(service, ada, receiver.url, ["click"]);
    for (let tests = 0; tests < 10; tests++) {
      expect((await call("POST", `${path}/test`, { token, body: {} })).status).toBe(200);
    }
    const refused = await call("POST", `${path}/test`, { token, body: {} });
    expectFailure(refused, 429);
    expect(Number(refused.headers.get("retry-after"))).toBeWithin(1, 61);
  });
});

describe("200", () => {
  test("creates a webhook and shows its secret only once", async () => {
    const body = { ...valid, url: "HTTPS://Hooks.Example.com", events: [...WEBHOOK_EVENTS], description: "Orders" };
    const reply = await call<Webhook & { secret: string }>("POST", webhooks, { token, body });
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        _id: expect.any(String),
        url: "https://hooks.example.com/",
        events: [...WEBHOOK_EVENTS],
        description: "Orders",
        isActive: true,
        batch: false,
        pending: 0,
        dropped: 0,
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
        secretHint: `…${reply.body.secret.slice(-5)}`,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ]);
    const listed = await call<{ webhooks: Webhook[] }>("GET", `${webhooks}?limit=1`, { token });
    const { secret, ...record } = reply.body;
    expect(listed.body).toMatchObject({ webhooks: [record], page: 1, limit: 1 });
    expect(listed.body.webhooks[0]).not.toHaveProperty("secret");
    const [row] = await sql`select * from webhooks where id = ${record._id}`;
    expect(Buffer.from(row?.secret).includes(secret)).toBe(false);
  });

  test("merges changes and writes them to the audit log without the secret", async () => {
    const { path, _id } = await createWebhook(service, ada, receiver.url, ["click"]);
    const changed = await call("PATCH", path, { token, body: { events: ["link.created"], description: "CRM" } });
    expect(changed.body).toMatchObject({ url: receiver.url, events: ["link.created"], description: "CRM" });
    const cleared = await call("PATCH", path, { token, body: { description: null } });
    expect(cleared.body).not.toHaveProperty("description");
    await call("PATCH", path, { token, body: {} });
    await call("POST", `${path}/rotate-secret`, { token });
    await call("DELETE", path, { token });
    const { body } = await call<{ auditLogs: { action: string; resourceId: string; changes: object }[] }>(
      "GET",
      `${home}/audit-logs?resourceType=webhook&limit=100`,
      { token },
    );
    const entries = body.auditLogs.filter(({ resourceId }) => resourceId === _id).toReversed();
    expect(entries.map(({ action }) => action)).toEqual([
      "webhook.create",
      "webhook.update",
      "webhook.update",
      "webhook.rotate_secret",
      "webhook.delete",
    ]);
    expect(entries[1]?.changes).toEqual({
      events: { from: ["click"], to: ["link.created"] },
      description: { from: null, to: "CRM" },
    });
    expect(JSON.stringify(entries)).not.toContain("whsec_");
  });

  test("logs no change that changes nothing, but logs that turning on a failing webhook clears its failures", async () => {
    const { path, _id } = await createWebhook(service, ada, receiver.url, ["click"]);
    const since = "2026-01-01T00:00:00.000Z";
    await sql`update webhooks set failing_since = ${since} where id = ${_id}`;
    const row = async () => [...(await sql`select updated_at, failing_since from webhooks where id = ${_id}`)];
    const before = await row();
    const same = { url: receiver.url, events: ["click"], description: null };
    for (const body of [{}, same]) expect((await call("PATCH", path, { token, body })).status).toBe(200);
    expect(await row()).toEqual(before);
    const changes = async () =>
      (await sql`select changes from audit_logs where resource_id = ${_id} and action = 'webhook.update'`).map(
        (entry) => entry.changes,
      );
    expect(await changes()).toEqual([]);
    for (let times = 0; times < 2; times++) await call("PATCH", path, { token, body: { isActive: true } });
    expect(await changes()).toEqual([{ failingSince: { from: since, to: null } }]);
    expect(await row()).toMatchObject([{ failing_since: null }]);
  });

  test("deletes a webhook at once, and its deliveries later in batches", async () => {
    const { _id, path } = await createWebhook(service, ada, receiver.url, ["click"]);
    for (let made = 0; made < 7; made++) await addDelivery(service, orgId, _id);
    expect((await call("DELETE", path, { token })).body).toEqual({ _id, deleted: true });
    expectFailure(await call("GET", `${path}/deliveries`, { token }), 404);
    const others = await sql`select count(*)::int from webhook_deliveries where webhook_id <> ${_id}`;
    const bounds = { sql, batchRows: 3 };
    expect(await deleteOrphanedDeliveries({ ...bounds, signal: AbortSignal.abort() })).toBe(0);
    expect(await deleteOrphanedDeliveries({ ...bounds, signal: new AbortController().signal })).toBe(7);
    expect(await sql`select count(*)::int from webhook_deliveries where webhook_id <> ${_id}`).toEqual(others);
    expect(await sql`select 1 from webhook_deliveries where webhook_id = ${_id}`).toHaveLength(0);
  });

  test("keeps deliveries pending while turned off; turned on, sends them and clears the failures", async () => {
    const endpoint = startReceiver();
    const { _id, path } = await createWebhook(service, ada, endpoint.url, ["click"]);
    await call("PATCH", path, { token, body: { isActive: false } });
    await sql`update webhooks set failing_since = now(), disabled_reason = 'It failed' where id = ${_id}`;
    const id = await addDelivery(service, orgId, _id);
    await sql`update webhook_deliveries set status = 'pending', attempts = 3, duration_ms = 5,
      due_at = now() + interval '1 hour' where id = ${id}`;
    const listed = await call<{ deliveries: object[] }>("GET", `${path}/deliveries`, { token });
    expect(listed.body.deliveries[0]).not.toHaveProperty("nextAttemptAt");
    const { body } = await call("PATCH", path, { token, body: { isActive: true } });
    expect(body).toMatchObject({ isActive: true });
    expect(body).not.toHaveProperty("disabledReason");
    await endpoint.until(1);
    const [row] = await sql`select * from webhooks where id = ${_id}`;
    expect(row).toMatchObject({ failing_since: null, disabled_reason: null });
  });

  test("sends what waits for a retry at once to a new URL, and when turning it on clears its failures", async () => {
    const [broken, mended] = [startReceiver(), startReceiver()];
    broken.answer = () => new Response("no", { status: 500 });
    const { _id, path } = await createWebhook(service, ada, broken.url, ["click"]);
    const waits = async () => {
      const id = await addDelivery(service, orgId, _id);
      await sql`update webhook_deliveries set status = 'pending', attempts = 5, duration_ms = 5,
        due_at = now() + interval '10 hours' where id = ${id}`;
      await sql`update webhooks set failing_since = now(), tried_at = now() + interval '1 hour' where id = ${_id}`;
    };
    await waits();
    await call("PATCH", path, { token, body: { url: mended.url } });
    await until(
      async () =>
        (
          await sql`select 1 from webhook_deliveries where webhook_id = ${_id}
      and status = 'delivered'`
        ).length === 1,
    );
    await waits();
    await call("PATCH", path, { token, body: { isActive: true } });
    await mended.until(2);
    expect(broken.received).toHaveLength(0);
  });

  test.each([
    ["fails", 500, 5],
    ["fails for the last time", 500, 9],
    ["is refused for good", 410, 0],
  ])(
    "sends at once to a new URL what was being sent to the former one and %s there",
    async (_what, status, attempts) => {
      const [broken, mended] = [startReceiver(), startReceiver()];
      const release = Promise.withResolvers<void>();
      broken.answer = () => release.promise.then(() => new Response("no", { status }));
      const { _id, path } = await createWebhook(service, ada, broken.url, ["click"]);
      const id = await addDelivery(service, orgId, _id);
      await sql`update webhook_deliveries set status = 'pending', attempts = ${attempts}, due_at = now() where id = ${id}`;
      await broken.until(1);
      await call("PATCH", path, { token, body: { url: mended.url } });
      release.resolve();
      await mended.until(1);
      expect(broken.received).toHaveLength(1);
      expect((await sql`select is_active from webhooks where id = ${_id}`)[0]).toEqual({ is_active: true });
    },
  );

  test("leaves what waits for a retry when nothing about the endpoint changes", async () => {
    const { _id, path } = await createWebhook(service, ada, receiver.url, ["click"]);
    const id = await addDelivery(service, orgId, _id);
    await sql`update webhook_deliveries set status = 'pending', attempts = 5, due_at = now() + interval '10 hours'
      where id = ${id}`;
    const due = async () => [...(await sql`select due_at from webhook_deliveries where id = ${id}`)];
    const before = await due();
    await call("PATCH", path, { token, body: { url: receiver.url, description: "Another", isActive: true } });
    expect(await due()).toEqual(before);
  });

  test("sends a delivery in progress only once when the webhook is turned off and on", async () => {
    const endpoint = startReceiver();
    const release = Promise.withResolvers<void>();
    endpoint.answer = () => release.promise.then(() => new Response("ok"));
    const { _id, path } = await createWebhook(service, ada, endpoint.url, ["link.created"]);
    await service.createLink(ada, { defaultUrl: "https://example.com/" });
    await endpoint.until(1);
    for (const isActive of [false, true]) await call("PATCH", path, { token, body: { isActive } });
    release.resolve();
    const deliveries = () => sql`select status, attempts from webhook_deliveries where webhook_id = ${_id}`;
    await until(async () => (await deliveries())[0]?.status === "delivered");
    expect((await deliveries())[0]).toEqual({ status: "delivered", attempts: 1 });
    expect(endpoint.received).toHaveLength(1);
  });

  test("sends the requested sample in a test, signed, and returns the outcome", async () => {
    const endpoint = startReceiver();
    const { path, secret } = await createWebhook(service, ada, endpoint.url, ["click"]);
    for (const event of WEBHOOK_EVENTS) {
      const { body } = await call("POST", `${path}/test`, { token, body: { event } });
      expect(body).toEqual({
        delivered: true,
        event,
        messageId: expect.any(String),
        requestBody: endpoint.received.at(-1)?.text,
        responseStatus: 200,
        responseBody: "ok",
        durationMs: expect.any(Number),
      });
    }
    for (const received of endpoint.received) expectSigned(received, secret);
    expect(endpoint.received.map(({ body }) => body.event)).toEqual([...WEBHOOK_EVENTS]);
    endpoint.answer = () => new Response("no such hook", { status: 404 });
    const { body } = await call("POST", `${path}/test`, { token, body: {} });
    expect(body).toMatchObject({ delivered: false, event: "custom.event", responseStatus: 404 });
    const { body: log } = await call("GET", `${path}/deliveries`, { token });
    expect(log).toMatchObject({ deliveries: [], total: 0 });
  });

  test("signs with both secrets after a rotation, and a day later with the new one only", async () => {
    const endpoint = startReceiver();
    const { _id, path, secret: former } = await createWebhook(service, ada, endpoint.url, ["click"]);
    const { body } = await call<{ secret: string; secretHint: string }>("POST", `${path}/rotate-secret`, { token });
    expect(body.secret).not.toBe(former);
    expect(body.secretHint).toBe(`…${body.secret.slice(-5)}`);
    const tested = async () => {
      await call("POST", `${path}/test`, { token, body: {} });
      const received = endpoint.received.at(-1);
      if (!received) throw new Error("The test sent nothing");
      expectSigned(received, body.secret);
      return received;
    };
    const both = await tested();
    expect(both.headers.get("webhook-signature")?.split(" ")).toHaveLength(2);
    const hmac = new Bun.CryptoHasher("sha256", former).update(both.text).digest("hex");
    expect(both.headers.get("x-webhook-signature-previous")).toBe(`sha256=${hmac}`);
    await sql`update webhooks set previous_secret_until = now() where id = ${_id}`;
    const alone = await tested();
    expect(alone.headers.get("webhook-signature")?.split(" ")).toHaveLength(1);
    expect(alone.headers.has("x-webhook-signature-previous")).toBe(false);
  });

  test("lists deliveries newest first, filters them by status and redelivers them under the same id", async () => {
    const endpoint = startReceiver();
    const { _id, path } = await createWebhook(service, ada, endpoint.url, ["click"]);
    const failed = await addDelivery(service, orgId, _id);
    const again = await call<WebhookDelivery>("POST", `${path}/deliveries/${failed}/redeliver`, { token });
    expect([again.status, again.body]).toMatchObject([200, { webhookId: _id, event: "click" }]);
    expect(again.body._id).not.toBe(failed);
    await endpoint.until(1);
    const list = (query: string) =>
      call<{ deliveries: WebhookDelivery[]; total: number }>("GET", `${path}/deliveries${query}`, { token });
    await until(async () => (await list("?status=delivered")).body.total === 1);
    const { body } = await list("");
    expect(body).toMatchObject({
      deliveries: [
        { _id: again.body._id, status: "delivered", attempts: 1, responseStatus: 200, responseBody: "ok" },
        { _id: failed, status: "failed", attempts: 10, messageId: again.body.messageId },
      ],
      total: 2,
    });
    expect((await list("?status=failed")).body.deliveries.map(({ _id }) => _id)).toEqual([failed]);
    expect((await list("?status=pending")).body.total).toBe(0);
    expect((await list("?limit=1&page=2")).body.deliveries.map(({ _id }) => _id)).toEqual([failed]);
  });

  test("shows the request of a delivery byte for byte", async () => {
    const endpoint = startReceiver();
    const { _id, path } = await createWebhook(service, ada, endpoint.url, ["link.created"]);
    await service.createLink(ada, { defaultUrl: "https://example.com/", title: 'Grüße \\ "\u{1f600}"' });
    const [received] = await endpoint.until(1);
    const list = await call<{ deliveries: WebhookDelivery[] }>("GET", `${path}/deliveries`, { token });
    const [listed] = list.body.deliveries;
    expect(listed).not.toHaveProperty("requestBody");
    const one = () => call<WebhookDeliveryWithRequest>("GET", `${path}/deliveries/${listed?._id}`, { token });
    await until(async () => (await one()).body.status === "delivered");
    const { body } = await one();
    expect(body).toMatchObject({ _id: listed?._id, webhookId: _id, event: "link.created", attempts: 1 });
    expect(body.requestBody).toBe(received?.text ?? "");

    await sql`update webhook_deliveries set attempts = 0 where id = ${body._id}`;
    expect((await one()).body).not.toHaveProperty("requestBody");
    await sql`update webhook_deliveries set attempts = 1, body = regexp_replace(body, '"data":.*$', '"data":{"erased":true}}')
      where id = ${body._id}`;
    expect((await one()).body).not.toHaveProperty("requestBody");
  });

  test("retries at once, on request, a delivery that waits for its next attempt", async () => {
    const endpoint = startReceiver();
    const { _id, path } = await createWebhook(service, ada, endpoint.url, ["click"]);
    const id = await addDelivery(service, orgId, _id);
    await sql`update webhook_deliveries set status = 'pending', attempts = 3, last_attempt_at = now(), duration_ms = 5,
      due_at = now() + interval '1 hour' where id = ${id}`;
    const { body } = await call("POST", `${path}/deliveries/${id}/redeliver`, { token });
    expect(body).toMatchObject({ _id: id, status: "pending", attempts: 3 });
    await endpoint.until(1);
  });

  test("retries at once, on request, although the endpoint has asked to be left alone", async () => {
    const endpoint = startReceiver();
    endpoint.answer = () => new Response(null, { status: 503, headers: { "retry-after": "3600" } });
    const { path } = await createWebhook(service, ada, endpoint.url, ["link.created"]);
    await service.createLink(ada, { defaultUrl: "https://example.com/" });
    const only = async () =>
      (await call<{ deliveries: WebhookDelivery[] }>("GET", `${path}/deliveries`, { token })).body.deliveries[0];
    await until(async () => (await only())?.attempts === 1);
    endpoint.answer = () => new Response("ok");
    await call("POST", `${path}/deliveries/${(await only())?._id}/redeliver`, { token });
    await endpoint.until(2);
    await until(async () => (await only())?.status === "delivered");
  });
});
