/** What webhook endpoints get of visitors who were erased before a message about them was sent. */
import { expect, test } from "bun:test";
import { waitUntilDrained } from "@test/support/clicks/drained";
import { expectMatchesDocument } from "@test/support/document/described-message";
import { PIXEL } from "@test/support/match";
import { createWebhook, expectSigned, startReceiver } from "@test/support/outside/webhooks";
import { startTestService } from "@test/support/service";
import type { PrivacyErasure } from "@/contract/accounts/privacy";

const service = await startTestService({ env: { OUTBOUND_ALLOW: "127.0.0.1" } });
const { call, sql } = service;

test.each([false, true])(
  "a message that waited (batch: %p) arrives without its data, as the document describes",
  async (batch) => {
    const account = await service.register();
    const apiKey = await service.createApiKey(account, ["events:write"]);
    const receiver = startReceiver();
    const { secret, path } = await createWebhook(service, account, receiver.url, ["click", "custom.event"]);
    const turn = (body: object) => call("PATCH", path, { token: account.token, body });
    // Nothing is sent while another server holds the endpoint.
    await sql`update webhooks set leased_by = ${Bun.randomUUIDv7()}, leased_until = now() + interval '30 minutes'
    where org_id = ${account.orgId}`;
    expect((await turn({ batch })).status).toBe(200);
    const link = await service.createLink(account, { defaultUrl: "https://example.com/" });
    await service.visit(link, { "user-agent": PIXEL });
    await waitUntilDrained(service.service);
    const [click] = await sql`select id, visitor::text as key from clicks where link_id = ${link._id}`;
    const event = { name: "purchase", visitorId: click?.id, metadata: { phone: "0664 1" } };
    expect((await call("POST", "/api/v1/events", { apiKey, body: event })).status).toBe(201);
    const erasing = `/api/v1/organizations/${account.orgId}/privacy/erase`;
    const { body } = await call<PrivacyErasure>("POST", erasing, {
      ...{ token: account.token, body: { visitorId: click?.id } },
    });
    expect(body.erased.deliveries).toBe(2);
    await sql`update webhooks set leased_until = now() where org_id = ${account.orgId}`;
    const received = await receiver.until(batch ? 1 : 2);
    for (const message of received) {
      expectSigned(message, secret);
      await expectMatchesDocument(message);
      expect(message.text.match(/"erased": ?true/g)).toHaveLength(batch ? 2 : 1);
      expect(message.text).not.toMatch(/0664 1|visitorId/);
    }
  },
);
