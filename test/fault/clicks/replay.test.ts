import { expect, test } from "bun:test";
import { replayClicks } from "./replay";

test("clicks replayed from Postgres lead to the destinations that their visitors got", async () => {
  const report = await replayClicks({ visits: 1_500, links: 25 });
  expect(report).toMatchObject({ clicks: 1_500, different: 0, unknown: 0, wrongDestinations: 0 });
  for (const kind of ["rules", "splits", "stores", "defaults"] as const) expect(report[kind]).toBeGreaterThan(0);
}, 240_000);
