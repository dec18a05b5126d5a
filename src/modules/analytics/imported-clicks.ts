/**
 * Returns the clicks that imported links had at the services they come from, in all and, as far as these tell it, by
 * day. They are stored with the links and kept separate from the clicks counted here: neither rollups nor raw clicks
 * include them.
 *
 * The sums over a whole organization are stored (`imported-sums.ts`), and read from there unless an import has changed
 * them since. Otherwise, Postgres reads every imported link, which takes a tenth of a second per million, and all days
 * of the links that had any since the range began, which takes a second for several million. So what is summed over at
 * least `REMEMBERED_FROM_LINKS` links is cached for `REMEMBERED_MS`: the days for any filter, and the number of all
 * clicks without one. Bounds: `SUMS_MAX` sums, and the days of `RANGES_MAX` ranges. A crash loses nothing.
 */
import type { Sql } from "postgres";
import type { Filters } from "@/contract/analytics/analytics-filters";
import type { OverviewAnswer } from "@/contract/analytics/overview";
import type { OrgId } from "@/core/ids";
import { DAY_MS, floorTo, type Span } from "@/core/time/time-range";
import { createBoundedMap } from "@/platform/bounded-map";
import { type Clock, steadyClock } from "@/platform/clock";
import { type DatesAsked, type ImportedDay, type ImportedSum, readStoredSums, sumByDay, sumUp } from "./imported-sums";

type ImportedClicks = Pick<OverviewAnswer, "clicksBefore">;

const REMEMBERED_FROM_LINKS = 20_000;
const REMEMBERED_MS = 60_000;
const SUMS_MAX = 1_000;
const RANGES_MAX = 200;

export interface ImportedClicksOptions {
  sql: Sql;
  clock: Clock;
  /** Lowered by tests. */
  rememberedFromLinks?: number;
}

export function importedClicksReader({
  sql,
  clock,
  rememberedFromLinks = REMEMBERED_FROM_LINKS,
}: ImportedClicksOptions) {
  const steady = steadyClock(clock);
  const sums = createBoundedMap<OrgId, { value: ImportedSum; until: number }>(SUMS_MAX);
  const ranges = createBoundedMap<string, { value: ImportedDay[]; until: number }>(RANGES_MAX);

  /** Returns nothing if imported clicks are excluded, there are none, or a filter concerns a property they lack. */
  return async (orgId: OrgId, filters: Filters | null, range: Span): Promise<ImportedClicks> => {
    if (filters === null) return {};
    const { linkId, domainId, tag, ...others } = filters;
    if (Object.values(others).some((values) => values !== undefined)) return {};
    const isUnfiltered = linkId === undefined && domainId === undefined && tag === undefined;
    const stored = isUnfiltered ? await readStoredSums(sql, orgId, daysIn(range)) : undefined;
    const { byDay, ...sum } = stored ?? (await sumsOf(orgId, filters, daysIn(range), isUnfiltered));
    if (sum.links === 0) return {};
    const inRange = byDay.reduce((all, { count }) => all + count, 0);
    return { clicksBefore: { ...sum, ...(byDay.length > 0 && { inRange, byDay }), writer: "imported" } };
  };

  async function sumsOf(orgId: OrgId, filters: Filters, days: DatesAsked, isUnfiltered: boolean) {
    const sum = isUnfiltered ? await sumOfAll(orgId) : await sumUp(sql, orgId, filters);
    return { ...sum, byDay: sum.links === 0 ? [] : await daysOf(orgId, filters, days, sum) };
  }

  async function sumOfAll(orgId: OrgId): Promise<ImportedSum> {
    const known = sums.get(orgId);
    if (known && steady() < known.until) return known.value;
    const value = await sumUp(sql, orgId, {});
    if (value.links >= rememberedFromLinks) sums.set(orgId, { value, until: steady() + REMEMBERED_MS });
    return value;
  }

  async function daysOf(
    orgId: OrgId,
    filters: Filters,
    days: DatesAsked,
    { links }: ImportedSum,
  ): Promise<ImportedDay[]> {
    if (links < rememberedFromLinks) return sumByDay(sql, orgId, filters, days);
    const key = `${orgId} ${Bun.hash(JSON.stringify([days, filters]))}`;
    const known = ranges.get(key);
    if (known && steady() < known.until) return known.value;
    const value = await sumByDay(sql, orgId, filters, days);
    ranges.set(key, { value, until: steady() + REMEMBERED_MS });
    return value;
  }
}

/** Returns the days that the range is in, the first and the last as a whole. */
const daysIn = ({ from, to }: Span): DatesAsked => ({ first: dayOf(from), last: dayOf(to - 1) });

const dayOf = (at: number): string => new Date(floorTo(at, DAY_MS)).toISOString().slice(0, 10);
