import { describe, expect, test } from "bun:test";
import { hashAtFullCost } from "@test/support/accounts/hash-cost";
import { EASY, takeSlowHashes } from "@test/support/accounts/slow-hashes";
import { COST } from "@/platform/passwords/cost";
import {
  HashAbandoned,
  type HashPlace,
  hashPassword,
  isOutdatedHash,
  TooManyHashes,
  verifyNoPassword,
  verifyPassword,
} from "@/platform/passwords/passwords";

hashAtFullCost();
/** How many of many hashes a test waits for. */
const CALCULATED = 4;
const place: HashPlace = { purpose: "sign-in", asker: "one address" };
const hash = await hashPassword("quartz trombone lagoon", place);

test("a hash matches only its password, and differs each time", async () => {
  expect(await verifyPassword("quartz trombone lagoon", hash, place)).toBe(true);
  expect(await verifyPassword("quartz trombone lagoon ", hash, place)).toBe(false);
  expect(await verifyNoPassword("quartz trombone lagoon", place)).toBe(false);
  expect(await hashPassword("quartz trombone lagoon", place)).not.toBe(hash);
});

test("the cost of a hash cannot be changed", () => {
  expect(() => Object.assign(COST, { memoryCost: 8 })).toThrow(TypeError);
});

test("only a hash of another cost or kind is outdated", async () => {
  expect(hash).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
  expect(isOutdatedHash(hash)).toBe(false);
  const others = [
    { algorithm: "argon2id", memoryCost: 19_456, timeCost: 1 },
    { algorithm: "argon2id", memoryCost: 8192, timeCost: 2 },
    { algorithm: "argon2i", memoryCost: 19_456, timeCost: 2 },
    { algorithm: "bcrypt", cost: 4 },
  ] as const;
  for (const other of others) expect(isOutdatedHash(await Bun.password.hash("quartz", other))).toBe(true);
});

test("of a hundred simultaneous checks by one caller, those beyond its share are refused; the main thread stays free", async () => {
  const leaving = new AbortController();
  const { signal } = leaving;
  let turnsOfLoop = 0;
  const timer = setInterval(() => turnsOfLoop++, 1);
  const checks = Array.from({ length: 100 }, () => verifyNoPassword("a wrong one", { ...place, signal }));
  const ended = Promise.allSettled(checks);
  // The first two are calculated at once, and the next two as soon as these have ended.
  await Promise.all(checks.slice(0, CALCULATED));
  clearInterval(timer);
  // The others would wait too long on a busy machine, where the threads that calculate hashes get little.
  leaving.abort();
  const fates = (await ended).map((check) => (check.status === "rejected" ? check.reason : null));
  expect(fates.filter((reason) => reason instanceof TooManyHashes)).toHaveLength(100 - 2 - 32);
  expect(fates.filter((reason) => reason instanceof HashAbandoned).length).toBeGreaterThan(0);
  // A hash takes about 20 ms; if it were calculated on this thread, there would be no event-loop turns in between.
  expect(turnsOfLoop).toBeGreaterThan(CALCULATED);
}, 240_000);

test("a text that is not a hash is an error, and the next check succeeds", async () => {
  expect(verifyPassword("quartz trombone lagoon", "no hash", place)).rejects.toThrow();
  expect(await verifyPassword("quartz trombone lagoon", hash, place)).toBe(true);
});

test("a check is skipped if its client disconnects while it waits", async () => {
  const leaving = new AbortController();
  const patient = Array.from({ length: 4 }, () => verifyNoPassword("a wrong one", place));
  const left = verifyNoPassword("a wrong one", { ...place, signal: leaving.signal });
  leaving.abort();
  expect(left).rejects.toThrow(HashAbandoned);
  expect(await Promise.all(patient)).toEqual([false, false, false, false]);
  expect(verifyNoPassword("a wrong one", { ...place, signal: leaving.signal })).rejects.toThrow(HashAbandoned);
});

describe("while many wait", () => {
  takeSlowHashes();

  test("a flood of link passwords and of guesses from one address delays another sign-in by only a few hashes", async () => {
    const easy = await Bun.password.hash("quartz trombone lagoon", EASY);
    expect(await hashesBeforeSignIn(easy)).toBeLessThan(10);
  }, 240_000);
});

/** Returns how many hashes of a flood finish before that of somebody who comes after all of it. */
async function hashesBeforeSignIn(hash: string): Promise<number> {
  const over = new AbortController();
  const { signal } = over;
  const flood = Array.from({ length: 64 }, () =>
    hashPassword("secret", { purpose: "links", asker: "an organization", signal }),
  );
  const guesses = Array.from({ length: 32 }, () => verifyNoPassword("guess", { ...place, asker: "a guesser", signal }));
  let done = 0;
  for (const each of [...flood, ...guesses])
    each.then(
      () => done++,
      () => undefined,
    );
  await verifyPassword("quartz trombone lagoon", hash, { ...place, asker: "a person" });
  const before = done;
  over.abort();
  const ended = await Promise.allSettled([...flood, ...guesses]);
  const left = ended.filter((each) => each.status === "rejected");
  expect(left.every(({ reason }) => reason instanceof HashAbandoned)).toBe(true);
  return before;
}
