/** Converts reports to URLs of the analytics screen, and back. */
import { DAY_MS } from "@/core/time/time-range";
import type { Schemas } from "@/dashboard/api/client";
import { FILTERS, type FigureQuery } from "../figure-query";

type ReportFilters = Schemas["Report"]["filters"];

/** Query parameter with the id of the opened report, so that its changes can be detected and saved. */
export const OPENED = "report";

const MIDNIGHT = "T00:00:00.000Z";
/** Default length of the range: the API uses it for a report that has only an end. */
const DEFAULT_MS = 30 * DAY_MS;
/** The default period, which is omitted from the URL. */
const STANDARD = "30d";

/** Returns undefined if the filters contain several links, because a report can store only one. */
export function filtersOf({ rangeName, range, filters, includeBots }: FigureQuery): ReportFilters | undefined {
  const { linkId = [], ...lists } = filters;
  const [link, another] = linkId;
  if (another !== undefined) return undefined;
  return {
    ...(rangeName === "custom" ? range : { period: rangeName }),
    ...(link !== undefined && { linkId: link }),
    ...(includeBots && { includeBots }),
    ...lists,
  };
}

/** Returns the path that opens a report. */
export const pathOf = ({ _id, filters }: Pick<Schemas["Report"], "_id" | "filters">): string =>
  `/analytics?${new URLSearchParams([...new URLSearchParams(searchOf(filters)), [OPENED, _id]])}`;

/** Returns the query of the screen's URL; equal for reports that show the same. */
export function searchOf({ period, from, to, includeBots, ...filters }: ReportFilters): string {
  const params = new URLSearchParams(rangeOf({ period, from, to }));
  for (const name of FILTERS) for (const value of [filters[name] ?? []].flat()) params.append(name, value);
  if (includeBots) params.set("bots", "yes");
  return params.toString();
}

function rangeOf({ period, from, to }: Pick<ReportFilters, "period" | "from" | "to">): Record<string, string> {
  if (period !== undefined) return period === STANDARD ? {} : { range: period };
  const start = from ?? (to === undefined ? undefined : new Date(Date.parse(to) - DEFAULT_MS).toISOString());
  if (start === undefined) return {};
  if (to === undefined) return { from: start };
  if (!start.endsWith(MIDNIGHT) || !to.endsWith(MIDNIGHT)) return { from: start, to };
  const lastDay = new Date(Date.parse(to) - DAY_MS).toISOString();
  return { from: start.slice(0, 10), to: lastDay.slice(0, 10) };
}
