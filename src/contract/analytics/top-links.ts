/** The links with the most clicks in a range. */
import { type Static, Type } from "@sinclair/typebox";
import { t } from "elysia";
import { Link } from "../links/links";
import { optional, queryInteger, shape, withExample } from "../schema";
import { AnalyticsQuery, AnalyticsRange } from "./analytics";
import { filterQuery } from "./analytics-filters";

export const TOP_LINKS_LIMIT = { max: 100, default: 10 } as const;

export const TopLinksQuery = t.Object({
  limit: optional(queryInteger("limit", 1, TOP_LINKS_LIMIT.max, "Number of links; defaults to 10")),
  from: AnalyticsQuery.properties.from,
  to: AnalyticsQuery.properties.to,
  ...filterQuery,
});
export type TopLinksQuery = Static<typeof TopLinksQuery>;

const TopLink = shape(
  {
    ...Link.properties,
    isDeleted: withExample(
      false,
      Type.Boolean({
        description: "A deleted link keeps its figures; it is shown as it last was, but no longer works",
      }),
    ),
    clicks: withExample(
      128,
      Type.Integer({ minimum: 0, description: "Clicks in the range; `clickCount` covers all time" }),
    ),
    uniqueVisitors: withExample(96, Type.Integer({ minimum: 0, description: "Distinct visitors in the range" })),
  },
  { $id: "TopLink" },
);

export const TopLinks = shape(
  {
    links: Type.Array(TopLink, {
      maxItems: TOP_LINKS_LIMIT.max,
      description: "Most clicked first, newer links first among equals; links without clicks are omitted",
    }),
    range: AnalyticsRange,
  },
  { $id: "TopLinks" },
);
export type TopLinks = Static<typeof TopLinks>;
