/** A single breakdown with many values. */
import { type Static, Type } from "@sinclair/typebox";
import { t } from "elysia";
import { oneOf, optional, queryInteger, shape, withExample } from "../schema";
import { AnalyticsRange, countField, FilteredQuery, otherFlag, splitLabel } from "./analytics";
import { BREAKDOWN_BY } from "./dimensions";

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
    totalClicks: countField(),
    rows: Type.Array(
      shape({
        value: withExample("DE", Type.String({ description: "As in the overview's list" })),
        count: countField(),
        isOther: optional(otherFlag),
        label: optional(splitLabel),
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
