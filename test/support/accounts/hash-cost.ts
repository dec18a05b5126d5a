/**
 * Sets the cost of password hashes in tests: next to nothing, because all tests together make a thousand hashes.
 * Services that tests start as processes have the real cost.
 */
import { afterAll, mock } from "bun:test";
import { COST } from "@/platform/passwords/cost";

/** A copy of the reference, because the imported binding changes with each `mock.module`. */
const FULL = COST;
const LEAST = { memoryCost: 8, timeCost: 1 };

const replaceCost = (cost: typeof COST) => mock.module("@/platform/passwords/cost", () => ({ COST: cost }));

export function hashCheaply(): void {
  replaceCost(LEAST);
}

/** Sets the real cost for the rest of a test file that is about the cost of hashes. */
export function hashAtFullCost(): void {
  replaceCost(FULL);
  afterAll(hashCheaply);
}
