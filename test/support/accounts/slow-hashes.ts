/**
 * Makes hashes of passwords take some time without computing, for tests that are about those who wait for them. The
 * threads that compute real ones have such a low priority that on a busy machine requests time out before.
 */
import { afterAll, beforeAll, spyOn } from "bun:test";
import * as hashThreads from "@/platform/passwords/hash-threads";

/** About as long as a real hash takes. */
const HASH_MS = 20;
/** The cost of a hash that computes next to nothing. */
export const EASY = { algorithm: "argon2id", memoryCost: 8, timeCost: 1 } as const;

/** Applies to the tests of the surrounding block. */
export function takeSlowHashes(): { made(): number } {
  const spies = () => ({
    making: spyOn(hashThreads, "makeHash").mockImplementation(async (password) => {
      await Bun.sleep(HASH_MS);
      return Bun.password.hash(password, EASY);
    }),
    verifying: spyOn(hashThreads, "verifyHash").mockImplementation(async (password, hash) => {
      await Bun.sleep(HASH_MS);
      return Bun.password.verify(password, hash);
    }),
  });
  let slow: ReturnType<typeof spies> | undefined;
  beforeAll(() => {
    slow = spies();
  });
  afterAll(() => {
    slow?.making.mockRestore();
    slow?.verifying.mockRestore();
  });
  return { made: () => slow?.making.mock.calls.length ?? 0 };
}
