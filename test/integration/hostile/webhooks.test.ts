/** Webhooks as a means of attack: hostile bodies, and endpoints within the service's own network. */
import { describe, expect, test } from "bun:test";
import { testHostileBodies } from "@test/support/hostile/bodies";
import { startCanary } from "@test/support/outside/canary";
import { createWebhook } from "@test/support/outside/webhooks";
import { startTestService } from "@test/support/service";
import { until } from "@test/support/until";
import { WebhookInput, WebhookTestInput, WebhookUpdate } from "@/contract/webhooks";

const canary = await startCanary();
const service = await startTestService();
const { call, sql } = service;
const ada = await service.register();
const credentials = { token: ada.token };
const { _id, path } = await createWebhook(service, ada, "https://hooks.example.com/", ["click"]);
const webhooks = `/api/v1/organizations/${ada.orgId}/webhooks`;

const valid = { url: "https://hooks.example.com/", events: ["click"], description: "Orders", isActive: true };
const echoed = ["description"];
const NOT_PUBLIC = "The host is not on the public internet";

describe("POST webhooks", () => {
  testHostileBodies(service, { method: "POST", path: webhooks, schema: WebhookInput, valid, credentials });
});

describe("PATCH webhooks", () => {
  testHostileBodies(service, { method: "PATCH", path, schema: WebhookUpdate, valid, credentials, echoed });
});

describe("POST webhooks/{webhookId}/test", () => {
  const route = { method: "POST", path: `${path}/test`, schema: WebhookTestInput, valid: { event: "click" } };
  testHostileBodies(service, { ...route, credentials });
});

describe("an endpoint that is not on the public internet", () => {
  test.each([
    "http://127.0.0.1:PORT/",
    "http://0x7f.1:PORT/",
    "http://2130706433:PORT/",
    "http://127.0.0.1.:PORT/",
    "https://[::1]:PORT/",
    "http://[::ffff:127.0.0.1]:PORT/",
    "http://[64:ff9b::7f00:1]:PORT/",
    "http://0.0.0.0:PORT/",
    "http://192.168.0.1:PORT/",
    "http://169.254.169.254/latest/meta-data/",
  ])("is refused if it is written as an address: %s", async (spelled) => {
    const url = spelled.replace("PORT", String(canary.port));
    const { status, body } = await call("PATCH", path, { ...credentials, body: { url } });
    expect([status, body.details]).toEqual([400, ["url: must not be a private network address"]]);
  });

  test("is not contacted if a host name resolves to it, and the delivery log says so", async () => {
    const names = ["localhost", "metadata.google.internal"];
    for (const [index, name] of names.entries()) {
      const url = `http://${name}:${canary.port}/`;
      expect((await call("PATCH", path, { ...credentials, body: { url } })).status).toBe(200);
      const tested = await call("POST", `${path}/test`, { ...credentials, body: {} });
      expect(tested.body).toMatchObject({ delivered: false, error: NOT_PUBLIC });
      await addDue();
      await until(async () => (await tried()).length === index + 1);
    }
    expect([...(await tried())]).toEqual(names.map(() => ({ error: NOT_PUBLIC, status: null })));
    expect(canary.hits()).toBe(0);
  });

  test("is not contacted even if it was stored before such endpoints were refused", async () => {
    await sql`update webhooks set url = ${`http://127.0.0.9:${canary.port}/`} where id = ${_id}`;
    const { body } = await call("POST", `${path}/test`, { ...credentials, body: {} });
    expect(body).toMatchObject({ delivered: false, error: NOT_PUBLIC });
    expect(canary.hits()).toBe(0);
  });

  const addDue = () => sql`
    insert into webhook_deliveries (id, org_id, webhook_id, event, message_id, body, due_at)
    values (${Bun.randomUUIDv7()}, ${ada.orgId}, ${_id}, 'click', ${Bun.randomUUIDv7()}, '{}', now())`;
  const tried = () => sql`
    select error, response_status as status from webhook_deliveries where webhook_id = ${_id} and duration_ms is not null
    order by id`;
});
