/** What all analytics requests share: the range, the link, filters, and the format of counts. */
import { type Static, Type } from "@sinclair/typebox";
import { t } from "elysia";
import { instant, instantInput, oneOf, optional, queryFlag, shape, text, withExample } from "../schema";
import { filterQuery } from "./analytics-filters";

export const AnalyticsQuery = t.Object({
  from: optional(withExample("2026-01-01T00:00:00Z", instantInput("Inclusive. Defaults to 30 days before `to`"))),
  to: optional(instantInput("Exclusive, at most two years after `from`. Defaults to now")),
  linkId: optional(text(64, 0, "Only this link or bio page, even if deleted")),
  includeBots: optional(queryFlag("includeBots", "Include bots, which figures otherwise exclude")),
});
export type AnalyticsQuery = Static<typeof AnalyticsQuery>;

const GRANULARITIES = ["hour", "day"] as const;

export const AnalyticsRange = shape(
  {
    from: withExample("2026-01-01T00:00:00.000Z", instant("Inclusive")),
    to: instant("Exclusive"),
    granularity: oneOf(
      GRANULARITIES,
      "Length of each bucket in `timeseries`: hours for up to three days, otherwise UTC days",
    ),
  },
  { $id: "AnalyticsRange" },
);
export type AnalyticsRange = Static<typeof AnalyticsRange>;

export const FilteredQuery = t.Object({
  ...AnalyticsQuery.properties,
  ...filterQuery,
});
export type FilteredQuery = Static<typeof FilteredQuery>;

/** Clicks with an unknown value are counted under this name, and clicks without a referring page under `direct`. */
export const UNKNOWN_VALUE = "unknown";
export const NO_REFERRER = "direct";

export const otherFlag = withExample(
  true,
  Type.Boolean({ description: "Marks `other` where it stands for all rare values that are not listed separately" }),
);

export const splitLabel = withExample(
  "Short form",
  Type.String({
    description:
      "Figures of a single link: what the split target, or the item of a bio page, was last called. Omitted if it had no name",
  }),
);

export const countField = (description?: string) => Type.Integer({ minimum: 0, description, examples: [128] });
