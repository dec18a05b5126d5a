import { expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { makeSecret, signatureHeaders } from "@/platform/webhooks/webhook-signature";

test("a secret has the format of Standard Webhooks, and is unique", () => {
  const secrets = Array.from({ length: 20 }, makeSecret);
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), "base64")).toHaveLength(32);
  }
  expect(new Set(secrets).size).toBe(20);
});

/** The example of the specification's reference libraries. */
test("the specification's example gets the signature given there", () => {
  const signed = { messageId: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1614265330, body: '{"test": 2432232314}' };
  const headers = signatureHeaders(signed, { current: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", previous: [] });
  expect(headers["webhook-signature"]).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  expect(headers["webhook-id"]).toBe(signed.messageId);
  expect(headers["webhook-timestamp"]).toBe("1614265330");
});

test("our own signature is the HMAC of the body with the secret as displayed, for any text", () => {
  const [current, body] = [makeSecret(), '{"name":"Grüße 👋\\u0000"}'];
  const headers = signatureHeaders({ messageId: "1", timestamp: 0, body }, { current, previous: [] });
  const expected = createHmac("sha256", current).update(Buffer.from(body, "utf8")).digest("hex");
  expect(headers["x-webhook-signature"]).toBe(`sha256=${expected}`);
  expect(headers).not.toHaveProperty("x-webhook-signature-previous");
});

test("while a secret is being replaced, both secrets sign, the new one first", () => {
  const [current, previous] = [makeSecret(), makeSecret()];
  const signed = { messageId: "1", timestamp: 1, body: "{}" };
  const by = (secret: string) => signatureHeaders(signed, { current: secret, previous: [] });
  const [now, then] = [by(current), by(previous)];
  const both = signatureHeaders(signed, { current, previous: [previous] });
  expect(both["webhook-signature"]).toBe(`${now["webhook-signature"]} ${then["webhook-signature"]}`);
  expect(both["x-webhook-signature"]).toBe(String(now["x-webhook-signature"]));
  expect(both["x-webhook-signature-previous"]).toBe(String(then["x-webhook-signature"]));
});

/** The libraries with which receivers verify signatures, as an independent check of ours. */
const JUDGES = [
  ["standardwebhooks", (secret: string) => new StandardWebhook(secret)],
  ["svix", (secret: string) => new SvixWebhook(secret)],
] as const;

test.each(JUDGES)("%s accepts only what is signed, by either secret while one is being replaced", (_, judgeOf) => {
  const [current, previous, foreign] = [makeSecret(), makeSecret(), makeSecret()];
  const body = '{"name":"Grüße 👋"}';
  const signed = { messageId: Bun.randomUUIDv7(), timestamp: Math.floor(Date.now() / 1000), body };
  const headers = signatureHeaders(signed, { current, previous: [previous] });
  for (const secret of [current, previous]) expect(() => judgeOf(secret).verify(body, headers)).not.toThrow();
  expect(() => judgeOf(foreign).verify(body, headers)).toThrow();
  expect(() => judgeOf(current).verify(`${body} `, headers)).toThrow();
  expect(() => judgeOf(current).verify(body, { ...headers, "webhook-id": "another" })).toThrow();
});
