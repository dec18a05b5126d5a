/**
 * What a password's hash costs in tests: next to nothing, since all tests together make a thousand. Services that tests start as
 * processes have the real cost.
 */
import { afterAll, mock } from "bun:test";
import { COST } from "@/platform/passwords/cost";

/** What was imported changes with each replacement. */
const FULL = COST;
const LEAST = { memoryCost: 8, timeCost: 1 };

const replaceCost = (cost: typeof COST) => mock.module("@/platform/passwords/cost", () => ({ COST: cost }));

export function hashCheaply(): void {
  replaceCost(LEAST);
}

/** For a test file that is about what hashes cost. */
export function hashAtFullCost(): void {
  replaceCost(FULL);
  afterAll(hashCheaply);
}
