import { expect, test } from "bun:test";
import { nextReadMs } from "@/dashboard/developers/next-read";

const NOW = Date.parse("2026-01-01T00:00:00Z");
const pending = (seconds?: number) => ({
  status: "pending" as const,
  ...(seconds !== undefined && { nextAttemptAt: new Date(NOW + seconds * 1_000).toISOString() }),
});
const delivered = { status: "delivered" as const };

const CASES: [name: string, deliveries: Parameters<typeof nextReadMs>[0], expected: number | undefined][] = [
  ["no deliveries", [], undefined],
  ["only ended ones", [delivered, { status: "failed" as const }], undefined],
  ["one that is being sent", [delivered, pending(0)], 2_000],
  ["one of a webhook that is off", [delivered, pending()], 300_000],
  ["one that is overdue", [pending(-60)], 2_000],
  ["one that is due in 30 seconds", [pending(30)], 30_000],
  ["several, the next of which is due in 40 seconds", [pending(7_200), pending(40), delivered], 40_000],
  ["one that is due tomorrow", [pending(86_400)], 300_000],
];

test.each(CASES)("%s", (_, deliveries, expected) => {
  expect(nextReadMs(deliveries, NOW)).toBe(expected);
});
