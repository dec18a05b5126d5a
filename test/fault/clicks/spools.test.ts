import { expect, test } from "bun:test";
import { copiedVolume, flippedBytes } from "./spools";

test("both copies of a volume run and are killed: every redirected visitor stands in Postgres, exactly once", async () => {
  const { acknowledged, lost, countedTwice, counted, rows, noticed } = await copiedVolume(1);
  expect({ lost, countedTwice, counted }).toEqual({ lost: 0, countedTwice: 0, counted: rows });
  expect(noticed).toBeGreaterThan(0);
  expect(acknowledged).toBeGreaterThan(0);
}, 240_000);

test("flipped bytes of a spool cost the records that hold them, and no other", async () => {
  const { acknowledged, flipped, lost, damagedBytes } = await flippedBytes();
  expect(lost).toBe(flipped);
  expect(damagedBytes).toBeGreaterThan(0);
  expect(acknowledged).toBeGreaterThan(flipped);
}, 240_000);
