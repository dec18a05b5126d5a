import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { type VisitorTraits, visitorKey, visitorNumber, visitorSecret } from "@/platform/visitor";

const BYTES = new Uint8Array(32).fill(7);
const DAY_MS = 86_400_000;
const secret = visitorSecret(BYTES, "none");
const daily = visitorSecret(BYTES, "daily");
const visitor: VisitorTraits = { orgId: "org", address: "192.0.2.1", userAgent: "Mozilla", at: 5 * DAY_MS };

describe("a visitor's key", () => {
  test("is a truncated HMAC of organization, address and user agent", () => {
    const expected = createHmac("sha256", BYTES).update("org\x00192.0.2.1\0Mozilla").digest("hex").slice(0, 16);
    expect(visitorKey(secret, visitor)).toBe(expected);
  });

  test.each([
    ["organization", { orgId: "other" }],
    ["address", { address: "192.0.2.2" }],
    ["user agent", { userAgent: "Opera" }],
    ["visitor id", { visitorId: "someone" }],
  ])("is another one with another %s", (_, change) => {
    expect(visitorKey(secret, { ...visitor, ...change })).not.toBe(visitorKey(secret, visitor));
  });

  test("with a visitor ID from the caller does not depend on address and user agent", () => {
    const known = { ...visitor, visitorId: "someone" };
    expect(visitorKey(secret, { ...known, address: "x", userAgent: "y" })).toBe(visitorKey(secret, known));
  });

  test("cannot be forged by a visitor ID that looks like an address and a user agent", () => {
    const forged = { ...visitor, visitorId: "192.0.2.1\0Mozilla" };
    expect(visitorKey(secret, forged)).not.toBe(visitorKey(secret, visitor));
  });

  test("never changes, or stays the same for a day if keys rotate", () => {
    const sameDay = { ...visitor, at: visitor.at + DAY_MS - 1 };
    const nextDay = { ...visitor, at: visitor.at + DAY_MS };
    expect(visitorKey(secret, nextDay)).toBe(visitorKey(secret, visitor));
    expect(visitorKey(daily, sameDay)).toBe(visitorKey(daily, visitor));
    expect(visitorKey(daily, nextDay)).not.toBe(visitorKey(daily, visitor));
  });
});

test.each([
  ["0000000000000001", 1n],
  ["7fffffffffffffff", 2n ** 63n - 1n],
  ["8000000000000000", -(2n ** 63n)],
  ["ffffffffffffffff", -1n],
])("the key %s is the number %d", (key, number) => {
  expect(visitorNumber(key)).toBe(number);
});
