/** Saved selections of figures that can be exported repeatedly. */
import { type Static, Type } from "@sinclair/typebox";
import {
  flag,
  id,
  instant,
  instantInput,
  list,
  nullable,
  oneOf,
  optional,
  pageOf,
  shape,
  text,
  withExample,
} from "../schema";
import { filterAnswers, filterFields } from "./analytics-filters";
import { SERIES_METRICS } from "./series";

export const REPORT_PERIODS = ["24h", "7d", "30d", "90d"] as const;
export type ReportPeriod = (typeof REPORT_PERIODS)[number];

/** Limit of each organization. */
export const REPORTS_MAX = 200;

export const ReportFilters = shape(
  {
    from: optional(
      nullable(withExample("2026-01-01T00:00:00Z", instantInput("Inclusive. Cannot be combined with `period`"))),
    ),
    to: optional(nullable(instantInput("Exclusive. Cannot be combined with `period`"))),
    period: optional(
      nullable(
        oneOf(
          REPORT_PERIODS,
          "Counts back from the last full hour before each export, and lasts until the export; defaults to 30 days if no range is given",
        ),
      ),
    ),
    linkId: optional(nullable(text(64, 1, "Only this link, even if deleted"))),
    includeBots: optional(nullable(flag("Include bots"))),
    ...filterFields,
  },
  { $id: "ReportFilters", examples: [{ period: "7d", includeBots: false }] },
);
/** The stored form, without nulls. */
export type ReportFilters = {
  [Name in keyof Static<typeof ReportFilters>]?: NonNullable<Static<typeof ReportFilters>[Name]>;
};

const Metrics = Type.Array(oneOf(SERIES_METRICS), {
  minItems: 1,
  maxItems: SERIES_METRICS.length,
  uniqueItems: true,
  description: "Columns of the export, in this order; defaults to all",
  error: `expected one or more of ${SERIES_METRICS.join(", ")}, without duplicates`,
});

const name = withExample("Weekly traffic", text(120, 1));
const fields = {
  description: optional(nullable(withExample("For the Monday meeting", text(1_000)))),
  filters: optional(nullable(ReportFilters)),
  metrics: optional(nullable(Metrics)),
};
const example = { filters: { period: "7d" as const }, metrics: ["clicks" as const, "uniqueVisitors" as const] };

export const ReportInput = shape(
  { name, ...fields },
  { $id: "ReportInput", examples: [{ name: "Weekly traffic", ...example }] },
);
export type ReportInput = Static<typeof ReportInput>;

export const ReportUpdate = shape(
  { name: optional(name), ...fields },
  { $id: "ReportUpdate", examples: [{ ...example, description: null }] },
);
export type ReportUpdate = Static<typeof ReportUpdate>;

export const Report = shape(
  {
    _id: id(),
    name: withExample("Weekly traffic", Type.String()),
    description: optional(withExample("For the Monday meeting", Type.String())),
    filters: shape(
      {
        from: optional(instant()),
        to: optional(instant()),
        period: optional(withExample("7d", oneOf(REPORT_PERIODS))),
        linkId: optional(id()),
        includeBots: optional(Type.Boolean()),
        ...filterAnswers,
      },
      { examples: [{ period: "7d" }] },
    ),
    metrics: withExample(["clicks", "uniqueVisitors"], list(oneOf(SERIES_METRICS), SERIES_METRICS.length)),
    createdBy: optional(id("Id of the user who created the report")),
    createdAt: instant(),
    updatedAt: instant(),
  },
  { $id: "Report" },
);
export type Report = Static<typeof Report>;

export const ReportPage = pageOf("reports", Report);
