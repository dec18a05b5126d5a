/** Checks a message that a webhook endpoint received against the `webhooks` section of the document. */
import { expect } from "bun:test";
import type { Received } from "../outside/webhooks";
import { faults } from "./conforms";
import { describeApp } from "./described";

/** Expects the message to match its event: all required headers, and a body that matches the schema exactly. */
export async function expectMatchesDocument({ headers, body }: Pick<Received, "headers" | "body">): Promise<void> {
  const { document } = await describeApp();
  const event = headers.get("x-webhook-event") ?? "";
  const { parameters = [], requestBody } = document.webhooks[event]?.post ?? {};
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  expect(required.filter((name) => !headers.has(name))).toEqual([]);
  const schema = requestBody?.content["application/json"]?.schema;
  expect({ event, faults: schema && faults(document, schema, body) }).toEqual({ event, faults: [] });
}
