import { expect, test } from "bun:test";
import { hashPassword, isOutdatedHash, TooManyHashes, verifyNoPassword, verifyPassword } from "@/platform/passwords";

const hash = await hashPassword("quartz trombone lagoon");

test("a hash is of its password alone, and another one each time", async () => {
  expect(await verifyPassword("quartz trombone lagoon", hash)).toBe(true);
  expect(await verifyPassword("quartz trombone lagoon ", hash)).toBe(false);
  expect(await verifyNoPassword("quartz trombone lagoon")).toBe(false);
  expect(await hashPassword("quartz trombone lagoon")).not.toBe(hash);
});

test("only a hash of another cost or kind is outdated", async () => {
  expect(isOutdatedHash(hash)).toBe(false);
  const others = [
    { algorithm: "argon2id", memoryCost: 19_456, timeCost: 1 },
    { algorithm: "argon2id", memoryCost: 8192, timeCost: 2 },
    { algorithm: "argon2i", memoryCost: 19_456, timeCost: 2 },
    { algorithm: "bcrypt", cost: 4 },
  ] as const;
  for (const other of others) expect(isOutdatedHash(await Bun.password.hash("quartz", other))).toBe(true);
});

test("of a hundred checks at once those past the queue are refused, and the main thread goes on meanwhile", async () => {
  let turnsOfLoop = 0;
  const timer = setInterval(() => turnsOfLoop++, 1);
  const checks = await Promise.allSettled(Array.from({ length: 100 }, () => verifyNoPassword("a wrong one")));
  clearInterval(timer);
  const refused = checks.filter((check) => check.status === "rejected" && check.reason instanceof TooManyHashes);
  expect(refused).toHaveLength(100 - 2 - 64);
  // A hash takes some 20 ms: were it made here, there would be no turn between two of them.
  expect(turnsOfLoop).toBeGreaterThan(66);
});

test("a text that is no hash is an error, and the next check goes well", async () => {
  expect(verifyPassword("quartz trombone lagoon", "no hash")).rejects.toThrow();
  expect(await verifyPassword("quartz trombone lagoon", hash)).toBe(true);
});
