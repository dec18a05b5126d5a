/** Compares many links at a glance: the clicks of each by day. */
import { type Static, Type } from "@sinclair/typebox";
import { t } from "elysia";
import { EXAMPLE_ID, id, oneOf, optional, shape, withExample } from "../schema";
import { AnalyticsRange, countField } from "./analytics";

export const TREND_LINKS_MAX = 100;
const TREND_DAYS = ["7", "30"] as const;

export const LinkTrendsQuery = t.Object({
  linkId: t.Union([t.String(), t.Array(t.String())], {
    description: `A link or bio page, even if deleted. Repeat for up to ${TREND_LINKS_MAX} links`,
    examples: [EXAMPLE_ID],
  }),
  days: optional(oneOf(TREND_DAYS, "How many UTC days, today included; defaults to 7")),
});
export type LinkTrendsQuery = Static<typeof LinkTrendsQuery>;

export const LinkTrends = shape(
  {
    range: AnalyticsRange,
    links: Type.Array(
      shape({
        linkId: id(),
        clicks: withExample(
          [0, 3, 12, 7, 4, 0, 9],
          Type.Array(countField(), { description: "One number a day, oldest first" }),
        ),
      }),
      { description: "In the requested order" },
    ),
  },
  { $id: "LinkTrends" },
);
export type LinkTrends = Static<typeof LinkTrends>;
