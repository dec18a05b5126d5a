import { expect, test } from "bun:test";
import { diskFull, smallestDisk } from "./disk-full";

test("with a full disk and without Postgres, redirects continue; dropped clicks are counted, and no others are lost", async () => {
  const report = await diskFull({ rounds: 1, stateMs: 300 });
  const { failed, lost, countedTwice, logged, redirected, redirectedWhileFull, shed, rows } = report;
  expect({ failed, lost, countedTwice, logged }).toEqual({ failed: 0, lost: 0, countedTwice: 0, logged: 1 });
  expect(shed).toBeGreaterThan(0);
  expect(redirectedWhileFull).toBeGreaterThan(0);
  expect(rows).toBe(redirected - shed);
}, 240_000);

test("a disk smaller than a segment accepts clicks again once Postgres has stored those on it", async () => {
  const { redirected, shed, lost, countedTwice } = await smallestDisk();
  expect({ lost, countedTwice }).toEqual({ lost: 0, countedTwice: 0 });
  expect(shed).toBeGreaterThan(0);
  expect(redirected).toBeGreaterThan(shed);
}, 240_000);
