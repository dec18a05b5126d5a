/** Figures for the assistant, made from a few counts. Counts that are not given are zero or empty. */
import type { AnalyticsOverview } from "@/contract/analytics/overview";
import { type AssistantQuestion, type Draft, draftAnswer } from "@/core/assistant/answer";
import type { AssistantFigures } from "@/core/assistant/figures";
import { findInsights, type InsightFacts, type LinkFigures, NO_CLAIMS } from "@/core/insights/campaign-insights";
import { proposeUtm } from "@/core/utm/utm";
import { unknownBreakdowns } from "../figures";
import { type Counted, evenHistory, FORM, factsOfLinks } from "./histories";

export const NOW = Date.parse("2026-11-21T12:30:00.000Z");

type Counts = Record<string, number>;

export interface OverviewSketch {
  clicks?: number;
  visitors?: number;
  installs?: number;
  opens?: number;
  leads?: number;
  events?: number;
  devices?: Counts;
  countries?: Counts;
  languages?: Counts;
  referrers?: Counts;
  /** Clicks per bucket of `stepMs` milliseconds, starting at `from`. */
  series?: { from: string; stepMs: number; clicks: number[] };
}

const rows = <Name extends string>(name: Name, counts: Counts = {}) =>
  Object.entries(counts).map(
    ([value, count]) => ({ [name]: value, count }) as Record<Name, string> & { count: number },
  );

function overviewOf(sketch: OverviewSketch = {}): AnalyticsOverview {
  const { clicks = 0, visitors = clicks, installs = 0, opens = 0, leads = 0, events = 0, series } = sketch;
  const start = Date.parse(series?.from ?? "2026-10-22T00:00:00.000Z");
  const stages = { clicks, opens, installs, leads, events } as const;
  const conversionFunnel = (["clicks", "opens", "installs", "leads", "events"] as const).map((stage) => ({
    stage,
    count: stages[stage],
    rate: clicks === 0 ? 0 : stages[stage] / clicks,
  }));
  return {
    ...unknownBreakdowns(0),
    range: { from: "2026-10-22T12:00:00.000Z", to: "2026-11-21T12:30:00.000Z", granularity: "day" },
    ...{ totalClicks: clicks, uniqueVisitors: visitors, installs, opens, matchedInstalls: installs, conversionFunnel },
    ...{ byOpenSource: [], byOpenPlatform: [], byCity: [], byBrowser: [], byOs: [], byEvent: [], eventValue: 0 },
    byHourOfWeek: [],
    timeseries: (series?.clicks ?? []).map((count, index) => ({
      at: new Date(start + index * (series?.stepMs ?? 0)).toISOString(),
      ...{ clicks: count, uniqueVisitors: count, opens: 0, installs: 0, leads: 0, events: 0 },
    })),
    byDevice: rows("device", sketch.devices),
    byCountry: rows("country", sketch.countries),
    byLanguage: rows("language", sketch.languages),
    byReferrer: rows("referrer", sketch.referrers),
  };
}

export const figuresOf = (
  current: OverviewSketch,
  { previous = {}, hours = {}, ...others }: FiguresSketch = {},
): AssistantFigures => ({
  current: overviewOf(current),
  previous: overviewOf(previous),
  hours: overviewOf(hours),
  links: [],
  isOfLink: false,
  found: { insights: [], leading: 0 },
  claims: NO_CLAIMS,
  ...others,
});

/** Returns the insights about these links in the form that the assistant is given. */
export function insightsForAssistant(links: readonly LinkFigures[], given: Partial<InsightFacts> = {}) {
  const { insights, leading, claims } = findInsights(factsOfLinks(links, given));
  const own = links.map(({ link: { utm }, clicks }) => ({ utm: utm ?? null, clicks }));
  return { found: { insights, leading }, claims, links: own };
}

/** Returns a link with this UTM source. It measures the kinds of conversion for which counts are given. */
export const tagged = (source: string, clicks: number, counted: Counted): LinkFigures =>
  evenHistory(`link-${source}`, clicks, counted, {
    ...{ utm: { source }, leadCapture: counted.leads === undefined ? undefined : FORM },
    ...(counted.installs !== undefined && { appProfileId: "app" }),
  });

interface FiguresSketch extends Partial<Pick<AssistantFigures, "links" | "found" | "claims" | "isOfLink">> {
  previous?: OverviewSketch;
  hours?: OverviewSketch;
}

export function draftOf(
  question: Partial<Omit<AssistantQuestion, "input">> & { input?: Partial<AssistantQuestion["input"]> },
): Draft {
  const { input, ...rest } = question;
  return draftAnswer(
    {
      ...{ figures: figuresOf({}), names: ["Acme"], destination: "https://shop.example.com/app", now: NOW, ...rest },
      input: { goal: "More installs", ...input },
    },
    ({ destinationUrl = null, ...words }) => proposeUtm(words, destinationUrl),
  );
}
