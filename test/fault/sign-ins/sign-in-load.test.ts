import { expect, test } from "bun:test";
import { signInLoad } from "./sign-in-load";

test("every cached redirect is answered while sign-in is flooded with attempts", async () => {
  const { redirected, signIns } = await signInLoad({ rounds: 1, windowMs: 500, perSecond: 100 });
  expect(redirected).toBe(100);
  expect(signIns).toMatch(/^\d+×401$/);
}, 240_000);
