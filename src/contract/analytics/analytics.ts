/** Analytics: the common query of all its routes and the overview. */
import { type Static, type TBoolean, type TOptional, Type } from "@sinclair/typebox";
import { t } from "elysia";
import { PLATFORMS } from "../routing";
import { instant, instantInput, oneOf, optional, queryFlag, queryInteger, shape, shown } from "../schema";
import { filterQuery } from "./analytics-filters";
import { BREAKDOWN_BY, BREAKDOWNS, type BreakdownName, HOURS_OF_WEEK, listsOf } from "./dimensions";

export const AnalyticsQuery = t.Object({
  from: optional(shown("2026-01-01T00:00:00Z", instantInput("Inclusive. Absent: 30 days before `to`"))),
  to: optional(instantInput("Exclusive, at most two years after `from`. Absent: now")),
  linkId: optional(
    t.String({
      maxLength: 64,
      description: "This link, or bio page, alone; a deleted one still has its figures",
    }),
  ),
  includeBots: optional(queryFlag("includeBots", "Count bots as well; they are left out of every figure otherwise")),
});
export type AnalyticsQuery = Static<typeof AnalyticsQuery>;

const GRANULARITIES = ["hour", "day"] as const;

export const AnalyticsRange = shape(
  {
    from: shown("2026-01-01T00:00:00.000Z", instant("Inclusive")),
    to: instant("Exclusive"),
    granularity: oneOf(GRANULARITIES, "Length of a bucket of `timeseries`: hours for up to three days, else UTC days"),
  },
  { $id: "AnalyticsRange" },
);
export type AnalyticsRange = Static<typeof AnalyticsRange>;

const otherFlag = shown(
  true,
  Type.Boolean({ description: "Said of `other` where it stands for all the rare values that are not kept apart" }),
);

const count = (description?: string) => Type.Integer({ minimum: 0, description, examples: [128] });

/** What the click did not tell is counted under this name; a click without a referring page under `direct`. */
export const UNKNOWN_VALUE = "unknown";
export const NO_REFERRER = "direct";

/** The ten most frequent values. */
function topTen<const Name extends BreakdownName>(name: Name) {
  const { example, says } = BREAKDOWNS[name];
  return Type.Array(breakdownItem(name, example), { maxItems: 10, description: says });
}

type TopTens = { [Name in BreakdownName as (typeof BREAKDOWNS)[Name]["list"]]: ReturnType<typeof topTen<Name>> };

const breakdownItem = <Name extends string>(name: Name, example: string) =>
  shape({
    [name]: Type.String({ examples: [example] }),
    count: count(),
    isOther: optional(otherFlag),
  } as Record<Name, ReturnType<typeof Type.String>> & {
    count: ReturnType<typeof Type.Integer>;
    isOther: TOptional<TBoolean>;
  });

export const OPEN_SOURCES = ["direct", "deferred"] as const;
export const FUNNEL_STAGES = ["clicks", "opens", "installs", "leads", "events"] as const;

/** Columns of an export, and what reports choose from. */
export const SERIES_METRICS = [
  "clicks",
  "uniqueVisitors",
  "opens",
  "installs",
  "leads",
  "events",
  "eventValue",
] as const;
export type SeriesMetric = (typeof SERIES_METRICS)[number];

const bucket = {
  at: instant("Start of the bucket; the first bucket may start before `from` and counts from there on"),
  clicks: count(),
};
const otherMetrics = {
  uniqueVisitors: count("Of this bucket alone: a visitor who returns is counted in each"),
  opens: count(),
  installs: count("Claimed by a match"),
  leads: count("Sent on a link's form"),
  events: count("Custom events"),
};

