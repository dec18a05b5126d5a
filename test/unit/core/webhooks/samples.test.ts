import { describe, expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { CustomEvent } from "@/contract/events";
import { Link } from "@/contract/links/links";
import { WEBHOOK_EVENTS, type WebhookEvent } from "@/contract/webhooks";
import { Audience, messageBody } from "@/core/webhooks/message";
import { sampleData } from "@/core/webhooks/samples";

const AT = Date.UTC(2026, 2, 4, 5, 6, 7);

/** Returns the sample as it is sent: JSON has no undefined. */
const sent = (event: (typeof WEBHOOK_EVENTS)[number]) => JSON.parse(JSON.stringify(sampleData(event, "org", AT)));
const faults = (schema: TSchema, value: unknown) =>
  [...Value.Errors(schema, value)].filter(({ message }) => !message.includes("Unknown format")).map(({ path }) => path);

describe("a sample", () => {
  test.each([
    ["link.created", Link],
    ["custom.event", CustomEvent],
  ] as const)("of %s matches the schema of the API", (event, schema) => {
    expect(faults(schema, sent(event))).toEqual([]);
    expect(faults(schema, {})).not.toEqual([]);
  });

  test.each(WEBHOOK_EVENTS)("of %s names one link", (event) => {
    const { linkId, _id } = sent(event);
    expect(linkId ?? _id).toBeString();
  });
});

test("a message's body is JSON of its id, event, time, organization and data", () => {
  const body = messageBody("id", { event: "click", orgId: "org", at: AT, data: { a: undefined, b: "\u2028" } });
  expect(body).toBe(
    '{"id":"id","event":"click","createdAt":"2026-03-04T05:06:07.000Z","organizationId":"org","data":{"b":"\u2028"}}',
  );
});

test("an audience is the organization's webhooks that listen to the event", () => {
  const host = "hooks.example.com";
  const audience = new Audience([
    { id: "1", orgId: "a", host, events: ["click", "link.created"] },
    { id: "2", orgId: "a", host, events: ["click"] },
    { id: "3", orgId: "b", host, events: ["click"] },
  ]);
  const idsOf = (orgId: string, event: WebhookEvent) => audience.of({ orgId, event }).map(({ id }) => id);
  expect(idsOf("a", "click")).toEqual(["1", "2"]);
  expect(idsOf("a", "link.created")).toEqual(["1"]);
  expect(idsOf("b", "link.created")).toEqual([]);
  expect(idsOf("c", "click")).toEqual([]);
});
