/** Webhooks that receive their events in batches, and the limits of the queue of any webhook. */
import { describe, expect, test } from "bun:test";
import { expectMatchesDocument } from "@test/support/document/described-message";
import { expectFailure } from "@test/support/failure";
import { idOf } from "@test/support/ids";
import { createWebhook, expectSigned, makeDue, type Received, startReceiver } from "@test/support/outside/webhooks";
import { startTestService } from "@test/support/service";
import { until } from "@test/support/until";
import type { Webhook, WebhookDelivery } from "@/contract/webhooks";
import { boundBacklogs } from "@/modules/webhooks/backlog";

const service = await startTestService({ env: { OUTBOUND_ALLOW: "127.0.0.1" } });
const { call, sql, db } = service;
const ada = await service.register();
const { token, orgId } = ada;
const apiKey = await service.createApiKey(ada, ["events:write"]);
const alive = new AbortController().signal;

/** Inserts messages as events would. */
const wait = (webhookId: string, count: number, age = "0 seconds", text = "") => sql`
  insert into webhook_deliveries (id, org_id, webhook_id, event, message_id, body, due_at, created_at)
  select ${idOf(sql, age)}, ${orgId}, ${webhookId}, 'custom.event', m.id, json_build_object('id', m.id, 'data', json_build_object('number', m.number, 'text', ${text}::text)),
    now() - interval '1 minute' + m.number * interval '1 microsecond', now() - ${age}::interval
  from (select gen_random_uuid() as id, number from generate_series(1, ${count}::int) number) m`;

const eventsOf = ({ text }: Received): { id: string; data: { number: number } }[] => JSON.parse(text).events;
const listed = async (id: string) => {
  const { body } = await call<{ webhooks: Webhook[] }>("GET", `/api/v1/organizations/${orgId}/webhooks?limit=100`, {
    token,
  });
  return body.webhooks.find(({ _id }) => _id === id);
};
const logOf = async (path: string) =>
  (await call<{ deliveries: WebhookDelivery[] }>("GET", `${path}/deliveries?limit=100`, { token })).body.deliveries;

async function batching() {
  const receiver = startReceiver();
  const webhook = await createWebhook(service, ada, receiver.url, ["custom.event"]);
  const { body } = await call("PATCH", webhook.path, { token, body: { batch: true } });
  expect(body).toMatchObject({ batch: true });
  return { receiver, ...webhook };
}

