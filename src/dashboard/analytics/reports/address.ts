/** A report as an address of Analytics, and what stands in the address as a report. */
import type { Schemas } from "@/dashboard/api/client";
import { type Asked, FILTERS } from "../asked";

type ReportFilters = Schemas["Report"]["filters"];

/** Which report was opened stands in the address, so that it is known what is changed and may be saved. */
export const OPENED = "report";

const DAY_MS = 86_400_000;
const MIDNIGHT = "T00:00:00.000Z";
/** Of a report that says only its end, as the API takes it. */
const DEFAULT_MS = 30 * DAY_MS;
/** What needs no word in the address. */
const STANDARD = "30d";

/** A report keeps one link. Undefined where the address asks for several. */
export function filtersOf({ rangeName, range, filters, includeBots }: Asked): ReportFilters | undefined {
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

/** Where a report opens. */
export const pathOf = ({ _id, filters }: Pick<Schemas["Report"], "_id" | "filters">): string =>
  `/analytics?${new URLSearchParams([...new URLSearchParams(searchOf(filters)), [OPENED, _id]])}`;

/** The query of the screen's address, the same for what shows the same. */
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
