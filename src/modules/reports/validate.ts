/**
 * Checks what the schema of a report cannot express: a valid range, given in only one way, and a name that is not
 * blank.
 */
import { FILTER_NAMES, type FilterName, type Filters } from "@/contract/analytics/analytics-filters";
import type { ReportFilters, ReportInput, ReportPeriod, ReportUpdate } from "@/contract/analytics/reports";
import { NO_INSTANT, parseInstant } from "@/core/time/instant";
import { DAY_MS, floorTo, HOUR_MS, parseTimeRange } from "@/core/time/time-range";
import { invalid } from "@/http/errors";
import type { FiguresQuery } from "@/modules/analytics/service";

const PERIOD_DAYS: Record<ReportPeriod, number> = { "24h": 1, "7d": 7, "30d": 30, "90d": 90 };
const PERIOD_DEFAULT = "30d";

/**
 * Returns the filters as they are stored: without nulls, with instants as responses write them. Throws 400 with every
 * fault.
 */
export function checkedFilters(input: ReportInput | ReportUpdate, now: number): ReportFilters {
  const { from, to, period, linkId, includeBots, ...narrowed } = input.filters ?? {};
  const faults = rangeFaults({ from: from ?? undefined, to: to ?? undefined, period: period ?? undefined }, now);
  if (input.name?.trim() === "") faults.push("name: must not be blank");
  if (faults.length > 0) throw invalid(faults);
  return {
    from: inUtc(from),
    to: inUtc(to),
    period: period ?? undefined,
    linkId: linkId?.toLowerCase(),
    includeBots: includeBots ?? undefined,
    ...listsOf(narrowed),
  };
}

/**
 * Returns the query that the filters stand for at this time. A relative period ends now, and begins at a full hour, as
 * in the dashboard: both show the same figures.
 */
export function queryAt({ period, from, to, includeBots, ...narrowed }: ReportFilters, now: number): FiguresQuery {
  const relative = period ?? (from === undefined && to === undefined ? PERIOD_DEFAULT : undefined);
  const since = relative === undefined ? from : startOf(relative, now);
  return { from: since, to, includeBots, filters: reportFiltersOf(narrowed) };
}

const startOf = (period: ReportPeriod, now: number): string =>
  new Date(floorTo(now, HOUR_MS) - PERIOD_DAYS[period] * DAY_MS).toISOString();

/** Returns the filters in the form that queries for figures use. */
export function reportFiltersOf({ linkId, ...lists }: Narrowed): Filters {
  const given = FILTER_NAMES.flatMap((name): [FilterName, readonly string[]][] => {
    const values = name === "linkId" ? (linkId ? [linkId.toLowerCase()] : []) : (lists[name] ?? []);
    return values.length > 0 ? [[name, [...new Set(values)]]] : [];
  });
  return Object.fromEntries(given);
}

type Narrowed = Pick<NonNullable<ReportInput["filters"]>, FilterName>;

/** Drops empty lists, which filter nothing. */
function listsOf(narrowed: Omit<Narrowed, "linkId">): Omit<ReportFilters, "linkId"> {
  const { linkId, ...lists } = reportFiltersOf(narrowed);
  return Object.fromEntries(Object.entries(lists).map(([name, values]) => [name, [...values]]));
}

function rangeFaults({ from, to, period }: Pick<ReportFilters, "from" | "to" | "period">, now: number): string[] {
  if (period !== undefined) {
    const isAlone = from === undefined && to === undefined;
    return isAlone ? [] : ["filters.period: cannot be combined with filters.from or filters.to"];
  }
  const wrong = Object.entries({ from, to }).filter(
    ([, text]) => text !== undefined && parseInstant(text) === undefined,
  );
  if (wrong.length > 0) return wrong.map(([field]) => `filters.${field}: ${NO_INSTANT}`);
  const parsed = parseTimeRange({ from, to }, now);
  return parsed.ok
    ? []
    : parsed.faults.map((fault) => `filters.${fault.replace(/\b(before|unless) to\b/, "$1 filters.to")}`);
}

function inUtc(text: string | null | undefined): string | undefined {
  const instant = text ? parseInstant(text) : undefined;
  return instant === undefined ? undefined : new Date(instant).toISOString();
}
