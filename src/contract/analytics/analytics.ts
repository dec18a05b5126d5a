/** Analytics: the common query of all its routes and the overview. */
import { type Static, type TBoolean, type TOptional, Type } from "@sinclair/typebox";
import { t } from "elysia";
import { PLATFORMS } from "../platforms";
import { instant, instantInput, oneOf, optional, queryFlag, queryInteger, shape, shown } from "../schema";
import { filterQuery } from "./analytics-filters";
import { BREAKDOWN_BY, BREAKDOWNS, type BreakdownName, HOURS_OF_WEEK, listsOf } from "./dimensions";

export const AnalyticsQuery = t.Object({
  from: optional(shown("2026-01-01T00:00:00Z", instantInput("Inclusive. Defaults to 30 days before `to`"))),
  to: optional(instantInput("Exclusive, at most two years after `from`. Defaults to now")),
  linkId: optional(
    t.String({
      maxLength: 64,
      description: "Only this link or bio page, even if deleted",
    }),
  ),
  includeBots: optional(queryFlag("includeBots", "Include bots, which figures otherwise exclude")),
});
export type AnalyticsQuery = Static<typeof AnalyticsQuery>;

const GRANULARITIES = ["hour", "day"] as const;

export const AnalyticsRange = shape(
  {
    from: shown("2026-01-01T00:00:00.000Z", instant("Inclusive")),
    to: instant("Exclusive"),
    granularity: oneOf(
      GRANULARITIES,
      "Length of each bucket in `timeseries`: hours for up to three days, otherwise UTC days",
    ),
  },
  { $id: "AnalyticsRange" },
);
export type AnalyticsRange = Static<typeof AnalyticsRange>;

const otherFlag = shown(
  true,
  Type.Boolean({ description: "Marks `other` where it stands for all rare values that are not listed separately" }),
);

const count = (description?: string) => Type.Integer({ minimum: 0, description, examples: [128] });

/** What the click did not tell is counted under this name; a click without a referring page under `direct`. */
export const UNKNOWN_VALUE = "unknown";
export const NO_REFERRER = "direct";

/** An overview lists the ten most frequent values. */
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
  at: instant("Start of the bucket; the first bucket may start before `from`, but counts only from there"),
  clicks: count(),
};
const otherMetrics = {
  uniqueVisitors: count("For this bucket alone: a returning visitor counts in each"),
  opens: count(),
  installs: count("Claimed by a match"),
  leads: count("Submitted on a link's form"),
  events: count("Custom events"),
};

/** An overview without filters, or of one link, has all figures. */
export const AnalyticsOverview = shape({
  range: AnalyticsRange,
  totalClicks: count(),
  uniqueVisitors: count("Distinct visitors over the whole range: exact for small numbers, estimated for large ones"),
  installs: count("Installs claimed by a match"),
  opens: count("App opens: resolved links and claimed matches"),
  matchedInstalls: count("Distinct clicks that were matched to an install"),
  byOpenSource: Type.Array(shape({ source: oneOf(OPEN_SOURCES), count: count() })),
  byOpenPlatform: Type.Array(shape({ platform: oneOf(PLATFORMS), count: count() })),
  conversionFunnel: Type.Array(
    shape({
      stage: oneOf(FUNNEL_STAGES),
      count: count(),
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
    Type.Array(shape({ tag: shown("spring", Type.String()), count: count() }), {
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
      count: count(),
    }),
    {
      maxItems: HOURS_OF_WEEK,
      description: "Hours from Monday midnight UTC, so `33` is Tuesday from 9 to 10; in order, without empty ones",
    },
  ),
  eventValue: shown(4310.5, Type.Number({ description: "Sum of the values of all custom events" })),
  byEvent: Type.Array(
    shape({
      name: shown("purchase", Type.String()),
      count: count(),
      value: shown(4310.5, Type.Number({ description: "Sum of their values" })),
    }),
    { maxItems: 10, description: "Custom events by name, most frequent first" },
  ),
  notKnown: optional(
    shown(
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

/** Under filters, clicks alone tell figures: what they do not know is left out. */
const answered = {
  ...Type.Partial(AnalyticsOverview).properties,
  range: AnalyticsRange,
  totalClicks: count(),
  timeseries: Type.Array(shape({ ...bucket, ...Type.Partial(shape(otherMetrics)).properties }), {
    description: "Every bucket of the range, including empty ones",
  }),
};
export const OverviewAnswer = shape(
  {
    ...answered,
    previous: optional(
      shape(answered, {
        description: "With `compare=previous`: the preceding range of the same length, in the same form",
      }),
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
      description: "Adds the preceding range of the same length as `previous`",
      error: "compare: expected previous",
    }),
  ),
});
export type OverviewQuery = Static<typeof OverviewQuery>;

export const BREAKDOWN_LIMIT = { max: 1_000, default: 100 } as const;

export const BreakdownQuery = t.Object({
  by: t.Union(
    BREAKDOWN_BY.map((name) => t.Literal(name)),
    { description: "What to group clicks by", error: `by: expected one of ${BREAKDOWN_BY.join(", ")}` },
  ),
  limit: optional(queryInteger("limit", 1, BREAKDOWN_LIMIT.max, "Number of values; defaults to 100")),
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
        value: shown("DE", Type.String({ description: "As in the overview's list" })),
        count: count(),
        isOther: optional(otherFlag),
      }),
      {
        maxItems: BREAKDOWN_LIMIT.max,
        description: "Most frequent first",
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
      "Milliseconds between snapshots; defaults to 5,000",
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
  description: "RFC 4180 with a header row",
  examples: [`at,${SERIES_METRICS.join(",")}\r\n2026-01-31T00:00:00.000Z,128,96,12,4,1,3,149.7\r\n`],
});