describe("a batch", () => {
  test("is configured by a boolean only", async () => {
    const { path } = await batching();
    for (const batch of ["true", 100, null]) {
      expectFailure(await call("PATCH", path, { token, body: { batch } }), 400, ["batch"]);
    }
  });

  test("contains the events of a second in full, is signed as a whole and is logged as one delivery", async () => {
    const { receiver, secret, path, _id } = await batching();
    const names = ["one", "two", "three"];
    for (const name of names) await call("POST", "/api/v1/events", { apiKey, body: { name } });
    await until(() => receiver.received.flatMap(eventsOf).length === 3);
    const [message] = receiver.received;
    if (!message) throw new Error("It came");
    expect(Object.keys(message.body)).toEqual(["id", "events"]);
    expect(message.headers.get("x-webhook-event")).toBe("batch");
    expect(message.headers.get("webhook-id")).toBe(message.body.id);
    expectSigned(message, secret);
    await expectMatchesDocument(message);
    expect(receiver.received.flatMap(eventsOf)).toMatchObject(
      names.map((name) => ({ event: "custom.event", organizationId: orgId, data: { name } })),
    );
    await until(async () => (await logOf(path)).every(({ status }) => status === "delivered"));
    const log = await logOf(path);
    expect(log.map(({ event }) => event)).toEqual(log.map(() => "batch"));
    expect(log.reduce((sum, { messages }) => sum + messages, 0)).toBe(3);
    expect(log.map(({ messageId }) => messageId)).toContain(message.body.id);
    await call("DELETE", path, { token });
    expect(await listed(_id)).toBeUndefined();
  });

  test("contains at most a hundred events, in order, and each event is in exactly one batch", async () => {
    const { receiver, _id } = await batching();
    await wait(_id, 250);
    await receiver.until(3);
    expect(receiver.received.map((message) => eventsOf(message).length).toSorted()).toEqual([100, 100, 50]);
    for (const message of receiver.received) {
      const numbers = eventsOf(message).map(({ data }) => data.number);
      expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
    }
    const ids = receiver.received.flatMap(eventsOf).map(({ id }) => id);
    expect(new Set(ids).size).toBe(250);
  });

  test("contains at most 256 KB, also with multi-byte characters", async () => {
    const { receiver, _id } = await batching();
    await wait(_id, 5, "0 seconds", "字".repeat(40_000));
    await until(() => receiver.received.flatMap(eventsOf).length === 5);
    expect(receiver.received.map((message) => eventsOf(message).length).toSorted()).toEqual([1, 2, 2]);
    for (const { text } of receiver.received) expect(Buffer.byteLength(text)).toBeLessThan(256 * 1024);
  });

  test("that fails is retried unchanged, and can be redelivered", async () => {
    const { receiver, path, _id } = await batching();
    receiver.answer = () => new Response("no", { status: 500 });
    await wait(_id, 5);
    await until(async () => (await logOf(path))[0]?.responseStatus === 500);
    await wait(_id, 5);
    receiver.answer = () => new Response("ok");
    await makeDue(sql);
    await receiver.until(3);
    const [first, ...later] = receiver.received;
    const again = later.find(({ body }) => body.id === first?.body.id);
    expect(again?.text).toBe(String(first?.text));
    await until(async () => (await logOf(path)).every(({ status }) => status === "delivered"));
    const delivery = (await logOf(path)).find(({ messageId }) => messageId === first?.body.id);
    expect(delivery).toMatchObject({ event: "batch", messages: 5, attempts: 2 });
    const redelivered = await call("POST", `${path}/deliveries/${delivery?._id}/redeliver`, { token });
    expect([redelivered.status, redelivered.body]).toMatchObject([200, { event: "batch", messages: 5 }]);
    await receiver.until(4);
    expect(receiver.received[3]?.text).toBe(String(first?.text));
  });

  test.each([
    ["has been delivered", "delivered"],
    ["waits", "pending"],
  ])("of one is a single message that %s and is redelivered, under the id of the answer", async (_what, status) => {
    const { receiver, path, _id } = await batching();
    await call("PATCH", path, { token, body: { isActive: false } });
    await wait(_id, 1);
    await sql`update webhook_deliveries set status = ${status}, attempts = ${status === "delivered" ? 1 : 0},
      due_at = ${status === "delivered" ? null : "infinity"} where webhook_id = ${_id}`;
    const [single] = await logOf(path);
    await sql`update webhooks set is_active = true where id = ${_id}`;
    const { body } = await call<WebhookDelivery>("POST", `${path}/deliveries/${single?._id}/redeliver`, { token });
    expect(body).toMatchObject({ event: "batch", messages: 1 });
    const read = () => call<WebhookDelivery>("GET", `${path}/deliveries/${body._id}`, { token });
    await until(async () => (await read()).body.status === "delivered");
    expect(receiver.received.map(eventsOf)).toMatchObject([[{ id: single?.messageId }]]);
    expect((await read()).body).toMatchObject({ messageId: receiver.received[0]?.body.id });
  });

  test("is also what a test of a batching webhook sends", async () => {
    const { receiver, path } = await batching();
    const { body } = await call("POST", `${path}/test`, { token, body: { event: "link.created" } });
    expect(body).toMatchObject({ delivered: true, event: "link.created", requestBody: receiver.received[0]?.text });
    expect(receiver.received.flatMap(eventsOf)).toMatchObject([{ event: "link.created" }]);
    expect(receiver.received[0]?.headers.get("x-webhook-event")).toBe("batch");
  });

  test("holds nothing that comes after batching was turned off, however busy the endpoint is", async () => {
    const { receiver, path, _id } = await batching();
    await wait(_id, 1);
    await receiver.until(1);
    await call("PATCH", path, { token, body: { batch: false } });
    await wait(_id, 3);
    await receiver.until(4);
    const kinds = receiver.received.map(({ headers }) => headers.get("x-webhook-event"));
    expect(kinds).toEqual(["batch", "custom.event", "custom.event", "custom.event"]);
  });

  test("that was already gathered is still sent after batching is turned off, new events are sent singly", async () => {
    const { receiver, path, _id } = await batching();
    receiver.answer = () => new Response("no", { status: 500 });
    await wait(_id, 2);
    await until(async () => (await logOf(path))[0]?.responseStatus === 500);
    await call("PATCH", path, { token, body: { batch: false, isActive: true } });
    receiver.answer = () => new Response("ok");
    await wait(_id, 1);
    await makeDue(sql);
    await receiver.until(3);
    expect(receiver.received.map(({ headers }) => headers.get("x-webhook-event")).toSorted()).toEqual([
      "batch",
      "batch",
      "custom.event",
    ]);
  });
});

