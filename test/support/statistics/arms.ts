/** Split targets with random numbers of visitors, as they stand at the end of each of several days. */
import type { DestinationFigures } from "@/core/insights/destination-figures";
import { DAY_MS } from "@/core/time/time-range";
import type { Random } from "./random";

export interface Arms {
  arms: number;
  /** Mean visitors of each arm per day. */
  visitors: number;
  rate: number;
  /** How many times as often visitors of the first arm convert. */
  better: number;
  /** Number of days. Defaults to 30. */
  days?: number;
  /** Length of a range that moves along, in days: only its visitors are known. By default the range begins on day 1. */
  rangeDays?: number;
}

const DAYS = 30;

/** Returns the figures known at the end of each day, from the first to the last. */
export function drawArms(random: Random, shape: Arms): DestinationFigures[][] {
  const { arms, visitors, rate, better, days: length = DAYS, rangeDays = length } = shape;
  const days = Array.from({ length }, (_, index) => {
    const mean = random.negativeBinomial(visitors, 10);
    return Array.from({ length: arms }, (_, arm) => {
      const randomizedDays = random.poisson(mean);
      const converted = Math.min(randomizedDays, random.poisson(randomizedDays * rate * (arm === 0 ? better : 1)));
      return { day: index * DAY_MS, visitors: randomizedDays, converted };
    });
  });
  return days.map((_, last) => {
    const first = Math.max(0, last + 1 - rangeDays);
    return Array.from({ length: arms }, (_, arm) => {
      const randomizedDays = days.slice(first, last + 1).flatMap((all) => all[arm] ?? []);
      const sum = (metric: "visitors" | "converted") => randomizedDays.reduce((total, day) => total + day[metric], 0);
      return {
        ...{ id: `arm${arm}`, linkId: "link", linkTitle: "Spring", slug: "spring", shortUrl: "https://wm.test/spring" },
        ...{ destinationUrl: `https://example.com/${arm}`, splitTarget: `${arm}`, sources: [`split:${arm}`] },
        ...{ clicks: sum("visitors"), converted: sum("converted"), installs: 0, leads: sum("converted"), events: 0 },
        ...{ randomizedDays, hasEarlier: first > 0, warnings: [] },
      };
    });
  });
}
