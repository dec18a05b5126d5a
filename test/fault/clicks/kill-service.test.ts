import { expect, test } from "bun:test";
import { killService } from "./kill-service";

test("every visitor redirected before a kill -9 of the service is in Postgres exactly once", async () => {
  const { acknowledged, lost, countedTwice, counted, rows } = await killService(1, 200);
  expect({ lost, countedTwice, counted }).toEqual({ lost: 0, countedTwice: 0, counted: rows });
  expect(acknowledged).toBeGreaterThan(0);
  expect(rows).toBeGreaterThanOrEqual(acknowledged);
}, 240_000);