describe("pending deliveries", () => {
  async function turnedOff() {
    const webhook = await createWebhook(service, ada, "https://hooks.example.com/", ["custom.event"]);
    await call("PATCH", webhook.path, { token, body: { isActive: false } });
    return webhook;
  }

  test("are counted in the webhook's record, with the age of the oldest", async () => {
    const { _id } = await turnedOff();
    expect(await listed(_id)).toMatchObject({ pending: 0, dropped: 0 });
    expect(await listed(_id)).not.toHaveProperty("oldestPendingSeconds");
    await wait(_id, 12, "1 hour");
    const record = await listed(_id);
    expect(record).toMatchObject({ pending: 12 });
    expect(record?.oldestPendingSeconds).toBeWithin(3_600, 3_660);
  });

  test("beyond ten thousand are counted by the periodic job only", async () => {
    const { _id } = await turnedOff();
    await wait(_id, 12_000);
    expect((await listed(_id))?.pending).toBe(10_001);
    expect(await boundBacklogs({ db, signal: alive })).toBe(0);
    expect((await listed(_id))?.pending).toBe(12_000);
    await sql`delete from webhook_deliveries where webhook_id = ${_id}`;
  });

  test("beyond the limit are dropped, oldest first, and shown as dropped in the log and the record", async () => {
    const { _id, path } = await turnedOff();
    await wait(_id, 10);
    const ids = (await sql`select id from webhook_deliveries where webhook_id = ${_id} order by id`).map(
      ({ id }) => id,
    );
    expect(await boundBacklogs({ db, signal: alive, pendingMax: 3, batchRows: 2 })).toBeGreaterThanOrEqual(7);
    expect(await listed(_id)).toMatchObject({ pending: 3, dropped: 7 });
    const { body } = await call<{ deliveries: WebhookDelivery[] }>("GET", `${path}/deliveries?status=dropped`, {
      token,
    });
    expect(body.deliveries.map(({ _id: id }) => id).toSorted()).toEqual(ids.slice(0, 7));
    expect(body.deliveries[0]).toMatchObject({
      status: "dropped",
      error: "Dropped without being sent: more than 3 deliveries were waiting",
    });
    expect(body.deliveries[0]).not.toHaveProperty("nextAttemptAt");
  });

  test("are dropped after five days, and not before", async () => {
    const { _id } = await turnedOff();
    await wait(_id, 4, "5 days 1 second");
    await wait(_id, 3, "4 days 23 hours");
    expect(await boundBacklogs({ db, signal: alive })).toBe(4);
    expect(await listed(_id)).toMatchObject({ pending: 3, dropped: 4 });
    const dropped = await sql`select error from webhook_deliveries where webhook_id = ${_id} and status = 'dropped'`;
    expect(dropped[0]?.error).toBe("Dropped without being sent: waited longer than 5 days");
  });
});
