/** Figures over time, as a CSV export and as a stream. */
import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { optional, queryInteger } from "../schema";
import { filterQuery } from "./analytics-filters";

/** The columns of an export, from which reports choose. */
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
