/** Webhook endpoints on this machine, webhooks that send to them, and the messages they receive. */
import { afterAll, expect } from "bun:test";
import { createHmac } from "node:crypto";
import { until } from "@test/support/until";
import type { Sql } from "postgres";
import type { WebhookEvent } from "@/contract/webhooks";
import type { Account, TestService } from "../service";

export interface Received {
  headers: Headers;
  /** The unparsed body. */
  text: string;
  body: { id: string; event: WebhookEvent; createdAt: string; organizationId: string; data: Record<string, unknown> };
}

export interface Receiver {
  url: string;
  received: Received[];
  /** Resolves once `count` messages have been received. Rejects if they never come. */
  until(count: number): Promise<Received[]>;
  /** Makes the response to each message. Default: 200. */
  answer: (request: Received) => Response | Promise<Response>;
}

/** Starts an endpoint that stops after the test file. */
export function startReceiver(): Receiver {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch: async (request) => {
      const text = await request.text();
      const received = { headers: new Headers(request.headers), text, body: JSON.parse(text) };
      receiver.received.push(received);
      return receiver.answer(received);
    },
  });
  afterAll(() => server.stop(true));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${server.port}/hook`,
    received: [],
    until: async (count) => {
      await until(() => receiver.received.length >= count);
      return receiver.received;
    },
    answer: () => new Response("ok"),
  };
  return receiver;
}

export interface MadeWebhook {
  _id: string;
  secret: string;
  path: string;
}

export async function createWebhook(
  service: TestService,
  { orgId, token }: Account,
  url: string,
  events: WebhookEvent[],
): Promise<MadeWebhook> {
  const webhooks = `/api/v1/organizations/${orgId}/webhooks`;
  const { status, body } = await service.call<MadeWebhook>("POST", webhooks, { token, body: { url, events } });
  expect({ status, body }).toMatchObject({ status: 200 });
  return { ...body, path: `${webhooks}/${body._id}` };
}

/** Expects both signatures, `x-webhook-signature` and that of Standard Webhooks, to be made with the secret. */
export function expectSigned({ headers, text }: Received, secret: string): void {
  const hmac = (key: string | Uint8Array, content: string) => createHmac("sha256", key).update(content);
  expect(headers.get("x-webhook-signature")).toBe(`sha256=${hmac(secret, text).digest("hex")}`);
  const content = `${headers.get("webhook-id")}.${headers.get("webhook-timestamp")}.${text}`;
  const standard = hmac(Buffer.from(secret.slice("whsec_".length), "base64"), content).digest("base64");
  expect(headers.get("webhook-signature")?.split(" ")[0]).toBe(`v1,${standard}`);
}

/** Makes every delivery that waits for a retry due now. */
export const makeDue = (sql: Sql) => sql`
  update webhook_deliveries set due_at = now() where status = 'pending' and due_at is not null and duration_ms is not null`;

/** Inserts a failed delivery for tests that need one, and returns its id. */
export async function addDelivery(
  { sql }: Pick<TestService, "sql">,
  orgId: string,
  webhookId: string,
): Promise<string> {
  const id = Bun.randomUUIDv7();
  await sql`insert into webhook_deliveries (id, org_id, webhook_id, event, message_id, body, status, attempts)
    values (${id}, ${orgId}, ${webhookId}, 'click', ${Bun.randomUUIDv7()}, '{}', 'failed', 10)`;
  return id;
}
