/**
 * What a password's hash costs in tests: next to nothing, since all tests together make a thousand. Services that tests start as
 * processes have the real cost.
 */
import { afterAll } from "bun:test";
import { COST } from "@/platform/passwords/cost";

const FULL = { ...COST };
const LEAST = { memoryCost: 8, timeCost: 1 };

export function hashCheaply(): void {
  Object.assign(COST, LEAST);
}

/** For a test file that is about what hashes cost. */
export function hashAtFullCost(): void {
  Object.assign(COST, FULL);
  afterAll(hashCheaply);
}
