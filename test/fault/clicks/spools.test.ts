import { expect, test } from "bun:test";
import { copiedVolume, flippedBytes } from "./spools";

test("services run on two copies of a volume and are killed: every redirected visitor is in Postgres exactly once", async () => {
  const { acknowledged, lost, countedTwice, counted, rows, noticed } = await copiedVolume(1);
  expect({ lost, countedTwice, counted }).toEqual({ lost: 0, countedTwice: 0, counted: rows });
  expect(noticed).toBeGreaterThan(0);
  expect(acknowledged).toBeGreaterThan(0);
}, 240_000);

test("flipped bytes in a spool lose only the records that contain them", async () => {
  const { acknowledged, flipped, lost, damagedBytes } = await flippedBytes();
  expect(lost).toBe(flipped);
  expect(damagedBytes).toBeGreaterThan(0);
  expect(acknowledged).toBeGreaterThan(flipped);
}, 240_000);
