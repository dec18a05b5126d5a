/** Holds a message that an endpoint received against the document's `webhooks` section. */
import { expect } from "bun:test";
import type { Received } from "../outside/webhooks";
import { faults } from "./conforms";
import { describeApp } from "./described";

/** It is what the section says of its event, headers and all, and nothing beyond it. */
export async function expectDescribed({ headers, body }: Pick<Received, "headers" | "body">): Promise<void> {
  const { document } = await describeApp();
  const event = headers.get("x-webhook-event") ?? "";
  const { parameters = [], requestBody } = document.webhooks[event]?.post ?? {};
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  expect(required.filter((name) => !headers.has(name))).toEqual([]);
  const schema = requestBody?.content["application/json"]?.schema;
  expect({ event, faults: schema && faults(document, schema, body) }).toEqual({ event, faults: [] });
}
