/** A webhook's secret that is replaced again while the one before still signs. */
import { expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { createWebhook, expectSigned, type Received, startReceiver } from "@test/support/outside/webhooks";
import { startTestService } from "@test/support/service";

const HOUR_MS = 3_600_000;

let now = Date.now();
const service = await startTestService({ env: { OUTBOUND_ALLOW: "127.0.0.1" }, clock: () => now });
const ada = await service.register();
const { call } = service;

test("each secret that was replaced within a day signs until its own end, in deliveries and tests", async () => {
  const endpoint = startReceiver();
  const { path, secret: first } = await createWebhook(service, ada, endpoint.url, ["link.created"]);
  const second = await rotated(path);
  now += HOUR_MS;
  const third = await rotated(path);
  await service.createLink(ada, { defaultUrl: "https://example.com/" });
  for (const delivery of await endpoint.until(1)) expectSignedByAll(delivery, [third, second, first]);
  expectSignedByAll(await tested(), [third, second, first]);
  now += 23 * HOUR_MS;
  expectSignedByAll(await tested(), [third, second]);
  const fourth = await rotated(path);
  expectSignedByAll(await tested(), [fourth, third, second]);
  now += HOUR_MS;
  expectSignedByAll(await tested(), [fourth, third]);
  now += 23 * HOUR_MS;
  expectSignedByAll(await tested(), [fourth]);

  async function tested(): Promise<Received> {
    const before = endpoint.received.length;
    expect(await call("POST", `${path}/test`, { token: await signIn(), body: {} })).toMatchObject({ status: 200 });
    const received = endpoint.received[before];
    if (!received) throw new Error("The test sent nothing");
    return received;
  }
});

async function rotated(path: string): Promise<string> {
  const { body } = await call<{ secret: string }>("POST", `${path}/rotate-secret`, { token: await signIn() });
  return body.secret;
}

/** Sessions end while the clock is moved on. */
async function signIn(): Promise<string> {
  const { email, password } = ada;
  const { body } = await call<{ token: string }>("POST", "/api/v1/auth/login", { body: { email, password } });
  return body.token;
}

/** Expects exactly these secrets to have signed: the current one, then those that it replaced, newest first. */
function expectSignedByAll(received: Received, secrets: string[]): void {
  const { headers, text } = received;
  const [current = "", ...previous] = secrets;
  expectSigned(received, current);
  const hmac = (key: string | Uint8Array, content: string) => createHmac("sha256", key).update(content);
  const formerly = previous.map((secret) => `sha256=${hmac(secret, text).digest("hex")}`);
  expect(headers.get("x-webhook-signature-previous")).toBe(formerly.join(", ") || null);
  const content = `${headers.get("webhook-id")}.${headers.get("webhook-timestamp")}.${text}`;
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    return `v1,${hmac(key, content).digest("base64")}`;
  });
  expect(headers.get("webhook-signature")).toBe(standard.join(" "));
}
