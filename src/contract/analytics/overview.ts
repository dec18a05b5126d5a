/** The overview, with and without filters. */
import { type Static, type TBoolean, type TOptional, type TString, Type } from "@sinclair/typebox";
import { t } from "elysia";
import { PLATFORMS } from "../platforms";
import { instant, oneOf, optional, queryFlag, shape, withExample } from "../schema";
import { AnalyticsRange, countField, FilteredQuery, otherFlag, splitLabel } from "./analytics";
import { BREAKDOWNS, type BreakdownName, HOURS_OF_WEEK, listsOf } from "./dimensions";

export const OverviewQuery = t.Object({
  ...FilteredQuery.properties,
  includeImported: optional(
    queryFlag("includeImported", "False leaves out `clicksBefore`, the clicks that imported links had before"),
  ),
  compare: optional(
    t.Union([t.Literal("previous")], {
      description:
        "Adds the preceding range of the same length as `previous`; if the range has not ended, only as much of it as has " +
        "passed",
      error: "compare: expected previous",
    }),
  ),
});
export type OverviewQuery = Static<typeof OverviewQuery>;

/** An overview lists the ten most frequent values. */
function topTen<const Name extends BreakdownName>(name: Name) {
  const { example, says } = BREAKDOWNS[name];
  return Type.Array(breakdownItem(name, example), { maxItems: 10, description: says });
}

type TopTens = { [Name in BreakdownName as (typeof BREAKDOWNS)[Name]["list"]]: ReturnType<typeof topTen<Name>> };

const breakdownItem = <Name extends string>(name: Name, example: string) =>
  shape({
    [name]: Type.String({ examples: [example] }),
    count: countField("Clicks"),
    isOther: optional(otherFlag),
    ...(name === "split" && { label: optional(splitLabel) }),
  } as Record<Name, TString> & {
    count: ReturnType<typeof Type.Integer>;
    isOther: TOptional<TBoolean>;
    label: TOptional<TString>;
  });

export const OPEN_SOURCES = ["direct", "deferred"] as const;
export const FUNNEL_STAGES = ["clicks", "opens", "installs", "leads", "events"] as const;

const bucket = {
  at: instant("Start of the bucket; the first bucket may start before `from`, but counts only from there"),
  clicks: countField(),
};
const otherMetrics = {
  uniqueVisitors: countField("For this bucket alone: a returning visitor counts in each"),
  opens: countField(),
  installs: countField("Claimed by a match"),
  leads: countField("Submitted on a link's form"),
  events: countField("Custom events"),
};

/** All figures, as returned without filters or for a single link. */
export const AnalyticsOverview = shape({
  range: AnalyticsRange,
  totalClicks: countField("Clicks by people, and by bots with `includeBots`"),
  uniqueVisitors: countField(
    "Distinct visitors over the whole range: exact for small numbers, estimated for large ones",
  ),
  installs: countField("Installs claimed by a match"),
  opens: countField("App opens: resolved links and claimed matches"),
  matchedInstalls: countField(
    "Distinct clicks that were matched to an install in the range; a click may be from before it",
  ),
  byOpenSource: Type.Array(
    shape({
      source: oneOf(OPEN_SOURCES, "`direct` by `resolve`, `deferred` by a claim after an install"),
      count: countField("Opens"),
    }),
  ),
  byOpenPlatform: Type.Array(shape({ platform: oneOf(PLATFORMS), count: countField("Opens") })),
  conversionFunnel: Type.Array(
    shape({
      stage: oneOf(FUNNEL_STAGES),
      count: countField(),
      rate: Type.Number({
        minimum: 0,
        description: "Per click, rounded to four decimals; 0 without clicks",
        examples: [1],
      }),
    }),
  ),
  timeseries: Type.Array(shape({ ...bucket, ...otherMetrics }), {
    description: "Every bucket of the range, including empty ones",
  }),
  ...listsOf<TopTens>(topTen),
  byTag: optional(
    Type.Array(shape({ tag: withExample("spring", Type.String()), count: countField("Clicks") }), {
      maxItems: 10,
      description:
        "Tags that links have now: a link with two tags counts in both, a link without tags or a deleted link in none. " +
        "Omitted, and named in `notKnown`, if so many links were clicked that the list would take too long; `breakdown` " +
        "still returns it",
    }),
  ),
  byHourOfWeek: Type.Array(
    shape({
      hourOfWeek: Type.Integer({ minimum: 0, maximum: HOURS_OF_WEEK - 1, examples: [33] }),
      count: countField("Clicks"),
    }),
    {
      maxItems: HOURS_OF_WEEK,
      description: "Hours from Monday midnight UTC, so `33` is Tuesday from 9 to 10; in order, without empty ones",
    },
  ),
  eventValue: withExample(4310.5, Type.Number({ description: "Sum of the values of all custom events" })),
  byEvent: Type.Array(
    shape({
      name: withExample("purchase", Type.String()),
      count: countField(),
      value: withExample(4310.5, Type.Number({ description: "Sum of their values" })),
    }),
    { maxItems: 10, description: "Custom events by name, most frequent first" },
  ),
  notKnown: optional(
    withExample(
      ["opens", "installs"],
      Type.Array(Type.String(), {
        description:
          "Figures that are omitted. With filters other than a single `linkId`, only clicks are known: neither opens nor " +
          "what follows them; if clicks cannot be searched individually, neither visitors nor breakdowns",
      }),
    ),
  ),
});
export type AnalyticsOverview = Static<typeof AnalyticsOverview>;

/** With filters, figures come from clicks only: those that clicks do not provide are omitted. */
const overviewFields = {
  ...Type.Partial(AnalyticsOverview).properties,
  range: AnalyticsRange,
  totalClicks: countField("Clicks by people, and by bots with `includeBots`"),
  timeseries: Type.Array(shape({ ...bucket, ...Type.Partial(shape(otherMetrics)).properties }), {
    description: "Every bucket of the range, including empty ones",
  }),
};
export const OverviewAnswer = shape(
  {
    ...overviewFields,
    clicksBefore: optional(
      shape(
        {
          count: countField("Clicks that other services had counted"),
          links: withExample(12, Type.Integer({ minimum: 0, description: "Links that have some" })),
          inRange: optional(countField("Of these, the clicks known to be of the days in `byDay`")),
          byDay: optional(
            Type.Array(
              shape({
                date: withExample("2026-01-31", Type.String({ format: "date", description: "A day in UTC" })),
                count: countField("Clicks"),
              }),
              {
                description:
                  "The days that the range is in, the first and the last as a whole, without empty ones. Clicks whose days are " +
                  "unknown are in `count` alone: few services report days. Omitted if none are known in the range",
              },
            ),
          ),
          writer: withExample("imported", Type.Literal("imported")),
        },
        {
          description:
            "Clicks of imported links before their import: all of them, regardless of the range, and by day where days are " +
            "known. No other figure includes them. Filters by `linkId`, `domainId` and `tag` apply; with any other filter it is omitted",
        },
      ),
    ),
    previous: optional(
      shape(overviewFields, {
        description: "With `compare=previous`: the preceding range of the same length, in the same form",
      }),
    ),
  },
  { $id: "AnalyticsOverview" },
);
export type OverviewAnswer = Static<typeof OverviewAnswer>;