/** Of a range without filters, or of one link. */
export const AnalyticsOverview = shape({
  range: AnalyticsRange,
  totalClicks: count(),
  uniqueVisitors: count("Distinct visitors of the clicks over the whole range: exact while few, estimated past that"),
  installs: count("Installs claimed by a match"),
  opens: count("App opens: resolved links and claimed matches"),
  matchedInstalls: count("Distinct clicks that an install was matched to"),
  byOpenSource: Type.Array(shape({ source: oneOf(OPEN_SOURCES), count: count() })),
  byOpenPlatform: Type.Array(shape({ platform: oneOf(PLATFORMS), count: count() })),
  conversionFunnel: Type.Array(
    shape({
      stage: oneOf(FUNNEL_STAGES),
      count: count(),
      rate: Type.Number({
        minimum: 0,
        description: "Per click, to four decimals; 0 without clicks",
        examples: [1],
      }),
    }),
  ),
  timeseries: Type.Array(shape({ ...bucket, ...otherMetrics }), {
    description: "Every bucket of the range, empty ones included",
  }),
  ...listsOf<TopTens>(topTen),
  byTag: optional(
    Type.Array(shape({ tag: shown("spring", Type.String()), count: count() }), {
      maxItems: 10,
      description:
        "Tags that links have now: a link with two counts in both, one without in none, and a deleted one has none. Left " +
        "out, and named in `notKnown`, where so many links were clicked that the list takes long; `breakdown` has it",
    }),
  ),
  byHourOfWeek: Type.Array(
    shape({
      hourOfWeek: Type.Integer({ minimum: 0, maximum: HOURS_OF_WEEK - 1, examples: [33] }),
      count: count(),
    }),
    {
      maxItems: HOURS_OF_WEEK,
      description: "Hours from Monday midnight UTC, `33` is Tuesday from 9 to 10; in their order, without empty ones",
    },
  ),
  eventValue: shown(4310.5, Type.Number({ description: "Sum of the values of all custom events" })),
  byEvent: Type.Array(
    shape({
      name: shown("purchase", Type.String()),
      count: count(),
      value: shown(4310.5, Type.Number({ description: "Sum of their values" })),
    }),
    { maxItems: 10, description: "Custom events by name, the most frequent first" },
  ),
  notKnown: optional(
    shown(
      ["opens", "installs"],
      Type.Array(Type.String(), {
        description:
          "Figures that are left out. Under filters, except a single `linkId`, clicks alone are known: neither opens nor " +
          "what follows them; where clicks cannot be looked at one by one, neither visitors nor breakdowns",
      }),
    ),
  ),
});
export type AnalyticsOverview = Static<typeof AnalyticsOverview>;

/** Under filters, clicks alone tell figures: what they do not know is left out. */
const answered = {
  ...Type.Partial(AnalyticsOverview).properties,
  range: AnalyticsRange,
  totalClicks: count(),
  timeseries: Type.Array(shape({ ...bucket, ...Type.Partial(shape(otherMetrics)).properties }), {
    description: "Every bucket of the range, empty ones included",
  }),
};
export const OverviewAnswer = shape(
  {
    ...answered,
    previous: optional(
      shape(answered, { description: "With `compare=previous`: as much time before `from`, in the same form" }),
    ),
  },
  { $id: "AnalyticsOverview" },
);
export type OverviewAnswer = Static<typeof OverviewAnswer>;

export const FilteredQuery = t.Object({
  ...AnalyticsQuery.properties,
  ...filterQuery,
});
export type FilteredQuery = Static<typeof FilteredQuery>;

export const OverviewQuery = t.Object({
  ...FilteredQuery.properties,
  compare: optional(
    t.Union([t.Literal("previous")], {
      description: "Adds as much time before `from`, as `previous`",
      error: "compare: expected previous",
    }),
  ),
});
export type OverviewQuery = Static<typeof OverviewQuery>;

export const BREAKDOWN_LIMIT = { max: 1_000, default: 100 } as const;

export const BreakdownQuery = t.Object({
  by: t.Union(
    BREAKDOWN_BY.map((name) => t.Literal(name)),
    { description: "What clicks are counted by", error: `by: expected one of ${BREAKDOWN_BY.join(", ")}` },
  ),
  limit: optional(queryInteger("limit", 1, BREAKDOWN_LIMIT.max, "How many values; 100 when absent")),
  ...FilteredQuery.properties,
});
export type BreakdownQuery = Static<typeof BreakdownQuery>;

export const BreakdownAnswer = shape(
  {
    range: AnalyticsRange,
    by: oneOf(BREAKDOWN_BY),
    totalClicks: count(),
    rows: Type.Array(
      shape({
        value: shown("DE", Type.String({ description: "As the overview's list has it" })),
        count: count(),
        isOther: optional(otherFlag),
      }),
      {
        maxItems: BREAKDOWN_LIMIT.max,
        description: "The most frequent first",
      },
    ),
  },
  { $id: "AnalyticsBreakdown" },
);
export type BreakdownAnswer = Static<typeof BreakdownAnswer>;

export const STREAM_INTERVAL_MS = { min: 1_000, max: 60_000, default: 5_000 } as const;

export const AnalyticsStreamQuery = t.Object({
  intervalMs: optional(
    queryInteger(
      "intervalMs",
      STREAM_INTERVAL_MS.min,
      STREAM_INTERVAL_MS.max,
      "Milliseconds from snapshot to snapshot; 5,000 when absent",
    ),
  ),
  ...filterQuery,
});

export const AnalyticsStream = Type.String({
  contentMediaType: "text/event-stream",
  description: "`event: snapshot` with an AnalyticsOverview as `data`; comments in between keep the connection alive",
  examples: ['retry: 3000\n\nevent: snapshot\nid: 1769860800000\ndata: {"totalClicks":128}\n\n'],
});

export const SeriesCsv = Type.String({
  contentMediaType: "text/csv",
  description: "RFC 4180, with a header row",
  examples: [`at,${SERIES_METRICS.join(",")}\r\n2026-01-31T00:00:00.000Z,128,96,12,4,1,3,149.7\r\n`],
});
