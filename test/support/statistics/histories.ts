/** Generates histories of workspaces from a seed, so that the truth about them is known. */
import type { Link } from "@/contract/links/links";
import type { InsightFacts, LinkFigures } from "@/core/insights/campaign-insights";
import type { Kind } from "@/core/insights/measured";
import { DAY_MS } from "@/core/time/time-range";

const MONDAY = Date.UTC(2026, 0, 5);

/** Returns a generator of numbers from 0 (inclusive) to 1 (exclusive): Tommy Ettinger's Mulberry32. */
export function drawsOf(seed: number): () => number {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Draw = () => number;

const normal = (draw: Draw): number => Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());

/** Uses Knuth's algorithm for means up to 60 and the normal approximation above. */
function poisson(draw: Draw, mean: number): number {
  if (mean > 60) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(draw)));
  const least = Math.exp(-mean);
  let count = 0;
  for (let product = draw(); product > least; product *= draw()) count++;
  return count;
}

/** Draws a day's random factor: mean 1, variance 1 / k. A sum of exponentials, so k must be an integer. */
const gamma = (draw: Draw, k: number): number => {
  let sum = 0;
  for (let index = 0; index < k; index++) sum -= Math.log(1 - draw());
  return sum / k;
};

export interface Shape {
  links: number;
  days: number;
  /** Mean clicks per link and day. */
  clicks: number;
  /** Conversions per click of the link at this index. */
  rate: (link: number) => number;
  /** Dispersion of a negative binomial distribution from day to day; absent: Poisson. */
  k?: number;
  /** Maximum number of conversions that one converting click counts as; uniform from 1. */
  burst?: number;
  /** Factors on `clicks` by UTC weekday, from Sunday. */
  season?: readonly number[];
}

export const linkNamed = (slug: string, fields: Partial<Link> = {}): Link => ({
  ...{ _id: slug, orgId: "o", domainId: "d", slug, shortUrl: `https://wm.test/${slug}` },
  ...{ defaultUrl: "https://example.com/", rules: [], splitTargets: [], utm: { source: "newsletter" } },
  ...{ retargetingPixels: [], tags: [], clickCount: 0, passwordProtected: false, isActive: true, isArchived: false },
  ...{ safety: { status: "safe", reasons: [] }, createdAt: "2025-10-01T00:00:00.000Z" },
  ...{ updatedAt: "2025-10-01T00:00:00.000Z", leadCapture: FORM, ...fields },
});

export const FORM = {
  enabled: true,
  fields: [{ name: "email", label: "Email", type: "email" as const, required: true }],
};

function linkHistory(draw: Draw, shape: Shape, place: number, fields: Partial<Link> = {}): LinkFigures {
  const { k, burst = 1, season = [1], clicks } = shape;
  const days = Array.from({ length: shape.days }, (_, index) => {
    const at = MONDAY + index * DAY_MS;
    const usual = clicks * (season[new Date(at).getUTCDay() % season.length] ?? 1);
    const came = poisson(draw, usual * (k ? gamma(draw, k) : 1));
    const converted = Math.min(came, poisson(draw, came * shape.rate(place) * (k ? gamma(draw, k) : 1)));
    let conversions = 0;
    for (let each = 0; each < converted; each++) conversions += 1 + Math.floor(draw() * burst);
    return { at, clicks: came, installs: 0, leads: conversions, events: 0 };
  });
  const total = days.reduce((sum, day) => sum + day.clicks, 0);
  return { link: linkNamed(`link-${place}`, fields), clicks: total, days };
}

/** Returns what insights would read for a workspace of this shape. Its links take turns in UTM source. */
export function factsOf(draw: Draw, shape: Shape): InsightFacts {
  const sources = ["newsletter", "facebook", "instagram", "google"];
  const links = Array.from({ length: shape.links }, (_, place) =>
    linkHistory(draw, shape, place, { utm: { source: sources[place % sources.length] } }),
  ).sort((a, b) => b.clicks - a.clicks);
  const days = Array.from({ length: shape.days }, (_, index) => ({
    at: MONDAY + index * DAY_MS,
    clicks: links.reduce((sum, { days }) => sum + (days[index]?.clicks ?? 0), 0),
    conversions: links.reduce((sum, { days }) => sum + (days[index]?.leads ?? 0), 0),
  }));
  const clicks = days.reduce((sum, day) => sum + day.clicks, 0);
  return {
    totals: { clicks, installs: 0, leads: days.reduce((sum, day) => sum + day.conversions, 0), events: 0 },
    ...{ botClicks: 0, days, links, compared: links, from: MONDAY, linksTotal: shape.links },
    ...{ countries: [], direct: 0, isOfLink: false, isAhead: false, isDeleted: false, faults: [], best: null },
  };
}

export type Counted = Partial<Record<Kind, number>>;

/**
 * Returns a link whose clicks and conversions are spread evenly over the four weeks from `MONDAY`, with the same
 * daily numbers in the week before.
 */
export function evenHistory(slug: string, clicks: number, counted: Counted, fields: Partial<Link> = {}): LinkFigures {
  const share = (total: number, index: number) =>
    Math.floor((total * (index + 1)) / EVEN_DAYS) - Math.floor((total * index) / EVEN_DAYS);
  const days = Array.from({ length: EVEN_DAYS + 7 }, (_, index) => {
    const of = (total = 0) => share(total, (index + EVEN_DAYS - 7) % EVEN_DAYS);
    const { installs, leads, events } = counted;
    const at = MONDAY + (index - 7) * DAY_MS;
    return { at, clicks: of(clicks), installs: of(installs), leads: of(leads), events: of(events) };
  });
  return { link: linkNamed(slug, fields), clicks, days };
}
const EVEN_DAYS = 28;

/** Returns what insights would read for these links in a range that starts on `MONDAY`. */
export function factsOfLinks(links: readonly LinkFigures[], given: Partial<InsightFacts> = {}): InsightFacts {
  const inRange = links.flatMap(({ days }) => days.filter(({ at }) => at >= MONDAY));
  const total = (of: (day: LinkFigures["days"][number]) => number) => inRange.reduce((sum, day) => sum + of(day), 0);
  const days = Map.groupBy(inRange, ({ at }) => at);
  return {
    totals: {
      ...{ clicks: total(({ clicks }) => clicks), installs: total(({ installs }) => installs) },
      ...{ leads: total(({ leads }) => leads), events: total(({ events }) => events) },
    },
    days: [...days].map(([at, rows]) => ({
      ...{ at, clicks: rows.reduce((sum, { clicks }) => sum + clicks, 0), conversions: 0 },
    })),
    ...{ botClicks: 0, links, compared: links, from: MONDAY, linksTotal: links.length },
    ...{
      countries: [],
      direct: 0,
      isOfLink: false,
      isAhead: false,
      isDeleted: false,
      faults: [],
      best: null,
      ...given,
    },
  };
}
